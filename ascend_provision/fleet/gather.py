"""One probe of every host: evidence on disk, facts in hand, and the SSH error of each host that did not answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ascend_provision.evidence import wire
from ascend_provision.evidence.facts import read
from ascend_provision.fleet.events import TaskEnded, one_line
from ascend_provision.fleet.inventory import Inventory
from ascend_provision.fleet.runner import MAX_FORKS, HostPlay, PlayRequest, play
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.model import Noun

PROBE_DEADLINE_SECONDS = 60
READ_FORKS = 20
"""Hosts read at the same time unless asked otherwise; each takes about twelve megabytes of the controller's memory."""


class Gathered(Noun):
    """`facts` of the hosts that answered, `unreachable` with the reason of those that did not, `tasks` run a host.

    `evidence` is the directory with the hosts' answers.
    """

    facts: dict[str, HostFacts]
    unreachable: dict[str, str]
    tasks: dict[str, int] = {}
    evidence: Path | None = None


def gather(
    inventory: Inventory,
    *,
    run_dir: Path,
    evidence_dir: Path,
    deadline: int = PROBE_DEADLINE_SECONDS,
    forks: int = MAX_FORKS,
    on_task: Callable[[TaskEnded], None] | None = None,
    lasting: bool = True,
) -> Gathered:
    """Probe all hosts of the inventory in one Ansible run; nothing is written on any host.

    `lasting` keeps the connections open for what comes next.
    """
    request = PlayRequest(
        playbook="probe",
        hosts=inventory.hosts,
        extra_vars={"provision_evidence_dir": str(evidence_dir), "provision_deadline": deadline},
        forks=forks,
        lasting=lasting,
    )
    return collect(play(request, inventory, run_dir, on_task=on_task), evidence_dir)


def collect(plays: dict[str, HostPlay], evidence_dir: Path) -> Gathered:
    """Read back the evidence that the plays' probes filed."""
    facts: dict[str, HostFacts] = {}
    unreachable: dict[str, str] = {}
    for host, done in plays.items():
        path = evidence_dir / f"{host}.probe"
        if done.unreachable is not None:
            unreachable[host] = one_line(done.unreachable.message) or "unreachable"
        elif (probes := done.results("probe")) and path.is_file():
            found = read(wire.parse(host, path.read_text(encoding="utf-8", errors="replace")))
            facts[host] = found.model_copy(update={"super_pod": _super_pod(probes[-1])})
        else:
            failed = done.failed
            unreachable[host] = one_line(failed.message) if failed else "the probe did not run"
    tasks = {host: len(done.tasks) for host, done in plays.items()}
    return Gathered(facts=facts, unreachable=unreachable, tasks=tasks, evidence=evidence_dir)


def _super_pod(probed: TaskEnded) -> str:
    """What the inventory says, handed through by the probe's task."""
    probe = probed.result["probe"]
    return str(probe.get("super_pod", "")) if isinstance(probe, dict) else ""
