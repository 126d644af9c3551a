# The table of `npu-smi info`, byte for byte in the published column widths.
# n93 (A1 up to 23.0.rc1) and n98 (A1 from 23.0.rc3, A2): captured, and read in gitcode.com/cann/driver npucli.
# That 22.0.4 prints no process table is assumed (absent in its only capture).

# smi_layout: $LAYOUT, $PROCESS_TABLE and $BOARD of this npu-smi's own version (hw/layouts).
smi_layout() {
    LAYOUT='' PROCESS_TABLE='' BOARD=''
    while read -r version layout table board; do
        LAYOUT=$layout PROCESS_TABLE=$table BOARD=$board
        [ "$version" = "$LAB_TOOL_VERSION" ] && return 0
    done < "$LAB_HW/layouts"
}

smi_table() {
    smi_layout
    { lab_chips; echo .; [ "$PROCESS_TABLE" = 0 ] || lab_chip_processes; } |
        awk -v tool="$LAB_TOOL_VERSION" -v driver="$LAB_DRIVER" -v layout="$LAYOUT" -v processes="$PROCESS_TABLE" \
            -v job="$JOB_MEMORY" '
        function line(c, n,   s) { s = ""; while (n-- > 0) s = s c; return s }
        function rule(c) { return "+" line(c, w1) "+" line(c, 15) "+" line(c, 52) "+" }
        BEGIN {
            w1 = layout == "n93" ? 22 : 27
            total = w1 + 71
            name = "%-" (w1 - 7) "s"; chip = "%-" (w1 - 1) "d"; pchip = "%-" (w1 - 9) "d"
        }
        $1 == "." { second = 1; next }
        !second { n++; row[n] = $0; next }
        { p++; pnpu[p] = $1; pid[p] = $2; comm[p] = $3 }
        END {
            print "+" line("-", total - 2) "+"
            printf "| npu-smi %-24s Version: %-" (total - 46) "s |\n", tool, driver
            print rule("-")
            printf "| NPU   " name "| Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|\n", "Name"
            printf "| %-" (w1 - 1) "s| Bus-Id        | AICore(%%)   Memory-Usage(MB)  HBM-Usage(MB)        |\n", "Chip"
            print rule("=")
            for (i = 1; i <= n; i++) {
                split(row[i], f, " ")
                printf "| %-5d " name "| %-13s | %-11.1f %-17d %-5d/ %-13d |\n", f[1], f[4], f[6], f[11], f[12], 0, 0
                printf "| " chip "| %-13s | %-11d %-5d/ %-10d %-5d/ %-13d |\n", f[2], f[5], 0, f[7], f[8], f[9], f[10]
                print rule("=")
            }
            if (!processes) exit
            print rule("-")
            printf "| NPU     %-" (w1 - 9) "s| Process id    | Process name             | Process memory(MB)      |\n", "Chip"
            print rule("=")
            for (i = 1; i <= n; i++) {
                split(row[i], f, " "); found = 0
                for (k = 1; k <= p; k++) if (pnpu[k] == f[3]) {
                    printf "| %-7d " pchip "| %-13d | %-24s | %-23d |\n", f[1], f[2], pid[k], substr(comm[k], 1, 24), job
                    found = 1
                }
                if (!found) printf "| No running processes found in NPU %-" (total - 38) "d |\n", f[1]
                print rule("=")
            }
        }'
}
