"""The action against a connection that answers from a text: whole results, no host."""

from __future__ import annotations

import importlib.util
import stat
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from ansible.errors import AnsibleActionFail, AnsibleConnectionFailure
from ansible.parsing.dataloader import DataLoader
from ansible.playbook.play_context import PlayContext
from ansible.playbook.task import Task
from ansible.template import Templar

ROOT = Path(__file__).parents[3]
START = "#ascend-provision-probe 2\n"
GOOD = START + "#S host 0 2 \n#S npu-smi.info 0 90 \n@npu-smi.info 0\n@host 1\n|uid=0\n#E 2 95\n"
HUNG = START + "#S npu-smi.info - 2004 timed out after 20 s\n#S npu-smi.list - 0 skipped: npu-smi hung\n#E 2 2010\n"
CUT = START + "#S host 0 2 \n@host 3\n|uid=0\n|boot"


def plugin() -> ModuleType:
    spec = importlib.util.spec_from_file_location("probe_action", ROOT / "plugins/action/probe.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(
    tmp_path: Path,
    answer: dict[str, Any] | Exception,
    check: bool = False,
    variables: dict[str, Any] | None = None,
    **arguments: Any,
) -> tuple[dict[str, Any], list[Any]]:
    """The result, and what was sent: (command, script)."""
    task = Task()
    variables = {"inventory_hostname": "node1", **(variables or {})}
    task.args = {
        **({} if "provision_evidence_dir" in variables else {"evidence_dir": str(tmp_path / "evidence")}),
        **arguments,
    }
    task.action = "ascend.provision.probe"
    task.check_mode = check
    sent: list[Any] = []

    class Fake(plugin().ActionModule):
        def _low_level_execute_command(self, cmd: str, in_data: bytes, **_: Any) -> dict[str, Any]:
            sent.append((cmd, in_data))
            if isinstance(answer, Exception):
                raise answer
            return answer

    context = PlayContext()
    context.check_mode = check
    connection = SimpleNamespace(_shell=SimpleNamespace(tmpdir=None))
    action = Fake(
        task=task,
        connection=connection,
        play_context=context,
        loader=None,
        templar=Templar(loader=DataLoader(), variables=variables),
        shared_loader_obj=None,
    )
    return action.run(task_vars=variables), sent


def expected(tmp_path: Path) -> dict[str, Any]:
    return {"changed": False, "probe": {"path": str(tmp_path / "evidence/node1.probe")}}


@pytest.mark.parametrize("check", [False, True])
def test_a_good_answer_is_filed_and_a_small_result_goes_back(tmp_path: Path, check: bool) -> None:
    result, sent = run(tmp_path, {"rc": 0, "stdout": GOOD, "stderr": ""}, check=check)

    assert result == expected(tmp_path)
    filed = tmp_path / "evidence/node1.probe"
    assert filed.read_text(encoding="utf-8") == GOOD
    assert stat.S_IMODE(filed.stat().st_mode) == 0o600
    assert [(command, script[:12]) for command, script in sent] == [("/bin/sh -s 60", b"# The probe:")]


def test_the_inventorys_word_about_the_super_pod_goes_back_with_the_result(tmp_path: Path) -> None:
    result, _ = run(tmp_path, {"rc": 0, "stdout": GOOD, "stderr": ""}, variables={"ascend_provision_super_pod": 7})

    assert result["probe"]["super_pod"] == "7"


def test_an_answer_of_hung_tools_is_one(tmp_path: Path) -> None:
    result, sent = run(tmp_path, {"rc": 0, "stdout": HUNG, "stderr": ""}, deadline=30)

    assert result == expected(tmp_path)
    assert sent[0][0] == "/bin/sh -s 30"


def test_an_answer_that_was_cut_is_kept(tmp_path: Path) -> None:
    result, _ = run(tmp_path, {"rc": -13, "stdout": CUT, "stderr": ""})

    assert result == expected(tmp_path)


def test_binary_noise_and_carriage_returns_cannot_break_the_file(tmp_path: Path) -> None:
    noise = GOOD.replace("|uid=0", "|\udcff\r#S forged 0 1 \0").replace("\n", "\r\n")
    result, _ = run(tmp_path, {"rc": 0, "stdout": "banner\r\n" + noise, "stderr": ""})

    assert result == expected(tmp_path)
    assert "\r" not in (tmp_path / "evidence/node1.probe").read_text(encoding="utf-8")


def test_an_older_file_is_replaced_and_closed_to_others(tmp_path: Path) -> None:
    filed = tmp_path / "evidence/node1.probe"
    filed.parent.mkdir()
    filed.write_text("old and much longer than the new one" * 99, encoding="utf-8")
    filed.chmod(0o644)
    run(tmp_path, {"rc": 0, "stdout": GOOD, "stderr": ""})

    assert filed.read_text(encoding="utf-8") == GOOD
    assert stat.S_IMODE(filed.stat().st_mode) == 0o600


def test_a_refused_sudo_is_a_failure_that_says_so(tmp_path: Path) -> None:
    with pytest.raises(
        AnsibleActionFail, match="brought nothing back from node1: rc 1, it said: sudo: a password is required"
    ):
        run(tmp_path, {"rc": 1, "stdout": "", "stderr": "sudo: a password is required\n"})


def test_a_host_that_cannot_be_reached_stays_unreachable(tmp_path: Path) -> None:
    with pytest.raises(AnsibleConnectionFailure):
        run(tmp_path, AnsibleConnectionFailure("Connection refused"))


def test_a_run_gives_directory_and_deadline_as_variables_so_that_no_host_costs_a_template(tmp_path: Path) -> None:
    variables = {"provision_evidence_dir": str(tmp_path / "evidence"), "provision_deadline": 33}
    result, sent = run(tmp_path, {"rc": 0, "stdout": GOOD, "stderr": ""}, variables=variables)

    assert sent[0][0] == "/bin/sh -s 33"
    assert result["probe"]["path"] == str(tmp_path / "evidence/node1.probe")
    assert "{{" not in (ROOT / "playbooks/probe.yml").read_text("utf-8")


def test_what_the_task_says_wins_over_the_run(tmp_path: Path) -> None:
    _, sent = run(tmp_path, {"rc": 0, "stdout": GOOD, "stderr": ""}, deadline=9, variables={"provision_deadline": 33})

    assert sent[0][0] == "/bin/sh -s 9"
