from __future__ import annotations

from typing import Any

import pytest

from ascend_provision.check import python_packages
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from tests.unit.check.cases import HUNG, Case, fails, passes, prove, skips, unknown, warns
from tests.unit.factories import a1_host, changed, environment, packages

CANN_8 = a1_host(level="hdk24")
WHOLE = packages().versions


def has(facts: HostFacts = CANN_8, *, without: tuple[str, ...] = (), **changes: Any) -> tuple[Finding, ...]:
    versions = {**{name: text for name, text in WHOLE.items() if name not in without}, **changes.pop("versions", {})}
    return tuple(python_packages.judge(changed(facts, python_packages=(packages(versions=versions, **changes),))))


def system_only(cann: bool = True) -> tuple[Finding, ...]:
    bare = packages("/usr/bin/python3.9", frameworks=False, versions={})
    facts = changed(CANN_8, environments=(), python_packages=(bare,))
    return tuple(python_packages.judge(facts if cann else changed(facts, cann=())))


def of_python(version: str | None, torch: str | None = "2.1.0") -> tuple[Finding, ...]:
    env = environment("/opt/train", python=version, torch=torch)
    return tuple(python_packages.judge(changed(CANN_8, environments=(env,))))


def unread() -> tuple[Finding, ...]:
    return tuple(python_packages.judge(changed(CANN_8, python_packages=HUNG)))


CASES: list[Case] = [
    passes("python.cann-packages", "all of them", has),
    fails(
        "python.cann-packages",
        "a new environment without decorator",
        lambda: has(without=("decorator", "absl_py")),
        "no decorator, absl_py in /opt/train",
    ),
    passes(
        "python.cann-packages",
        "only the system's Python lacks them, and nobody uses it",
        lambda: python_packages.judge(
            changed(
                CANN_8,
                python_packages=(packages(), packages("/usr/bin/python3.9", frameworks=False, versions={})),
            )
        ),
    ),
    warns("python.cann-packages", "the system's, where there is no other", system_only, "no environment has"),
    skips("python.cann-packages", "no CANN", lambda: system_only(cann=False)),
    unknown(
        "python.cann-packages",
        "a directory that could not be read",
        lambda: has(without=("decorator",), whole=False),
        "decorator in /opt/train",
    ),
    unknown("python.cann-packages", "packages unread", unread),
    passes("python.cann-ranges", "as published", has),
    fails(
        "python.cann-ranges",
        "numpy 2 under CANN 8",
        lambda: has(versions={"numpy": "2.0.2"}),
        "numpy 2.0.2 in /opt/train with CANN 8.0.0",
    ),
    warns("python.cann-ranges", "numpy 1.26, which no page names", lambda: has(versions={"numpy": "1.26.4"})),
    warns("python.cann-ranges", "a protobuf that refuses old files", lambda: has(versions={"protobuf": "4.25.3"})),
    unknown("python.cann-ranges", "a version nobody understands", lambda: has(versions={"scipy": None})),
    unknown("python.cann-ranges", "packages unread", unread),
    passes("python.interpreter", "all there", has),
    fails(
        "python.interpreter",
        "a copied environment",
        lambda: has(interpreter_gone=("bin/pip -> /opt/old/bin/python3.9",)),
        "bin/pip -> /opt/old/bin/python3.9 in /opt/train",
    ),
    unknown("python.interpreter", "packages unread", unread),
    passes("python.cann-wheels", "none", has),
    warns("python.cann-wheels", "te of the CANN before", lambda: has(stale=("te", "hccl")), "te, hccl in /opt/train"),
    unknown("python.cann-wheels", "packages unread", unread),
    passes("python.window", "3.9 for torch 2.1", lambda: of_python("3.9.2")),
    passes("python.window", "a patch release beyond the page's", lambda: of_python("3.11.9")),
    warns("python.window", "3.12 for torch 2.1", lambda: of_python("3.12.3"), "Python 3.12.3 in /opt/train"),
    warns("python.window", "3.12 for CANN 8 alone", lambda: of_python("3.12.3", torch=None)),
    warns(
        "python.window",
        "3.8 for a torch_npu without such a wheel",
        lambda: tuple(
            python_packages.judge(
                changed(
                    CANN_8,
                    cann=(),
                    environments=(environment("/opt/llm", python="3.8.18", torch_npu="2.5.1"),),
                )
            )
        ),
        "Python 3.8.18 in /opt/llm",
    ),
    unknown("python.window", "a Python nobody told", lambda: of_python(None)),
    unknown(
        "python.window",
        "environments unread",
        lambda: python_packages.judge(changed(CANN_8, environments=Unknown(unknown="cut"))),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_python_packages(case: Case) -> None:
    prove(case)


def test_what_is_missing_comes_as_one_command() -> None:
    (finding,) = [f for f in has(without=("absl_py", "pyyaml")) if f.verdict.value == "fail"]

    assert finding.next_action == "in that environment run `pip install pyyaml absl-py`"
