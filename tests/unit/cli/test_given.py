"""`--evidence` and `--hosts`: one of them, and files only with the first."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_provision.cli.given import evidence_paths, read_given
from ascend_provision.cli.main import main
from ascend_provision.cli.terminal import Terminal
from ascend_provision.stack.errors import UsageError
from tests.unit.evidence.pasted import pastes


def test_more_paths_may_follow_the_option() -> None:
    a, b = Path("a"), Path("b")

    assert evidence_paths("facts", None, None, [a], [b]) == (a, b)
    assert evidence_paths("check", "all", ["h,"], None, None) == ()


@pytest.mark.parametrize(
    ("hosts", "inventory", "evidence", "more"),
    [
        (None, None, None, None),
        ("all", ["h,"], [Path("a")], None),
        ("all", ["h,"], None, [Path("a")]),
        ("all", None, None, None),
    ],
)
def test_anything_else_is_a_usage_error(
    hosts: str | None, inventory: list[str] | None, evidence: list[Path] | None, more: list[Path] | None
) -> None:
    with pytest.raises(UsageError):
        evidence_paths("check", hosts, inventory, evidence, more)


def test_what_nobody_recognised_is_said_beside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text(f"hello\n{pastes.DRIVER}")
    found, given = read_given(Terminal(), [tmp_path / "a.txt"], "h")

    assert str(found["h"].driver.file) == "24.1.0"
    assert [item.host for item in given] == ["h"]
    assert capsys.readouterr().err == "h: a.txt:1-1 is not recognised: hello\n"


def test_facts_is_not_told_to_explain_a_finding() -> None:
    with pytest.raises(UsageError) as told:
        evidence_paths("facts", None, None, None, None)

    assert told.value.next_action.startswith("ascend-provision facts --hosts")
    assert "--explain" not in f"{told.value.what} {told.value.next_action}"


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "--evidence", "{paste}", "--record", "{dir}"),
        ("check", "--evidence", "{paste}", "--keep-addresses"),
        ("check", "--hosts", "all", "-i", "h,", "--name", "h"),
        ("facts", "--hosts", "all", "-i", "h,", "--name", "h"),
    ],
    ids=lambda words: " ".join(words[0:1] + words[-2:]),
)
def test_an_option_that_would_do_nothing_is_refused(
    arguments: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.txt").write_text(pastes.DRIVER)
    told = [word.format(paste=tmp_path / "a.txt", dir=tmp_path / "sent") for word in arguments]

    assert main(told) == 4
    assert "means nothing without" in capsys.readouterr().err
