from __future__ import annotations

import pytest

from ascend_provision.check import judge_host
from ascend_provision.stack.facts import Container, Holder, HostFacts
from ascend_provision.stack.model import Unknown
from tests.unit.check.cases import Case, passes, prove, unknown, warns
from tests.unit.factories import a2_host, changed

UNREAD = Unknown(unknown="docker: Cannot connect to the Docker daemon")


def host(*containers: Container, **changes: object) -> HostFacts:
    return changed(a2_host(), **{"containers": containers, **changes})


def box(name: str, *cards: int, running: bool = True, nodes: tuple[str, ...] = ("/dev/davinci_manager",)) -> Container:
    devices = (*(f"/dev/davinci{card}" for card in cards), *nodes)
    return Container(id=f"{name:0<64}", name=name, running=running, restart="always", devices=devices)


def at_work(container: Container) -> Holder:
    return Holder(pid=9, uid=0, user="root", command="python", devices=("/dev/davinci0",), container=container.id)


CASES: list[Case] = [
    passes("containers.cards", "none", lambda: judge_host(host()), "no running container"),
    passes(
        "containers.cards", "one at work", lambda: judge_host(host(box("a", 0, 1), holders=(at_work(box("a")),))), "1 "
    ),
    warns(
        "containers.cards",
        "one that only has a card",
        lambda: judge_host(host(box("a", 0), box("b", 3), holders=(at_work(box("a")),))),
        "b has davinci3 and no process on it",
    ),
    warns(
        "containers.cards",
        "two with one card",
        lambda: judge_host(host(box("a", 0, 1), box("b", 1, 2), holders=(at_work(box("a")), at_work(box("b"))))),
        "davinci1 is given to a and b",
    ),
    passes("containers.cards", "a stopped one keeps nothing", lambda: judge_host(host(box("a", 0, running=False)))),
    passes("containers.cards", "a monitor with the manager only", lambda: judge_host(host(box("exporter")))),
    unknown("containers.cards", "the daemon does not answer", lambda: judge_host(host(containers=UNREAD))),
    unknown("containers.cards", "nobody knows who works", lambda: judge_host(host(box("a", 0), holders=UNREAD))),
    unknown(
        "containers.cards",
        "only containerd is there",
        lambda: judge_host(host(tools={"crictl": True, "docker": False, "podman": False})),
        "containerd",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_containers(case: Case) -> None:
    prove(case)
