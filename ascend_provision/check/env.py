"""Variables of the stack in environment files, units and running processes: values, waits, allocator keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ascend_provision.check import container_cards, env_allocator, env_lint, env_paths, finding
from ascend_provision.check.env_lint import Fault
from ascend_provision.check.reading import several
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.surroundings import LiveEnv

PROVED = (
    "env.allocator-conflict",
    "env.allocator-key",
    "env.allocator-level",
    "env.limits",
    "env.values",
    "env.timeouts",
    "env.clash",
    "env.support",
    "env.visible-devices",
    "env.interface",
)
"""The rules that pass where nothing breaks them."""


def judge(facts: HostFacts) -> Iterator[Finding]:
    """One finding per rule and value that breaks it, with the places; one pass where none does."""
    yield from _files(facts)
    yield from _running(facts)


def faults(variables: Mapping[str, str], facts: HostFacts, cards: int | Unknown | None = None) -> Iterator[Fault]:
    """Everything wrong with one place's variables, but for where its paths lead."""
    yield from env_allocator.lint(variables, facts)
    yield from env_lint.lint(variables, facts, cards)


def gathered(places: Iterable[tuple[str, Iterable[Fault]]]) -> dict[Fault, list[str]]:
    """The same fault of several places once, with where it is."""
    found: dict[Fault, list[str]] = {}
    for where, broken in places:
        for fault in broken:
            found.setdefault(fault, []).append(where)
    return found


def told(fault: Fault, where: list[str], host: str, key: str = "") -> Finding:
    """The finding of a fault; `key` gives it another name than the one it has for a file."""
    key, places = key or fault.key, f"in {several(where, 3)}"
    if fault.verdict == "unknown":
        return finding.unknown(key, host, f"{fault.said} ({places})", expected=fault.expected, source=fault.source)
    give = finding.fail if fault.verdict == "fail" else finding.warn
    return give(
        key, host, f"{fault.said} {places}", expected=fault.expected, evidence=fault.evidence, source=fault.source
    )


def _files(facts: HostFacts) -> Iterator[Finding]:
    host, files = facts.host, facts.env_files
    if isinstance(files, Unknown):
        yield finding.unknown("env.allocator-conflict", host, files)
        return
    found = gathered((file.path, faults(file.variables, facts)) for file in files)
    yield from (told(fault, where, host) for fault, where in found.items())
    yield from _both_names(host, found, {file.path: file.variables for file in files})
    broken = {fault.key for fault in found}
    yield from (finding.ok(key, host, f"{len(files)} files read") for key in PROVED if key not in broken)


def _both_names(
    host: str, found: Mapping[Fault, list[str]], files: Mapping[str, Mapping[str, str]]
) -> Iterator[Finding]:
    """The allocator's two names in two files; in one file it was said already."""
    names = env_allocator.NAMES
    where = {name: [path for path, variables in files.items() if variables.get(name)] for name in names}
    if all(where.values()) and not any(fault.key == "env.allocator-names" for fault in found):
        observed = "; ".join(f"{name} in {', '.join(paths)}" for name, paths in where.items())
        yield finding.warn("env.allocator-names", host, observed, expected="one of them")


def _of_process(facts: HostFacts, env: LiveEnv) -> Iterator[Fault]:
    yield from faults(env.variables, facts, container_cards.of_process(env.pid, facts))
    yield from env_paths.lint(env.variables)


def _running(facts: HostFacts) -> Iterator[Finding]:
    key, host, running = "env.running", facts.host, facts.live_env
    if isinstance(running, Unknown):
        yield finding.unknown(key, host, running)
        return
    if not running:
        yield finding.skip(key, host, "no process has a card open")
        return
    found = gathered((env.name, _of_process(facts, env)) for env in running)
    yield from (told(fault, where, host, key) for fault, where in found.items())
    if not found:
        yield finding.ok(key, host, f"{len(running)} processes")
