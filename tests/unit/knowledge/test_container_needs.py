from __future__ import annotations

import pytest

from ascend_provision.knowledge import container_needs, products


@pytest.mark.parametrize("family", ["A1", "A2", "A3", "310P"])
def test_a_container_needs_three_nodes_and_the_drivers_libraries_on_every_card(family: str) -> None:
    assert {row.node for row in container_needs.nodes(family)} == {
        "/dev/davinci_manager", "/dev/devmm_svm", "/dev/hisi_hdc",
    }  # fmt: skip
    needed = {row.what: row.verdict for row in container_needs.paths(family)}
    assert needed["driver libraries"] == "fail"
    assert "the whole driver directory" not in needed


def test_only_on_a3_nothing_runs_without_dcmi_and_the_install_record() -> None:
    def verdicts(family: str) -> set[str]:
        return {row.verdict for row in container_needs.paths(family) if row.what in {"dcmi", "install record"}}

    assert verdicts("A3") == {"fail"}
    assert verdicts("A2") == {"warn"}


def test_only_the_newest_generation_needs_the_whole_driver_directory() -> None:
    assert [row.what for row in container_needs.paths(products.family_of_name("950PR") or "")] == [
        "the whole driver directory"
    ]


def test_a_family_nobody_listed_has_no_needs() -> None:
    assert container_needs.nodes("unheard-of") == ()
    assert container_needs.paths("unheard-of") == ()
