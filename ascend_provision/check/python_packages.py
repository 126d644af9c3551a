"""What CANN's operator compiler needs of each Python: packages and ranges, an interpreter that exists, its version."""

from __future__ import annotations

from collections.abc import Iterator

from ascend_provision.check import finding
from ascend_provision.check.reading import suites
from ascend_provision.knowledge import python_packages
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.surroundings import PythonPackages
from ascend_provision.stack.versions import CannVersion, FrameworkVersion


def judge(facts: HostFacts) -> Iterator[Finding]:
    """One finding per rule and Python that breaks it, naming its path; the system's only where there is no other."""
    host, found = facts.host, facts.python_packages
    yield from _windows(facts)
    if isinstance(found, Unknown):
        for key in ("python.cann-packages", "python.cann-ranges", "python.interpreter", "python.cann-wheels"):
            yield finding.unknown(key, host, found)
        return
    yield from _interpreters(host, found)
    yield from _wheels(host, found)
    cann = max((item.version for item in suites(facts)), default=None)
    if isinstance(facts.cann, Unknown):
        yield finding.unknown("python.cann-packages", host, facts.cann)
    elif cann is None:
        yield finding.skip("python.cann-packages", host, "no CANN is installed")
    else:
        used = [env for env in found if env.frameworks]
        yield from _packages(host, used or list(found))
        yield from _ranges(host, used, cann)


def _packages(host: str, found: list[PythonPackages]) -> Iterator[Finding]:
    key, needed = "python.cann-packages", [row.package for row in python_packages.needed()]
    if not found:
        yield finding.skip(key, host, "no Python environment is known")
    complete = []
    for env in found:
        missing = [name for name in needed if name not in env.versions]
        where = f"in {env.path}"
        command = f"pip install {' '.join(name.replace('_', '-') for name in missing)}"
        if not missing:
            complete.append(env.path)
        elif not env.whole:
            yield finding.unknown(key, host, f"{', '.join(missing)} {where}: not every directory of it could be read")
        elif env.frameworks:
            yield finding.fail(key, host, f"no {', '.join(missing)} {where}", expected=command)
        else:
            yield finding.warn(key, host, f"no {', '.join(missing)} {where}, and no environment has a framework",
                               expected=command)  # fmt: skip
    if complete and len(complete) == len(found):
        yield finding.ok(key, host, ", ".join(complete))


def _ranges(host: str, found: list[PythonPackages], cann: CannVersion) -> Iterator[Finding]:
    key, clean = "python.cann-ranges", True
    for env in found:
        for name, text in env.versions.items():
            version = FrameworkVersion.maybe(text) if text else None
            if version is None:
                if any(row.package == name for row in python_packages.needed()):
                    clean = False
                    yield finding.unknown(key, host, f"{name} in {env.path}: its version could not be read")
                continue
            row = python_packages.broken(name, version, cann)
            if row is not None:
                clean = False
                give = finding.fail if row.verdict == "fail" else finding.warn
                said = f"{name} {version} in {env.path} with CANN {cann}"
                yield give(key, host, said, expected=row.words, source=row.cited)
    if clean and found:
        yield finding.ok(key, host, f"{len(found)} environments")


def _interpreters(host: str, found: tuple[PythonPackages, ...]) -> Iterator[Finding]:
    key = "python.interpreter"
    gone = [(env, env.interpreter_gone) for env in found if env.interpreter_gone]
    for env, programs in gone:
        yield finding.fail(key, host, f"{programs[0]} in {env.path}", expected="an interpreter that exists")
    if not gone:
        yield finding.ok(key, host, f"{sum(env.frameworks for env in found)} environments")


def _wheels(host: str, found: tuple[PythonPackages, ...]) -> Iterator[Finding]:
    key = "python.cann-wheels"
    stale = [env for env in found if env.stale]
    for env in stale:
        observed = f"{', '.join(env.stale)} in {env.path}, installed before the toolkit"
        yield finding.warn(key, host, observed, expected=f"pip uninstall {' '.join(env.stale)}")
    if not stale:
        yield finding.ok(key, host, "none is older than the toolkit")


def _windows(facts: HostFacts) -> Iterator[Finding]:
    """Each environment's Python against torch's published ones and the installed CANN's."""
    host = facts.host
    if isinstance(facts.environments, Unknown):
        yield finding.unknown("python.window", host, facts.environments)
        return
    cann = max((item.version for item in suites(facts)), default=None)
    right: list[str] = []
    silent: list[str] = []
    for env in facts.environments:
        if env.python is None:
            yield finding.unknown("python.window", host, f"the Python of {env.path} could not be read")
            continue
        torch = python_packages.torch_pythons(env.torch) if env.torch else None
        of_cann = python_packages.cann_pythons(cann) if cann else None
        if torch is None and of_cann is None:
            silent.append(env.path)
            continue
        broken = False
        if torch and not python_packages.within(env.python, torch.lowest, torch.highest):
            broken = True
            expected = f"Python {torch.lowest} to {torch.highest} (torch {env.torch})"
            yield finding.warn("python.window", host, f"Python {env.python} in {env.path}", expected=expected,
                               source=torch.cited)  # fmt: skip
        if of_cann and not python_packages.within(env.python, of_cann.lowest, of_cann.highest):
            broken = True
            expected = f"Python {of_cann.lowest} to {of_cann.highest} (CANN {cann})"
            yield finding.warn("python.window", host, f"Python {env.python} in {env.path}", expected=expected,
                               source=of_cann.cited)  # fmt: skip
        if not broken:
            right.append(env.path)
    if silent and not right:
        yield finding.skip("python.window", host, f"no row names the Pythons of what {', '.join(silent)} holds")
    if right and len(right) + len(silent) == len(facts.environments):
        yield finding.ok("python.window", host, ", ".join(right))
