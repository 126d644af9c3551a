"""Take and give back the right to change hosts: kept on each host, with a token that only grows."""

from __future__ import annotations

import getpass
import os
import socket
from collections.abc import Sequence

from ascend_provision.fleet.events import one_line
from ascend_provision.fleet.inventory import Inventory
from ascend_provision.fleet.runner import HostPlay, PlayRequest, play
from ascend_provision.fleet.runs import Run
from ascend_provision.stack.model import Noun

TTL_SECONDS = 4 * 3600
"""A lease outlives the longest step; a guarded command that still runs keeps it alive as well."""


class Taken(Noun):
    """`token` when the lease was taken, else `problem`; `elsewhere` says that another run holds it."""

    token: int = 0
    problem: str = ""
    elsewhere: bool = False
    unreachable: bool = False


def holder() -> str:
    """Who asks: user, machine and process of this controller."""
    return f"{getpass.getuser()}@{socket.gethostname()}:{os.getpid()}"


def take(hosts: Sequence[str], inventory: Inventory, run: Run, *, ttl: int = TTL_SECONDS) -> dict[str, Taken]:
    """Ask every host for its lease; a refusal names the run that has it."""
    plays = _play("taken", {host: {} for host in hosts}, inventory, run, ttl)
    return {host: _taken(plays[host]) for host in hosts}


def release(tokens: dict[str, int], inventory: Inventory, run: Run) -> None:
    """Give back the leases that this run has; a host that does not answer keeps its lease until it expires."""
    if tokens:
        _play("released", {host: {"provision_lease_token": token} for host, token in tokens.items()}, inventory, run, 0)


def _play(
    state: str, host_vars: dict[str, dict[str, int]], inventory: Inventory, run: Run, ttl: int
) -> dict[str, HostPlay]:
    number = sum(1 for _ in (run.directory / "ansible").glob("lease-*")) if (run.directory / "ansible").is_dir() else 0
    return play(
        PlayRequest(
            playbook="lease",
            hosts=tuple(host_vars),
            host_vars={host: dict(own) for host, own in host_vars.items()},
            extra_vars={
                "provision_lease_state": state,
                "provision_lease_run": run.id,
                "provision_lease_holder": holder(),
                "provision_lease_ttl": ttl,
            },
        ),
        inventory,
        run.directory / "ansible" / f"lease-{number}-{state}",
    )


def _taken(done: HostPlay) -> Taken:
    if done.unreachable is not None:
        return Taken(problem=one_line(done.unreachable.message), unreachable=True)
    for task in done.results("lease"):
        lease = task.result["lease"]
        if task.status == "ok" and isinstance(lease, dict):
            return Taken(token=int(lease["token"]))
    failed = done.failed
    said = one_line(failed.message) if failed else "the lease was not taken"
    return Taken(problem=said, elsewhere=failed is not None and "leased_by" in failed.result)
