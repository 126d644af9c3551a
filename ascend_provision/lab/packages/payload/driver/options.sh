# Options of the driver package and what may stand together. Documented: vendor source args_parse.sh.
# shellcheck shell=sh disable=SC2034

wrong_use() {
    start_log "$ALL_OPTIONS"
    [ -z "$1" ] || both "[ERROR]$1"
    both "[ERROR]Please input the right params and try again, see [--help]."
    end_log 1
}

one_type() {
    [ -z "$TYPE" ] || wrong_use "ERR_NO:0x0004;ERR_DES:only support one type: full/debug/run/docker/devel, operation failed!"
    TYPE=$1
}

usage() {
    cat <<EOT
Installer options of $PACKAGE_FILE:
  --full | --run | --devel | --docker   kind of installation
  --upgrade                             over the installed version, same kind
  --uninstall                           remove the installed version
  --install-path=<path>                 default /usr/local/Ascend
  --install-username=<user> --install-usergroup=<group>
  --install-for-all                     readable by every user
  --quiet                               ask nothing
  --force                               although devices are in use; takes effect after a reboot
  --check --version                     alone: check the package, print its version
EOT
}

parse_options() {
    TYPE='' UPGRADE=n QUIET=n FORCE=n CHECK=n SHOW_VERSION=n FOR_ALL=no
    INSTALL_PATH='' USER_GIVEN='' GROUP_GIVEN='' OPERATION=Install
    counted=0
    [ $# -gt 0 ] || wrong_use ""
    for option; do
        counted=$((counted + 1))
        case $option in
            --full | --run | --devel | --docker) one_type "${option#--}" ;;
            --upgrade) one_type full; UPGRADE=y OPERATION=Upgrade ;;
            --uninstall) one_type uninstall ;;
            --quiet) QUIET=y ;;
            --force) FORCE=y ;;
            --check) CHECK=y ;;
            --version) SHOW_VERSION=y ;;
            --install-for-all) FOR_ALL=yes; counted=$((counted - 1)) ;;
            --install-path=?*) INSTALL_PATH=${option#*=} ;;
            --install-path=) wrong_use "ERR_NO:0x0003;ERR_DES:install path is null, install failed" ;;
            --install-username=*) USER_GIVEN=${option#*=} ;;
            --install-usergroup=*) GROUP_GIVEN=${option#*=} ;;
            --norebuild) ;;
            --help) usage; exit 0 ;;
            *) wrong_use "ERR_NO:0x0004;ERR_DES:Unrecognized parameters: $option" ;;
        esac
    done
}

# Which options may stand together; after the checks of package and host, as the vendor orders it.
check_rules() {
    if [ "$TYPE" = uninstall ]; then
        [ "$counted" -eq 1 ] || { [ "$counted" -eq 2 ] && [ "$FORCE" = y ]; } ||
            fail "ERR_NO:0x0004;ERR_DES:uninstall can't use with other parameters except force."
        return
    fi
    if [ "$SHOW_VERSION" = y ] || [ "$CHECK" = y ]; then
        [ "$counted" -eq 1 ] || fail "ERR_NO:0x0004;ERR_DES:version/check can't use with other parameters."
        return
    fi
    [ -n "$TYPE" ] ||
        fail "ERR_NO:0x0004;ERR_DES:The parameter needs to be used with full/debug/run/docker/upgrade/devel."
    if [ "$FOR_ALL" = yes ] && { [ "$UPGRADE" = y ] || [ "$TYPE" = docker ]; }; then
        fail "ERR_NO:0x0004;ERR_DES:install-for-all param need used with full/debug/run/devel."
    fi
    if [ "$UPGRADE" = y ] && [ -n "$INSTALL_PATH" ]; then
        fail "ERR_NO:0x0004;ERR_DES:install-path param need used with full/debug/run/docker/devel."
    fi
    if [ -n "$USER_GIVEN$GROUP_GIVEN" ]; then
        if [ -z "$USER_GIVEN" ] || [ -z "$GROUP_GIVEN" ]; then
            fail "ERR_NO:0x0004;ERR_DES:Username and usergroup are not specified at the same time."
        fi
        [ "$UPGRADE" = n ] ||
            fail "ERR_NO:0x0004;ERR_DES:install-username and install-usergroup params need used with full/debug/run/docker/devel."
    fi
}
