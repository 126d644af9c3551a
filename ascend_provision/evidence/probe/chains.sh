# Chains of commands, one subshell each: a tool that hangs takes no other tool with it.

chain_host() {
    gather host 5 host
    files 5 os-release=/etc/os-release install-info=/etc/ascend_install.info cann.record=/etc/Ascend/ascend_cann_install.info \
        hccn.conf=/etc/hccn.conf own.lease=$OWN/lease own.token=$OWN/token own.record=$OWN/record \
        own.units=$OWN/hold/units own.containers=$OWN/hold/containers
    gather own.state 5 own_state
    gather pci 5 pci
    gather device.nodes 5 device_nodes
    gather mounts 5 mounts
    gather tools 5 tools
    gather boot.loader 5 boot_loader
}

chain_stack() {
    files 10 "driver.version=$INSTALL_PATH/driver/version.info" "firmware.version=$FIRMWARE_PATH/firmware/version.info" \
        flash.demand=/run/ascend/hardware/flash_version.txt clock.makers=/run/ascend/hardware/cdrs.txt \
        hbm.makers=/run/ascend/hardware/hbm.txt "driver.releases=$INSTALL_PATH/driver/script/version_cap.map"
    gather cann 15 cann
    gather leftovers 10 leftovers
    if have stat; then gather stack.paths 5 stack_paths; else missing stack.paths; fi
    if have ldconfig; then call loader.cache 5 loader_cache; else missing loader.cache; fi
}

chain_env() {
    gather env.files 10 env_files
    gather env.sources 5 env_sources
    gather interfaces 5 interfaces
    kept_paths >"$T/kept"
    if [ ! -s "$T/kept" ]; then
        missing kept.stat kept.sha256
    else
        if have stat; then call kept.stat 10 with_kept stat -L -c '%a %u:%g %Y %n'; else missing kept.stat; fi
        if have sha256sum; then call kept.sha256 10 with_kept sha256sum; else missing kept.sha256; fi
    fi
    log=$ROOT/var/log/ascend_seclog/ascend_install.log
    if [ -r "$log" ]; then
        call install.log 5 install_log "$log"
    elif [ -e "$log" ] || hidden "$log"; then
        say E "$chain" install.log - 0 not readable
    else
        missing install.log
    fi
    gather rank.tables 10 rank_tables
}

chain_environments() {
    gather environments 20 environments
    gather python.packages 10 python_packages
}

chain_disks() {
    set --
    for dir in /usr/local /tmp /var /root /boot; do [ ! -d "$ROOT$dir" ] || set -- "$@" "$ROOT$dir"; done
    call disks 10 df -Pk "$@"
}

chain_users() {
    if [ -z "$ROOT" ] && have getent; then
        # shellcheck disable=SC2086 # one name a word
        call getent.passwd 10 getent passwd $ACCOUNTS
        # shellcheck disable=SC2086
        call getent.group 10 getent group $ACCOUNTS
    else
        call getent.passwd 5 users_by_file passwd
        call getent.group 5 users_by_file group
    fi
}

chain_pythons() {
    call pythons 10 pythons
    if have gcc; then call gcc 5 gcc -dumpfullversion -dumpversion; else missing gcc; fi
}

chain_modules() {
    call lsmod 10 driver_modules
    gather modules.files 10 module_files
    if have modinfo && [ -s "$T/out/modules.files" ]; then
        call modinfo 10 vermagics
    else
        missing modinfo
    fi
    if have modinfo && [ -s "$T/out/modules.files" ] && enforced; then
        call modinfo.signer 10 signer
    else
        missing modinfo.signer
    fi
    if [ -d "$ROOT/var/lib/dkms/davinci_ascend" ]; then
        gather dkms 5 dkms_tree
    elif hidden "$ROOT/var/lib/dkms/davinci_ascend"; then
        say E "$chain" dkms - 0 not readable
    else
        missing dkms
    fi
}

chain_grubby() { if have grubby; then call grubby 10 grubby --default-kernel; else missing grubby; fi; }

chain_mpi() {
    gather mpi.places 10 mpi_places
    if have mpirun; then call mpirun 10 mpirun --version; else missing mpirun; fi
}

