"""The guard on a host with systemd: what it starts outlives the session, the network and its own time limit."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from ascend_provision.fleet import guard
from tests.lab.role_plays import STATE, Roles, changed

pytestmark = pytest.mark.lab


@pytest.fixture(scope="module")
def roles(lab: Any, tmp_path_factory: pytest.TempPathFactory) -> Roles:
    fleet = lab("guard")
    (host,) = fleet.up(1, "atlas-800-9000", "hdk22")
    return Roles(fleet, host, tmp_path_factory.mktemp("plays"))


WAIT = "while [ ! -e /tmp/go ]; do sleep 0.2; done; rm /tmp/go"


def test_an_installer_survives_the_session_that_started_it(roles: Roles) -> None:
    roles.take()
    command = ("--success", "0 2", "--", "sh", "-c", f"echo x >>/tmp/count; {WAIT}; echo late; exit 2")
    session = roles.start("run", *roles.words("driver-install", *command))
    roles.until("test -s /tmp/count")
    session.kill()
    session.wait()
    unit = roles.sh("systemctl is-active ascend-provision-driver-install.service").strip()
    second = roles.start("run", *roles.words("driver-install", *command))
    roles.sh("touch /tmp/go")
    again = guard.read(second.communicate(timeout=60)[0].decode())

    assert unit == "active"
    assert again
    assert (again.word, again.number("rc"), again.fields["reattached"], again.log) == ("ran", 2, "1", "late\n")
    assert roles.sh("cat /tmp/count") == "x\n"
    assert "state=done" in roles.sh(f"cat {STATE}/record")


def test_an_installer_survives_a_cut_network(roles: Roles) -> None:
    roles.take()
    command = ("--", "sh", "-c", f"echo x >>/tmp/cut; {WAIT}; echo late")
    session = roles.start("run", *roles.words("firmware-install", *command))
    roles.until("test -s /tmp/cut")
    roles.fleet.do("cut", roles.host)
    session.kill()
    session.wait()
    roles.fleet.exec(roles.host, "touch", "/tmp/go")
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
    roles.until("test -s /root/count")
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
    package = tmp_path / "x.run"
    package.write_text("#!/bin/sh\necho staged\n")
    good = {"src": str(package), "file": "x.run", "sha256": hashlib.sha256(package.read_bytes()).hexdigest()}
    roles.sh("mkdir /root/away && for p in /usr/bin/python3*; do mv $p /root/away/; done")
    try:
        prepared = roles.run("prepare", "host", login="ops", group="HwHiAiUser", packages=["tar"])
        staged = roles.run("stage", "packages", login="ops", packages=[good])
        damaged = roles.run("stage", "packages", login="ops", packages=[{**good, "file": "y.run", "sha256": "0" * 64}])
    finally:
        roles.sh("mv /root/away/* /usr/bin/ && rmdir /root/away")

    assert prepared.failed is None
    assert changed(staged)
    assert damaged.failed is not None
    assert "y.run was damaged in transit" in damaged.failed.message
    assert (
        roles.sh(f"cd {STATE}/packages && find . -type f -printf '%m %u %p\n'")
        == f"700 root ./{good['sha256']}/x.run\n"
    )


def test_each_way_to_change_a_host_refuses_a_dead_token(roles: Roles) -> None:
    old = roles.take()
    roles.take()
    lease = {"run": "r1", "token": old}
    before = roles.sh(f"cat {STATE}/record")
    plays = {
        "stage": roles.run("stage", "packages", lease, packages=[]),
        "quiesce": roles.run("quiesce", "stop", lease, units=["npu-exporter.service"]),
        "reboot": roles.run("reboot", "host", lease, timeout=5),
    }

    assert {role: "lease lost" in done.failed.message for role, done in plays.items() if done.failed} == dict.fromkeys(
        plays, True
    )
    assert roles.sh(f"cat {STATE}/record") == before
    assert roles.sh("systemctl is-active npu-exporter.service") == "active\n"
