"""ansible-runner's events -> what one host's play did. Pure; knows events of ansible-core 2.16 to 2.21."""

from __future__ import annotations

from typing import Any

from ascend_provision.stack.model import Noun

_ENDED = {"runner_on_ok": "ok", "runner_on_failed": "failed", "runner_on_unreachable": "unreachable"}


class TaskEnded(Noun):
    """One task result of one host, slimmed to what this program reads."""

    host: str
    task: str
    status: str
    changed: bool = False
    ignored: bool = False
    message: str = ""
    seconds: float = 0.0
    result: dict[str, Any] = {}


_KEPT = (
    "guarded",
    "rc",
    "log",
    "log_path",
    "seconds",
    "reattached",
    "lease_lost",
    "timed_out",
    "lease",
    "leased_by",
    "probe",
)


def task_ended(event: dict[str, Any]) -> TaskEnded | None:
    """The result in an event, or None for an event that carries none (starts, skips, stats, verbose lines)."""
    status = _ENDED.get(str(event.get("event")))
    data = event.get("event_data")
    if status is None or not isinstance(data, dict):
        return None
    result = data.get("res")
    result = result if isinstance(result, dict) else {}
    return TaskEnded(
        host=str(data.get("host", "")),
        task=str(data.get("task", "")),
        status=status,
        changed=bool(result.get("changed", False)),
        ignored=bool(data.get("ignore_errors", False)),
        message=_message(result),
        seconds=float(data.get("duration") or 0.0),
        result={key: result[key] for key in _KEPT if key in result},
    )


def one_line(text: str) -> str:
    """A message on one line, of a length a report can show."""
    return " ".join(text.split())[:500]


def _message(result: dict[str, Any]) -> str:
    """What Ansible says of a failure; the module's stderr when it has nothing better."""
    said = str(result.get("msg") or "")
    for more in ("module_stderr", "stderr", "exception"):
        if (not said or said == "MODULE FAILURE") and result.get(more):
            said = f"{said} {result[more]}".strip()
    return said
