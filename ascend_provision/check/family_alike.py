"""Hosts of one chip family: one job may run over all of them, so what a job meets must be the same on each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence

from ascend_provision.check import family_settings, finding, majority
from ascend_provision.check.majority import FLEET
from ascend_provision.check.reading import suites
from ascend_provision.stack.facts import KERNEL_PARTS, HostFacts, PythonEnv
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown

Read = Callable[[HostFacts], str | None]
"""One value of a host as text; None where it is not known."""


def judge(family: str, hosts: Sequence[HostFacts]) -> Iterator[Finding]:
    """At least two hosts; what could not be read of one is not compared."""
    yield from _alike("fleet.versions", family, hosts, _STACK)
    yield from _alike("fleet.frameworks", family, hosts, _environments(hosts))
    yield from _alike("fleet.chips", family, hosts, {"chips": _chips})
    for arch, same in sorted(_by_arch(hosts).items()):
        yield from _alike("fleet.system", f"{family} {arch}", same, {"kernel": _kernel, "OS": _os})
    yield from family_settings.judge(family, hosts)


def _alike(key: str, what: str, hosts: Sequence[HostFacts], reads: dict[str, Read]) -> Iterator[Finding]:
    """A warning for each thing in which some differ; one pass where none do and two at least could be compared."""
    compared, differing = 0, False
    for name, read in reads.items():
        values = majority.by_value(hosts, read)
        compared = max(compared, sum(map(len, values.values())))
        if split := majority.split(values):
            differing = True
            yield finding.warn(key, FLEET, f"{what} {name}: {split.odd}", expected=split.expected)
    if not differing and compared > 1:
        yield finding.ok(key, FLEET, f"{what}: {compared} hosts alike")


def driver(facts: HostFacts) -> str | None:
    """The running driver."""
    running = facts.driver.running
    return None if isinstance(running, Unknown) else str(running or "none")


def _firmware(facts: HostFacts) -> str | None:
    flash = facts.firmware.flash
    return None if isinstance(flash, Unknown) else ", ".join(map(str, flash)) or "none"


def _cann(facts: HostFacts) -> str | None:
    if isinstance(facts.cann, Unknown):
        return None
    return ", ".join(sorted({str(item.version) for item in suites(facts)})) or "none"


def _kernels(facts: HostFacts) -> str | None:
    if isinstance(facts.cann, Unknown):
        return None
    chosen = [item for item in facts.cann if item.part in KERNEL_PARTS]
    return ", ".join(sorted({f"{item.version} for {item.chip or 'any chip'}" for item in chosen})) or "none"


def _nnal(facts: HostFacts) -> str | None:
    if isinstance(facts.cann, Unknown):
        return None
    return ", ".join(sorted({str(item.version) for item in facts.cann if item.part == "nnal"})) or "none"


_STACK: dict[str, Read] = {
    "driver": driver,
    "firmware": _firmware,
    "CANN": _cann,
    "kernels": _kernels,
    "NNAL": _nnal,
}


def _environments(hosts: Sequence[HostFacts]) -> dict[str, Read]:
    """The frameworks of each environment path that several hosts have; who lacks it is not odd: it may be personal."""
    paths = Counter(env.path for facts in hosts for env in _envs(facts))
    return {f"frameworks in {path}": _frameworks(path) for path in sorted(paths) if paths[path] > 1}


def _envs(facts: HostFacts) -> tuple[PythonEnv, ...]:
    return () if isinstance(facts.environments, Unknown) else facts.environments


def _frameworks(path: str) -> Read:
    def read(facts: HostFacts) -> str | None:
        env = next((each for each in _envs(facts) if each.path == path), None)
        if env is None or env.unread:
            return None
        found = {"torch": env.torch, "torch_npu": env.torch_npu, "mindspore": env.mindspore}
        return ", ".join(f"{name} {version}" for name, version in found.items() if version is not None)

    return read


def _chips(facts: HostFacts) -> str | None:
    if isinstance(facts.chips, Unknown) or not facts.chips:
        return None
    counted = Counter(chip.name for chip in facts.chips)
    return " and ".join(f"{count} x {name}" for name, count in sorted(counted.items()))


def _by_arch(hosts: Sequence[HostFacts]) -> dict[str, list[HostFacts]]:
    """Kernels of two architectures cannot be equal, and need not."""
    found: dict[str, list[HostFacts]] = defaultdict(list)
    for facts in hosts:
        if isinstance(facts.arch, str):
            found[facts.arch].append(facts)
    return {arch: same for arch, same in found.items() if len(same) > 1}


def _kernel(facts: HostFacts) -> str | None:
    return None if isinstance(facts.kernel.running, Unknown) else facts.kernel.running


def _os(facts: HostFacts) -> str | None:
    name, version = facts.os.id, facts.os.version_id
    return None if isinstance(name, Unknown) or isinstance(version, Unknown) else f"{name} {version}"
