"""The oldest Python a host may have to be changed by the installed ansible-core."""

from __future__ import annotations

import pytest
from ansible.module_utils import basic

from ascend_provision.fleet.ansible_core import minimum, oldest_target_python
from ascend_provision.stack.versions import FrameworkVersion


@pytest.mark.parametrize(
    ("line", "oldest"),
    [("_PY_MIN = (3, 8)", "3.8"), ("_PY_MIN = (3, 9)", "3.9"), ("_PY2_MIN = sys.version_info[:2] >= (2, 7)", "2.7")],
    ids=["ansible-core 2.19", "ansible-core 2.21", "ansible-core 2.16"],
)
def test_each_core_says_which_python_it_still_manages(line: str, oldest: str) -> None:
    assert minimum(f"import sys\n\n{line}\n\nif sys.version_info < _PY_MIN:\n") == oldest


def test_what_is_read_is_what_the_installed_core_itself_uses() -> None:
    own = getattr(basic, "_PY_MIN", None)
    numbers = own if isinstance(own, tuple) else (2, 7)

    assert oldest_target_python() == FrameworkVersion(".".join(map(str, numbers)))
    assert FrameworkVersion("2.6") < oldest_target_python() < FrameworkVersion("3.12")
