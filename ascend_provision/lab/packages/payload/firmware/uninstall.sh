#!/bin/sh
# <install path>/firmware/script/uninstall.sh. Captured: its two lines.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/package.conf"
. "$here/shared/host.sh"
. "$here/shared/say.sh"
. "$here/shared/record.sh"
. "$here/remove.sh"
TAG=Firmware
OPERATION=Uninstall
ALL_OPTIONS=$*
AP_RUN_FILE=Ascend-firmware-$VERSION
open_logs
START_TIME=$(now)
if [ -z "$R" ] && [ "$(id -u)" -ne 0 ]; then
    out "[ERROR]ERR_NO:0x0093;ERR_DES:do not have root permission, operation failed, please use root permission!"
    exit 1
fi
take_lock || fail "ERR_NO:0x0094;ERR_DES:There is already a process being executed,please do not execute multiple tasks at the same time"
[ -n "$(recorded Firmware_Install_Path_Param)" ] ||
    fail "ERR_NO:0x0080;ERR_DES:Firmware package is not installed on this device, uninstall failed"
cd /
both "[INFO]base version is $VERSION."
remove_firmware
forget_firmware
out "[INFO]${GREEN}Firmware package uninstalled successfully! Uninstallation takes effect immediately. $PLAIN"
operation Uninstall success
exit 0
