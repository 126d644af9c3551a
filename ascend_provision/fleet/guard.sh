#!/bin/sh
# The guard: the only door through which a change reaches a host. Plain POSIX sh, no Python; needs flock and sha256sum.
#
#   take RUN HOLDER TTL [WAIT [OVER]]   the lease of this host, with a token that only ever grows; the lease of the
#                                  run OVER, whose controller is known to be dead, gives way, its command does not
#   check|release RUN TOKEN        renew RUN TOKEN TTL
#   break [RUN]                    end the lease of a lost controller (of that run only); its token is worth nothing then
#   run ...                        a command, once: see guard_run.sh, which is sent along
#   ended --run R --token N --name STEP --status RC    for a step whose end only the controller sees (a reboot)
#   status [STEP [BYTES]]          reads: lease, record, and the tail of a step's log
#
# Every answer starts with the line `ascend-provision-guard 1`, then KEY=VALUE lines, then `---` and a log tail.
# Exit status: 0 answered, 10 lease lost, 11 leased by another run, 12 wrong sha256, 13 another step still runs,
# 14 the command vanished or never ended, 64 wrong use, 70 the host cannot. The command's own status is in the answer.
#
# A command runs in its own systemd unit (own session without systemd), so it outlives the controller and the network;
# asking again attaches to it, or hands out its status, instead of running it a second time.
set -u
LC_ALL=C
export LC_ALL
umask 077
GUARD_ROOT=${GUARD_ROOT:-/var/lib/ascend-provision}
export GUARD_ROOT
steps=$GUARD_ROOT/steps
boot_id=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)

answer() { printf 'ascend-provision-guard 1\n' && printf '%s\n' "$@"; }
stop() { status=$1 && shift && answer "$@" && exit "$status"; }
now() { date +%s; }
one_line() { printf '%s' "$1" | tr -d '\000-\037\177' | cut -c 1-200; }
number() { case ${1:-x} in *[!0-9]*) printf 0 ;; *) printf '%s' "$1" ;; esac; }
value() { sed -n "s/^$2=//p" "$1" 2>/dev/null | head -n 1; }
nap() { sleep "$1" 2>/dev/null || sleep 1; }
# sync knows files since coreutils 8.24; an older one syncs everything, which is right too.
flush() { sync "$1" 2>/dev/null || sync; }
put() { # FILE TEXT: all of it or the old content, and still so after a power cut
    printf '%s' "$2" >"$1.new" && flush "$1.new" && mv -f "$1.new" "$1" && flush "${1%/*}"
}
quoted() { printf '%s\n' "$1" | sed "s/'/'\\\\''/g; 1s/^/'/; \$s/\$/'/"; }
plain_name() { case ${1:-/} in *[!A-Za-z0-9._:-]* | .*) stop 64 answer=refused "why=$2 must be letters, digits and . _ : -" ;; esac; }

open_root() {
    mkdir -p "$steps" 2>/dev/null && [ -w "$steps" ] && chmod 0711 "$GUARD_ROOT" ||
        stop 70 answer=refused "why=cannot write $GUARD_ROOT as $(id -un 2>/dev/null): root rights are needed (become)"
    for tool in flock sha256sum; do
        command -v $tool >/dev/null 2>&1 || stop 70 answer=refused "why=$tool is not installed on this host"
    done
}
lock() {
    exec 9>>"$GUARD_ROOT/lock"
    flock -w 300 9 || stop 70 answer=refused "why=another command holds $GUARD_ROOT/lock for 300 s"
}
unlock() { exec 9>&-; }

# -- what runs ---------------------------------------------------------------------------------------------------------
by_systemd() { [ -d /run/systemd/system ] && command -v systemd-run >/dev/null 2>&1; }
unit_of() { printf 'ascend-provision-%s.service' "$1" | tr ':' '-'; }
alive() { # STEP: its unit or its process is there
    [ "$(value "$steps/$1.start" boot_id)" = "$boot_id" ] || return 1
    by_systemd && systemctl is-active --quiet "$(unit_of "$1")" && return 0
    pid=$(number "$(cat "$steps/$1.pid" 2>/dev/null)")
    [ "$pid" -gt 1 ] && tr '\000' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -qF "$steps/$1.job"
}
running() { # [RUN]: names the step that has started and not ended
    for start in "$steps"/*.start; do
        step=${start##*/} && step=${step%.start}
        [ -f "$start" ] && [ ! -f "$steps/$step.rc" ] || continue
        [ -z "$1" ] || [ "$(value "$start" run)" = "$1" ] || continue
        alive "$step" && printf '%s' "$step" && return 0
    done
    return 1
}

