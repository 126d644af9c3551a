#!/bin/sh
# Kernels (operator binaries) installer of the lab. Captured: the lines of a good run (8.0.0). Like the real
# one it does not look at the host's chips, because it may be installed where there are none (inferred).
here=$(cd "$(dirname "$0")" && pwd)
. "$here/package.conf"
. "$here/shared/host.sh"
. "$here/shared/cann.sh"

install_kernels() {
    rm -rf "$R$OPP_KERNEL"
    mkdir -p "$R$OPP_KERNEL/script/shared"
    cp -R "$here/tree/." "$R$OPP_KERNEL/"
    cp "$here/version.info" "$R$OPP_KERNEL/version.info"
    cp "$here/uninstall.sh" "$here/package.conf" "$R$OPP_KERNEL/script/"
    cp "$here/shared/host.sh" "$here/shared/cann.sh" "$R$OPP_KERNEL/script/shared/"
    chmod 755 "$R$OPP_KERNEL/script/uninstall.sh"
    ln -sfn "../$CANN_VERSION/opp_kernel" "$R$BASE/ascend-toolkit/latest/opp_kernel"
}

TAG=kernels_$CHIP
parse_cann_options "$@"
check_arch
[ "$CHECK" = n ] || exit 0
take_lock || die "There is already a process being executed,please do not execute multiple tasks at the same time"
open_log "kernels_$CHIP"
pick_base
OPP_KERNEL=$BASE/ascend-toolkit/$CANN_VERSION/opp_kernel
if [ "$TYPE" = uninstall ]; then
    [ -x "$R$OPP_KERNEL/script/uninstall.sh" ] || die "$PACKAGE_NAME is not installed in $BASE/ascend-toolkit"
    rm -rf "$LOCK"
    exec sh "$R$OPP_KERNEL/script/uninstall.sh"
fi
# Documented order: kernels come after the toolkit; the words are assumed.
[ -d "$R$BASE/ascend-toolkit/$CANN_VERSION/opp" ] ||
    die "Ascend-cann-toolkit $CANN_VERSION is not installed in $BASE/ascend-toolkit, please install it first."
check_cann_space
if exits_1 kernels; then
    die "$KERNEL_RUN --devel --quiet --nox11$FOR_ALL install failed"
fi
pause 50
install_kernels
pause 50
say INFO "$KERNEL_RUN --devel --quiet --nox11$FOR_ALL install success"
say INFO "$PACKAGE_NAME install success. The installation path is $BASE/ascend-toolkit."
exit 0
