from __future__ import annotations

import pytest

from ascend_provision.knowledge import leftovers


@pytest.mark.parametrize("row", leftovers.known(), ids=lambda row: row.kind)
def test_what_cleanup_may_take_is_taken_where_its_example_lies(row: leftovers.Kind) -> None:
    assert leftovers.find(row.kind) == row
    assert leftovers.may_remove(row.kind, row.example) is (row.action == "remove")


@pytest.mark.parametrize(
    "path", ["/usr/local/Ascend", "/", "/etc/hccn.conf", "/etc/vnpu.cfg", "/usr/local/Ascend/../x"]
)
def test_no_kind_reaches_the_whole_tree_or_the_hosts_configuration(path: str) -> None:
    for row in leftovers.known():
        assert not leftovers.may_remove(row.kind, path)


def test_an_unlisted_kind_is_never_taken() -> None:
    assert not leftovers.may_remove("somebody-s-notes", "/root/notes")


def test_logs_are_kept_and_a_persons_files_are_a_persons_decision() -> None:
    assert not leftovers.may_remove("install-log", "/var/log/ascend_seclog")
    assert not leftovers.may_remove("orphan-cann", "/usr/local/Ascend/old")
    assert not leftovers.may_remove("shell-line", "/root/.bashrc")
