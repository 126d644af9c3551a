# The simulated host as an installer sees it. R is the root prefix (empty on a lab host, a directory in tests).
# shellcheck shell=sh

R=${LAB_ROOT:-}

# A lab package on any other machine does nothing at all: it would write real files in real places.
if [ ! -r "$R/opt/ascend-lab/lib/state.sh" ]; then
    echo "This package simulates a vendor installer for hosts of ascend-provision's lab; this is not one." >&2
    exit 1
fi
# shellcheck disable=SC1091
. "$R/opt/ascend-lab/lib/state.sh"
# shellcheck disable=SC1091
. "$R/opt/ascend-lab/lib/modules.sh"

# exits_1 COMPONENT: is the fault installer-exits-1 on for it (without a value: the driver)?
exits_1() { lab_fault installer-exits-1 && [ "${FAULT:-driver}" = "$1" ]; }

# hw KEY: a line of the hardware description, empty where there is none.
hw() { sed -n "s/^$1=//p" "$LAB_HW/profile" 2>/dev/null | tr -d "'\"" | tail -n 1; }

host_arch() {
    arch=$(hw ARCH)
    printf '%s\n' "${arch:-$(uname -m)}"
}

worn_kernel() {
    lab_kernel
    printf '%s\n' "$LAB_KERNEL"
}

# have TOOL: is it on the host (below the test root when there is one)?
have() {
    if [ -n "$R" ]; then
        for dir in usr/local/sbin usr/local/bin usr/sbin usr/bin sbin bin; do
            [ -x "$R/$dir/$1" ] && return 0
        done
        return 1
    fi
    command -v "$1" >/dev/null 2>&1
}

# host_tool TOOL ARGS: run a host command that the lab wraps (below the test root: the wrapped tool itself).
host_tool() {
    tool=$1
    shift
    if [ -z "$R" ]; then
        PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin "$tool" "$@"
    elif [ "$tool" = depmod ]; then
        "$LAB/bin/kmod" depmod "$@"
    else
        "$LAB/bin/$tool" "$@"
    fi
}

# pause SHARE: this step's part, in percent, of the time one installer takes on this host (assumed; real ones
# take from half a minute to an hour).
pause() {
    seconds=$(cat "$LAB/install-delay" 2>/dev/null)
    if lab_fault install-delay; then seconds=$FAULT; fi
    seconds=${seconds:-1}
    case $seconds in 0 | 0.0) return 0 ;; esac
    sleep "$(awk -v s="$seconds" -v p="$1" 'BEGIN { printf "%.2f", s * p / 100 }')"
}

# free_mb DIR: free space in MB where DIR is or would be. The fault disk-full leaves 3 MB.
free_mb() {
    if lab_fault disk-full; then
        echo 3
        return
    fi
    dir=$1
    while [ ! -d "$dir" ]; do dir=$(dirname "$dir"); done
    df -mP "$dir" | awk 'NR == 2 { print $4 }'
}

is_user() { grep -q "^$1:" "$R/etc/passwd"; }
is_group() { grep -q "^$1:" "$R/etc/group"; }

# in_group GROUP USER: primary or further group.
in_group() {
    gid=$(awk -F: -v g="$1" '$1 == g { print $3 }' "$R/etc/group")
    primary=$(awk -F: -v u="$2" '$1 == u { print $4 }' "$R/etc/passwd")
    [ "$gid" = "$primary" ] || awk -F: -v g="$1" '$1 == g { print "," $4 "," }' "$R/etc/group" | grep -q ",$2,"
}

# One installer at a time on a host, whatever the package (documented for one package; for two it is assumed).
take_lock() {
    LOCK=$LAB_RUN/installer.lock
    mkdir -p "$LAB_RUN"
    if ! mkdir "$LOCK" 2>/dev/null; then
        other=$(cat "$LOCK/pid" 2>/dev/null)
        if [ -n "$other" ] && kill -0 "$other" 2>/dev/null; then return 1; fi
        rm -rf "$LOCK"
        mkdir "$LOCK" || return 1
    fi
    echo $$ >"$LOCK/pid"
    trap 'rm -rf "$LOCK"' EXIT
    trap 'exit 1' HUP INT TERM
}
