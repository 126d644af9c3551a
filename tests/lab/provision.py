"""`ascend-provision` as an operator runs it, against a lab fleet; results are read from its JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.lab.conftest import TREE, LabFleet

PROGRAM = (sys.executable, "-m", "ascend_provision.cli.main")
Ran = subprocess.CompletedProcess[str]
LIMIT_SECONDS = 900
AT_ONCE = ("--canary", "0", "--growth", "fixed", "--wave", "100%", "--max-fail", "99")
"""All hosts in one wave, whatever becomes of them: for tests of what happens on hosts."""


class Operator:
    """One controller: a fleet's inventory, a package directory, and a place for the records of runs."""

    def __init__(self, fleet: LabFleet, packages: Path, state: Path) -> None:
        self.fleet, self.packages, self.state = fleet, packages, state

    @property
    def environment(self) -> dict[str, str]:
        return {
            **{name: value for name, value in os.environ.items() if not name.startswith("ANSIBLE_")},
            "ASCEND_PROVISION_STATE": str(self.state),
            "PYTHONPATH": str(TREE),
            "NO_COLOR": "1",
        }

    def until_step(self, step: str, verb: str, *arguments: str) -> subprocess.Popen[bytes]:
        """`ascend-provision VERB …` in the background, returned when its journal says that the step has started."""
        before = sum(self._starts(step))
        running = subprocess.Popen(
            [*PROGRAM, verb, *arguments],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        end = time.monotonic() + 300
        while time.monotonic() < end and running.poll() is None:
            if sum(self._starts(step)) > before:
                return running
            time.sleep(0.5)
        pytest.fail(f"{step} never started (exit {running.poll()})")

    def _starts(self, step: str) -> list[int]:
        wanted = f'"step-started","step":"{step}"'
        return [path.read_text().count(wanted) for path in (self.state / "runs").glob("*/journal.jsonl")]

    def run(self, verb: str, *arguments: str, limit_s: float = LIMIT_SECONDS, inventory: bool = True) -> Ran:
        """`ascend-provision VERB …`, whatever its exit status."""
        chosen = ("-i", str(self.fleet.inventory)) if inventory else ()
        return subprocess.run(
            [*PROGRAM, verb, *arguments, *chosen],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=limit_s,
            check=False,
        )

    def change(self, verb: str, hosts: str, to: str, *options: str) -> tuple[int, dict[str, dict[str, Any]], Ran]:
        """Carry out a change on all hosts at once; exit status, the result by host, and all that was printed."""
        named = ("--hosts", hosts, "--to", to, "--packages", str(self.packages), *AT_ONCE)
        ran = self.run(verb, *named, "--yes", "--format", "json", *options)
        try:
            result = json.loads(ran.stdout)
        except json.JSONDecodeError:
            pytest.fail(f"{verb} printed no result (exit {ran.returncode}):\n{ran.stdout[-3000:]}{ran.stderr[-3000:]}")
        return ran.returncode, {host["host"]: host for host in result["hosts"]}, ran

    def facts(self, hosts: str) -> dict[str, dict[str, Any]]:
        """The facts of hosts as they are now."""
        ran = self.run("facts", "--hosts", hosts, "--format", "json")
        return {host["host"]: host for host in json.loads(ran.stdout)["hosts"]}


def shown(results: dict[str, dict[str, Any]], ran: Ran) -> str:
    """What to look at when a run ended otherwise than expected."""
    lines = [f"{host}: {row['outcome']} {row['step']} {row['reason']}" for host, row in results.items()]
    return "\n".join([*lines, f"exit {ran.returncode}", ran.stderr[-3000:]])
