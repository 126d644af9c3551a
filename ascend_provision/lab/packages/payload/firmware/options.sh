# Options of the firmware package. Documented: guides and transcripts show --full, --upgrade, --check,
# --uninstall, --quiet; that --install-for-all and the user options are no options here is assumed.
# shellcheck shell=sh disable=SC2034

wrong_use() {
    start_log "$ALL_OPTIONS"
    [ -z "$1" ] || both "[ERROR]$1"
    both "[ERROR]Please input the right params and try again, see [--help]."
    end_log 1
}

one_type() {
    [ -z "$TYPE" ] || wrong_use "ERR_NO:0x0004;ERR_DES:only support one type: full/upgrade/uninstall, operation failed!"
    TYPE=$1
}

parse_options() {
    TYPE='' UPGRADE=n QUIET=n CHECK=n SHOW_VERSION=n INSTALL_PATH='' OPERATION=Install
    [ $# -gt 0 ] || wrong_use ""
    for option; do
        case $option in
            --full | --run) one_type full ;;
            --upgrade) one_type full; UPGRADE=y OPERATION=Upgrade ;;
            --uninstall) one_type uninstall; OPERATION=Uninstall ;;
            --quiet) QUIET=y ;;
            --force) ;;
            --check) CHECK=y ;;
            --version) SHOW_VERSION=y ;;
            --install-path=?*) INSTALL_PATH=${option#*=} ;;
            --help)
                printf 'Installer options of %s:\n' "$PACKAGE_FILE"
                printf '  --full | --upgrade | --uninstall | --check | --version | --quiet | --force | --install-path=<path>\n'
                exit 0
                ;;
            *) wrong_use "ERR_NO:0x0004;ERR_DES:Unrecognized parameters: $option" ;;
        esac
    done
    [ -n "$TYPE" ] || [ "$CHECK$SHOW_VERSION" != nn ] ||
        wrong_use "ERR_NO:0x0004;ERR_DES:The parameter needs to be used with full/upgrade/uninstall."
}
