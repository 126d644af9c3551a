# Remove what uninstallers leave. Argument: ARCHIVE, a directory for logs. Table `items`: kind, path. Status 3: nothing.
# Python chose the items; this is the second look, on the host, right before: each kind has its own narrow list of paths
# and its own condition. What does not fit stays, and is said. Nothing is removed recursively except what an installer
# generates whole (module tree and source, unpacked packages).
archive=$1
changed=0 kept=0
stays() { kept=1 && echo "stays: $2 ($1)"; }
done_() { changed=1 && echo "$1 $2"; }
no_driver() { [ ! -e /usr/local/Ascend/driver/version.info ]; }
no_firmware() { [ ! -e /usr/local/Ascend/firmware/version.info ]; }
no_cann() { # no directory that the record names is there
    sed -n 's/^[A-Za-z_]*Install[A-Za-z_]*[Pp]ath[A-Za-z_]*=//p' "$1" | (while read -r named; do [ ! -e "$named" ] || exit 1; done)
}
owned() { # by an installed package
    { command -v dpkg-query >/dev/null && dpkg-query -S "$1" >/dev/null 2>&1; } ||
        { command -v rpm >/dev/null && rpm -qf "$1" >/dev/null 2>&1; }
}
remove_file() { if owned "$1"; then stays 'a package owns it' "$1"; else rm -f "$1" && done_ removed "$1"; fi; }
remove_tree() {
    if owned "$1"; then stays 'a package owns it' "$1"; elif grep -qF " $1/" /proc/mounts; then stays 'something is mounted in it' "$1"; else
        rm -rf "$1" && done_ removed "$1"
    fi
}
to_archive() {
    target=$archive$1
    [ ! -e "$target" ] || target=$target.$(date +%s)
    (umask 077 && mkdir -p "${target%/*}") && mv "$1" "$target" || { echo "error: $1 could not be moved to $target"; exit 1; }
    done_ archived "$1 as $target"
}

tab=$(printf '\t')
while IFS=$tab read -r kind path; do
    case $path in
    /*/../* | */.. | */./* | *//* | */ | '' | [!/]*) stays 'not a plain absolute path' "$path" && continue ;;
    /usr/local/Ascend | /usr/local | /usr | /etc | /var | /var/log | /root | /home | /tmp) stays 'never removed' "$path" && continue ;;
    esac
    [ -e "$path" ] || [ -L "$path" ] || continue
    parent=$(cd "${path%/*}/" && pwd -P)
    [ "$parent" = "${path%/*}" ] || { stays "its directory is really $parent" "$path" && continue; }
    case $kind:$path in
    dkms-tree:/var/lib/dkms/davinci_ascend | dkms-source:/usr/src/davinci_ascend-*)
        if no_driver; then remove_tree "$path"; else stays 'a driver is installed' "$path"; fi ;;
    unpacked-package:/tmp/selfgz*)
        case ${path#/tmp/selfgz} in '' | *[!0-9]*) stays 'not a name an installer uses' "$path" && continue ;; esac
        if ls -l /proc/[0-9]*/cwd 2>/dev/null | grep -qF -- "-> $path"; then stays 'an installer works in it' "$path"; else remove_tree "$path"; fi ;;
    install-info:/etc/ascend_install.info)
        if no_driver && no_firmware; then remove_file "$path"; else stays 'it names what is installed' "$path"; fi ;;
    cann-install-info:/etc/Ascend/ascend_cann_install.info)
        if no_cann "$path"; then remove_file "$path"; else stays 'it names what is installed' "$path"; fi ;;
    logrotate:/etc/logrotate.d/*[aA]scend* | logrotate:/etc/logrotate.d/HwHiAiUser*)
        if no_driver; then remove_file "$path"; else stays 'a driver is installed' "$path"; fi ;;
    empty-directory:/usr/local/Ascend/* | empty-directory:/etc/Ascend)
        if [ -L "$path" ] || ! rmdir "$path" 2>/dev/null; then stays 'it is not an empty directory' "$path"; else done_ removed "$path"; fi ;;
    dangling-link:/usr/local/Ascend/* | dangling-link:/usr/local/bin/* | dangling-link:/usr/local/sbin/* | dangling-link:/usr/bin/*)
        if [ ! -L "$path" ] || [ -e "$path" ]; then stays 'it leads somewhere' "$path"; else
            case $path:$(readlink "$path") in
            /usr/local/Ascend/* | *Ascend/* | *:*/ascend-toolkit/*) remove_file "$path" ;;
            *) stays 'it never led into an Ascend package' "$path" ;;
            esac
        fi ;;
    check-directory:/root/ascend_check) to_archive "$path" ;;
    install-log:/var/log/ascend_seclog | device-log:/var/log/npu)
        if no_driver; then to_archive "$path"; else stays 'a driver writes to it' "$path"; fi ;;
    *) stays "no rule removes a $kind here" "$path" ;;
    esac
done <"$GUARD_TABLES/items"
[ "$changed" = 1 ] || { [ "$kept" = 1 ] || echo 'nothing is left behind'; exit 3; }
