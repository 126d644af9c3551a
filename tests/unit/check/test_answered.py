from __future__ import annotations

from ascend_provision.check.answered import answered
from ascend_provision.knowledge import answers


def test_a_compatible_pair_passes_with_the_reason_as_evidence() -> None:
    found = answered(
        "pairing.cann-driver", "h1", answers.compatible("released together", "notes"), "7.0.0 on 23.0.3", ""
    )

    assert (found.verdict.value, found.observed, found.evidence) == ("pass", "7.0.0 on 23.0.3", "released together")
    assert (found.source, found.next_action) == ("notes", "")


def test_an_incompatible_pair_fails_and_says_what_would_be_right() -> None:
    found = answered(
        "pairing.cann-driver", "h1", answers.incompatible("both lists say no", "notes"), "7.0.0 on 22.0.4", "6.0.1"
    )

    assert (found.verdict.value, found.expected, found.evidence) == ("fail", "6.0.1", "both lists say no")
    assert "(6.0.1)" in found.next_action


def test_an_answer_nobody_has_is_unknown_and_keeps_the_pair_and_the_reason() -> None:
    found = answered("pairing.cann-driver", "h1", answers.unknown("no row"), "7.0.0 on 23.9.9", "")

    assert (found.verdict.value, found.observed) == ("unknown", "7.0.0 on 23.9.9: no row")
    assert found.source
