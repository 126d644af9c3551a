"""How waves are shown before a run."""

from __future__ import annotations

from ascend_provision.planner.waves import Policy, Share, cut
from ascend_provision.planner.window import parse
from ascend_provision.report.waves import render


def test_the_order_and_what_halts_it_are_said_before_anybody_agrees() -> None:
    policy = Policy(bake=600, max_unavailable=Share(number=2), window=parse("Sat 01:00-05:00 UTC"))

    text = render(cut({f"a1-{number}": "rack1" for number in range(1, 5)}, policy), policy)

    assert text.splitlines()[1:] == [
        "In 3 waves; a failed canary halts the run, after it 1 failed may pass, at most 2 hosts out of service, "
        "10 min 00 s and a look at health between waves, only in Sat 01:00-05:00 UTC",
        "  canary of rack1: a1-1",
        "  wave 2 of rack1: a1-2, a1-3",
        "  wave 3 of rack1: a1-4",
    ]


def test_many_hosts_of_a_wave_are_counted() -> None:
    policy = Policy(canary=0, ceiling=Share(number=100, percent=True), growth="fixed")

    assert "a1-05 and 14 more" in render(cut({f"a1-{number:02}": "" for number in range(20)}, policy), policy)


def test_one_host_has_no_order() -> None:
    assert render(cut({"a1-1": ""}, Policy()), Policy()) == ""
