# The probe: reads everything ascend-provision wants to know about one host, in one round trip.
#
#   sh -s [DEADLINE [LIMIT]] < probe.sh
#
# DEADLINE: seconds for the whole probe, 60 when not given. LIMIT: the most seconds that any one command gets.
#
# Plain POSIX sh (dash, busybox ash, old bash); no Python, no timeout(1). It only reads: the one thing it writes is
# a directory of its own below /run, /dev/shm or /tmp, removed at the end.
#
# Chains of commands run side by side, each in a subshell; one chain never calls two tools that can hang. A chain
# tells the main loop through a FIFO when a command begins and ends, a ticker adds a tick a second, and the main loop
# waits for nothing else: not for a tool stuck in a sick driver (it may be unkillable) and not for a child that
# holds its output open. What is late is abandoned with the rest of its chain. evidence/wire.py describes the answer.
#
# PROBE_ROOT is put in front of every path that is read (for tests on a tree instead of a host).

clock() { # NOW: hundredths of a second, no process started
    if read -r uptime_ rest_ 2>/dev/null </proc/uptime; then
        NOW=$((${uptime_%.*} * 100 + 1${uptime_#*.} - 100))
    else
        NOW=$(($(date +%s) * 100))
    fi
}

say() { printf '%s\n' "$*" >&3; }

have() { command -v "$1" >/dev/null 2>&1; }

# ---- used inside a chain

promise() { say P "$chain" "$@"; } # SECTION...: what this chain is going to bring

missing() { # SECTION...: there is nothing to read
    for section_ in "$@"; do say E "$chain" "$section_" - 0 not found; done
}

begin() { # LIMIT: of the section
    limit=$1
    [ "$limit" -le "$LIMIT" ] || limit=$LIMIT
    say B "$chain" "$section" "$limit"
    clock
    began=$NOW
}

call() { # SECTION LIMIT COMMAND...: a tool; its output goes to a capped file and it may hang
    section=$1
    begin "$2"
    shift 2
    {
        "$@"
        echo $? >"$T/rc/$section"
    } </dev/null 2>&1 3>&- | head -c $((CAP + 1)) 3>&- >"$T/out/$section"
    status=-
    read -r status 2>/dev/null <"$T/rc/$section"
    clock
    say E "$chain" "$section" "$status" $((NOW - began))
}

gather() { # SECTION LIMIT FUNCTION: a function of this script; what it prints is the section
    section=$1
    begin "$2"
    "$3" </dev/null >"$T/out/$section" 2>/dev/null
    status=$?
    clock
    say E "$chain" "$section" "$status" $((NOW - began))
}

files() { # LIMIT NAME=PATH...: small files, a section each
    limit=$1
    shift
    section=${1%%=*}
    begin "$limit"
    count_=$# names=
    for pair in "$@"; do
        name=${pair%%=*} path=$ROOT${pair#*=}
        if hidden "$path"; then
            say E "$chain" "$name" - 0 not readable
        elif [ ! -e "$path" ]; then
            say E "$chain" "$name" - 0 not found
        elif [ ! -f "$path" ] || [ ! -r "$path" ]; then
            say E "$chain" "$name" - 0 not readable
        else
            set -- "$@" "n=$name" "$path"
            names="$names $name"
        fi
    done
    shift "$count_"
    [ $# -gt 0 ] || return 0
    awk -v "dir=$T/out" -v "cap=$CAP" '
        FNR == 1 { if (out) close(out); out = dir "/" n; size = 0 }
        size <= cap { print > out; size += length($0) + 1 }' "$@" </dev/null >/dev/null 2>&1
    status=$?
    clock
    for name in $names; do say E "$chain" "$name" "$status" $((NOW - began)); done
}

hidden() { # PATH: a directory above it lets nobody tell whether it is there
    [ ! -e "$1" ] || return 1
    above=${1%/*}
    while [ -n "$above" ] && [ ! -e "$above" ]; do above=${above%/*}; done
    [ ! -x "${above:-/}" ]
}

contents() { # LINES FILE...: "F path", then each line of it after one blank
    lines=$1
    shift
    [ $# -eq 0 ] || awk -v "max=$lines" -v "root=${#ROOT}" '
        FNR == 1 { print "F " substr(FILENAME, root + 1) }
        FNR <= max { print " " $0 }' "$@"
}

plain() { # PATH: a name that fits on one line
    case $1 in *"$NL"*) return 1 ;; esac
}

# ---- what is read

host() {
    echo "uid=$(id -u)"
    for pair in boot_id=/proc/sys/kernel/random/boot_id hostname=/proc/sys/kernel/hostname pid1=/proc/1/stat; do
        line=
        read -r line 2>/dev/null <"$ROOT${pair#*=}"
        echo "${pair%%=*}=$line"
    done
    grep '^btime ' "$ROOT/proc/stat"
    echo "now=$(date +%s)"
    release=$(uname -r)
    echo "release=$release"
    echo "machine=$(uname -m)"
    if [ -e "$ROOT/lib/modules/$release/build" ]; then echo headers=yes; else echo headers=no; fi
    if [ -L "$ROOT/etc/os-release" ]; then echo os_release_link=yes; else echo os_release_link=no; fi
    [ ! -e "$ROOT/.dockerenv" ] || echo container=docker
    [ ! -e "$ROOT/run/.containerenv" ] || echo container=podman
    if read -r line 2>/dev/null <"$ROOT/run/systemd/container"; then echo "container=$line"; fi
    if [ -d "$ROOT/sys/firmware/efi" ]; then
        for file in "$ROOT"/sys/firmware/efi/efivars/SecureBoot-*; do
            [ ! -r "$file" ] || echo "secure_boot=$(od -An -tu1 "$file")"
        done
    else
        echo secure_boot=none
    fi
}

boot_loader() {
    for link in /vmlinuz /boot/vmlinuz; do
        [ ! -L "$ROOT$link" ] || echo "link=$(readlink "$ROOT$link")"
    done
    for image in "$ROOT"/boot/vmlinuz-*; do
        if [ -e "$image" ] && plain "$image"; then echo "image=${image##*/}"; fi
    done
    for env in "$ROOT"/boot/grub2/grubenv "$ROOT"/boot/grub/grubenv; do
        if [ -r "$env" ]; then
            grep -E '^(saved_entry|next_entry)=' "$env"
            break
        fi
    done
    for menu in "$ROOT"/boot/grub2/grub.cfg "$ROOT"/boot/grub/grub.cfg "$ROOT"/boot/efi/EFI/*/grub.cfg; do
        [ -e "$menu" ] || continue
        [ -r "$menu" ] || { echo "unreadable=${menu#"$ROOT"}"; continue; }
        awk '/^[ \t]*(menuentry|submenu) / { sub(/^[ \t]*/, ""); print "grub " $0 }
             /^[ \t]*linux(16|efi)?[ \t]/ { print "grub linux " $2 }
             /^[ \t]*set default=/ { sub(/^[ \t]*/, ""); print "grub " $0 }
             /^[ \t]*[}][ \t]*$/ { print "grub }" }' "$menu"
        break
    done
    return 0
}

pci() {
    cd "$ROOT/sys/bus/pci/devices" || return 1
    set -- */vendor
    [ -e "$1" ] || return 0
    for vendor in $(grep -l 0x19e5 "$@"); do
        bus=${vendor%/vendor} class='' device='' sv='' sd=''
        read -r class <"$bus/class"
        case $class in 0x12*) ;; *) continue ;; esac
        read -r device <"$bus/device"
        read -r sv <"$bus/subsystem_vendor"
        read -r sd <"$bus/subsystem_device"
        echo "$bus device=$device subsystem=$sv:$sd"
    done
    return 0
}

