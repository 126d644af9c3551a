"""Libraries and directories of the stack: are they there, does a program find them, may everybody read them?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ascend_provision.check import env_paths, finding
from ascend_provision.check.reading import no_driver, several, suites
from ascend_provision.stack.facts import EnvFile, HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.surroundings import PathState

_NEEDED = ("libascend_hal.so", "libdcmi.so")
_LEADS = re.compile(r"/driver/lib64|set_env\.sh")
_ABI = re.compile(r"/atb/cxx_abi_([01])(?:/|$)")


def judge(facts: HostFacts) -> Iterator[Finding]:
    """The driver's libraries, NNAL's C++ ABI against each torch, and who may read the trees."""
    yield _driver(facts)
    yield from _abi(facts)
    yield _tree(facts)


def _driver(facts: HostFacts) -> Finding:
    key, host, paths = "libraries.driver", facts.host, facts.path_states
    if no_driver(facts):
        return finding.skip(key, host, "no driver is installed")
    for value in (facts.driver.file, paths, facts.cann):
        if isinstance(value, Unknown):
            return finding.unknown(key, host, value)
    states = () if isinstance(paths, Unknown) else paths
    where = {name: [state.path for state in states if state.path.endswith("/" + name)] for name in _NEEDED}
    missing = [name for name, found in where.items() if not found]
    if missing:
        place = facts.driver.install_path
        expected = f"{place}/driver/lib64" if isinstance(place, str) else "driver/lib64 of the installed driver"
        return finding.fail(key, host, f"no {', '.join(missing)}", expected=expected)
    if not suites(facts):
        return finding.ok(key, host, ", ".join(found[0] for found in where.values()))
    cache = () if isinstance(facts.loader_cache, Unknown) else facts.loader_cache or ()
    cached = {path.rsplit("/", 1)[-1].split(".so")[0] for path in cache}
    if all(name.split(".so")[0] in cached for name in _NEEDED):
        return finding.ok(key, host, "in the loader's cache")
    if isinstance(facts.env_files, Unknown):
        return finding.unknown(key, host, facts.env_files)
    texts = [text for file in facts.env_files for text in _texts(file)]
    if any(_LEADS.search(text) for text in texts):
        return finding.ok(key, host, "by the environment files")
    if isinstance(facts.loader_cache, Unknown):
        return finding.unknown(key, host, facts.loader_cache)
    to_cann = [file.path for file in facts.env_files if any(env_paths.roots(text) for text in _texts(file))]
    if not to_cann:
        return finding.ok(key, host, "there; no environment file sets any path, jobs do it themselves")
    observed = f"{to_cann[0]} leads to CANN, and neither it nor the loader's cache to the driver's libraries"
    return finding.warn(key, host, observed, expected=where[_NEEDED[0]][0].rsplit("/", 1)[0])


def _texts(file: EnvFile) -> tuple[str, ...]:
    return (*file.sources, *file.variables.values())


def _abi(facts: HostFacts) -> Iterator[Finding]:
    """libatb.so is built twice, for the old and the new C++ ABI; torch has one of them."""
    key, host = "pairing.nnal-abi", facts.host
    nnal = [] if isinstance(facts.cann, Unknown) else [item for item in facts.cann if item.part == "nnal"]
    if not nnal:
        yield finding.skip(key, host, "NNAL is not installed")
        return
    for value in (facts.path_states, facts.python_packages):
        if isinstance(value, Unknown):
            yield finding.unknown(key, host, value)
            return
    states = () if isinstance(facts.path_states, Unknown) else facts.path_states
    python = () if isinstance(facts.python_packages, Unknown) else facts.python_packages
    built = {env.path: env.cxx11_abi for env in python if env.cxx11_abi is not None}
    abis = {int(match[1]) for state in states if (match := _ABI.search(state.path))}
    if not built or not abis:
        yield finding.skip(key, host, "no torch says which ABI it has" if abis else "no library directory of NNAL")
        return
    wrong = [f"torch in {path} has ABI {abi}" for path, abi in built.items() if abi not in abis]
    chosen = _chosen(facts)
    if wrong:
        observed = f"{several(wrong, 3)}, NNAL {nnal[0].version} only {', '.join(map(str, sorted(abis)))}"
        yield finding.fail(key, host, observed, expected=f"cxx_abi_{next(iter(built.values()))} below {nnal[0].root}")
    elif chosen and chosen[0] not in built.values():
        observed = f"{chosen[1]} chooses ABI {chosen[0]}, and no torch of the host has it"
        yield finding.fail(key, host, observed, expected=f"cxx_abi_{next(iter(built.values()))}")
    else:
        yield finding.ok(key, host, ", ".join(f"ABI {abi} in {path}" for path, abi in built.items()))


def _chosen(facts: HostFacts) -> tuple[int, str] | None:
    """The ABI that an environment file fixes, and which file."""
    for file in () if isinstance(facts.env_files, Unknown) else facts.env_files:
        if match := _ABI.search(file.variables.get("ATB_HOME_PATH", "")):
            return int(match[1]), file.path
    return None


def _tree(facts: HostFacts) -> Finding:
    key, host, paths = "libraries.readable", facts.host, facts.path_states
    if isinstance(paths, Unknown):
        return finding.unknown(key, host, paths)
    if not paths:
        return finding.skip(key, host, "nothing of the stack is installed")
    closed = [state for state in paths if not state.path.rsplit("/", 1)[-1].startswith("lib") and not state.open_to_all]
    if not closed:
        return finding.ok(key, host, f"{len(paths)} paths")
    observed = several([f"{state.path} ({state.mode}, {_who(facts, state)})" for state in closed], 3, "; ")
    return finding.warn(key, host, observed, expected="--install-for-all, or the user in the group named")


def _who(facts: HostFacts, state: PathState) -> str:
    """Who may go there: the owner, and the members of the group as far as they are known."""
    groups = () if isinstance(facts.groups, Unknown) else facts.groups
    group = next((item for item in groups if item.gid == state.gid), None)
    owner = "root" if state.uid == 0 else f"uid {state.uid}"
    return f"{owner} and group {group.name}" if group else f"{owner} and gid {state.gid}"
