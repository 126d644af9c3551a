# Sourced by makeself (--header): writes the front of a lab package to $archname. makeself sources it twice,
# the first time only to count the lines (SKIP=0), so both passes must write the same number of lines.
# Everything that is not a value of this archive is in stub.sh beside this file.
cat << AP_VALUES > "$archname"
#!/bin/sh
# Self-extracting package of the ascend-provision lab. It simulates a vendor installer; it is not one.
# Packed with makeself $MS_VERSION and a header of the lab's own (Apache-2.0).
label="$LABEL"
script="$SCRIPT"
sha256="$SHAsum"
packed_size="$filesizes"
unpacked_kb="${AP_UNPACKED_KB:-$USIZE}"
packed_at="$DATE"
compression="$COMPRESS"
header_lines="$SKIP"
unpack() { $GUNZIP_CMD; }
AP_VALUES
cat "${HEADER%/*}/stub.sh" >> "$archname"
