#!/bin/sh
# The second half of the guard: running a command once. Needs the functions of guard.sh before it.
#
#   run --run R --token N --name STEP [options] -- ARGV...
#       --plan DIGEST            kept in the host's record
#       --script TEXT            run this text with sh, ARGV are its arguments
#       --timeout S              the whole unit is ended after S seconds (0: no limit)
#       --success "0 2"          exit statuses that are success
#       --sha256 DIGEST PATH     checked under the same lock right before the start; a mismatch starts nothing
#       --table NAME TEXT        a file $GUARD_TABLES/NAME for the script
#       --env K=V  --chdir DIR   where and with what
#       --removes PATH           nothing to do when PATH is not there
#       --proof PATH             may be repeated: while these look as the command left them, the same lease, boot and
#                                command make a repetition, which is answered and not run
#       --fresh S                a status younger than S seconds of the last step is handed out again
#       --bytes N  --detach 1    size of the log tail; answer as soon as it has started

record() { # STATE RC
    put "$GUARD_ROOT/record" "version=1
run=$run
plan=$plan
step=$name
state=$1
boot_id=$boot_id
token=$token
rc=$2
at=$(now)
"
}
shape() { # what the proof paths look like: content of files, names in directories, targets of links
    for path in "$@"; do
        printf '%s ' "$path"
        if [ -L "$path" ]; then readlink "$path"; elif [ -d "$path" ]; then ls -1A "$path"; elif [ -f "$path" ]; then
            sha256sum <"$path"; else echo missing; fi
    done | sha256sum | cut -d ' ' -f 1
}
succeeded() { case " $success " in *" $1 "*) return 0 ;; *) return 1 ;; esac; }
repeated() { # the same command of the same lease has ended in this boot, and nothing has happened since
    [ -f "$steps/$name.rc" ] || return 1
    for pair in "run=$run" "token=$token" "boot_id=$boot_id" "job=$digest"; do
        [ "$(value "$steps/$name.start" "${pair%%=*}")" = "${pair#*=}" ] || return 1
    done
    if [ "$(value "$GUARD_ROOT/record" step)" = "$name" ]; then
        ended=$(number "$(value "$steps/$name.rc" ended_at)")
        [ $(($(now) - ended)) -le "$fresh" ] && return 0
    fi
    [ -n "$proof" ] && [ "$(cat "$steps/$name.proof" 2>/dev/null)" = "$(eval "shape $proof")" ]
}
write_job() { # the text that the unit runs: its own status and log reach the disk before it ends
    cat <<JOB
#!/bin/sh
exec </dev/null >>"$steps/$name.log" 2>&1
echo \$\$ >"$steps/$name.pid"
members() { # everything the command has left: the processes of its unit (cgroup v2 or v1), or of this session
    group=\$(sed -n 's/^0:://p; s/^[0-9]*:name=systemd://p' /proc/self/cgroup | grep -F /ascend-provision- | head -n 1)
    if [ -n "\$group" ] && [ -n "\${GUARD_UNIT:-}" ]; then
        cat "/sys/fs/cgroup\$group/cgroup.procs" "/sys/fs/cgroup/systemd\$group/cgroup.procs"
    else
        for stat in /proc/[0-9]*/stat; do
            read -r line <"\$stat" || continue
            pid=\${line%% *} && set -- \${line##*) } && [ "\$4" = \$\$ ] && echo "\$pid"
        done
    fi 2>/dev/null | grep -vx \$\$
}
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
HOME=\$(getent passwd 0 2>/dev/null | cut -d : -f 6) USER=root LOGNAME=root SHELL=/bin/sh LC_ALL=C
HOME=\${HOME:-/root}
GUARD_ROOT=$(quoted "$GUARD_ROOT") GUARD_RUN=$run GUARD_TABLES=$(quoted "$steps/$name.tables")
export PATH HOME USER LOGNAME SHELL LC_ALL GUARD_ROOT GUARD_RUN GUARD_TABLES
$exports
began=\$(date +%s)
umask 022
cd $(quoted "$chdir") && $limit $command
rc=\$?
umask 077
ended=\$(date +%s) timed_out=0
if [ $timeout -gt 0 ] && [ \$((ended - began)) -ge $timeout ] && { [ \$rc = 124 ] || [ \$rc = 137 ]; }; then
    timed_out=1
    for signal in TERM KILL; do
        left=\$(members) && kill -s \$signal \$left 2>/dev/null && sleep 2
    done
fi
printf '%s\nended_at=%s\nseconds=%s\ntimed_out=%s\n' \$rc \$ended \$((ended - began)) \$timed_out >"$steps/$name.rc.new"
sync "$steps/$name.log" "$steps/$name.rc.new" 2>/dev/null || sync
mv -f "$steps/$name.rc.new" "$steps/$name.rc"
sync "$steps" 2>/dev/null || sync
rm -rf "$steps/$name.job" "$steps/$name.script" "$steps/$name.tables"
exit 0
JOB
}
start_job() {
    rm -f "$steps/$name.rc" "$steps/$name.pid" "$steps/$name.proof" "$steps/$name.log"
    put "$steps/$name.job" "$job
" && : >"$steps/$name.log" && put "$steps/$name.start" "run=$run
token=$token
boot_id=$boot_id
job=$digest
at=$(now)
timeout=$timeout
" && record started '' || stop 70 answer=refused "why=cannot write $steps (disk full?); nothing was started"
    if by_systemd; then
        unit=$(unit_of "$name") tries=0
        while systemctl is-active --quiet "$unit" && [ $tries -lt 50 ]; do nap 0.1 && tries=$((tries + 1)); done
        systemctl reset-failed "$unit" 2>/dev/null
        # KillMode=process: a daemon that an installer starts must live on; the time limit ends the whole unit itself.
        why=$(systemd-run --unit="$unit" --description="ascend-provision: $name of run $run" -p KillMode=process \
            -p SendSIGHUP=no --setenv=GUARD_UNIT=1 /bin/sh "$steps/$name.job" 2>&1 >/dev/null) || {
            systemctl is-active --quiet "$unit" || [ -f "$steps/$name.rc" ] || {
                record failed '' && rm -f "$steps/$name.start"
                stop 70 answer=refused "why=systemd-run: $(one_line "$why")"
            }
        }
    else
        GUARD_UNIT='' setsid /bin/sh "$steps/$name.job" </dev/null >/dev/null 2>&1 9>&- &
        echo $! >"$steps/$name.pid"
    fi
}
await() { # 0: there is a status; 1: still running at the limit; 2: gone without a status
    limit_at=$(($(number "$(value "$steps/$name.start" at)") + timeout + 30)) turns=0
    while [ ! -f "$steps/$name.rc" ]; do
        if [ $((turns % 10)) = 9 ] && ! alive "$name"; then
            nap 1
            alive "$name" || { nap 1 && { [ -f "$steps/$name.rc" ] || return 2; }; }
        fi
        [ "$timeout" = 0 ] || [ "$(now)" -lt "$limit_at" ] || return 1
        if [ $turns -lt 30 ]; then nap 0.1; else nap 1; fi
        turns=$((turns + 1))
    done
}
log_tail() { # BYTES
    [ "$(wc -c <"$steps/$name.log" 2>/dev/null || echo 0)" -le "$1" ]
    echo "log_cut=$?" && echo --- && tail -c "$1" "$steps/$name.log" 2>/dev/null
}
guard_run() {
    run='' token='' name='' plan='' timeout=0 success=0 chdir=/ exports='' script='' sums='' proof='' removes='' detach=0
    fresh=600 bytes=16384 tables=''
    while [ $# -gt 0 ]; do
        case $1 in
        --run) run=$2 ;; --token) token=$2 ;; --name) name=$2 ;; --plan) plan=$(one_line "$2") ;;
        --timeout) timeout=$(number "$2") ;; --success) success=$2 ;; --chdir) chdir=$2 ;; --removes) removes=$2 ;;
        --fresh) fresh=$(number "$2") ;; --bytes) bytes=$(number "$2") ;; --script) script=$2 ;; --detach) detach=$2 ;;
        --proof) proof="$proof $(quoted "$2")" ;;
        --env) plain_name "$(printf '%s' "${2%%=*}" | tr '.:-' '///')" 'a variable' && exports="$exports
