# Files: shell profiles, what must survive, what was left behind, the install log, our own record.

# Only lines and variables of the stack leave a host, never an environment as a whole.
STACK_LINES='ASCEND|Ascend|HCCL_|PYTORCH_(NPU_)?ALLOC_CONF|RANK_TABLE|ATB_|ACL_|ACLNN_|TASK_QUEUE_ENABLE|MINDSPORE|MS_ENABLE|MS_ALLOC_CONF|NPU_|CPU_AFFINITY_CONF|COMBINED_ENABLE|MULTI_STREAM_MEMORY_REUSE|INF_NAN_MODE_ENABLE|STREAMS_PER_DEVICE|PER_STREAM_QUEUE|OOM_SNAPSHOT_ENABLE'
STACK_NAMES='ASCEND_[A-Z_]+|(P2P_)?HCCL_[A-Z_]+|PYTORCH_(NPU_)?ALLOC_CONF|RANK_TABLE_FILE|ATB_HOME_PATH|ACL_[A-Z_]+|ACLNN_[A-Z_]+|TASK_QUEUE_ENABLE|MS_ENABLE_[A-Z_]+|MS_ALLOC_CONF|CPU_AFFINITY_CONF|COMBINED_ENABLE|MULTI_STREAM_MEMORY_REUSE|INF_NAN_MODE_ENABLE|STREAMS_PER_DEVICE|PER_STREAM_QUEUE|OOM_SNAPSHOT_ENABLE|LD_LIBRARY_PATH|PYTHONPATH'

