# What the CANN installers share: log form, record, paths. R, LAB and lab_fault come from host.sh.
# Captured: "[Toolkit] [20230710-22:44:15] [INFO] text" on stdout and in a log of its own.
# shellcheck shell=sh

RECORD=$R/etc/Ascend/ascend_cann_install.info

say() {
    printf '[%s] [%s] [%s] %s\n' "$TAG" "$(date '+%Y%m%d-%H:%M:%S')" "$1" "$2" | tee -a "$LOG_FILE"
}

open_log() { # NAME
    LOG_NAME=/var/log/ascend_seclog/ascend_$1_install.log
    LOG_FILE=$R$LOG_NAME
    [ -d "$R/var/log/ascend_seclog" ] || { mkdir -p "$R/var/log/ascend_seclog" && chmod 750 "$R/var/log/ascend_seclog"; }
    : >>"$LOG_FILE"
    chmod 640 "$LOG_FILE"
    say INFO "LogFile:$LOG_NAME"
}

# component_log NAME TEXT: a component's own line. Captured form, in ascend_install.log.
component_log() {
    printf '[%s] [%s] [INFO]: %s\n' "$1" "$(date '+%Y-%m-%d %H:%M:%S')" "$2" >>"$R/var/log/ascend_seclog/ascend_install.log"
}

die() {
    say ERROR "$1"
    exit 1
}

recorded() { sed -n "s/^$1=//p" "$RECORD" 2>/dev/null | tail -n 1; }

file_value() { sed -n "s/^$2=//p" "$1" 2>/dev/null | head -n 1; }

driver_path() {
    path=$(sed -n 's/^Driver_Install_Path_Param=//p' "$R/etc/ascend_install.info" 2>/dev/null | tail -n 1)
    printf '%s\n' "${path:-/usr/local/Ascend}/driver"
}

# TYPE, QUIET, FOR_ALL, INSTALL_PATH. The options are documented (CANN installation guides); what an unknown
# one prints is assumed.
parse_cann_options() {
    TYPE='' QUIET=n FOR_ALL='' INSTALL_PATH='' CHECK=n
    [ $# -gt 0 ] || wrong_cann_use "no option given"
    for option; do
        case $option in
            --install | --full | --run | --devel) one_cann_type install ;;
            --upgrade) one_cann_type upgrade ;;
            --uninstall) one_cann_type uninstall ;;
            --quiet) QUIET=y ;;
            --install-for-all) FOR_ALL=' --install-for-all' ;;
            --install-path=?*) INSTALL_PATH=${option#*=} ;;
            --check) CHECK=y ;;
            --version) echo "$CANN_VERSION"; exit 0 ;;
            --force | --pylocal | --whitelist=* | --blacklist=* | --feature=* | --chip=*) ;;
            --help)
                printf 'Installer options of %s:\n' "$PACKAGE_FILE"
                printf '  --install | --upgrade | --uninstall | --check | --version\n'
                printf '  --install-path=<path> --install-for-all --quiet\n'
                exit 0
                ;;
            *) wrong_cann_use "Unrecognized parameters: $option" ;;
        esac
    done
    [ -n "$TYPE" ] || [ "$CHECK" = y ] || wrong_cann_use "one of --install, --upgrade, --uninstall is needed"
}

one_cann_type() {
    [ -z "$TYPE" ] || wrong_cann_use "only one of --install, --upgrade, --uninstall can be given"
    TYPE=$1
}

wrong_cann_use() {
    printf '[%s] [%s] [ERROR] %s, see --help\n' "$TAG" "$(date '+%Y%m%d-%H:%M:%S')" "$1"
    exit 1
}

# Documented: once a path is recorded every CANN package goes there, and --install-path is refused. That the
# recorded path itself is let through is assumed.
pick_base() {
    known=$(recorded Install_Path)
    if [ -n "$INSTALL_PATH" ] && [ -n "$known" ] && [ "$INSTALL_PATH" != "$known" ]; then
        die "/etc/Ascend/ascend_cann_install.info exists ! 'install-path' parameter are not supported."
    fi
    BASE=${known:-${INSTALL_PATH:-/usr/local/Ascend}}
    case $BASE in /*) ;; *) die "install-path $BASE is not an absolute path" ;; esac
}

# cann_home VERSION: the directory of one level. Up to 8.3 ascend-toolkit/VERSION, from 8.5 on cann-VERSION (captured).
# The package's own TREE says which; another level's directory is looked for in both.
cann_home() {
    case $TREE in
        cann) printf '%s/cann-%s\n' "$BASE" "$1" ;;
        *) printf '%s/ascend-toolkit/%s\n' "$BASE" "$1" ;;
    esac
}

# Assumed wording, as in the driver package.
check_arch() {
    [ "$ARCH" = any ] || [ "$ARCH" = "$(host_arch)" ] ||
        die "Arch mismatch, src package is $ARCH, cur os is $(host_arch)"
}

check_cann_space() {
    free=$(free_mb "$R$BASE")
    [ "$free" -gt "$NEEDS_MB" ] || die "free space only ${free}M under $BASE, $PACKAGE_NAME needs ${NEEDS_MB}M"
}

# Links whose target is gone, directly below a directory.
drop_dangling() {
    for link in "$1"/*; do
        if [ -L "$link" ] && [ ! -e "$link" ]; then rm -f "$link"; fi
    done
}

# drop_cann_links BASE: what the uninstallers of 8.5 do last: links without a target go, ascend-toolkit when it is empty
# (captured: a published uninstaller of ops).
drop_cann_links() {
    find "$1/cann" "$1/ascend-toolkit/latest" "$1/ascend-toolkit/set_env.sh" -type l ! -exec test -e {} \; -delete 2>/dev/null
    rmdir "$1/ascend-toolkit/latest" "$1/ascend-toolkit" 2>/dev/null
    return 0
}
