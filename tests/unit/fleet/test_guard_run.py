"""A guarded command on a host: exactly these words, once, verified, recorded, and not lost with its session."""

from __future__ import annotations

import hashlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ascend_provision.fleet import guard
from tests.unit.fleet.guard_host import Host, eventually, running_in


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    yield from running_in(tmp_path)


AWKWARD = [
    "a b",
    "it's",
    '"q"',
    "two\nlines",
    "end\n",
    "$(id)",
    "`id`",
    "\\",
    "*",
    "",
    "-n",
    "é文",
    "a\tb",
    "%s",
    "&& rm",
]


def test_arguments_arrive_exactly(host: Host) -> None:
    host.take("r1")
    ran = host.run("x", "printf", "<%s>", *AWKWARD)

    assert ran.log == "".join(f"<{word}>" for word in AWKWARD)


def test_a_script_gets_its_arguments_tables_and_environment(host: Host) -> None:
    host.take("r1")
    words = ["--table", "units", "a b\nc\n", "--env", "KEY=it's $HOME\nx", "--chdir", "/usr"]
    script = 'pwd; echo "$1|$KEY"; cat "$GUARD_TABLES/units"; echo "$GUARD_RUN"'
    base = ["--run", "r1", "--token", "1", "--name", "x", "--script", script]
    ran = host.ask("run", *base, *words, "--", "first arg")

    assert ran.log == "/usr\nfirst arg|it's $HOME\nx\na b\nc\nr1\n"


def test_nothing_secret_is_on_a_command_line(host: Host) -> None:
    host.take("r1")
    script = "tr '\\000' ' ' < /proc/$$/cmdline; tr '\\000' ' ' < /proc/$PPID/cmdline"
    base = ["--run", "r1", "--token", "1", "--name", "x", "--env", "PASSWORD=tell-nobody"]
    ran = host.ask("run", *base, "--script", script, "--")

    assert ran.word == "ran"
    assert "steps/x" in ran.log
    assert "tell-nobody" not in ran.log


def test_a_wrong_package_is_never_run(host: Host, tmp_path: Path) -> None:
    host.take("r1")
    package, mark = tmp_path / "driver one.run", tmp_path / "ran"
    package.write_text(f"#!/bin/sh\ntouch '{mark}'\n")
    package.chmod(0o755)
    digest = hashlib.sha256(package.read_bytes()).hexdigest()
    base = ["--run", "r1", "--token", "1", "--name", "driver-install"]
    wrong = host.ask("run", *base, "--sha256", "0" * 64, str(package), "--", str(package))
    missing = host.ask("run", *base, "--sha256", digest, str(tmp_path / "other"), "--", str(package))
    record_before = (host.root / "record").exists()
    right = host.ask("run", *base, "--sha256", digest, str(package), "--", str(package))

    assert (wrong.word, wrong.fields["found"]) == ("mismatch", digest)
    assert (missing.word, missing.fields["found"]) == ("mismatch", "no such file")
    assert not record_before
    assert (right.word, right.number("rc")) == ("ran", 0)
    assert mark.exists()


@pytest.mark.parametrize(("status", "state"), [(0, "done"), (2, "done"), (1, "failed"), (127, "failed")])
def test_the_record_says_how_it_ended(host: Host, status: int, state: str) -> None:
    host.take("r1")
    ran = host.run("driver-install", "sh", "-c", f"exit {status}", success="0 2", plan="abc")
    record = host.record()

    assert ran.number("rc") == status
    assert {key: record[key] for key in ("version", "run", "plan", "step", "state", "token", "rc")} == {
        "version": "1",
        "run": "r1",
        "plan": "abc",
        "step": "driver-install",
        "state": state,
        "token": "1",
        "rc": str(status),
    }


def test_a_command_survives_its_session_and_the_second_asking_attaches_to_it(host: Host, tmp_path: Path) -> None:
    host.take("r1")
    count = tmp_path / "count"
    argv = ["sh", "-c", f"echo x >>'{count}'; sleep 2; echo late; exit 2"]
    options = {"success": "0 2"}
    first = host.start(
        "run", "--run", "r1", "--token", "1", "--name", "driver-install", "--success", "0 2", "--", *argv
    )
    eventually(count)
    assert host.record()["state"] == "started"
    first.kill()
    first.wait()
    again = host.run("driver-install", *argv, **options)

    assert (again.word, again.number("rc"), again.fields["reattached"]) == ("ran", 2, "1")
    assert again.log == "late\n"
    assert count.read_text() == "x\n"
    assert host.record()["state"] == "done"


def test_a_status_that_nobody_collected_is_handed_out_once_more(host: Host, tmp_path: Path) -> None:
    host.take("r1")
    count = tmp_path / "count"
    argv = ["sh", "-c", f"echo x >>'{count}'; exit 7"]
    first = host.start("run", "--run", "r1", "--token", "1", "--name", "x", "--", *argv)
    eventually(count)
    first.kill()
    first.wait()
    eventually(host.steps / "x.rc")
    again = host.run("x", *argv)

    assert (again.number("rc"), again.fields["reattached"], count.read_text()) == (7, "1", "x\n")


@pytest.mark.parametrize("change", ["another token", "another command", "another step in between", "too old"])
def test_a_status_is_not_handed_out_to_a_new_question(host: Host, tmp_path: Path, change: str) -> None:
    host.take("r1")
    count = tmp_path / "count"
    argv, token, fresh = ["sh", "-c", f"echo x >>'{count}'"], 1, "600"
    host.run("x", *argv)
    if change == "another token":
        token = host.take("r1").number("token") or 0
    elif change == "another command":
        argv = ["sh", "-c", f"echo  x >>'{count}'"]
    elif change == "another step in between":
        host.run("y", "true")
    else:
        time.sleep(1.1)
        fresh = "0"
    again = host.run("x", *argv, token=token, fresh=fresh)

    assert again.fields["reattached"] == "0"
    assert count.read_text() == "x\nx\n"


