"""`check --record`: one file a host, for its owner's eyes, in a directory of its own."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from ascend_provision.check import judge_host
from ascend_provision.evidence import facts, wire
from ascend_provision.fleet.given import load
from ascend_provision.fleet.recording import prepare, record
from ascend_provision.stack.errors import UsageError
from tests.unit.evidence.answers import answer


@pytest.fixture
def evidence(tmp_path: Path) -> Path:
    path = tmp_path / "evidence"
    path.mkdir()
    for host in ("a1-1", "a1-2"):
        (path / f"{host}.probe").write_text(answer())
    return path


def test_each_host_is_a_file_that_can_be_read_back(evidence: Path, tmp_path: Path) -> None:
    prepare(tmp_path / "sent")
    told = record(evidence, {"a1-1": "", "a1-2": ""}, tmp_path / "sent", keep_addresses=False)

    assert "2 hosts recorded" in told[0]
    assert [item.host for item in load([tmp_path / "sent"], None)] == ["a1-1", "a1-2"]
    assert stat.S_IMODE((tmp_path / "sent/a1-1.probe").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "sent").stat().st_mode) == 0o700


def test_one_address_is_the_same_on_every_host_of_a_recording_and_another_in_the_next(
    evidence: Path, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        prepare(tmp_path / name)
        record(evidence, {"a1-1": "", "a1-2": ""}, tmp_path / name, keep_addresses=False)

    first, second = ((tmp_path / f"one/a1-{n}.probe").read_text() for n in (1, 2))
    assert first == second
    assert first != (tmp_path / "two/a1-1.probe").read_text()


def test_a_directory_with_something_else_in_it_is_refused(evidence: Path, tmp_path: Path) -> None:
    (tmp_path / "sent").mkdir()
    (tmp_path / "sent/other.txt").write_text("mine")

    with pytest.raises(UsageError, match="is not empty"):
        prepare(tmp_path / "sent")
    with pytest.raises(UsageError, match="cannot be written"):
        prepare(tmp_path / "sent/other.txt/x")


@pytest.mark.parametrize("keep", [False, True], ids=["replaced", "kept"])
def test_a_host_that_is_named_by_its_address_is_not_given_away_by_the_files_name(tmp_path: Path, keep: bool) -> None:
    (tmp_path / "10.20.0.5.probe").write_text("#ascend-provision-probe 2\n")
    prepare(tmp_path / "sent")
    record(tmp_path, {"10.20.0.5": ""}, tmp_path / "sent", keep_addresses=keep)

    (name,) = [path.name for path in (tmp_path / "sent").iterdir()]
    assert (name == "10.20.0.5.probe") is keep
    assert name.startswith("10.")


def test_the_super_pod_of_the_inventory_is_in_the_recording_and_only_there(evidence: Path, tmp_path: Path) -> None:
    prepare(tmp_path / "sent")
    record(evidence, {"a1-1": "pod-7", "a1-2": ""}, tmp_path / "sent", keep_addresses=False)

    read_back = {
        name: facts.read(wire.parse(name, (tmp_path / f"sent/{name}.probe").read_text())) for name in ("a1-1", "a1-2")
    }

    assert {name: found.super_pod for name, found in read_back.items()} == {"a1-1": "pod-7", "a1-2": ""}
    assert not any("not complete" in why for found in read_back.values() for why in found.unread)


LEAKED = "ZGVhZGJlZWY0Y2FmZWJhYmU="
TOLD = (
    f"export HF_TOKEN={LEAKED}",
    f"Environment=AWS_SECRET_ACCESS_KEY={LEAKED}",
    f"python train.py --api-key {LEAKED}",
    f"--password={LEAKED}",
    f"https://user:{LEAKED}@registry.local/x",
    f"Authorization: Bearer {LEAKED}",
)


@pytest.mark.parametrize("line", TOLD)
def test_a_secret_that_a_host_printed_is_not_sent_and_the_judgement_is_the_same(line: str, tmp_path: Path) -> None:
    text = wire.joined(answer(), "notes", line)
    (tmp_path / "h.probe").write_text(text)
    prepare(tmp_path / "sent")
    record(tmp_path, {"h": ""}, tmp_path / "sent", keep_addresses=True)
    sent = (tmp_path / "sent/h.probe").read_text()

    assert LEAKED not in sent
    before, after = (facts.read(wire.parse("h", written)) for written in (text, sent))
    assert [(item.id, item.verdict) for item in judge_host(before)] == [
        (item.id, item.verdict) for item in judge_host(after)
    ]
