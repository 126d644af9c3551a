"""The document of `facts`: hosts in order, and how files were understood."""

from __future__ import annotations

from ascend_provision.evidence.pasted.recognise import recognise
from ascend_provision.report import facts, json
from ascend_provision.stack.model import Unknown
from tests.unit.factories import a1_host, changed


def test_hosts_come_by_name_whatever_the_order_and_it_reads_back() -> None:
    hosts = {name: a1_host(name) for name in ("b", "a")}
    found = facts.report(hosts, {"c": "No route to host"})

    assert [host.host for host in found.hosts] == ["a", "b"]
    assert facts.FactsReport.model_validate_json(json.render(found)) == found
    assert "No route to host" in facts.render(found)


def test_a_control_character_of_a_host_is_escaped() -> None:
    found = facts.report({"a": changed(a1_host("a"), chips=Unknown(unknown="hung \x1b[2J"))}, {})

    assert "\x1b" not in facts.render(found)
    assert "\x1b" not in json.render(found)


def test_places_that_nobody_recognised_are_named_and_not_without_end() -> None:
    given = recognise("a", [("x.txt", "\n\n".join(f"line {n}" for n in range(20)))])
    told = facts.strangers([given])

    assert told[0] == "a: x.txt:1-1 is not recognised: line 0"
    assert told[-1] == "and 8 more places"
    assert len(told) == 13
