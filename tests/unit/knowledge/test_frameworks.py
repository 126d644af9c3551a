from __future__ import annotations

import pytest

from ascend_provision.knowledge import frameworks
from ascend_provision.stack.versions import FrameworkVersion


@pytest.mark.parametrize(
    "row", [row for row in frameworks.torch_npus() if row.series], ids=lambda row: str(row.torch_npu)
)
def test_every_torch_npu_of_a_branch_has_its_series(row: frameworks.TorchNpu) -> None:
    series = frameworks.torch_npu_series(row.torch_npu)

    assert series is not None
    assert (series.series, series.exact) == (row.series, True)


def series(version: str) -> tuple[str, bool] | None:
    found = frameworks.torch_npu_series(FrameworkVersion(version))
    return (str(found.series), found.exact) if found else None


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("1.8.1", ("3.0.0", True)),
        ("2.1.0rc1", ("5.0.rc3", True)),
        ("2.1.0", ("5.0.0", True)),
        ("2.1.0.post3", ("5.0.0", False)),
        ("2.5.1.post1.dev20250619", ("7.0.0", False)),
        ("2.9.0.post1+git4c901a4", ("7.3.0", False)),
        ("2.7.1.dev20250724", None),
        ("1.4.0", None),
    ],
)
def test_the_series_of_an_unlisted_build_is_a_lower_bound(version: str, expected: tuple[str, bool] | None) -> None:
    assert series(version) == expected
