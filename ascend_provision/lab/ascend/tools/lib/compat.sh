# Compatibility of driver and firmware as npu-smi judges it.
# Documented: gitcode.com/cann/driver, dcmi_basic_info_intf.c and dcmi_permission_judge.c. Everything is plain
# string comparison there, so it is here: versions are never read as numbers.

# lab_compat FIRMWARE DRIVER_FILE_LIST DRIVER FLASH_LIST -> OK | NOK | UNKNOWN
#   FIRMWARE          version in the flash
#   DRIVER_FILE_LIST  compatible_version_fw of driver/version.info, may be empty
#   DRIVER            driver version
#   FLASH_LIST        compatible_version_drv of the firmware in the flash, may be empty
lab_compat() {
    awk -v fw="$1" -v fw_list="$2" -v drv="$3" -v drv_list="$4" '
        function inside(version, list,    n, part, i, lo, hi, wide, cut) {
            gsub(/[],[]+/, " ", list)
            n = split(list, part, " ")
            for (i = 1; i + 1 <= n; i += 2) {
                lo = part[i]; hi = part[i + 1]
                wide = length(lo) > length(hi) ? length(lo) : length(hi)
                cut = substr(version, 1, wide)
                if ((cut "") >= (lo "") && (cut "") <= (hi "")) return 1
            }
            return 0
        }
        BEGIN {
            if ((fw "") < "6.4.") { print "NOK"; exit }
            if (inside(fw, fw_list)) { print "OK"; exit }
            if (drv_list == "") { print "UNKNOWN"; exit }
            print inside(drv, drv_list) ? "OK" : "NOK"
        }'
}
