"""torch_npu's allocator keys: which exclude each other, which this HDK, CANN, chip and torch_npu know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ascend_provision.check.env_lint import Fault
from ascend_provision.check.reading import product, several, suites
from ascend_provision.knowledge import env_rules, feature_floors
from ascend_provision.knowledge.components import Component, title
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.versions import HdkVersion

NAMES = env_rules.allocator_variables()
_OFF = frozenset({"false", "0", ""})


def lint(variables: Mapping[str, str], facts: HostFacts) -> Iterator[Fault]:
    """Every fault of one place's allocator settings."""
    for name in NAMES:
        text = variables.get(name)
        if text and "$" not in text:
            yield from _setting(facts, f"{name}={text}", env_rules.settings(text))
    if all(variables.get(name) for name in NAMES):
        names = " and ".join(NAMES)
        yield Fault("env.allocator-names", "warn", names, "one of them")


def _setting(facts: HostFacts, line: str, keys: dict[str, str]) -> Iterator[Fault]:
    rows = {name: row for name in keys if (row := env_rules.key(name))}
    foreign = [name for name in keys if name not in rows]
    if torn := [name for name in foreign if not keys[name]]:
        yield Fault("env.allocator-conflict", "unknown", f"{line}: {several(torn)} is no KEY:VALUE")
    for name, row in rows.items():
        clash = [other for other in row.excludes if other in keys]
        if clash and keys[name].lower() == "true":
            expected = f"either {name}, or {' and '.join(clash)}"
            yield Fault("env.allocator-conflict", "fail", line, expected, source=row.cited)
        if not env_rules.in_range(row, keys[name]):
            yield Fault("env.limits", "fail", f"{name}:{keys[name]}", env_rules.range_of(row), line, row.cited)
        if keys[name].lower() not in _OFF:
            yield from _level(facts, line, name)
    if foreign:
        said = f"{', '.join(foreign)}: no published key"
        yield Fault("env.allocator-key", "warn", said, "a published key", line)
    yield from _known(facts, line, rows)


def _level(facts: HostFacts, line: str, name: str) -> Iterator[Fault]:
    """What the key needs of the HDK, CANN and the chip."""
    key, found = "env.allocator-level", product(facts)
    chip = found.chip if found else ""
    floor = feature_floors.floor(name, chip)
    if floor is None:
        if wanted := feature_floors.chips(name):
            yield Fault(key, "fail", f"{name} on chip {chip}", f"chip {' or '.join(wanted)}", line)
        return
    running, cann = facts.driver.running, max((item.version for item in suites(facts)), default=None)
    if "hdk" in floor.parts and isinstance(running, Unknown):
        yield Fault(key, "unknown", f"{line}: {running.unknown}")
    here: dict[Component, str] = {"hdk": str(running)} if isinstance(running, HdkVersion) else {}
    here |= {} if cann is None else {"cann": str(cann)}
    for component in feature_floors.missing(name, here, chip) or ():
        expected = f"{title(component)} {floor.lowest(component)}"
        yield Fault(key, "fail", f"{line} on {title(component)} {here[component]}", expected, source=floor.cited)


def _known(facts: HostFacts, line: str, names: Iterable[str]) -> Iterator[Fault]:
    key = "env.allocator-key"
    if isinstance(facts.environments, Unknown):
        yield Fault(key, "unknown", f"{line}: {facts.environments.unknown}")
        return
    for name in names:
        refusing, unsure = [], []
        for env in facts.environments:
            if "torch_npu" in env.unread:
                unsure.append(env.path)
            elif env.torch_npu is not None:
                knows = env_rules.known_to(name, env.torch_npu)
                if knows is False:
                    refusing.append(f"torch_npu {env.torch_npu} in {env.path}")
                elif knows is None:
                    unsure.append(f"{env.path} (torch_npu {env.torch_npu})")
                elif env.torch is not None and feature_floors.missing(name, {"torch": str(env.torch)}):
                    refusing.append(f"torch {env.torch} in {env.path}")
        floor = feature_floors.floor(name)
        expected = f"torch_npu of series {floor.lowest('torch_npu_series')} or newer" if floor else "one that knows it"
        if floor and (torch := floor.lowest("torch")):
            expected += f" with torch {torch}"
        if refusing:
            yield Fault(key, "fail", f"{name}, not known to {several(refusing, 3)}", expected, line)
        elif unsure:
            yield Fault(key, "unknown", f"{name}: cannot tell for {several(unsure, 3)}", expected)
