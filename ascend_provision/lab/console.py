"""A host's serial console: a pty whose output the daemon writes to a file."""

from __future__ import annotations

import fcntl
import os
import struct
from pathlib import Path

from ascend_provision.lab import syscalls

_READ = 65536
_TIOCGPTN, _TIOCSPTLCK = 0x80045430, 0x40045431  # ioctl numbers of tty_ioctl(4); `termios` has them from Python 3.13


def mount_terminals(at: Path) -> None:
    """A devpts of the daemon's own, so that the machine's (or the chroot's) /dev does not matter."""
    at.mkdir(parents=True, exist_ok=True)
    syscalls.mount("lab-pts", at, "devpts", syscalls.NOSUID | syscalls.NOEXEC, "newinstance,ptmxmode=0600,mode=600")


class Console:
    """Both ends are kept open.

    With no holder of the slave the master reads EIO, and systemd, whose every open of /dev/console then fails, retries
    each for one whole second: a boot of 80 s instead of 0.4 s.
    """

    def __init__(self, terminals: Path, log: Path) -> None:
        self.log = log
        self.master = os.open(terminals / "ptmx", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
        number = struct.unpack("I", fcntl.ioctl(self.master, _TIOCGPTN, bytes(4)))[0]
        fcntl.ioctl(self.master, _TIOCSPTLCK, bytes(4))
        self.path = terminals / str(number)
        self._slave = os.open(self.path, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
        os.set_blocking(self.master, False)

    def drain(self) -> None:
        """Append what the host has printed to the log file."""
        try:
            printed = os.read(self.master, _READ)
        except BlockingIOError:
            return
        with self.log.open("ab") as log:
            log.write(printed)

    def close(self) -> None:
        """Read the rest and let go of the terminal."""
        self.drain()
        os.close(self.master)
        os.close(self._slave)
