# State of the simulated hardware of a lab host; sourced by every lab tool.
# LAB_ROOT puts the whole host below a directory (unit tests); LAB_PROC is the process table to look at.
# Layout: $LAB/hw survives reboots, $LAB_RUN is one boot's, $LAB/faults holds the faults that are on.

LAB=${LAB_ROOT:-}/opt/ascend-lab
LAB_HW=$LAB/hw
LAB_RUN=${LAB_ROOT:-}/run/ascend-lab
LAB_DEV=${LAB_ROOT:-}/dev
LAB_PROC=${LAB_PROC:-/proc}
LC_ALL=C
export LC_ALL

# lab_fault NAME: true while the fault is on; its value (may be empty) is then in $FAULT.
lab_fault() {
    FAULT=
    [ -e "$LAB/faults/$1" ] || return 1
    read -r FAULT < "$LAB/faults/$1" || :
    return 0
}

# lab_named_chip VALUE DEFAULT N: true when chip N is one of the comma separated chips of a fault's value.
lab_named_chip() {
    case ",${1:-$2}," in *",$3,"*) return 0 ;; esac
    return 1
}

# lab_hang: what a tool stuck in a sick driver looks like from outside: it ignores TERM and a child keeps
# stdout open. Documented: vendor forum and issue reports of an npu-smi that can only be killed with KILL;
# a process in D state (immune even to KILL) cannot be simulated.
lab_hang() {
    trap '' TERM INT HUP QUIT PIPE
    (while :; do sleep 600; done) &
    while :; do sleep 600; done
}

# lab_tool NAME: call first in every Ascend tool.
lab_tool() {
    if lab_fault tools-hang; then lab_hang; fi
    if [ "$1" = npu-smi ] && lab_fault npu-smi-hangs; then lab_hang; fi
    return 0
}

# lab_profile: read hw/profile (KEY=VALUE lines written by the lab, never by a tool) into the shell.
lab_profile() {
    # shellcheck disable=SC1091
    . "$LAB_HW/profile"
}

# lab_kernel: the release this boot runs (worn: the real kernel is the lab machine's).
lab_kernel() {
    if [ -s "$LAB_RUN/kernel" ]; then
        read -r LAB_KERNEL < "$LAB_RUN/kernel"
    else
        LAB_KERNEL=$(sed -n 's/^KERNEL=//p' "$LAB_HW/profile")
    fi
}

# lab_running_driver: version of the driver whose modules are loaded, empty when none is.
lab_running_driver() {
    LAB_DRIVER=
    [ -s "$LAB_RUN/driver" ] || return 1
    read -r LAB_DRIVER < "$LAB_RUN/driver"
    [ -n "$LAB_DRIVER" ]
}

# lab_driver_dir: where the driver package lives (/etc/ascend_install.info names its path).
lab_driver_dir() {
    LAB_INSTALL=$(sed -n 's/^Driver_Install_Path_Param=//p' "${LAB_ROOT:-}/etc/ascend_install.info" 2> /dev/null)
    LAB_DRIVER_DIR=${LAB_ROOT:-}${LAB_INSTALL:-/usr/local/Ascend}/driver
}

# lab_log TEXT...: one line of the simulated kernel log.
lab_log() {
    [ -d "$LAB_RUN" ] || return 0
    read -r up _ < /proc/uptime
    printf '[%12.6f] %s\n' "$up" "$*" >> "$LAB_RUN/dmesg"
}
