#!/bin/sh
# <version directory>/<arch>-linux/script/uninstall.sh. Place and "... uninstall success" documented;
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
base=$(dirname "$home")
say INFO "uninstall start"
[ -x "$home/cann_uninstall.sh" ] || die "cann_uninstall.sh file not found"
pause 30
sh "$home/cann_uninstall.sh" | tee -a "$LOG_FILE"
cd /

# ops keep their own script beside this one (captured)
leave_script_directory() {
    rm -rf "$here/uninstall.sh" "$here/package.conf" "$here/shipped.txt" "$here/shared"
    [ -e "$here/ops_uninstall.sh" ] || rm -rf "$here"
    rmdir "$home/$ARCH-linux" "$home" 2>/dev/null
}

old_tree() {
    rm -rf "$here"
    rmdir "$home/$ARCH-linux" "$home" 2>/dev/null
    latest=$base/latest
    for name in $COMPONENTS include lib64 bin "$ARCH-linux" tools/hccl_test; do
        if [ -L "$latest/$name" ] && [ ! -e "$latest/$name" ]; then rm -f "$latest/$name"; fi
    done
    # Leftover by design: latest/ops, a link without its target (dangling links are published leftovers; which
    # ones is assumed).
    if [ ! -e "$latest/runtime" ]; then
        rm -f "$latest/version.cfg" "$base/set_env.sh"
        rmdir "$latest/tools" 2>/dev/null
    fi
    rmdir "$latest" "$base" 2>/dev/null
}

case $TREE in
    cann)
        leave_script_directory
        drop_cann_links "$base"
        ;;
    *) old_tree ;;
esac
say INFO "$PACKAGE_NAME uninstall success"
exit 0
