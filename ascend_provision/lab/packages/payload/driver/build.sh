# The kernel modules: taken from the package when the running kernel is one it was built for, else built on
# the host with dkms. Documented: the tables of default kernels and the failures' texts; captured: the log of
# a host without dkms. HDK's own dkms module is davinci_ascend 1.0 (documented).
# shellcheck shell=sh

# pick_build: BUILD is Direct or DKMS; ends the installation when neither can work.
pick_build() {
    KERNEL=$(worn_kernel)
    BUILD=Direct
    for prebuilt in $PREBUILT_KERNELS; do
        [ "$prebuilt" != "$KERNEL" ] || return 0
    done
    BUILD=DKMS
    log "[INFO]dkms environment check..."
    lacking=
    for tool in dkms gcc make; do
        if ! have "$tool"; then
            log "[WARNING]The program '$tool' is currently not installed."
            lacking=$tool
        fi
    done
    if ! has_headers; then
        log "[WARNING]/lib/modules/$KERNEL/build: No such file or directory"
        lacking=headers
    fi
    [ -n "$lacking" ] || return 0
    log "[INFO]not detect driver dkms dependence "
    log "[ERROR]current kernel primary version($KERNEL) is different from the driver($(first_word "$PREBUILT_KERNELS"))."
    settle_etc
    install_failed "Drv_dkms_env_check failed"
}

# The link to the headers is absolute, so below a test root it has to be followed there.
has_headers() {
    headers=$(readlink "$R/lib/modules/$KERNEL/build") && [ -d "$R$headers" ]
}

first_word() { printf '%s\n' "${1%% *}"; }

# A failed build leaves /var/lib/dkms/davinci_ascend with its make.log (documented); dkms itself writes that.
build_modules() {
    source_dir=$R/usr/src/davinci_ascend-1.0
    mkdir -p "$source_dir"
    printf 'PACKAGE_NAME="davinci_ascend"\nPACKAGE_VERSION="1.0"\nAUTOINSTALL="yes"\nDRIVER_VERSION="%s"\n' "$VERSION" \
        >"$source_dir/dkms.conf"
    for step in add build install; do
        host_tool dkms "$step" -m davinci_ascend -v 1.0 -k "$KERNEL" >>"$LOG_FILE" 2>&1 || return 1
    done
}

install_modules() {
    log "[INFO]ko default put-path /lib/modules/$KERNEL/updates"
    if [ "$BUILD" = DKMS ] && ! build_modules; then
        out "[ERROR]${RED}Dkms install failed, details in : var/log/ascend_seclog/ascend_install.log $PLAIN"
        log "[ERROR]Dkms install failed"
        install_failed "Driver_ko_install failed"
    fi
    # The simulated dkms only says whether a build works, so the files come from here either way.
    (lab_ko_write "$VERSION" "$KERNEL") || install_failed "Driver_ko_install failed"
    ! have depmod || host_tool depmod -a >>"$LOG_FILE" 2>&1
    log "[INFO]driver ko auto insmod config success"
}

# start_devices: load the new modules when none are loaded; HOT_RESET becomes success when the chips came up.
# Documented: only a first installation without loaded modules and without --force, or an overwrite whose old
# modules could be removed, takes effect at once.
start_devices() {
    if [ -s "$LAB_RUN/modules" ] || [ "$FORCE" = y ]; then
        [ "$HOT_RESET" = ko_abort ] || HOT_RESET=unknown
        log "[INFO]install ko, hot reset status: abort, first_time:$FIRST_TIME"
        return
    fi
    out "[INFO]Waiting for device startup..."
    if (lab_driver_load); then
        out "[INFO]Device startup success"
        HOT_RESET=success
    else
        both "[WARNING]There are some chips not ready, please check after reboot"
        HOT_RESET=unknown
    fi
}
