"""Where the controller keeps what is neither a run nor a cache."""

from __future__ import annotations

from pathlib import Path

from ascend_provision.fleet.runs import state_directory


def schedules() -> Path:
    """One directory for each scheduled check, with its last report."""
    return state_directory() / "schedules"


def tracebacks() -> Path:
    """Tracebacks of defects, one file each."""
    return state_directory() / "tracebacks"