driver_libraries() {
    libraries=$INSTALL_PATH/driver/lib64
    LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$libraries:$libraries/common:$libraries/driver
    export LD_LIBRARY_PATH
}

chain_npu_smi() {
    if ! have npu-smi; then
        missing npu-smi.info npu-smi.list npu-smi.map card.processes
        return
    fi
    driver_libraries
    call npu-smi.info 20 npu-smi info
    call npu-smi.list 20 npu-smi info -l
    call npu-smi.map 20 npu-smi info -m
    gather card.processes 5 card_processes
    ids=
    while IFS=: read -r key id; do
        case $key in *'NPU ID'*) ;; *) continue ;; esac
        id=${id#"${id%%[0-9]*}"} id=${id%%[!0-9]*}
        case " $ids " in *" $id "*) ;; *) ids="$ids $id" ;; esac
    done <"$T/out/npu-smi.list"
    boards=
    for id in $ids; do boards="$boards npu-smi.board.$id"; done
    # shellcheck disable=SC2086 # one section a word
    promise $boards
    for id in $ids; do call "npu-smi.board.$id" 20 npu-smi info -t board -i "$id"; done
}

chain_upgrade_tool() {
    for tool in "$ROOT$INSTALL_PATH/driver/tools/upgrade-tool" "$(command -v upgrade-tool)" /var/davinci/driver/upgrade-tool; do
        [ -x "$tool" ] || continue
        driver_libraries
        call upgrade-tool.status 20 "$tool" --device_index -1 --status
        call upgrade-tool.version 20 "$tool" --device_index -1 --component -1 --version
        return
    done
    missing upgrade-tool.status upgrade-tool.version
}

chain_hccn_tool() {
    devices= sections=
    for node in "$ROOT"/dev/davinci[0-9]*; do
        device=${node##*davinci}
        case $device in *[!0-9]*) continue ;; esac
        devices="$devices $device"
        for topic in ip link tls netdetect health; do sections="$sections hccn_tool.$topic.$device"; done
    done
    # shellcheck disable=SC2086 # one section a word
    promise $sections
    if ! have hccn_tool; then
        # shellcheck disable=SC2086
        missing $sections hccn_tool
        return
    fi
    driver_libraries
    for device in $devices; do
        call "hccn_tool.ip.$device" 10 hccn_tool -i "$device" -ip -g
        call "hccn_tool.link.$device" 10 hccn_tool -i "$device" -link -g
    done
    for device in $devices; do # what a hanging tool may cost us comes last
        call "hccn_tool.tls.$device" 10 hccn_tool -i "$device" -tls -g
        call "hccn_tool.netdetect.$device" 10 hccn_tool -i "$device" -netdetect -g
        call "hccn_tool.health.$device" 10 hccn_tool -i "$device" -net_health -g
    done
    : >"$T/out/hccn_tool"
    say E "$chain" hccn_tool 0 0 "$(echo "$devices" | wc -w) devices"
}

chain_holders() {
    files 5 uda.namespaces=/proc/uda/namespace_node
    gather listeners 5 listeners
    gather holders.devices 15 open_devices
    holder_pids
    gather holders.groups 5 holder_groups
    gather zombies 5 zombies
    gather others 5 others
    unit_names | sort -u >"$T/units"
    set --
    while read -r unit; do set -- "$@" "$unit"; done <"$T/units"
    if [ $# -gt 0 ] && have systemctl; then
        call systemctl 10 systemctl show -p Id -p ActiveState -p UnitFileState -p LoadState "$@"
    else
        missing systemctl
    fi
    users=
    while read -r _ uid _; do
        uid=${uid#uid=}
        case " $users " in *" $uid "*) ;; *) users="$users $uid" ;; esac
    done <"$T/out/holders.groups"
    # shellcheck disable=SC2086 # one uid a word
    if [ -n "$users" ] && have getent; then call getent.holders 10 getent passwd $users; else missing getent.holders; fi
    gather holders.commands 10 holder_commands
    gather holders.variables 10 holder_variables
}

runtime() { # docker|podman
    if have "$1"; then
        call "$1" 10 containers "$1"
        call "$1.setup" 10 container_setups "$1" "$T/out/$1"
    else
        missing "$1" "$1.setup"
    fi
}

chain_docker() { runtime docker; }

chain_podman() { runtime podman; }
