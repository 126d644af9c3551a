#!/bin/sh
# <base>/ascend-toolkit/<version>/opp_kernel/script/uninstall.sh. Place and last line documented (CANN 8.0.0
# installation guide).
here=$(cd "$(dirname "$0")" && pwd)
. "$here/package.conf"
. "$here/shared/host.sh"
. "$here/shared/cann.sh"
TAG=kernels_$CHIP
take_lock || die "There is already a process being executed,please do not execute multiple tasks at the same time"
open_log "kernels_$CHIP" >/dev/null
home=$(cd "$here/../.." && pwd)
toolkit=$(dirname "$home")
cd /
rm -rf "$home/opp_kernel"
link=$toolkit/latest/opp_kernel
if [ -L "$link" ] && [ ! -e "$link" ]; then rm -f "$link"; fi
rmdir "$home" "$toolkit/latest" "$toolkit" 2>/dev/null
say INFO "$PACKAGE_NAME uninstall success"
exit 0
