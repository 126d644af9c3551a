# Stop the units and containers of the tables and keep them stopped over every reboot, until the role release.
# What is held is on disk before anything stops: a power cut in between loses nothing. Status 3: nothing to stop.
hold=$GUARD_ROOT/hold
changed=0
mkdir -p "$hold" && chmod 0755 "$hold" || exit 1
touch "$hold/units" "$hold/containers" "$hold/running"
listed() { cut -d ' ' -f 1 "$hold/$1" | grep -qxF -e "$2"; }
keep() { sync "$hold"/* "$hold" 2>/dev/null || sync; }
engine=$(command -v docker || command -v podman || command -v isula || command -v nerdctl || true)

while read -r unit; do
    [ -n "$unit" ] || continue
    dropin=/etc/systemd/system/$unit.d/50-ascend-provision.conf
    if ! listed units "$unit"; then
        systemctl is-active --quiet "$unit" && echo "$unit" >>"$hold/running"
        echo "$unit" >>"$hold/units" && changed=1
    fi
    [ -f "$dropin" ] && continue
    mkdir -p "${dropin%/*}" && changed=1
    printf '# ascend-provision holds this unit while it changes the NPU stack; see %s\n[Unit]\nConditionPathExists=!%s\n' \
        "$hold/active" "$hold/active" >"$dropin.new" && chmod 0644 "$dropin.new" && mv "$dropin.new" "$dropin" || exit 1
done <"$GUARD_TABLES/units"

tab=$(printf '\t')
while IFS=$tab read -r id restart; do
    [ -n "$id" ] || continue
    if ! listed containers "$id"; then
        [ "$("$engine" inspect --format '{{.State.Running}}' "$id" 2>/dev/null)" = true ] && echo "$id" >>"$hold/running"
        echo "$id $restart" >>"$hold/containers" && changed=1
    fi
done <"$GUARD_TABLES/containers"

if [ ! -f "$hold/active" ] && cat "$hold/units" "$hold/containers" | grep -q .; then
    printf 'run=%s\nWhat is listed beside this file waits for the end of a change of the NPU stack; the run itself or the role release starts it again.\n' \
        "$GUARD_RUN" >"$hold/active" && changed=1
fi
keep
[ "$changed" = 0 ] || ! command -v systemctl >/dev/null || systemctl daemon-reload

while read -r unit; do
    [ -n "$unit" ] && systemctl is-active --quiet "$unit" || continue
    changed=1
    systemctl stop "$unit" || { echo "error: $unit could not be stopped: systemctl status $unit"; exit 1; }
    systemctl is-active --quiet "$unit" && { echo "error: $unit is still active after systemctl stop"; exit 1; }
    echo "stopped $unit"
done <"$GUARD_TABLES/units"
while IFS=$tab read -r id restart; do
    [ -n "$id" ] || continue
    [ -n "$engine" ] || { echo "error: container $id is to be stopped, but neither docker nor podman is installed"; exit 1; }
    [ "$("$engine" inspect --format '{{.HostConfig.RestartPolicy.Name}}' "$id" 2>/dev/null)" = no ] || {
        changed=1
        "$engine" update --restart=no "$id" >/dev/null || { echo "error: the restart policy of container $id could not be set"; exit 1; }
    }
    [ "$("$engine" inspect --format '{{.State.Running}}' "$id" 2>/dev/null)" = true ] || continue
    changed=1
    "$engine" stop "$id" >/dev/null || { echo "error: container $id could not be stopped"; exit 1; }
    echo "stopped container $id (restart policy was $restart)"
done <"$GUARD_TABLES/containers"
[ "$changed" = 1 ] || { echo 'nothing to stop'; exit 3; }
