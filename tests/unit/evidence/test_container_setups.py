from __future__ import annotations

from pathlib import Path

import pytest

from ascend_provision.evidence import container_setups
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import Container
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.surroundings import ContainerSetup, MountPoint
from tests.unit.evidence.test_probe import SHELLS
from tests.unit.evidence.trees import Tree

ID, OTHER = "a" * 64, "b" * 64
BOX = Container(id=ID, name="serving", running=True, restart="no", devices=("/dev/davinci3",))
SET_UP = "false|67108864|private|runc|/dev/davinci3>/dev/davinci3 /dev/hisi_hdc>/dev/hisi_hdc "
TEXT = f"""S|{ID}|{SET_UP}|/usr/local/dcmi>/usr/local/dcmi
S|{OTHER}|true|0|host|ascend||
E|{ID}
HCCL_BUFFSIZE=200
LD_LIBRARY_PATH=/a:/b
E|{OTHER}
"""
ABSENT = Evidence(name="podman.setup", note="not found")


def read(text: str, status: int = 0) -> tuple[ContainerSetup, ...] | Unknown:
    return container_setups.parse((Evidence(name="docker.setup", status=status, text=text), ABSENT), (BOX,)).facts


def test_nodes_mounts_shared_memory_and_variables_of_each() -> None:
    assert read(TEXT) == (
        ContainerSetup(
            id=OTHER, name="b" * 12, running=False, privileged=True, nodes=(), mounts=(), variables={},
            runtime="ascend",
        ),
        ContainerSetup(
            id=ID, name="serving", running=True, privileged=False, nodes=("/dev/davinci3", "/dev/hisi_hdc"),
            mounts=(MountPoint(source="/usr/local/dcmi", target="/usr/local/dcmi"),),
            variables={"HCCL_BUFFSIZE": "200", "LD_LIBRARY_PATH": "/a:/b"}, shm_mb=64, runtime="runc",
        ),
    )  # fmt: skip


def test_a_runtime_that_cannot_be_asked_leaves_them_unknown() -> None:
    why = Unknown(unknown="docker: timed out")

    assert container_setups.parse((ABSENT,), why).facts == why
    assert isinstance(read("", 1), Unknown)
    assert isinstance(read("template: :1: can't evaluate field Runtime\n"), Unknown)


def test_a_container_that_was_removed_meanwhile_is_no_failure() -> None:
    assert read(f"Error: No such object: {ID}\n") == ()


DOCKER = f"""case $1$2 in
ps-aq) echo {ID} ;;
inspect--format) case $3 in
    'C|'*) echo 'C|{ID}|true|false|no|/serving|/dev/davinci3 ' ;;
    'S|'*) echo 'S|{ID}|{SET_UP}|/home/x/secret-data>/data /usr/local/dcmi>/usr/local/dcmi ' ;;
    *) printf 'E|{ID}\\nHOME=/root\\nHCCL_BUFFSIZE=200\\nDB_PASSWORD=hunter2\\n' ;;
    esac ;;
esac"""


@pytest.mark.parametrize("shell", SHELLS, ids=[words[0] for words in SHELLS])
def test_only_what_concerns_the_cards_leaves_the_host(tmp_path: Path, shell: list[str]) -> None:
    tree = Tree(tmp_path / "root", tools={"docker": DOCKER, "podman": "exit 0"})
    (tmp_path / "root").mkdir()
    found = tree.facts(shell)

    assert "secret-data" not in tree.said
    assert "hunter2" not in tree.said
    assert not isinstance(found.container_setups, Unknown)
    (box,) = found.container_setups
    assert (box.name, box.nodes, box.shm_mb) == ("serving", ("/dev/davinci3", "/dev/hisi_hdc"), 64)
    assert box.mounts == (MountPoint(source="/usr/local/dcmi", target="/usr/local/dcmi"),)
    assert box.variables == {"HCCL_BUFFSIZE": "200"}
