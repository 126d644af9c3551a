"""The driver's kernel modules: loaded ones (`lsmod`), files below /lib/modules, and the kernel each was built for.

Module names: install log of a 910B host in github.com/hicann/oam-tools test data; kmod's own column widths.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ascend_provision.evidence.reading import Reading, absent, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.machine import ModulePolicy
from ascend_provision.stack.model import Unknown

_DRIVER = re.compile(r"(drv|ascend|dbl)_\w+|ts_agent|hisi_hdc|davinci\w*|devdrv\w*")
_ROW = re.compile(r"(\w+)\s+\d+\s+\d+(\s.*)?")
_FILE = re.compile(r"/lib/modules/([^/]+)/\S+")


def parse(evidence: Evidence) -> Reading[tuple[str, ...] | Unknown]:
    """Names of the loaded driver modules, sorted; () when the list was read and has none."""
    if (why := silence(evidence)) is not None:
        return Reading(why)
    head, *rows = lines(evidence.text) or [""]
    if not head.startswith("Module"):
        return Reading(Unknown(unknown="lsmod: no head line"))
    if torn := tuple(line for line in rows if not _ROW.fullmatch(line)):
        return Reading(Unknown(unknown=f"lsmod: not understood: {torn[0].strip()[:120]}"), unread=torn)
    names = [line.split()[0] for line in rows]
    unread = tuple(line for line, name in zip(rows, names, strict=True) if not _DRIVER.fullmatch(name))
    return Reading(tuple(sorted({name for name in names if _DRIVER.fullmatch(name)})), unread=unread)


def built_for(files: Evidence, modinfo: Evidence, kernel: str | Unknown) -> bool | Unknown:
    """Is there a driver module that this kernel release will load?"""
    if isinstance(kernel, Unknown):
        return kernel
    if (why := silence(files)) is not None:
        return why
    kernels = {match[1] for line in lines(files.text) if (match := _FILE.fullmatch(line))}
    if not kernels:
        return Unknown(unknown="no driver module file is installed")
    if kernel not in kernels:
        return False
    if absent(modinfo):
        return True
    if (why := silence(modinfo)) is not None:
        return why
    for line in lines(modinfo.text):
        path, _, magic = line.partition(" ")
        if (match := _FILE.fullmatch(path)) and match[1] == kernel:
            return magic.split()[:1] == [kernel]
    return Unknown(unknown=f"modinfo: nothing about a driver module for {kernel}")


def policy(values: Mapping[str, str], signer: Evidence, secure_boot: bool | Unknown | None) -> ModulePolicy | Unknown:
    """What this kernel demands of a module: `sig_enforce` and `lockdown` as the probe's host section has them.

    Source: Documentation/admin-guide/module-signing of the kernel; kernel_lockdown(7).
    """
    enforcing, lockdown = values.get("sig_enforce"), values.get("lockdown")
    if enforcing is None and lockdown is None and secure_boot is not None and secure_boot is not False:
        return Unknown(unknown="neither module.sig_enforce nor the kernel's lockdown could be read")
    if not absent(signer) and (why := silence(signer)) is not None:
        return why
    allowed = values.get("unsupported_modules")
    return ModulePolicy(
        enforced=enforcing == "Y"
        or any(f"[{level}]" in (lockdown or "") for level in ("integrity", "confidentiality")),
        signer=None if absent(signer) else signer.text.strip(),
        unsupported_allowed=None if allowed not in {"0", "1"} else allowed == "1",
    )
