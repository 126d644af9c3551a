# Write one file whole. Argument: PATH; its text is the table `content`. Status 3: it says that already.
# A file that says something else is kept beside the run's other backups before it is replaced.
path=$1
case $path in /*) ;; *) echo "error: $path is not an absolute path"; exit 1 ;; esac
same() { [ -f "$path" ] && [ ! -L "$path" ] && cmp -s "$path" "$GUARD_TABLES/content"; }
if same && [ "$(stat -c '%a %u:%g' "$path")" = '644 0:0' ]; then echo "$path is as planned"; exit 3; fi
kept=$GUARD_ROOT/backups/$GUARD_RUN/env-profile$path
if [ -e "$path" ] && [ ! -e "$kept" ] && ! same; then
    (umask 077 && mkdir -p "${kept%/*}") && cp -pP "$path" "$kept" || { echo "error: $path could not be kept as $kept"; exit 1; }
    echo "the file before is kept as $kept"
fi
mkdir -p "${path%/*}" && cp "$GUARD_TABLES/content" "$path.new" && chown 0:0 "$path.new" && chmod 0644 "$path.new" &&
    { sync "$path.new" 2>/dev/null || sync; } && mv -f "$path.new" "$path" || { rm -f "$path.new"; echo "error: $path could not be written"; exit 1; }
echo "$path written"
