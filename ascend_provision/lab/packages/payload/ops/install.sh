#!/bin/sh
# Installer of the operator binaries from CANN 8.5 on. Captured: the record's name and package_name, the place of its
# scripts; its lines are assumed to be those of kernels. It asks for no toolkit: a published page installs ops first.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/package.conf"
. "$here/shared/host.sh"
. "$here/shared/cann.sh"

install_ops() {
    script=$R$HOME_DIR/$ARCH-linux/script
    mkdir -p "$script/ops_shared"
    cp -R "$here/tree/." "$R$HOME_DIR/"
    sed "s|^path=.*|path=$HOME_DIR/$ARCH-linux|" "$here/install.info" >"$R$HOME_DIR/$ARCH-linux/ascend_ops_install.info"
    cp "$here/uninstall.sh" "$script/ops_uninstall.sh"
    cp "$here/package.conf" "$here/shared/host.sh" "$here/shared/cann.sh" "$script/ops_shared/"
    cp "$here/ops_uninstall.sh" "$R$HOME_DIR/ops_uninstall.sh"
    chmod 755 "$script/ops_uninstall.sh" "$R$HOME_DIR/ops_uninstall.sh"
}

TAG=$SHORT_NAME
parse_cann_options "$@"
check_arch
[ "$CHECK" = n ] || exit 0
take_lock || die "There is already a process being executed,please do not execute multiple tasks at the same time"
open_log "$SHORT_NAME"
pick_base
HOME_DIR=$(cann_home "$CANN_VERSION")
if [ "$TYPE" = uninstall ]; then
    script=$R$HOME_DIR/$ARCH-linux/script/ops_uninstall.sh
    [ -x "$script" ] || die "$PACKAGE_NAME is not installed in $HOME_DIR"
    rm -rf "$LOCK"
    exec sh "$script"
fi
check_cann_space
if exits_1 kernels; then
    die "$PACKAGE_NAME install failed, details in $LOG_NAME"
fi
say INFO "install start"
say INFO "The installation path is $BASE."
pause 50
install_ops
pause 50
say INFO "$PACKAGE_NAME install success. The installation path is $BASE."
exit 0
