"""How often Ansible looks for results in the runs that ascend-provision starts."""

from __future__ import annotations

import gc
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from ansible import constants
from ansible.utils.display import Display

from ascend_provision.fleet import runner

PLUGIN = Path(__file__).parents[3] / "plugins/callback/pace.py"


def plugin() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pace_callback", PLUGIN)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("own", "seconds"), [(0.001, 0.2), (1.5, 1.5)])
def test_ansible_looks_as_often_as_it_is_told_and_never_more_often_than_the_user_set(
    own: float, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constants, "DEFAULT_INTERNAL_POLL_INTERVAL", own)
    callback = plugin().CallbackModule()
    monkeypatch.setattr(callback, "get_option", {"seconds": 0.2}.__getitem__)
    try:
        callback.v2_playbook_on_play_start(None)
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()

    assert pytest.approx(seconds) == constants.DEFAULT_INTERNAL_POLL_INTERVAL


@pytest.mark.parametrize(("wanted", "said"), [(False, []), (True, ["next free host"])])
def test_debug_messages_cost_nothing_unless_somebody_wants_them(
    wanted: bool, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []

    monkeypatch.setattr(Display, "debug", lambda _, message: told.append(message))
    monkeypatch.setattr(constants, "DEFAULT_DEBUG", wanted)
    monkeypatch.setattr(constants, "DEFAULT_INTERNAL_POLL_INTERVAL", 0.001)
    callback = plugin().CallbackModule()
    monkeypatch.setattr(callback, "get_option", {"seconds": 0.2}.__getitem__)
    try:
        callback.v2_playbook_on_play_start(None)
    finally:
        gc.unfreeze()
    Display().debug("next free host")

    assert told == said


def test_the_more_hosts_the_less_often_but_never_so_seldom_that_a_free_worker_waits_long() -> None:
    assert [runner.pace(hosts) for hosts in (1, 20, 1000)] == [0.02, 0.2, 0.5]


def test_every_run_has_it_and_the_users_own_callbacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANSIBLE_CALLBACKS_ENABLED", raising=False)
    assert runner.environment()["ANSIBLE_CALLBACKS_ENABLED"] == "ascend.provision.pace"

    monkeypatch.setenv("ANSIBLE_CALLBACKS_ENABLED", "ansible.posix.timer")
    assert runner.environment()["ANSIBLE_CALLBACKS_ENABLED"] == "ansible.posix.timer,ascend.provision.pace"


def test_the_callbacks_of_the_users_configuration_file_stay_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    config = tmp_path / "ansible.cfg"
    config.write_text("[defaults]\ncallbacks_enabled = ansible.posix.timer, ara_default ; audit\nforks=5\n")
    monkeypatch.delenv("ANSIBLE_CALLBACKS_ENABLED", raising=False)
    monkeypatch.setenv("ANSIBLE_CONFIG", str(config))

    enabled = runner.environment()["ANSIBLE_CALLBACKS_ENABLED"]
    assert [name.strip() for name in enabled.split(",")] == [
        "ansible.posix.timer",
        "ara_default",
        "ascend.provision.pace",
    ]


def test_what_reads_a_host_once_keeps_no_connection_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANSIBLE_SSH_ARGS", raising=False)

    assert "ControlMaster" in runner.environment()["ANSIBLE_SSH_ARGS"]
    assert "ControlMaster" not in runner.environment(lasting=False)["ANSIBLE_SSH_ARGS"]
    assert "ServerAliveInterval" in runner.environment(lasting=False)["ANSIBLE_SSH_ARGS"]
