"""One step on the hosts that are due for it: one Ansible run, which also reads the hosts again."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from ascend_provision.fleet import endings
from ascend_provision.fleet.endings import StepEnd
from ascend_provision.fleet.events import TaskEnded
from ascend_provision.fleet.gather import collect, gather
from ascend_provision.fleet.inventory import Inventory
from ascend_provision.fleet.runner import HostPlay, PlayRequest, play
from ascend_provision.fleet.runs import Run
from ascend_provision.stack.errors import ProvisionError
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.model import Noun
from ascend_provision.stack.plan import Ending, StepName

ROLES: dict[StepName, tuple[str, str]] = {
    "stage": ("stage", "packages"),
    "quiesce": ("quiesce", "stop"),
    "backup": ("backup", "save"),
    "prepare": ("prepare", "host"),
    "cann-uninstall": ("cann", "uninstall"),
    "hdk-uninstall": ("hdk", "uninstall"),
    "reboot-after-uninstall": ("reboot", "host"),
    "driver-install": ("hdk", "install"),
    "reboot-after-driver": ("reboot", "host"),
    "firmware-install": ("hdk", "install"),
    "restore": ("backup", "restore"),
    "reboot-final": ("reboot", "host"),
    "cann-install": ("cann", "install"),
    "env-profile": ("env_profile", "write"),
    "profile-back": ("backup", "restore"),
    "cleanup": ("cleanup", "remove"),
    "hccl-smoke": ("hccl_smoke", "run"),
    "release": ("release", "host"),
}
"""The role and entry point of each step; `verify` has none, it is a probe that Python judges."""

RETRY_SECONDS = (2, 5, 10, 20, 30)
"""Waits before a host that did not answer is probed again."""


class StepDone(Noun):
    """What one host brought back from a step: its end, its facts after it, and how many tasks it took."""

    host: str
    end: StepEnd
    facts: HostFacts | None
    tasks: int


def act(
    step: StepName,
    arguments: Mapping[str, Mapping[str, Any]],
    leases: Mapping[str, Mapping[str, Any]],
    inventory: Inventory,
    run: Run,
    sequence: int,
    report: Callable[[StepDone], None],
    wait: Callable[[float], object] = time.sleep,
) -> None:
    """Carry out the step on the hosts in `arguments` (their role variables) and probe them.

    `report` is called once for each host, as soon as that host is through: one that takes long holds up no other.
    Never raises for a host.
    """
    hosts = tuple(arguments)
    name = f"{sequence:03d}-{step}"
    evidence = run.evidence(name)
    common: dict[str, Any] = {"provision_evidence_dir": str(evidence)}
    if step in ROLES:
        role, entry = ROLES[step]
        playbook, common = "step", {**common, "provision_role": role, "provision_entry": entry}
        own = {host: {**arguments[host], f"{role}_lease": dict(leases[host])} for host in hosts}
    else:
        playbook, own = "probe", {host: {} for host in hosts}
    request = PlayRequest(playbook=playbook, hosts=hosts, host_vars=own, extra_vars=common)
    seen: dict[str, list[TaskEnded]] = {host: [] for host in hosts}
    told: set[str] = set()

    def through(ended: TaskEnded) -> None:
        """The probe is a host's last task: with its answer on disk the host is through."""
        seen[ended.host].append(ended)
        if "probe" in ended.result:
            play_so_far = HostPlay(host=ended.host, tasks=tuple(seen[ended.host]))
            if (facts := collect({ended.host: play_so_far}, evidence).facts.get(ended.host)) is not None:
                told.add(ended.host)
                report(_done(step, play_so_far, facts))

    try:
        plays = play(request, inventory, run.directory / "ansible" / name, on_task=through)
    except ProvisionError as error:
        failed = StepEnd(ending=Ending.FAILED, detail=f"{error.what}: {error.why}", next_action=error.next_action)
        for host in set(hosts) - told:
            report(StepDone(host=host, end=failed, facts=None, tasks=len(seen[host])))
        return
    left = {host: plays[host] for host in hosts if host not in told}
    facts = _again(left, inventory, run, name, wait)
    for host, done in left.items():
        report(_done(step, done, facts.get(host)))


def _done(step: StepName, play_: HostPlay, facts: HostFacts | None) -> StepDone:
    return StepDone(host=play_.host, end=endings.of(step, play_), facts=facts, tasks=len(play_.tasks))


def _again(
    plays: Mapping[str, HostPlay], inventory: Inventory, run: Run, name: str, wait: Callable[[float], object]
) -> dict[str, HostFacts]:
    """Probe once more those whose facts are missing: a failed role skips the probe, a cut network may come back.

    A host whose step failed by its own word is asked once; one that was lost is waited for.
    """
    facts: dict[str, HostFacts] = {}
    for attempt, pause in enumerate((0, *RETRY_SECONDS)):
        missing = tuple(
            host for host, done in plays.items() if host not in facts and (attempt == 0 or done.unreachable is not None)
        )
        if not missing:
            break
        wait(pause)
        try:
            found = gather(
                inventory.model_copy(update={"hosts": missing}),
                run_dir=run.directory / "ansible" / f"{name}-probe{attempt}",
                evidence_dir=run.evidence(f"{name}-probe{attempt}"),
            )
        except ProvisionError:
            continue
        facts.update(found.facts)
    return facts
