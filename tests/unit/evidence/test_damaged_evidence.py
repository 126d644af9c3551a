"""A slice of the damaged evidence that tests/bench/damaged_evidence.py runs in full; and that it can see a fault."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from ascend_provision.check import judge_host
from ascend_provision.evidence import facts, wire
from ascend_provision.stack.evidence import ProbeRecord
from tests.bench.damaged_evidence import part
from tests.unit.evidence import damage

PROBE = Path(wire.__file__).parent / "probe"


@pytest.mark.parametrize("seed", ["a", "b"])
def test_no_damage_raises_and_none_invents_a_pass(seed: str) -> None:
    found = part((seed, 120))

    assert found.mutants == 120
    assert not found.exceptions, found.examples
    assert not found.invented, found.examples


def passed(record: ProbeRecord) -> set[str]:
    return damage.passes(judge_host(facts.read(record)))


def test_a_pass_by_a_garbled_section_would_be_seen_and_one_by_whole_sections_is_none() -> None:
    sick, section = damage.hosts()["a2 alarm"]
    whole = damage.record(sick)
    assert section == "npu-smi.info"
    assert "chips.health" not in passed(whole)

    healed = damage.record({**sick, section: (sick[section] or "").replace("Alarm", "OK   ")})
    assert damage.new_passes(whole, healed, passed(whole)) == (set(), {"chips.health"})
    other = damage.record({**sick, "pythons": "\x00garbage"})
    assert damage.new_passes(whole, other, passed(whole)) == (set(), set())


def test_a_pass_that_rests_on_a_section_with_a_trace_of_damage_is_invented() -> None:
    sick, section = damage.hosts()["a2 alarm"]
    whole = damage.record(sick)
    healed = damage.record({**sick, section: (sick[section] or "").replace("Alarm", "OK   ")})
    marked = replace(healed.sections[section], truncated=True)

    class Blind:
        """A reader that does not care whether its output was cut."""

        @staticmethod
        def read(record: ProbeRecord) -> object:
            whole_ones = {name: replace(item, truncated=False) for name, item in record.sections.items()}
            return facts.read(replace(record, sections=whole_ones))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(damage, "facts", Blind)
        hurt = replace(healed, sections={**healed.sections, section: marked})
        assert damage.new_passes(whole, hurt, passed(whole)) == ({"chips.health"}, set())


def test_every_fault_of_a_sick_host_is_seen_while_nothing_is_damaged() -> None:
    healthy = {base: passed(damage.record(found)) for base, (found, sore) in damage.hosts().items() if not sore}
    for name, (found, sore) in damage.hosts().items():
        if sore:
            assert healthy[damage.base_of(name)] - passed(damage.record(found)), name


def test_every_section_of_the_probe_is_damaged_on_some_host_and_no_other() -> None:
    """By the probe's own list, so that a section that comes to it must come here too."""
    chains = re.findall(r"^ +start \w+ ((?:.*\\\n)*.*)$", (PROBE / "run.sh").read_text(encoding="utf-8"), re.MULTILINE)
    promised = {name for chain in chains for name in chain.replace("\\\n", " ").split()}
    several = re.compile(r"(npu-smi\.board|hccn_tool\.[a-z]+)\.\d+")
    filled: set[str] = set()
    for found, _ in damage.hosts().values():
        filled |= {name for name, text in found.items() if text}
        assert promised <= found.keys()

    assert len(promised) > 60
    assert {name for name in filled if several.fullmatch(name)}
    assert promised - filled == {"hccn_tool"}  # it says only that the tool is there
    assert {name for name in filled - promised if not several.fullmatch(name)} == set()


def test_the_same_seed_damages_the_same_way() -> None:
    found, sore = damage.hosts()["a2 nok"]

    first, second = (damage.damaged(found, random.Random(7), sore) for _ in range(2))  # noqa: S311 - damage that can be repeated
    assert first == second