TOOLS='tar gzip xz bc lspci ifconfig ip gcc g++ make dkms mpirun mpicc docker podman crictl ctr systemctl systemd-run
setsid sha256sum flock sync stat find awk sed od getent useradd groupadd usermod npu-smi hccn_tool fuser lsof ps lsmod
modprobe depmod rmmod insmod modinfo rpm dpkg yum dnf apt-get sudo python3 mokutil grubby'

tools() {
    for tool in $TOOLS; do
        if have "$tool"; then echo "$tool=yes"; else echo "$tool=no"; fi
    done
}

pythons() {
    tried=' '
    for name in python3 python2 python /usr/libexec/platform-python /usr/bin/python3.[0-9] /usr/bin/python3.[0-9][0-9] \
        /usr/local/bin/python3; do
        path=$(command -v "$name") || continue
        case $tried in *" $path "*) continue ;; esac
        tried="$tried$path "
        echo "$path $("$path" -V 2>&1)"
    done
}

users_by_file() { grep -E '^(HwHiAiUser|HwDmUser|HwBaseUser):' "$ROOT/etc/$1"; }

driver_modules() { # the header says that the list was read
    if have lsmod; then lsmod; elif [ -r "$ROOT/proc/modules" ]; then
        echo Module
        while read -r line; do echo "$line"; done <"$ROOT/proc/modules"
    fi |
        grep -E '^(Module|drv_|ascend_|dbl_|ts_agent|hisi_hdc|davinci|devdrv)'
}

