"""How a client and a fleet's daemon talk: one JSON line each way over the fleet's Unix socket."""

from __future__ import annotations

import dataclasses
import json
import socket
from typing import Any

from ascend_provision.lab.errors import INTERNAL, LabError
from ascend_provision.lab.places import FleetPlace
from ascend_provision.lab.spec import HostStatus


def encode_answer(value: Any) -> str:
    """A good answer as one line."""
    return json.dumps({"ok": value}) + "\n"


def encode_problem(problem: Exception) -> str:
    """What went wrong as one line."""
    if isinstance(problem, LabError):
        raw = {"code": problem.code, "what": problem.what, "next": problem.next, "exit": problem.exit}
    else:
        raw = {"code": "lab-daemon", "what": f"{type(problem).__name__}: {problem}", "next": "", "exit": INTERNAL}
    return json.dumps({"problem": raw}) + "\n"


def not_up(place: FleetPlace, running: list[str]) -> LabError:
    """The fleet that was asked for does not run."""
    others = f"; running: {', '.join(running)}" if running else ""
    return LabError(
        code="lab-not-up",
        what=f"the lab fleet `{place.name}` is not up{others}",
        next=f"ascend-provision lab up --name {place.name} --nodes 2 --profile atlas-800-9000 --stack hdk22",
    )


def ask(place: FleetPlace, operation: str, **arguments: Any) -> Any:
    """Let the daemon carry out an operation; LabError with its reason if it cannot."""
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(place.socket))
        except OSError as problem:
            raise not_up(place, []) from problem
        with connection.makefile("rw") as stream:
            stream.write(json.dumps({"op": operation, **arguments}) + "\n")
            stream.flush()
            line = stream.readline()
    if not line:
        raise LabError(
            code="lab-daemon-gone",
            what=f"the daemon of fleet `{place.name}` ended during `{operation}`",
            next=f"read {place.log}",
            exit=INTERNAL,
        )
    answer = json.loads(line)
    if "problem" in answer:
        raise LabError(**answer["problem"])
    return answer["ok"]


def status(place: FleetPlace) -> list[HostStatus]:
    """All hosts of a running fleet in the order they were added."""
    return [HostStatus(**row) for row in ask(place, "status")]


def status_row(status: HostStatus) -> dict[str, Any]:
    """A host's status for the wire and for `--format json`."""
    return dataclasses.asdict(status)
