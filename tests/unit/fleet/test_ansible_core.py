"""The oldest Python a host may have to be changed by the installed ansible-core."""

from __future__ import annotations

import pytest
from ansible.module_utils import basic

from ascend_provision.fleet.ansible_core import oldest_target_python
from ascend_provision.stack.versions import FrameworkVersion


@pytest.mark.parametrize(
    ("minimum", "oldest"),
    [((3, 8), "3.8"), ((3, 9), "3.9"), (True, "2.7")],
    ids=["ansible-core 2.19", "ansible-core 2.21", "ansible-core 2.16"],
)
def test_each_core_says_which_python_it_still_manages(
    minimum: object, oldest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(basic, "_PY_MIN", minimum)

    assert oldest_target_python() == FrameworkVersion(oldest)


def test_the_installed_core_manages_a_python_of_this_century() -> None:
    assert FrameworkVersion("2.6") < oldest_target_python() < FrameworkVersion("3.12")