module_files() {
    for file in "$ROOT"/lib/modules/*/updates/*.ko* "$ROOT"/lib/modules/*/updates/dkms/*.ko* "$ROOT"/lib/modules/*/extra/*.ko*; do
        case ${file##*/} in
            drv_* | ascend_* | devdrv*) if [ -e "$file" ] && plain "$file"; then echo "${file#"$ROOT"}"; fi ;;
        esac
    done
}

vermagics() { # one module a kernel is enough: a driver build is all or nothing
    seen=' '
    while read -r file; do
        kernel=${file#/lib/modules/} kernel=${kernel%%/*}
        case $seen in *" $kernel "*) continue ;; esac
        seen="$seen$kernel "
        echo "$file $(modinfo -F vermagic "$ROOT$file" 2>&1)"
    done <"$T/out/modules.files"
}

cann_roots() {
    echo "$ROOT/usr/local/Ascend"
    [ "$INSTALL_PATH" = /usr/local/Ascend ] || echo "$ROOT$INSTALL_PATH"
    if [ -r "$ROOT/etc/Ascend/ascend_cann_install.info" ]; then
        while IFS='=' read -r key value; do
            case $key in *Path*) echo "$ROOT${value%/}" ;; esac
        done <"$ROOT/etc/Ascend/ascend_cann_install.info"
    fi
    for root in "$ROOT"/root/Ascend "$ROOT"/home/*/Ascend; do echo "$root"; done
}

cann() {
    seen=$NL
    set --
    cann_roots >"$T/cann-roots"
    while read -r root; do
        case $seen in *"$NL$root$NL"*) continue ;; esac
        seen=$seen$root$NL
        [ -d "$root" ] || continue
        echo "R ${root#"$ROOT"}"
        for version in "$root"/ascend-toolkit/* "$root"/cann-* "$root"/nnae/* "$root"/nnrt/* "$root"/nnal/atb/*; do
            plain "$version" || continue
            case $version in
                */latest) # a directory of links in most releases, a link in others
                    for link in "$version" "$version"/* "$version"/tools/*; do
                        if [ -L "$link" ] && [ ! -e "$link" ] && plain "$link"; then echo "X ${link#"$ROOT"}"; fi
                    done
                    continue
                    ;;
            esac
            if [ -L "$version" ]; then
                [ -e "$version" ] || echo "X ${version#"$ROOT"}"
                continue
            fi
            [ -d "$version" ] || continue
            echo "V ${version#"$ROOT"}"
            for script in "$version"/*uninstall*.sh "$version"/*-linux/script/*uninstall*.sh \
                "$version"/opp_kernel/script/*uninstall*.sh "$version"/script*/*uninstall*.sh "$root"/nnal/nnal_uninstall.sh; do
                case $script in "$root"/nnal/*) case $version in "$root"/nnal/*) ;; *) continue ;; esac ;; esac
                [ ! -f "$script" ] || echo "U ${script#"$ROOT"}"
            done
            for dir in "$version"/tools/hccl_test "$version"/*-linux/tools/hccl_test; do
                [ ! -d "$dir" ] || echo "H ${dir#"$ROOT"}"
            done
            for dir in "$version"/opp/built-in/op_impl/ai_core/tbe/kernel/ascend* \
                "$version"/opp_kernel/built-in/op_impl/ai_core/tbe/kernel/ascend* \
                "$version"/*-linux/opp/built-in/op_impl/ai_core/tbe/kernel/ascend*; do
                [ ! -d "$dir" ] || echo "C ${dir#"$ROOT"}"
            done
            for file in "$version"/*-linux/ascend_*_install.info "$version"/ascend_*_install.info \
                "$version"/version.cfg "$version"/opp_kernel/version.info "$version"/version.info; do
                if [ -f "$file" ] && [ -r "$file" ]; then set -- "$@" "$file"; fi
            done
        done
    done <"$T/cann-roots"
    contents 40 "$@"
}

environments() {
    set --
    for site in "$ROOT"/usr/lib/python[23]*/*-packages "$ROOT"/usr/lib64/python[23]*/*-packages \
        "$ROOT"/usr/local/lib/python[23]*/*-packages "$ROOT"/usr/local/lib64/python[23]*/*-packages \
        "$ROOT"/usr/local/*/lib/python[23]*/site-packages "$ROOT"/usr/local/*/envs/*/lib/python[23]*/site-packages \
        "$ROOT"/opt/*/lib/python[23]*/*-packages "$ROOT"/opt/*/*/lib/python[23]*/site-packages \
        "$ROOT"/opt/*/envs/*/lib/python[23]*/site-packages \
        "$ROOT"/root/*/lib/python[23]*/site-packages "$ROOT"/root/*/*/lib/python[23]*/site-packages \
        "$ROOT"/root/*/envs/*/lib/python[23]*/site-packages "$ROOT"/root/.local/lib/python[23]*/site-packages \
        "$ROOT"/root/.conda/envs/*/lib/python[23]*/site-packages "$ROOT"/root/.pyenv/versions/*/lib/python[23]*/site-packages \
        "$ROOT"/home/*/*/lib/python[23]*/site-packages "$ROOT"/home/*/*/*/lib/python[23]*/site-packages \
        "$ROOT"/home/*/*/envs/*/lib/python[23]*/site-packages "$ROOT"/home/*/.local/lib/python[23]*/site-packages \
        "$ROOT"/home/*/.conda/envs/*/lib/python[23]*/site-packages "$ROOT"/home/*/.pyenv/versions/*/lib/python[23]*/site-packages; do
        [ -d "$site" ] || continue
        case $site in */lib64/*) [ ! -L "${site%/lib64/*}/lib64" ] || continue ;; esac
        plain "$site" || continue
        found=
        for dist in "$site"/torch-*-info "$site"/torch_npu-*-info "$site"/torch-npu-*-info "$site"/mindspore*-info; do
            [ -d "$dist" ] || continue
            found=yes
            echo "D ${dist#"$ROOT"}"
            for file in "$dist/METADATA" "$dist/PKG-INFO"; do
                if [ -f "$file" ] && [ -r "$file" ]; then set -- "$@" "$file"; fi
            done
        done
        for dir in "$site/torch_npu" "$site/mindspore"; do
            if [ -d "$dir" ]; then
                found=yes
                echo "B ${dir#"$ROOT"}"
            fi
        done
        [ -n "$found" ] || continue
        prefix=${site%/lib*/python*}
        [ ! -r "$prefix/pyvenv.cfg" ] || set -- "$@" "$prefix/pyvenv.cfg"
        for file in "$prefix"/conda-meta/python-[23]*.json; do
            [ ! -e "$file" ] || echo "P ${file#"$ROOT"}"
        done
    done
    contents 20 "$@" | grep -E '^([DBPF] | (Name|Version): | version)'
    return 0
}

