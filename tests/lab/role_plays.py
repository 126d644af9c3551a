"""Roles on simulated hosts, the way the executor runs them: the guard over SSH, and playbooks/step.yml."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from typing import Any

from ascend_provision.fleet import guard, inventory
from ascend_provision.fleet.runner import HostPlay, PlayRequest, play

STATE = "/var/lib/ascend-provision"


class Roles:
    """One host of a fleet; `sh` is its shell as root, `run` a role's entry point with a lease of its own."""

    def __init__(self, fleet: Any, host: str, directory: Path) -> None:
        self.fleet, self.host, self.directory = fleet, host, directory
        self.token = 0
        self.inventory = inventory.load([str(fleet.inventory)], host)
        self._plays = 0

    def sh(self, line: str) -> str:
        """The output of a shell line that must succeed."""
        done = self.fleet.ssh(self.host, line)
        assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"
        return str(done.stdout)

    def start(self, verb: str, *words: str) -> subprocess.Popen[bytes]:
        """Ask the guard over SSH, in the background."""
        command = ["ssh", "-F", str(self.fleet.ssh_config), "-o", "BatchMode=yes", self.host, "/bin/sh -s"]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert process.stdin
        process.stdin.write(guard.message(verb, words))
        process.stdin.close()
        process.stdin = None
        return process

    def ask(self, verb: str, *words: str) -> guard.Answer:
        """Ask the guard over SSH."""
        out, err = self.start(verb, *words).communicate(timeout=120)
        answer = guard.read(out.decode())
        assert answer is not None, err.decode()
        return answer

    def take(self, run: str = "r1") -> int:
        """Take the lease for the plays and commands that follow."""
        answer = self.ask("take", run, "tests", "600", "60")
        assert answer.word == "taken", answer
        self.token = int(answer.fields["token"])
        return self.token

    def until(self, line: str, seconds: float = 30) -> None:
        """Wait until a shell line on the host is true."""
        end = time.monotonic() + seconds
        while self.fleet.ssh(self.host, line).returncode:
            assert time.monotonic() < end, f"never true: {line}"
            time.sleep(0.1)

    def words(self, name: str, *options: str) -> tuple[str, ...]:
        """Options of the guard's `run`."""
        return ("--run", "r1", "--token", str(self.token), "--name", name, *options)

    def run(
        self, role: str, entry: str, lease: dict[str, Any] | None = None, login: str = "root", **own: Any
    ) -> HostPlay:
        """Run one entry point and the probe after it; the results of its tasks. Another login than root uses sudo."""
        self._plays += 1
        directory = self.directory / str(self._plays)
        lease = {"run": "r1", "token": self.token} if lease is None else lease
        variables: dict[str, Any] = {f"{role}_{key}": value for key, value in own.items()} | {f"{role}_lease": lease}
        variables |= {"ansible_user": login, "ansible_become": login != "root"}
        common = {
            "provision_role": role,
            "provision_entry": entry,
            "provision_evidence_dir": str(directory / "evidence"),
        }
        request = PlayRequest(playbook="step", hosts=(self.host,), host_vars={self.host: variables}, extra_vars=common)
        return play(request, self.inventory, directory)[self.host]


def changed(done: HostPlay) -> bool:
    """Whether the role changed the host; it must not have failed."""
    assert done.failed is None, done.failed.message
    assert done.unreachable is None, done.unreachable.message
    return any(task.changed for task in done.tasks)


def log(done: HostPlay) -> list[str]:
    """What the guarded commands of the role printed."""
    return [line for task in done.results("guarded") for line in task.result.get("log", [])]
