# Who has the cards: processes, services, containers.

open_devices() { # "<ls line> /proc/PID/fd/N -> /dev/…" of every open NPU device node
    cd "$ROOT/proc" || return 1
    if find /dev/null -lname x >/dev/null 2>&1; then
        found=$(find [0-9]*/fd -maxdepth 1 \
            \( -lname '/dev/davinci*' -o -lname '/dev/devmm_svm*' -o -lname '/dev/hisi_hdc*' \) 2>/dev/null)
        # shellcheck disable=SC2086 # words on purpose: PID/fd/N
        [ -z "$found" ] || ls -ld $found 2>/dev/null
    else
        ls -l sys [0-9]*/fd 2>/dev/null | awk '
            /^[0-9]+\/fd:$/ { dir = substr($0, 1, length($0) - 1) }
            / -> \/dev\/(davinci|devmm_svm|hisi_hdc)/ { for (i = 1; i < NF; i++) if ($(i + 1) == "->") $i = dir "/" $i; print }'
    fi
    return 0
}

holder_pids() { # PIDS
    PIDS=
    while read -r line; do
        line=${line% -> *} line=${line##* }
        case $line in [0-9]*/fd/*) pid=${line%%/*} ;; *) continue ;; esac
        case " $PIDS " in *" $pid "*) ;; *) PIDS="$PIDS $pid" ;; esac
    done <"$T/out/holders.devices"
}

holder_groups() {
    for pid in $PIDS; do
        group='' uid=''
        while IFS=: read -r number controller path; do
            case $number:$controller in
                *:name=systemd) [ "$path" = / ] || group=$path ;;
                0:*) [ -n "$group" ] || group=$path ;;
            esac
        done <"$ROOT/proc/$pid/cgroup"
        while read -r key value _; do
            [ "$key" = Uid: ] || continue
            uid=$value
            break
        done <"$ROOT/proc/$pid/status"
        [ -z "$uid" ] || echo "pid=$pid uid=$uid cgroup=$group"
    done
}

holder_commands() {
    for pid in $PIDS; do
        echo "pid=$pid command=$(head -c 400 "$ROOT/proc/$pid/cmdline" | tr '\000\n\r\t' '    ')"
    done
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
