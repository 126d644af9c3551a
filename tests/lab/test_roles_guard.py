"""The guard on a host with systemd: what it starts outlives the session, the network and its own time limit."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.lab.role_plays import STATE, Roles

pytestmark = pytest.mark.lab


@pytest.fixture(scope="module")
def roles(lab: Any, tmp_path_factory: pytest.TempPathFactory) -> Roles:
    fleet = lab("guard")
    (host,) = fleet.up(1, "atlas-800-9000", "hdk22")
    return Roles(fleet, host, tmp_path_factory.mktemp("plays"))


def until(roles: Roles, line: str, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while roles.fleet.exec(roles.host, "sh", "-c", line).returncode:
        assert time.monotonic() < end, f"never true: {line}"
        time.sleep(0.1)


def test_an_installer_survives_the_session_that_started_it(roles: Roles) -> None:
    roles.take()
    command = ("--success", "0 2", "--", "sh", "-c", "echo x >>/tmp/count; sleep 3; echo late; exit 2")
    session = roles.start("run", *roles.words("driver-install", *command))
    until(roles, "test -s /tmp/count")
    session.kill()
    session.wait()
    unit = roles.sh("systemctl is-active ascend-provision-driver-install.service").strip()
    again = roles.ask("run", *roles.words("driver-install", *command))

    assert unit == "active"
    assert (again.word, again.number("rc"), again.fields["reattached"], again.log) == ("ran", 2, "1", "late\n")
    assert roles.sh("cat /tmp/count") == "x\n"
    assert "state=done" in roles.sh(f"cat {STATE}/record")


def test_an_installer_survives_a_cut_network(roles: Roles) -> None:
    roles.take()
    command = ("--", "sh", "-c", "echo x >>/tmp/cut; sleep 2; echo late")
    session = roles.start("run", *roles.words("firmware-install", *command))
    until(roles, "test -s /tmp/cut")
    roles.fleet.do("cut", roles.host)
    time.sleep(3)
    session.kill()
    session.wait()
    roles.fleet.do("heal", roles.host)
    again = roles.ask("run", *roles.words("firmware-install", *command))

    assert (again.number("rc"), again.fields["reattached"], again.log) == (0, "1", "late\n")
    assert roles.sh("cat /tmp/cut") == "x\n"


def test_the_time_limit_ends_the_whole_unit_even_what_left_its_session(roles: Roles) -> None:
    roles.take()
    script = "trap '' TERM; setsid sleep 301 & nohup sleep 302 & sleep 303"
    ran = roles.ask("run", *roles.words("hccl-smoke", "--timeout", "1", "--script", script, "--"))
    left = roles.fleet.exec(roles.host, "pgrep", "-x", "sleep", "-a").stdout

    assert ran.fields["timed_out"] == "1"
    assert [line for line in left.splitlines() if " 30" in line] == []


def test_a_daemon_that_an_installer_starts_lives_on(roles: Roles) -> None:
    roles.take()
    ran = roles.ask(
        "run", *roles.words("driver-install", "--script", "setsid sleep 401 >/dev/null 2>&1 & exit 0", "--")
    )

    assert ran.number("rc") == 0
    assert roles.sh("pgrep -fx 'sleep 401' && pkill -fx 'sleep 401'")


def test_a_power_cut_in_a_step_leaves_a_record_and_the_step_is_run_anew(roles: Roles) -> None:
    roles.take()
    before = roles.fleet.boot_id(roles.host)
    command = ("--", "sh", "-c", "echo x >>/root/count; sync; sleep 60")
    session = roles.start("run", *roles.words("cann-install-toolkit", *command))
    until(roles, "test -s /root/count")
    roles.fleet.do("power", "reset", roles.host)
    session.kill()
    session.wait()
    roles.fleet.wait_for_another_boot(roles.host, before)
    record = dict(line.split("=", 1) for line in roles.sh(f"cat {STATE}/record").splitlines())
    taken = roles.ask("take", "r1", "tests", "600", "0")
    roles.token = int(taken.fields["token"])
    again = roles.ask("run", *roles.words("cann-install-toolkit", "--", "echo", "done"))

    assert (record["step"], record["state"], record["boot_id"]) == ("cann-install-toolkit", "started", before)
    assert taken.fields["busy"] == ""
    assert (again.log, again.fields["reattached"]) == ("done\n", "0")


def test_roles_need_no_python_on_the_host_and_work_through_sudo(roles: Roles, tmp_path: Path) -> None:
    roles.take()
    roles.sh("mkdir /root/away && for p in /usr/bin/python3*; do mv $p /root/away/; done")
    try:
        done = roles.run("prepare", "host", user="HwHiAiUser", group="HwHiAiUser", packages=["tar"])
        staged = tmp_path / "x.run"
        staged.write_text("#!/bin/sh\necho staged\n")
        digest = "6f3b0bb5a3a3e0d9b5a5a2d2b7f2c6d0" * 2
        wrong = roles.run("stage", "packages", packages=[{"src": str(staged), "file": "x.run", "sha256": digest}])
    finally:
        roles.sh("mv /root/away/* /usr/bin/ && rmdir /root/away")

    assert done.failed is None
    assert wrong.failed is not None
    assert "damaged in transit" in wrong.failed.message
    assert roles.sh(f"ls {STATE}/packages") == ""


def test_every_changing_role_refuses_a_dead_token(roles: Roles) -> None:
    old = roles.take()
    roles.take()
    lease = {"run": "r1", "token": old}
    before = roles.sh(f"cat {STATE}/record")
    plays = {
        "stage": roles.run("stage", "packages", lease, packages=[]),
        "quiesce": roles.run("quiesce", "stop", lease, units=["npu-exporter.service"]),
        "reboot": roles.run("reboot", "host", lease, timeout=5),
        "hdk": roles.run("hdk", "uninstall", lease, components=["driver"]),
        "release": roles.run("release", "host", lease),
    }

    assert {role: "lease lost" in done.failed.message for role, done in plays.items() if done.failed} == dict.fromkeys(
        plays, True
    )
    assert roles.sh(f"cat {STATE}/record") == before
    assert roles.sh("systemctl is-active npu-exporter.service") == "active\n"