mpi_places() {
    for path in "$(command -v mpirun)" /usr/local/mpi*/bin/mpirun /usr/local/openmpi*/bin/mpirun /opt/mpi*/bin/mpirun \
        /opt/openmpi*/bin/mpirun /usr/lib64/mpich*/bin/mpirun /usr/lib64/openmpi*/bin/mpirun; do
        if [ -x "$path" ]; then echo "mpirun=$path $(readlink -f "$path")"; fi
    done
    for path in "$ROOT"/usr/local/mpi*/include/mpi.h "$ROOT"/usr/local/openmpi*/include/mpi.h \
        "$ROOT"/opt/mpi*/include/mpi.h "$ROOT"/opt/openmpi*/include/mpi.h \
        "$ROOT"/usr/lib/*-linux-gnu/mpich/include/mpi.h "$ROOT"/usr/lib/*-linux-gnu/openmpi/include/mpi.h \
        "$ROOT"/usr/lib64/mpich*/include/mpi.h "$ROOT"/usr/lib64/openmpi*/include/mpi.h; do
        [ ! -e "$path" ] || echo "home=${path%/include/mpi.h}"
    done
}

open_devices() { # "<ls line> /proc/PID/fd/N -> /dev/…" of every open NPU device node
    cd "$ROOT/proc" || return 1
    if find /dev/null -lname x >/dev/null 2>&1; then
        found=$(find [0-9]*/fd -maxdepth 1 \
            \( -lname '/dev/davinci*' -o -lname '/dev/devmm_svm*' -o -lname '/dev/hisi_hdc*' \) 2>/dev/null)
        # shellcheck disable=SC2086 # words on purpose: PID/fd/N
        [ -z "$found" ] || ls -ld $found 2>/dev/null
    else
        ls -l sys [0-9]*/fd 2>/dev/null | awk '
            /^[0-9]+\/fd:$/ { dir = substr($0, 1, length($0) - 1) }
            / -> \/dev\/(davinci|devmm_svm|hisi_hdc)/ { for (i = 1; i < NF; i++) if ($(i + 1) == "->") $i = dir "/" $i; print }'
    fi
    return 0
}

