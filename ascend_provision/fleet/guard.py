"""Talking to the guard: the text to send to a host's `sh`, what came back, and what it means in a sentence.

The guard itself is guard.sh and guard_run.sh; it travels through standard input, never on a command line.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

MARK = "ascend-provision-guard 1"
"""First line of every answer."""

OPTIONS = frozenset(
    {"name", "lease", "argv", "arguments", "script", "file", "tables", "sha256", "environment", "chdir", "timeout"}
    | {"success", "unchanged", "removes", "proof", "fresh", "log_bytes", "detach"}
)
"""The options of an ascend.provision.guarded task."""

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]")
_PLAIN_OPTIONS = {
    "timeout": "timeout",
    "chdir": "chdir",
    "removes": "removes",
    "fresh": "fresh",
    "log_bytes": "bytes",
    "detach": "detach",
}
_TELLING = re.compile(r"error|fail|fatal|denied|cannot|can not|no space|not found|not match", re.IGNORECASE)


@dataclass(frozen=True)
class Answer:
    """One answer of the guard: its word, its KEY=VALUE fields, and the tail of the step's log."""

    word: str
    fields: Mapping[str, str]
    log: str = ""

    def number(self, key: str) -> int | None:
        """The field as a number, None when it is empty or missing."""
        text = self.fields.get(key, "")
        return int(text) if text.isdigit() else None


def message(verb: str, arguments: Sequence[str]) -> bytes:
    """The text for `sh -s`. A connection cut in the middle leaves an open brace: a syntax error that runs nothing."""
    package = resources.files("ascend_provision.fleet")
    text = "".join(package.joinpath(name).read_text(encoding="utf-8") for name in ("guard.sh", "guard_run.sh"))
    words = " ".join(shlex.quote(word) for word in (verb, *arguments))
    return f"{text}\n{{\nguard {words} </dev/null\nexit $?\n}}\n".encode("utf-8", "surrogateescape")


def lease_options(lease: object) -> list[str]:
    """The guard's options for a lease; raises ValueError where there is none: a change without one is a mistake."""
    if not isinstance(lease, Mapping) or not lease.get("run") or not lease.get("token"):
        raise ValueError(
            "this changes a host and needs a live lease ({run, token}): run it through `ascend-provision upgrade`, "
            "or take one first with ascend.provision.lease"
        )
    return ["--run", str(lease["run"]), "--token", str(lease["token"]), "--plan", str(lease.get("plan", ""))]


def run_options(task: Mapping[str, Any], script: str) -> list[str]:
    """The words of `run` for the options of an ascend.provision.guarded task. Raises ValueError for a bad option."""
    statuses = [*task.get("success", [0]), *task.get("unchanged", [])]
    words = [*lease_options(task.get("lease")), "--name", str(task["name"]), "--success", " ".join(map(str, statuses))]
    for option, flag in _PLAIN_OPTIONS.items():
        if task.get(option) not in (None, "", False):
            words += [f"--{flag}", str(int(task[option]) if option == "detach" else task[option])]
    words += ["--script", script] if script else []
    for path, digest in (task.get("sha256") or {}).items():
        words += ["--sha256", str(digest), str(path)]
    for path in task.get("proof") or []:
        words += ["--proof", str(path)]
    for key, value in (task.get("environment") or {}).items():
        words += ["--env", f"{key}={value}"]
    for key, content in (task.get("tables") or {}).items():
        rows, columns = (content["rows"], content["columns"]) if isinstance(content, Mapping) else (content, [])
        words += ["--table", key, table(rows, columns)]
    return [*words, "--", *argv(task)]


def argv(task: Mapping[str, Any]) -> list[str]:
    """The command of a task: `argv`, then `arguments` (a list, or one text split as a shell would)."""
    more = task.get("arguments") or []
    return [*map(str, task.get("argv") or []), *(shlex.split(more) if isinstance(more, str) else map(str, more))]


def read(stdout: str) -> Answer | None:
    """The answer in what a host printed, or None when the guard did not answer (a cut connection, no `sh`, no sudo)."""
    before, mark, rest = stdout.partition(f"{MARK}\n")
    if not mark or (before and not before.endswith("\n")):
        return None
    head, _, log = f"\n{rest}".partition("\n---\n")
    fields = dict(line.split("=", 1) for line in head.splitlines() if "=" in line)
    return Answer(word=fields.pop("answer", ""), fields=fields, log=log)


def table(rows: object, columns: Sequence[str]) -> str:
    """Records as lines for a script: one a row, columns parted by a tab. A text stays as it is.

    Raises ValueError for what would forge a row.
    """
    if isinstance(rows, str):
        return rows
    if not isinstance(rows, Sequence):
        raise ValueError(f"a table is a text, or a list of texts or records, not {rows!r}")  # noqa: TRY004 - one error for bad options
    lines = []
    for row in rows:
        cells = [str(row.get(column, "")) for column in columns] if isinstance(row, Mapping) else [str(row)]
        if any(character in cell for cell in cells for character in "\t\n\r"):
            raise ValueError(f"a tab or line end inside {cells!r}")
        lines.append("\t".join(cells) + "\n")
    return "".join(lines)


def last_words(log: str) -> str:
    """The line of a log that tells most: the last one that speaks of an error, else the last one with text."""
    lines = [line for raw in log.splitlines() if (line := _CONTROL.sub("", raw).strip())]
    telling = [line for line in lines if _TELLING.search(line)]
    return (telling or lines or ["it printed nothing"])[-1][:500]


def explain(answer: Answer, step: str, host: str) -> str:
    """Why the guard did not do it: what failed, on which host, what was seen, and the next command."""
    said = answer.fields
    again = "run the same `ascend-provision upgrade` again"
    log = f" Log on the host: {said.get('log_path', '')}."
    texts = {
        "lost": f"lease lost on {host}: {step} was not started. The lease there now: run {said.get('run') or 'none'}, "
        f"held by {said.get('holder') or 'nobody'}, token {said.get('token')}. "
        f"If that run has ended, {again}.",
        "leased": f"{host} is leased by run {said.get('run')} ({said.get('holder') or 'unknown holder'})"
        + (f", whose step {said['busy']} is running" if said.get("busy") else "")
        + ". Wait for that run, or stop it where it was started.",
        "mismatch": f"{step} was not started on {host}: {said.get('path')} has sha256 {said.get('found')}, "
        f"wanted {said.get('wanted')}. Nothing was changed by it. To stage the package anew, {again}.",
        "busy": f"{said.get('busy')} of run {said['run']} is still running on {host}: its lease stays until then."
        if "run" in said
        else f"{step} was not started on {host}: {said.get('busy')} of an earlier process is still running there. "
        f"Wait until it has ended, then {again}.",
        "still-running": f"{step} on {host} has passed its time limit and cannot be stopped (a process waits in the "
        f"kernel?).{log} Look at the host's console; it may need a power cycle.",
        "vanished": f"{step} on {host} ended without a status: it was killed, or the host went down.{log} "
        f"Look at the host, then {again}.",
        "refused": f"{step} was refused on {host}: {said.get('why')}.",
    }
    return texts.get(
        answer.word, f"the guard on {host} answered `{answer.word}` to {step}; this program does not know it"
    )
