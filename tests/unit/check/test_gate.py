from __future__ import annotations

import pytest

from ascend_provision.check import finding, gate

FINDINGS = (
    finding.warn("holders.processes", "h1", "pid 7"),
    finding.ok("chips.health", "h1"),
    finding.unknown("chips.count", "h1", "npu-smi hung"),
    finding.fail("pairing.firmware-flash", "h1", "1.84", expected="7.1"),
)


@pytest.mark.parametrize(
    ("fail_on", "stops"),
    [
        ("fail", ["pairing.firmware-flash"]),
        ("unknown", ["pairing.firmware-flash", "chips.count"]),
        ("warn", ["pairing.firmware-flash", "chips.count", "holders.processes"]),
        ("never", []),
    ],
)
def test_the_word_says_which_findings_stop_a_play(fail_on: gate.FailOn, stops: list[str]) -> None:
    assert [found.id for found in gate.stopping(FINDINGS, fail_on)] == stops


def test_every_word_of_the_type_is_a_word_of_the_gate() -> None:
    assert set(gate.WORDS) == {"fail", "unknown", "warn", "never"}


def test_the_sentence_names_what_was_seen_expected_and_is_to_do() -> None:
    text = gate.sentence("h1", gate.stopping(FINDINGS, "fail"))

    assert text.splitlines()[0] == "h1: 1 of its findings stop this play"
    assert text.splitlines()[1].startswith(
        "fail pairing.firmware-flash: 1.84, expected 7.1; do: run the firmware package"
    )
