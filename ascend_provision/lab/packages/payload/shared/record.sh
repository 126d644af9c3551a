# /etc/ascend_install.info: KEY=VALUE lines of driver and firmware. Captured; a value that is written again
# moves to the end and the file goes when no *_Install_Path_Param is left (documented, vendor source).
# shellcheck shell=sh

INSTALL_INFO=$R/etc/ascend_install.info

recorded() { sed -n "s/^$1=//p" "$INSTALL_INFO" 2>/dev/null | tail -n 1; }

record() {
    if [ ! -f "$INSTALL_INFO" ]; then
        : >"$INSTALL_INFO"
        chmod 644 "$INSTALL_INFO"
    fi
    sed -i "/^$1=/d" "$INSTALL_INFO"
    printf '%s=%s\n' "$1" "$2" >>"$INSTALL_INFO"
}

# keep_record KEY VALUE: only when it is not there.
keep_record() { [ -n "$(recorded "$1")" ] || record "$1" "$2"; }

# forget PREFIX: drop the package's lines.
forget() {
    [ -f "$INSTALL_INFO" ] || return 0
    sed -i "/^$1_Install_/d" "$INSTALL_INFO"
    grep -q '_Install_Path_Param=' "$INSTALL_INFO" || rm -f "$INSTALL_INFO"
}

# file_value FILE KEY: from a version.info.
file_value() { sed -n "s/^$2=//p" "$1" 2>/dev/null | head -n 1; }
