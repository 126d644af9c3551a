#!/bin/sh
# <install path>/driver/script/uninstall.sh. Options --quiet and --force (documented). Exit 0 for all three
# endings, 1 when it refuses or fails.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/package.conf"
. "$here/shared/host.sh"
. "$here/shared/say.sh"
. "$here/shared/record.sh"
. "$here/remove.sh"
TAG=Driver
OPERATION=Uninstall
ALL_OPTIONS=$*
FORCE=n
AP_RUN_FILE=Ascend-driver-$VERSION
open_logs
START_TIME=$(now)
if [ -z "$R" ] && [ "$(id -u)" -ne 0 ]; then
    out "[ERROR]ERR_NO:0x0093;ERR_DES:do not have root permission, operation failed, please use root permission!"
    exit 1
fi
for option; do
    case $option in
        --quiet) ;;
        --force) FORCE=y ;;
        *)
            out "[ERROR]ERR_NO:0x0004;ERR_DES:Unrecognized parameters: $option"
            exit 1
            ;;
    esac
done
take_lock || fail "ERR_NO:0x0094;ERR_DES:There is already a process being executed,please do not execute multiple tasks at the same time"
[ -n "$(recorded Driver_Install_Path_Param)" ] ||
    fail "ERR_NO:0x0080;ERR_DES:Driver package is not installed on this device, uninstall failed"
cd /
remove_driver
forget_driver
uninstalled_message
operation Uninstall success
exit 0
