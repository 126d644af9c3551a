"""torch_npu's allocator keys: which exclude each other, which this HDK, CANN, chip and torch_npu know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ascend_provision.check.env_lint import Fault
from ascend_provision.check.reading import product, several, suites
from ascend_provision.knowledge import env_rules
from ascend_provision.knowledge.env_rules import AllocatorKey
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
    for name, row in rows.items():
        clash = [other for other in row.excludes if other in keys]
        if clash and keys[name].lower() == "true":
            expected = f"{name} or {' and '.join(clash)}"
            yield Fault("env.allocator-conflict", "fail", line, expected, source=row.cited)
        if not env_rules.in_range(row, keys[name]):
            yield Fault("env.limits", "fail", f"{name}:{keys[name]}", env_rules.range_of(row), line, row.cited)
        if keys[name].lower() not in _OFF:
            yield from _level(facts, line, name, row)
    foreign = [name for name in keys if name not in rows]
    if foreign:
        said = f"{', '.join(foreign)}: no published key"
        yield Fault("env.allocator-key", "warn", said, "a published key", line)
    yield from _known(facts, line, rows)


def _level(facts: HostFacts, line: str, name: str, row: AllocatorKey) -> Iterator[Fault]:
    """What the key needs of the HDK, CANN and the chip."""
    key, running = "env.allocator-level", facts.driver.running
    if row.hdk_since is not None:
        if isinstance(running, Unknown):
            yield Fault(key, "unknown", f"{line}: {running.unknown}")
        elif isinstance(running, HdkVersion) and running < row.hdk_since:
            yield Fault(key, "fail", f"{line} on HDK {running}", f"HDK {row.hdk_since}", source=row.cited)
    cann = max((item.version for item in suites(facts)), default=None)
    if row.cann_since is not None and cann is not None and cann < row.cann_since:
        yield Fault(key, "fail", f"{line} on CANN {cann}", f"CANN {row.cann_since}", source=row.cited)
    found = product(facts)
    if row.chips and found is not None and found.chip not in row.chips:
        yield Fault(key, "fail", f"{name} on chip {found.chip}", f"chip {' or '.join(row.chips)}", line, row.cited)


def _known(facts: HostFacts, line: str, rows: Mapping[str, AllocatorKey]) -> Iterator[Fault]:
    key = "env.allocator-key"
    if isinstance(facts.environments, Unknown):
        yield Fault(key, "unknown", f"{line}: {facts.environments.unknown}")
        return
    for name, row in rows.items():
        refusing, unsure = [], []
        for env in facts.environments:
            if "torch_npu" in env.unread:
                unsure.append(env.path)
            elif env.torch_npu is not None:
                knows = env_rules.known_to(row, env.torch_npu)
                if knows is False:
                    refusing.append(f"torch_npu {env.torch_npu} in {env.path}")
                elif knows is None:
                    unsure.append(f"{env.path} (torch_npu {env.torch_npu})")
        expected = (
            f"torch_npu of series {row.series_since} or newer" if row.series_since else "a torch_npu that knows it"
        )
        if refusing:
            yield Fault(key, "fail", f"{name}, not known to {several(refusing, 3)}", expected, line)
        elif unsure:
            yield Fault(key, "unknown", f"{name}: cannot tell for {several(unsure, 3)}", expected)
