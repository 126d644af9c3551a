"""Every way a command can end: the lines on stderr and the status."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from ascend_provision.bundle import store
from ascend_provision.cli import main as command
from ascend_provision.stack.errors import LeasedElsewhere, Refusal


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASCEND_PROVISION_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chekc"], "No such command 'chekc'"),
        (["bundle", "list", "--frmat", "json", "x"], "No such option: --frmat"),
        (["bundle", "list"], "Missing argument 'DIR'"),
        (
            ["bundle", "list", "x", "--format", "xml"],
            "Invalid value for '--format': 'xml' is not one of 'text', 'json'",
        ),
        (["plan", "--hosts", "all"], "Missing option"),
        (["bundle"], "`ascend-provision bundle` needs a verb"),
        ([], "`ascend-provision` needs a verb"),
    ],
    ids=["verb", "option", "argument", "choice", "required option", "no sub-verb", "no verb"],
)
def test_a_mistyped_command_line_is_4_and_says_what_is_wrong(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = command.main(arguments)

    out, err = capsys.readouterr()
    assert (status, out) == (4, "")
    assert f"error: {said}" in err
    assert "\nhint: ascend-provision" in err
    assert "Traceback" not in err


def test_help_and_version_are_0_and_on_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("ascend-provision ")
    assert command.main(["bundle", "--help"]) == 0
    assert "verify" in capsys.readouterr().out


def test_an_error_on_purpose_is_three_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = command.main(["bundle", "list", str(tmp_path)])

    out, err = capsys.readouterr()
    assert (status, out) == (4, "")
    assert err == (
        f"error: {tmp_path} holds no Ascend package [packages-empty]\n"
        "why: there is no .run file in it\n"
        f"hint: ascend-provision bundle add {tmp_path} FILE…\n"
    )


@pytest.mark.parametrize(("kind", "status"), [(Refusal, 6), (LeasedElsewhere, 9)])
def test_a_refusal_and_a_lease_have_their_own_status(
    kind: type[Refusal] | type[LeasedElsewhere], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_directory: Path) -> None:
        raise kind("no", code="no")

    monkeypatch.setattr(store, "open", refuse)

    assert command.main(["bundle", "verify", "x"]) == status


@pytest.mark.parametrize("verbose", [[], ["-v"]], ids=["quiet", "-v"])
def test_a_defect_is_1_with_its_traceback_in_a_file(
    verbose: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fall_over(_directory: Path) -> None:
        raise KeyError("nobody thought of this")

    monkeypatch.setattr(store, "open", fall_over)

    status = command.main(["bundle", "verify", "x", *verbose])

    err = capsys.readouterr().err
    (kept,) = (tmp_path / "state" / "tracebacks").iterdir()
    assert status == 1
    assert err.startswith("error: defect in ascend-provision: KeyError: 'nobody thought of this' [internal]\n")
    assert f"hint: traceback: {kept}\n" in err
    assert "fall_over" in kept.read_text()
    assert ("fall_over" in err) == bool(verbose)


def test_ctrl_c_before_anything_was_started_is_0(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_directory: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(store, "open", interrupted)

    assert command.main(["bundle", "verify", "x"]) == 0
    assert capsys.readouterr().err == "stopped: nothing was changed\n"


def test_a_result_goes_to_the_file_that_was_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "Ascend-hdk-910-npu-firmware_6.0.0.run").write_text("x")
    wanted = tmp_path / "report.json"

    status = command.main(["bundle", "add", str(tmp_path), "--format", "json", "-o", str(wanted)])

    assert (status, capsys.readouterr().out) == (0, "")
    assert wanted.read_text().startswith('{\n  "packages": [')
    assert command.main(["bundle", "list", str(tmp_path), "-o", str(tmp_path / "no" / "where")]) == 4


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS])
def test_a_full_disk_of_this_machine_is_no_defect(
    number: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(number, os.strerror(number), "/state/journal.jsonl")

    monkeypatch.setattr(store, "open", full)

    assert command.main(["bundle", "verify", "x"]) == 4
    assert "disk-full" in (said := capsys.readouterr().err)
    assert "/state/journal.jsonl" in said
