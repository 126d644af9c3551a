"""A controller that dies in the middle: the installer goes on without it, and the same command finishes the host."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest

from tests.lab.conftest import LabFactory
from tests.lab.provision import Operator, shown

pytestmark = [pytest.mark.lab, pytest.mark.timeout(900)]

INSTALLS = "grep -c 'Driver. .*Start time' /var/log/ascend_seclog/ascend_install.log"


@pytest.fixture(scope="module")
def operator(lab: LabFactory, packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Operator:
    fleet = lab("cut")
    fleet.up(1, "atlas-800-9000", "hdk22", "--no-frameworks", "--no-containers", "--prefix", "cut")
    return Operator(fleet, packages, tmp_path_factory.mktemp("state"))


def test_a_killed_controller_costs_no_install_and_the_same_command_finishes(operator: Operator) -> None:
    fleet = operator.fleet
    fleet.do("fault", "cut-1", "install-delay=10")
    before = int(fleet.exec("cut-1", "sh", "-c", INSTALLS).stdout or 0)
    named = ("--hosts", "cut-1", "--to", "hdk23", "--packages", str(operator.packages), "--yes")
    running = operator.until_step("driver-install", "upgrade", *named, "-i", str(fleet.inventory))
    time.sleep(6)
    running.send_signal(signal.SIGKILL)
    running.wait()
    fleet.do("fault", "cut-1", "install-delay", "--clear")
    time.sleep(12)

    status, results, ran = operator.change("upgrade", "cut-1", "hdk23")

    assert status == 0, shown(results, ran)
    assert results["cut-1"]["outcome"] == "done"
    assert results["cut-1"]["after"]["driver"] == "23.0.3"
    assert int(fleet.exec("cut-1", "sh", "-c", INSTALLS).stdout) == before + 1
    services = operator.facts("cut-1")["cut-1"]["services"]
    assert all(service["active"] and not service["held"] for service in services if service["enabled"])


def test_an_upgraded_host_is_compliant_and_waits_for_no_reboot(operator: Operator) -> None:
    ran = operator.run("check", "--hosts", "cut-1")

    assert ran.returncode == 0, ran.stdout
    assert "pending.reboot" not in ran.stdout
    assert "leftovers.yours" not in ran.stdout
