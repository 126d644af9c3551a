# Packages arrive here. Arguments: open|close DIRECTORY SHA256 FILE [LOGIN_ID MEGABYTES]. Status 3: already there.
part=$1 directory=$2 digest=$3 file=$4
place=$directory/$digest incoming=$directory/incoming/$digest
sum() { sha256sum <"$1" | cut -d ' ' -f 1; }

if [ "$part" = open ]; then
    mkdir -p "$directory" && chmod 0711 "$directory" || exit 1
    if [ -f "$place/$file" ]; then
        [ "$(sum "$place/$file")" = "$digest" ] && echo "$file is already there, verified" && exit 3
        echo "$file was damaged on this host's disk; it is copied again"
    fi
    rm -rf "$place" "$directory/incoming"
    free=$(df -Pm "$directory" | awk 'NR == 2 { print $4 }')
    if [ "$free" -lt "$6" ]; then
        echo "error: $directory has $free MiB free, $file needs $6 MiB: make room, then run it again"
        exit 1
    fi
    mkdir -p "$incoming" && chmod 0711 "$directory/incoming" && chmod 0700 "$incoming" && chown "$5" "$incoming"
    exit
fi

# From here on only root can touch it, so what is hashed is what will run.
chown -R 0:0 "$directory/incoming" && chmod 0700 "$directory/incoming" || exit 1
found=$(sum "$incoming/$file")
if [ "$found" != "$digest" ]; then
    rm -rf "$directory/incoming"
    echo "error: $file was damaged in transit: sha256 $found, wanted $digest; nothing was kept, run it again"
    exit 1
fi
chmod 0700 "$incoming/$file" && { sync "$incoming/$file" 2>/dev/null || sync; }
mv "$incoming" "$place" && { sync "$directory" 2>/dev/null || sync; }
rm -rf "$directory/incoming"
echo "$file is in place, sha256 $digest"
