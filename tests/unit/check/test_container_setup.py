from __future__ import annotations

from typing import Any

import pytest

from ascend_provision.check import container_setup, env
from ascend_provision.stack.facts import Holder, HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.surroundings import ContainerSetup, LiveEnv, MountPoint
from tests.unit.check.cases import HUNG, Case, fails, passes, prove, skips, unknown, warns
from tests.unit.check.test_container_cards import ID
from tests.unit.factories import a1_host, a2_host, changed

NODES = ("/dev/davinci_manager", "/dev/devmm_svm", "/dev/hisi_hdc")
PATHS = ("/usr/local/dcmi", "/usr/local/bin/npu-smi", "/usr/local/Ascend/driver/lib64",
         "/usr/local/Ascend/driver/version.info", "/etc/ascend_install.info")  # fmt: skip
A2 = a2_host(level="hdk24")
_A3_PCI = {"device": "d803", "subsystem_vendor": "19e5", "subsystem_device": "3000"}


def on_a3() -> HostFacts:
    assert not isinstance(A2.pci, Unknown)
    return changed(A2, pci=tuple(function.model_copy(update=_A3_PCI) for function in A2.pci))


def on_950() -> HostFacts:
    """Eight 950PR, known by their names."""
    assert not isinstance(A2.chips, Unknown)
    return changed(A2, pci=(), chips=tuple(chip.model_copy(update={"name": "950PR"}) for chip in A2.chips))


def mounts(*paths: str) -> tuple[MountPoint, ...]:
    return tuple(MountPoint(source=path, target=path) for path in paths)


def runs(facts: HostFacts = A2, **changes: Any) -> tuple[Finding, ...]:
    """A running container that was started as the guides say, but for the changes."""
    given = {"id": ID, "name": "serving", "running": True, "privileged": False, "shm_mb": 16384, "runtime": "runc",
             "nodes": ("/dev/davinci3", *NODES), "mounts": mounts(*PATHS), "variables": {}}  # fmt: skip
    box = ContainerSetup(**{**given, **changes})
    return tuple(container_setup.judge(changed(facts, container_setups=(box,))))


def dark() -> tuple[Finding, ...]:
    return tuple(container_setup.judge(changed(A2, container_setups=HUNG)))


