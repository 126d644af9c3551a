# The rest of the front: makeself's own options are handled here, all others go to the package's script.
#
# Fidelity: the lines "Verifying archive integrity...", "Uncompressing LABEL  100%" and the second "Verifying"
# line plus "Makeself logfile:" of --check are captured. That options which makeself does not know reach
# the installer is captured (--full --install-for-all). The exit status of a damaged archive is assumed.

umask 022
here=$(pwd)
quiet=n
verify_only=n
run_script=y
keep_dir=
tmp_root=${TMPDIR:-/tmp}

say() { [ "$quiet" = y ] || printf '%s\n' "$1"; }

payload() { tail -n "+$((header_lines + 1))" "$0" | head -c "$packed_size"; }

verify() {
    [ "$quiet" = y ] || printf 'Verifying archive integrity... '
    found=$(payload | sha256sum | cut -c1-64)
    if [ "$found" != "$sha256" ]; then
        [ "$quiet" = y ] || printf '\n'
        printf 'Error in SHA256 checksums: %s is different from %s\n' "$found" "$sha256" >&2
        exit 1
    fi
    say ' 100%   SHA256 checksums are OK. All good.'
}

free_kb() { df -kP "$1" 2>/dev/null | awk 'NR == 2 { print $4 }'; }

usage() {
    cat <<EOT
Usage: ${0##*/} [archive options] [installer options]
Archive options:
  --help | -h        this text and the installer's options
  --info             what is in the archive
  --lsm              the archive's LSM entry (none)
  --list             names of the packed files
  --check            verify the archive, then the installer's own check
  --noexec           unpack, run nothing
  --extract=<path>   unpack to <path>, run nothing
  --tar <options>    hand the packed tar file to tar
  --nox11            accepted (no terminal window is ever opened)
  --                 the following options are the installer's
EOT
}

# Which of the two readings of an option wins: --quiet, --version and --check belong to the installer in the
# vendor's documents, so they are passed on (--check after verifying here).
count=$#
while [ "$count" -gt 0 ]; do
    arg=$1
    shift
    count=$((count - 1))
    case $arg in
        -h | --help)
            usage
            quiet=y
            set -- "$@" --help
            ;;
        --info)
            printf 'Identification: %s\nTarget directory: temporary\nUncompressed size: %s KB\nCompression: %s\n' \
                "$label" "$unpacked_kb" "$compression"
            printf 'Date of packaging: %s\nScript run after extraction: %s\n' "$packed_at" "$script"
            exit 0
            ;;
        --lsm) echo 'No LSM.'; exit 0 ;;
        --list) payload | unpack | tar tf -; exit $? ;;
        --tar)
            payload | unpack | tar "$@"
            exit $?
            ;;
        --check) verify_only=y; set -- "$@" --check ;;
        --noexec) run_script=n ;;
        --extract=* | --target=*) keep_dir=${arg#*=}; run_script=n ;;
        --extract | --target)
            keep_dir=$1
            shift
            count=$((count - 1))
            run_script=n
            ;;
        --nox11 | --nochown | --chown | --noprogress | --nodiskspace | --accept | --keep | --confirm) ;;
        --) set -- "$@" "$arg" ;;
        *) set -- "$@" "$arg" ;;
    esac
done

if [ "$verify_only" = y ]; then
    # Captured: --check prints the log file's name and verifies twice.
    printf 'Makeself logfile: %s/log/makeself/makeself.log\n' "${HOME:-/root}"
    verify
fi
verify

if [ -n "$keep_dir" ]; then
    case $keep_dir in /*) dir=$keep_dir ;; *) dir=$here/$keep_dir ;; esac
    mkdir -p "$dir" || { printf 'Cannot create target directory %s\n' "$dir" >&2; exit 1; }
else
    dir=$(mktemp -d "$tmp_root/selfgz.XXXXXXXX") || { printf 'Cannot create a directory in %s\n' "$tmp_root" >&2; exit 1; }
    [ "$run_script" = n ] || trap 'rm -rf "$dir"' EXIT
    trap 'exit 15' HUP INT TERM
fi

left=$(free_kb "$dir")
if [ -n "$left" ] && [ "$left" -lt "$unpacked_kb" ]; then
    printf 'Not enough space left in %s (%s KB) to decompress %s (%s KB)\n' "${dir%/*}" "$left" "$0" "$unpacked_kb" >&2
    rm -rf "$dir"
    exit 1
fi

[ "$quiet" = y ] || printf 'Uncompressing %s' "$label"
if ! payload | unpack | tar xof - -C "$dir"; then
    printf '\nExtraction failed.\n' >&2
    exit 1
fi
say '  100%  '

[ "$run_script" = y ] || exit 0

# The vendor's script learns which file it came from and where that lies (it prints both).
case $0 in */*) AP_RUN_DIR=$(cd "${0%/*}" && pwd) ;; *) AP_RUN_DIR=$here ;; esac
AP_RUN_FILE=${0##*/}
export AP_RUN_FILE AP_RUN_DIR
cd "$dir" || exit 1
sh "$script" "$@"
status=$?
cd /
exit "$status"
