# The NPU network of a host: live settings hw/hccn/N (KEY=VALUE) and the file /etc/hccn.conf that they come from.
# Needs lib/state.sh. Documented: hccn_tool keeps its settings in /etc/hccn.conf and they are applied at start-up.
# Assumed: with an empty or missing file a start-up leaves the NPU without settings.

# lab_hccn KEY: live value of device $DEVICE.
lab_hccn() {
    sed -n "s/^$1=//p" "$LAB_HW/hccn/$DEVICE" 2> /dev/null
}

# lab_hccn_set KEY VALUE: live value of device $DEVICE; an empty VALUE removes the key.
lab_hccn_set() {
    live=$LAB_HW/hccn/$DEVICE
    mkdir -p "$LAB_HW/hccn"
    [ -e "$live" ] || : > "$live"
    sed "/^$1=/d" "$live" > "$live.new"
    [ -z "$2" ] || printf '%s=%s\n' "$1" "$2" >> "$live.new"
    mv "$live.new" "$live"
}

# lab_hccn_save KEY VALUE: the same in /etc/hccn.conf, in place (mode and owner stay).
lab_hccn_save() {
    conf=${LAB_ROOT:-}/etc/hccn.conf
    new=$LAB_RUN/hccn.conf.new
    [ -e "$conf" ] || : > "$conf"
    if grep -q "^$1_$DEVICE=" "$conf"; then
        sed "s|^$1_$DEVICE=.*|$1_$DEVICE=$2|" "$conf" > "$new"
    else
        { cat "$conf"; printf '%s_%s=%s\n' "$1" "$DEVICE" "$2"; } > "$new"
    fi
    cat "$new" > "$conf"
    rm -f "$new"
}

# lab_hccn_apply: what start-up and `hccn_tool -cfg recovery` do with /etc/hccn.conf for device $DEVICE.
lab_hccn_apply() {
    conf=${LAB_ROOT:-}/etc/hccn.conf
    mkdir -p "$LAB_HW/hccn"
    sed -n "s/^\([a-z_]*\)_$DEVICE=/\1=/p" "$conf" > "$LAB_HW/hccn/$DEVICE" 2> /dev/null || : > "$LAB_HW/hccn/$DEVICE"
}

# lab_hccn_up: true while the link of $DEVICE is up.
lab_hccn_up() {
    if lab_fault hccn-link-down && lab_named_chip "$FAULT" 0 "$DEVICE"; then return 1; fi
    [ "$(lab_hccn link)" != down ]
}

# lab_same_net A B MASK
lab_same_net() {
    awk -v a="$1" -v b="$2" -v m="$3" 'BEGIN {
        if (split(a, x, ".") != 4 || split(b, y, ".") != 4 || split(m, z, ".") != 4) exit 1
        for (i = 1; i <= 4; i++) { s = 256 - z[i]; if (int(x[i] / s) != int(y[i] / s)) exit 1 }
    }'
}
