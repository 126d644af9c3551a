"""The house rules of docs/architecture.md, held by a test each."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
PACKAGE = REPOSITORY / "ascend_provision"
PLUGINS = REPOSITORY / "plugins"
MOST_LINES = 400
DRAWERS = {"utils", "helpers", "common", "misc", "manager", "base", "lib", "core"}
PURE = ("stack", "evidence", "knowledge", "check", "planner")
# What a pure package must not even import: the world, the clock, chance. `knowledge` reads its own package data.
IMPURE_IMPORTS = {
    "os",
    "subprocess",
    "time",
    "socket",
    "random",
    "secrets",
    "tempfile",
    "shutil",
    "urllib",
    "threading",
}
IMPURE_CALLS = {"open", "input", "print", "exec", "eval"}
CLOCKS = {"now", "today", "utcnow"}
IMPURE_ATTRIBUTES = {"read_text", "write_text", "read_bytes", "write_bytes", "environ"}
OWN_DATA = {"read_text", "read_bytes"}
RELEASE = re.compile(r"(?<![\d.])(?:2[0-9]|[5-9])\.\d\.(?:\d+|[rR][cC]\d+)(?![\d.]*/)")


def modules(*roots: Path) -> list[Path]:
    return sorted(path for root in roots for path in root.rglob("*.py") if "__pycache__" not in path.parts)


def named(path: Path) -> str:
    return str(path.relative_to(REPOSITORY))


def pure_modules() -> list[Path]:
    return modules(*(PACKAGE / name for name in PURE))


def everything_written() -> list[Path]:
    return modules(PACKAGE, PLUGINS, REPOSITORY / "tests", REPOSITORY / "script")


@pytest.mark.parametrize("path", everything_written(), ids=named)
def test_no_module_is_longer_than_a_person_can_hold(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_no_module_is_a_drawer() -> None:
    drawers = [named(path) for path in modules(PACKAGE, PLUGINS) if path.stem in DRAWERS or path.parent.name in DRAWERS]

    assert drawers == []


@pytest.mark.parametrize("path", pure_modules(), ids=named)
def test_a_pure_module_touches_no_file_clock_or_environment(path: Path) -> None:
    own_data = path.is_relative_to(PACKAGE / "knowledge")
    found = list(impurities(ast.parse(path.read_text(encoding="utf-8")), own_data=own_data))

    assert found == []


def impurities(tree: ast.AST, *, own_data: bool) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] in IMPURE_IMPORTS)
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in IMPURE_IMPORTS:
            yield node.module
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS:
            yield f"{node.func.id}() in line {node.lineno}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CLOCKS:
            yield f".{node.func.attr}() in line {node.lineno}"
        elif isinstance(node, ast.Attribute) and node.attr in IMPURE_ATTRIBUTES - (OWN_DATA if own_data else set()):
            yield f".{node.attr} in line {node.lineno}"


def test_the_rule_about_purity_sees_what_it_forbids() -> None:
    for text in ("import time", "from os import environ", "open('x')", "Path('x').read_text()", "datetime.now()"):
        assert list(impurities(ast.parse(text), own_data=False)), text


@pytest.mark.parametrize("path", [p for p in modules(PACKAGE, PLUGINS) if "data" not in p.parts], ids=named)
def test_no_release_is_named_in_code(path: Path) -> None:
    assert list(release_literals(ast.parse(path.read_text(encoding="utf-8")))) == []


def release_literals(tree: ast.AST) -> Iterator[str]:
    """Release numbers in strings of code; docstrings explain, and an `e.g.` in a message shows a form."""
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in docstrings:
            continue
        if RELEASE.search(node.value) and not re.search(r"e\.g\.|for example", node.value):
            yield f"line {node.lineno}: {node.value!r}"


def test_no_release_is_named_in_roles_and_playbooks() -> None:
    files = [p for root in ("roles", "playbooks") for p in (REPOSITORY / root).rglob("*.yml")]
    found = [
        f"{named(path)}:{number}: {line}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if RELEASE.search(line.partition("#")[0])
    ]

    assert files
    assert found == []


def test_nothing_but_the_command_line_and_tests_knows_the_lab() -> None:
    outside = [path for path in modules(PACKAGE) if path.relative_to(PACKAGE).parts[0] not in ("lab", "cli")]
    files = [
        *outside,
        *(
            p
            for root in ("roles", "playbooks", "plugins")
            for kind in ("*.yml", "*.py", "*.sh")
            for p in (REPOSITORY / root).rglob(kind)
        ),
    ]
    found = [named(path) for path in files if re.search(r"\blab\b", path.read_text(encoding="utf-8"), re.IGNORECASE)]

    assert found == []


@pytest.mark.parametrize("path", modules(PLUGINS), ids=named)
def test_what_imports_ansible_carries_the_gpl_header(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if re.search(r"^\s*(?:from|import) ansible\b", text, re.MULTILINE):
        assert "GNU General Public License v3.0" in text[:500] or "GPL-3.0-or-later" in text[:500]


SCRIPTS = sorted(
    path
    for root in ("ascend_provision", "plugins", "roles")
    for path in (REPOSITORY / root).rglob("*.sh")
    if "__pycache__" not in path.parts
)


@pytest.mark.parametrize("path", SCRIPTS, ids=named)
def test_shell_that_runs_on_hosts_is_plain_posix_to_dash(path: Path) -> None:
    done = subprocess.run(["dash", "-n", str(path)], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("path", ["script/bootstrap", "script/demo", "script/test", ".ci/run"])
def test_the_entry_points_can_be_started_and_parse(path: str) -> None:
    script = REPOSITORY / path
    done = subprocess.run(["bash", "-n", str(script)], capture_output=True, text=True, check=False)

    assert script.stat().st_mode & 0o111
    assert (done.returncode, done.stderr) == (0, "")


# Modules whose tests are not in tests/unit/<package>/test_<module>.py, and where a reader finds them instead.
ELSEWHERE = {
    "cli/lab_fleet.py": "lab/test_lab_hosts.py",
    "cli/lab_hosts.py": "lab/test_lab_hosts.py",
    "cli/lab_verb.py": "lab/test_lab_hosts.py",
    "fleet/arguments.py": "unit/fleet/test_upgrade.py",
    "fleet/gate.py": "unit/fleet/test_upgrade.py",
    "fleet/loop.py": "unit/fleet/test_upgrade.py",
    "fleet/host_state.py": "unit/fleet/test_upgrade.py",
    "fleet/planning.py": "unit/cli/test_plan.py",
    "fleet/progress.py": "unit/cli/test_live.py",
    "fleet/runner.py": "lab/test_plan_and_check.py",
    "planner/match.py": "unit/planner/test_plan.py",
    "planner/need.py": "unit/planner/test_plan.py",
    "planner/places.py": "unit/planner/test_plan.py",
    "planner/profile.py": "unit/cli/test_profile.py",
    "planner/reading.py": "unit/planner/test_plan.py",
    "planner/steps.py": "unit/planner/test_plan.py",
}
# Nouns without behaviour of their own; stack/versions.py, which has some, is held to the rule.
NOUNS = {
    "errors", "evidence", "facts", "findings", "given", "machine", "model", "network", "packages", "plan", "runs",
    "surroundings", "target",
}  # fmt: skip


def without_mirror() -> list[str]:
    """Modules whose tests a reader would not find by their name."""
    missing = []
    for path in modules(PACKAGE):
        inside = path.relative_to(PACKAGE)
        noun = inside.parts[0] == "stack" and path.stem in NOUNS
        if path.name == "__init__.py" or inside.parts[0] == "lab" or noun:
            continue
        if not (REPOSITORY / "tests" / "unit" / inside.parent / f"test_{path.stem}.py").exists():
            missing.append(str(inside))
    return missing


def test_every_module_has_its_mirror_in_the_tests_or_says_where_it_is_tested() -> None:
    assert sorted(without_mirror()) == sorted(ELSEWHERE)
    assert [place for place in ELSEWHERE.values() if not (REPOSITORY / "tests" / place).exists()] == []
