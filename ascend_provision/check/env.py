"""Environment files: allocator keys that exclude each other or do not exist at this level, two CANN, wrong units."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ascend_provision.check import finding
from ascend_provision.check.reading import several
from ascend_provision.knowledge import env_rules
from ascend_provision.knowledge.env_rules import AllocatorKey
from ascend_provision.stack.facts import EnvFile, HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.versions import HdkVersion

_ROOT = re.compile(r"(/[\w./-]*?/(?:ascend-toolkit|nnae|nnrt|cann(?:-[\w.]+)?))(?:/([\w.]+))?(?=[/:]|$)")
_CURRENT = frozenset({"latest", "set_env.sh", "bin", "lib64", "tools", "python", "opp", "compiler"})


def judge(facts: HostFacts) -> Iterator[Finding]:
    """One finding per rule and file that breaks it; one pass where no file does."""
    host = facts.host
    if isinstance(facts.env_files, Unknown):
        yield finding.unknown("env.allocator-conflict", host, facts.env_files)
        return
    found = [*_allocator(facts, facts.env_files), *_limits(host, facts.env_files)]
    found += [*_names(host, facts.env_files), *_roots(host, facts.env_files)]
    broken = {item.id for item in found}
    yield from found
    for key in ("env.allocator-conflict", "env.allocator-key", "env.allocator-level", "env.limits", "env.cann-roots"):
        if key not in broken:
            yield finding.ok(key, host, f"{len(facts.env_files)} files read")


def _allocator(facts: HostFacts, files: tuple[EnvFile, ...]) -> Iterator[Finding]:
    for file in files:
        for name in env_rules.allocator_variables():
            if text := file.variables.get(name):
                yield from _setting(facts, file.path, f"{name}={text}", env_rules.settings(text))


def _setting(facts: HostFacts, path: str, line: str, keys: dict[str, str]) -> Iterator[Finding]:
    rows = {name: row for name in keys if (row := env_rules.key(name))}
    for name, row in rows.items():
        clash = [other for other in row.excludes if other in keys]
        if clash and keys[name].lower() == "true":
            yield finding.fail(
                "env.allocator-conflict", facts.host, f"{line} in {path}", expected=f"{name} or {' and '.join(clash)}"
            )
        if row.minimum is not None and keys[name].isdigit() and int(keys[name]) < row.minimum:
            yield finding.fail(
                "env.limits",
                facts.host,
                f"{name}:{keys[name]} in {path}",
                expected=f"{row.minimum} or more",
                source=row.cited,
            )
        if row.hdk_since is not None and keys[name].lower() not in {"false", "0", ""}:
            yield from _level(facts, path, line, row)
    yield from _known(facts, path, line, keys, rows)


def _level(facts: HostFacts, path: str, line: str, row: AllocatorKey) -> Iterator[Finding]:
    key, host, running = "env.allocator-level", facts.host, facts.driver.running
    if isinstance(running, Unknown):
        yield finding.unknown(key, host, running)
    elif isinstance(running, HdkVersion) and row.hdk_since is not None and running < row.hdk_since:
        yield finding.fail(
            key, host, f"{line} in {path} on HDK {running}", expected=f"HDK {row.hdk_since}", source=row.cited
        )


def _known(
    facts: HostFacts, path: str, line: str, keys: dict[str, str], rows: dict[str, AllocatorKey]
) -> Iterator[Finding]:
    key, host = "env.allocator-key", facts.host
    foreign = [name for name in keys if name not in rows]
    if foreign:
        yield finding.warn(key, host, f"{', '.join(foreign)} in {path}: no published key", expected="a published key")
    if isinstance(facts.environments, Unknown):
        yield finding.unknown(key, host, facts.environments)
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
        expected = f"torch_npu of series {row.series_since} or newer"
        if refusing:
            yield finding.fail(
                key, host, f"{name} in {path}, not known to {several(refusing, 3)}", expected=expected, evidence=line
            )
        elif unsure:
            yield finding.unknown(
                key, host, f"{name} in {path}: cannot tell for {several(unsure, 3)}", expected=expected
            )


def _names(host: str, files: tuple[EnvFile, ...]) -> Iterator[Finding]:
    names = env_rules.allocator_variables()
    where = {name: [file.path for file in files if name in file.variables] for name in names}
    if all(where.values()):
        observed = "; ".join(f"{name} in {', '.join(paths)}" for name, paths in where.items())
        yield finding.warn("env.allocator-names", host, observed, expected="one of them")


def _limits(host: str, files: tuple[EnvFile, ...]) -> Iterator[Finding]:
    for file in files:
        for limit in env_rules.limits():
            text = file.variables.get(limit.variable, "")
            if not text.isascii() or not text.isdigit():
                continue
            observed = f"{limit.variable}={text} in {file.path}"
            expected = f"{limit.minimum} to {limit.odd_above} {limit.unit}"
            if int(text) < limit.minimum or int(text) > limit.wrong_above:
                yield finding.fail("env.limits", host, observed, expected=expected, source=limit.cited)
            elif int(text) > limit.odd_above:
                yield finding.warn("env.limits", host, observed, expected=expected, source=limit.cited)


def _roots(host: str, files: tuple[EnvFile, ...]) -> Iterator[Finding]:
    """Directories of CANN that the files lead to, with the file that does."""
    found: dict[str, str] = {}
    for file in files:
        for text in (*file.sources, *file.variables.values()):
            for root in roots(text):
                found.setdefault(root, file.path)
    if len(found) > 1:
        observed = ", ".join(f"{root} ({path})" for root, path in sorted(found.items()))
        yield finding.warn("env.cann-roots", host, observed, expected="one CANN directory")


def roots(text: str) -> tuple[str, ...]:
    """The CANN directories in a path list or the path of a set_env.sh; `latest` and no version are the current one."""
    found = []
    for match in _ROOT.finditer(text):
        version = match[2] if match[2] and match[2] not in _CURRENT and match[2][:1].isdigit() else ""
        found.append(f"{match[1]}/{version}" if version else match[1])
    return tuple(dict.fromkeys(found))
