#!/bin/sh
# CANN toolkit installer of the lab. Captured: the lines of a good run (6.3.RC1, 8.0.0), the record (8.0.RC2, 8.5.2), the
# tree's links, version.cfg, install info; assumed where a line says so. Exit: 0 done, 1 failed.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/package.conf"
. "$here/shared/host.sh"
. "$here/shared/cann.sh"
. "$here/tree.sh"
. "$here/tree_$TREE.sh"

# Captured words; the rule (driver's branch in the toolkit's list, or the toolkit's in the driver's) is
# inferred from published version files. With --quiet it only warns and goes on (documented).
check_driver_version() {
    driver=$(driver_path)
    if [ ! -f "$R$driver/version.info" ]; then
        say WARNING "driver and firmware is not exists, please install first."
        return
    fi
    inner=$(file_value "$R$driver/version.info" Innerversion)
    theirs=$(file_value "$R$driver/version.info" compatible_version)
    case "$COMPATIBLE_VERSION" in *"${inner%%SPC*}"*) component_log Runtime "Check version matched!"; return ;; esac
    case "$theirs" in *"${INNER_VERSION%%SPC*}"*) component_log Runtime "Check version matched!"; return ;; esac
    component_log Runtime "Check version does not matched!"
    if [ "$QUIET" = y ]; then
        say WARNING "Check version does not matched!"
        return
    fi
    say WARNING "Check version does not matched, do you want to continue? [y/n]"
    read -r answer && [ "$answer" = y ] || die "installation stopped"
}

# Captured: the words. Which Python versions a level looks for is documented for 8.x only (assumed before);
# that it looks for commands of these names is assumed.
check_python() {
    for name in $(echo "$PYTHON_NAMES" | tr , ' '); do
        have "$name" && return
    done
    die "There is no $PYTHON_NAMES in the current environment !"
}

summary() {
    driver=$(driver_path)
    printf '\n===========\n= Summary =\n===========\n\n'
    if [ -f "$R$driver/version.info" ]; then
        printf 'Driver:   Installed in %s.\n' "$driver"
    else
        printf 'Driver:   Not installed.\n' # assumed
    fi
    printf 'Toolkit:  %s install success, installed in %s.\n\n' "$PACKAGE_NAME" "$BASE"
    printf 'Please make sure that the environment variables have been configured.\n'
    printf -- '-  To take effect for all users, you can add "source %s" to /etc/profile.\n' "$SET_ENV"
    printf -- '-  To take effect for current user, you can exec command below: source %s or add "source %s" to ~/.bashrc.\n' \
        "$SET_ENV" "$SET_ENV"
}

# The package's own --uninstall takes the recorded place (documented).
uninstall() {
    script=$R$HOME_DIR/$ARCH-linux/script/uninstall.sh
    [ -x "$script" ] || die "$PACKAGE_NAME is not installed in $HOME_DIR"
    exec sh "$script"
}

TAG=Toolkit
parse_cann_options "$@"
[ -n "$R" ] || [ "$(id -u)" -eq 0 ] || die "the lab installs CANN as root only"
check_arch
[ "$CHECK" = n ] || exit 0
take_lock || die "There is already a process being executed,please do not execute multiple tasks at the same time"
open_log toolkit
pick_base
HOME_DIR=$(cann_home "$CANN_VERSION")
if [ "$TYPE" = uninstall ]; then
    rm -rf "$LOCK" # the installed script takes it
    uninstall
fi
check_python
check_cann_space
check_driver_version
older=$(installed_homes)
if [ "$TYPE" = upgrade ] && [ -z "$older" ]; then die "no toolkit is installed in $BASE, use --install"; fi
if [ -d "$R$HOME_DIR/$ARCH-linux" ] && [ "$TYPE" = install ] && [ "$QUIET" = n ]; then
    say INFO "$PACKAGE_NAME has been installed in $HOME_DIR, do you want to continue? [y/n]" # assumed
    read -r answer && [ "$answer" = y ] || die "installation stopped"
fi
if exits_1 toolkit; then die "$PACKAGE_NAME install failed, details in $LOG_NAME"; fi # assumed words
say INFO "install start"
say INFO "The installation path is $BASE."
if [ "$TYPE" = upgrade ]; then
    for old_home in $older; do
        LAB_NESTED=1 sh "$R$old_home/$ARCH-linux/script/uninstall.sh" >>"$LOG_FILE" 2>&1 ||
            die "uninstall of $old_home failed"
    done
fi
install_tree
mkdir -p "$R/etc/Ascend"
printf 'Install_Path=%s\nToolkit_InstallPath=%s\n' "$BASE" "$RECORDED_HOME" >"$RECORD"
chmod 644 "$RECORD"
say INFO "Write Toolkit_InstallPath to /etc/Ascend/ascend_cann_install.info."
summary
exit 0