holder_pids() { # PIDS
    PIDS=
    while read -r line; do
        line=${line% -> *} line=${line##* }
        case $line in [0-9]*/fd/*) pid=${line%%/*} ;; *) continue ;; esac
        case " $PIDS " in *" $pid "*) ;; *) PIDS="$PIDS $pid" ;; esac
    done <"$T/out/holders.devices"
}

holder_groups() {
    for pid in $PIDS; do
        group='' uid=''
        while IFS=: read -r number controller path; do
            case $number:$controller in
                *:name=systemd) [ "$path" = / ] || group=$path ;;
                0:*) [ -n "$group" ] || group=$path ;;
            esac
        done <"$ROOT/proc/$pid/cgroup"
        while read -r key value _; do
            [ "$key" = Uid: ] || continue
            uid=$value
            break
        done <"$ROOT/proc/$pid/status"
        [ -z "$uid" ] || echo "pid=$pid uid=$uid cgroup=$group"
    done
}

holder_commands() {
    for pid in $PIDS; do
        echo "pid=$pid command=$(head -c 400 "$ROOT/proc/$pid/cmdline" | tr '\000\n\r\t' '    ')"
    done
}

unit_names() { # the field's services, by unit file, those that hold a card, and those a run keeps down
    for dir in /etc/systemd/system /run/systemd/system /usr/local/lib/systemd/system /usr/lib/systemd/system /lib/systemd/system; do
        for file in "$ROOT$dir"/*npu*.service "$ROOT$dir"/*device-plugin*.service "$ROOT$dir"/*ascend*exporter*.service \
            "$ROOT$dir"/*ascend*plugin*.service "$ROOT$dir"/*mindx*.service "$ROOT$dir"/*mindie*.service \
            "$ROOT$dir"/*hiai*.service "$ROOT$dir"/*davinci*.service; do
            [ ! -e "$file" ] || echo "${file##*/}"
        done
    done
    if [ -r "$ROOT$OWN/hold/units" ]; then
        while read -r held _; do
            case $held in *[!A-Za-z0-9@:._\\-]* | -*) ;; *.service) echo "$held" ;; esac
        done <"$ROOT$OWN/hold/units"
    fi
    while read -r _ _ cgroup; do
        case $cgroup in */system.slice/*.service*) ;; *) continue ;; esac
        cgroup=${cgroup#*/system.slice/}
        while :; do
            case ${cgroup%%/*} in *.service) echo "${cgroup%%/*}" && break ;; esac
            case $cgroup in */*) cgroup=${cgroup#*/} ;; *) break ;; esac
        done
    done <"$T/out/holders.groups"
}

containers() { # TOOL: "C|id|running|privileged|restart|name|devices", then the cards asked for by variable
    ids=$("$1" ps -aq --no-trunc) || return 1
    [ -n "$ids" ] || return 0
    # shellcheck disable=SC2086 # one id a word
    "$1" inspect --format 'C|{{.Id}}|{{.State.Running}}|{{.HostConfig.Privileged}}|{{.HostConfig.RestartPolicy.Name}}|{{.Name}}|{{range .HostConfig.Devices}}{{.PathOnHost}} {{end}}' $ids
    # shellcheck disable=SC2086
    "$1" inspect --format 'E|{{.Id}}
{{range .Config.Env}}{{println .}}{{end}}' $ids 2>/dev/null | grep -E '^(E\||ASCEND_VISIBLE_DEVICES=)'
    return 0
}

