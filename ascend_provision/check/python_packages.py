"""What CANN's operator compiler needs of each Python: packages and ranges, an interpreter that exists, its version."""

from __future__ import annotations

from collections.abc import Iterator

from ascend_provision.check import finding
from ascend_provision.check.reading import suites
from ascend_provision.knowledge import python_packages
from ascend_provision.knowledge.matrix import Matrix, published
from ascend_provision.stack.facts import HostFacts, PythonEnv
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.surroundings import PythonPackages
from ascend_provision.stack.versions import CannVersion, FrameworkVersion


def judge(facts: HostFacts, matrix: Matrix | None = None) -> Iterator[Finding]:
    """One finding per rule and Python that breaks it, naming its path; the system's only where there is no other."""
    host, found = facts.host, facts.python_packages
    yield from _windows(facts, matrix or published())
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


def _windows(facts: HostFacts, matrix: Matrix) -> Iterator[Finding]:
    """Each environment's Python against torch's published ones, the installed CANN's, and the wheels of torch_npu."""
    key, host = "python.window", facts.host
    if isinstance(facts.environments, Unknown):
        yield finding.unknown(key, host, facts.environments)
        return
    cann = max((item.version for item in suites(facts)), default=None)
    right: list[str] = []
    silent: list[str] = []
    for env in facts.environments:
        if env.python is None:
            yield finding.unknown(key, host, f"the Python of {env.path} could not be read")
            continue
        said = list(_against(env, env.python, cann, matrix))
        broken = [(expected, source) for expected, source in said if expected]
        for expected, source in broken:
            yield finding.warn(key, host, f"Python {env.python} in {env.path}", expected=expected, source=source)
        if not broken:
            (right if said else silent).append(env.path)
    if silent and not right:
        yield finding.skip(key, host, f"no row names the Pythons of what {', '.join(silent)} holds")
    if right and len(right) + len(silent) == len(facts.environments):
        yield finding.ok(key, host, ", ".join(right))


def _against(
    env: PythonEnv, python: FrameworkVersion, cann: CannVersion | None, matrix: Matrix
) -> Iterator[tuple[str, str]]:
    """What each row that speaks of this environment wants instead ("": it is right), and where that is published."""
    torch = python_packages.torch_pythons(env.torch) if env.torch else None
    of_cann = python_packages.cann_pythons(cann) if cann else None
    for row, what in ((torch, f"torch {env.torch}"), (of_cann, f"CANN {cann}")):
        if row is not None:
            fits = python_packages.within(python, row.lowest, row.highest)
            yield "" if fits else f"Python {row.lowest} to {row.highest} ({what})", row.cited
    if env.torch_npu is not None:
        wheel = matrix.judge(("torch_npu", str(env.torch_npu)), ("python", str(python)))
        if wheel.verdict != "unknown":
            yield "" if wheel.verdict == "compatible" else wheel.why, wheel.source
