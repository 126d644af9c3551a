# Give back what this run held: drop-ins, restart policies, and running what ran before. Status 3: nothing was held.
hold=$GUARD_ROOT/hold
changed=0 failed=''
[ -d "$hold" ] || { echo 'nothing was held'; exit 3; }
touch "$hold/units" "$hold/containers" "$hold/running"
listed() { cut -d ' ' -f 1 "$hold/$1" | grep -qxF -e "$2"; }
forget() { # LIST NAME
    awk -v name="$2" '$1 != name' "$hold/$1" >"$hold/$1.new" && mv "$hold/$1.new" "$hold/$1"
}
engine=$(command -v docker || command -v podman || command -v isula || command -v nerdctl || true)

while read -r unit; do
    [ -n "$unit" ] && listed units "$unit" || continue
    changed=1
    dropin=/etc/systemd/system/$unit.d/50-ascend-provision.conf
    rm -f "$dropin" && rmdir "${dropin%/*}" 2>/dev/null
done <"$GUARD_TABLES/units"
[ "$changed" = 0 ] || systemctl daemon-reload
# Forgotten only once it runs: a power cut in between leaves it listed, and the next release starts it.
while read -r unit; do
    [ -n "$unit" ] && listed units "$unit" || continue
    ! listed running "$unit" || systemctl start "$unit" || failed="$failed $unit"
    forget running "$unit" && forget units "$unit"
done <"$GUARD_TABLES/units"
while read -r id; do
    [ -n "$id" ] && listed containers "$id" || continue
    changed=1
    restart=$(awk -v name="$id" '$1 == name { print $2; exit }' "$hold/containers")
    "$engine" update --restart="${restart:-no}" "$id" >/dev/null || failed="$failed container:$id"
    if listed running "$id"; then
        "$engine" start "$id" >/dev/null || failed="$failed container:$id"
        forget running "$id"
    fi
    forget containers "$id"
done <"$GUARD_TABLES/containers"
# Others may still be held, by a run that failed: the mark goes with the last of them. It holds only units with a drop-in.
cat "$hold/units" "$hold/containers" | grep -q . || rm -f "$hold/active"
sync "$hold" 2>/dev/null || sync
[ -z "$failed" ] || { echo "error: not started again:$failed. Nothing holds them any more: look with systemctl status"; exit 1; }
[ "$changed" = 1 ] || { echo 'nothing of this list was held'; exit 3; }
echo 'what was held runs as before'
