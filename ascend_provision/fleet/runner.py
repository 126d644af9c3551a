"""One ansible-runner run: a playbook of this collection over some hosts, reduced to what each host did.

Traps met and avoided here (ansible-runner 2.4): `ansible-playbook` is looked up on PATH; a handler that raises
leaves the play running alone; a handler that returns True writes a file an event; without a cancel callback the
caller's signal handlers are replaced.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import ansible_runner

from ascend_provision.fleet import content
from ascend_provision.fleet.ansible_core import own_callbacks
from ascend_provision.fleet.events import TaskEnded, task_ended
from ascend_provision.fleet.inventory import Inventory
from ascend_provision.stack.errors import ProvisionError
from ascend_provision.stack.model import Noun

MAX_FORKS = 50
_WATCHED = ("ServerAliveInterval=15", "ServerAliveCountMax=4")
_LASTING = ("ControlMaster=auto", "ControlPersist=60s")
_PACE = "ascend.provision.pace"
_LEAST_PACE_SECONDS, _PACE_SECONDS_A_HOST, _LONGEST_PACE_SECONDS = 0.02, 0.01, 0.5
_PASSED = ("HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SSH_AUTH_SOCK", "TERM", "TMPDIR", "USER", "XDG_RUNTIME_DIR")


class HostPlay(Noun):
    """What one host did in a run: its task results in order, and how it ended."""

    host: str
    tasks: tuple[TaskEnded, ...] = ()

    @property
    def failed(self) -> TaskEnded | None:
        return next((task for task in reversed(self.tasks) if task.status == "failed" and not task.ignored), None)

    @property
    def unreachable(self) -> TaskEnded | None:
        return next((task for task in self.tasks if task.status == "unreachable"), None)

    def results(self, key: str) -> tuple[TaskEnded, ...]:
        """The task results that carry that key (`guarded`, `probe`, `lease`)."""
        return tuple(task for task in self.tasks if key in task.result)


class PlayRequest(Noun):
    """`playbook` is a name in this collection; `host_vars` reach only their host, through an inventory file.

    `lasting` keeps each SSH connection for the next task or run; one that serves one task is cheaper without.
    """

    playbook: str
    hosts: tuple[str, ...]
    host_vars: dict[str, dict[str, Any]] = {}
    extra_vars: dict[str, Any] = {}
    forks: int = MAX_FORKS
    lasting: bool = True


def play(
    request: PlayRequest,
    inventory: Inventory,
    directory: Path,
    *,
    on_task: Callable[[TaskEnded], None] | None = None,
) -> dict[str, HostPlay]:
    """Run it; returns a `HostPlay` for each host asked for. Raises `ProvisionError` when Ansible itself failed.

    `directory` is created with mode 0700 and keeps Ansible's own output for a later look.
    """
    directory.mkdir(parents=True, mode=0o700, exist_ok=True)
    collected: dict[str, list[TaskEnded]] = {host: [] for host in request.hosts}
    verbose: list[str] = []
    events: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()

    def digest() -> None:
        while (event := events.get()) is not None:
            ended = task_ended(event)
            if ended is not None and ended.host in collected:
                collected[ended.host].append(ended)
                if on_task:
                    on_task(ended)
            elif event.get("event") in {"verbose", "error"}:
                verbose.append(str(event.get("stdout", "")))

    reader = threading.Thread(target=digest, name="ansible-events", daemon=True)
    reader.start()
    try:
        done = ansible_runner.run(
            private_data_dir=str(directory),
            playbook=f"ascend.provision.{request.playbook}",
            inventory=_inventory(request, inventory, directory),
            limit=_limit(request.hosts, directory),
            extravars=request.extra_vars,
            forks=max(1, min(request.forks, len(request.hosts), MAX_FORKS)),
            envvars={
                **environment(lasting=request.lasting),
                "ASCEND_PROVISION_PACE": f"{pace(len(request.hosts)):.3f}",
            },
            settings={"pexpect_timeout": 1, "suppress_output_file": False},
            quiet=True,
            event_handler=_queued(events),
            cancel_callback=lambda: False,
        )
    finally:
        events.put(None)
        reader.join()
    plays = {host: HostPlay(host=host, tasks=tuple(tasks)) for host, tasks in collected.items()}
    if not any(play.tasks for play in plays.values()):
        said = " ".join(line for line in verbose if line.strip())
        raise ProvisionError(
            f"Ansible ran no task of `{request.playbook}` (status {done.status}, rc {done.rc})",
            code="ansible-failed",
            why=said[-2000:],
            next_action=f"see {directory}/artifacts",
        )
    return plays


def _queued(events: queue.SimpleQueue[dict[str, Any] | None]) -> Callable[[dict[str, Any]], bool]:
    """A handler that only queues; it returns False so that ansible-runner keeps no file an event."""

    def handler(event: dict[str, Any]) -> bool:
        events.put(event)
        return False

    return handler


def pace(hosts: int) -> float:
    """Seconds between two looks of Ansible at its workers: each look takes time for every host of the play.

    Even one host's installers, reboots and tests take seconds: nobody sees a fiftieth of one.
    """
    return max(_LEAST_PACE_SECONDS, min(_LONGEST_PACE_SECONDS, _PACE_SECONDS_A_HOST * hosts))


def environment(*, lasting: bool = True) -> dict[str, str]:
    """The environment of ansible-playbook: an allow list, the user's own Ansible settings, and what we rely on."""
    passed = {name: value for name, value in os.environ.items() if name in _PASSED or name.startswith("ANSIBLE_")}
    config = os.environ.get("ANSIBLE_CONFIG") or ("ansible.cfg" if Path("ansible.cfg").is_file() else "")
    if config:
        passed["ANSIBLE_CONFIG"] = str(Path(config).resolve())
    return {
        "ANSIBLE_SSH_ARGS": " ".join(f"-o {option}" for option in (*(_LASTING if lasting else ()), *_WATCHED)),
        "ANSIBLE_TIMEOUT": "20",
        **passed,
        "ANSIBLE_CALLBACKS_ENABLED": ",".join(filter(None, (own_callbacks(passed), _PACE))),
        "ANSIBLE_COLLECTIONS_PATH": content.search_path(),
        "ANSIBLE_GATHERING": "explicit",
        "ANSIBLE_HOST_KEY_CHECKING": "True",
        "ANSIBLE_INJECT_FACT_VARS": "False",
        "ANSIBLE_NOCOLOR": "1",
        "ANSIBLE_PIPELINING": "True",
        "ANSIBLE_RETRY_FILES_ENABLED": "False",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        "PYTHONUNBUFFERED": "1",
    }


def _inventory(request: PlayRequest, inventory: Inventory, directory: Path) -> list[str]:
    """The user's sources, then one file with this run's host variables (a later source wins)."""
    sources = list(inventory.sources)
    if request.host_vars:
        extra = directory / "step-variables.json"
        hosts: Mapping[str, Any] = {host: request.host_vars.get(host, {}) for host in request.hosts}
        extra.write_text(json.dumps({"all": {"hosts": hosts}}), encoding="utf-8")
        extra.chmod(0o600)
        sources.append(str(extra))
    return sources


def _limit(hosts: Sequence[str], directory: Path) -> str:
    """Through a file, so that a thousand names fit."""
    limit = directory / "limit"
    limit.write_text("\n".join(hosts) + "\n", encoding="utf-8")
    return f"@{limit}"
