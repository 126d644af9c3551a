from __future__ import annotations

from ascend_provision.knowledge import rows
from ascend_provision.knowledge.matrix import published
from ascend_provision.knowledge.solution import Fitting, Forced, Reason, Solution
from ascend_provision.knowledge.what_if import WhatIf
from ascend_provision.report.matrix import by_source, explanation, what_if


def test_nothing_related_is_said_so_and_unknown() -> None:
    said = explanation(published().explain({"firmware": "7.1.0.5.220", "mindspore": "2.7.1"}))

    assert said.startswith("UNKNOWN: ")
    assert "nothing published relates these" in said


def test_a_contradiction_is_shown_as_what_cannot_be_together() -> None:
    conflict = Forced(wants=("a=1", "b=2"), stays=("HDK 23.0.3",), reasons=(Reason(text="no row", source="a page"),))
    said = what_if(WhatIf(solution=Solution(outcome="impossible", wants=("a=1", "b=2"), conflict=conflict)))

    for word in (
        "impossible",
        "asked for  a=1, b=2",
        "stays      HDK 23.0.3",
        "because    no row",
        "source     a page",
    ):
        assert word in said


def test_a_pair_that_nobody_publishes_is_named() -> None:
    pair = Fitting(a="HDK 23.0.rc1", b="CANN 8.0.0", verdict="unknown", why="no row says", source="", today=True)
    said = what_if(WhatIf(solution=Solution(outcome="nothing", wants=("consistent",), unproven=(pair,))))

    assert "Not published:\n    HDK 23.0.rc1 with CANN 8.0.0: no row says" in said


def test_every_row_is_counted_under_each_of_its_sources_and_a_sites_under_its_file() -> None:
    site = published().with_site("rows:\n- {mindspore: 2.7.1, cann: 8.2.RC1, says: compatible}\n", "ours.yaml")
    found = by_source(site.statements, rows.sources())

    assert sum(one.rows for one in found if one.key != "site") == sum(len(row.source) for row in published().statements)
    assert [(one.rows, one.where) for one in found if one.key == "site"] == [(1, "ours.yaml")]
