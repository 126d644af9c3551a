"""Enter a fleet's own network: for one function of this process, or for a command that replaces it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import TypeVar

from ascend_provision.lab import syscalls

T = TypeVar("T")


def in_network_of(pid: int, work: Callable[[], T]) -> T:
    """Run `work` in the network namespace of process `pid`. That is a matter of one thread: this process stays out."""
    outcome: list[T] = []
    problem: list[BaseException] = []

    def run() -> None:
        try:
            syscalls.enter(f"/proc/{pid}/ns/net", syscalls.NEWNET)
            outcome.append(work())
        except BaseException as raised:  # handed to the caller's thread
            problem.append(raised)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join()
    if problem:
        raise problem[0]
    return outcome[0]


def replace_by_command(pid: int, command: list[str], environment: dict[str, str]) -> None:
    """Become `command` in the network namespace of process `pid`; OSError if it cannot be started."""
    syscalls.enter(f"/proc/{pid}/ns/net", syscalls.NEWNET)
    os.execvpe(command[0], command, environment)  # noqa: S606 - argv, no shell