env_files() {
    set --
    for file in "$ROOT"/etc/profile "$ROOT"/etc/profile.d/*.sh "$ROOT"/etc/bashrc "$ROOT"/etc/bash.bashrc \
        "$ROOT"/etc/environment "$ROOT"/etc/ascend-provision/* "$ROOT"/root/.bashrc "$ROOT"/root/.profile \
        "$ROOT"/root/.bash_profile "$ROOT"/home/*/.bashrc "$ROOT"/home/*/.profile "$ROOT"/home/*/.bash_profile; do
        if [ -f "$file" ] && [ -r "$file" ] && plain "$file"; then set -- "$@" "$file"; fi
    done
    [ $# -eq 0 ] || awk -v "root=${#ROOT}" '
        { own = FILENAME ~ /ascend-provision/ }
        FNR == 1 && own { print "F " substr(FILENAME, root + 1); last = FILENAME }
        /^[ \t]*#/ { next }
        own || /ASCEND|Ascend|PYTORCH_NPU|HCCL_|RANK_TABLE|ATB_|ACL_|TASK_QUEUE_ENABLE|MINDSPORE|MS_ENABLE|NPU_/ {
            if (last != FILENAME) print "F " substr(FILENAME, root + 1)
            last = FILENAME
            print " " $0
        }' "$@"
}

kept_paths() { # set "$@" aside: one path a line
    for file in /etc/hccn.conf /etc/vnpu.cfg /etc/ascend_install.info /etc/Ascend/ascend_cann_install.info \
        /var/log/ascend_seclog/ascend_install.log; do
        [ ! -e "$ROOT$file" ] || echo "$ROOT$file"
    done
    while read -r kind file; do
        [ "$kind" != F ] || echo "$ROOT$file"
    done <"$T/out/env.files"
}

with_kept() { # COMMAND...: with the kept files as further arguments
    while read -r file; do set -- "$@" "$file"; done <"$T/kept"
    "$@"
}

empty() { # DIRECTORY
    for entry in "$1"/* "$1"/.[!.]*; do
        if [ -e "$entry" ] || [ -L "$entry" ]; then return 1; fi
    done
}

leftovers() { # places where something may be left; evidence/leftovers.py says what is left
    for file in "$ROOT"/var/lib/dkms/davinci_ascend "$ROOT"/usr/src/davinci_ascend-* "$ROOT"/root/ascend_check \
        "$ROOT"/var/log/npu "$ROOT"/var/log/ascend_seclog "$ROOT"/tmp/selfgz[0-9]* "$ROOT"/etc/logrotate.d/*scend* \
        "$ROOT"/etc/logrotate.d/*HiAi* "$ROOT"/etc/logrotate.d/*npu*; do
        if [ -e "$file" ] && plain "$file"; then echo "exists ${file#"$ROOT"}"; fi
    done
    for dir in "$ROOT/etc/Ascend" "$ROOT$INSTALL_PATH"/* "$ROOT$INSTALL_PATH"/*/*; do
        if [ -d "$dir" ] && [ ! -L "$dir" ] && plain "$dir" && empty "$dir"; then echo "empty ${dir#"$ROOT"}"; fi
    done
    set --
    for file in "$ROOT$INSTALL_PATH"/* "$ROOT$INSTALL_PATH"/*/* "$ROOT"/usr/local/bin/* "$ROOT"/usr/local/sbin/* "$ROOT"/usr/bin/*; do
        if [ -L "$file" ] && [ ! -e "$file" ] && plain "$file"; then set -- "$@" "$file"; fi
    done
    for file in "$@"; do echo "dangling ${file#"$ROOT"} -> $(readlink "$file")"; done
    return 0
}

env_sources() { # set_env.sh files that a shell file reads and that are gone
    owner=
    while read -r kind rest; do
        [ "$kind" != F ] || owner=$rest
        case $kind$rest in *set_env.sh*) ;; *) continue ;; esac
        path="$kind $rest"
        path=${path%%set_env.sh*}set_env.sh
        path=${path##*[ \"\'=;]}
        case $path in /*) [ -e "$ROOT$path" ] || echo "gone $owner $path" ;; esac
    done <"$T/out/env.files"
}

install_log() { # what began, what ended, what failed; " line" each, and "L" with the last line of the file
    tail -n 3000 "$1" | awk '
        /Start time|End time|irmware.*success|ERROR/ { kept[++count] = $0 }
        { last = $0 }
        END { for (i = count > 60 ? count - 59 : 1; i <= count; i++) print " " kept[i]; print "L " last }'
}

rank_tables() {
    set --
    for file in "$ROOT"/user/serverid/devindex/config/hccl.json "$ROOT"/etc/*rank_table*.json "$ROOT"/etc/hccl*.json "$ROOT"/root/*rank_table*.json "$ROOT"/root/hccl*.json \
        "$ROOT"/home/*/*rank_table*.json "$ROOT"/home/*/hccl*.json; do
        if [ -f "$file" ] && [ -r "$file" ] && plain "$file" && [ $# -lt 8 ]; then set -- "$@" "$file"; fi
    done
    contents 400 "$@"
}

OWN=/var/lib/ascend-provision

own_state() {
    [ -d "$ROOT$OWN" ] || return 0
    [ -r "$ROOT$OWN" ] || return 1
    for dir in packages backups; do
        for item in "$ROOT$OWN/$dir"/*; do
            if [ -e "$item" ] && plain "$item"; then echo "$dir ${item##*/}"; fi
        done
    done
    [ ! -e "$ROOT$OWN/hold/active" ] || echo holding
    return 0
}

# ---- chains: one subshell each

chain_host() {
    gather host 5 host
    files 5 os-release=/etc/os-release install-info=/etc/ascend_install.info cann.record=/etc/Ascend/ascend_cann_install.info \
        hccn.conf=/etc/hccn.conf own.lease=$OWN/lease own.token=$OWN/token own.record=$OWN/record \
        own.quarantined=$OWN/quarantined own.smoke=$OWN/smoke own.units=$OWN/hold/units own.containers=$OWN/hold/containers
    gather own.state 5 own_state
    gather pci 5 pci
    gather tools 5 tools
    gather boot.loader 5 boot_loader
}

