"""Hosts that are neither Atlas 800 nor 800T A2 at HDK 22 to 24: a 310P server, an A3, and an A2 with CANN 8.5."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lab.conftest import LabFactory
from tests.lab.provision import Operator, shown

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1200), pytest.mark.xdist_group("products")]


@pytest.fixture(scope="module")
def operator(lab: LabFactory, packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Operator:
    """One host of each product, the A3 without any Ascend software."""
    fleet = lab("products")
    fleet.up(1, "atlas-300i-duo", "hdk23")
    fleet.up(1, "atlas-800t-a2", "hdk255")
    fleet.up(1, "atlas-800t-a3", "bare")
    return Operator(fleet, packages, tmp_path_factory.mktemp("state"))


def test_a_check_understands_two_chips_a_card_and_the_new_cann_directory(operator: Operator) -> None:
    ran = operator.run("check", "--hosts", "p310-1,a2-1")

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "0 fail, 0 unknown, 0 warn" in ran.stdout, ran.stdout
    assert "4 x 310P3" in ran.stdout
    facts = operator.facts("p310-1,a2-1")
    assert [host["unread"] for host in facts.values()] == [[], []]
    card = facts["p310-1"]["chips"]
    assert [(chip["npu_id"], chip["chip_id"], chip["bus"]) for chip in card] == [
        (1, 0, "0000:01:00.0"), (1, 1, "0000:01:00.0"), (2, 0, "0000:02:00.0"), (2, 1, "0000:02:00.0"),
    ]  # fmt: skip
    assert {chip["power_w"] for chip in card} == {chip["hbm_total_mb"] for chip in card} == {None}
    assert [(part["part"], part["chip"], part["root"]) for part in facts["a2-1"]["cann"]] == [
        ("ops", "910b", "/usr/local/Ascend/cann-8.5.0"),
        ("toolkit", None, "/usr/local/Ascend/cann-8.5.0"),
    ]


def test_a_bare_a3_is_bootstrapped_with_ops_and_its_sixteen_chips_reduce_together(operator: Operator) -> None:
    status, results, ran = operator.change("bootstrap", "a3-1", "hdk25")

    assert status == 0, shown(results, ran)
    found = results["a3-1"]
    assert (found["after"]["driver"], found["after"]["firmware"]) == ("25.0.rc1.3", "7.7.0.3.228")
    assert (found["after"]["toolkit"], found["after"]["kernels"]) == ("8.5.0", "8.5.0")
    assert found["smoke"].startswith("pass: 16 cards")

    checked = operator.run("check", "--hosts", "a3-1")

    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "16 x Ascend910" in checked.stdout
    assert all_reduce(operator, ranks=6).rstrip().endswith("success")
    assert "retcode: 5" in all_reduce(operator, ranks=5), "five dies are two and a half NPUs"


def all_reduce(operator: Operator, *, ranks: int) -> str:
    """What the collective test that the bootstrap built prints with so many ranks."""
    line = f"cd /var/lib/ascend-provision/hccl_test/*/ && mpirun -n {ranks} bin/all_reduce_test -p {ranks} -b 8K -e 8K"
    ran = operator.fleet.exec("a3-1", "sh", "-c", line)
    assert "the minbytes is 8192" in ran.stdout, ran.stdout + ran.stderr
    return ran.stdout
