"""`verify`: running == target, or 3."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_provision.cli.main import main
from tests.unit.cli.fleets import Fleet, behind
from tests.unit.factories import a1_host, a2_host, changed, environment

ARGUMENTS = ["verify", "--hosts", "all", "-i", "h,", "--to"]
ENVIRONMENT = environment("/opt/llm", torch="2.4.0", torch_npu="2.4.0.post2")


@pytest.mark.parametrize(
    ("level", "wish", "status"),
    [
        ("hdk23", "hdk23", 0),
        ("hdk22", "hdk23", 3),
        ("hdk22", "driver=22.0.4,firmware=1.84.15.1.310", 0),
        ("hdk24", "hdk=24.1.0", 0),
    ],
)
def test_a_host_at_its_target_is_0_and_another_is_3(
    level: str, wish: str, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    behind(Fleet(a1_host("a1-1", level)), monkeypatch, tmp_path)

    assert main([*ARGUMENTS, wish]) == status


def test_a_stack_nobody_knows_is_4(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    behind(Fleet(a1_host("a1-1")), monkeypatch, tmp_path)

    assert main([*ARGUMENTS, "hdk99"]) == 4
    assert "known: hdk22, " in capsys.readouterr().err


def test_a_host_for_which_the_stack_was_never_published_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    behind(Fleet(a1_host("a1-1"), a2_host("a2-1")), monkeypatch, tmp_path)

    assert main([*ARGUMENTS, "hdk22"]) == 5
    assert capsys.readouterr().err == "a2-1: not judged: stack `hdk22` is not published for chip 910b\n"


@pytest.mark.parametrize(("version", "status"), [("2.4.0.post2", 0), ("2.5.1", 3)])
def test_a_framework_is_looked_for_in_the_environments_and_on_the_stack_it_was_published_with(
    version: str, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    behind(Fleet(changed(a2_host("a2-1", "hdk24"), environments=(ENVIRONMENT,))), monkeypatch, tmp_path)

    assert main([*ARGUMENTS, f"torch_npu={version}"]) == status
    assert ("verify.wish" in capsys.readouterr().out) is (status == 3)
