"""ascend.provision.check: one look, every finding in the result, and a failure that says what to do."""

from __future__ import annotations

import functools
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest
from ansible.errors import AnsibleActionFail, AnsibleError

from ascend_provision.check import judge_host
from ascend_provision.evidence import wire
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.model import Unknown
from tests.unit.factories import a1_host, changed, environment

REPOSITORY = Path(__file__).resolve().parents[3]
Act = Callable[..., dict[str, Any]]


@pytest.fixture
def plugin(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Any:
    tree = tmp_path_factory.mktemp("collections")
    link = tree / "ansible_collections" / "ascend" / "provision"
    link.parent.mkdir(parents=True)
    link.symlink_to(REPOSITORY)
    monkeypatch.syspath_prepend(str(tree))
    for name in [name for name in sys.modules if name.split(".")[0] == "ansible_collections"]:
        monkeypatch.delitem(sys.modules, name)
    return importlib.import_module("ansible_collections.ascend.provision.plugins.action.check")


@functools.cache
def this_machine(command: str, in_data: bytes) -> tuple[int, str, str]:
    """The host is this machine: the real probe in a real shell, once for all tests."""
    environment = {"PATH": os.environ["PATH"]}
    done = subprocess.run(["sh", "-c", command], input=in_data, capture_output=True, check=False, env=environment)
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


@pytest.fixture
def act(plugin: Any) -> Act:
    def run(facts: HostFacts | None = None, **args: Any) -> dict[str, Any]:
        task = MagicMock(args=args, check_mode=False, async_val=0, diff=False, environment=[], action="check")
        action = plugin.ActionModule(
            task=task,
            connection=MagicMock(_shell=SimpleNamespace(tmpdir=None)),
            play_context=MagicMock(),
            loader=None,
            templar=None,
            shared_loader_obj=None,
        )
        action._low_level_execute_command = lambda command, in_data=None, **_: dict(
            zip(("rc", "stdout", "stderr"), this_machine(command, in_data), strict=True)
        )
        if facts is not None:
            plugin.read = lambda _record: facts
        result = action.run(task_vars={"inventory_hostname": facts.host if facts else "h1"})
        json.dumps(result)
        assert task.args == args, "a retried task must see its own arguments again"
        return dict(result)

    return run


def old_environment() -> HostFacts:
    return changed(a1_host(level="hdk23"), environments=(environment("/opt/train", torch="1.8.1", torch_npu="1.8.1"),))


def test_a_host_without_npu_is_looked_at_for_real_and_is_unknown_not_failed(act: Act) -> None:
    result = act()

    assert result["changed"] is False
    assert "failed" not in result
    product = next(one for one in result["findings"] if one["id"] == "chips.product")
    assert (product["verdict"], product["host"]) == ("unknown", "h1")
    assert not Path(result["probe"]["path"]).exists(), "without evidence_dir nothing is kept"


def test_the_findings_are_those_of_the_check_and_a_healthy_host_passes(act: Act) -> None:
    result = act(a1_host())

    told = [one["id"] for one in result["findings"]]

    assert [key for key in told if key != "python.ansible"] == [finding.id for finding in judge_host(a1_host())]
    assert "python.ansible" in told, "the installed ansible-core is known here"
    assert result["verdict"] == "pass"
    assert "failed" not in result


def test_a_failing_finding_fails_the_task_with_what_was_seen_and_what_to_do(act: Act) -> None:
    result = act(old_environment())

    assert result["failed"] is True
    assert result["verdict"] == "fail"
    assert "fail pairing.torch-npu-cann: torch_npu 1.8.1 in /opt/train" in result["msg"]
    assert "; do: in that environment install" in result["msg"]


def test_never_reports_and_goes_on(act: Act) -> None:
    result = act(old_environment(), fail_on="never")

    assert "failed" not in result
    assert result["verdict"] == "fail"


@pytest.mark.parametrize(("fail_on", "failed"), [("fail", False), ("unknown", True), ("warn", True), ("never", False)])
def test_an_unknown_fails_only_who_asked_for_it(act: Act, fail_on: str, failed: bool) -> None:
    hung = changed(a1_host(), chips=Unknown(unknown="npu-smi hung"))

    assert act(hung, fail_on=fail_on).get("failed", False) is failed


def test_verification_compares_with_the_named_stack_of_the_hosts_chip(act: Act) -> None:
    good = act(a1_host(level="hdk23"), verify=True, stack="hdk23", chips=8, fail_on="unknown")
    bad = act(a1_host(), verify=True, stack="hdk23", fail_on="unknown")

    assert good["verdict"] == "pass"
    assert {one["id"] for one in good["findings"]} >= {
        "verify.driver",
        "verify.firmware",
        "verify.cann",
        "verify.chips",
    }
    assert "fail verify.driver: 22.0.4 is running, expected 23.0.3" in bad["msg"]


def test_a_single_version_overrides_that_of_the_stack(act: Act) -> None:
    result = act(a1_host(level="hdk23"), verify=True, stack="hdk23", cann="8.0.0")

    assert "verify.cann: toolkit 7.0.0, expected 8.0.0" in result["msg"]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ({"stack": "hdk255"}, "known for 910: hdk22, hdk23, hdk24"),
        ({"driver": "twenty"}, "`check`: 'twenty' is not a HDK version"),
        ({}, "nothing to verify"),
    ],
)
def test_a_verification_that_cannot_be_understood_says_what_would_be(act: Act, args: dict[str, str], says: str) -> None:
    with pytest.raises(AnsibleActionFail, match=says):
        act(a1_host(), verify=True, **args)


def test_a_stack_on_a_host_without_npu_has_no_meaning(act: Act) -> None:
    with pytest.raises(AnsibleActionFail, match="no known NPU product"):
        act(changed(a1_host(), pci=()), verify=True, stack="hdk23")


def test_a_mistyped_option_is_refused(act: Act) -> None:
    with pytest.raises(AnsibleError, match="faill_on"):
        act(a1_host(), faill_on="never")


def test_evidence_is_kept_where_asked(act: Act, tmp_path: Path) -> None:
    result = act(a1_host(), evidence_dir=str(tmp_path))

    kept = tmp_path / "a1-01.probe"
    assert result["probe"]["path"] == str(kept)
    assert wire.parse("a1-01", kept.read_text("utf-8")).sections


def test_what_a_host_said_is_neutralised_in_the_message(act: Act) -> None:
    hostile = changed(
        a1_host(level="hdk23"), environments=(environment("/opt/\x1b[2Jtrain", torch="1.8.1", torch_npu="1.8.1"),)
    )

    assert "\x1b" not in act(hostile)["msg"]
