# The other `npu-smi info -t TYPE` outputs. Needs lib/smi_board.sh. Each is called for every chip of the NPU; the head
# comes once, and a blank line stands between two chips (documented on cards of several chips). $FIRST is 1 for the
# first chip, $CHIP_COUNT is the NPU's.

percent() {
    if [ "$2" = 0 ]; then echo 0; else echo $(($1 * 100 / $2)); fi
}

# common: captured on 910B1 at 23.0.rc2; that A1 prints it without the mcu part is inferred from -m.
smi_common() { # NPU CHIP LOGIC NAME BUS HEALTH DDR DDR_TOTAL HBM HBM_TOTAL POWER TEMP
    smi_head "$1"
    smi_line 'Chip ID' "$2"
    smi_line 'Memory Usage Rate(%)' "$(percent "$7" "$8")"
    [ "${10}" = 0 ] || smi_line 'HBM Usage Rate(%)' "$(percent "$9" "${10}")"
    smi_line 'Aicore Usage Rate(%)' 0
    smi_line 'Aicore Freq(MHZ)' "$AICORE_MHZ"
    smi_line 'Aicore curFreq(MHZ)' 800
    smi_line 'Aicore Count' "$CORES"
    smi_line 'Temperature(C)' "${12}"
    smi_line 'NPU Real-time Power(W)' "${11}"
}

smi_common_mcu() {
    [ "$MCU" != 0 ] || return 0
    echo
    smi_line 'Chip Name' mcu
    smi_line 'Temperature(C)' 38
}

# usages: captured on 910B1 at 23.0.rc2 and on A1 at 23.0.5 (no Aivector line there). That a chip without HBM prints no
# HBM lines is assumed.
smi_usages() {
    smi_head "$1"
    smi_line 'DDR Capacity(MB)' "$8"
    smi_line 'DDR Usage Rate(%)' "$(percent "$7" "$8")"
    smi_line 'DDR Hugepages Total(page)' 0
    smi_line 'DDR Hugepages Usage Rate(%)' 0
    if [ "${10}" != 0 ]; then
        smi_line 'HBM Capacity(MB)' "${10}"
        smi_line 'HBM Usage Rate(%)' "$(percent "$9" "${10}")"
    fi
    smi_line 'Aicore Usage Rate(%)' 0
    [ "$FAMILY" = A1 ] || smi_line 'Aivector Usage Rate(%)' 0
    smi_line 'Aicpu Usage Rate(%)' 0
    smi_line 'Ctrlcpu Usage Rate(%)' 0
    smi_line 'DDR Bandwidth Usage Rate(%)' 0
    [ "${10}" = 0 ] || smi_line 'HBM Bandwidth Usage Rate(%)' 0
    smi_line 'Chip ID' "$2"
}

# memory: captured on 910B (HBM Manufacturer ID is printed there and not on 910: documented, vendor source).
smi_memory() {
    [ "$FIRST" = 0 ] || smi_line 'NPU ID' "$1"
    smi_line 'DDR Capacity(MB)' "$8"
    smi_line 'DDR Clock Speed(MHz)' "$([ "$8" = 0 ] && echo 0 || echo 2400)"
    if [ "${10}" != 0 ]; then
        smi_line 'HBM Capacity(MB)' "${10}"
        smi_line 'HBM Clock Speed(MHz)' "$([ "$FAMILY" = A1 ] && echo 1000 || echo 1600)"
        smi_line 'HBM Temperature(C)' "${12}"
        [ "$FAMILY" = A1 ] || smi_line 'HBM Manufacturer ID' 0x57
    fi
    smi_line 'Chip ID' "$2"
}

# health: documented (mind-cluster, `-i N -c 0`). The NPU ID and Chip Count head without -c is assumed, the Alarm
# code is one captured on a 910B with a temperature alarm.
smi_health() {
    [ -n "$WANT_CHIP" ] || smi_head "$1"
    smi_line 'Health Status' "$6"
    if [ "$6" = OK ]; then
        smi_line 'Error Code' NA
        smi_line 'Error Information' NA
    else
        smi_line 'Error Code' 80E01801
        smi_line 'Error Information' 'node type=SOC, sensor type=Temperature'
    fi
    [ -n "$WANT_CHIP" ] || smi_line 'Chip ID' "$2"
}

