"""`check`: report, exit status, and what is kept for a timer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ascend_provision.cli.main import main
from ascend_provision.evidence import wire
from ascend_provision.evidence.facts import read
from ascend_provision.fleet import schedule
from ascend_provision.knowledge import catalogue
from ascend_provision.stack.model import Unknown
from tests.unit.cli.fleets import Fleet, behind
from tests.unit.evidence.answers import answer
from tests.unit.evidence.pasted import pastes
from tests.unit.factories import a1_host, changed, chip

ARGUMENTS = ["check", "--hosts", "all", "-i", "h,"]


def sick() -> Fleet:
    host = a1_host("a1-1")
    assert not isinstance(host.chips, Unknown)
    alarm = chip(0, "910B", "0000:C1:00.0", health="Alarm")
    return Fleet(changed(host, chips=(alarm, *host.chips[1:])))


def test_a_sick_chip_is_3_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    behind(sick(), monkeypatch, tmp_path)

    assert main(ARGUMENTS) == 3
    assert "Alarm" in capsys.readouterr().out


def test_text_and_json_tell_the_same_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    behind(sick(), monkeypatch, tmp_path)

    main(ARGUMENTS)
    headline = capsys.readouterr().out.splitlines()[0]
    main([*ARGUMENTS, "--format", "json"])
    totals = json.loads(capsys.readouterr().out)["totals"]

    assert f"{totals['fail']} fail, {totals['unknown']} unknown, {totals['warn']} warn" in headline


def test_hosts_that_do_not_answer_are_5_and_never_hide_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    behind(Fleet(unreachable={"a1-9": "No route to host"}), monkeypatch, tmp_path)

    assert main(ARGUMENTS) == 5
    assert "a1-9: No route to host" in capsys.readouterr().out


def test_the_report_of_a_timer_is_kept_with_its_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    behind(sick(), monkeypatch, tmp_path)
    kept = tmp_path / "kept"

    assert main([*ARGUMENTS, "--keep", str(kept)]) == 3

    assert (kept / "report.txt").read_text() == capsys.readouterr().out
    assert json.loads((kept / "report.json").read_text())["totals"]["fail"] >= 1
    left = schedule.last(kept)
    assert left is not None
    assert (left.exit_status, left.error) == (3, "")


def test_a_check_that_could_not_begin_leaves_its_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASCEND_PROVISION_STATE", str(tmp_path))
    kept = tmp_path / "kept"

    assert main(["check", "--hosts", "all", "-i", str(tmp_path / "gone.yml"), "--keep", str(kept)]) == 4

    left = schedule.last(kept)
    assert left is not None
    assert (left.exit_status, left.error) == (4, f"inventory `{tmp_path / 'gone.yml'}` does not exist")
    assert not (kept / "report.txt").exists()


def test_a_report_in_chinese_has_the_same_ids_and_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    behind(sick(), monkeypatch, tmp_path)

    assert main([*ARGUMENTS, "--lang", "zh"]) == 3
    text = capsys.readouterr().out
    said = {}
    for lang in ("en", "zh"):
        main([*ARGUMENTS, "--lang", lang, "--format", "json"])
        said[lang] = json.loads(capsys.readouterr().out)

    assert "不通过  chips.health: 所有芯片健康状态正常\n" in text
    assert "Alarm" in text
    assert said["zh"]["totals"] == said["en"]["totals"]
    assert [said[lang]["language"] for lang in said] == ["en", "zh"]
    pairs = zip(*(said[lang]["hosts"][0]["findings"] for lang in said), strict=True)
    words = {"title", "next_action"}
    for english, chinese in pairs:
        assert {key: english[key] for key in english.keys() - words} == {
            key: chinese[key] for key in english.keys() - words
        }
        assert english["title"] != chinese["title"]
    assert said["en"]["explained"].keys() == said["zh"]["explained"].keys()
    assert "chips.health" in said["zh"]["explained"]


def test_a_finding_is_explained_without_reading_a_host(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--explain", "chips.access", "--lang", "en"]) == 0
    out = capsys.readouterr().out
    for number, cause in enumerate(catalogue.entries()["chips.access"].en.causes, start=1):
        assert f"{number}. {cause.split()[0]}" in out

    assert main(["check", "--explain", "chips.access", "--lang", "zh", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "npu-smi 能与 NPU 卡通信"


def test_a_finding_nobody_knows_is_4_and_the_near_ones_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--explain", "chip.acces"]) == 4
    assert "chips.access" in capsys.readouterr().err


def test_hosts_are_needed_for_everything_else(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--hosts", "all"]) == 4
    assert "--explain ID" in capsys.readouterr().err


def test_pasted_output_is_judged_as_a_live_host_and_what_is_missing_is_unknown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.txt").write_text(pastes.INFO.replace("OK   ", "Alarm"))

    assert main(["check", "--evidence", str(tmp_path / "a.txt"), "--name", "worker7"]) == 3
    out = capsys.readouterr().out

    assert "chips.health" in out
    assert "not in the evidence given" in " ".join(out.split())
    assert "worker7" in out
    (tmp_path / "a.txt").write_text(pastes.INFO)
    assert main(["check", "--evidence", str(tmp_path / "a.txt")]) == 5


def test_what_a_live_host_said_is_recorded_and_gives_the_same_findings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = tmp_path / "answers"
    answers.mkdir()
    (answers / "a1-1.probe").write_text(answer())
    fleet = Fleet(read(wire.parse("a1-1", answer())))
    fleet.gathered = fleet.gathered.model_copy(update={"evidence": answers})
    behind(fleet, monkeypatch, tmp_path / "state")

    recorded = tmp_path / "recorded"
    live = main([*ARGUMENTS, "--format", "json", "--record", str(recorded), "--keep-addresses"])
    shown = capsys.readouterr()
    again = main(["check", "--format", "json", "--evidence", str(recorded)])

    assert "look through it before you send it" in shown.err
    assert again == live
    assert capsys.readouterr().out == shown.out


@pytest.mark.parametrize(
    "words",
    [
        ["check"],
        ["check", "--hosts", "all", "-i", "h,", "--evidence", "x"],
        ["check", "--hosts", "all", "-i", "h,", "file.txt"],
        ["check", "--hosts", "all"],
        ["check", "--evidence", "/nowhere/at/all"],
    ],
)
def test_hosts_or_evidence_but_not_both_and_not_neither(words: list[str]) -> None:
    assert main(words) == 4
