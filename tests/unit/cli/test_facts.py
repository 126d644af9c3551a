"""`facts`: everything known about each host, nothing judged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from ascend_provision.cli.main import main
from ascend_provision.stack.model import Unknown
from tests.unit.cli.fleets import Fleet, behind
from tests.unit.evidence.pasted import pastes
from tests.unit.factories import a1_host, changed

ARGUMENTS = ["facts", "--hosts", "all", "-i", "hosts.yml"]


def test_facts_are_yaml_for_people_and_json_for_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    behind(Fleet(a1_host("a1-1")), monkeypatch, tmp_path)

    assert main(ARGUMENTS) == 0
    text = yaml.safe_load(capsys.readouterr().out)
    assert main([*ARGUMENTS, "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)

    assert text == document
    assert document["schema_version"] == 1
    assert [host["host"] for host in document["hosts"]] == ["a1-1"]
    assert document["hosts"][0]["driver"]["file"] == "22.0.4"
    assert len(document["hosts"][0]["chips"]) == 8


def test_what_could_not_be_read_says_why_and_an_unreachable_host_is_5(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sick = changed(a1_host("a1-1"), chips=Unknown(unknown="npu-smi hung \x1b[2J"))
    behind(Fleet(sick, unreachable={"a1-2": "No route to host"}), monkeypatch, tmp_path)

    assert main(ARGUMENTS) == 5
    out = capsys.readouterr().out

    assert "\x1b" not in out
    assert yaml.safe_load(out)["hosts"][0]["chips"]["unknown"] == "npu-smi hung \x1b[2J"
    assert yaml.safe_load(out)["unreachable"] == {"a1-2": "No route to host"}


def test_the_probe_is_as_patient_as_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fleet = behind(Fleet(a1_host("a1-1")), monkeypatch, tmp_path)

    main([*ARGUMENTS, "-i", "more.yml", "--deadline", "20", "--forks", "7"])

    assert fleet.asked == [{"sources": ("hosts.yml", "more.yml"), "pattern": "all", "deadline": 20, "forks": 7}]


def test_only_the_newest_readings_are_kept_and_runs_that_changed_hosts_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    behind(Fleet(a1_host("a1-1")), monkeypatch, tmp_path)
    for number in range(25):
        (tmp_path / "runs" / f"20200101-0000{number:02d}-facts-0000").mkdir(parents=True)
    changed_hosts = tmp_path / "runs" / "20190101-000000-facts-0000"
    changed_hosts.mkdir()
    (changed_hosts / "result.json").write_text("{}")

    main(ARGUMENTS)

    left = sorted(path.name for path in (tmp_path / "runs").iterdir())
    assert len(left) == 21
    assert left[0] == changed_hosts.name
    assert left[1] == "20200101-000006-facts-0000"


def test_files_of_a_host_are_read_without_asking_anybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ASCEND_PROVISION_STATE", str(tmp_path / "state"))
    (tmp_path / "smi.txt").write_text(f"[root@worker7 ~]# npu-smi info\n{pastes.INFO}")
    (tmp_path / "info.txt").write_text(f"hello\n{pastes.DRIVER}")

    files = [str(tmp_path / "smi.txt"), str(tmp_path / "info.txt")]
    assert main(["facts", "--format", "json", "--evidence", *files]) == 0
    shown = capsys.readouterr()
    document = json.loads(shown.out)

    (host,) = document["hosts"]
    assert (host["host"], host["driver"]["file"], host["chips"][0]["name"]) == ("worker7", "24.1.0", "910B3")
    kinds = [(piece["file"], piece["line"], piece["kind"]) for piece in document["evidence"][0]["recognised"]]
    assert kinds == [("smi.txt", 2, "npu-smi info"), ("info.txt", 2, "driver/version.info")]
    assert "worker7: info.txt:1-1 is not recognised: hello" in shown.err
    assert not (tmp_path / "state").exists()


def test_a_host_of_whom_nothing_was_recognised_is_5(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("it does not work\n")

    assert main(["facts", "--evidence", str(tmp_path / "a.txt")]) == 5
