"""Fleets of simulated hosts for tests. They end with the test run, however it ends (`--owner`).

A machine that cannot run the lab fails these tests with the reason; nothing is skipped.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import pytest

from ascend_provision.lab import protocol
from ascend_provision.lab.places import fleet_place

TREE = Path(__file__).resolve().parents[2]
LAB = [sys.executable, "-m", "ascend_provision.cli.main", "lab"]
Ran = subprocess.CompletedProcess[str]


# the first fleet of a machine waits for the image, and a slow machine is no failure
_LIMIT_S = 900


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give tests with hosts more time than unit tests, unless they say how much they need."""
    for item in items:
        if item.path.is_relative_to(TREE / "tests" / "lab") and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(_LIMIT_S))


def lab_command(*arguments: str, name: str, limit_s: float = 300, extra: dict[str, str] | None = None) -> Ran:
    """Run `ascend-provision lab …` for the fleet `name` and return what it printed."""
    environment = {**os.environ, "ASCEND_LAB_NAME": name, "PYTHONPATH": str(TREE), **(extra or {})}
    return subprocess.run(
        [*LAB, *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=limit_s,
        check=False,
    )


class LabFleet:
    """One running fleet, driven through the command line."""

    def __init__(self, name: str) -> None:
        self.name = name

    def lab(self, *arguments: str, limit_s: float = 300) -> Ran:
        """`lab …` whatever its exit status."""
        return lab_command(*arguments, name=self.name, limit_s=limit_s)

    def do(self, *arguments: str, limit_s: float = 300) -> str:
        """`lab …` that must succeed; its standard output."""
        ran = self.lab(*arguments, limit_s=limit_s)
        if ran.returncode:
            pytest.fail(f"`lab {' '.join(arguments)}` ended with {ran.returncode}:\n{ran.stdout}{ran.stderr}")
        return ran.stdout

    def up(self, nodes: int, profile: str, stack: str, *options: str) -> list[str]:
        """Add hosts; their names."""
        owner = ("--owner", str(os.getpid()))
        kind = ("--nodes", str(nodes), "--profile", profile, "--stack", stack)
        made = json.loads(self.do("up", *kind, *owner, *options, "--format", "json"))
        return [row["name"] for row in made["hosts"]]

    @cached_property
    def inventory(self) -> Path:
        """The Ansible inventory file."""
        return Path(self.do("inventory", "--path").strip())

    @cached_property
    def ssh_config(self) -> Path:
        """For `ssh -F`."""
        return Path(self.do("inventory", "--ssh-config-path").strip())

    def status(self) -> dict[str, Any]:
        """`lab status --format json`."""
        shown: dict[str, Any] = json.loads(self.do("status", "--format", "json"))
        return shown

    def host(self, name: str) -> dict[str, Any]:
        """One host's row of the status, asked from the daemon itself: this is what waiting loops call."""
        row = next(host for host in protocol.status(fleet_place(self.name)) if host.name == name)
        return protocol.status_row(row)

    def exec(self, host: str, *command: str) -> Ran:
        """Run a command on a host without SSH."""
        return self.lab("exec", host, "--", *command)

    def ssh(self, host: str, command: str, limit_s: float = 60) -> Ran:
        """Run a shell line on a host over SSH, from the machine's own network."""
        return subprocess.run(
            ["ssh", "-F", str(self.ssh_config), "-o", "BatchMode=yes", host, command],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=limit_s,
            check=False,
        )

    def boot_id(self, host: str) -> str:
        """Over SSH; empty if the host does not answer."""
        return self.ssh(host, "cat /proc/sys/kernel/random/boot_id").stdout.strip()

    def wait_for_another_boot(self, host: str, boot_id: str, limit_s: float = 60) -> str:
        """Wait until the host answers with another boot id, and return that."""
        end = time.monotonic() + limit_s
        while time.monotonic() < end:
            now = self.boot_id(host)
            if now and now != boot_id:
                return now
            time.sleep(0.2)
        pytest.fail(f"{host} did not come back within {limit_s:g} s with a boot id other than {boot_id}")

    def wait_for_state(self, host: str, state: str, limit_s: float = 30) -> None:
        """Wait until the lab says that the host is in this state."""
        end = time.monotonic() + limit_s
        while self.host(host)["state"] != state:
            if time.monotonic() > end:
                pytest.fail(f"{host} is {self.host(host)['state']}, not {state}, after {limit_s:g} s")
            time.sleep(0.1)

    def digest(self, host: str) -> str:
        """The number that stands for all the host has written."""
        sha256: str = json.loads(self.do("digest", host, "--format", "json"))["sha256"]
        return sha256


class LabFactory(Protocol):
    """Makes fleets."""

    def __call__(self, label: str = "t") -> LabFleet:
        """A fleet with a name of its own, still without hosts: `lab("x").up(2, profile, stack)`."""


_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def lab() -> Iterator[LabFactory]:
    """Fleets for this session; all are taken down at its end."""
    made: list[LabFleet] = []

    def make(label: str = "t") -> LabFleet:
        fleet = LabFleet(f"{label}-{os.getpid()}-{next(_numbers)}")
        made.append(fleet)
        return fleet

    yield make
    for fleet in made:
        fleet.lab("down")


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every package of every published stack, with its manifest."""
    directory = tmp_path_factory.mktemp("packages")
    ran = lab_command("packages", str(directory), name="packages")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return directory
