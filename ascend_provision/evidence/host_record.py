"""What ascend-provision itself keeps on a host below /var/lib/ascend-provision: KEY=VALUE files and directories."""

from __future__ import annotations

from ascend_provision.evidence.reading import absent, garbled, lines, pairs, silence
from ascend_provision.stack.evidence import Evidence, ProbeRecord
from ascend_provision.stack.facts import HostRecord
from ascend_provision.stack.model import Unknown

_KEYS = {
    "own.lease": {"run", "holder", "token", "expires_at"},
    "own.record": {"version", "run", "plan", "step", "state", "boot_id", "token"},
}
_STATES = frozenset({"started", "done", "failed"})
_FILES = ("own.lease", "own.token", "own.record", "own.units", "own.containers")


def read(record: ProbeRecord) -> HostRecord | Unknown:
    """All fields None or empty on a host that was never changed; unknown when a file is there and cannot be read."""
    state = record.get("own.state")
    if (why := silence(state)) is not None:
        return why
    files = {name: record.get(name) for name in _FILES}
    for evidence in files.values():
        if not absent(evidence) and (why := silence(evidence)) is not None:
            return why
    if torn := next((name for name in _KEYS if not absent(files[name]) and not _whole(files[name])), None):
        return Unknown(unknown=f"{torn}: not as this program writes it", settle="look at it on the host")
    lease, own = pairs(files["own.lease"].text), pairs(files["own.record"].text)
    words = [line.split(" ", 1) for line in lines(state.text)]
    return HostRecord(
        lease_run=lease.get("run") or None,
        lease_holder=lease.get("holder") or None,
        lease_token=_integer(lease.get("token") or files["own.token"].text.strip()),
        lease_expires_at=_number(lease.get("expires_at")),
        run=own.get("run") or None,
        plan=own.get("plan") or None,
        step=own.get("step") or None,
        step_state=own.get("state") or None,
        step_boot_id=own.get("boot_id") or None,
        staged=tuple(sorted(word[1] for word in words if word[0] == "packages" and len(word) == 2)),
        backups=tuple(sorted(word[1] for word in words if word[0] == "backups" and len(word) == 2)),
        holding=["holding"] in words,
        held_units=tuple(lines(files["own.units"].text)),
        held_containers=tuple(lines(files["own.containers"].text)),
    )


def _whole(evidence: Evidence) -> bool:
    """KEY=VALUE lines only, each key of that file once, a state that is one: files are written whole or not at all."""
    rows = [line.partition("=") for line in lines(evidence.text)]
    keys = [key for key, _, _ in rows]
    clean = all(equals for _, equals, _ in rows) and not any(map(garbled, lines(evidence.text)))
    state = pairs(evidence.text).get("state")
    return clean and len({*keys}) == len(keys) and _KEYS[evidence.name] <= {*keys} and state in {None, *_STATES}


def _integer(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 19 else None


def _number(text: str | None) -> float | None:
    found = _integer((text or "").partition(".")[0])
    return None if found is None else float(found)
