#!/bin/sh
# <base>/ascend-toolkit/<version>/<arch>-linux/script/uninstall.sh. Place and "... uninstall success" documented;
# the flow (run cann_uninstall.sh, remove the version directory only when it is empty) is that of a published
# 8.5 script, assumed for older levels. /etc/Ascend/ascend_cann_install.info is left alone.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/package.conf"
. "$here/shared/host.sh"
. "$here/shared/cann.sh"
TAG=Toolkit
[ -n "${LAB_NESTED:-}" ] || take_lock || die "There is already a process being executed,please do not execute multiple tasks at the same time"
open_log toolkit >/dev/null
home=$(cd "$here/../.." && pwd)
toolkit=$(dirname "$home")
say INFO "uninstall start"
[ -x "$home/cann_uninstall.sh" ] || die "cann_uninstall.sh file not found"
pause 30
sh "$home/cann_uninstall.sh" | tee -a "$LOG_FILE"
cd /
rm -rf "$here"
rmdir "$home/$ARCH-linux" "$home" 2>/dev/null
latest=$toolkit/latest
for name in $COMPONENTS include lib64 bin "$ARCH-linux" tools/hccl_test; do
    if [ -L "$latest/$name" ] && [ ! -e "$latest/$name" ]; then rm -f "$latest/$name"; fi
done
# Leftover by design: latest/ops, a link without its target (dangling links are published leftovers; which
# ones is assumed).
if [ ! -e "$latest/runtime" ]; then
    rm -f "$latest/version.cfg" "$toolkit/set_env.sh"
    rmdir "$latest/tools" 2>/dev/null
fi
rmdir "$latest" "$toolkit" 2>/dev/null
say INFO "$PACKAGE_NAME uninstall success"
exit 0
