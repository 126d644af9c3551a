# `npu-smi info -t board`, `-l` and `-m`. Lines start with one TAB, then `%-30s : `.
# a1_hdk23up is captured whole (23.0.5), a2 captured to BOM ID (25.2.0) and the rest documented by the vendor's
# source; a1_hdk22 is assumed: the 23.0.5 lines without Compatibility. a3 (a2 with Main Board ID) and p310 (a2 with
# Chip Fault): documented, vendor source; p310_hdk22 without Compatibility: assumed. -l and -m: captured at 25.0.rc1.1
# and 23.0.5; -m of A3 (physical id) and of 310P (Mcu row) captured in public fixtures; product lines of -l on cards:
# documented, vendor source.

smi_line() {
    printf '\t%-30s : %s\n' "$1" "$2"
}

# smi_firmware LOGIC: documented: asked from the device, so the flash answers, also before the reset that runs it.
smi_firmware() {
    lab_flash "$1"
    if [ "$(id -u)" = 0 ]; then FIRMWARE=$FLASH; else FIRMWARE=NA; fi # documented: NA without root
}

# smi_compatibility LOGIC...: documented: root only; the first chip that is not OK speaks for the NPU.
smi_compatibility() {
    if [ "$(id -u)" != 0 ]; then
        COMPATIBILITY='NOT SUPPORT'
        return
    fi
    lab_driver_dir
    list=$(sed -n 's/^compatible_version_fw=//p' "$LAB_DRIVER_DIR/version.info" 2> /dev/null)
    version=$(sed -n 's/^Version=//p' "$LAB_DRIVER_DIR/version.info" 2> /dev/null)
    for chip; do
        lab_flash "$chip"
        COMPATIBILITY=$(lab_compat "$FLASH" "$list" "${version:-$LAB_DRIVER}" "$FLASH_DRIVERS")
        [ "$COMPATIBILITY" = OK ] || return 0
    done
}

# Serial numbers are made up.
smi_serial() { # NPU
    printf '1023%08d%s' "$SERIAL" "$1"
}

smi_board() { # NPU LOGIC BUS COUNT
    smi_layout
    smi_firmware "$2"
    smi_line 'NPU ID' "$1"
    case $BOARD in a1*) ;; *)
        smi_line 'Product Name' "$BOARD_PRODUCT"
        smi_line 'Model' NA
        smi_line 'Manufacturer' Huawei
        smi_line 'Serial Number' "$(smi_serial "$1")"
        ;;
    esac
    smi_line 'Software Version' "$LAB_DRIVER"
    smi_line 'Firmware Version' "$FIRMWARE"
    case $BOARD in *_hdk22) ;; *)
        # shellcheck disable=SC2046 # one number a chip
        smi_compatibility $(lab_npu_chips "$1" | cut -d' ' -f3)
        smi_line 'Compatibility' "$COMPATIBILITY"
        ;;
    esac
    smi_line 'Board ID' "$BOARD_ID"
    # assumed: the value NA, and Chip Fault 0 below
    [ "$BOARD" != a3 ] || smi_line 'Main Board ID' NA
    smi_line 'PCB ID' A
    smi_line 'BOM ID' 1
    smi_line 'PCIe Bus Info' "$3"
    smi_line 'Slot ID' 0
    smi_line 'Class ID' NA
    smi_line 'PCI Vendor ID' "$(smi_hex "$PCI_VENDOR")"
    smi_line 'PCI Device ID' "$(smi_hex "$PCI_DEVICE")"
    smi_line 'Subsystem Vendor ID' "$(smi_hex "$PCI_SUBVENDOR")"
    smi_line 'Subsystem Device ID' "$(smi_hex "$PCI_SUBDEVICE")"
    smi_line 'Chip Count' "$4"
    case $BOARD in p310*) smi_line 'Chip Fault' 0 ;; esac
}

smi_hex() {
    printf '0x%s' "$(printf '%s' "${1#0x}" | tr a-f A-F)"
}

# Captured on an A1 at 23.0.5; that the others have the same lines is assumed. Die ids are made up from the chip.
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
    smi_line 'Chip Position ID' "$2"
    smi_line 'PCIe Bus Info' "$5"
    smi_line 'Firmware Version' "$FIRMWARE"
}

smi_list() {
    smi_layout
    counts=$(lab_chips | cut -d' ' -f1 | uniq -c | awk '{ print $2, $1 }')
    smi_line 'Total Count' "$(echo "$counts" | grep -c .)"
    [ -n "$counts" ] || return 0
    echo "$counts" | while read -r npu count; do
        echo
        smi_line 'NPU ID' "$npu"
        case $BOARD in p310*)
            smi_line 'Product Name' "$BOARD_PRODUCT"
            smi_line 'Serial Number' "$(smi_serial "$npu")"
            ;;
        esac
        smi_line 'Chip Count' "$count"
    done
}

# The management controller is listed as the chip after the last one of its NPU.
smi_map() {
    physical=
    if [ "$FAMILY" = A3 ]; then physical=yes; fi
    smi_map_row 'NPU ID' 'Chip ID' 'Chip Logic ID' ${physical:+'Chip Phy-ID'} 'Chip Name'
    lab_chips | while read -r npu chip logic name _; do
        case $name in Ascend*) ;; *) name="Ascend $name" ;; esac
        smi_map_row "$npu" "$chip" "$logic" ${physical:+"$logic"} "$name"
        if [ "$MCU" = 1 ] && [ "$chip" = $((CHIPS_PER_NPU - 1)) ]; then
            smi_map_row "$npu" "$CHIPS_PER_NPU" - ${physical:+-} Mcu
        fi
    done
}

smi_map_row() {
    printf '\t%-30s' "$1"
    shift
    for cell; do printf ' %-30s' "$cell"; done
    echo
}
