#!/bin/sh
# Driver installer of the lab. Order of checks and messages: vendor source (gitcode.com/cann/driver, 2026,
# documented) and captured transcripts; that 22.0.4 to 24.1.0 do the same is assumed.
# Exit: 0 done and running, 2 done but a reboot is needed, 1 failed.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/package.conf"
. "$here/shared/host.sh"
. "$here/shared/say.sh"
. "$here/shared/record.sh"
. "$here/options.sh"
. "$here/checks.sh"
. "$here/remove.sh"
. "$here/build.sh"
. "$here/files.sh"

# done_message WORD: the last line, and with it the exit status. Documented; the first two captured.
done_message() {
    if [ "$HOT_RESET" = success ]; then
        out "[INFO]${GREEN}Driver package $1 successfully! The new version takes effect immediately. $PLAIN"
        return 0
    fi
    if [ "$HOT_RESET" = ko_abort ]; then
        out "[INFO]${GREEN}Driver package $1 finished! $PLAIN"
        out "[WARNING]${YELLOW}Kernel modules can not be removed, reboot needed for installation/upgrade to take effect! $PLAIN"
    else
        out "[INFO]${GREEN}Driver package $1 successfully! ${PLAIN}${RED}Reboot needed for installation/upgrade to take effect! $PLAIN"
    fi
    return 2
}

# install_failed TEXT: what a failed build leaves. Documented: the record stays, the old driver is gone.
install_failed() {
    out "[ERROR]${RED}$1, details in : /var/log/ascend_seclog/ascend_install.log $PLAIN"
    log "[ERROR]$1"
    out "[INFO]Failed to install driver package, please retry after uninstall and reboot!"
    operation "$OPERATION" failed
    end_log 1
}

install_driver() {
    ensure_vnpu_conf
    record_install
    if [ "$TYPE" = docker ] || [ "$TYPE" = devel ]; then
        copy_files
        write_version_info
        HOT_RESET=success
        return
    fi
    pick_build
    out "[INFO]driver install type: $BUILD"
    progress 10
    pause 20
    copy_files
    progress 30
    pause 5
    write_davinci_conf
    progress 40
    install_modules
    pause 40
    run_environment
    progress 90
    settle_etc
    start_devices
    write_version_info
    [ "$WRITES_STATUS" = n ] || record Driver_Install_Status complete
    log "[INFO]add chattr for driver package"
    pause 35
    progress 100
}

ALL_OPTIONS=$*
TAG=Driver
open_logs
parse_options "$@"
start_log "$ALL_OPTIONS"
check_root
check_package
take_lock || fail "ERR_NO:0x0094;ERR_DES:There is already a process being executed,please do not execute multiple tasks at the same time"
base_version
case $TYPE in "" | uninstall) ;; *) both_warning ;; esac
check_rules
case $TYPE in docker | devel) ;; *) check_stopover ;; esac
if [ "$CHECK" = y ]; then
    version_relation
    end_log 0
fi
if [ "$SHOW_VERSION" = y ]; then
    out "[INFO]driver version :$VERSION"
    exit 0
fi
if [ "$TYPE" = uninstall ]; then
    [ -n "$(recorded Driver_Install_Path_Param)" ] ||
        fail "ERR_NO:0x0080;ERR_DES:Driver package is not installed on this device, uninstall failed"
    OPERATION=Uninstall
    remove_driver
    forget_driver
    uninstalled_message
    operation Uninstall success
    end_log 0
fi
check_user
check_path
check_space
case $TYPE in docker | devel) ;; *) check_tools ;; esac
# Documented: a check that fails before the old driver is touched.
if exits_1 driver; then
    fail "${RED}Device_images_crl_check failed, details in : /var/log/ascend_seclog/ascend_install.log $PLAIN" \
        "new device crl check failed, stop upgrade"
fi

word=installed
if [ -n "$(recorded Driver_Install_Path_Param)" ]; then
    word=$( [ "$UPGRADE" = y ] && echo upgraded || echo installed)
    old=$(file_value "$R$(recorded Driver_Install_Path_Param)/driver/version.info" Version)
    version_relation
    if [ -n "$old" ] && [ "$QUIET" = n ] && [ "$UPGRADE" = n ]; then
        if ! ask "[INFO]Driver package has been installed on the path $(recorded Driver_Install_Path_Param), the version is $old, and the version of this package is $VERSION,do you want to continue?  [y/n] "; then
            out "[INFO]installation Stoped!"
            end_log 0
        fi
    fi
    remove_driver
    FIRST_TIME=n
else
    FIRST_TIME=y
    HOT_RESET=unknown
fi
install_driver
done_message "$word"
status=$?
operation "$OPERATION" success
end_log "$status"
