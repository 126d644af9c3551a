# The machine: boot, kernel, PCI, tools, Pythons, accounts, kernel modules.

host() {
    echo "uid=$(id -u)"
    for pair in boot_id=/proc/sys/kernel/random/boot_id hostname=/proc/sys/kernel/hostname pid1=/proc/1/stat; do
        line=
        read -r line 2>/dev/null <"$ROOT${pair#*=}"
        echo "${pair%%=*}=$line"
    done
    for pair in version=/proc/version sig_enforce=/sys/module/module/parameters/sig_enforce \
        lockdown=/sys/kernel/security/lockdown; do
        if read -r line 2>/dev/null <"$ROOT${pair#*=}"; then echo "${pair%%=*}=$line"; fi
    done
    # not by the shell, which reads byte by byte: these two give only their first byte then
    awk '{ name = FILENAME; sub(/.*\//, "", name); print name "=" $0 }' "$ROOT/proc/sys/net/ipv4/ip_local_port_range" \
        "$ROOT/proc/sys/net/ipv4/ip_local_reserved_ports"
    grep '^btime ' "$ROOT/proc/stat"
    echo "now=$(date +%s)"
    release=$(uname -r)
    echo "release=$release"
    echo "machine=$(uname -m)"
    if [ -e "$ROOT/lib/modules/$release/build" ]; then echo headers=yes; else echo headers=no; fi
    for dir in "$ROOT"/usr/src/kernels/* "$ROOT"/usr/src/linux-headers-*; do
        if [ -d "$dir" ] && plain "$dir"; then echo "headers_of=${dir##*/}"; fi
    done
    if [ -d "$ROOT$INSTALL_PATH/opp/aicpu" ]; then echo aicpu=yes; else echo aicpu=no; fi
    for file in "$ROOT"/etc/modprobe.d/10-unsupported-modules.conf "$ROOT"/lib/modprobe.d/10-unsupported-modules.conf; do
        [ -r "$file" ] || continue
        while read -r key value _; do
            [ "$key" != allow_unsupported_modules ] || echo "unsupported_modules=$value"
        done <"$file"
        break
    done
    if [ -e "$ROOT/etc/os-release" ]; then echo os_release=yes; else echo os_release=no; fi
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

device_nodes() {
    set --
    for node in "$ROOT"/dev/davinci* "$ROOT"/dev/vdavinci* "$ROOT"/dev/devmm_svm "$ROOT"/dev/hisi_hdc; do
        if [ -e "$node" ] && plain "$node"; then set -- "$@" "$node"; fi
    done
    [ $# -eq 0 ] || ls -ldn "$@"
}

mounts() { # what lies over the places where packages unpack and install: "POINT TYPE OPTIONS"
    awk '$2 ~ /^\/((tmp|var|var\/tmp|usr|usr\/local|usr\/local\/Ascend|root|home|boot)?)$/ { print $2, $3, $4 }' \
        "$ROOT/proc/mounts"
}

# the driver's accounts, and whose the ids are that container images expect
ACCOUNTS='HwHiAiUser HwDmUser HwBaseUser 1000'

users_by_file() { grep -E '^((HwHiAiUser|HwDmUser|HwBaseUser):|[^:]*:[^:]*:1000:)' "$ROOT/etc/$1"; }

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

dkms_tree() { # what it built, and the first error of the last build that failed
    for dir in "$ROOT"/var/lib/dkms/davinci_ascend/*/*/*/module; do
        if [ -d "$dir" ] && plain "$dir"; then dir=${dir%/*/module} && echo "built ${dir##*/}"; fi
    done
    for log in "$ROOT"/var/lib/dkms/davinci_ascend/*/build/make.log; do
        [ -r "$log" ] || continue
        awk 'FNR == 1 { print "log " $0 }
             /(^|[^a-z])(error|Error|ERROR)[: ]/ { print "error " substr($0, 1, 300); exit }' "$log"
    done
    return 0
}

enforced() { # does the kernel refuse modules that nobody signed?
    for file in /sys/module/module/parameters/sig_enforce /sys/kernel/security/lockdown; do
        line=
        read -r line 2>/dev/null <"$ROOT$file"
        case $line in Y | *'[integrity]'* | *'[confidentiality]'*) return 0 ;; esac
    done
    return 1
}

signer() { # of the first module file: a driver build is signed or not as a whole
    read -r file <"$T/out/modules.files" || return 1
    modinfo -F signer "$ROOT$file"
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
