"""Every Python environment against the installed CANN: torch_npu, torch, MindSpore."""

from __future__ import annotations

from collections.abc import Iterator

from ascend_provision.check import finding
from ascend_provision.check.answered import answered
from ascend_provision.knowledge import pairing, wheels
from ascend_provision.knowledge.matrix import Matrix
from ascend_provision.knowledge.pairing import Answer
from ascend_provision.stack.facts import CannInstall, HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.versions import FrameworkVersion


def judge(facts: HostFacts, toolkit: CannInstall, matrix: Matrix | None = None) -> Iterator[Finding]:
    """One finding per framework and environment, each naming the environment's path."""
    host, cann = facts.host, toolkit.version
    if isinstance(facts.environments, Unknown):
        yield finding.unknown("pairing.torch-npu-cann", host, facts.environments)
        return
    for env in facts.environments:
        where = f"in {env.path}"
        for name in env.unread:
            key = {"torch_npu": "pairing.torch-npu-cann", "mindspore": "pairing.mindspore-cann"}.get(name)
            if key:
                yield finding.unknown(key, host, f"{name} {where}: its version could not be understood")
        if env.torch_npu is not None:
            answer = pairing.torch_npu_cann(env.torch_npu, cann, matrix)
            yield answered(
                "pairing.torch-npu-cann",
                host,
                answer,
                f"torch_npu {env.torch_npu} {where}",
                _fitting(answer, env.torch_npu),
            )
            if env.torch is not None:
                yield _torch(facts, env.torch, env.torch_npu, where, matrix)
        if env.mindspore is not None:
            answer = pairing.mindspore_cann(env.mindspore, cann, matrix)
            yield answered(
                "pairing.mindspore-cann",
                host,
                answer,
                f"MindSpore {env.mindspore} {where}",
                _fitting(answer, env.mindspore),
            )


def _torch(
    facts: HostFacts, torch: FrameworkVersion, torch_npu: FrameworkVersion, where: str, matrix: Matrix | None
) -> Finding:
    """By the table; and the build that the wheel's own metadata asks for, where the installed one has another name."""
    key, arch = "pairing.torch-torch-npu", str(facts.arch)
    pair = pairing.torch_torch_npu(torch, torch_npu, matrix)
    observed = f"torch {torch} with torch_npu {torch_npu} {where}"
    release, _, build = str(torch).partition("+")
    asked = wheels.torch_of(torch_npu, FrameworkVersion(release), arch)
    if pair.verdict == "compatible" and asked and build and "+" in asked and asked != str(torch):
        expected, source = f"torch=={asked}", wheels.requirements()[0].cited
        return finding.warn(key, facts.host, observed, expected=expected, evidence=pair.why, source=source)
    return answered(key, facts.host, pair, observed, pair.nearest[0] if pair.nearest else "")


def _fitting(answer: Answer, installed: object) -> str:
    """The nearest published rows of another version: what could be installed here instead."""
    return " or ".join(row for row in answer.nearest if f" {installed} " not in row)
