# `npu-smi info -t board`, `-l` and `-m`. Lines start with one TAB, then `%-30s : `.
# a1_hdk23up is captured whole (23.0.5), a2 captured to BOM ID (25.2.0) and the rest documented by the vendor's
# source; a1_hdk22 is assumed: the 23.0.5 lines without Compatibility. -l and -m: captured at 25.0.rc1.1 and 23.0.5.

smi_line() {
    printf '\t%-30s : %s\n' "$1" "$2"
}

# smi_firmware LOGIC: documented: asked from the device, so the flash answers, also before the reset that runs it.
smi_firmware() {
    lab_flash "$1"
    if [ "$(id -u)" = 0 ]; then FIRMWARE=$FLASH; else FIRMWARE=NA; fi # documented: NA without root
}

# smi_compatibility LOGIC: documented: root only.
smi_compatibility() {
    if [ "$(id -u)" != 0 ]; then
        COMPATIBILITY='NOT SUPPORT'
        return
    fi
    lab_flash "$1"
    lab_driver_dir
    list=$(sed -n 's/^compatible_version_fw=//p' "$LAB_DRIVER_DIR/version.info" 2> /dev/null)
    version=$(sed -n 's/^Version=//p' "$LAB_DRIVER_DIR/version.info" 2> /dev/null)
    COMPATIBILITY=$(lab_compat "$FLASH" "$list" "${version:-$LAB_DRIVER}" "$FLASH_DRIVERS")
}

smi_board() { # NPU LOGIC BUS
    smi_layout
    smi_firmware "$2"
    smi_line 'NPU ID' "$1"
    if [ "$BOARD" = a2 ]; then
        smi_line 'Product Name' "$BOARD_PRODUCT"
        smi_line 'Model' NA
        smi_line 'Manufacturer' Huawei
        smi_line 'Serial Number' "1023$(printf '%08d' "$SERIAL")$1"
    fi
    smi_line 'Software Version' "$LAB_DRIVER"
    smi_line 'Firmware Version' "$FIRMWARE"
    if [ "$BOARD" != a1_hdk22 ]; then
        smi_compatibility "$2"
        smi_line 'Compatibility' "$COMPATIBILITY"
    fi
    smi_line 'Board ID' "$BOARD_ID"
    smi_line 'PCB ID' A
    smi_line 'BOM ID' 1
    smi_line 'PCIe Bus Info' "$3"
    smi_line 'Slot ID' 0
    smi_line 'Class ID' NA
    smi_line 'PCI Vendor ID' "$(smi_hex "$PCI_VENDOR")"
    smi_line 'PCI Device ID' "$(smi_hex "$PCI_DEVICE")"
    smi_line 'Subsystem Vendor ID' "$(smi_hex "$PCI_SUBVENDOR")"
    smi_line 'Subsystem Device ID' "$(smi_hex "$PCI_SUBDEVICE")"
    smi_line 'Chip Count' 1
}

smi_hex() {
    printf '0x%s' "$(printf '%s' "${1#0x}" | tr a-f A-F)"
}

# Captured on an A1 at 23.0.5; that A2 has the same lines is assumed. Die ids are made up from the chip.
smi_board_chip() { # NPU CHIP LOGIC NAME BUS
    smi_firmware "$3"
    smi_line 'NPU ID' "$1"
    smi_line 'Chip ID' "$2"
    smi_line 'Chip Type' Ascend
    smi_line 'Chip Name' "$4"
    smi_line 'Chip Version' V1
    smi_line 'Board ID' "$BOARD_ID"
    smi_line 'PCB ID' NA
    smi_line 'BOM ID' 1
    smi_line 'VDie ID' "$(printf '%08X %08X 4A10C8D4 14CC040A D2102003' "$((SERIAL * 16 + $1 + 1))" "$((0x20B03704 + $1))")"
    smi_line 'NDie ID' "$(printf '%08X %08X 4E10C8D4 14CC040A A4102003' "$((SERIAL * 16 + $1 + 1))" "$((0x20401010 + $1))")"
    smi_line 'Chip Position ID' 0
    smi_line 'PCIe Bus Info' "$5"
    smi_line 'Firmware Version' "$FIRMWARE"
}

smi_list() {
    smi_line 'Total Count' "$(lab_chips | grep -c .)"
    lab_chips | while read -r npu _; do
        echo
        smi_line 'NPU ID' "$npu"
        smi_line 'Chip Count' 1
    done
}

smi_map() {
    smi_map_row 'NPU ID' 'Chip ID' 'Chip Logic ID' 'Chip Name'
    lab_chips | while read -r npu chip logic name _; do
        smi_map_row "$npu" "$chip" "$logic" "Ascend $name"
        [ "$MCU" = 0 ] || smi_map_row "$npu" 1 - Mcu
    done
}

smi_map_row() {
    printf '\t%-30s %-30s %-30s %-30s\n' "$1" "$2" "$3" "$4"
}
