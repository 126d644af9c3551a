"""The verdict on a collective test (`all_reduce_test` and its siblings) from what it printed.

Its exit status is worthless: it is 0 for wrong data, a failed communicator and a failed allocation alike. The table is
printed by the root rank and shows the root's own check only, so a wrong buffer elsewhere leaves `success` in it and
must be read from that rank's line. Bandwidth is computed here, because releases disagree about the unit.
Sources: docs/formats.md#hccl-test.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ascend_provision.stack.findings import Verdict
from ascend_provision.stack.model import Noun

_PREFIX = re.compile(r"^\[\d+,\d+\]<std(?:out|err)>:\s?")
_START = re.compile(r"the minbytes is (\d+), maxbytes is (\d+), iters is (\d+), warmup_iters is (\d+)")
_ROW = re.compile(r"\s*(\d{1,18})\s*\|\s*(\d+(?:\.\d+)?)\s*\|\s*(\d+(?:\.\d+)?)\s*\|\s*(success|failed|NULL)\s*")
_RANK_FAILED = re.compile(r"(?:local rank_id|rank id) (\d{1,9}), check result failed, (\d{1,18})")
_RETURN_CODE = re.compile(r"(acl|hccl) interface return (?:errreturn )?err .*?retcode: (\d+)")
_FATAL = re.compile(
    r"This is an error in \w+|HcclGetRootInfo failed|received invalid data from root|hccl_op_base execute failed|"
    r"memory allocation error|[Nn]umber of device is 0|cannot open shared object|Fatal error in \w*MPI_Init|"
    r"MPI_ABORT was invoked|BAD TERMINATION|\borted: |Check whether HCCL_|total err is [1-9]|check buf\[|"
    r"mpirun: (?:not found|command not found)|mpirun was unable|ORTE_ERROR_LOG|Segmentation fault|gethostbyname failed|"
    r"\bis invalid, |^invalid option|Alloc memory size is larger|Get ddr memory info failed"
)


class SmokeRow(Noun):
    """One size: bytes, mean microseconds, 1e9 bytes a second, and the root rank's word on its own data."""

    size: int
    microseconds: float
    gigabytes_a_second: float
    result: str


class SmokeReading(Noun):
    """`why` is empty for a pass, else every reason in the order of weight."""

    verdict: Verdict
    why: tuple[str, ...]
    rows: tuple[SmokeRow, ...] = ()


def judge(text: str, *, sizes: Sequence[int] | None, timed_out: bool, ranks: int) -> SmokeReading:
    """Pass only if it began, ended in time, and every requested size was right on every rank.

    `sizes` are the bytes asked for, None for whatever it printed; `ranks` the cards it was to use, 0 when that is not
    known. A run that printed nothing, or rows that nobody checked (NULL), are unknown; anything wrong is a failure.
    """
    lines = [_PREFIX.sub("", line.rstrip("\r")) for line in text.split("\n")]
    rows = tuple(_row(match) for line in lines if (match := _ROW.fullmatch(line)))
    why = [
        *(["it did not end within its time limit"] if timed_out else []),
        *_wrong_ranks(lines, ranks),
        *_complaints(lines),
        *_missing(lines, rows, sizes),
    ]
    if why:
        said = any(line.strip() for line in lines)
        if said or timed_out:
            return SmokeReading(verdict=Verdict.FAIL, why=tuple(why), rows=rows)
        return SmokeReading(verdict=Verdict.UNKNOWN, why=("it printed nothing",))
    if unchecked := [str(row.size) for row in rows if row.result == "NULL"]:
        reason = f"nobody checked the data of size {', '.join(unchecked)} (NULL)"
        return SmokeReading(verdict=Verdict.UNKNOWN, why=(reason,), rows=rows)
    return SmokeReading(verdict=Verdict.PASS, why=(), rows=rows)


def _row(match: re.Match[str]) -> SmokeRow:
    size, spent = int(match[1]), float(match[2])
    speed = round(size / spent / 1000, 5) if spent else 0.0
    return SmokeRow(size=size, microseconds=spent, gigabytes_a_second=speed, result=match[4])


def _wrong_ranks(lines: list[str], ranks: int) -> list[str]:
    wrong: dict[int, set[int]] = {}
    for line in lines:
        for match in _RANK_FAILED.finditer(line):
            wrong.setdefault(int(match[1]), set()).add(int(match[2]))
    return [
        f"rank {rank}{f' of {ranks}' if ranks else ''} received wrong data at size {', '.join(map(str, sorted(sizes)))}"
        for rank, sizes in sorted(wrong.items())
    ]


def _complaints(lines: list[str]) -> list[str]:
    codes = sorted({(match[1], match[2]) for line in lines for match in _RETURN_CODE.finditer(line)})
    fatal = next((line.strip() for line in lines if _FATAL.search(line) and not _RETURN_CODE.search(line)), None)
    return [f"{api} returned {code}" for api, code in codes] + ([f"it said: {fatal[:200]}"] if fatal else [])


def _missing(lines: list[str], rows: tuple[SmokeRow, ...], sizes: Sequence[int] | None) -> list[str]:
    found = []
    if not any(_START.search(line) for line in lines):
        found.append("the test never began (no start line)")
    if not rows:
        found.append("no result row")
    failed = [str(row.size) for row in rows if row.result == "failed"]
    if failed:
        found.append(f"the root rank received wrong data at size {', '.join(failed)}")
    absent = sorted(set(sizes or ()) - {row.size for row in rows})
    if absent and rows:
        found.append(f"no row for size {', '.join(map(str, absent))}")
    return found
