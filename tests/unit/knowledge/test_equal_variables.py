from __future__ import annotations

from ascend_provision.knowledge import equal_variables


def test_no_variable_stands_twice_and_each_says_what_a_difference_does() -> None:
    names = [row.variable for row in equal_variables.known()]

    assert len(names) == len(set(names))
    assert all(row.note for row in equal_variables.known())


def test_what_must_differ_between_hosts_is_not_among_them() -> None:
    """Each host has its own address and interface."""
    names = {row.variable for row in equal_variables.known()}

    assert not names & {"HCCL_IF_IP", "HCCL_SOCKET_IFNAME", "ASCEND_RT_VISIBLE_DEVICES", "HCCL_LOGIC_SUPERPOD_ID"}


def test_only_a_published_difference_is_a_failure() -> None:
    """What was only concluded here warns, but for the twin of a published one."""
    inferred = {
        row.variable for row in equal_variables.known() if row.verdict == "fail" and row.confidence == "inferred"
    }

    assert inferred == {"HCCL_INTRA_PCIE_ENABLE"}