export ${2%%=*}=$(quoted "${2#*=}")" ;;
        --sha256) sums="$sums$2  $3
" && shift ;;
        --table) plain_name "$2" 'a table' && tables="$tables $2 $(quoted "$3")" && shift ;;
        --) shift && break ;;
        *) stop 64 answer=refused "why=unknown option $(one_line "$1")" ;;
        esac
        shift 2
    done
    plain_name "$run" run
    plain_name "$token" token
    plain_name "$name" name
    open_root
    limit='' command=''
    [ "$timeout" = 0 ] || ! command -v timeout >/dev/null 2>&1 || limit="timeout -k 10 $timeout"
    [ -z "$script" ] || command="/bin/sh $(quoted "$steps/$name.script")"
    for word in "$@"; do command="$command $(quoted "$word")"; done
    [ -n "$command" ] || stop 64 answer=refused 'why=there is no command to run'
    job=$(write_job)
    digest=$(printf '%s\n' "$job" "$script" "$tables" | sha256sum | cut -d ' ' -f 1)
    lock
    if [ -n "$removes" ] && [ ! -e "$removes" ] && ! running '' >/dev/null; then
        stop 0 answer=nothing "why=$(one_line "$removes") is not there"
    fi
    hold_lease "$run" "$token"
    reattached=1
    if current=$(running ''); then
        [ "$current" = "$name" ] && [ "$(value "$steps/$name.start" job)" = "$digest" ] &&
            [ "$(value "$steps/$name.start" run)" = "$run" ] || stop 13 answer=busy "busy=$current"
        record started ''
    elif ! repeated; then
        reattached=0
        if [ -n "$sums" ]; then
            printf '%s' "$sums" | while read -r wanted path; do
                found=$(sha256sum <"$path" 2>/dev/null | cut -d ' ' -f 1)
                [ "$found" = "$wanted" ] && continue
                [ -e "$path" ] || found='no such file'
                stop 12 answer=mismatch "path=$(one_line "$path")" "wanted=$wanted" "found=$found"
            done || exit $?
        fi
        rm -rf "$steps/$name.script" "$steps/$name.tables"
        mkdir -p "$steps/$name.tables" && printf '%s\n' "$script" >"$steps/$name.script"
        eval "set -- $tables"
        while [ $# -gt 0 ]; do printf '%s' "$2" >"$steps/$name.tables/$1" && shift 2; done
        start_job
    fi
    unlock
    [ "$detach" = 0 ] || stop 0 answer=started "boot_id=$boot_id" "reattached=$reattached"
    await
    ended=$?
    lock
    rc=$(head -n 1 "$steps/$name.rc" 2>/dev/null)
    if [ "$ended" != 1 ] && [ "$(value "$GUARD_ROOT/record" step)" = "$name" ] && [ "$(value "$GUARD_ROOT/record" token)" = "$token" ]; then
        if [ "$ended" = 0 ] && succeeded "$rc"; then
            record 'done' "$rc"
            [ -z "$proof" ] || put "$steps/$name.proof" "$(eval "shape $proof")"
        else
            record failed "$rc"
        fi
        keep_lease "$run" "$token"
    fi
    unlock
    case $ended in 0) word=ran ;; 1) word=still-running ;; *) word=vanished ;; esac
    answer answer=$word "rc=$rc" "reattached=$reattached" "seconds=$(value "$steps/$name.rc" seconds)" \
        "timed_out=$(value "$steps/$name.rc" timed_out)" "log_path=$steps/$name.log"
    log_tail "$bytes"
    [ $ended = 0 ] || exit 14
}
