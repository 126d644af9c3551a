from __future__ import annotations

import pytest

from ascend_provision.check import judge_host
from ascend_provision.stack.facts import HostFacts, InstallLog
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.machine import DeviceNode, Occupant, Process
from ascend_provision.stack.model import Unknown
from tests.unit.check.cases import Case, fails, passes, prove, skips, unknown, warns
from tests.unit.factories import BOOTED_AT, a1_host, bare_host, changed, nodes, with_driver

UNREAD = Unknown(unknown="the probe was cut")
REFUSED = Unknown(unknown="npu-smi info: dcmi module initialize failed. ret is -8005")
USED = Unknown(unknown="npu-smi info: dcmi model initialized failed, because the device is used. ret is -8020")
MESSAGE = Unknown(unknown="npu-smi info: dcmi module initialize failed. ret is -8010")
BOX = "fae80a4b" * 8
SERVING = Process(pid=4242, name="python", state="S", ppid=1, container=BOX)
HOSTS_OWN = Occupant(ns_id=0, root_tgid=1, devices=(0, 1), own=True)
ELSEWHERE = Occupant(ns_id=1, root_tgid=4242, devices=(3,), own=False, process=SERVING)
JUST_INSTALLED = InstallLog(
    modified_at=BOOTED_AT + 60, last_line="[Firmware] End time", unfinished=False, hdk_at=BOOTED_AT + 60
)


def host(**changes: object) -> HostFacts:
    return changed(a1_host(), **changes)


def without(*names: str) -> HostFacts:
    return host(device_nodes=tuple(node for node in nodes(8) if node.path.removeprefix("/dev/") not in names))


def unloaded(**changes: object) -> HostFacts:
    return with_driver(host(**changes), modules_loaded=())


CASES: list[Case] = [
    passes("access.modules", "loaded", lambda: judge_host(host()), "drv_davinci_intf_host"),
    fails("access.modules", "a driver without its modules", lambda: judge_host(unloaded()), "no module"),
    unknown("access.modules", "lsmod not read", lambda: judge_host(with_driver(host(), modules_loaded=UNREAD)), "cut"),
    unknown(
        "access.modules",
        "none loaded and nobody knows of a driver",
        lambda: judge_host(with_driver(host(), modules_loaded=(), file=UNREAD)),
    ),
    skips("access.modules", "a bare host has none to load", lambda: judge_host(bare_host()), "no driver"),
    skips(
        "access.modules", "a container has no modules", lambda: judge_host(unloaded(in_container="docker")), "docker"
    ),
    passes("access.nodes", "all there", lambda: judge_host(host()), "8 cards"),
    passes(
        "access.nodes",
        "open to everybody whoever owns them",
        lambda: judge_host(host(device_nodes=nodes(8, mode="crw-rw-rw-", owner=(0, 0)))),
    ),
    fails("access.nodes", "no manager", lambda: judge_host(without("davinci_manager")), "no /dev/davinci_manager"),
    fails("access.nodes", "no card", lambda: judge_host(host(device_nodes=nodes(0))), "no /dev/davinciN"),
    fails(
        "access.nodes",
        "a directory where a node should be",
        lambda: judge_host(
            host(device_nodes=(*nodes(7), DeviceNode(path="/dev/davinci7", mode="drwxr-xr-x", uid=0, gid=0)))
        ),
        "/dev/davinci7 is no device",
    ),
    warns(
        "access.nodes",
        "of an account that was renumbered",
        lambda: judge_host(host(device_nodes=nodes(8, owner=(1005, 1005)))),
        "1005:1005",
    ),
    unknown("access.nodes", "not looked at", lambda: judge_host(host(device_nodes=UNREAD))),
    unknown("access.nodes", "nobody knows whose they should be", lambda: judge_host(host(users=UNREAD))),
    skips("access.nodes", "without modules there are none", lambda: judge_host(unloaded(device_nodes=()))),
    skips("access.nodes", "a container has what it was given", lambda: judge_host(host(in_container="docker"))),
    passes("access.namespaces", "the host's own", lambda: judge_host(host(occupants=(HOSTS_OWN,)))),
    warns(
        "access.namespaces",
        "a container was given a card",
        lambda: judge_host(host(occupants=(HOSTS_OWN, ELSEWHERE))),
        "pid 4242 python in container fae80a4bfae8 has davinci3",
    ),
    warns(
        "access.namespaces",
        "its process is gone",
        lambda: judge_host(host(occupants=(ELSEWHERE.model_copy(update={"process": None}),))),
        "pid 4242 (gone) has davinci3",
    ),
    unknown("access.namespaces", "a list of a new form", lambda: judge_host(host(occupants=UNREAD))),
    skips("access.namespaces", "an old driver keeps no list", lambda: judge_host(host())),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_access(case: Case) -> None:
    prove(case)


def access_of(facts: HostFacts) -> Finding:
    return next(finding for finding in judge_host(facts) if finding.id == "chips.access")


@pytest.mark.parametrize(
    ("facts", "first"),
    [
        (host(chips=REFUSED, install_log=JUST_INSTALLED), "look first at pending.reboot"),
        (unloaded(chips=REFUSED), "look first at access.modules"),
        (unloaded(chips=REFUSED, install_log=JUST_INSTALLED), "look first at pending.reboot, then access.modules"),
        (without("devmm_svm").model_copy(update={"chips": REFUSED}), "look first at access.nodes"),
        (host(chips=USED, occupants=(ELSEWHERE,)), "look first at access.namespaces"),
        (host(chips=USED), "usually in a container, its mounts are not complete"),
    ],
)
def test_a_refusal_names_its_cause_on_this_host_and_the_first_one_first(facts: HostFacts, first: str) -> None:
    assert access_of(facts).verdict.value == "fail"
    assert access_of(facts).evidence.startswith(first)


def test_the_same_code_with_nothing_amiss_on_the_host_blames_none_of_the_three() -> None:
    found = access_of(host(chips=REFUSED))

    assert found.observed.startswith("-8005 (internal error)")
    assert "look first" not in found.evidence


def test_another_code_is_decoded_too() -> None:
    assert access_of(host(chips=MESSAGE)).observed.startswith("-8010 (a message to the chip could not be sent)")


def test_inside_a_container_a_refusal_says_nothing_of_the_driver() -> None:
    inside = unloaded(chips=REFUSED, in_container="docker", device_nodes=())
    found = access_of(inside)

    assert found.verdict.value == "unknown"
    assert "inside a container (docker)" in found.observed
    assert "on the host" in found.next_action
    assert {item.verdict.value for item in judge_host(inside) if item.id.startswith("access.")} == {"skip"}


def test_a_machine_that_boots_in_a_container_of_its_own_is_a_machine() -> None:
    assert access_of(unloaded(chips=REFUSED, in_container="systemd-nspawn")).verdict.value == "fail"
