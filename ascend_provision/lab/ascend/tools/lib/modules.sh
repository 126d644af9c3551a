# The host driver's kernel modules: files under /lib/modules/<kernel>/updates, what is loaded, device nodes.
# Needs lib/state.sh. Module names are captured (install log of a 910B host), sizes and dependencies assumed.
#
# A simulated .ko is a text file: name=, driver= (version of the package), vermagic=, size=, depends=.

lab_ko_dir() {
    LAB_KO_DIR=${LAB_ROOT:-}/lib/modules/$1/updates
}

# lab_ko_write DRIVER_VERSION KERNEL: what a driver package puts on the disk. Documented path: updates/.
lab_ko_write() {
    lab_ko_dir "$2"
    mkdir -p "$LAB_KO_DIR" || return 1
    while read -r name size depends; do
        [ "$depends" != - ] || depends=
        printf 'name=%s\ndriver=%s\nvermagic=%s SMP mod_unload modversions\nsize=%s\ndepends=%s\n' \
            "$name" "$1" "$2" "$size" "$depends" > "$LAB_KO_DIR/$name.ko" || return 1
    done < "$LAB_HW/modules"
}

# lab_ko_remove KERNEL: removes the driver's .ko files, and nothing else, from the disk.
lab_ko_remove() {
    lab_ko_dir "$1"
    while read -r name _; do
        rm -f "$LAB_KO_DIR/$name.ko"
    done < "$LAB_HW/modules"
    rmdir "$LAB_KO_DIR" 2> /dev/null || :
}

# lab_ko_field FILE KEY
lab_ko_field() {
    sed -n "s/^$2=//p" "$1"
}

# lab_ko_read FILE: its fields in $KO_NAME, $KO_DRIVER, $KO_MAGIC, $KO_SIZE, $KO_DEPENDS. No process is started: a
# boot reads every module.
lab_ko_read() {
    KO_NAME='' KO_DRIVER='' KO_MAGIC='' KO_SIZE=0 KO_DEPENDS=''
    while IFS='=' read -r key value; do
        case $key in
            name) KO_NAME=$value ;;
            driver) KO_DRIVER=$value ;;
            vermagic) KO_MAGIC=$value ;;
            size) KO_SIZE=$value ;;
            depends) KO_DEPENDS=$value ;;
        esac
    done < "$1"
}

# lab_ko_find NAME: path of a module of the running kernel in $KO.
lab_ko_find() {
    lab_kernel
    lab_ko_dir "$LAB_KERNEL"
    for KO in "$LAB_KO_DIR/$1.ko" "$LAB_KO_DIR/dkms/$1.ko"; do
        [ -f "$KO" ] && return 0
    done
    return 1
}

lab_loaded() {
    [ -s "$LAB_RUN/modules" ] || return 1
    while read -r loaded _; do
        [ "$loaded" != "$1" ] || return 0
    done < "$LAB_RUN/modules"
    return 1
}

# lab_ko_insert FILE: loads one module whose dependencies are loaded.
# 1 = wrong kernel ("Invalid module format"), 2 = a dependency is missing ("Unknown symbol in module").
lab_ko_insert() {
    lab_ko_read "$1"
    lab_loaded "$KO_NAME" && return 0
    lab_kernel
    if [ "${KO_MAGIC%% *}" != "$LAB_KERNEL" ]; then
        lab_log "$KO_NAME: version magic '$KO_MAGIC' should be '$LAB_KERNEL SMP mod_unload modversions'"
        return 1
    fi
    rest=$KO_DEPENDS,
    while [ -n "${rest%,}" ]; do
        lab_loaded "${rest%%,*}" || return 2
        rest=${rest#*,}
    done
    [ -d "$LAB_RUN" ] || mkdir -p "$LAB_RUN"
    printf '%s %s %s\n' "$KO_NAME" "$KO_SIZE" "$KO_DEPENDS" >> "$LAB_RUN/modules"
    case $KO_NAME in
        drv_pcie_host)
            printf '%s\n' "$KO_DRIVER" > "$LAB_RUN/driver"
            lab_log_probe
            ;;
        drv_davinci_intf_host) lab_nodes_link ;;
    esac
    return 0
}

# lab_ko_delete NAME: unloads one module. 1 = in use.
lab_ko_delete() {
    lab_ko_busy "$1" && return 1
    grep -v "^$1 " "$LAB_RUN/modules" > "$LAB_RUN/modules.new" || :
    mv "$LAB_RUN/modules.new" "$LAB_RUN/modules"
    case $1 in
        drv_davinci_intf_host) lab_nodes_unlink ;;
        drv_pcie_host) rm -f "$LAB_RUN/driver" ;;
    esac
    return 0
}

