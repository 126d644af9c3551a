"""The probe's own `host` section and `/etc/os-release`: who this host is, its kernel, when it booted.

`host` has KEY=VALUE lines, `btime SECONDS` of /proc/stat, and process 1's stat line as `pid1=`.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass

from ascend_provision.evidence.reading import Reading, either, is_number, lines, pairs, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import BootFacts, OsFacts
from ascend_provision.stack.model import Unknown

_CLOCK_SLACK = 60
"""Seconds that the kernel's boot time may be off: it follows corrections of the clock."""
_TICKS = 100  # USER_HZ, the unit of /proc/PID/stat's times: proc(5)
_GCC = re.compile(r"gcc version (\d+(?:\.\d+)+)|\(\S*gcc\S*\s+\(.*?\)\s+(\d+(?:\.\d+)+)")
_HEADERS = "headers_of="
_START_TIME = 19  # its field 22, counted after the name


@dataclass(frozen=True)
class Host:
    """`root` says that the probe ran as root: only root can see every process's open files."""

    hostname: str | Unknown
    arch: str | Unknown
    kernel: str | Unknown
    headers: bool | Unknown
    os_release_is_link: bool | Unknown
    boot: BootFacts
    root: bool | Unknown
    container: str | Unknown | None
    secure_boot: bool | Unknown | None
    gcc: str | Unknown | None
    headers_of: tuple[str, ...] | Unknown
    os_release_there: bool | Unknown


def parse(evidence: Evidence) -> Reading[Host]:
    """Never raises: a value that is not there is unknown."""
    if (why := silence(evidence)) is not None:
        boot = BootFacts(boot_id=why, booted_at=why, now=why)
        return Reading(Host(why, why, why, why, why, boot, why, why, why, why, why, why))
    values = pairs(evidence.text)
    uid = values.get("uid", "")
    note = evidence.note  # why a line may be missing from evidence that is otherwise good
    return Reading(
        Host(
            hostname=either(values.get("hostname"), note or "host: no hostname"),
            arch=either(values.get("machine"), note or "the machine (uname -m) was not read"),
            kernel=either(values.get("release"), note or "the running kernel (uname -r) was not read"),
            headers=_yes(values.get("headers"), note),
            os_release_is_link=_yes(values.get("os_release_link"), note),
            boot=BootFacts(
                boot_id=either(values.get("boot_id"), note or "/proc/sys/kernel/random/boot_id was not read"),
                booted_at=_booted_at(evidence.text, values, note),
                now=float(now)
                if is_number(now := values.get("now", ""))
                else Unknown(unknown=note or "date printed no time"),
            ),
            root=uid == "0" if is_number(uid) else Unknown(unknown=note or "id printed nothing"),
            container=values.get("container", Unknown(unknown=note) if note else None),
            secure_boot=_secure_boot(values.get("secure_boot"), note),
            gcc=_compiler(values.get("version"), values.get("release", ""), note),
            headers_of=_headers_of(evidence.text, note),
            os_release_there=_yes(values.get("os_release"), note),
        )
    )


def parse_os_release(evidence: Evidence, host: Host) -> Reading[OsFacts]:
    """os-release(5): shell assignments."""
    if (why := silence(evidence)) is not None:
        return Reading(
            OsFacts(
                id=why, version_id=why, pretty_name=why, os_release_is_link=host.os_release_is_link,
                os_release_there=host.os_release_there,
            )
        )  # fmt: skip
    values = {key: _unquoted(value) for key, value in pairs(evidence.text).items()}
    return Reading(
        OsFacts(
            id=either(values.get("ID"), "os-release has no ID"),
            version_id=either(values.get("VERSION_ID"), "os-release has no VERSION_ID"),
            pretty_name=either(values.get("PRETTY_NAME"), "os-release has no PRETTY_NAME"),
            os_release_is_link=host.os_release_is_link,
            os_release_there=host.os_release_there,
        )
    )


def _compiler(version: str | None, release: str, note: str) -> str | Unknown | None:
    """The gcc that built the running kernel, of /proc/version.

    None when another compiler did, or when the file is of another kernel than uname names.
    """
    if not version:
        return Unknown(unknown=note or "/proc/version was not read")
    found = _GCC.search(version) if f" {release} " in version else None
    return found[1] or found[2] if found else None


def _headers_of(text: str, note: str) -> tuple[str, ...] | Unknown:
    """Kernel releases whose header directories lie below /usr/src."""
    if note and _HEADERS not in text:
        return Unknown(unknown=note)
    names = (line.partition("=")[2].removeprefix("linux-headers-") for line in lines(text) if line.startswith(_HEADERS))
    return tuple(sorted({name for name in names if not name.endswith("-common")}))


def _unquoted(value: str) -> str:
    try:
        return "".join(shlex.split(value))
    except ValueError:
        return value


def _yes(value: str | None, note: str) -> bool | Unknown:
    return value == "yes" if value in {"yes", "no"} else Unknown(unknown=note or "not read")


def _booted_at(text: str, values: dict[str, str], note: str) -> float | Unknown:
    """When process 1 started: the kernel's boot time plus its start, which is the host's own also in a container."""
    boot = [line.split() for line in lines(text) if line.startswith("btime ")]
    ticks = values.get("pid1", "").rpartition(")")[2].split()
    if not boot or len(boot[0]) != 2 or not is_number(boot[0][1]):
        return Unknown(unknown=note or "/proc/stat has no btime")
    if len(ticks) <= _START_TIME or not is_number(ticks[_START_TIME]):
        return Unknown(unknown=note or "/proc/1/stat was not read")
    found = int(boot[0][1]) + int(ticks[_START_TIME]) / _TICKS
    if is_number(now := values.get("now", "")) and found > int(now) + _CLOCK_SLACK:
        return Unknown(unknown="the boot is later than the host's clock", settle="set the host's clock")
    return found


def _secure_boot(value: str | None, note: str) -> bool | Unknown | None:
    """The EFI variable: four bytes of attributes, then 1 or 0. None: the host has no EFI."""
    if value == "none":
        return None
    data = (value or "").split()
    return data[-1] == "1" if len(data) == 5 else Unknown(unknown=note or "the EFI variable SecureBoot was not read")