# -- the lease ---------------------------------------------------------------------------------------------------------
read_lease() {
    lease_run=$(value "$GUARD_ROOT/lease" run)
    lease_holder=$(value "$GUARD_ROOT/lease" holder)
    lease_token=$(number "$(value "$GUARD_ROOT/lease" token)")
    expires_at=$(number "$(value "$GUARD_ROOT/lease" expires_at)")
}
put_lease() { put "$GUARD_ROOT/lease" "run=$1
holder=$2
token=$3
expires_at=$4
"; }
lease_lives() { # an expired lease lives on while a command of its run does
    [ -n "$lease_run" ] && { [ "$expires_at" -gt "$(now)" ] || running "$lease_run" >/dev/null; }
}
lost() {
    stop 10 answer=lost "run=$lease_run" "holder=$lease_holder" "token=$lease_token" "expires_at=$expires_at" "now=$(now)"
}
hold_lease() { # RUN TOKEN
    read_lease
    [ "$lease_run" = "$1" ] && [ "$lease_token" = "$2" ] && lease_lives || lost
}
keep_lease() { # RUN TOKEN: a long step may have outlasted it; its run gets five minutes to come back
    read_lease
    [ "$lease_run" = "$1" ] && [ "$lease_token" = "$2" ] || return 0
    [ "$expires_at" -ge $(($(now) + 300)) ] || put_lease "$1" "$lease_holder" "$2" $(($(now) + 300))
}

guard_take() { # RUN HOLDER TTL [WAIT [OVER]]
    plain_name "$1" run
    over=${5:-$1}
    open_root
    lock
    read_lease
    if other=$(running '') && [ "$(value "$steps/$other.start" run)" != "$1" ]; then
        stop 11 answer=leased "run=$(value "$steps/$other.start" run)" "holder=$lease_holder" "expires_at=$expires_at" "busy=$other"
    fi
    if [ "$lease_run" != "$1" ] && [ "$lease_run" != "$over" ] && lease_lives; then
        stop 11 answer=leased "run=$lease_run" "holder=$lease_holder" "expires_at=$expires_at" busy=
    fi
    last=$(number "$(cat "$GUARD_ROOT/token" 2>/dev/null)")
    [ "$last" -gt "$lease_token" ] || last=$lease_token
    token=$((last + 1)) holder=$(one_line "$2") expires_at=$(($(now) + $3))
    put "$GUARD_ROOT/token" "$token
" && put_lease "$1" "$holder" "$token" "$expires_at" || stop 70 answer=refused "why=cannot write $GUARD_ROOT/lease"
    unlock
    # What an earlier process of this run started goes on: wait, so that the next probe sees a host at rest.
    until=$(($(now) + $(number "${4:-0}"))) waited=0
    while busy=$(running "$1") && [ "$(now)" -lt "$until" ]; do sleep 1 && waited=1; done
    if [ "$waited" = 1 ]; then
        lock
        hold_lease "$1" "$token"
        expires_at=$(($(now) + $3))
        put_lease "$1" "$holder" "$token" "$expires_at"
        unlock
    fi
    answer answer=taken "run=$1" "token=$token" "expires_at=$expires_at" "busy=$busy"
}
guard_check() { # RUN TOKEN
    open_root
    lock
    hold_lease "$1" "$2"
    answer answer=held "run=$1" "token=$2" "expires_at=$expires_at"
}
guard_renew() { # RUN TOKEN TTL: also after it expired, as long as nobody else took it
    open_root
    lock
    read_lease
    [ "$lease_run" = "$1" ] && [ "$lease_token" = "$2" ] || lost
    expires_at=$(($(now) + $3))
    put_lease "$1" "$lease_holder" "$2" "$expires_at" || stop 70 answer=refused "why=cannot write $GUARD_ROOT/lease"
    answer answer=renewed "run=$1" "token=$2" "expires_at=$expires_at"
}
guard_release() { # RUN TOKEN
    open_root
    lock
    read_lease
    if [ -z "$lease_run" ] && [ "$(number "$(cat "$GUARD_ROOT/token" 2>/dev/null)")" = "$2" ]; then
        stop 0 answer=released-before "run=$1" "token=$2" expires_at=0
    fi
    [ "$lease_run" = "$1" ] && [ "$lease_token" = "$2" ] || lost
    busy=$(running "$1") && stop 13 answer=busy "busy=$busy"
    rm -f "$GUARD_ROOT/lease" && flush "$GUARD_ROOT"
    answer answer=released "run=$1" "token=$2" expires_at=0
}

guard_break() { # [RUN]: what still runs is never taken from under its run
    open_root
    lock
    read_lease
    [ -n "$lease_run" ] || stop 0 answer=free "token=$lease_token"
    [ -z "${1:-}" ] || [ "$lease_run" = "$1" ] || lost
    busy=$(running '') && stop 13 answer=busy "busy=$busy" "run=$lease_run" "holder=$lease_holder"
    last=$(number "$(cat "$GUARD_ROOT/token" 2>/dev/null)")
    [ "$last" -gt "$lease_token" ] || last=$lease_token
    put "$GUARD_ROOT/token" "$((last + 1))
" && rm -f "$GUARD_ROOT/lease" && flush "$GUARD_ROOT" || stop 70 answer=refused "why=cannot write $GUARD_ROOT"
    answer answer=broken "run=$lease_run" "holder=$lease_holder" "token=$lease_token" "expires_at=$expires_at"
}

guard_ended() { # --run R --token N --name STEP --status RC: like renew, also when a long restart outlasted the lease
    plan=$(value "$GUARD_ROOT/record" plan) && run=$2 token=$4 name=$6
    open_root
    lock
    read_lease
    [ "$lease_run" = "$run" ] && [ "$lease_token" = "$token" ] || lost
    keep_lease "$run" "$token"
    if [ "$8" = 0 ]; then record 'done' 0; else record failed "$8"; fi
    answer answer=recorded "boot_id=$boot_id"
}
guard_status() { # [STEP [BYTES]]: reads only
    read_lease
    name=${1:-$(value "$GUARD_ROOT/record" step)}
    answer answer=status "run=$lease_run" "holder=$lease_holder" "token=$lease_token" "expires_at=$expires_at" \
        "busy=$(running '')" "boot_id=$boot_id" "kernel=$(uname -r)" "step=$(value "$GUARD_ROOT/record" step)" \
        "state=$(value "$GUARD_ROOT/record" state)" "rc=$(head -n 1 "$steps/$name.rc" 2>/dev/null)" "log_path=$steps/$name.log"
    log_tail "$(number "${2:-4096}")"
}
guard() {
    verb=${1:-none}
    [ $# = 0 ] || shift
    case $verb in
    take | check | renew | release | break | run | ended | status) "guard_$verb" "$@" ;;
    *) stop 64 answer=refused "why=unknown command $(one_line "$verb")" ;;
    esac
}
