# Writing the chips' flash. hw/flash holds "npu_id version drivers" (drivers: the firmware's
# compatible_version_drv, - for none) and changes at once; hw/active is what runs and changes at a boot.
# Captured: the component listings around the upgrade, the percentages, the chip count.
# shellcheck shell=sh

# Chips that can be reached: those that did not come up at this boot keep their old flash (assumed).
reachable_chips() {
    awk '{ print $3 }' "$LAB_HW/chips" | while read -r chip; do
        grep -qx "$chip" "$LAB_RUN/lost" 2>/dev/null || echo "$chip"
    done
}

component_listing() {
    log "[INFO]$1 upgrade firmware log >>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>"
    if [ -x "$LAB/bin/upgrade-tool" ]; then
        LAB_TOOL_VERSION=$VERSION "$LAB/bin/upgrade-tool" --device_index -1 --component -1 --version >>"$LOG_FILE" 2>&1 || :
    fi
    log "[INFO]$1 upgrade firmware log >>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>"
}

write_flash() {
    chips=$(reachable_chips)
    count=$(printf '%s\n' "$chips" | grep -c .)
    log "[INFO][$count] mini pcie devices are scanned."
    component_listing before
    progress 0
    pause 40
    progress 90
    pause 60
    awk -v new="$VERSION" -v drivers="${COMPATIBLE_DRIVERS:--}" -v chips=" $(printf '%s' "$chips" | tr '\n' ' ') " '
        index(chips, " " $1 " ") { print $1, new, drivers; next } { print }' "$LAB_HW/flash" >"$LAB_HW/flash.new"
    mv "$LAB_HW/flash.new" "$LAB_HW/flash"
    : >"$LAB_HW/flash-pending" # until the next boot, also when the same version was written again
    progress 100
    log "[INFO]firmware upgrade success"
    component_listing after
    out "[INFO]The firmware of [$count] chips are successfully upgraded."
}
