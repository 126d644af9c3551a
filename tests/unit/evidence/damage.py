"""Damaged evidence: what tools cut short, mix up or garble, and what gets lost on the way.

What must hold for every damaged answer: reading and judging raise nothing, and no pass is invented.

A pass is *new* when its finding did not pass on the whole evidence and does not rest on what is undamaged: it does not
pass when every damaged section is taken as not answered. A section is damaged when its text, exit status or cut mark is
not what it was; a finding is named by its id; one that there are several of (an environment each) passes when all do.

A new pass is *invented* when it rests on a section that bears a trace of its damage: a line that its reader did not
understand, the mark of a cut, or that it did not come at all. There must be none of these. Without a trace the
evidence is *believable*: another host could have printed exactly this (a digit that became another digit, a line lost
from a file whose lines nobody counts). No reader can tell; such passes are counted apart.
"""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from ascend_provision.check import judge_host
from ascend_provision.evidence import facts, wire
from ascend_provision.stack.evidence import Evidence, ProbeRecord
from ascend_provision.stack.findings import Finding, Verdict
from tests.unit.evidence import busy
from tests.unit.evidence.answers import FAMILIES, KERNEL, Sections, sections, written

FOREIGN = (
    "top - 15:28:48 up 18 min\n%Cpu(s): 1.0 us\n    PID USER      PR  NI    VIRT\n      1 root      20   0   10000\n",
    "bash: npu-smi: command not found\n",
    "Segmentation fault (core dumped)\n",
    "<html><body><h1>502 Bad Gateway</h1></body></html>\n",
    "{}\n",
    "",
)
HOSTILE = (
    "\x00", "\x1b[2J", "\x1b]0;x\x07", "\r", "\x0b", "\x0c", "\x85", "\u2028", "\u202e", "\ufeff", "\ufffd", "|", "@",
    "#S ", "\t", "\u0661", "\u00b2", "١٢", "{", "[", "'", '"',
)  # fmt: skip
HUGE = ("9" * 400, "1" * 5000, "-1", "1e400", "0x7fffffffffffffff", "18446744073709551616", "00000000", "NaN")

Change = Callable[[str, random.Random], str]


def truncate(text: str, chance: random.Random) -> str:
    return text[: chance.randrange(len(text) + 1)]


def lose(text: str, chance: random.Random) -> str:
    """Lines from somewhere to the end, or the first ones."""
    lines = text.splitlines(keepends=True)
    cut = chance.randrange(len(lines) + 1)
    return "".join(lines[:cut] if chance.random() < 0.7 else lines[cut:])


