"""From nothing to the target, and over an installed stack without uninstalling it first."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lab.conftest import LabFactory
from tests.lab.provision import Operator, shown

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1200), pytest.mark.xdist_group("bootstrap")]


@pytest.fixture(scope="module")
def operator(lab: LabFactory, packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Operator:
    """Two bare hosts and one at HDK 22."""
    fleet = lab("fresh")
    fleet.up(2, "atlas-800-9000", "bare", "--prefix", "bare")
    fleet.up(1, "atlas-800-9000", "hdk22", "--no-frameworks", "--prefix", "over")
    return Operator(fleet, packages, tmp_path_factory.mktemp("state"))


def test_bare_hosts_are_bootstrapped_with_the_same_proof_and_then_there_is_nothing_to_do(operator: Operator) -> None:
    status, results, ran = operator.change("bootstrap", "bare-1,bare-2", "hdk23")

    assert status == 0, shown(results, ran)
    for found in results.values():
        assert found["outcome"] == "done"
        assert found["after"]["driver"] == "23.0.3"
        assert found["smoke"].startswith("pass: 8 cards")

    status, results, ran = operator.change("bootstrap", "bare-1,bare-2", "hdk23")

    assert status == 0, shown(results, ran)
    assert {found["outcome"] for found in results.values()} == {"nothing-to-do"}


def test_an_overwrite_flashes_firmware_first_and_reboots_once(operator: Operator) -> None:
    status, results, ran = operator.change("upgrade", "over-1", "hdk23", "--strategy", "overwrite")

    assert status == 0, shown(results, ran)
    steps = [step["step"] for step in results["over-1"]["steps"]]
    assert steps.index("firmware-install") < steps.index("driver-install") < steps.index("reboot-final")
    assert "hdk-uninstall" not in steps
    assert results["over-1"]["reboots"] == 1
