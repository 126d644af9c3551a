# Put back the listed files where content, mode or owner differ from the backup. Status 3: all as it was.
# Arguments: RUN (empty: the run of the lease), `remove`: listed files that were not there then go away.
place=$GUARD_ROOT/backups/${1:-$GUARD_RUN}
changed=0
[ -f "$place/manifest" ] || { echo "error: there is no backup $place/manifest on this host"; exit 1; }

differs() { # DIGEST MODE OWNER PATH
    if [ "$2" = link ]; then
        [ ! -L "$4" ] || [ "$(readlink "$4" | sha256sum | cut -d ' ' -f 1)" != "$1" ]
    else
        [ -L "$4" ] || [ ! -f "$4" ] || [ "$(sha256sum <"$4" | cut -d ' ' -f 1)" != "$1" ] ||
            [ "$(stat -c '%a %u:%g' "$4")" != "$2 $3" ]
    fi
}
# NPU addresses first: hccn_tool writes /etc/hccn.conf itself, and the file must end byte for byte as it was.
reapply() { # saved hccn.conf
    command -v hccn_tool >/dev/null || { [ -x /usr/local/Ascend/driver/tools/hccn_tool ] && PATH=$PATH:/usr/local/Ascend/driver/tools; } || return 0
    conf() { sed -n "s/^$1_$2=//p" "$3" | head -n 1; }
    for device in $(sed -n 's/^address_\([0-9]*\)=.*/\1/p' "$1"); do
        address=$(conf address "$device" "$1") netmask=$(conf netmask "$device" "$1")
        live=$(timeout 20 hccn_tool -i "$device" -ip -g 2>/dev/null) || continue
        [ "$(printf '%s\n' "$live" | sed -n 's/^ipaddr: *//p')" = "$address" ] && continue
        timeout 20 hccn_tool -i "$device" -ip -s address "$address" netmask "${netmask:-255.255.255.0}" >/dev/null ||
            { echo "error: hccn_tool could not set $address on device $device"; return 1; }
        gateway=$(conf gateway "$device" "$1")
        [ -z "$gateway" ] || timeout 20 hccn_tool -i "$device" -gateway -s gateway "$gateway" >/dev/null ||
            { echo "error: hccn_tool could not set gateway $gateway on device $device"; return 1; }
        changed=1 && echo "device $device has its address $address back"
    done
}
asked() { # PATH: it is one of the listed paths, or below one
    while read -r listed; do
        case $1 in "$listed" | "$listed"/*) return 0 ;; esac
    done <"$GUARD_TABLES/paths"
    return 1
}
if asked /etc/hccn.conf && [ -f "$place/files/etc/hccn.conf" ]; then reapply "$place/files/etc/hccn.conf" || exit 1; fi

while read -r digest mode owner path; do
    [ "$digest" != missing ] && asked "$path" && differs "$digest" "$mode" "$owner" "$path" || continue
    changed=1
    mkdir -p "${path%/*}" && cp -pP "$place/files$path" "$path.ascend-provision" && mv -f "$path.ascend-provision" "$path" ||
        { echo "error: $path could not be put back from $place/files$path"; exit 1; }
    sync "$path" "${path%/*}" 2>/dev/null || sync
    echo "put back $path"
done <"$place/manifest"
if [ "${2:-}" = remove ]; then
    while read -r path; do
        grep -qxF -e "missing - - $path" "$place/manifest" && { [ -f "$path" ] || [ -L "$path" ]; } || continue
        changed=1
        rm -f "$path" && { sync "${path%/*}" 2>/dev/null || sync; } || { echo "error: $path could not be removed"; exit 1; }
        echo "removed $path, which was not there before"
        case $path in /etc/ascend-provision/*) rmdir /etc/ascend-provision 2>/dev/null ;; esac
    done <"$GUARD_TABLES/paths"
fi
[ "$changed" = 1 ] || { echo 'all as it was'; exit 3; }
