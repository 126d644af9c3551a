# Keep what an installer may drop, as it was before this run: content, mode, owner. Status 3: kept before.
# Argument: RUN (empty: the run of the lease).
# The first copy of a run is the truth; a resumed run must not replace it with what an installer left.
place=$GUARD_ROOT/backups/${1:-$GUARD_RUN}
fresh=$place.new
[ -f "$place/manifest" ] && { echo "kept before: $place"; exit 3; }
rm -rf "$fresh" && mkdir -p "$fresh/files" "$fresh/environments" && chmod 0700 "$GUARD_ROOT/backups" "$fresh" || exit 1
: >"$fresh/manifest"

keep() { # PATH: one file or link
    mkdir -p "$fresh/files${1%/*}" && cp -pP "$1" "$fresh/files$1" || { echo "error: $1 could not be copied"; exit 1; }
    if [ -L "$1" ]; then
        printf '%s  link %s %s\n' "$(readlink "$1" | sha256sum | cut -d ' ' -f 1)" "$(stat -c '%u:%g' "$1")" "$1"
    else
        printf '%s %s %s\n' "$(sha256sum <"$1" | cut -d ' ' -f 1)" "$(stat -c '%a %u:%g' "$1")" "$1"
    fi >>"$fresh/manifest"
}
while read -r path; do
    if [ -L "$path" ] || [ -f "$path" ]; then
        keep "$path"
    elif [ -d "$path" ]; then
        find "$path" -xdev \( -type f -o -type l \) >"$fresh/list"
        while IFS= read -r found; do keep "$found" || exit 1; done <"$fresh/list"
    else
        echo "missing - - $path" >>"$fresh/manifest"
    fi
done <"$GUARD_TABLES/paths"
rm -f "$fresh/list"

# What the frameworks' environments hold, for a person to read later; an environment that cannot say is noted.
number=0
while read -r path; do
    [ -n "$path" ] || continue
    number=$((number + 1)) list=$fresh/environments/$number.txt
    echo "# $path" >"$list"
    python=$path/bin/python
    [ -x "$python" ] || python=$path
    timeout 60 "$python" -m pip freeze --all >>"$list" 2>/dev/null || echo "# pip freeze failed" >>"$list"
done <"$GUARD_TABLES/environments"

[ ! -d "$place" ] || { cp -Rp "$place/." "$fresh/" && rm -rf "$place"; }
{ sync "$fresh/manifest" "$fresh" 2>/dev/null || sync; } && mv "$fresh" "$place" && { sync "${place%/*}" 2>/dev/null || sync; }
echo "$(grep -vc '^missing ' "$place/manifest") files kept in $place, $(grep -c '^missing ' "$place/manifest") were not there"
