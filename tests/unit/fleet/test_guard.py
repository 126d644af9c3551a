"""What goes to a host's guard, and what its answers mean."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ascend_provision.fleet import guard

LEASE = {"run": "r1", "token": 7}
RAN = "\n".join(
    (
        "ascend-provision-guard 1",
        "answer=ran",
        "rc=0",
        "reattached=0",
        "log_path=/var/lib/ascend-provision/steps/driver-install.log",
        "log_cut=0",
        "---",
        "[Driver] [INFO]Driver package installed successfully!",
        "---",
        "rc=5",
        "",
    )
)


def test_an_answer_is_read_after_a_login_banner() -> None:
    answer = guard.read("Authorized users only.\n" + RAN)

    assert answer is not None
    assert (answer.word, answer.number("rc"), answer.number("seconds")) == ("ran", 0, None)


def test_what_an_installer_prints_cannot_forge_a_field() -> None:
    answer = guard.read(RAN)

    assert answer is not None
    assert answer.fields["rc"] == "0"
    assert answer.log == "[Driver] [INFO]Driver package installed successfully!\n---\nrc=5\n"


@pytest.mark.parametrize("said", ["", "sudo: a password is required\n", "note: ascend-provision-guard 1\nanswer=ran\n"])
def test_a_host_that_did_not_answer_is_no_answer(said: str) -> None:
    assert guard.read(said) is None


@pytest.mark.parametrize("end", [b"\n{\nguard", b"--name", b" -- ", b"exit $?"])
def test_a_connection_cut_while_it_sends_runs_nothing(tmp_path: Path, end: bytes) -> None:
    mark = tmp_path / "ran"
    whole = guard.message("run", ["--run", "r", "--token", "1", "--name", "x", "--", "touch", str(mark)])
    cut = whole[: whole.rindex(end) + len(end) - 1]
    environment = {"PATH": os.environ["PATH"], "GUARD_ROOT": str(tmp_path / "state")}
    done = subprocess.run(["dash", "-s"], input=cut, capture_output=True, env=environment, check=False)

    assert done.returncode != 0
    assert done.stdout == b""
    assert not (tmp_path / "state").exists()


def test_the_options_of_a_task_become_words_of_the_guard() -> None:
    task = {
        "name": "driver-install",
        "lease": LEASE,
        "argv": ["/p/x.run"],
        "arguments": "--full --install-username='Hw User'",
        "sha256": {"/p/x.run": "ab"},
        "environment": {"A": "b c"},
        "success": [0, 2],
        "unchanged": [3],
        "timeout": 60,
        "detach": True,
        "proof": ["/v"],
        "tables": {
            "units": ["a.service"],
            "boxes": {"rows": [{"id": "1", "restart": "no"}], "columns": ["id", "restart"]},
        },
    }

    assert guard.run_options(task, "echo hi") == [
        *("--run", "r1", "--token", "7", "--plan", "", "--name", "driver-install", "--success", "0 2 3"),
        *("--timeout", "60", "--detach", "1", "--script", "echo hi", "--sha256", "ab", "/p/x.run", "--proof", "/v"),
        *("--env", "A=b c", "--table", "units", "a.service\n", "--table", "boxes", "1\tno\n"),
        *("--", "/p/x.run", "--full", "--install-username=Hw User"),
    ]


@pytest.mark.parametrize("lease", [None, {}, {"run": "r1"}, {"token": 3}, "r1"])
def test_a_change_without_a_lease_is_refused_before_it_leaves_the_controller(lease: object) -> None:
    with pytest.raises(ValueError, match="needs a live lease"):
        guard.run_options({"name": "x", "lease": lease, "argv": ["true"]}, "")


@pytest.mark.parametrize("rows", [["a\tb"], ["a\nb"], [{"id": "x\n/etc/passwd"}], 7])
def test_a_value_cannot_forge_a_row_of_a_table(rows: object) -> None:
    with pytest.raises(ValueError, match=r"tab or line end|a table is"):
        guard.table(rows, ["id"])


def test_a_text_is_a_table_as_it_is() -> None:
    assert guard.table("export A=1\n\n", []) == "export A=1\n\n"


@pytest.mark.parametrize(
    ("log", "line"),
    [
        ("start\n\x1b[31m[ERROR]The DKMS build failed\x1b[0m\nEnd time: now\n", "[ERROR]The DKMS build failed"),
        ("one\ntwo\n\n", "two"),
        ("\x1b[2J\x07", "it printed nothing"),
        ("No space left on device\nbye", "No space left on device"),
    ],
)
def test_the_telling_line_of_a_log(log: str, line: str) -> None:
    assert guard.last_words(log) == line


@pytest.mark.parametrize(
    ("word", "fields", "parts"),
    [
        ("lost", {"run": "r2", "holder": "li@ops", "token": "9"}, ["lease lost on h1", "not started", "r2", "li@ops"]),
        ("leased", {"run": "r2", "holder": "li@ops", "busy": "driver-install"}, ["leased by run r2", "driver-install"]),
        (
            "mismatch",
            {"path": "/p/x.run", "found": "aa", "wanted": "bb"},
            ["/p/x.run", "aa", "bb", "Nothing was changed"],
        ),
        ("busy", {"busy": "cann-install-toolkit"}, ["cann-install-toolkit", "still running"]),
        ("still-running", {"log_path": "/l"}, ["time limit", "/l"]),
        ("vanished", {"log_path": "/l"}, ["without a status", "/l"]),
        ("refused", {"why": "flock is not installed on this host"}, ["flock is not installed"]),
        ("dancing", {}, ["dancing", "does not know"]),
    ],
)
def test_every_refusal_names_step_host_and_what_was_seen(word: str, fields: dict[str, str], parts: list[str]) -> None:
    text = guard.explain(guard.Answer(word, fields), "firmware-install", "h1")

    assert "h1" in text
    assert [part for part in parts if part not in text] == []