# proc-mem: process line and idle sentence captured (910B, 24.1 to 25.5); their place in the block is inferred.
smi_proc_mem() {
    smi_head "$1"
    if lab_chip_processes | grep -q "^$3 "; then
        lab_chip_processes | while read -r npu pid comm; do
            [ "$npu" = "$3" ] || continue
            printf '\tProcess id:%-12s Process name:%-18s Process memory(MB):%s\n' "$pid" "$comm" "$JOB_MEMORY"
        done
    else
        printf '\tNo process in device.\n'
    fi
    smi_line 'Chip ID' "$2"
}

# ecc: documented (mind-cluster, A1 at 23.0.5): a wider key column than the other types.
smi_ecc() {
    [ "$FIRST" = 0 ] || printf '\t%-40s : %s\n\t%-40s : %s\n\n' 'NPU ID' "$1" 'Chip Count' "$CHIP_COUNT"
    for memory in DDR HBM; do
        [ "$memory${10}" != HBM0 ] || continue
        for key in 'Single Bit Error Count' 'Double Bit Error Count' 'Single Bit Aggregate Total Err Cnt' \
            'Double Bit Aggregate Total Err Cnt' 'Single Bit Isolated Pages Count' 'Double Bit Isolated Pages Count'; do
            printf '\t%-40s : 0\n' "$memory $key"
        done
    done
    printf '\t%-40s : %s\n' 'Chip ID' "$2"
}

# err-count: assumed, no capture was found.
smi_err_count() {
    smi_head "$1"
    smi_line 'Error Count' "$([ "$6" = OK ] && echo 0 || echo 1)"
    smi_line 'Chip ID' "$2"
}

smi_head() {
    [ "$FIRST" = 1 ] || return 0
    smi_line 'NPU ID' "$1"
    smi_line 'Chip Count' "$CHIP_COUNT"
    echo
}

# topo: captured on 8 x 910B1 at 23.0.rc2 (column widths came through a web page: assumed). That the eight chips
# of an A1 are two HCCS groups of four joined by PCIe is documented for the Atlas 800 (model 9000/9010). A3 names its
# chips by physical id, the dies of one NPU are joined by SIO and all others by HCCS_SW (captured in public fixtures;
# the two lines of its legend are assumed). 310P: two chips of a card behind one switch: assumed.
smi_topo() {
    lab_chips | awk -v family="$FAMILY" '
        function link(i, j) {
            if (i == j) return "X"
            if (family == "A3") return npu[i] == npu[j] ? "SIO" : "HCCS_SW"
            if (family == "310P") return npu[i] == npu[j] ? "PIX" : "SYS"
            return family != "A1" || int(npu[i] / 4) == int(npu[j] / 4) ? "HCCS" : "SYS"
        }
        { npu[NR] = $1; name[NR] = family == "A1" || family == "A2" ? "NPU" $1 : family == "A3" ? "Phy-ID" $3 : "NPU" $1 "-" $2 }
        END {
            printf "\t   "; for (i = 1; i <= NR; i++) printf "%-11s", name[i]; print "CPU Affinity"
            for (i = 1; i <= NR; i++) {
                printf "%-11s", name[i]
                for (j = 1; j <= NR; j++) printf "%-11s", link(i, j)
                printf "%d-%d\n", int(npu[i] / 2) * 24, int(npu[i] / 2) * 24 + 23
            }
            print ""
            print "Legend:"
            print "  X    = Self"
            print "  SYS  = Path traversing PCIe and NUMA nodes. Nodes are connected through SMP, such as QPI, UPI."
            print "  PHB  = Path traversing PCIe and the PCIe host bridge of a CPU."
            print "  PIX  = Path traversing a single PCIe switch"
            print "  PXB  = Path traversing multipul PCIe switches"
            print "  HCCS = Connection traversing HCCS."
            if (family == "A3") {
                print "  HCCS_SW = Connection traversing HCCS through a switch."
                print "  SIO  = Connection between the dies of one NPU."
            }
        }'
}
