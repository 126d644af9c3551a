from __future__ import annotations

import pytest

from ascend_provision.check import finding
from ascend_provision.knowledge import catalogue
from ascend_provision.stack.model import Unknown

KEY = "pairing.driver-firmware"


def test_the_texts_are_those_of_the_catalogue() -> None:
    entry = catalogue.entries()[KEY]
    found = finding.fail(KEY, "h1", "1.84", expected="7.1")

    assert (found.id, found.host, found.title, found.component) == (KEY, "h1", entry.en.title, entry.component)
    assert found.source == entry.cited
    assert found.next_action == entry.en.next_action.replace("{expected}", "7.1")


def test_without_anything_expected_the_sentence_still_reads() -> None:
    assert "{" not in finding.fail(KEY, "h1", "1.84").next_action


def test_what_settles_an_unknown_comes_from_the_fact_or_else_from_the_catalogue() -> None:
    named = finding.unknown(KEY, "h1", Unknown(unknown="npu-smi hung", settle="reboot first"))
    plain = finding.unknown(KEY, "h1", Unknown(unknown="npu-smi hung"))

    assert (named.observed, named.next_action) == ("npu-smi hung", "reboot first")
    assert plain.next_action == catalogue.entries()[KEY].en.settle


def test_a_pass_and_a_skip_ask_for_nothing() -> None:
    assert finding.ok(KEY, "h1").next_action == ""
    assert finding.skip(KEY, "h1", "no driver").next_action == ""


def test_a_finding_nobody_described_cannot_be_given() -> None:
    with pytest.raises(KeyError):
        finding.ok("pairing.invented", "h1")
