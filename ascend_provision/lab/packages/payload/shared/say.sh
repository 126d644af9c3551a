# What an installer prints and logs. The caller sets TAG (Driver, Firmware) and calls open_logs.
# Captured: "[Driver] [2023-07-10 22:24:33] [INFO]text" on stdout and in ascend_install.log, colours around the
# last lines (32 done, 31 reboot and errors, 33 warnings), no success line in the log.
# shellcheck shell=sh

RED='\033[31m'
GREEN='\033[32m'
YELLOW='\033[33m'
PLAIN='\033[0m'

now() { date '+%Y-%m-%d %H:%M:%S'; }

# out TEXT: to stdout; backslash sequences in TEXT are colours.
out() { printf "[%s] [%s] %b\n" "$TAG" "$(now)" "$1"; }

# log TEXT: to ascend_install.log only.
log() { printf '[%s] [%s] %s\n' "$TAG" "$(now)" "$1" >>"$LOG_FILE"; }

both() {
    out "$1"
    log "$1"
}

progress() { both "[INFO]upgradePercentage:${PROGRESS_GAP:-}$1%"; }

open_logs() {
    LOG_DIR=$R/var/log/ascend_seclog
    LOG_FILE=$LOG_DIR/ascend_install.log
    OPERATION_LOG=$LOG_DIR/operation.log
    if [ ! -d "$LOG_DIR" ]; then
        mkdir -p "$LOG_DIR"
        chmod 750 "$LOG_DIR"
    fi
    [ -f "$LOG_FILE" ] || : >>"$LOG_FILE"
    chmod 640 "$LOG_FILE"
}

start_log() {
    START_TIME=$(now)
    both "[INFO]Start time: $START_TIME"
    out "[INFO]LogFile: /var/log/ascend_seclog/ascend_install.log"
    out "[INFO]OperationLogFile: /var/log/ascend_seclog/operation.log"
    log "[INFO]UserCommand: ${AP_RUN_FILE:-uninstall.sh} $1"
}

# One line an operation. Documented (vendor source); the 127.0.0.1 is always that.
operation() {
    printf '%s MAJOR root %s 127.0.0.1 %s %s cmdlist=%s.\n' "$1" "$START_TIME" "${AP_RUN_FILE:-$TAG}" "$2" \
        "${ALL_OPTIONS:-none}" >>"$OPERATION_LOG"
    chmod 640 "$OPERATION_LOG"
}

end_log() {
    both "[INFO]End time: $(now)"
    exit "$1"
}

# fail TEXT [LOGGED TEXT]: the error, the operation record, exit 1.
fail() {
    out "[ERROR]$1"
    log "[ERROR]${2:-$1}"
    operation "${OPERATION:-Install}" failed
    end_log 1
}

# ask QUESTION: 0 for y, 1 for n. Documented: anything else asks again. A closed stdin counts as n (assumed).
ask() {
    out "$1"
    while read -r answer; do
        case $answer in
            y) return 0 ;;
            n) return 1 ;;
        esac
        out "[ERROR]ERR_NO:0x0002;ERR_DES:input error, please input again!"
    done
    return 1
}
