# Who has the cards and their ports: processes, services, containers.

listeners() { # "PORT UID INODE" of every TCP port somebody listens on, PORT in hex
    set --
    for file in "$ROOT/proc/net/tcp" "$ROOT/proc/net/tcp6"; do [ ! -r "$file" ] || set -- "$@" "$file"; done
    [ $# -gt 0 ] || return 1
    awk '$4 == "0A" { sub(/.*:/, "", $2); if (!seen[$2 " " $8]++) print $2, $8, $10 }' "$@"
}

watched_sockets() { # SOCKETS: find's words for the sockets on 60000 to 60031, the widest range published for HCCL
    SOCKETS=
    while read -r port _ inode; do
        case $port in EA[67][0-9A-F]) SOCKETS="$SOCKETS -o -lname socket:?$inode?" ;; esac
    done <"$T/out/listeners"
}

open_devices() { # "<ls line> /proc/PID/fd/N -> /dev/…" of every open NPU device node, and of the watched sockets
    cd "$ROOT/proc" || return 1
    watched_sockets
    if find /dev/null -lname x >/dev/null 2>&1; then
        # shellcheck disable=SC2086 # words on purpose
        found=$(find [0-9]*/fd -maxdepth 1 \
            \( -lname '/dev/davinci*' -o -lname '/dev/devmm_svm*' -o -lname '/dev/hisi_hdc*' $SOCKETS \) 2>/dev/null)
        # shellcheck disable=SC2086 # words on purpose: PID/fd/N
        [ -z "$found" ] || ls -ld $found 2>/dev/null
    else
        ls -l sys [0-9]*/fd 2>/dev/null | awk '
            /^[0-9]+\/fd:$/ { dir = substr($0, 1, length($0) - 1) }
            / -> \/dev\/(davinci|devmm_svm|hisi_hdc)/ { for (i = 1; i < NF; i++) if ($(i + 1) == "->") $i = dir "/" $i; print }'
    fi
    return 0
}

holder_pids() { # PIDS of those with a card, OTHERS: of those with a watched socket or a namespace of their own
    PIDS='' OTHERS=''
    while read -r line; do
        target=${line##* -> } line=${line% -> *} line=${line##* }
        case $line in [0-9]*/fd/*) pid=${line%%/*} ;; *) continue ;; esac
        case $target in
            socket:*) case " $OTHERS " in *" $pid "*) ;; *) OTHERS="$OTHERS $pid" ;; esac ;;
            *) case " $PIDS " in *" $pid "*) ;; *) PIDS="$PIDS $pid" ;; esac ;;
        esac
    done <"$T/out/holders.devices"
    [ -r "$T/out/uda.namespaces" ] || return 0
    while read -r line; do
        case $line in *'root_tgid '[0-9]*) line=${line#*root_tgid } && OTHERS="$OTHERS ${line%%[!0-9]*}" ;; esac
    done <"$T/out/uda.namespaces"
}

described() { # PID...: "pid=N state=S ppid=N uid=N cgroup=PATH parent=NAME name=NAME" of those that are still there
    for pid in "$@"; do
        state='' ppid='' uid='' group='' name='' parent=''
        while read -r key value _; do
            case $key in
                State:) state=$value ;;
                PPid:) ppid=$value ;;
                Uid:) uid=$value && break ;;
            esac
        done <"$ROOT/proc/$pid/status"
        [ -n "$uid" ] || continue
        read -r name 2>/dev/null <"$ROOT/proc/$pid/comm"
        read -r parent 2>/dev/null <"$ROOT/proc/$ppid/comm"
        group_of "$pid"
        if [ "$state" = Z ] || [ -z "$group" ]; then group_of "$ppid"; fi
        printf 'pid=%s state=%s ppid=%s uid=%s cgroup=%s parent=%s name=%s\n' \
            "$pid" "$state" "$ppid" "$uid" "$group" "$parent" "$name"
    done
    return 0
}

group_of() { # PID: group, the cgroup that names its service or container
    group=
    [ -r "$ROOT/proc/$1/cgroup" ] || return 0
    while IFS=: read -r number controller path; do
        case $number:$controller in
            *:name=systemd) [ "$path" = / ] || group=$path ;;
            0:*) [ -n "$group" ] || group=$path ;;
        esac
    done <"$ROOT/proc/$1/cgroup"
}

zombies() {
    cd "$ROOT/proc" || return 1
    found=$(grep -hsE '^[0-9]+ \(.*\) Z ' [0-9]*/stat)
    count=0
    set --
    IFS=$NL
    for line in $found; do
        count=$((count + 1))
        [ "$count" -gt 40 ] || set -- "$@" "${line%% *}"
    done
    unset IFS
    described "$@"
}

others() {
    # shellcheck disable=SC2086 # one pid a word
    described $OTHERS
}

