"""Take and give back the right to change hosts: kept on each host, with a token that only grows."""

from __future__ import annotations

import getpass
import os
import socket
import time
from collections.abc import Mapping, Sequence

from ascend_provision.fleet.events import one_line
from ascend_provision.fleet.inventory import Inventory
from ascend_provision.fleet.runner import HostPlay, PlayRequest, play
from ascend_provision.fleet.runs import Run
from ascend_provision.stack.model import Noun
from ascend_provision.stack.runs import LeaseEnd

SPARE_SECONDS = 900
"""What a lease lasts beyond the longest reboot. A heartbeat renews it, a guarded command that runs keeps it alive."""
_LEFT_BUSY = "the process of that run is dead, its step ends on the host by itself: run the same upgrade again then"
_YEAR_9999 = 253402300799


class Taken(Noun):
    """`token` when the lease was taken, else `problem`.

    `elsewhere` says that another run holds it: `by` names that run, `busy` its step that is still running on the host.
    """

    token: int = 0
    problem: str = ""
    elsewhere: bool = False
    unreachable: bool = False
    by: str = ""
    busy: str = ""
    next_action: str = ""


def holder() -> str:
    """Who asks: user, machine and process of this controller."""
    return f"{getpass.getuser()}@{socket.gethostname()}:{os.getpid()}"


def take(hosts: Sequence[str], inventory: Inventory, run: Run, *, ttl: int) -> dict[str, Taken]:
    """Ask every host for its lease; a refusal names the run that has it.

    A lease that a run of this controller left behind when its process died is taken over, unless its step still runs:
    the token it had is refused by the host from then on.
    """
    plays = _play("taken", {host: {} for host in hosts}, inventory, run, ttl)
    taken = {host: _taken(plays[host]) for host in hosts}
    left = {host: item for host, item in taken.items() if item.elsewhere and run.left(item.by)}
    idle = {host: {"provision_lease_over": item.by} for host, item in left.items() if not item.busy}
    if idle:
        plays = _play("taken", idle, inventory, run, ttl)
        taken.update({host: _taken(plays[host]) for host in idle})
    busy = {host: item.model_copy(update={"next_action": _LEFT_BUSY}) for host, item in left.items() if item.busy}
    return taken | busy


def renew(tokens: Mapping[str, int], inventory: Inventory, run: Run, *, ttl: int) -> None:
    """The heartbeat: `ttl` seconds more from now, where the lease is still this run's; a host may be down."""
    _play("renewed", {host: {"provision_lease_token": token} for host, token in tokens.items()}, inventory, run, ttl)


def release(tokens: dict[str, int], inventory: Inventory, run: Run) -> None:
    """Give back the leases that this run has; a host that does not answer keeps its lease until it expires."""
    if tokens:
        _play("released", {host: {"provision_lease_token": token} for host, token in tokens.items()}, inventory, run, 0)


def break_(hosts: Sequence[str], inventory: Inventory, run: Run, *, of_run: str = "") -> dict[str, LeaseEnd]:
    """End the leases of a controller that is lost (only those of run `of_run`, where named).

    A host refuses while a step of the run is running; the token of a broken lease is worth nothing from then on.
    """
    return {
        host: _broken(done)
        for host, done in _play("broken", {host: {} for host in hosts}, inventory, run, 0, of_run).items()
    }


def _broken(done: HostPlay) -> LeaseEnd:
    if done.unreachable is not None:
        return LeaseEnd(problem=one_line(done.unreachable.message), unreachable=True)
    for task in done.results("lease"):
        lease = task.result["lease"]
        if task.status == "ok" and isinstance(lease, dict):
            word = lease.get("answer")
            return LeaseEnd(
                broken=word == "broken",
                free=word == "free",
                run=str(lease.get("run", "")),
                holder=str(lease.get("holder", "")),
            )
    return LeaseEnd(problem=one_line(done.failed.message) if done.failed else "the host did not answer")


def _play(
    state: str,
    host_vars: Mapping[str, Mapping[str, int | str]],
    inventory: Inventory,
    run: Run,
    ttl: int,
    of_run: str | None = None,
) -> dict[str, HostPlay]:
    number = sum(1 for _ in (run.directory / "ansible").glob("lease-*")) if (run.directory / "ansible").is_dir() else 0
    return play(
        PlayRequest(
            playbook="lease",
            hosts=tuple(host_vars),
            host_vars={host: dict(own) for host, own in host_vars.items()},
            extra_vars={
                "provision_lease_state": state,
                "provision_lease_run": run.id if of_run is None else of_run,
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
    by = failed.result.get("leased_by") if failed else None
    if not isinstance(by, dict):
        return Taken(problem=said)
    lapses = str(by.get("expires_at", ""))
    return Taken(
        problem=said,
        elsewhere=True,
        by=str(by.get("run", "")),
        busy=str(by.get("busy", "")),
        next_action="wait for that run"
        + (
            f"; if its controller is gone for good, the lease lapses at {_utc(int(lapses))}" if lapses.isdigit() else ""
        ),
    )


def _utc(seconds: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(min(seconds, _YEAR_9999)))