CASES: list[Case] = [
    passes("containers.nodes", "as the guides say", runs),
    fails(
        "containers.nodes",
        "dav_manager for davinci_manager",
        lambda: runs(nodes=("/dev/davinci3", "/dev/dav_manager", "/dev/devmm_svm", "/dev/hisi_hdc")),
        "no /dev/davinci_manager, but /dev/dav_manager, which no driver makes",
    ),
    fails(
        "containers.nodes",
        "asks by variable, and the runtime is runc",
        lambda: runs(nodes=(), variables={"ASCEND_VISIBLE_DEVICES": "0-3"}),
        "its runtime runc gives none",
    ),
    passes(
        "containers.nodes",
        "asks by variable, and the runtime is Ascend's",
        lambda: runs(nodes=(), mounts=(), runtime="ascend", variables={"ASCEND_VISIBLE_DEVICES": "0-3"}),
    ),
    passes("containers.nodes", "privileged sees every node", lambda: runs(nodes=("/dev/davinci3",), privileged=True)),
    skips("containers.nodes", "a web server", lambda: runs(nodes=(), mounts=())),
    skips("containers.nodes", "one that ended", lambda: runs(nodes=("/dev/davinci3",), running=False)),
    unknown("containers.nodes", "Docker did not answer", dark),
    unknown("containers.nodes", "the product is not known", lambda: runs(changed(A2, pci=HUNG, chips=HUNG))),
    passes("containers.mounts", "one by one", runs),
    passes(
        "containers.mounts",
        "the driver directory as a whole, and what is outside of it",
        lambda: runs(
            mounts=mounts("/usr/local/dcmi", "/usr/local/sbin", "/usr/local/Ascend/driver", "/etc/ascend_install.info")
        ),
    ),
    fails(
        "containers.mounts",
        "no libraries",
        lambda: runs(mounts=()),
        "driver libraries (/usr/local/Ascend/driver/lib64)",
    ),
    fails(
        "containers.mounts",
        "on A3 the whole driver directory without dcmi and the record",
        lambda: runs(on_a3(), mounts=mounts("/usr/local/Ascend/driver", "/usr/local/bin/npu-smi")),
        "dcmi (/usr/local/dcmi), install record",
    ),
    warns(
        "containers.mounts",
        "the same on A2 only hurts npu-smi",
        lambda: runs(mounts=mounts("/usr/local/Ascend/driver", "/usr/local/bin/npu-smi")),
    ),
    fails(
        "containers.mounts",
        "on 950PR the libraries without the topology files",
        lambda: runs(on_950()),
        "the whole driver directory (/usr/local/Ascend/driver/topo)",
    ),
    passes(
        "containers.mounts",
        "on 950PR the whole driver directory",
        lambda: runs(on_950(), mounts=mounts("/usr/local/Ascend/driver")),
    ),
    fails(
        "containers.mounts",
        "NODRV and nothing by hand",
        lambda: runs(
            mounts=(), runtime="ascend", variables={"ASCEND_VISIBLE_DEVICES": "0", "ASCEND_RUNTIME_OPTIONS": "NODRV"}
        ),
    ),
    unknown("containers.mounts", "Docker did not answer", dark),
    passes("containers.shm", "16 GB", runs),
    passes("containers.shm", "the host's", lambda: runs(shm_mb=None)),
    warns("containers.shm", "what Docker gives", lambda: runs(shm_mb=64), "serving has 64 MB of /dev/shm"),
    unknown("containers.shm", "Docker did not answer", dark),
    passes("containers.env", "the first of one card", lambda: runs(variables={"ASCEND_RT_VISIBLE_DEVICES": "0"})),
    fails(
        "containers.env",
        "card 3 is the only one, and is asked for as 3",
        lambda: runs(variables={"ASCEND_RT_VISIBLE_DEVICES": "3"}),
        "ASCEND_RT_VISIBLE_DEVICES=3 in container serving",
    ),
    passes(
        "containers.env",
        "card 3 of all eight",
        lambda: runs(privileged=True, variables={"ASCEND_RT_VISIBLE_DEVICES": "3"}),
    ),
    fails("containers.env", "a buffer in bytes", lambda: runs(variables={"HCCL_BUFFSIZE": "1048576"})),
    warns("containers.env", "HCCL waits longer than torch_npu", lambda: runs(variables={"HCCL_EXEC_TIMEOUT": "3600"})),
    unknown("containers.env", "Docker did not answer", dark),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_container_setup(case: Case) -> None:
    prove(case)


def test_what_was_forgotten_comes_as_the_options_to_add() -> None:
    (finding,) = [item for item in runs(a1_host(), mounts=mounts(*PATHS[1:])) if item.verdict.value == "warn"]

    assert finding.next_action == "start the container again with -v /usr/local/dcmi:/usr/local/dcmi"


def test_a_process_in_a_container_counts_the_containers_cards() -> None:
    """It was not started with the variable: somebody exported it in a shell inside."""
    holder = Holder(pid=7, uid=0, user="root", command="python", devices=("/dev/davinci3",), container=ID)
    box = ContainerSetup(
        id=ID, name="serving", running=True, privileged=False, nodes=("/dev/davinci3", *NODES), mounts=mounts(*PATHS),
        variables={},
    )  # fmt: skip
    job = LiveEnv(pid=7, name="pid 7 python", variables={"ASCEND_RT_VISIBLE_DEVICES": "3"})
    facts = changed(A2, holders=(holder,), container_setups=(box,), live_env=(job,))

    assert [item.verdict.value for item in env.judge(facts) if item.id == "env.running"] == ["fail"]
    alone = changed(facts, holders=(holder.model_copy(update={"container": None}),))
    assert [item.verdict.value for item in env.judge(alone) if item.id == "env.running"] == ["pass"]
