from __future__ import annotations

from ascend_provision.knowledge import ansible_cores
from ascend_provision.stack.versions import FrameworkVersion


def test_every_line_manages_its_own_oldest_python() -> None:
    for row in ansible_cores.known():
        assert row.core in ansible_cores.cores_for(row.python)


def test_only_2_16_manages_python_3_6() -> None:
    assert ansible_cores.cores_for(FrameworkVersion("3.6.8")) == ("2.16",)
