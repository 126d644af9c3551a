from __future__ import annotations

from typing import Any

import pytest

from ascend_provision.check import libraries
from ascend_provision.stack.facts import EnvFile, HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.surroundings import PathState
from tests.unit.check.cases import HUNG, Case, fails, passes, prove, skips, unknown, warns
from tests.unit.factories import a1_host, bare_host, cann, changed, packages

DRIVER = "/usr/local/Ascend/driver/lib64/driver"
BY_HAND = EnvFile(
    path="/root/.bashrc",
    variables={"LD_LIBRARY_PATH": "/usr/local/Ascend/ascend-toolkit/latest/lib64:$LD_LIBRARY_PATH"},
)
NNAL = "/usr/local/Ascend/nnal/atb/8.0.0"


def judged(facts: HostFacts, **changes: Any) -> tuple[Finding, ...]:
    return tuple(libraries.judge(changed(facts, **changes)))


def lacks(*names: str) -> HostFacts:
    facts = a1_host()
    assert not isinstance(facts.path_states, Unknown)
    kept = tuple(state for state in facts.path_states if state.path.rsplit("/", 1)[-1] not in names)
    return changed(facts, path_states=kept)


def state(path: str, mode: str = "0755", gid: int = 0) -> PathState:
    return PathState(path=path, mode=mode, uid=0, gid=gid)


def nnal(*abis: int, torch: int | None = 0, home: str = "") -> tuple[Finding, ...]:
    """NNAL with libraries for these ABIs beside a torch with another, and an environment file that fixes one."""
    facts = a1_host(level="hdk24")
    assert not isinstance(facts.cann, Unknown)
    files = (EnvFile(path="/etc/profile.d/atb.sh", variables={"ATB_HOME_PATH": home} if home else {}),)
    return judged(
        facts,
        cann=(*facts.cann, cann("a1-hdk24", "nnal", root=NNAL)),
        path_states=tuple(state(f"{NNAL}/atb/cxx_abi_{abi}") for abi in abis),
        python_packages=(packages(cxx11_abi=torch),),
        env_files=files,
    )


CASES: list[Case] = [
    passes("libraries.driver", "set_env.sh leads there", lambda: judged(a1_host())),
    passes(
        "libraries.driver",
        "the loader's cache has them",
        lambda: judged(
            a1_host(), env_files=(BY_HAND,), loader_cache=(f"{DRIVER}/libascend_hal.so", f"{DRIVER}/libdcmi.so.1")
        ),
    ),
    passes("libraries.driver", "no CANN that would need them", lambda: judged(a1_host(), cann=(), env_files=())),
    fails("libraries.driver", "somebody removed one", lambda: judged(lacks("libdcmi.so")), "no libdcmi.so"),
    passes("libraries.driver", "jobs set their paths themselves", lambda: judged(a1_host(), env_files=())),
    warns(
        "libraries.driver",
        "nothing leads there",
        lambda: judged(a1_host(), env_files=(BY_HAND,)),
        "/root/.bashrc leads to CANN",
    ),
    warns(
        "libraries.driver",
        "only one of the two is in the cache",
        lambda: judged(a1_host(), env_files=(BY_HAND,), loader_cache=(f"{DRIVER}/libdcmi.so",)),
    ),
    skips("libraries.driver", "no driver", lambda: judged(bare_host())),
    unknown("libraries.driver", "CANN unread", lambda: judged(a1_host(), cann=HUNG)),
    unknown(
        "libraries.driver",
        "the loader's cache unread, and no file leads there",
        lambda: judged(a1_host(), loader_cache=HUNG, env_files=()),
    ),
    unknown("libraries.driver", "not looked at", lambda: judged(a1_host(), path_states=HUNG)),
    unknown("libraries.driver", "environment files unread", lambda: judged(a1_host(), env_files=HUNG)),
    passes("pairing.nnal-abi", "both", lambda: nnal(0, 1)),
    fails(
        "pairing.nnal-abi",
        "a torch of the new ABI beside the old one only",
        lambda: nnal(0, torch=1),
        "torch in /opt/train has ABI 1, NNAL 8.0.0 only 0",
    ),
    fails(
        "pairing.nnal-abi",
        "a file fixes the other one",
        lambda: nnal(0, 1, torch=0, home="/usr/local/Ascend/nnal/atb/latest/atb/cxx_abi_1"),
        "/etc/profile.d/atb.sh chooses ABI 1",
    ),
    passes(
        "pairing.nnal-abi",
        "a file fixes the right one",
        lambda: nnal(0, 1, torch=1, home="/usr/local/Ascend/nnal/atb/latest/atb/cxx_abi_1"),
    ),
    skips("pairing.nnal-abi", "a torch that does not say", lambda: nnal(0, torch=None)),
    skips("pairing.nnal-abi", "no NNAL", lambda: judged(a1_host())),
    unknown("pairing.nnal-abi", "not looked at", lambda: judged(with_nnal(), path_states=HUNG)),
    passes("libraries.readable", "as --install-for-all leaves it", lambda: judged(a1_host())),
    warns(
        "libraries.readable",
        "for the driver's group only",
        lambda: judged(a1_host(), path_states=(state("/usr/local/Ascend/driver", "0750", 1000),)),
        "/usr/local/Ascend/driver (0750, root and g",
    ),
    passes(
        "libraries.readable",
        "a library that only its group may read is not a closed directory",
        lambda: judged(
            a1_host(), path_states=(state("/usr/local/Ascend/driver"), state(f"{DRIVER}/libdcmi.so", "0440"))
        ),
    ),
    skips("libraries.readable", "nothing is installed", lambda: judged(bare_host())),
    unknown("libraries.readable", "not looked at", lambda: judged(a1_host(), path_states=HUNG)),
]


def with_nnal() -> HostFacts:
    facts = a1_host(level="hdk24")
    assert not isinstance(facts.cann, Unknown)
    return changed(facts, cann=(*facts.cann, cann("a1-hdk24", "nnal", root=NNAL)))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_libraries(case: Case) -> None:
    prove(case)
