# The probe: reads everything ascend-provision wants to know about one host, in one round trip.
#
#   cat engine.sh host.sh stack.sh holders.sh files.sh chains.sh run.sh | sh -s [DEADLINE [LIMIT]]
#
# DEADLINE: seconds for the whole probe, 60 when not given. LIMIT: the most seconds that any one command gets.
#
# Plain POSIX sh (dash, busybox ash, old bash); no Python, no timeout(1). It only reads: the one thing it writes is
# a directory of its own below /run, /dev/shm or /tmp, removed at the end.
#
# Chains of commands run side by side, each in a subshell; one chain never calls two tools that can hang. A chain
# tells the main loop through a FIFO when a command begins and ends, a ticker adds a tick a second, and the main loop
# waits for nothing else: not for a tool stuck in a sick driver (it may be unkillable) and not for a child that
# holds its output open. What is late is abandoned with the rest of its chain. evidence/wire.py describes the answer.
#
# PROBE_ROOT is put in front of every path that is read (for tests on a tree instead of a host).

clock() { # NOW: hundredths of a second, no process started
    if read -r uptime_ rest_ 2>/dev/null </proc/uptime; then
        NOW=$((${uptime_%.*} * 100 + 1${uptime_#*.} - 100))
    else
        NOW=$(($(date +%s) * 100))
    fi
}

say() { printf '%s\n' "$*" >&3; }

have() { command -v "$1" >/dev/null 2>&1; }

# ---- used inside a chain

promise() { say P "$chain" "$@"; } # SECTION...: what this chain is going to bring

missing() { # SECTION...: there is nothing to read
    for section_ in "$@"; do say E "$chain" "$section_" - 0 not found; done
}

begin() { # LIMIT: of the section
    limit=$1
    [ "$limit" -le "$LIMIT" ] || limit=$LIMIT
    say B "$chain" "$section" "$limit"
    clock
    began=$NOW
}

call() { # SECTION LIMIT COMMAND...: a tool; its output goes to a capped file and it may hang
    section=$1
    begin "$2"
    shift 2
    {
        "$@"
        echo $? >"$T/rc/$section"
    } </dev/null 2>&1 3>&- | head -c $((CAP + 1)) 3>&- >"$T/out/$section"
    status=-
    read -r status 2>/dev/null <"$T/rc/$section"
    clock
    say E "$chain" "$section" "$status" $((NOW - began))
}

gather() { # SECTION LIMIT FUNCTION: a function of this script; what it prints is the section
    section=$1
    begin "$2"
    "$3" </dev/null >"$T/out/$section" 2>/dev/null
    status=$?
    clock
    say E "$chain" "$section" "$status" $((NOW - began))
}

files() { # LIMIT NAME=PATH...: small files, a section each
    limit=$1
    shift
    section=${1%%=*}
    begin "$limit"
    count_=$# names=
    for pair in "$@"; do
        name=${pair%%=*} path=$ROOT${pair#*=}
        if hidden "$path"; then
            say E "$chain" "$name" - 0 not readable
        elif [ ! -e "$path" ]; then
            say E "$chain" "$name" - 0 not found
        elif [ ! -f "$path" ] || [ ! -r "$path" ]; then
            say E "$chain" "$name" - 0 not readable
        else
            set -- "$@" "n=$name" "$path"
            names="$names $name"
            : >"$T/out/$name"
        fi
    done
    shift "$count_"
    [ $# -gt 0 ] || return 0
    awk -v "dir=$T/out" -v "cap=$CAP" '
        FNR == 1 { if (out) close(out); out = dir "/" n; size = 0 }
        size <= cap { print > out; size += length($0) + 1 }' "$@" </dev/null >/dev/null 2>&1
    status=$?
    clock
    for name in $names; do say E "$chain" "$name" "$status" $((NOW - began)); done
}

hidden() { # PATH: a directory above it lets nobody tell whether it is there
    [ ! -e "$1" ] || return 1
    above=${1%/*}
    while [ -n "$above" ] && [ ! -e "$above" ]; do above=${above%/*}; done
    [ ! -x "${above:-/}" ]
}

contents() { # LINES FILE...: "F path", then each line of it after one blank
    lines=$1
    shift
    [ $# -eq 0 ] || awk -v "max=$lines" -v "root=${#ROOT}" '
        FNR == 1 { print "F " substr(FILENAME, root + 1) }
        FNR <= max { print " " $0 }' "$@"
}

plain() { # PATH: a name that fits on one line
    case $1 in *"$NL"*) return 1 ;; esac
}

# ---- the main loop

record() { # SECTION STATUS HUNDREDTHS NOTE
    DONE="$DONE$1 "
    COUNT=$((COUNT + 1))
    printf '#S %s %s %s %s\n' "$1" "$2" "$3" "$4"
}

start() { # CHAIN SECTION...
    name=$1
    shift
    eval "promised_$name=\$* current_$name='' since_$name=$NOW limit_$name=$DEADLINE"
    (
        chain=$name
        exec </dev/null >/dev/null 2>&1
        "chain_$chain"
        say Z "$chain"
    ) &
    eval "pid_$name=$!"
    ALIVE="$ALIVE$name "
}

leave() { # CHAIN
    rest=' '
    for name in $ALIVE; do [ "$name" = "$1" ] || rest="$rest$name "; done
    ALIVE=$rest
}

descendants() { # PID: adds it and its children to TREE
    TREE="$TREE $1"
    for file in /proc/"$1"/task/*/children; do
        children=
        [ ! -r "$file" ] || read -r children 2>/dev/null <"$file"
        for child in $children; do descendants "$child"; done
    done
}

birth() { # PID: BORN, its start time in ticks since the boot, which makes a process id unique
    BORN=
    read -r line 2>/dev/null <"/proc/$1/stat" || return 1
    # shellcheck disable=SC2086 # the fields after the name
    set -- ${line##*) }
    BORN=${20}
}

abandon() { # CHAIN NOTE-OF-THE-CURRENT-CALL NOTE-OF-THE-REST
    eval "current=\$current_$1 promised=\$promised_$1 pid=\$pid_$1 began=\$since_$1"
    leave "$1"
    [ -z "$current" ] || record "$current" - $((NOW - began)) "$2"
    for section in $promised; do
        case $DONE in *" $section "*) ;; *) record "$section" - 0 "$3" ;; esac
    done
    TREE=
    descendants "$pid"
    for pid in $TREE; do
        if birth "$pid"; then
            DOOMED="$DOOMED $pid:$BORN"
            kill -TERM "$pid" 2>/dev/null
        fi
    done
}

tick() {
    clock
    if [ $((NOW - BEGAN)) -ge $((DEADLINE * 100)) ]; then
        for chain in $ALIVE; do
            abandon "$chain" "timed out: the probe's deadline of $DEADLINE s was reached" \
                "skipped: the probe's deadline of $DEADLINE s was reached"
        done
        return
    fi
    for chain in $ALIVE; do
        eval "current=\$current_$chain since=\$since_$chain limit=\$limit_$chain"
        if [ -n "$current" ] && [ $((NOW - since)) -ge $((limit * 100)) ]; then
            abandon "$chain" "timed out after $limit s" "skipped: ${current%%.*} hung"
        fi
    done
}

finish_off() { # what did not end after TERM is killed, and never waited for
    for process in $DOOMED; do
        pid=${process%:*}
        if birth "$pid" && [ "$BORN" = "${process#*:}" ]; then
            command= # it may end while we look
            read -r command 2>/dev/null <"/proc/$pid/comm"
            echo "$pid $command" >>"$T/out/probe.abandoned"
            kill -KILL "$pid" 2>/dev/null
        fi
    done
    [ ! -e "$T/out/probe.abandoned" ] || record probe.abandoned 0 0 ''
}

workspace() { # T
    for base in /run /dev/shm /tmp; do
        T=$base/ascend-provision-probe.$$
        # shellcheck disable=SC2174
        if mkdir "$T" 2>/dev/null && mkdir "$T/out" "$T/rc" && mkfifo "$T/events"; then return 0; fi
    done
    return 1
}

install_paths() { # INSTALL_PATH, FIRMWARE_PATH
    INSTALL_PATH=/usr/local/Ascend FIRMWARE_PATH=
    if [ -r "$ROOT/etc/ascend_install.info" ]; then
        while IFS='=' read -r key value; do
            case $key in
                Driver_Install_Path_Param) INSTALL_PATH=${value%/} ;;
                Firmware_Install_Path_Param) FIRMWARE_PATH=${value%/} ;;
            esac
        done <"$ROOT/etc/ascend_install.info"
    fi
    FIRMWARE_PATH=${FIRMWARE_PATH:-$INSTALL_PATH}
}
