# The chips a host's npu-smi sees, with the faults that change them. Needs lib/state.sh and lib/modules.sh.

# lab_chips: hw/chips (npu_id chip_id logic_id name bus health ddr_used ddr_total hbm_used hbm_total power temp)
# without the chips that did not come up at this boot, Alarm where the fault says so, and with the memory that
# the processes holding a chip use. Captured: a training process takes 30784 MB of an A1's 32768 and 49207 MB
# of a 64 GB chip; that memory is reported per process is documented, that it is constant here is assumed. A chip
# without HBM takes it from its DDR (captured on 310P).
lab_chips() {
    alarm=
    if lab_fault health-alarm; then alarm=${FAULT:-0}; fi
    lost=$(cat "$LAB_RUN/lost" 2> /dev/null | tr "\n" " ")
    held=$(lab_chip_processes | cut -d' ' -f1 | tr '\n' ' ')
    awk -v alarm=",$alarm," -v lost=" $lost" -v held="$held" -v job="$JOB_MEMORY" '
        BEGIN { n = split(held, h, " "); for (i = 1; i <= n; i++) jobs[h[i]]++ }
        index(lost, " " $3 " ") { next }
        { if (index(alarm, "," $3 ",")) $6 = "Alarm"
          used = $10 ? 9 : 7
          $used += jobs[$3] * job; if ($used > $(used + 1)) $used = $(used + 1)
          print }' "$LAB_HW/chips"
}

# lab_chip_processes: "logic_id pid name" of each process that has a chip's node open.
lab_chip_processes() {
    lab_open_nodes | while read -r pid node; do
        case $node in davinci[0-9]*) ;; *) continue ;; esac
        read -r comm < "$LAB_PROC/$pid/comm" 2> /dev/null || continue
        echo "${node#davinci} $pid $comm"
    done | sort -k1,1n -k2,2n
}

# lab_npu_chips NPU: the rows of one NPU's chips.
lab_npu_chips() {
    lab_chips | awk -v npu="$1" '$1 == npu'
}

# lab_flash LOGIC_ID: firmware in a chip's flash: $FLASH and its list of drivers $FLASH_DRIVERS (empty = none).
lab_flash() {
    FLASH='' FLASH_DRIVERS=''
    while read -r npu version drivers; do
        [ "$npu" = "$1" ] || continue
        FLASH=$version
        [ "$drivers" = - ] || FLASH_DRIVERS=$drivers
    done < "$LAB_HW/flash"
}