# lab_ko_users NAME: loaded modules that build on NAME, comma separated, in $USERS.
lab_ko_users() {
    USERS=$(awk -v want="$1" '
        { n = split($3, d, ","); for (i = 1; i <= n; i++) if (d[i] == want) u = u (u ? "," : "") $1 }
        END { print u }' "$LAB_RUN/modules" 2> /dev/null)
}

# lab_ko_busy NAME: true when NAME cannot be unloaded; $USERS names the modules, empty = held by processes
# (or by the fault module-busy). Assumed: the reference of an open device blocks the whole driver.
lab_ko_busy() {
    lab_ko_users "$1"
    [ -z "$USERS" ] || return 0
    lab_fault module-busy && return 0
    [ -n "$(lab_open_nodes)" ]
}

# lab_open_nodes: one line "pid node" for each process that has a node of the driver open.
lab_open_nodes() {
    find "$LAB_PROC"/[0-9]*/fd -maxdepth 1 \( -lname "$LAB_DEV/davinci*" -o -lname "$LAB_DEV/devmm_svm*" \
        -o -lname "$LAB_DEV/hisi_hdc*" \) -printf '%h %l\n' 2> /dev/null |
        sed -n "s#^.*/\([0-9]*\)/fd $LAB_DEV/\([a-z_]*[0-9]*\).*#\1 \2#p" | sort -u -k1,1n -k2,2
}

# lab_driver_load: load every module of the running kernel, as at boot or after an install that took effect.
# 1 = no module for this kernel.
lab_driver_load() {
    bad=0
    lab_ko_find drv_pcie_host || return 1
    while read -r name _; do
        if lab_ko_find "$name"; then lab_ko_insert "$KO" || bad=1; else bad=1; fi
    done < "$LAB_HW/modules"
    return $bad
}

# lab_driver_unload: unload every module. 1 = something still holds the driver, which then stays whole.
lab_driver_unload() {
    [ -s "$LAB_RUN/modules" ] || return 0
    lab_fault module-busy && return 1
    [ -z "$(lab_open_nodes)" ] || return 1
    lab_nodes_unlink
    rm -f "$LAB_RUN/modules" "$LAB_RUN/driver"
    lab_log "[ascend] [drv_pcie] [INFO] Rmmod host driver."
}

# lab_chip_lost LOGIC_ID: true for a chip that did not come up at this boot.
lab_chip_lost() {
    [ -s "$LAB_RUN/lost" ] && grep -qx "$1" "$LAB_RUN/lost"
}

# lab_node_names: the nodes of the driver's chips that came up at this boot.
lab_node_names() {
    while read -r _ _ logic _; do
        lab_chip_lost "$logic" || echo "davinci$logic"
    done < "$LAB_HW/chips"
    printf 'davinci_manager\ndevmm_svm\nhisi_hdc\n'
}

# lab_nodes_link: the hidden nodes of this boot become /dev/davinci*. Captured: crw-rw---- of the install user.
lab_nodes_link() {
    owner=$(sed -n 's/^UserName=//p' "${LAB_ROOT:-}/etc/ascend_install.info" 2> /dev/null)
    group=$(sed -n 's/^UserGroup=//p' "${LAB_ROOT:-}/etc/ascend_install.info" 2> /dev/null)
    made=
    for node in $(lab_node_names); do
        [ ! -e "$LAB_DEV/.lab/$node" ] || made="$made $LAB_DEV/.lab/$node"
    done
    [ -n "$made" ] || return 0
    # shellcheck disable=SC2086 # names without blanks
    chmod 0660 $made
    # shellcheck disable=SC2086
    chown "${owner:-HwHiAiUser}:${group:-HwHiAiUser}" $made 2> /dev/null || :
    # shellcheck disable=SC2086
    ln -f $made "$LAB_DEV"
}

lab_nodes_unlink() {
    rm -f "$LAB_DEV"/davinci[0-9] "$LAB_DEV"/davinci[0-9][0-9] "$LAB_DEV/davinci_manager" \
        "$LAB_DEV/devmm_svm" "$LAB_DEV/hisi_hdc"
}

# lab_log_probe: kernel log of a driver that finds its chips. Captured: kernel log of a 910B host, 2025.
lab_log_probe() {
    lab_profile
    count=$(lab_node_names | grep -c 'davinci[0-9]')
    lab_log "[ascend] [drv_pcie] [INFO] Insmod host driver. (type=\"normal\", product=\"dc\", driver_name=\"devdrv_device_driver\")"
    lab_log "[ascend] [drv_pcie] [INFO] Findout total device. (dev_num=$count)"
    while read -r _ _ logic _ bus _; do
        lab_chip_lost "$logic" && continue
        [ "$bus" != "${enabled:-}" ] || continue # one function carries all chips of some cards
        enabled=$bus
        lab_log "devdrv_device_driver $bus: enabling device (0000 -> 0002)"
        lab_log "[ascend] [drv_pcie] [INFO] Probe driver OUT. (device=${PCI_DEVICE#0x}; davinci_dev_num=$count; bdf=${bus#*:})"
    done < "$LAB_HW/chips"
}