def double(text: str, chance: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    at = chance.randrange(len(lines))
    some = lines[at : at + chance.choice((1, 1, 2, 3, 20))]
    return "".join([*lines[: at + len(some)], *some, *lines[at + len(some) :]])


def swap(text: str, chance: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    if len(lines) < 2:
        return text
    one, other = chance.sample(range(len(lines)), 2)
    lines[one], lines[other] = lines[other], lines[one]
    return "".join(lines)


def garble(text: str, chance: random.Random) -> str:
    """Bytes overwritten with any byte."""
    data = bytearray(text.encode())
    for _ in range(chance.choice((1, 1, 1, 2, 8))):
        if data:
            data[chance.randrange(len(data))] = chance.randrange(256)
    return data.decode("utf-8", "replace")


def hostile(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice(HOSTILE) * chance.choice((1, 1, 50)) + text[at:]


def huge(text: str, chance: random.Random) -> str:
    numbers = list(re.finditer(r"\d+", text))
    if not numbers:
        return text
    match = chance.choice(numbers)
    return text[: match.start()] + chance.choice(HUGE) + text[match.end() :]


def foreign(text: str, chance: random.Random) -> str:
    """Another tool's output instead, before, after or in the middle."""
    other = chance.choice(FOREIGN)
    at = chance.randrange(len(text) + 1)
    return chance.choice((other, other + text, text + other, text[:at] + other + text[at:]))


SORE = 0.4
"""How often the section of the fault is the one that is hit."""

CHANGES: dict[str, Change] = {
    "truncate": truncate,
    "lose": lose,
    "double": double,
    "swap": swap,
    "garble": garble,
    "hostile": hostile,
    "huge": huge,
    "foreign": foreign,
}


def damaged(found: Sections, chance: random.Random, sore: str = "") -> tuple[ProbeRecord, str]:
    """A damaged record and what was done: to the outputs of one to three tools, or to the answer on its way.

    `sore` is a section that is hit more often: that of the host's fault, which damage might hide.
    """
    done = [chance.choice(tuple(CHANGES)) for _ in range(chance.choice((1, 1, 1, 2, 3)))]
    if chance.random() < 0.3:
        text = written(found)
        for name in done:
            text = CHANGES[name](text, chance)
        return wire.parse("node1", text), f"on the way: {', '.join(done)}"
    mine = dict(found)
    names = list(mine)
    told = []
    for change in done:
        section = sore if sore in names and chance.random() < SORE else chance.choice(names)
        if change == "foreign" and chance.random() < 0.4:
            mine[section] = mine[chance.choice(names)]  # the output of another command
        else:
            mine[section] = CHANGES[change](mine[section] or "", chance)
        told.append(f"{change} {section}")
    return record(mine), ", ".join(told)


def record(found: Sections) -> ProbeRecord:
    """What the wire would bring of these outputs."""
    made = {
        name: Evidence(name=name, note="not found")
        if text is None
        else Evidence(name=name, text=wire.clean(text), status=0, seconds=0.03)
        for name, text in found.items()
    }
    return ProbeRecord(host="node1", sections=made)


def passes(findings: Iterable[Finding]) -> set[str]:
    """Ids of which every finding passes."""
    found = list(findings)
    return {item.id for item in found if item.verdict is Verdict.PASS} - {
        item.id for item in found if item.verdict in {Verdict.FAIL, Verdict.WARN, Verdict.UNKNOWN}
    }


def new_passes(whole: ProbeRecord, damaged_one: ProbeRecord, passed: set[str]) -> tuple[set[str], set[str]]:
    """The passes that the damage made: invented ones, and believable ones. `passed` are those of the whole evidence."""
    new = passes(judge_host(facts.read(damaged_one))) - passed
    if not new:
        return set(), set()
    injured = hurt(whole, damaged_one)
    new -= passes(judge_host(facts.read(without(damaged_one, injured))))
    traced = {name for name in injured if _trace(whole, damaged_one, name)}
    believable = passes(judge_host(facts.read(without(damaged_one, traced)))) & new
    return new - believable, believable


def _trace(whole: ProbeRecord, damaged_one: ProbeRecord, name: str) -> bool:
    """Whether this section alone makes a reader complain, or is marked as cut, or did not come."""
    item = damaged_one.sections.get(name)
    if item is None or item.truncated or item.status is None:
        return True
    alone = replace(whole, sections={**whole.sections, name: item})
    return facts.read(alone).unread != facts.read(whole).unread


def hurt(whole: ProbeRecord, record: ProbeRecord) -> set[str]:
    """Names of damaged sections, those that came or went too."""
    names = whole.sections.keys() | record.sections.keys()
    return {name for name in names if _said(whole, name) != _said(record, name)}


def without(record: ProbeRecord, names: set[str]) -> ProbeRecord:
    blind = {name: Evidence(name=name, note="timed out after 10 s") for name in names}
    return replace(record, sections={**record.sections, **blind})


def _said(record: ProbeRecord, name: str) -> tuple[object, ...] | None:
    found = record.sections.get(name)
    return None if found is None else (found.text, found.status, found.truncated, found.note)


@functools.cache
def hosts() -> dict[str, tuple[Sections, str]]:
    """Hosts of each family, quiet and at work, and each fault that one can have, with the section of the fault.

    A fault of a section that a quiet host leaves empty is one of the host at work. `NAME FAULT` is NAME with FAULT.
    """
    quiet = {family: {**sections(family), **busy.around()} for family in FAMILIES}
    at_work = {f"{family}-busy": busy.worked_on(family) for family in FAMILIES}
    made = {name: (found, "") for name, found in (quiet | at_work).items()}
    for family in ("a1", "a2", "a3"):
        for fault, (section, old, new) in FAULTS.items():
            name = next(name for name in (family, f"{family}-busy") if old in (made[name][0][section] or "\0"))
            own = made[name][0]
            other = REFUSED if fault == "no module" else {}
            made[f"{name} {fault}"] = ({**own, **other, section: (own[section] or "").replace(old, new, 1)}, section)
    return made


def base_of(name: str) -> str:
    """The host of which this one is a copy with a fault."""
    return name.split(maxsplit=1)[0]


REFUSED: Sections = dict.fromkeys(
    ("npu-smi.info", "npu-smi.list", "npu-smi.map"), "dcmi module initialize failed. ret is -8005\n"
)
"""What npu-smi says where no module of the driver is loaded."""

FAULTS = {
    "alarm": ("npu-smi.info", "| OK            | 90.0        47 ", "| Alarm         | 90.0        47 "),
    "driver not running": ("driver.version", "Version=24.1.0\n", "Version=24.1.rc3\n"),
    "firmware not flashed": ("firmware.version", "Version=7.5.0.", "Version=7.3.0."),
    "one flash is old": ("npu-smi.board.1", ": 7.5.0.", ": 7.3.0."),
    "nok": ("npu-smi.board.0", ": OK", ": NOK"),
    "firmware waits": ("upgrade-tool.status", '"status":idle', '"status":waitting_restart'),
    "install stopped": (
        "install.log",
        " [Driver] [2025-01-01 00:10:00] [INFO]End time: 2025-01-01 00:10:00\n"
        "L [Driver] [2025-01-01 00:10:00] [INFO]End time: 2025-01-01 00:10:00\n",
        "L [Driver] [2025-01-01 00:10:00] [INFO]add chattr for driver package\n",
    ),
    "other kernel next": ("grubby", "5.10.0-216", "5.10.0-220"),
    "address differs": ("hccn_tool.ip.1", "ipaddr:10.20", "ipaddr:10.99"),
    "address twice": ("hccn.conf", "address_1=10.20.", "address_0=10.20.0.10\naddress_1=10.20.0.10\nother_1=10."),
    "link down": ("hccn_tool.link.3", "UP", "DOWN"),
    "allocator": ("env.files", "expandable_segments:True", "expandable_segments:True,max_split_size_mb:128"),
    "buffer": ("env.files", "HCCL_BUFFSIZE=200", "HCCL_BUFFSIZE=0"),
    "leftover": ("leftovers", "", "dangling /usr/local/bin/hccn_tool -> /usr/local/Ascend/driver/tools/hccn_tool\n"),
    "no headers": ("host", "headers=yes", "headers=no"),
    "no tool": ("tools", "make=yes", "make=no"),
    "disk full": ("disks", "800000000 12%", "1024 99%"),
    "other toolkit": ("cann", " version=8.0.0", " version=7.0.0"),
    "other torch": ("environments", "torch-2.4.0.dist-info", "torch-2.1.0.dist-info"),
    "no account": ("getent.passwd", "HwHiAiUser:x:1000", "other:x:1000"),
    "no module": ("lsmod", "drv_pcie_host 512000 3\nascend_uda 90000 7 drv_pcie_host\n", ""),
    "node is a directory": ("device.nodes", "crw-rw----", "drwxr-x---"),
    "noexec": ("mounts", "/ ext4", "/tmp tmpfs rw,noexec\n/ ext4"),
    "old compiler": ("gcc", "10.3.1", "7.3.0"),
    "tree is closed": ("stack.paths", "755 0 0 /usr/local/Ascend\n", "750 0 0 /usr/local/Ascend\n"),
    "library is gone": ("stack.paths", "/libdcmi.so", "/libother.so"),
    "fault on the way out": ("hccn_tool.health.1", "Success", "Fault"),
    "one with TLS": ("hccn_tool.tls.1", "switch[0]", "switch[1]"),
    "other netmask": ("hccn.conf", "netmask_1=", "other_1="),
    "no reserved ports": ("host", "ip_local_reserved_ports=60000-60031", "ip_local_reserved_ports="),
    "installed since": ("kept.stat", "1735690200 /var/log", "1735715400 /var/log"),
    "other Python": ("environments", "python-3.9.18", "python-3.13.1"),
    "no numpy": ("python.packages", " numpy-1.24.0.dist-info\n", ""),
    "build failed": (
        "dkms",
        f"built {KERNEL}\nlog DKMS make.log for davinci_ascend-1.0 for kernel {KERNEL} (aarch64)\n",
        f"log DKMS make.log for davinci_ascend-1.0 for kernel {KERNEL} (aarch64)\nerror pool.c:88:9: error\n",
    ),
    "rank table is stale": ("rank.tables", '"device_ip": "10.20', '"device_ip": "10.99'),
    "port is taken": ("listeners", "EA60 1000 424242", "EA60 0 7"),
    "run stopped": ("own.record", "state=done", "state=started"),
    "job's buffer": ("holders.variables", "HCCL_BUFFSIZE=200", "HCCL_BUFFSIZE=0"),
    "container's buffer": ("docker.setup", "HCCL_BUFFSIZE=200", "HCCL_BUFFSIZE=0"),
}
"""(section, text in it, what it is instead): one fault each, so that damage can hide it."""
