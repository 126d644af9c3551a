# What the driver package asks of a host before it changes anything. Messages documented (vendor source
# args_parse.sh, env_check.sh) unless a line says assumed.
# shellcheck shell=sh

check_root() {
    [ -n "$R" ] || [ "$(id -u)" -eq 0 ] && return
    out "[ERROR]ERR_NO:0x0093;ERR_DES:do not have root permission, operation failed, please use root permission!"
    exit 1
}

# Wrong architecture and wrong chip. The vendor compares PCI ids; here the chip of the hardware description.
check_package() {
    if [ "$(host_arch)" != "$ARCH" ]; then
        fail "${RED}Arch mismatch, src package is $ARCH, cur os is $(host_arch) $PLAIN" \
            "Arch mismatch, src package is $ARCH, cur os is $(host_arch)"
    fi
    case $TYPE in uninstall | docker | "") return ;; esac
    log "[INFO] Driver  expected bdfs (19e5:$PCI_DEVICE), device chip is ($(hw CHIP))"
    if [ -n "$(hw CHIP)" ] && [ "$(hw CHIP)" != "$CHIP" ]; then
        fail "The current installation package and environment is not match, please check."
    fi
}

base_version() {
    path=$(recorded Driver_Install_Path_Param)
    old=$(file_value "$R$path/driver/version.info" Version)
    if [ -n "$path" ] && [ -n "$old" ]; then
        both "[INFO]base version is $old."
    else
        log "[INFO]base version was destroyed or not exist."
    fi
}

both_warning() {
    out "[WARNING]${YELLOW}Do not power off or restart the system during the installation/upgrade$PLAIN"
}

# 910b with firmware N.11.*: no driver but 23.0.RC1's is let in. The vendor also reads a PCI register for
# hosts without the file; here the flash is read instead (assumed to say the same).
check_stopover() {
    [ "$TYPE" = uninstall ] && return
    [ "$CHIP" = 910b ] || return
    case $VERSION in 23.0.rc1*) return ;; esac
    path=$(recorded Driver_Install_Path_Param)
    firmware=$(file_value "$R${path:-/usr/local/Ascend}/firmware/version.info" Version)
    [ -n "$firmware" ] || firmware=$(awk 'NR == 1 { print $2 }' "$LAB_HW/flash" 2>/dev/null)
    [ "$(printf '%s' "$firmware" | cut -d. -f2)" = 11 ] || return
    both "[WARNING]Download and install the 23.0.RC1 driver package. Then upgrade to the target version. "
    end_log 1
}

# Captured line; that the relation of two published versions always passes here is assumed.
version_relation() {
    [ -n "$(recorded Firmware_Install_Path_Param)" ] || return 0
    if [ "$CHECK" = y ]; then
        both "[INFO]driver and firmware version relationship check success"
    else
        log "[INFO]driver and firmware version relationship check success"
    fi
}

check_user() {
    owner=${USER_GIVEN:-$(recorded UserName)}
    group=${GROUP_GIVEN:-$(recorded UserGroup)}
    if [ -n "$USER_GIVEN" ]; then
        if [ "$USER_GIVEN" = root ] && [ "$FOR_ALL" = no ]; then
            fail "ERR_NO:0x0091;ERR_DES:username not permission for root"
        fi
        if [ -n "$(recorded UserName)" ] &&
            [ "$USER_GIVEN:$GROUP_GIVEN" != "$(recorded UserName):$(recorded UserGroup)" ]; then
            fail "ERR_NO:0x0095;ERR_DES:The user and group are not same with last installation,do not support overwriting installation"
        fi
    elif [ "$(recorded UserName)" = root ] && [ "$UPGRADE" = n ]; then
        fail "ERR_NO:0x0091;ERR_DES:username not permission for root, check /etc/ascend_install.info"
    fi
    OWNER=${owner:-HwHiAiUser}
    GROUP=${group:-HwHiAiUser}
    is_user "$OWNER" || fail "ERR_NO:0x0091;ERR_DES:$OWNER not exists! Please add $OWNER"
    is_group "$GROUP" || fail "ERR_NO:0x0091;ERR_DES:$GROUP group not exists! Please add $GROUP group"
    in_group "$GROUP" "$OWNER" ||
        fail "ERR_NO:0x0096;ERR_DES:$GROUP not right! Please check the relatianship of $OWNER and $GROUP"
    out "[INFO]set username and usergroup, $OWNER:$GROUP"
}

check_path() {
    recorded_path=$(recorded Driver_Install_Path_Param)
    TARGET=${INSTALL_PATH:-${recorded_path:-/usr/local/Ascend}}
    case $TARGET in
        /*) ;;
        *) fail "ERR_NO:0x0003;ERR_DES:install-path input error, install failed" ;;
    esac
    log "[INFO]Install_Path_Param=$TARGET"
    [ -d "$R$TARGET" ] && return
    parent=$(dirname "$TARGET")
    if [ "$TARGET" != /usr/local/Ascend ] && [ ! -d "$R$parent" ]; then
        fail "ERR_NO:0x0003;ERR_DES:install path $parent not exists,runpackage only support create one level of directory,need create $parent."
    fi
}

check_space() {
    free=$(free_mb "$R$TARGET")
    log "[INFO]freeSpace:${free}M"
    if [ "$free" -le "$NEEDS_MB" ]; then
        fail "free space only ${free}M, cannot install driver package (greater than ${NEEDS_MB}M), please make sure enough space under the installation path"
    fi
}

# The list of tools is in a file of the real package that is not public; these are named by vendor guides.
check_tools() {
    missing=
    for tool in lspci ifconfig tar; do
        have "$tool" || missing=$missing$tool,
    done
    [ -z "$missing" ] || fail "The list of missing tools: $missing"
}
