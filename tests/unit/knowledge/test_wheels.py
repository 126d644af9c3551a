from __future__ import annotations

import pytest

from ascend_provision.knowledge import wheels
from ascend_provision.stack.versions import FrameworkVersion


@pytest.mark.parametrize(("rows", "expected"), [(wheels.available(), True), (wheels.absent(), False)])
def test_every_listed_release_is_installable_or_not_as_listed(
    rows: tuple[wheels.Releases, ...], expected: bool
) -> None:
    for row in rows:
        for text in row.torch_npu:
            assert wheels.installable(FrameworkVersion(text.replace("X", "8.1"))) is expected


def test_a_release_that_no_list_names_is_unknown() -> None:
    assert wheels.installable(FrameworkVersion("2.99.0")) is None


@pytest.mark.parametrize("row", wheels.platforms(), ids=lambda row: row.torch_npu)
def test_every_platform_row_gives_its_glibc(row: wheels.Platform) -> None:
    for arch, glibc in row.glibc.items():
        assert wheels.glibc(FrameworkVersion(row.example), arch) == glibc
    assert wheels.glibc(FrameworkVersion(row.example), "riscv64") is None


@pytest.mark.parametrize("row", wheels.requirements(), ids=lambda row: row.torch_npu)
def test_every_wheel_asks_for_its_torch(row: wheels.Requires) -> None:
    release = FrameworkVersion("2.4.0")

    for arch, torch in row.torch.items():
        assert wheels.torch_of(FrameworkVersion(row.example), release, arch) == torch.format(release=release)


def test_torch_of_a_wheel_before_2_12_is_the_cpu_build_on_x86() -> None:
    assert wheels.torch_of(FrameworkVersion("2.4.0.post2"), FrameworkVersion("2.4.0"), "x86_64") == "2.4.0+cpu"
    assert wheels.torch_of(FrameworkVersion("2.99.0"), FrameworkVersion("2.99.0"), "x86_64") is None


@pytest.mark.parametrize("row", wheels.ends(), ids=lambda row: str(row.torch))
def test_every_end_of_support_is_found_by_its_torch(row: wheels.EndOfLife) -> None:
    assert wheels.end_of_life(row.torch) == row
    assert row.day.count("-") == 2


def test_a_torch_without_a_printed_end_has_none() -> None:
    assert wheels.end_of_life(FrameworkVersion("2.9.0")) is None
