"""A host without Python: Ansible's modules could not run there, the probe, the guard and the roles can."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lab.conftest import LabFactory
from tests.lab.provision import Operator, shown

pytestmark = [pytest.mark.lab, pytest.mark.timeout(900), pytest.mark.xdist_group("without-python")]


@pytest.fixture(scope="module")
def operator(lab: LabFactory, packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Operator:
    fleet = lab("plain")
    fleet.up(1, "atlas-800-9000", "hdk22", "--prefix", "plain", "--python", "none", "--no-frameworks")
    return Operator(fleet, packages, tmp_path_factory.mktemp("state"))


def test_a_toolkit_that_could_not_be_installed_is_refused_before_the_driver_is_touched(operator: Operator) -> None:
    before = operator.fleet.digest("plain-1")

    status, results, ran = operator.change("upgrade", "plain-1", "hdk23")

    assert status == 6, shown(results, ran)
    assert "the CANN toolkit's installer wants Python 3.7.0 or later; the host has none at all" in ran.stdout
    assert operator.fleet.digest("plain-1") == before


def test_a_host_with_its_cann_in_containers_only_gets_driver_and_firmware_with_the_same_proof(
    operator: Operator,
) -> None:
    scripts = "/usr/local/Ascend/ascend-toolkit/6.0.1/*/script/uninstall.sh"
    gone = operator.fleet.exec("plain-1", "sh", "-c", f"for one in {scripts}; do [ ! -x $one ] || $one; done")
    assert gone.returncode == 0, gone.stdout + gone.stderr
    assert operator.facts("plain-1")["plain-1"]["cann"] == []

    status, results, ran = operator.change("upgrade", "plain-1", "driver=23.0.3")

    row = results["plain-1"]
    assert status == 5, shown(results, ran)
    assert (row["outcome"], row["after"]["driver"], row["after"]["firmware"]) == (
        "done-but-unproven",
        "23.0.3",
        "7.1.0.5.220",
    )
    assert row["smoke"].startswith("unknown"), "without a toolkit there is no hccl_test, and nobody claims otherwise"