env_files() { # a line that only some runs of the file reach begins with a tab
    set --
    for file in "$ROOT"/etc/profile "$ROOT"/etc/profile.d/*.sh "$ROOT"/etc/bashrc "$ROOT"/etc/bash.bashrc \
        "$ROOT"/etc/environment "$ROOT"/etc/ascend-provision/* "$ROOT"/etc/default/* "$ROOT"/etc/sysconfig/* \
        "$ROOT"/etc/systemd/system/*.service "$ROOT"/etc/systemd/system/*.service.d/*.conf \
        "$ROOT"/root/.bashrc "$ROOT"/root/.profile "$ROOT"/root/.bash_profile \
        "$ROOT"/home/*/.bashrc "$ROOT"/home/*/.profile "$ROOT"/home/*/.bash_profile; do
        if [ -f "$file" ] && [ -r "$file" ] && plain "$file"; then set -- "$@" "$file"; fi
    done
    [ $# -eq 0 ] || awk -v "root=${#ROOT}" -v "stack=$STACK_LINES" -v "names=^\"?($STACK_NAMES)=" '
        FNR == 1 {
            own = FILENAME ~ /ascend-provision/; unit = FILENAME ~ /[.](service|conf)$/; depth = 0
            if (own) { print "F " substr(FILENAME, root + 1); last = FILENAME }
        }
        /^[ \t]*#/ { next }
        unit && !/^Environment(File)?[ \t]*=/ { next }
        {
            line = $0; sub(/^[ \t]+/, "", line); words = " " line " "
            opened = gsub(/[ \t;&|(](if|case|for|while|until)[ \t]/, "&", words)
            closed = gsub(/[ \t;](fi|esac|done)[ \t;)]/, "&", words)
            if (!unit && (depth + opened > 0 || line ~ /&&|[|][|]/)) line = "\t" line
            depth += opened - closed
            if (depth < 0) depth = 0
        }
        unit && /^Environment[ \t]*=/ {
            kept = ""; count = split(substr(line, index(line, "=") + 1), word, /[ \t]+/)
            for (i = 1; i <= count; i++) if (word[i] ~ names) kept = kept " " word[i]
            if (kept == "") next
            line = "Environment=" substr(kept, 2)
        }
        own || unit || line ~ stack {
            gsub(/[A-Za-z0-9_]*(PASS|SECRET|TOKEN|_KEY|CREDENTIAL)[A-Za-z0-9_]*=("[^"]*"|\047[^\047]*\047|[^ \t;]*)/, "hidden=hidden", line)
            if (last != FILENAME) print "F " substr(FILENAME, root + 1)
            last = FILENAME
            print " " line
        }' "$@"
}

stack_variables() { # FILE of NUL-ended NAME=VALUE: those that the stack reads, a blank in front
    tr '\000\n' '\n ' <"$1" | awk -v "names=^($STACK_NAMES)=" '$0 ~ names { print " " substr($0, 1, 2000) }'
}

interfaces() { # the host's network interfaces, one a line
    [ -d "$ROOT/sys/class/net" ] || return 1
    for dir in "$ROOT"/sys/class/net/*; do
        if [ -e "$dir" ] && [ -d "$dir" ] && plain "$dir"; then echo "${dir##*/}"; fi
    done
    return 0
}

kept_paths() { # set "$@" aside: one path a line
    for file in /etc/hccn.conf /etc/vnpu.cfg /etc/ascend_install.info /etc/Ascend/ascend_cann_install.info \
        /var/log/ascend_seclog/ascend_install.log; do
        [ ! -e "$ROOT$file" ] || echo "$ROOT$file"
    done
    while read -r kind file; do
        [ "$kind" != F ] || echo "$ROOT$file"
    done <"$T/out/env.files"
}

with_kept() { # COMMAND...: with the kept files as further arguments
    while read -r file; do set -- "$@" "$file"; done <"$T/kept"
    "$@"
}

empty() { # DIRECTORY
    for entry in "$1"/* "$1"/.[!.]*; do
        if [ -e "$entry" ] || [ -L "$entry" ]; then return 1; fi
    done
}

leftovers() { # places where something may be left; evidence/leftovers.py says what is left
    for file in "$ROOT"/var/lib/dkms/davinci_ascend "$ROOT"/usr/src/davinci_ascend-* "$ROOT"/root/ascend_check \
        "$ROOT"/var/log/npu "$ROOT"/var/log/ascend_seclog "$ROOT"/tmp/selfgz[0-9]* "$ROOT"/etc/logrotate.d/*scend* \
        "$ROOT"/etc/logrotate.d/*HiAi* "$ROOT"/etc/logrotate.d/*npu*; do
        if [ -e "$file" ] && plain "$file"; then echo "exists ${file#"$ROOT"}"; fi
    done
    for dir in "$ROOT/etc/Ascend" "$ROOT$INSTALL_PATH"/* "$ROOT$INSTALL_PATH"/*/*; do
        if [ -d "$dir" ] && [ ! -L "$dir" ] && plain "$dir" && empty "$dir"; then echo "empty ${dir#"$ROOT"}"; fi
    done
    set --
    for file in "$ROOT$INSTALL_PATH"/* "$ROOT$INSTALL_PATH"/*/* "$ROOT"/usr/local/bin/* "$ROOT"/usr/local/sbin/* "$ROOT"/usr/bin/*; do
        if [ -L "$file" ] && [ ! -e "$file" ] && plain "$file"; then set -- "$@" "$file"; fi
    done
    for file in "$@"; do echo "dangling ${file#"$ROOT"} -> $(readlink "$file")"; done
    return 0
}

env_sources() { # set_env.sh files that a shell file reads and that are gone
    owner=
    while read -r kind rest; do
        [ "$kind" != F ] || owner=$rest
        case $kind$rest in *set_env.sh*) ;; *) continue ;; esac
        before="$kind $rest"
        before=${before%%set_env.sh*}
        path=${before##*[ \"\'=;]}
        before=${before%"$path"}
        path=${path}set_env.sh
        # Only a line that reads the file: a list of places to look in, as our own profile has, may name gone ones.
        case ${before%[\"\']} in '. ' | *[!.]'. ' | *'source ') ;; *) continue ;; esac
        case $path in /*) [ -e "$ROOT$path" ] || echo "gone $owner $path" ;; esac
    done <"$T/out/env.files"
}

install_log() { # what began, what ended, what failed; " line" each, and "L" with the last line of the file
    tail -n 3000 "$1" | awk '
        /Start time|End time|irmware.*success|ERROR/ { kept[++count] = $0 }
        { last = $0 }
        END { for (i = count > 60 ? count - 59 : 1; i <= count; i++) print " " kept[i]; print "L " last }'
}

named_rank_tables() { # the absolute paths that shell files give to RANK_TABLE_FILE, one a line
    [ ! -s "$T/out/env.files" ] || sed -n "s/^ .*RANK_TABLE_FILE=[\"']\{0,1\}\(\/[A-Za-z0-9_.\/-]*\.json\).*/\1/p" "$T/out/env.files"
}

rank_tables() { # "F path" and its text on one line, "C path" for one that is too long to send
    named_rank_tables >"$T/rank-tables"
    set -- "$ROOT"/user/serverid/devindex/config/hccl.json "$ROOT"/etc/hccl*.json "$ROOT"/etc/*rank*table*.json
    while read -r file; do set -- "$@" "$ROOT$file"; done <"$T/rank-tables"
    set -- "$@" "$ROOT"/root/*rank*table*.json "$ROOT"/root/hccl*.json "$ROOT"/home/*/*rank*table*.json "$ROOT"/home/*/hccl*.json
    seen=$NL count=0 room=60000
    for file in "$@"; do
        if [ "$count" -ge 8 ] || [ ! -f "$file" ] || [ ! -r "$file" ] || ! plain "$file"; then continue; fi
        case $seen in *"$NL$file$NL"*) continue ;; esac
        seen=$seen$file$NL
        first=
        read -r first <"$file"
        case $first in '{'*) ;; *) continue ;; esac
        count=$((count + 1))
        size=$(head -c 60001 "$file" | wc -c)
        if [ "$size" -gt "$room" ]; then
            echo "C ${file#"$ROOT"}"
        elif grep -qE '"(server_list|rank_list|group_list|super_pod_list)"' "$file"; then
            # What a link of that name may point to is none of ours: only what speaks of ranks leaves the host.
            room=$((room - size))
            echo "F ${file#"$ROOT"}"
            printf ' '
            tr '\n\r\t' '   ' <"$file" | tr -s ' '
            echo
        fi
    done
}

OWN=/var/lib/ascend-provision

own_state() {
    [ -d "$ROOT$OWN" ] || return 0
    [ -r "$ROOT$OWN" ] || return 1
    for dir in packages backups; do
        for item in "$ROOT$OWN/$dir"/*; do
            if [ -e "$item" ] && plain "$item"; then echo "$dir ${item##*/}"; fi
        done
    done
    [ ! -e "$ROOT$OWN/hold/active" ] || echo holding
    return 0
}
