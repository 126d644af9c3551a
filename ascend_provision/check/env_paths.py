"""Which CANN and which libraries the environment files lead to, and in which order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ascend_provision.check import finding
from ascend_provision.check.env_lint import Fault
from ascend_provision.check.reading import suites
from ascend_provision.stack.facts import CannInstall, EnvFile, HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown

_ROOT = re.compile(r"(/[\w./-]*?/(?:ascend-toolkit|nnae|nnrt|cann(?:-[\w.]+)?))(?:/([\w.]+))?(?=[/:]|$)")
_HOME = re.compile(r"(/root|/home/[^/]+)/")
_UNIT = re.compile(r".*\.(service|conf)|/etc/(default|sysconfig)/.*")
_STUBS = re.compile(r"/(devlib|stubs?)(/|$)")
_DRIVER = "/driver/lib64"
_LISTS = ("LD_LIBRARY_PATH", "PYTHONPATH")
_NNAL = re.compile(r"/nnal/.*set_env\.sh")


def judge(facts: HostFacts) -> Iterator[Finding]:
    """CANN directories by shell, stubs before the driver, values replaced in silence, what services do not see."""
    host, files = facts.host, facts.env_files
    if isinstance(files, Unknown):
        for key in ("env.cann-roots", "env.stub-libraries", "env.replaced"):
            yield finding.unknown(key, host, files)
        return
    found = [*_roots(facts, files), *_stubs(host, files), *_replaced(host, files)]
    yield from found
    broken = {item.id for item in found}
    for key in ("env.cann-roots", "env.stub-libraries", "env.replaced"):
        if key not in broken:
            yield finding.ok(key, host, f"{len(files)} files read")
    yield _interactive(facts, files)
    yield _nnal(facts, files)


def lint(variables: Mapping[str, str]) -> Iterator[Fault]:
    """The path lists of one running thing: the first directory wins."""
    for name in _LISTS:
        found = roots(variables.get(name, ""))
        if len(found) > 1:
            said = f"{name} leads to {', '.join(found)}"
            yield Fault("env.cann-roots", "warn", said, "one CANN directory", f"{found[0]} stands first and wins")
    if stub := _stub_before_driver(variables.get("LD_LIBRARY_PATH", "")):
        yield Fault("env.stub-libraries", "fail", f"{stub} on LD_LIBRARY_PATH", f"no stubs before {_DRIVER}")


def roots(text: str) -> tuple[str, ...]:
    """The CANN directories in a path list or the path of a set_env.sh; `latest` and no version are the current one."""
    found = []
    for match in _ROOT.finditer(text):
        version = match[2] if match[2] and match[2][:1].isdigit() else ""
        found.append(f"{match[1]}/{version}" if version else match[1])
    return tuple(dict.fromkeys(found))


def _current(root: str, installed: tuple[CannInstall, ...]) -> str:
    """A directory without a version is the one version of its kind that is installed, where there is only one."""
    if re.search(r"\d[\w.]*$", root.rsplit("/", 1)[-1]):
        return root
    parent, name = root.rsplit("/", 1)
    kinds = ("cann", "ascend-toolkit") if name in {"cann", "ascend-toolkit"} else (name,)
    below = {item.root for item in installed if any(item.root.startswith(f"{parent}/{kind}") for kind in kinds)}
    return below.pop() if len(below) == 1 else root


def _shells(files: tuple[EnvFile, ...]) -> dict[str, list[EnvFile]]:
    """The files that one login reads, in that order: each user's, and each unit alone."""
    system = [file for file in files if not _HOME.match(file.path) and not _UNIT.fullmatch(file.path)]
    own: dict[str, list[EnvFile]] = {"": system}
    for file in files:
        if home := _HOME.match(file.path):
            own.setdefault(home[1], [*system]).append(file)
        elif _UNIT.fullmatch(file.path):
            own[file.path] = [file]
    return own


def _roots(facts: HostFacts, files: tuple[EnvFile, ...]) -> Iterator[Finding]:
    """One warning for each set of directories that meet in one shell; what is read last puts itself in front."""
    installed, seen = suites(facts), set()
    for shell in _shells(files).values():
        read: dict[str, str] = {}
        for file in shell:
            for text in (*file.sources, *file.variables.values()):
                for root in (_current(named, installed) for named in reversed(roots(text))):
                    read.pop(root, None)
                    read[root] = file.path
        if len(read) > 1 and frozenset(read) not in seen:
            seen.add(frozenset(read))
            observed = ", ".join(f"{root} ({path})" for root, path in sorted(read.items()))
            last, path = list(read.items())[-1]
            evidence = f"{last} wins: {path} puts it in front last"
            yield finding.warn("env.cann-roots", facts.host, observed, expected="one CANN directory", evidence=evidence)


def _stub_before_driver(value: str) -> str:
    """The first directory of stub libraries that the loader asks before the driver's own."""
    for part in value.split(":"):
        if _DRIVER in part or part.startswith("$"):
            return ""
        if _STUBS.search(part):
            return part
    return ""


def _stubs(host: str, files: tuple[EnvFile, ...]) -> Iterator[Finding]:
    for file in files:
        if stub := _stub_before_driver(file.variables.get("LD_LIBRARY_PATH", "")):
            observed = f"{stub} on LD_LIBRARY_PATH in {file.path}"
            yield finding.fail("env.stub-libraries", host, observed, expected=f"no stubs before {_DRIVER}")


def _replaced(host: str, files: tuple[EnvFile, ...]) -> Iterator[Finding]:
    for file in files:
        for name, earlier in file.replaced.items():
            observed = f"{name} in {file.path}: {', then '.join(earlier)} is replaced by {file.variables.get(name, '')}"
            yield finding.warn("env.replaced", host, observed, expected=f"{name} set once")


def _interactive(facts: HostFacts, files: tuple[EnvFile, ...]) -> Finding:
    """CANN only in the .bashrc of a user: a service, cron or an ssh command never reads it."""
    key, host = "env.interactive-only", facts.host
    leading = [file.path for file in files if any(roots(text) for text in (*file.sources, *file.variables.values()))]
    if not suites(facts):
        return finding.skip(key, host, "no CANN is known to be installed")
    if not leading:
        return finding.skip(key, host, "no environment file leads to CANN")
    system = [path for path in leading if not _HOME.match(path)]
    if system:
        return finding.ok(key, host, system[0])
    return finding.warn(
        key, host, f"only {', '.join(leading[:3])} lead to CANN", expected="/etc/profile.d, or the unit"
    )


def _nnal(facts: HostFacts, files: tuple[EnvFile, ...]) -> Finding:
    key, host = "env.nnal", facts.host
    if isinstance(facts.cann, Unknown):
        return finding.unknown(key, host, facts.cann)
    nnal = [item for item in facts.cann if item.part == "nnal"]
    if not nnal:
        return finding.skip(key, host, "NNAL is not installed")
    texts = [text for file in files for text in (*file.sources, *file.variables.values())]
    if any(_NNAL.search(text) or "/nnal/" in text for text in texts):
        return finding.ok(key, host, f"NNAL {nnal[0].version}")
    if not any(roots(text) for text in texts):
        return finding.skip(key, host, "no environment file leads to CANN either")
    return finding.warn(key, host, f"NNAL {nnal[0].version} in {nnal[0].root}: no file reads its set_env.sh",
                        expected="source …/nnal/atb/set_env.sh")  # fmt: skip
