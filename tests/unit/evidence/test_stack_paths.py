from __future__ import annotations

from pathlib import Path

import pytest

from ascend_provision.evidence import stack_paths
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.surroundings import PathState
from tests.unit.evidence.test_probe import SHELLS
from tests.unit.evidence.trees import Tree

CACHE = """1234 libs found in cache `/etc/ld.so.cache'
\tlibdcmi.so (libc6,AArch64) => /usr/local/Ascend/driver/lib64/driver/libdcmi.so
"""


def section(text: str, status: int | None = 0, note: str = "") -> Evidence:
    return Evidence(name="stack.paths", status=status, text=text, note=note)


def test_mode_and_owner_of_each_path() -> None:
    found = stack_paths.parse(section("750 0 1000 /usr/local/Ascend/driver\n755 0 0 /usr/local/Ascend\n")).facts

    assert found == (
        PathState(path="/usr/local/Ascend", mode="0755", uid=0, gid=0),
        PathState(path="/usr/local/Ascend/driver", mode="0750", uid=0, gid=1000),
    )
    assert [state.open_to_all for state in found] == [True, False]


def test_the_loaders_cache_names_the_drivers_libraries() -> None:
    assert stack_paths.parse_cache(section(CACHE)).facts == ("/usr/local/Ascend/driver/lib64/driver/libdcmi.so",)
    assert stack_paths.parse_cache(section(CACHE.splitlines()[0])).facts == ()
    assert stack_paths.parse_cache(section("", None, "not found")).facts is None


def test_what_is_no_answer_is_unknown() -> None:
    assert isinstance(stack_paths.parse(section("what\n")).facts, Unknown)
    assert isinstance(stack_paths.parse_cache(section("ldconfig: Can't open cache file\n")).facts, Unknown)
    assert isinstance(stack_paths.parse_cache(section("", None, "timed out after 5 s")).facts, Unknown)
    assert stack_paths.parse(section("")).facts == ()


@pytest.mark.parametrize("shell", SHELLS, ids=[words[0] for words in SHELLS])
def test_the_probe_looks_at_driver_cann_and_nnal(tmp_path: Path, shell: list[str]) -> None:
    tree = Tree(tmp_path / "root", tools={"ldconfig": f"printf '%s' \"{CACHE}\"".replace("`", "\\`")})
    tree.file("usr/local/Ascend/driver/lib64/driver/libascend_hal.so")
    tree.file("usr/local/Ascend/nnal/atb/8.0.0/atb/cxx_abi_0/lib/libatb.so")
    tree.file("usr/local/Ascend/ascend-toolkit/8.0.0/version.cfg").parent.chmod(0o750)
    tree.link("usr/local/Ascend/ascend-toolkit/latest", "8.0.0")
    found = tree.facts(shell)

    assert not isinstance(found.path_states, Unknown)
    assert [state.path.removeprefix("/usr/local/Ascend") for state in found.path_states] == [
        "", "/ascend-toolkit/8.0.0", "/driver", "/driver/lib64", "/driver/lib64/driver/libascend_hal.so",
        "/nnal/atb/8.0.0/atb/cxx_abi_0",
    ]  # fmt: skip
    assert {state.path: state.mode for state in found.path_states}["/usr/local/Ascend/ascend-toolkit/8.0.0"] == "0750"
    assert found.loader_cache == ("/usr/local/Ascend/driver/lib64/driver/libdcmi.so",)


def test_a_path_with_a_byte_of_no_text_makes_all_unknown() -> None:
    assert isinstance(stack_paths.parse(section("755 0 0 /usr/local/As\ufffdend\n")).facts, Unknown)