chain_stack() {
    files 10 "driver.version=$INSTALL_PATH/driver/version.info" "firmware.version=$FIRMWARE_PATH/firmware/version.info"
    gather cann 15 cann
    gather leftovers 10 leftovers
}

chain_env() {
    gather env.files 10 env_files
    gather env.sources 5 env_sources
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

chain_environments() { gather environments 20 environments; }

chain_disks() {
    set --
    for dir in /usr/local /tmp /var /root /boot; do [ ! -d "$ROOT$dir" ] || set -- "$@" "$ROOT$dir"; done
    call disks 10 df -Pk "$@"
}

chain_users() {
    if [ -z "$ROOT" ] && have getent; then
        call getent.passwd 10 getent passwd HwHiAiUser HwDmUser HwBaseUser
        call getent.group 10 getent group HwHiAiUser HwDmUser HwBaseUser
    else
        call getent.passwd 5 users_by_file passwd
        call getent.group 5 users_by_file group
    fi
}

chain_pythons() { call pythons 10 pythons; }

chain_modules() {
    call lsmod 10 driver_modules
    gather modules.files 10 module_files
    if have modinfo && [ -s "$T/out/modules.files" ]; then
        call modinfo 10 vermagics
    else
        missing modinfo
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
        missing npu-smi.info npu-smi.list npu-smi.map
        return
    fi
    driver_libraries
    call npu-smi.info 20 npu-smi info
    call npu-smi.list 20 npu-smi info -l
    call npu-smi.map 20 npu-smi info -m
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
        sections="$sections hccn_tool.ip.$device hccn_tool.link.$device"
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
    say E "$chain" hccn_tool 0 0 "$(echo "$devices" | wc -w) devices"
}

chain_holders() {
    gather holders.devices 15 open_devices
    holder_pids
    gather holders.groups 5 holder_groups
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
}

chain_docker() { if have docker; then call docker 10 containers docker; else missing docker; fi; }

chain_podman() { if have podman; then call podman 10 containers podman; else missing podman; fi; }

# ---- the main loop

record() { # SECTION STATUS HUNDREDTHS NOTE
    DONE="$DONE$1 "
    COUNT=$((COUNT + 1))
    printf '#S %s %s %s %s\n' "$1" "$2" "$3" "$4"
}

start() { # CHAIN SECTION...
    name=$1
    shift
    eval "promised_$name=\$* current_$name='' since_$name=$NOW limit_$name=$DEADLINE"
    (
        chain=$name
        exec </dev/null >/dev/null 2>&1
        "chain_$chain"
        say Z "$chain"
    ) &
    eval "pid_$name=$!"
    ALIVE="$ALIVE$name "
}

leave() { # CHAIN
    rest=' '
    for name in $ALIVE; do [ "$name" = "$1" ] || rest="$rest$name "; done
    ALIVE=$rest
}

descendants() { # PID: adds it and its children to TREE
    TREE="$TREE $1"
    for file in /proc/"$1"/task/*/children; do
        children=
        [ ! -r "$file" ] || read -r children 2>/dev/null <"$file"
        for child in $children; do descendants "$child"; done
    done
}

birth() { # PID: BORN, its start time in ticks since the boot, which makes a process id unique
    BORN=
    read -r line 2>/dev/null <"/proc/$1/stat" || return 1
    # shellcheck disable=SC2086 # the fields after the name
    set -- ${line##*) }
    BORN=${20}
}

abandon() { # CHAIN NOTE-OF-THE-CURRENT-CALL NOTE-OF-THE-REST
    eval "current=\$current_$1 promised=\$promised_$1 pid=\$pid_$1 began=\$since_$1"
    leave "$1"
    [ -z "$current" ] || record "$current" - $((NOW - began)) "$2"
    for section in $promised; do
        case $DONE in *" $section "*) ;; *) record "$section" - 0 "$3" ;; esac
    done
    TREE=
    descendants "$pid"
    for pid in $TREE; do
        if birth "$pid"; then
            DOOMED="$DOOMED $pid:$BORN"
            kill -TERM "$pid" 2>/dev/null
        fi
    done
}

tick() {
    clock
    if [ $((NOW - BEGAN)) -ge $((DEADLINE * 100)) ]; then
        for chain in $ALIVE; do
            abandon "$chain" "timed out: the probe's deadline of $DEADLINE s was reached" \
                "skipped: the probe's deadline of $DEADLINE s was reached"
        done
        return
    fi
    for chain in $ALIVE; do
        eval "current=\$current_$chain since=\$since_$chain limit=\$limit_$chain"
        if [ -n "$current" ] && [ $((NOW - since)) -ge $((limit * 100)) ]; then
            abandon "$chain" "timed out after $limit s" "skipped: ${current%%.*} hung"
        fi
    done
}

finish_off() { # what did not end after TERM is killed, and never waited for
    for process in $DOOMED; do
        pid=${process%:*}
        if birth "$pid" && [ "$BORN" = "${process#*:}" ]; then
            read -r command 2>/dev/null <"/proc/$pid/comm"
            echo "$pid $command" >>"$T/out/probe.abandoned"
            kill -KILL "$pid" 2>/dev/null
        fi
    done
    [ ! -e "$T/out/probe.abandoned" ] || record probe.abandoned 0 0 ''
}

workspace() { # T
    for base in /run /dev/shm /tmp; do
        T=$base/ascend-provision-probe.$$
        # shellcheck disable=SC2174
        if mkdir "$T" 2>/dev/null && mkdir "$T/out" "$T/rc" && mkfifo "$T/events"; then return 0; fi
    done
    return 1
}

install_paths() { # INSTALL_PATH, FIRMWARE_PATH
    INSTALL_PATH=/usr/local/Ascend FIRMWARE_PATH=
    if [ -r "$ROOT/etc/ascend_install.info" ]; then
        while IFS='=' read -r key value; do
            case $key in
                Driver_Install_Path_Param) INSTALL_PATH=${value%/} ;;
                Firmware_Install_Path_Param) FIRMWARE_PATH=${value%/} ;;
            esac
        done <"$ROOT/etc/ascend_install.info"
    fi
    FIRMWARE_PATH=${FIRMWARE_PATH:-$INSTALL_PATH}
}

probe() {
    set -u
    umask 077
    LC_ALL=C
    PATH=${PATH:-/usr/bin}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
    export LC_ALL PATH
    NL='
'
    DEADLINE=${1:-60} LIMIT=${2:-60} ROOT=${PROBE_ROOT:-} CAP=65536
    DONE=' ' ALIVE=' ' DOOMED='' COUNT=0
    clock
    BEGAN=$NOW
    echo '#ascend-provision-probe 1'
    if ! workspace; then
        echo '#S probe - 0 no directory to work in: /run, /dev/shm and /tmp refuse a new one'
        return 1
    fi
    trap 'rm -rf "$T"' EXIT
    trap 'exit 129' HUP INT TERM
    exec 3<>"$T/events"
    install_paths
    (
        exec </dev/null >/dev/null 2>&1
        while sleep 1 && kill -0 $$; do say T; done
    ) &
    ticker=$!
    start npu_smi npu-smi.info npu-smi.list npu-smi.map
    start upgrade_tool upgrade-tool.status upgrade-tool.version
    start hccn_tool hccn_tool
    start holders holders.devices holders.groups systemctl getent.holders holders.commands
    start docker docker
    start podman podman
    start environments environments
    start modules lsmod modules.files modinfo
    start stack driver.version firmware.version cann leftovers
    start host host os-release install-info cann.record hccn.conf own.lease own.token own.record own.quarantined own.smoke \
        own.units own.containers own.state pci tools boot.loader
    start env env.files env.sources kept.stat kept.sha256 install.log rank.tables
    start users getent.passwd getent.group
    start pythons pythons
    start mpi mpi.places mpirun
    start grubby grubby
    start disks disks
    while [ "$ALIVE" != ' ' ]; do
        read -r event chain section status spent note <&3 || break
        case $event$ALIVE in
            T*) tick ;;
            B*" $chain "*)
                clock
                eval "current_$chain=\$section since_$chain=$NOW limit_$chain=\$status"
                ;;
            E*" $chain "*)
                eval "current_$chain="
                record "$section" "$status" "$spent" "$note"
                ;;
            P*" $chain "*) eval "promised_$chain=\"\$promised_$chain \$section \$status \$spent \$note\"" ;;
            Z*" $chain "*) leave "$chain" ;;
        esac
    done
    kill "$ticker" 2>/dev/null
    finish_off
    cd "$T/out" || return 1
    wc -c ./* >../sizes
    awk -v "cap=$CAP" '
        FILENAME == "../sizes" { if ($1 > cap && $2 != "total") print "#C " substr($2, 3); next }
        FNR == 1 { print "@" substr(FILENAME, 3) }
        { gsub(/\r/, " "); print "|" $0 }' ../sizes ./* </dev/null
    clock
    echo "#E $COUNT $((NOW - BEGAN))"
}

probe "$@"
