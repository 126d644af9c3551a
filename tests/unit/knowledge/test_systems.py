from __future__ import annotations

import pytest

from ascend_provision.knowledge import patterns, products, systems


@pytest.mark.parametrize("row", systems.deployed(), ids=lambda row: f"{row.os}-{row.version}-{row.arch}")
def test_every_listed_system_is_supported_for_its_chips(row: systems.Deployed) -> None:
    for chip in row.chips:
        found = systems.supported(row.os, [row.version], row.arch, chip)
        assert found.verdict == "compatible"
        assert ("without AI frameworks" in found.why) == (chip in row.without_frameworks)
        assert found.source


@pytest.mark.parametrize(
    ("os_id", "version", "chip"),
    [("openEuler", "22.03 (LTS-SP4)", "910b"), ("kylin", "V10 (Tercel)", "910"), ("ubuntu", "22.04", "910_93")],
)
def test_the_words_of_os_release_are_understood(os_id: str, version: str, chip: str) -> None:
    assert systems.supported(os_id, [version], "aarch64", chip).verdict == "compatible"


def test_a_system_nobody_lists_is_unknown_and_what_is_listed_of_it_is_named() -> None:
    found = systems.supported("ubuntu", ["23.10"], "aarch64", "910b")

    assert found.verdict == "unknown"
    assert "Ubuntu 22.04" in found.nearest


@pytest.mark.parametrize("row", systems.minimums(), ids=lambda row: f"{row.product}-{row.os}")
def test_under_a_printed_minimum_the_row_is_named_and_at_it_it_is_not(row: systems.Minimum) -> None:
    arch = row.arches[0]
    at = {"hdk": patterns.example(row.hdk), "firmware": patterns.example(row.firmware)}

    assert row not in systems.below_minimum(row.os, [row.version], arch, row.product, {"hdk": at["hdk"]})
    assert row in systems.below_minimum(row.os, [row.version], arch, row.product, {"hdk": "22.0.4"})
    assert row in systems.below_minimum(row.os, [row.version], arch, row.product, {"firmware": "1.84.15.1.310"})
    assert row not in systems.below_minimum(row.os, [row.version], "riscv64", row.product, {"hdk": "22.0.4"})


def test_kernels_of_install_tables_say_whether_modules_are_built() -> None:
    assert {row.install for row in systems.kernels()} == {"binary", "source"}
    assert any(row.kernel == "4.19.90-24.4.v2101" and row.install == "source" for row in systems.kernels())
    assert all(
        any(row.product in product.title and row.chip == product.chip for product in products.known())
        for row in systems.minimums()
    )


@pytest.mark.parametrize(
    ("os_id", "version_id", "pretty", "chip", "listed"),
    [
        ("openEuler", "22.03", "openEuler 22.03 (LTS-SP4)", "910b", True),
        (
            "openEuler",
            "22.03",
            "openEuler 22.03 (LTS-SP2)",
            "910b",
            False,
        ),  # VERSION_ID knows no SP
        ("kylin", "V10", "Kylin Linux Advanced Server V10 (Tercel)", "910", True),
        ("ubuntu", "22.04", "Ubuntu 22.04.5 LTS", "910b", True),
        ("debian", "10", "Debian GNU/Linux 10 (buster)", "910_93", True),
        ("debian", "12", "Debian GNU/Linux 12 (bookworm)", "910_93", False),
    ],
)
def test_a_release_is_listed_by_its_number_or_by_its_whole_name(
    os_id: str, version_id: str, pretty: str, chip: str, listed: bool
) -> None:
    found = systems.supported(os_id, systems.names(os_id, version_id, pretty), "aarch64", chip)

    assert (found.verdict == "compatible") is listed


@pytest.mark.parametrize("row", systems.added(), ids=lambda row: f"{row.os}-{row.version}-{row.cann}")
def test_a_system_that_a_cann_added_is_listed_for_its_chip(row: systems.Added) -> None:
    found = systems.supported(row.os, [row.version], "aarch64", row.chip)

    assert found.verdict == "compatible"
    assert found.source
    assert systems.supported(row.os, [row.version], "aarch64", "310").verdict == "unknown"
