"""/var/lib/dkms/davinci_ascend: what DKMS built of the driver, and the first error of a build that failed.

    built KERNEL           modules for this kernel are in the tree
    log LINE               the first line of <version>/build/make.log:
                           "DKMS make.log for NAME-VERSION for kernel KERNEL (ARCH)"
    error LINE             the first line of that log with an error in it

DKMS keeps the build directory with its log only when a build failed. Source: dkms(8) and the dkms script.
"""

from __future__ import annotations

import re

from ascend_provision.evidence.reading import Reading, absent, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.machine import DkmsTree
from ascend_provision.stack.model import Unknown

_FOR = re.compile(r"DKMS (?:\(\S+\) )?make\.log for \S+ for kernel (\S+)(?: \(.*\))?")


def parse(evidence: Evidence) -> Reading[DkmsTree | Unknown | None]:
    """None when there is no tree of the driver."""
    if absent(evidence):
        return Reading(None)
    if (why := silence(evidence)) is not None:
        return Reading(why)
    built: list[str] = []
    kernel = error = ""
    unread: list[str] = []
    for line in lines(evidence.text):
        word, _, rest = line.partition(" ")
        if word == "built":
            built.append(rest)
        elif word == "log":
            kernel = match[1] if (match := _FOR.match(rest)) else ""
        elif word == "error":
            error = error or rest.strip()
        else:
            unread.append(line)
    if unread:
        return Reading(Unknown(unknown=f"dkms: not understood: {unread[0][:120]}"), unread=tuple(unread))
    return Reading(DkmsTree(built_for=tuple(sorted(set(built))), failed_for=kernel if error else "", error=error))
