"""Roles keep to their contract: what an entry point specifies is what its tasks read, and YAML holds no logic."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROLES = Path(__file__).resolve().parents[3] / "roles"
# `check` and `verify` change nothing and need no lease.
CHANGING = sorted(path.parent.parent.name for path in ROLES.glob("*/meta/argument_specs.yml"))
CHANGING = [role for role in CHANGING if role not in {"check", "verify"}]
NAME = re.compile(r"(?<![\w.'\"/-])([a-z_][a-z0-9_]*)(?!\w*\()")
EXPRESSION = re.compile(r"{{(.*?)}}", re.DOTALL)
KNOWN = {"ansible_failed_result", "item"}
PURE_LOOKS = {"is", "not", "and", "or", "defined", "true", "false", "in"}


def load(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def specs() -> list[tuple[str, str]]:
    return [
        (role, entry) for role in CHANGING for entry in load(ROLES / role / "meta/argument_specs.yml")["argument_specs"]
    ]


def tasks(role: str, file: str) -> Iterator[dict[str, Any]]:
    """Every task of a file, inside blocks too, and of the files it includes."""
    todo = list(load(ROLES / role / "tasks" / file))
    while todo:
        task = todo.pop(0)
        yield task
        for part in ("block", "rescue", "always"):
            todo += task.get(part, [])
        included = task.get("ansible.builtin.include_tasks")
        if included:
            yield from tasks(role, included)


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)


def expressions(task: dict[str, Any]) -> Iterator[str]:
    for key, value in task.items():
        if key in {"block", "rescue", "always"}:
            continue
        for text in texts(value):
            yield from EXPRESSION.findall(text)
        if key in {"when", "failed_when", "changed_when", "until"}:
            yield from texts(value)


def variables(role: str, file: str) -> set[str]:
    found: set[str] = set()
    for task in tasks(role, file):
        for expression in expressions(task):
            found |= set(NAME.findall(re.sub(r"'[^']*'|\"[^\"]*\"", "", expression)))
    return found - KNOWN - PURE_LOOKS


@pytest.mark.parametrize(("role", "entry"), specs())
def test_an_entry_point_specifies_exactly_what_its_tasks_read(role: str, entry: str) -> None:
    specified = set(load(ROLES / role / "meta/argument_specs.yml")["argument_specs"][entry]["options"])
    read = {name for name in variables(role, f"{entry}.yml") if not name.startswith(f"__{role}_")}

    assert read == specified


@pytest.mark.parametrize(("role", "entry"), specs())
def test_every_variable_carries_the_name_of_its_role(role: str, entry: str) -> None:
    options = load(ROLES / role / "meta/argument_specs.yml")["argument_specs"][entry]["options"]
    registered = {task["register"] for task in tasks(role, f"{entry}.yml") if "register" in task}
    loops = {task["loop_control"]["loop_var"] for task in tasks(role, f"{entry}.yml") if "loop" in task}

    assert [name for name in options if not name.startswith(f"{role}_")] == []
    assert [name for name in registered | loops if not name.startswith(f"__{role}_")] == []


@pytest.mark.parametrize("role", CHANGING)
def test_defaults_are_those_of_the_specification(role: str) -> None:
    defaults = load(ROLES / role / "defaults/main.yml")
    specified: dict[str, Any] = {}
    for entry in load(ROLES / role / "meta/argument_specs.yml")["argument_specs"].values():
        specified |= {name: option["default"] for name, option in entry["options"].items() if "default" in option}

    assert defaults == specified


@pytest.mark.parametrize("role", CHANGING)
def test_an_option_is_required_or_has_a_default_and_says_what_it_is(role: str) -> None:
    for entry in load(ROLES / role / "meta/argument_specs.yml")["argument_specs"].values():
        for name, option in entry["options"].items():
            assert option.get("required", False) != ("default" in option), name
            assert len(option["description"]) > 10, name


@pytest.mark.parametrize("role", CHANGING)
def test_a_role_has_a_file_for_each_entry_point_and_no_main(role: str) -> None:
    entries = set(load(ROLES / role / "meta/argument_specs.yml")["argument_specs"])
    files = {path.stem for path in (ROLES / role / "tasks").glob("*.yml")}
    included = {
        Path(task["ansible.builtin.include_tasks"]).stem
        for entry in entries
        for task in tasks(role, f"{entry}.yml")
        if "ansible.builtin.include_tasks" in task
    }

    assert files == entries | included
    assert "main" not in entries
    assert (ROLES / role / "README.md").is_file()


@pytest.mark.parametrize(("role", "entry"), specs())
def test_a_change_happens_only_through_the_guard_with_the_lease_of_the_role(role: str, entry: str) -> None:
    mutating = {"ascend.provision.guarded", "ascend.provision.stage_packages", "ascend.provision.reboot"}
    reading = {"ascend.provision.step_evidence", "ascend.provision.lease"}
    control = {"block", "rescue", "always", "ansible.builtin.include_tasks", "ansible.builtin.fail"}
    keywords = {"name", "loop", "loop_control", "register", "vars", "when"}
    used: set[str] = set()
    for task in tasks(role, f"{entry}.yml"):
        (module,) = [key for key in task if key not in keywords | {"rescue", "always"}]
        used.add(module)
        if module in mutating | {"ascend.provision.lease"}:
            assert task[module]["lease"] == f"{{{{ {role}_lease }}}}"

    assert used <= mutating | reading | control
    assert used & mutating


@pytest.mark.parametrize(("role", "entry"), specs())
def test_yaml_decides_nothing(role: str, entry: str) -> None:
    """No `when`, no filter, no test, no ternary: what is to be done comes complete from the plan."""
    for task in tasks(role, f"{entry}.yml"):
        assert "when" not in task
        assert "ignore_errors" not in task
        for expression in expressions(task):
            assert "|" not in expression
            assert not re.search(r"\b(if|else|is|not|and|or|lookup|query)\b", expression)


@pytest.mark.parametrize(("role", "entry"), specs())
def test_task_names_are_file_and_sentence(role: str, entry: str) -> None:
    for file in (ROLES / role / "tasks").glob("*.yml"):
        for task in tasks(role, file.name):
            if task in load(file):
                assert re.fullmatch(rf"{file.stem} \| [A-Z][^{{}}]+", task["name"]), task["name"]


@pytest.mark.parametrize("role", ["hdk", "cann"])
def test_a_rescue_explains_and_repairs_nothing(role: str) -> None:
    rescues = [
        task["rescue"] for file in (ROLES / role / "tasks").glob("*.yml") for task in load(file) if "rescue" in task
    ]

    assert len(rescues) == 2
    for evidence, fail in rescues:
        assert "ascend.provision.step_evidence" in evidence
        message = fail["ansible.builtin.fail"]["msg"]
        for part in (
            "ansible_failed_result.msg",
            "The host now: ",
            "evidence.state",
            "log",
            "`ascend-provision upgrade`",
        ):
            assert part in message
