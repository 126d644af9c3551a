"""The action plugins that change hosts: what they send, and the whole result for what a host may answer."""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest
from ansible.errors import AnsibleActionFail, AnsibleConnectionFailure

from ascend_provision.fleet import guard

REPOSITORY = Path(__file__).resolve().parents[3]
LEASE = {"run": "r1", "token": 1}
Answer = Callable[[str, bytes | None], dict[str, Any]]


@pytest.fixture
def collection(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> str:
    tree = tmp_path_factory.mktemp("collections")
    link = tree / "ansible_collections" / "ascend" / "provision"
    link.parent.mkdir(parents=True)
    link.symlink_to(REPOSITORY)
    monkeypatch.syspath_prepend(str(tree))
    for name in [name for name in sys.modules if name.split(".")[0] == "ansible_collections"]:
        monkeypatch.delitem(sys.modules, name)
    return "ansible_collections.ascend.provision.plugins.action"


@pytest.fixture
def act(collection: str, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Run an action plugin with arguments, over a connection that is a function or this machine's own shell."""

    def local(_command: str, in_data: bytes | None) -> dict[str, Any]:
        environment = {"PATH": os.environ["PATH"], "GUARD_ROOT": str(tmp_path / "state")}
        done = subprocess.run(
            ["dash", "-c", _command], input=in_data, capture_output=True, env=environment, check=False
        )
        return {"rc": done.returncode, "stdout": done.stdout.decode(), "stderr": done.stderr.decode()}

    def run(plugin: str, answer: Answer = local, *, check: bool = False, **args: Any) -> dict[str, Any]:
        module = importlib.import_module(f"{collection}.{plugin}")
        task = MagicMock(args=args, check_mode=check, async_val=0, diff=False, environment=[], action=plugin)
        connection = MagicMock(_shell=SimpleNamespace(tmpdir=None))
        connection.put_file.side_effect = lambda source, target: Path(target).write_bytes(Path(source).read_bytes())
        action = module.ActionModule(
            task=task,
            connection=connection,
            play_context=MagicMock(),
            loader=None,
            templar=None,
            shared_loader_obj=None,
        )
        action._low_level_execute_command = lambda command, in_data=None, **_: answer(command, in_data)
        action._find_needle = lambda _kind, name: name
        result = action.run(task_vars={"inventory_hostname": "h1"})
        json.dumps(result)
        return dict(result)

    return run


def says(text: str, rc: int = 0, stderr: str = "") -> Answer:
    return lambda _command, _in_data: {"rc": rc, "stdout": text, "stderr": stderr}


def never(_command: str, _in_data: bytes | None) -> dict[str, Any]:
    raise AssertionError("check mode must not contact a host")


RAN = (
    "ascend-provision-guard 1\nanswer=ran\nrc={rc}\nreattached={again}\nseconds=41\ntimed_out={late}\n"
    "log_path=/s/x.log\nlog_cut=0\n---\n"
)
BASE = {
    "failed": False,
    "guarded": "driver-install",
    "log_path": "/s/x.log",
    "log_cut": False,
    "seconds": 41,
    "reattached": False,
    "lease_lost": False,
    "timed_out": False,
    "boot_id": "",
}


def test_a_driver_that_needs_a_reboot_is_a_success(act: Callable[..., dict[str, Any]]) -> None:
    said = RAN.format(rc=2, again=0, late=0) + "\x1b[32minstalled!\x1b[0m\nReboot needed\n"
    result = act("guarded", says(said), name="driver-install", lease=LEASE, argv=["/p/x.run"], success=[0, 2])

    assert result == {**BASE, "changed": True, "rc": 2, "log": ["\x1b[32minstalled!\x1b[0m", "Reboot needed"]}


def test_a_failed_installer_names_step_host_line_and_log(act: Callable[..., dict[str, Any]]) -> None:
    said = RAN.format(rc=1, again=0, late=0) + "[ERROR]The DKMS build failed\nEnd time\n"
    result = act("guarded", says(said), name="driver-install", lease=LEASE, argv=["/p/x.run"])

    assert result == {
        **BASE,
        "failed": True,
        "changed": True,
        "rc": 1,
        "log": ["[ERROR]The DKMS build failed", "End time"],
        "msg": "driver-install failed with status 1 on h1: [ERROR]The DKMS build failed (log there: /s/x.log).",
    }


def test_an_unchanged_status_is_ok_and_a_second_answer_is_no_second_change(act: Callable[..., dict[str, Any]]) -> None:
    unchanged = act(
        "guarded", says(RAN.format(rc=3, again=0, late=0)), name="x", lease=LEASE, argv=["x"], unchanged=[3]
    )
    again = act("guarded", says(RAN.format(rc=0, again=1, late=0)), name="x", lease=LEASE, argv=["x"])

    assert (unchanged["changed"], unchanged["failed"], unchanged["rc"]) == (False, False, 3)
    assert (again["changed"], again["reattached"]) == (False, True)


def test_a_command_over_its_limit_is_late_and_failed(act: Callable[..., dict[str, Any]]) -> None:
    result = act("guarded", says(RAN.format(rc=124, again=0, late=1)), name="x", lease=LEASE, argv=["x"], timeout=9)

    assert (result["failed"], result["timed_out"]) == (True, True)
    assert result["msg"].startswith("x was stopped at its limit of 9 s on h1")


def test_a_lost_lease_is_marked_so(act: Callable[..., dict[str, Any]]) -> None:
    said = "ascend-provision-guard 1\nanswer=lost\nrun=r2\nholder=li@ops\ntoken=5\nexpires_at=1\n"
    result = act("guarded", says(said, 10), name="driver-install", lease=LEASE, argv=["x"])

    assert (result["failed"], result["lease_lost"], result["changed"]) == (True, True, False)
    assert "r2" in result["msg"]


def test_nothing_to_uninstall_leaves_no_ending_to_read(act: Callable[..., dict[str, Any]]) -> None:
    said = "ascend-provision-guard 1\nanswer=nothing\nwhy=/u.sh is not there\n"

    assert act("guarded", says(said), name="x", lease=LEASE, argv=["/u.sh"], removes="/u.sh") == {
        "changed": False,
        "msg": "/u.sh is not there",
    }


@pytest.mark.parametrize(
    ("answer", "seen"),
    [
        (says("", 1, "sudo: a password is required\n"), "a password is required"),
        (says("\x00\xff\x1b[2Jgarbage", 0), "garbage"),
        (says("ascend-provision-gua", 255), "ascend-provision-gua"),
    ],
    ids=["sudo refused", "binary noise", "cut"],
)
def test_a_host_that_gives_no_answer_is_a_failure_that_says_what_it_said(
    act: Callable[..., dict[str, Any]], answer: Answer, seen: str
) -> None:
    with pytest.raises(AnsibleActionFail, match="gave no answer") as caught:
        act("guarded", answer, name="x", lease=LEASE, argv=["x"])

    assert seen in str(caught.value)


@pytest.mark.parametrize("lease", [None, {}, {"run": "r1"}])
def test_no_lease_no_contact(act: Callable[..., dict[str, Any]], lease: Any) -> None:
    with pytest.raises(AnsibleActionFail, match="needs a live lease"):
        act("guarded", never, name="x", lease=lease, argv=["x"])


def test_check_mode_contacts_nobody_and_says_what_it_would_run(act: Callable[..., dict[str, Any]]) -> None:
    result = act(
        "guarded", never, check=True, name="driver-install", lease={}, argv=["/p/x.run", "a b"], arguments="--full"
    )
    reboot = act("reboot", never, check=True, name="reboot-final", lease={})
    lease = act("lease", never, check=True, state="held", lease={})

    assert (result["changed"], result["msg"]) == (True, "would run driver-install: /p/x.run 'a b' --full")
    assert (reboot["changed"], lease["changed"]) == (True, False)


def test_arguments_go_through_a_whole_plugin_and_a_real_shell(act: Callable[..., dict[str, Any]]) -> None:
    words = ["it's", "a  b", "x\ny", "$(id)", "--", "-n"]
    lease = act("lease", state="taken", run="r1", holder="li@ops", ttl=60)["lease"]
    result = act("guarded", name="x", lease=lease, argv=["printf", "<%s>\n", *words])

    assert lease["token"] == 1
    assert "\n".join(result["log"]) == "\n".join(f"<{word}>" for word in words)


def test_a_lease_is_taken_checked_renewed_released(act: Callable[..., dict[str, Any]]) -> None:
    taken = act("lease", state="taken", run="r1", holder="li@ops", ttl=60, wait=0)
    other = act("lease", state="taken", run="r2", holder="wu@ops", ttl=60, wait=0)
    held = act("lease", state="held", lease=taken["lease"])
    renewed = act("lease", state="renewed", lease=taken["lease"], ttl=600)
    released = act("lease", state="released", lease=taken["lease"])
    again = act("lease", state="released", lease=taken["lease"])

    assert [x["changed"] for x in (taken, held, renewed, released, again)] == [True, False, False, True, False]
    assert other["failed"]
    assert (other["leased_by"]["run"], other["leased_by"]["holder"]) == ("r1", "li@ops")
    assert renewed["lease"]["expires_at"] > taken["lease"]["expires_at"] + 500
    assert "msg" in other


@pytest.fixture
def package(tmp_path: Path) -> dict[str, Any]:
    source = tmp_path / "bundle" / "x.run"
    source.parent.mkdir()
    source.write_bytes(b"#!/bin/sh\n" * 1000)
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    return {"src": str(source), "file": "x.run", "sha256": digest}


@pytest.fixture
def stage(act: Callable[..., dict[str, Any]], tmp_path: Path) -> Callable[..., dict[str, Any]]:
    directory = str(tmp_path / "state" / "packages")
    return lambda lease, *packages: act("stage_packages", packages=list(packages), directory=directory, lease=lease)


def test_a_package_is_staged_once_and_its_place_appears_whole(
    act: Callable[..., dict[str, Any]], stage: Callable[..., dict[str, Any]], package: dict[str, Any], tmp_path: Path
) -> None:
    lease = act("lease", state="taken", run="r1")["lease"]
    results = [stage(lease, package) for _ in range(2)]
    placed = tmp_path / "state" / "packages" / package["sha256"] / "x.run"

    assert [result["changed"] for result in results] == [True, False]
    assert placed.read_bytes() == Path(package["src"]).read_bytes()
    assert [path.name for path in (tmp_path / "state" / "packages").iterdir()] == [package["sha256"]]


def test_a_package_damaged_in_transit_is_refused_leaves_nothing_and_ends_the_staging(
    act: Callable[..., dict[str, Any]], stage: Callable[..., dict[str, Any]], package: dict[str, Any], tmp_path: Path
) -> None:
    lease = act("lease", state="taken", run="r1")["lease"]
    other = {**package, "file": "y.run", "sha256": hashlib.sha256(b"other").hexdigest()}
    Path(package["src"]).write_bytes(b"damaged" * 1000)
    result = stage(lease, package, other)

    assert result["failed"]
    assert "x.run was damaged in transit" in result["msg"]
    assert list((tmp_path / "state" / "packages").iterdir()) == []


def test_what_a_cut_copy_left_and_what_rotted_on_disk_are_replaced(
    act: Callable[..., dict[str, Any]], stage: Callable[..., dict[str, Any]], package: dict[str, Any], tmp_path: Path
) -> None:
    lease = act("lease", state="taken", run="r1")["lease"]
    packages = tmp_path / "state" / "packages"
    (packages / "incoming" / "other").mkdir(parents=True)
    (packages / "incoming" / "other" / "half.run").write_bytes(b"half")
    stage(lease, package)
    placed = packages / package["sha256"] / "x.run"
    placed.write_bytes(b"rotten")
    result = stage(lease, package)

    assert result["changed"]
    assert placed.read_bytes() == Path(package["src"]).read_bytes()
    assert not (packages / "incoming").exists()


def test_staging_without_a_live_lease_copies_nothing(
    act: Callable[..., dict[str, Any]], stage: Callable[..., dict[str, Any]], package: dict[str, Any], tmp_path: Path
) -> None:
    act("lease", state="taken", run="r2")
    result = stage(LEASE, package)

    assert (result["failed"], result["lease_lost"]) == (True, True)
    assert not (tmp_path / "state" / "packages").exists()


@pytest.mark.parametrize("change", [{"file": "../x.run"}, {"sha256": "zz"}, {"src": "/nowhere/x.run"}])
def test_a_package_with_a_wrong_name_digest_or_source_is_refused_before_any_contact(
    act: Callable[..., dict[str, Any]], package: dict[str, Any], change: dict[str, str]
) -> None:
    with pytest.raises(AnsibleActionFail):
        act("stage_packages", never, packages=[{**package, **change}], directory="/x", lease=LEASE)


class Rebooting:
    """A connection to a host whose boot id follows a script; None is a host that does not answer."""

    def __init__(self, *boots: str | None, kernel: str = "5.10.0") -> None:
        self.boots, self.kernel, self.commands = list(boots), kernel, []

    def __call__(self, _command: str, in_data: bytes | None) -> dict[str, Any]:
        text = (in_data or b"").decode()
        if "\nguard " in text:
            self.commands.append(shlex.split(text.rpartition("\nguard ")[2].splitlines()[0])[0])
            return {"rc": 0, "stdout": "ascend-provision-guard 1\nanswer=started\n", "stderr": ""}
        boot = self.boots.pop(0) if len(self.boots) > 1 else self.boots[0]
        if boot is None:
            raise AnsibleConnectionFailure("ssh: connect to host h1 port 22: No route to host")
        return {"rc": 0, "stdout": f"boot={boot}\nkernel={self.kernel}\nstate=running\n", "stderr": ""}


REBOOT = {"name": "reboot-final", "lease": LEASE, "timeout": 20, "settle": 0, "poll": 0, "reason": "flash"}


def test_a_reboot_is_proved_by_another_boot_id(act: Callable[..., dict[str, Any]]) -> None:
    host = Rebooting("a", "a", None, None, "b")
    result = act("reboot", host, **REBOOT, expected_boot_id="a", expected_kernel="5.10.0")

    assert host.commands == ["run", "ended"]
    assert "failed" not in result
    assert (result["changed"], result["boot_id_before"], result["boot_id"]) == (True, "a", "b")


def test_a_host_already_in_another_boot_is_not_restarted(act: Callable[..., dict[str, Any]]) -> None:
    host = Rebooting("b")
    result = act("reboot", host, **REBOOT, expected_boot_id="a")

    assert host.commands == ["ended"]
    assert not result.get("changed")
    assert result["boot_id"] == "b"


@pytest.mark.parametrize(
    ("boots", "says"),
    [((("a", None)), "does not answer: ssh: connect to host h1 port 22"), (("a",), "its shutdown hangs")],
    ids=["never back", "hangs in shutdown"],
)
def test_a_host_that_does_not_come_back_is_named_with_seconds_and_what_to_do(
    act: Callable[..., dict[str, Any]], boots: tuple[str | None, ...], says: str
) -> None:
    result = act("reboot", Rebooting(*boots), **{**REBOOT, "timeout": 1, "poll": 1})

    assert (result["failed"], result["timed_out"]) == (True, True)
    for part in ("h1", " s after", "flash", "BMC", says):
        assert part in result["msg"]


def test_the_old_kernel_after_a_reboot_is_a_failure(act: Callable[..., dict[str, Any]]) -> None:
    result = act("reboot", Rebooting("a", "b", kernel="4.19.0"), **REBOOT, expected_kernel="5.10.0")

    assert result["failed"]
    assert "4.19.0" in result["msg"]
    assert "5.10.0" in result["msg"]


def test_the_evidence_of_a_failed_step_is_read_only(act: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    lease = act("lease", state="taken", run="r1")["lease"]
    act("guarded", name="x", lease=lease, script="echo one; echo 'ERROR: two'; exit 1")
    (tmp_path / "state.sh").write_text('echo "driver $1 installed"\n')
    result = act("step_evidence", name="x", observe=str(tmp_path / "state.sh"), arguments=["it's"])

    assert result == {
        "changed": False,
        "evidence": {
            "last_line": "ERROR: two",
            "log": ["one", "ERROR: two"],
            "log_path": str(tmp_path / "state" / "steps" / "x.log"),
            "state": "driver it's installed",
        },
    }


def test_the_message_of_every_guard_answer_fits_in_one_paragraph() -> None:
    for word in ("lost", "leased", "mismatch", "busy", "still-running", "vanished", "refused"):
        text = guard.explain(guard.Answer(word, {}), "x", "h1")

        assert "\n" not in text
        assert text.endswith(".")
