# Containers of a lab host, without a container runtime: $LAB/docker/<64 hex>/config (KEY=VALUE), and while it
# runs a real process in a real scope unit docker-<64 hex>.scope that holds the devices it was given.
# Needs lib/state.sh. Cgroup name: documented (docker with the systemd cgroup driver).

LAB_DOCKER=$LAB/docker

# container_field ID KEY
container_field() {
    sed -n "s/^$2=//p" "$LAB_DOCKER/$1/config"
}

container_set() { # ID KEY VALUE
    sed "/^$2=/d" "$LAB_DOCKER/$1/config" > "$LAB_DOCKER/$1/config.new"
    printf '%s=%s\n' "$2" "$3" >> "$LAB_DOCKER/$1/config.new"
    mv "$LAB_DOCKER/$1/config.new" "$LAB_DOCKER/$1/config"
}

# container_pid ID: its process in $PID; false when it does not run.
container_pid() {
    PID=$(cat "$LAB_RUN/docker/$1" 2> /dev/null) || return 1
    [ -n "$PID" ] && kill -0 "$PID" 2> /dev/null
}

# container_find NAME_OR_ID: full id in $ID.
container_find() {
    for dir in "$LAB_DOCKER"/*/; do
        [ -e "$dir/config" ] || continue
        ID=$(basename "$dir")
        case $ID in "$1"*) return 0 ;; esac
        [ "$(container_field "$ID" NAME)" != "${1#/}" ] || return 0
    done
    ID=
    return 1
}

container_ids() {
    for dir in "$LAB_DOCKER"/*/; do
        [ ! -e "$dir/config" ] || basename "$dir"
    done
}

# container_start ID: systemd puts it into its own scope, as a docker with the systemd driver does.
container_start() {
    ! container_pid "$1" || return 0
    mkdir -p "$LAB_RUN/docker"
    command=$(container_field "$1" COMMAND)
    devices=$(container_field "$1" DEVICES)
    # shellcheck disable=SC2086 # command and devices are word lists
    systemd-run --quiet --collect --scope --slice=system.slice --unit="docker-$1.scope" \
        setsid $command $devices > /dev/null 2>&1 < /dev/null &
    tries=0
    while [ $tries -lt 50 ]; do
        PID=$(cat "/sys/fs/cgroup/system.slice/docker-$1.scope/cgroup.procs" 2> /dev/null | head -1)
        # the scope starts with setsid, which then becomes the command
        if [ -n "$PID" ] && [ "$(cat "/proc/$PID/comm" 2> /dev/null)" = "$(basename "${command%% *}")" ]; then break; fi
        PID='' tries=$((tries + 1))
        sleep 0.1
    done
    [ -n "$PID" ] || return 1
    echo "$PID" > "$LAB_RUN/docker/$1"
    container_set "$1" STARTED "$(date -u +%Y-%m-%dT%H:%M:%S.000000000Z)"
}

# container_stop ID: TERM, then KILL after ten seconds, as docker does.
container_stop() {
    container_pid "$1" || return 0
    kill -TERM "$PID"
    tries=0
    while kill -0 "$PID" 2> /dev/null && [ $tries -lt 100 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    kill -KILL "$PID" 2> /dev/null || :
    rm -f "$LAB_RUN/docker/$1"
}
