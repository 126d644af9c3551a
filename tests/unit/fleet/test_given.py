"""Which file belongs to which host."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ascend_provision.fleet import given as files
from ascend_provision.fleet.given import load
from ascend_provision.stack.errors import UsageError
from tests.unit.evidence.answers import answer
from tests.unit.evidence.pasted import pastes


def test_files_are_one_host_and_a_directory_is_one_each(tmp_path: Path) -> None:
    for name in ("rack/node-a", "rack/node-b", "rack/.git"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "smi.txt").write_text(pastes.INFO)
    (tmp_path / "rack/a1-9.probe").write_text(answer())
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    one.write_text(pastes.INFO)
    other.write_text(f"[root@worker7 ~]# cat /etc/hccn.conf\n{pastes.HCCN}")

    assert [item.host for item in load([tmp_path / "rack"], None)] == ["a1-9", "node-a", "node-b"]
    (pooled,) = load([one, other], None)
    assert pooled.host == "worker7"
    assert {piece.file for piece in pooled.pieces} == {"one.txt", "other.txt"}
    assert [item.host for item in load([one], None)] == ["one"]
    assert [item.host for item in load([one], "a1-3")] == ["a1-3"]


def test_what_is_not_there_or_not_one_host_is_a_usage_error(tmp_path: Path) -> None:
    for name in ("x/node", "y/node", "empty"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("x", "y"):
        (tmp_path / name / "node/a.txt").write_text(pastes.INFO)

    (tmp_path / "nowhere").symlink_to("nowhere")
    with pytest.raises(UsageError, match="does not exist"):
        load([tmp_path / "gone"], None)
    with pytest.raises(UsageError, match="link that leads to no file"):
        load([tmp_path / "nowhere"], None)
    with pytest.raises(UsageError, match="no file and no directory"):
        load([Path("/dev/zero")], None)
    with pytest.raises(UsageError, match="no file"):
        load([tmp_path / "empty"], None)
    with pytest.raises(UsageError, match="two hosts are called node"):
        load([tmp_path / "x", tmp_path / "y"], None)
    with pytest.raises(UsageError, match="is for one host"):
        load([tmp_path / "x", tmp_path / "y"], "me")


def test_a_file_of_windows_is_read_and_one_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "utf16.txt").write_bytes(pastes.DRIVER.encode("utf-16"))
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0\0\0")
    (given,) = load([tmp_path], "h")

    assert [piece.kind for piece in given.pieces] == ["driver/version.info"]
    assert [(piece.file, piece.says) for piece in given.unrecognised] == [("picture.png", "not a text")]


def test_what_cannot_be_read_in_a_directory_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(pastes.INFO)
    (tmp_path / "empty.txt").write_text("\n")
    (tmp_path / "b.txt").symlink_to("b.txt")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "again").symlink_to(tmp_path)
    (given,) = load([tmp_path], None)

    assert given.host == tmp_path.name
    assert {piece.file for piece in given.pieces} == {"a.txt"}
    assert [(piece.file, piece.says) for piece in given.unrecognised] == [
        ("b.txt", "is a link that leads to no file"),
        ("empty.txt", "empty"),
        ("pipe", "is no file and no directory"),
    ]


def test_one_file_with_the_prompts_of_two_hosts_gives_both_and_a_name_makes_them_one(tmp_path: Path) -> None:
    (tmp_path / "both.txt").write_text(
        f"[root@n1 ~]# npu-smi info\n{pastes.INFO}[root@n2 ~]# cat /etc/hccn.conf\n{pastes.HCCN}"
    )

    assert [item.host for item in load([tmp_path], None)] == ["n1", "n2"]
    assert [item.record.host for item in load([tmp_path / "both.txt"], None)] == ["n1", "n2"]
    assert [item.host for item in load([tmp_path], "n3")] == ["n3"]


def test_of_a_huge_file_the_beginning_is_read_and_the_rest_said_to_be_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_BYTES", 4096)
    (tmp_path / "long.log").write_text(pastes.INFO + "x" * 10_000)
    (given,) = load([tmp_path], None)

    assert given.pieces[0].used
    assert given.unrecognised[-1].says == "only its first 4096 bytes were read"
