"""The same finding in each language: words change, what the host said does not."""

from __future__ import annotations

import re

import pytest

from ascend_provision.check import finding, wording
from ascend_provision.knowledge import catalogue
from ascend_provision.stack.findings import Finding, Verdict
from ascend_provision.stack.model import Unknown
from tests.unit.check.cases import every

KEY = "pairing.driver-firmware"
WORDS = catalogue.entries()[KEY].zh
FAILED = finding.fail(KEY, "h1", "1.84", expected="7.1", evidence="Version : 1.84")


def test_title_and_next_action_are_said_in_chinese_and_what_the_host_said_stays() -> None:
    said = wording.said(FAILED, "zh")

    assert (said.title, said.next_action) == (WORDS.title, WORDS.next_action.replace("{expected}", "7.1"))
    kept = {"title", "next_action"}
    assert said.model_dump(exclude=kept) == FAILED.model_dump(exclude=kept)


@pytest.mark.parametrize(
    "made",
    [
        FAILED,
        finding.warn("chips.product", "h1", "7"),
        finding.ok(KEY, "h1", "7.1"),
        finding.skip(KEY, "h1", "no driver"),
        finding.unknown(KEY, "h1", "npu-smi hung"),
        finding.unknown(KEY, "h1", Unknown(unknown="holders", settle="probe as root")),
    ],
    ids=lambda made: made.verdict.value,
)
def test_a_finding_comes_back_from_the_other_language_as_it_was(made: Finding) -> None:
    there = wording.said(made, "zh")

    assert there.title != made.title
    assert (there.next_action == made.next_action) is (made.next_action == "")
    assert wording.said(there, "en") == made


def test_what_settles_an_unknown_is_the_facts_own_in_chinese_too() -> None:
    made = finding.unknown(KEY, "h1", Unknown(unknown="npu-smi is not installed", settle="install the driver"))

    assert wording.said(made, "zh").next_action == "安装驱动"


def test_words_that_nobody_translated_are_shown_as_they_are() -> None:
    made = finding.unknown(KEY, "h1", Unknown(unknown="npu-smi hung", settle="ask the moon"))

    assert wording.said(made, "zh").next_action == "ask the moon"


def test_a_finding_of_another_release_keeps_its_own_words() -> None:
    old = Finding(id="pairing.gone", verdict=Verdict.FAIL, component="driver", title="a rule of then", next_action="x")

    assert wording.said(old, "zh") == old


ENGLISH = re.compile(
    r"\b(the|of|is|are|no|not|has|have|with|in|on|by|for|at|to|and|or|without|only|from|was|were|its|which|that|than)\b"
)
OF_A_HOST = (
    "the probe was cut",  # what a test says of evidence that was not read
    "npu-smi info: dcmi mod",
    "Cannot connect to the Docker daemon",
    "implicit declaration of function",
)


def test_every_sentence_that_a_rule_gives_has_its_chinese() -> None:
    """What a host itself said stays; `knowledge/data/phrases.yaml` has the rest."""
    english = set()
    for case in every():
        for given in case.judge():
            if given.verdict in {Verdict.FAIL, Verdict.WARN, Verdict.UNKNOWN}:
                spoken = wording.spoken(given, "zh")
                said = {re.sub(r"--[a-z-]+", "", text) for text in (spoken.observed, spoken.expected, spoken.evidence)}
                english |= {text for text in said if ENGLISH.search(text) and not any(own in text for own in OF_A_HOST)}

    assert english == set(), "add them to knowledge/data/phrases.yaml"
