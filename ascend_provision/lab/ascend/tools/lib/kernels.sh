# Kernels installed on a lab host and the one it boots next. Needs lib/state.sh.
# A kernel here is /boot/vmlinuz-RELEASE (an empty file), /lib/modules/RELEASE and an entry of grub.cfg; the first
# entry is the default, as on Debian with GRUB_DEFAULT=0 (documented). Releases are worn, so assumed.

# lab_kernel_add RELEASE: installs a kernel and its headers (headers are simulated: version.h and a Makefile).
lab_kernel_add() {
    root=${LAB_ROOT:-}
    mkdir -p "$root/boot/grub" "$root/lib/modules/$1" "$root/usr/src/linux-headers-$1/include/generated"
    [ -e "$root/boot/vmlinuz-$1" ] || : > "$root/boot/vmlinuz-$1"
    [ -e "$root/boot/initrd.img-$1" ] || : > "$root/boot/initrd.img-$1"
    printf 'CONFIG_MODVERSIONS=y\nCONFIG_MODULES=y\n' > "$root/boot/config-$1"
    printf '#define UTS_RELEASE "%s"\n' "$1" > "$root/usr/src/linux-headers-$1/include/generated/utsrelease.h"
    printf '# simulated kernel headers of a lab host\n' > "$root/usr/src/linux-headers-$1/Makefile"
    ln -sfn "/usr/src/linux-headers-$1" "$root/lib/modules/$1/build"
}

# lab_kernel_default RELEASE [OTHER...]: RELEASE boots next.
lab_kernel_default() {
    root=${LAB_ROOT:-}
    mkdir -p "$root/boot/grub"
    {
        echo 'set default="0"'
        for release; do
            printf "menuentry 'Debian GNU/Linux, with Linux %s' {\n\tlinux\t/boot/vmlinuz-%s root=/dev/sda2 ro quiet\n\tinitrd\t/boot/initrd.img-%s\n}\n" \
                "$release" "$release" "$release"
        done
    } > "$root/boot/grub/grub.cfg"
    printf 'GRUB_DEFAULT=0\nGRUB_TIMEOUT=5\nGRUB_CMDLINE_LINUX=""\n' > "$root/etc/default/grub"
    ln -sfn "boot/vmlinuz-$1" "$root/vmlinuz"
    ln -sfn "boot/initrd.img-$1" "$root/initrd.img"
}

# lab_kernel_next: the release that grub.cfg boots, in $NEXT.
lab_kernel_next() {
    NEXT=$(sed -n 's#^[[:space:]]*linux[[:space:]]*/boot/vmlinuz-\([^[:space:]]*\).*#\1#p' \
        "${LAB_ROOT:-}/boot/grub/grub.cfg" 2> /dev/null | head -1)
    [ -n "$NEXT" ] || NEXT=$(sed -n 's/^KERNEL=//p' "$LAB_HW/profile")
}
