#!/bin/sh
# <version directory>/<arch>-linux/script/ops_uninstall.sh. Captured (a published copy): the record and this script go
# first, then the version directory's own ops_uninstall.sh runs, then links without a target go; the lines have the form
# "[ops_910b] [2026-01-31 10:00:00] [INFO]: text".
here=$(cd "$(dirname "$0")" && pwd)
. "$here/ops_shared/package.conf"
. "$here/ops_shared/host.sh"
. "$here/ops_shared/cann.sh"
TAG=$SHORT_NAME
say() {
    printf '[%s] [%s] [%s]: %s\n' "$TAG" "$(date '+%Y-%m-%d %H:%M:%S')" "$1" "$2" | tee -a "$LOG_FILE"
}
take_lock || die "There is already a process being executed,please do not execute multiple tasks at the same time"
open_log "$SHORT_NAME"
home=$(cd "$here/../.." && pwd)
cd /
[ -x "$home/ops_uninstall.sh" ] || die "ops_uninstall.sh file not found"
rm -f "$home/$ARCH-linux/ascend_ops_install.info" "$here/ops_uninstall.sh"
pause 30
sh "$home/ops_uninstall.sh" | tee -a "$LOG_FILE"
rm -rf "$here/ops_shared"
rmdir "$here" "$home/$ARCH-linux" "$home" 2>/dev/null
drop_cann_links "$(dirname "$home")"
say INFO "$SHORT_NAME uninstall success"
exit 0
