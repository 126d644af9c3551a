# Taking a driver off the host: for --uninstall, for script/uninstall.sh and as first half of an overwrite.
# Sets HOT_RESET: scan_success (the devices are free, at once), unknown (reboot needed), ko_abort (modules stay).
# Needs FORCE. Documented: the refusal, the three endings and their words; captured: the log lines.
# shellcheck shell=sh

occupied() {
    out "[ERROR]${RED}The davinci nodes are occupied by some processes, please stop processes and install or uninstall again, details in : /var/log/ascend_seclog/ascend_install.log $PLAIN"
    log "[ERROR]The davinci nodes are occupied by some processes, please stop processes and install or uninstall again."
    out "[INFO]If you want to install or uninstall the driver forcibly, add the force parameter. For details, see [--help]."
    operation "${OPERATION:-Install}" failed
    end_log 1
}

# Who holds the devices: one log line a holder, in the two captured forms.
check_holders() {
    holders=$(lab_open_nodes)
    [ -n "$holders" ] || return 0
    printf '%s\n' "$holders" | while read -r pid node; do
        if grep -q 'docker' "$LAB_PROC/$pid/cgroup" 2>/dev/null; then
            log "[WARNING]/dev/$node has used by docker"
        else
            log "[WARNING]proc:/dev/$node has user process: $pid"
        fi
    done
    return 1
}

# Which devices can be reset under a running system is not published for these products. Assumed: A2, A3 and 310P can,
# A1 (910) cannot; the only captured uninstall, of an A1 with --force, ended in "Reboot needed".
hot_reset() {
    HOT_RESET=unknown
    if [ ! -s "$LAB_RUN/modules" ]; then
        HOT_RESET=scan_success
        return
    fi
    log "[INFO]try hot reset device"
    if [ "$FORCE" = y ]; then
        log "[INFO]user process exist, no hot reset"
    elif lab_fault module-busy; then
        HOT_RESET=ko_abort
    elif [ "$(hw FAMILY)" != A1 ]; then
        if (lab_driver_unload); then HOT_RESET=scan_success; else HOT_RESET=ko_abort; fi
    fi
    log "[INFO]hotreset_status:$HOT_RESET"
}

remove_modules() {
    kernel=$(worn_kernel)
    if [ -d "$R/var/lib/dkms/davinci_ascend" ] && have dkms; then
        host_tool dkms remove -m davinci_ascend -v 1.0 --all >>"$LOG_FILE" 2>&1 || :
        log "[INFO]dkms clear success"
    else
        log "[INFO]no dkms, clear success"
    fi
    rm -rf "$R/usr/src/davinci_ascend-1.0"
    awk '{ print $1 }' "$LAB_HW/modules" | while read -r module; do log "[INFO]rm $module.ko"; done
    for dir in "$R"/lib/modules/*/updates; do
        [ -d "$dir" ] || continue
        kernel=${dir%/updates}
        (lab_ko_remove "${kernel##*/}")
        awk '{ print $1 }' "$LAB_HW/modules" | while read -r module; do rm -f "$dir/dkms/$module.ko"; done
        rmdir "$dir/dkms" "$dir" 2>/dev/null
    done
    ! have depmod || host_tool depmod -a >/dev/null 2>&1
    log "[INFO]driver auto insmod unload success"
}

remove_driver() {
    old_path=$(recorded Driver_Install_Path_Param)
    if [ "$FORCE" = n ] && [ -s "$LAB_RUN/modules" ]; then check_holders || occupied; fi
    rm -f "$R$old_path/driver/version.info"
    log "[INFO]rm -rf version.info success"
    TAG_BEFORE=$TAG TAG=Server
    log "[INFO]server unload start..."
    rm -f "$R/etc/init.d/host_sys_init.sh"
    for tool in npu-smi hccn_tool upgrade-tool; do rm -f "$R/usr/local/bin/$tool" "$R/usr/local/sbin/$tool"; done
    log "[INFO]run bin unset success"
    log "[INFO]server unload end..."
    TAG=$TAG_BEFORE
    log "[INFO]target path : $old_path"
    remove_modules
    hot_reset
    pause 15
    rm -rf "$R$old_path/driver"
    log "[INFO]rm -rf $old_path/driver success"
    rm -f "$R/lib/davinci.conf"
    log "[INFO]remove /lib/davinci.conf success"
    log "[INFO]uninstall driver success"
}

# Only an uninstall forgets the path; /usr/local/Ascend goes when it is empty (documented).
forget_driver() {
    forget Driver
    rmdir "$R$old_path" 2>/dev/null || :
}

uninstalled_message() {
    case $HOT_RESET in
        scan_success)
            out "[INFO]${GREEN}Driver package uninstalled successfully! Uninstallation takes effect immediately. $PLAIN"
            ;;
        ko_abort)
            out "[INFO]${GREEN}Driver package uninstalled finished! $PLAIN"
            out "[WARNING]${YELLOW}Kernel modules can not be removed, reboot needed for uninstallation to take effect! $PLAIN"
            ;;
        *)
            out "[INFO]${GREEN}Driver package uninstalled successfully! ${PLAIN}${RED}Reboot needed for uninstallation to take effect! $PLAIN"
            ;;
    esac
}