def test_an_install_whose_files_are_as_it_left_them_is_not_run_twice_in_a_lease(host: Host, tmp_path: Path) -> None:
    host.take("r1")
    file, count = tmp_path / "version.info", tmp_path / "count"
    argv = ["sh", "-c", f"echo x >>'{count}'; echo Version=1 >'{file}'"]
    host.run("driver-install", *argv, proof=str(file))
    host.run("firmware-install", "true")
    repeated = host.run("driver-install", *argv, proof=str(file))
    file.unlink()
    host.run("hdk-uninstall", "true")
    fresh = host.run("driver-install", *argv, proof=str(file))

    assert (repeated.fields["reattached"], fresh.fields["reattached"]) == ("1", "0")
    assert count.read_text() == "x\nx\n"


def test_nothing_to_remove_is_nothing_done(host: Host, tmp_path: Path) -> None:
    host.take("r1")

    assert host.run("hdk-uninstall-driver", "false", removes=str(tmp_path / "uninstall.sh")).word == "nothing"
    assert host.run("hdk-uninstall-driver", "true", removes=str(tmp_path)).word == "ran"


def test_one_change_at_a_time(host: Host, tmp_path: Path) -> None:
    host.take("r1")
    working = host.start("run", "--run", "r1", "--token", "1", "--name", "driver-install", "--", "sleep", "2")
    eventually(host.steps / "driver-install.pid")
    other = host.run("firmware-install", "touch", str(tmp_path / "changed"))
    release = host.ask("release", "r1", "1")
    working.communicate(timeout=30)

    assert (other.word, other.fields["busy"]) == ("busy", "driver-install")
    assert (release.word, release.fields["busy"]) == ("busy", "driver-install")
    assert not (tmp_path / "changed").exists()


def test_a_resumed_run_waits_for_what_the_dead_controller_started(host: Host) -> None:
    host.take("r1")
    first = host.start("run", "--run", "r1", "--token", "1", "--name", "driver-install", "--", "sleep", "2")
    eventually(host.steps / "driver-install.pid")
    first.kill()
    first.wait()
    began = time.monotonic()
    taken = host.take("r1", wait=30)

    assert (taken.word, taken.number("token"), taken.fields["busy"]) == ("taken", 2, "")
    assert (host.steps / "driver-install.rc").exists()
    assert time.monotonic() - began < 20


def test_a_resumed_run_attaches_with_its_new_token_and_fences_off_the_old_one(host: Host) -> None:
    host.take("r1")
    argv = ["sh", "-c", "sleep 3; exit 2"]
    first = host.start(
        "run", "--run", "r1", "--token", "1", "--name", "driver-install", "--success", "0 2", "--", *argv
    )
    eventually(host.steps / "driver-install.pid")
    first.kill()
    first.wait()
    host.take("r1")
    old = host.run("driver-install", *argv, success="0 2")
    new = host.run("driver-install", *argv, success="0 2", token=2)

    assert old.word == "lost"
    assert (new.word, new.number("rc"), new.fields["reattached"]) == ("ran", 2, "1")
    assert host.record()["token"] == "2"  # noqa: S105


def test_the_time_limit_ends_every_process_of_the_command(host: Host, tmp_path: Path) -> None:
    host.take("r1")
    pids = tmp_path / "pids"
    script = f"(trap '' TERM; setsid -w sleep 60 & sleep 61) & echo $! >'{pids}'; sleep 62"
    ran = host.ask("run", *("--run", "r1", "--token", "1", "--name", "x", "--timeout", "1", "--script", script, "--"))
    left = [pid for pid in pids.read_text().split() if Path(f"/proc/{pid}/stat").exists()]
    left = [pid for pid in left if Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0] != "Z"]

    assert ran.fields["timed_out"] == "1"
    assert host.record()["state"] == "failed"
    assert left == []


def test_a_command_that_is_killed_without_a_status_is_said_to_have_vanished(host: Host) -> None:
    host.take("r1")
    working = host.start("run", "--run", "r1", "--token", "1", "--name", "x", "--", "sleep", "30")
    eventually(host.steps / "x.pid")
    time.sleep(0.3)
    os.killpg(int((host.steps / "x.pid").read_text()), signal.SIGKILL)
    answer = guard.read(working.communicate(timeout=30)[0].decode())

    assert answer is not None
    assert answer.word == "vanished"
    assert host.record()["state"] == "failed"


def test_a_long_log_comes_back_as_its_end(host: Host) -> None:
    host.take("r1")
    ran = host.run("x", "sh", "-c", "yes line | head -n 5000; echo last", bytes="100")

    assert len(ran.log) == 100
    assert ran.log.endswith("line\nlast\n")
    assert ran.fields["log_cut"] == "1"


def test_status_reads_lease_record_and_log(host: Host) -> None:
    host.take("r1")
    host.run("x", "echo", "hello")
    status = host.ask("status", "x")

    assert (status.fields["run"], status.fields["step"], status.fields["state"]) == ("r1", "x", "done")
    assert status.log == "hello\n"


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "a b", "x;y"])
def test_a_step_name_that_could_leave_the_directory_is_refused(host: Host, name: str) -> None:
    host.take("r1")

    assert host.run(name, "true").word == "refused"


def test_a_host_where_it_may_not_write_says_so(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    answer = Host(blocked / "state").take()

    assert answer.word == "refused"
    assert "cannot write" in answer.fields["why"]
