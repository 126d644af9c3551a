#!/bin/sh
# Firmware installer of the lab. Captured: every line of a good run and of the log; the vendor's source is not
# public, so what it refuses, and with which words, is assumed to be as in the driver's.
# Exit: 2 flashed and waiting for a reboot, 1 failed. (0 and 2 both count as success in the vendor's own
# deployer; which one a run ends with is assumed.)
here=$(cd "$(dirname "$0")" && pwd)
. "$here/package.conf"
. "$here/shared/host.sh"
. "$here/shared/say.sh"
. "$here/shared/record.sh"
. "$here/options.sh"
. "$here/remove.sh"
. "$here/flash.sh"

check_host() {
    if [ -z "$R" ] && [ "$(id -u)" -ne 0 ]; then
        out "[ERROR]ERR_NO:0x0093;ERR_DES:do not have root permission, operation failed, please use root permission!"
        exit 1
    fi
    if [ -n "$(hw CHIP)" ] && [ "$(hw CHIP)" != "$CHIP" ]; then
        fail "The current installation package and environment is not match, please check."
    fi
}

# Firmware is written through the driver: it must be installed and loaded. Captured: the firmware of a new
# driver can be written while the old driver's modules still run.
check_driver() {
    [ -f "$R$(recorded Driver_Install_Path_Param)/driver/version.info" ] ||
        fail "ERR_NO:0x0080;ERR_DES:driver is not exists, please install first."
    [ -s "$LAB_RUN/modules" ] ||
        fail "ERR_NO:0x0080;ERR_DES:driver is not loaded, please reboot or install the driver first."
}

check_space() {
    free=$(free_mb "$R$TARGET")
    log "[INFO]freeSpace:${free}M"
    [ "$free" -gt "$NEEDS_MB" ] ||
        fail "free space only ${free}M, cannot install firmware package (greater than ${NEEDS_MB}M), please make sure enough space under the installation path"
}

install_firmware() {
    mkdir -p "$R$TARGET/firmware/script/shared" "$R$TARGET/firmware/image"
    cp -R "$here/tree/." "$R$TARGET/firmware/"
    cp "$here/package.conf" "$here/remove.sh" "$here/uninstall.sh" "$R$TARGET/firmware/script/"
    cp "$here/shared/say.sh" "$here/shared/host.sh" "$here/shared/record.sh" "$R$TARGET/firmware/script/shared/"
    chmod 755 "$R$TARGET/firmware/script/uninstall.sh"
    log "[INFO]mkdir and copy files success"
    keep_record UserName HwHiAiUser
    keep_record UserGroup HwHiAiUser
    record Firmware_Install_Type full
    record Firmware_Install_Path_Param "$TARGET"
    write_flash
    cp "$here/version.info" "$R$TARGET/firmware/version.info"
    chmod 444 "$R$TARGET/firmware/version.info"
}

ALL_OPTIONS=$*
TAG=Firmware
PROGRESS_GAP=' '
open_logs
parse_options "$@"
start_log "$ALL_OPTIONS"
check_host
take_lock || fail "ERR_NO:0x0094;ERR_DES:There is already a process being executed,please do not execute multiple tasks at the same time"
old=$(file_value "$R$(recorded Firmware_Install_Path_Param)/firmware/version.info" Version)
if [ -n "$(recorded Firmware_Install_Path_Param)" ] && [ -n "$old" ]; then both "[INFO]base version is $old."; fi
if [ "$CHECK" = y ]; then
    both "[INFO]driver and firmware version relationship check success"
    end_log 0
fi
if [ "$SHOW_VERSION" = y ]; then
    out "[INFO]firmware version :$VERSION"
    exit 0
fi
if [ "$TYPE" = uninstall ]; then
    [ -n "$(recorded Firmware_Install_Path_Param)" ] ||
        fail "ERR_NO:0x0080;ERR_DES:Firmware package is not installed on this device, uninstall failed"
    remove_firmware
    forget_firmware
    out "[INFO]${GREEN}Firmware package uninstalled successfully! Uninstallation takes effect immediately. $PLAIN"
    operation Uninstall success
    end_log 0
fi
out "[WARNING]${YELLOW}Do not power off or restart the system during the installation/upgrade$PLAIN"
check_driver
recorded_path=$(recorded Firmware_Install_Path_Param)
TARGET=${INSTALL_PATH:-${recorded_path:-$(recorded Driver_Install_Path_Param)}}
check_space
if [ -n "$old" ] && [ "$QUIET" = n ] && [ "$UPGRADE" = n ]; then
    if ! ask "[INFO]Firmware package has been installed on the path $recorded_path, the version is $old, and the version of this package is $VERSION,do you want to continue?  [y/n] "; then
        out "[INFO]installation Stoped!"
        end_log 0
    fi
fi
# Assumed words; like the driver's, this failure comes before anything is changed.
if exits_1 firmware; then
    fail "${RED}Firmware upgrade failed, details in : /var/log/ascend_seclog/ascend_install.log $PLAIN" "firmware upgrade failed"
fi
[ -z "$recorded_path" ] || remove_firmware
install_firmware
word=installed
[ "$UPGRADE" = n ] || word=upgraded
out "[INFO]${GREEN}Firmware package $word successfully! ${RED}Reboot now or after driver installation for the installation/upgrade to take effect. $PLAIN"
operation "$OPERATION" success
end_log 2
