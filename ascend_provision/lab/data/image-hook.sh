#!/bin/sh
# Turns a fresh Debian root file system ($1) into the root file system of lab hosts. Run by mmdebstrap.
set -e
root=$1

# an ordinary administrator beside root; the ids from 1000 on are left to the driver's account
chroot "$root" useradd -m -u 2000 -s /bin/bash -G sudo ops
printf 'ops ALL=(ALL) NOPASSWD:ALL\n' >"$root/etc/sudoers.d/ops"
chmod 440 "$root/etc/sudoers.d/ops"

# a host gets its own identity before its first boot
rm -f "$root"/etc/ssh/ssh_host_* "$root/etc/machine-id" "$root/var/lib/dbus/machine-id"
: >"$root/etc/machine-id"

# many parallel connections from one address are normal here (OpenSSH 9.8 would lock that address out)
mkdir -p "$root/etc/ssh/sshd_config.d"
printf '%s\n' 'UseDNS no' 'PermitRootLogin prohibit-password' 'MaxStartups 500:30:1000' 'MaxSessions 100' \
    >"$root/etc/ssh/sshd_config.d/lab.conf"
if chroot "$root" /usr/sbin/sshd -V 2>&1 | grep -qE 'OpenSSH_(9\.[89]|[1-9][0-9])'; then
    echo 'PerSourcePenalties no' >>"$root/etc/ssh/sshd_config.d/lab.conf"
fi

# no hardware, no terminals, no timers that would change a host by themselves
for unit in console-getty.service getty@.service getty.target systemd-udevd.service systemd-udev-trigger.service \
    systemd-modules-load.service sys-kernel-debug.mount sys-kernel-tracing.mount sys-fs-fuse-connections.mount \
    dev-hugepages.mount dev-mqueue.mount tmp.mount systemd-networkd.service systemd-resolved.service \
    systemd-timesyncd.service systemd-random-seed.service apt-daily.timer apt-daily-upgrade.timer e2scrub_all.timer \
    e2scrub_reap.service fstrim.timer dpkg-db-backup.timer; do
    ln -sf /dev/null "$root/etc/systemd/system/$unit"
done
mkdir -p "$root/etc/systemd/journald.conf.d"
printf '[Journal]\nStorage=volatile\nRuntimeMaxUse=8M\n' >"$root/etc/systemd/journald.conf.d/lab.conf"
ln -sf /lib/systemd/system/multi-user.target "$root/etc/systemd/system/default.target"

rm -rf "$root"/var/cache/apt/*.bin "$root"/var/cache/debconf/*-old "$root"/var/log/*.log "$root"/var/log/apt
