# Taking the firmware package off the host. The chips keep what is in their flash (captured: immediate effect).
# shellcheck shell=sh

remove_firmware() {
    old_path=$(recorded Firmware_Install_Path_Param)
    rm -f "$R$old_path/firmware/version.info"
    log "[INFO]rm -rf version.info success"
    log "[INFO]target path : $old_path"
    rm -rf "$R$old_path/firmware"
    log "[INFO]rm -rf $old_path/firmware success"
    log "[INFO]uninstall firmware success"
}

forget_firmware() {
    forget Firmware
    rmdir "$R$old_path" 2>/dev/null || :
}
