"""The probe's answer: what the script of `probe/` prints, as a `ProbeRecord`.

One line, one meaning, told by its first character:

    #ascend-provision-probe 2            the answer begins; what stands before it (banners) is noise
    #S NAME STATUS HUNDREDTHS NOTE       a section ended with STATUS after so long; STATUS `-`: it did not end
    #C NAME                              its output was cut at the script's cap
    @NAME LINES                          the output of NAME follows, so many lines
    |TEXT                                one line of it
    #E COUNT HUNDREDTHS                  the end: how many sections, how long it took

Every line that a host's file or tool printed comes with `|` in front, so no output can pass for another section.
A section that ended and whose lines did not all arrive, or more than they were, counts as cut: never as a short answer.
"""

from __future__ import annotations

from ascend_provision.stack.evidence import Evidence, ProbeRecord

PARTS = ("engine.sh", "host.sh", "stack.sh", "holders.sh", "files.sh", "chains.sh", "run.sh")
"""The files of `probe/` that make the one script, in their order."""
SUPER_POD = "inventory.super_pod"
"""A section that only recordings have: the super-pod that the inventory names for the host."""
START = "#ascend-provision-probe 2"
NOT_FOUND = "not found"
NOT_READABLE = "not readable"
_TIMED_OUT = "timed out"


def clean(text: str) -> str:
    """The answer as it may be kept in a file: valid UTF-8, and no carriage return that could start a line."""
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return text.replace("\r\n", "\n").replace("\r", " ").replace("\0", "")


def spoke(text: str) -> bool:
    """The answer, cleaned, began and at least one section ended: there is something to read."""
    begun = f"\n{text}".partition(f"\n{START}\n")[2]
    return begun.startswith("#S ") or "\n#S " in begun


def parse(host: str, text: str) -> ProbeRecord:
    """Read an answer. Never raises; a cut or foreign text gives a record that is not `complete`.

    Neither is one with a line of another form in it, or with the output of a section that never ended.
    """
    ends: dict[str, tuple[int | None, float | None, str]] = {}
    cut: set[str] = set()
    output: dict[str, list[str]] = {}
    counts: dict[str, int] = {}
    current: list[str] = []
    started, promised, strange = False, -1, False
    for line in clean(text).split("\n"):
        if not started:
            started = line == START
        elif line.startswith("|"):
            current.append(line[1:])
        elif line.startswith("@"):
            name, _, count = line[1:].rpartition(" ")
            current = output.setdefault(name, [])
            counts[name] = counts.get(name, 0) + (_integer(count) or 0)
        elif line.startswith("#S "):
            name, status, spent, note = (*line[3:].split(" ", 3), "", "", "")[:4]
            ends[name] = (_integer(status), _seconds(spent), note.strip())
        elif line.startswith("#C "):
            cut.add(line[3:])
        elif line.startswith("#E "):
            promised = _integer(line[3:].split(" ")[0]) or 0
        elif line and promised < 0:
            strange = True
    sections = {
        name: Evidence(
            name=name,
            text="".join(f"{line}\n" for line in output.get(name, ())),
            status=status,
            seconds=seconds,
            truncated=name in cut or (status is not None and counts.get(name) != len(output.get(name, ()))),
            note=note,
        )
        for name, (status, seconds, note) in ends.items()
    }
    complete = promised >= 0 and promised == len(sections) and output.keys() <= ends.keys() and not strange
    return ProbeRecord(host=host, sections=sections, complete=complete)


def joined(text: str, name: str, content: str) -> str:
    """The answer with one more section, as if the probe had asked for it; one that has no end stays as it is."""
    head, end, rest = text.rpartition("\n#E ")
    count, _, spent = rest.partition(" ")
    if not end or not count.isdigit():
        return text
    lines = content.splitlines()
    body = "".join(f"|{line}\n" for line in lines)
    return f"{head}\n#S {name} 0 0 \n@{name} {len(lines)}\n{body}#E {int(count) + 1} {spent}"


def timed_out(evidence: Evidence) -> bool:
    """The command was abandoned at its limit or at the probe's deadline."""
    return evidence.status is None and evidence.note.startswith(_TIMED_OUT)


def hung(record: ProbeRecord) -> tuple[str, ...]:
    """The tools that were abandoned, by name (`npu-smi`)."""
    return tuple(sorted({name.split(".")[0] for name, item in record.sections.items() if timed_out(item)}))


def _integer(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _seconds(text: str) -> float | None:
    found = _integer(text)
    return None if found is None else found / 100
