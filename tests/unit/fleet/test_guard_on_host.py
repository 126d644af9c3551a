"""The guard as a host runs it, here without systemd: a real shell, real processes, a state directory of the test."""

from __future__ import annotations

import hashlib
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ascend_provision.fleet import guard


class Host:
    """One host's guard; answers are `guard.Answer`s."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.steps = root / "steps"

    def start(self, verb: str, *words: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            ["dash", "-s"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"PATH": os.environ["PATH"], "GUARD_ROOT": str(self.root)},
        )
        assert process.stdin
        process.stdin.write(guard.message(verb, words))
        process.stdin.close()
        process.stdin = None
        return process

    def ask(self, verb: str, *words: str) -> guard.Answer:
        out, err = self.start(verb, *words).communicate(timeout=60)
        answer = guard.read(out.decode())
        assert answer is not None, err.decode()
        return answer

    def run(self, name: str, *argv: str, token: int = 1, run: str = "r1", **options: str) -> guard.Answer:
        flags = [word for key, value in options.items() for word in (f"--{key}", value)]
        return self.ask("run", "--run", run, "--token", str(token), "--name", name, *flags, "--", *argv)

    def take(self, run: str = "r1", ttl: int = 60, wait: int = 0) -> guard.Answer:
        return self.ask("take", run, "someone@laptop", str(ttl), str(wait))

    def expire(self) -> None:
        lease = (self.root / "lease").read_text()
        (self.root / "lease").write_text(re.sub(r"expires_at=\d+", "expires_at=1000", lease))

    def record(self) -> dict[str, str]:
        return dict(line.split("=", 1) for line in (self.root / "record").read_text().splitlines())


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    host = Host(tmp_path / "state")
    yield host
    for pid in host.steps.glob("*.pid"):
        if pid.with_suffix(".rc").exists():
            continue
        try:
            os.killpg(int(pid.read_text()), signal.SIGKILL)
        except (ProcessLookupError, PermissionError, ValueError):
            continue


def eventually(path: Path, *, seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while not path.exists() or not path.read_text():
        assert time.monotonic() < until, f"{path} did not appear"
        time.sleep(0.05)


def test_tokens_only_ever_grow(host: Host) -> None:
    tokens = [host.take("r1").number("token")]
    host.ask("release", "r1", "1")
    tokens += [host.take("r2").number("token"), host.take("r2").number("token")]
    (host.root / "lease").unlink()
    tokens.append(host.take("r3").number("token"))

    assert tokens == [1, 2, 3, 4]


def test_a_lease_of_another_run_is_refused_by_name(host: Host) -> None:
    host.take("r1")
    refused = host.take("r2")

    assert refused.word == "leased"
    assert (refused.fields["run"], refused.fields["holder"]) == ("r1", "someone@laptop")
    assert abs(int(refused.fields["expires_at"]) - time.time() - 60) < 20


def test_of_two_takers_at_once_one_wins(host: Host) -> None:
    takers = [host.start("take", f"r{number}", "x", "60") for number in range(6)]
    answers = [guard.read(taker.communicate(timeout=60)[0].decode()) for taker in takers]

    assert sorted(answer.word for answer in answers if answer) == ["leased"] * 5 + ["taken"]


def test_an_expired_lease_can_be_taken(host: Host) -> None:
    host.take("r1", ttl=-1)

    assert host.take("r2").word == "taken"


def test_a_run_that_lost_its_lease_changes_nothing(host: Host, tmp_path: Path) -> None:
    host.take("r1", ttl=-1)
    host.take("r2")
    refused = host.run("driver-install", "touch", str(tmp_path / "changed"))

    assert refused.word == "lost"
    assert refused.fields["run"] == "r2"
    assert not (tmp_path / "changed").exists()


@pytest.mark.parametrize("token", [1, 3, 22])
def test_any_token_but_the_last_is_refused(host: Host, tmp_path: Path, token: int) -> None:
    host.take("r1")
    host.take("r1")

    assert host.run("x", "touch", str(tmp_path / "changed"), token=token).word == "lost"
    assert host.run("x", "true", token=2).word == "ran"
    assert not (tmp_path / "changed").exists()


def test_an_expired_lease_runs_nothing_until_it_is_renewed(host: Host) -> None:
    host.take("r1", ttl=-1)

    assert host.run("x", "true").word == "lost"
    assert host.ask("renew", "r1", "1", "60").word == "renewed"
    assert host.run("x", "true").word == "ran"


def test_a_lease_taken_by_another_cannot_be_renewed_or_released(host: Host) -> None:
    host.take("r1", ttl=-1)
    host.take("r2")

    assert host.ask("renew", "r1", "1", "60").word == "lost"
    assert host.ask("release", "r1", "1").word == "lost"
    assert host.ask("check", "r2", "2").word == "held"


def test_a_lease_lives_as_long_as_a_command_of_its_run(host: Host) -> None:
    host.take("r1")
    working = host.start("run", "--run", "r1", "--token", "1", "--name", "driver-install", "--", "sleep", "2")
    eventually(host.steps / "driver-install.pid")
    host.expire()
    refused = host.take("r2")
    working.communicate(timeout=30)

    assert refused.word == "leased"
    assert refused.fields["busy"] == "driver-install"


def test_after_a_command_its_run_has_five_minutes_to_come_back(host: Host) -> None:
    host.take("r1", ttl=30)
    host.run("driver-install", "true")

    assert int(host.ask("check", "r1", "1").fields["expires_at"]) > time.time() + 240


def test_release_twice_is_release_once(host: Host) -> None:
    host.take("r1")

    assert host.ask("release", "r1", "1").word == "released"
    assert host.ask("release", "r1", "1").word == "released-before"
    assert host.take("r2").word == "taken"


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
