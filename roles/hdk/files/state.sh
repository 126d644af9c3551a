# One line: what is installed and loaded now. Argument: INSTALL_PATH.
say() { sed -n 's/^Version=//p' "$1/$2/version.info" 2>/dev/null | head -n 1; }
driver=$(say "$1" driver) firmware=$(say "$1" firmware)
if lsmod 2>/dev/null | grep -q '^drv_'; then loaded='driver modules are loaded'; else loaded='no driver module is loaded'; fi
printf 'driver %s, firmware %s installed; %s\n' "${driver:-not}" "${firmware:-not}" "$loaded"
