"""Where runs are kept: a directory each, with plan, evidence, journal and result."""

from __future__ import annotations

import fcntl
import os
import secrets
import time
from pathlib import Path
from typing import IO

import platformdirs

from ascend_provision.planner.waves import Policy
from ascend_provision.stack.errors import LeasedElsewhere, UsageError
from ascend_provision.stack.model import Noun
from ascend_provision.stack.plan import HostPlan, Plan
from ascend_provision.stack.runs import RunResult

STATE_VARIABLE = "ASCEND_PROVISION_STATE"
_ALIVE = "alive"


def state_directory() -> Path:
    """$ASCEND_PROVISION_STATE, or the user's (root: the system's) state directory."""
    named = os.environ.get(STATE_VARIABLE)
    if named:
        return Path(named)
    if os.geteuid() == 0:
        return Path("/var/lib/ascend-provision-controller")
    return platformdirs.user_state_path("ascend-provision")


class Order(Noun):
    """How a run was asked for, beside its plan: what a later process needs to go on with it.

    `domains`: host -> failure domain. `sources` are inventory sources, `packages` the package directory.
    """

    sources: tuple[str, ...] = ()
    packages: str = ""
    policy: Policy = Policy()
    domains: dict[str, str] = {}

    def domain(self, host: HostPlan) -> str:
        """The failure domain of a host; where none were asked for, hosts of one super-pod are one."""
        return self.domains.get(host.host) or host.super_pod


class Run:
    """One run's directory."""

    def __init__(self, run: str, directory: Path) -> None:
        self.id = run
        self.directory = directory
        self._alive: IO[bytes] | None = None

    def start(self) -> None:
        """Say for as long as this process lives that it works on this run; the kernel takes it back at any death.

        Raises `LeasedElsewhere` while another process does.
        """
        self._alive = (self.directory / _ALIVE).open("ab")
        try:
            fcntl.flock(self._alive, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._alive.close()
            raise LeasedElsewhere(
                f"another process of this machine is working on run `{self.id}`",
                code="run-alive",
                next_action="wait for it, or stop it with one Ctrl-C there (or `runs abort`)",
            ) from None

    def close(self) -> None:
        """This process works on it no more; the end of the process says the same."""
        if self._alive:
            self._alive.close()

    def left(self, other: str) -> bool:
        """Is that other run one of this controller whose process has ended? A run known only elsewhere never is."""
        named = {path.name: path / _ALIVE for path in self.directory.parent.iterdir()}  # `other` is a host's word
        path = named.get(other)
        return other != self.id and path is not None and path.is_file() and not _locked(path)

    def going_on(self) -> bool:
        """Is another process of this machine working on this run?"""
        path = self.directory / _ALIVE
        return path.is_file() and _locked(path)

    def evidence(self, moment: str) -> Path:
        """Where the probes of a moment (`before`, `after`, a step) are kept."""
        path = self.directory / "evidence" / moment
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        return path

    @property
    def journal(self) -> Path:
        return self.directory / "journal.jsonl"

    def unused(self, moment: str) -> str:
        """That name, or with a number behind it: a resumed run keeps what its earlier processes left."""
        taken = {path.name for path in (self.directory / "ansible").glob(f"{moment}*")}
        return next(
            name
            for name in (moment, *(f"{moment}-{number}" for number in range(2, len(taken) + 3)))
            if name not in taken
        )

    def last_sequence(self) -> int:
        """The number of the last step's Ansible run in this directory; they are kept as `NNN-STEP`."""
        heads = (path.name.partition("-")[0] for path in (self.directory / "ansible").glob("*-*"))
        return max((int(head) for head in heads if head.isdigit()), default=0)

    def save_plan(self, plan: Plan) -> None:
        _write(self.directory / "plan.json", plan.model_dump_json(indent=1) + "\n")

    def plan(self) -> Plan:
        """The plan this run carries out; raises `UsageError` when it was cut before it had one."""
        path = self.directory / "plan.json"
        if not path.is_file():
            raise UsageError(f"run `{self.id}` was cut before anything was begun", code="run-empty")
        return Plan.model_validate_json(path.read_text(encoding="utf-8"))

    def save_order(self, order: Order) -> None:
        _write(self.directory / "order.json", order.model_dump_json(indent=1) + "\n")

    def order(self) -> Order:
        """How it was asked for; a run of an older version has none."""
        path = self.directory / "order.json"
        return Order.model_validate_json(path.read_text(encoding="utf-8")) if path.is_file() else Order()

    def save_result(self, result: RunResult) -> None:
        _write(self.directory / "result.json", result.model_dump_json(indent=1) + "\n")


class RunStore:
    """All runs of this controller."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = (root or state_directory()) / "runs"

    def new(self, verb: str) -> Run:
        """A fresh run; its id sorts by time: 20260131-0102-upgrade-1f3a."""
        run = f"{time.strftime('%Y%m%d-%H%M%S')}-{verb}-{secrets.token_hex(2)}"
        directory = self.root / run
        try:
            directory.mkdir(parents=True, mode=0o700)
        except OSError as error:
            raise UsageError(
                f"the run directory {directory} cannot be made: {error.strerror}",
                code="state-not-writable",
                next_action=f"set ${STATE_VARIABLE} to a directory you may write",
            ) from error
        made = Run(run, directory)
        made.start()
        return made

    def directory(self, run: str) -> Path:
        """The directory of a run; raises `UsageError` with the newest runs when there is none of that name."""
        found = self.root / run
        if run not in {path.name for path in self._directories()}:
            newest = ", ".join(path.name for path in self._directories()[-3:]) or "none yet"
            raise UsageError(
                f"no run `{run}`", code="run-unknown", next_action=f"newest: {newest}; `runs list` shows all"
            )
        return found

    def resume(self, name: str) -> Run:
        """That run (`last`: the newest that changes hosts), for this process to go on with."""
        run = self.named(name)
        run.start()
        return run

    def alive(self, name: str) -> Run:
        """That run (or `last`); raises `UsageError` when no process of this machine is working on it."""
        run = self.named(name)
        if not run.going_on():
            raise UsageError(
                f"no process is working on run `{run.id}`",
                code="run-not-alive",
                next_action=f"`runs show {run.id}` tells how it ended; `--resume {run.id}` goes on with it",
            )
        return run

    def named(self, name: str) -> Run:
        """That run, or `last`: the newest that had a plan. Raises `UsageError` when there is none."""
        if name == "last":
            names = [path.name for path in self._directories() if (path / "plan.json").is_file()]
            name = names[-1] if names else name
        return Run(name, self.directory(name))

    def load(self, run: str) -> RunResult:
        """The result of a run; one that was cut before it could write one has no result."""
        path = self.directory(run) / "result.json"
        if not path.is_file():
            raise UsageError(
                f"run `{run}` has no result: it was cut, or is still going on",
                code="run-unfinished",
                next_action=f"its journal: {path.parent / 'journal.jsonl'}",
            )
        return RunResult.model_validate_json(path.read_text(encoding="utf-8"))

    def results(self) -> list[RunResult]:
        """Every run with a result, oldest first."""
        return [
            RunResult.model_validate_json((path / "result.json").read_text(encoding="utf-8"))
            for path in self._directories()
            if (path / "result.json").is_file()
        ]

    def _directories(self) -> list[Path]:
        return sorted(path for path in self.root.iterdir() if path.is_dir()) if self.root.is_dir() else []


def _locked(path: Path) -> bool:
    with path.open("rb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


def _write(path: Path, text: str) -> None:
    """Whole or not at all."""
    part = path.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    part.chmod(0o600)
    part.replace(path)
