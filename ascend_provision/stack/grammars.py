"""How the Ascend field writes versions, as sort keys; the types that use them are in versions.

Why not `packaging` for the vendor's own releases: it has no word for 24.1.rc2.2, 8.0.RC3.alpha002, 7.0.T10 or
V100R001C21SPC002B220; it puts 8.0.0.alpha001 before 8.0.RC1, where the vendor published it after 8.0.RC3; it reads the
build 26.1.0.b083 as a beta of 26.1.0; and it orders 7.0.0.beta1, which is another name of 7.0.0, before it.
Sources: tables and file names as listed in knowledge, torch_npu's GetCANNInfo.cpp for the order of alpha and RC.
"""

from __future__ import annotations

import re

Key = tuple[tuple[int, ...], ...]

LONGEST = 80
"""Longer text is no version, whatever it looks like: it comes from damaged or hostile output."""

# 23.0.rc3 | 24.1.rc2.2 | 22.0.4.1 | 25.0.rc1.b080 | 25.0.rc1_sph001 | 8.0.RC3.alpha002 | 9.0.0-beta.1 | 7.2.RC1.SPC1
# 7.0.T10 | 7.6.t7.0.b052-opiaistudio-20250311 | 1.0.20.alpha
_RELEASE = re.compile(
    r"(?P<numbers>\d+(?:\.\d+)+)"
    r"(?:\.?(?P<stage>rc|t)(?P<stage_number>\d+)(?P<fix>(?:\.\d+)*))?"
    r"(?:[.-](?P<early>alpha|beta)\.?(?P<early_number>\d*(?:\.\d+)*))?"
    r"(?P<builds>(?:[._](?:b|sph|spc)\d+)*)"
    r"(?P<name>-[a-z][a-z0-9_-]*)?",
    re.IGNORECASE | re.ASCII,
)
_BUILD = re.compile(r"(b|sph|spc)(\d+)", re.IGNORECASE)
_INNER = re.compile(r"V(\d+)R(\d+)C(\d+)(?:SPC(\d+))?(?:B(\d+))?", re.ASCII)
_EARLY_RANK = {"alpha": -3, "beta": -2}
_BUILD_RANK = {"b": 1, "spc": 2, "sph": 3}
_TEST, _CANDIDATE, _FINAL = -1, 0, 1
_REAL_BETAS_SINCE = 9
"""CANN up to 8 names its community editions X.beta1; from 9.0 on a beta is an early build of the release."""


def release(text: str) -> Key | None:
    """Order of a release line: T-builds < RC1 < RC2 < the number without RC; alpha and beta before, builds after.

    A final 23.0.0 and 23.0.rc3 share the line 23.0; the part after it is (0, n…) for a candidate and (1, n…)
    for a final number, so every candidate, and every alpha of the final number, sorts in the vendor's order:
    8.0.RC3 < 8.0.0.alpha001 < 8.0.0.
    """
    found = _RELEASE.fullmatch(text) if len(text) <= LONGEST else None
    if not found:
        return None
    numbers = _numbers(found["numbers"])
    late = tuple(
        item for kind, digits in _BUILD.findall(found["builds"]) for item in (_BUILD_RANK[kind.lower()], int(digits))
    )
    early = found["early"] or ""
    rank = (_EARLY_RANK[early.lower()], *_numbers(found["early_number"])) if early else ()
    name = tuple(map(ord, (found["name"] or "").lower()))
    if found["stage"]:
        stage = _TEST if found["stage"].lower() == "t" else _CANDIDATE
        return (
            numbers[:2],
            (stage, int(found["stage_number"]), *_numbers(found["fix"])),
            (*rank, *late) or (0,),
            (*numbers[2:], *name),
        )
    return numbers[:2], (_FINAL, *numbers[2:]), (*rank, *late) or (0,), name


def cann(text: str) -> Key | None:
    """As `release`; 8.0.RC1.beta1 and 7.0.0.beta1 are the community names of 8.0.RC1 and 7.0.0 and equal them."""
    plain = re.sub(r"\.beta1$", "", text, flags=re.IGNORECASE)
    key = release(plain)
    return key if key is not None and key[0][0] < _REAL_BETAS_SINCE else release(text)


def firmware(text: str) -> Key | None:
    """Firmware in the flash, and CANN's component numbers: dotted numbers or test builds, no release candidates."""
    return None if re.search("rc|alpha|beta", text, re.IGNORECASE) else release(text)


def inner(text: str) -> Key | None:
    """An inner version: V, R and C name the branch, then service pack and build."""
    found = _INNER.fullmatch(text) if len(text) <= LONGEST else None
    return (tuple(int(found[i]) for i in (1, 2, 3)), (int(found[4] or 0), int(found[5] or 0))) if found else None


def _numbers(text: str | None) -> tuple[int, ...]:
    return tuple(int(part) for part in (text or "").split(".") if part)