card_processes() { # those that npu-smi names
    # shellcheck disable=SC2046 # one pid a word
    described $(awk -F'|' '/Process id/ { table = 1; next } table && $3 ~ /^ *[0-9]+ *$/ { print $3 + 0 }' "$T/out/npu-smi.info")
}

holder_groups() {
    for pid in $PIDS; do
        uid='' state=''
        group_of "$pid"
        while read -r key value _; do
            case $key in
                State:) state=$value ;;
                Uid:) uid=$value && break ;;
            esac
        done <"$ROOT/proc/$pid/status"
        [ -z "$uid" ] || echo "pid=$pid${state:+ state=$state} uid=$uid cgroup=$group"
    done
}

holder_commands() {
    for pid in $PIDS; do
        echo "pid=$pid command=$(head -c 400 "$ROOT/proc/$pid/cmdline" | tr '\000\n\r\t' '    ')"
    done
}

holder_variables() { # "F PID", then the variables of the stack in that process
    shown=0
    for pid in $PIDS; do
        [ -r "$ROOT/proc/$pid/environ" ] && [ "$shown" -lt 64 ] || continue
        shown=$((shown + 1))
        echo "F $pid"
        stack_variables "$ROOT/proc/$pid/environ"
    done
    return 0
}

unit_names() { # the field's services, by unit file, those that hold a card, and those a run keeps down
    for dir in /etc/systemd/system /run/systemd/system /usr/local/lib/systemd/system /usr/lib/systemd/system /lib/systemd/system; do
        for file in "$ROOT$dir"/*npu*.service "$ROOT$dir"/*device-plugin*.service "$ROOT$dir"/*ascend*exporter*.service \
            "$ROOT$dir"/*ascend*plugin*.service "$ROOT$dir"/*mindx*.service "$ROOT$dir"/*mindie*.service \
            "$ROOT$dir"/*hiai*.service "$ROOT$dir"/*davinci*.service; do
            [ ! -e "$file" ] || echo "${file##*/}"
        done
    done
    if [ -r "$ROOT$OWN/hold/units" ]; then
        while read -r held _; do
            case $held in *[!A-Za-z0-9@:._\\-]* | -*) ;; *.service) echo "$held" ;; esac
        done <"$ROOT$OWN/hold/units"
    fi
    while read -r _ _ cgroup; do
        case $cgroup in */system.slice/*.service*) ;; *) continue ;; esac
        cgroup=${cgroup#*/system.slice/}
        while :; do
            case ${cgroup%%/*} in *.service) echo "${cgroup%%/*}" && break ;; esac
            case $cgroup in */*) cgroup=${cgroup#*/} ;; *) break ;; esac
        done
    done <"$T/out/holders.groups"
}

container_setups() { # TOOL OUTPUT-OF-containers: how each was started; paths and variables of the stack only
    ids=
    while IFS='|' read -r kind id _; do
        [ "$kind" != C ] || ids="$ids $id"
    done <"$2"
    [ -n "$ids" ] || return 0
    # shellcheck disable=SC2086 # one id a word
    "$1" inspect --format 'S|{{.Id}}|{{.HostConfig.Privileged}}|{{.HostConfig.ShmSize}}|{{.HostConfig.IpcMode}}|{{.HostConfig.Runtime}}|{{range .HostConfig.Devices}}{{.PathOnHost}}>{{.PathInContainer}} {{end}}|{{range .Mounts}}{{.Source}}>{{.Destination}} {{end}}' $ids |
        awk -F'|' -v OFS='|' '/^S[|]/ {
            kept = ""; count = split($8, word, " ")
            for (i = 1; i <= count; i++) if (word[i] ~ /Ascend|ascend|dcmi|npu-smi|hccn|>\/dev|>\/usr\/local\/s?bin$|>\/usr\/local$|>\/$/) kept = kept word[i] " "
            $8 = kept; print; next } { print }'
    # shellcheck disable=SC2086
    "$1" inspect --format 'E|{{.Id}}
{{range .Config.Env}}{{println .}}{{end}}' $ids | grep -E "^(E\\||($STACK_NAMES)=)" | cut -c1-2000
    return 0
}

containers() { # TOOL: "C|id|running|privileged|restart|name|devices", then the cards asked for by variable
    ids=$("$1" ps -aq --no-trunc) || return 1
    [ -n "$ids" ] || return 0
    # shellcheck disable=SC2086 # one id a word
    "$1" inspect --format 'C|{{.Id}}|{{.State.Running}}|{{.HostConfig.Privileged}}|{{.HostConfig.RestartPolicy.Name}}|{{.Name}}|{{range .HostConfig.Devices}}{{.PathOnHost}} {{end}}' $ids
    # shellcheck disable=SC2086
    "$1" inspect --format 'E|{{.Id}}
{{range .Config.Env}}{{println .}}{{end}}' $ids 2>/dev/null | grep -E '^(E\||ASCEND_VISIBLE_DEVICES=)'
    return 0
}
