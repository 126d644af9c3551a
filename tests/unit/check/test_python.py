from __future__ import annotations

import pytest

from ascend_provision.check import judge_host
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.versions import FrameworkVersion
from tests.unit.check.cases import Case, passes, prove, unknown, warns
from tests.unit.factories import a1_host, changed


def judged(pythons: dict[str, str] | Unknown) -> tuple[Finding, ...]:
    return judge_host(changed(a1_host(), pythons=pythons), target_python=FrameworkVersion("3.8"))


CASES: list[Case] = [
    passes("python.ansible", "3.9", lambda: judged({"/usr/bin/python3": "3.9.2"}), "3.9.2"),
    passes("python.ansible", "an older one beside", lambda: judged({"/usr/bin/python2": "2.7.5", "/opt/py": "3.8.0"})),
    warns("python.ansible", "3.6 only", lambda: judged({"/usr/bin/python3": "3.6.8"}), "3.6.8"),
    warns("python.ansible", "none", lambda: judged({}), "no Python at all"),
    unknown("python.ansible", "not looked", lambda: judged(Unknown(unknown="the probe was cut"))),
    unknown("python.ansible", "a version that is none", lambda: judged({"/usr/bin/python3": "segfault"})),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_python(case: Case) -> None:
    prove(case)


def test_without_a_minimum_nothing_is_asked() -> None:
    facts: HostFacts = changed(a1_host(), pythons={})

    assert "python.ansible" not in {finding.id for finding in judge_host(facts)}


def test_the_core_that_would_manage_the_host_is_named() -> None:
    found = next(f for f in judged({"/usr/bin/python3": "3.6.8"}) if f.id == "python.ansible")

    assert found.evidence == "ansible-core 2.16 would manage it"
