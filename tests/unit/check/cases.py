"""One case a (finding, verdict): a host in one state, and what is said about it."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from ascend_provision.stack.findings import Finding, Verdict
from ascend_provision.stack.model import Unknown

HUNG = Unknown(unknown="npu-smi hung", settle="reboot the host, then ask again")


class Case(NamedTuple):
    """`says` must be in what was observed; `name` is the case as a sentence of the field."""

    key: str
    verdict: Verdict
    name: str
    judge: Callable[[], Iterable[Finding]]
    says: str = ""

    def __str__(self) -> str:
        return f"{self.key}-{self.verdict.value}-{self.name.replace(' ', '_')}"


def fails(key: str, name: str, judge: Callable[[], Iterable[Finding]], says: str = "") -> Case:
    return Case(key, Verdict.FAIL, name, judge, says)


def warns(key: str, name: str, judge: Callable[[], Iterable[Finding]], says: str = "") -> Case:
    return Case(key, Verdict.WARN, name, judge, says)


def unknown(key: str, name: str, judge: Callable[[], Iterable[Finding]], says: str = "") -> Case:
    return Case(key, Verdict.UNKNOWN, name, judge, says)


def passes(key: str, name: str, judge: Callable[[], Iterable[Finding]], says: str = "") -> Case:
    return Case(key, Verdict.PASS, name, judge, says)


def skips(key: str, name: str, judge: Callable[[], Iterable[Finding]], says: str = "") -> Case:
    return Case(key, Verdict.SKIP, name, judge, says)


def prove(case: Case) -> None:
    """The case's finding is given, says what it should, and leaves nobody without a next action."""
    given = [finding for finding in case.judge() if finding.id == case.key]
    matching = [finding for finding in given if finding.verdict is case.verdict]

    assert matching, f"{case.key}: {[(finding.verdict.value, finding.observed) for finding in given]}"
    assert any(case.says in finding.observed for finding in matching), [finding.observed for finding in matching]
    for finding in matching:
        assert finding.source
        assert (finding.next_action == "") is (case.verdict in {Verdict.PASS, Verdict.SKIP})
        assert "{" not in finding.next_action


def every() -> list[Case]:
    """The cases of all topics: whatever test module beside this one has a list of that name."""
    topics = sorted(path.stem for path in Path(__file__).parent.glob("test_*.py"))
    about_the_cases = {"test_completeness", "test_field_cases", "test_wording"}
    modules = [importlib.import_module(f"tests.unit.check.{topic}") for topic in topics if topic not in about_the_cases]
    return [case for module in modules for case in getattr(module, "CASES", ())]
