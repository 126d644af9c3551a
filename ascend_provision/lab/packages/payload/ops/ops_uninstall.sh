#!/bin/sh
# <version directory>/ops_uninstall.sh: removes the operator binaries and itself. Called by the script of the same name
# below <arch>-linux/script; called alone it leaves the record behind (captured).
home=$(cd "$(dirname "$0")" && pwd)
rm -rf "$home/opp/built-in"
rmdir "$home/opp" 2>/dev/null
rm -f "$home/ops_uninstall.sh"
exit 0
