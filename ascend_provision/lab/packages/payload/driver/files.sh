# The files of an installed driver. Paths captured (install logs, listings) unless a line says otherwise.
# shellcheck shell=sh

# Documented: created when missing, never overwritten.
ensure_vnpu_conf() {
    [ ! -f "$R/etc/vnpu.cfg" ] || return 0
    printf '%s\n' 'vnpu_config_recover:enable' '[vnpu-config start]' '[vnpu-config end]' >"$R/etc/vnpu.cfg"
    chmod 600 "$R/etc/vnpu.cfg"
}

record_install() {
    keep_record UserName "$OWNER"
    keep_record UserGroup "$GROUP"
    [ "$UPGRADE" = y ] && [ -n "$(recorded Driver_Install_For_All)" ] && FOR_ALL=$(recorded Driver_Install_For_All)
    record Driver_Install_Type "$TYPE"
    record Driver_Install_Path_Param "$TARGET"
    record Driver_Install_For_All "$FOR_ALL"
    [ "$WRITES_MODE" = n ] || record Driver_Install_Mode normal
    [ ! -f "$INSTALL_INFO" ] || sed -i '/^Driver_Install_Status=/d' "$INSTALL_INFO"
}

# One tool: a shell file that runs the host's simulated tool, with this package's version as the tool's own.
write_tool() {
    cat >"$DRIVER_DIR/tools/$1" <<TOOL
#!/bin/sh
LAB_TOOL_VERSION=$VERSION
export LAB_TOOL_VERSION
exec "\${LAB_ROOT:-}/opt/ascend-lab/bin/$1" "\$@"
TOOL
    chmod 755 "$DRIVER_DIR/tools/$1"
}

copy_files() {
    DRIVER_DIR=$R$TARGET/driver
    mkdir -p "$DRIVER_DIR/tools" "$DRIVER_DIR/script/shared" "$R/var/log/npu" "$R/root/ascend_check" "$R/etc/logrotate.d"
    cp -R "$here/tree/." "$DRIVER_DIR/"
    cp "$here/package.conf" "$here/remove.sh" "$here/uninstall.sh" "$DRIVER_DIR/script/"
    cp "$here/shared/say.sh" "$here/shared/host.sh" "$here/shared/record.sh" "$DRIVER_DIR/script/shared/"
    chmod 755 "$DRIVER_DIR/script/uninstall.sh"
    for tool in $TOOLS; do write_tool "$tool"; done
    # Documented: the log's rotation rule, in a file called tmp (sic). It stays after an uninstall.
    printf '%s {\n        su root root\n        daily\n        size=5M\n        rotate 3\n        missingok\n        create 440 root root\n    }\n' \
        /var/log/ascend_seclog/ascend_install.log >"$R/etc/logrotate.d/tmp"
    log "[INFO]target path : $TARGET/driver"
}

write_davinci_conf() {
    mkdir -p "$R/lib"
    printf 'DAVINCI_HOME_PATH=%s\n' "$TARGET" >"$R/lib/davinci.conf"
    chmod 444 "$R/lib/davinci.conf"
    log "[INFO]show /lib/davinci.conf :DAVINCI_HOME_PATH=$TARGET"
    log "[INFO]set /lib/davinci.conf success"
}

# Captured: npu-smi is found in both directories; the same for the other two tools is assumed.
run_environment() {
    mkdir -p "$R/usr/local/bin" "$R/usr/local/sbin" "$R/etc/init.d"
    for tool in $TOOLS; do
        for dir in /usr/local/bin /usr/local/sbin; do ln -sf "$TARGET/driver/tools/$tool" "$R$dir/$tool"; done
    done
    printf '#!/bin/sh\n# Starts the host services of the NPU driver (simulated: nothing to start).\n' \
        >"$R/etc/init.d/host_sys_init.sh"
    chmod 755 "$R/etc/init.d/host_sys_init.sh"
    TAG=Server
    log "[INFO]server load start..."
    log "[INFO]server(/etc/init.d/host_sys_init.sh) setup success"
    log "[INFO]run bin set success"
    log "[INFO]server load end..."
    TAG=Driver
}

# /etc/hccn.conf gets mode 640, with --install-for-all 644, and is created when missing (documented; that it is not for
# chips without a network port is inferred).
# Fault hccn-dropped: it is emptied and the NPUs lose their addresses (field: lost IPs after an upgrade).
settle_etc() {
    conf=$R/etc/hccn.conf
    case " $TOOLS " in *" hccn_tool "*) ;; *) return 0 ;; esac
    [ -f "$conf" ] || : >"$conf"
    [ -n "$R" ] || chown root:root "$conf"
    if [ "$FOR_ALL" = yes ]; then chmod 644 "$conf"; else chmod 640 "$conf"; fi
    if lab_fault hccn-dropped; then
        : >"$conf"
        chmod 600 "$conf"
        rm -f "$LAB_HW"/hccn/*
    fi
    log "[INFO]some files in /etc/ change success"
}

write_version_info() {
    cp "$here/version.info" "$DRIVER_DIR/version.info"
    chmod 444 "$DRIVER_DIR/version.info"
}
