# The table of `npu-smi info`, byte for byte in the published column widths.
#   n93       A1 up to 23.0.rc1                          captured
#   n98       A1 from 23.0.rc3, A2                       captured
#   n98_a3    A3: physical id, the second die prints `-` for power, a rule without crossings between two dies: captured
#   n106_old  310P at 22.0.4; n106_new from 23.0 on      captured; all widths read in gitcode.com/cann/driver npucli
# Processes of all chips of an NPU are one block (captured). That 22.0.4 prints no process table, and the rule between
# the two chips of a 310P card at 22.0.4, are assumed (captured from 24.1.rc2 on).

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
        function rule(c) { return "+" line(c, w1) "+" line(c, w2) "+" line(c, w3) "+" }
        function first_row(f) {
            if (!wide) printf "| %-5d %-" (w1 - 7) "s| %-13s | %-11s %-17d %-5d/ %-13d |\n", f[1], f[4], f[6], f[11], f[12], 0, 0
            else if (layout == "n106_old") printf "| %-7d %-22s| %-15s | %-12s %-17d %-5d/ %-14d |\n", f[1], f[4], f[6], f[11], f[12], 0, 0
            else printf "| %-7d %-22s| %-15s | %-12s %-17d %-6d/ %-13d |\n", f[1], f[4], f[6], f[11], f[12], 0, 0
        }
        function second_row(f) {
            if (wide) {
                printf "| %-7d %-22d| %-15s | %-12d %-5d/ %-32d |\n", f[2], f[3], f[5], 0, f[7], f[8]
                return
            }
            if (a3) printf "| %-5d %-20d", f[2], f[3]
            else printf "| %-" (w1 - 1) "d", f[2]
            printf "| %-13s | %-11d %-5d/ %-10d %-5d/ %-13d |\n", f[5], 0, f[7], f[8], f[9], f[10]
        }
        function head() {
            if (wide) {
                printf "| npu-smi %-40s Version: %-44s |\n", tool, driver
                print rule("-")
                print "| NPU     Name                  | Health          | Power(W)     Temp(C)           Hugepages-Usage(page) |"
                print "| Chip    Device                | Bus-Id          | AICore(%)    Memory-Usage(MB)                        |"
                return
            }
            printf "| npu-smi %-24s Version: %-" (total - 46) "s |\n", tool, driver
            print rule("-")
            printf "| NPU   %-" (w1 - 7) "s| Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|\n", "Name"
            printf "| %-" (w1 - 1) "s| Bus-Id        | AICore(%%)   Memory-Usage(MB)  HBM-Usage(MB)        |\n", a3 ? "Chip  Phy-ID" : "Chip"
        }
        function process_head() {
            if (wide) print "| NPU     Chip                  | Process id      | Process name             | Process memory(MB)        |"
            else printf "| NPU     %-" (w1 - 9) "s| Process id    | Process name             | Process memory(MB)      |\n", "Chip"
        }
        function process_row(f, k) {
            if (wide) printf "| %-7d %-22d| %-15d | %-24s | %-25d |\n", f[1], f[2], pid[k], substr(comm[k], 1, 24), job
            else printf "| %-7d %-" (w1 - 9) "d| %-13d | %-24s | %-23d |\n", f[1], f[2], pid[k], substr(comm[k], 1, 24), job
        }
        BEGIN {
            wide = layout ~ /^n106/; a3 = layout == "n98_a3"
            w1 = wide ? 31 : layout == "n93" ? 22 : 27; w2 = wide ? 17 : 15; w3 = wide ? 54 : 52
            total = w1 + w2 + w3 + 4
        }
        $1 == "." { second = 1; next }
        !second { n++; row[n] = $0; npu[n] = $1; next }
        { p++; device[p] = $1; pid[p] = $2; comm[p] = $3 }
        END {
            print "+" line("-", total - 2) "+"
            head()
            print rule("=")
            for (i = 1; i <= n; i++) {
                split(row[i], f, " ")
                first_row(f)
                second_row(f)
                if (i < n && npu[i + 1] == npu[i]) print a3 ? "+" line("-", total - 2) "+" : rule("-")
                else print rule("=")
            }
            if (!processes) exit
            print rule("-")
            process_head()
            print rule("=")
            for (i = 1; i <= n; i++) {
                split(row[i], f, " ")
                if (i == 1 || npu[i - 1] != npu[i]) found = 0
                for (k = 1; k <= p; k++) if (device[k] == f[3]) { process_row(f, k); found = 1 }
                if (i < n && npu[i + 1] == npu[i]) continue
                if (!found) printf "| No running processes found in NPU %-" (total - 38) "d |\n", f[1]
                print rule("=")
            }
        }'
}
