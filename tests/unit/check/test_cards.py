from __future__ import annotations

import pytest

from ascend_provision.check import judge_host
from ascend_provision.stack.facts import CardProcess, Holder, HostFacts
from ascend_provision.stack.machine import DeviceNode, Process
from ascend_provision.stack.model import Unknown
from tests.unit.check.cases import HUNG, Case, passes, prove, skips, unknown, warns
from tests.unit.factories import a2_host, bare_host, changed, nodes

UNREAD = Unknown(unknown="the probe was cut")
BOX, OTHER_BOX = "fae80a4b" * 8, "0c1d2e3f" * 8
NAMED = CardProcess(npu_id=3, chip_id=0, pid=632268, name="python3.1", memory_mb=30_000)
DEAD = Process(pid=632268, name="VLLM EngineCore", state="Z", ppid=632100, parent="vllm", container=BOX)
CRONS = Process(pid=91, name="sh", state="Z", ppid=90, parent="cron")
VNPU = DeviceNode(path="/dev/vdavinci196", mode="crw-rw----", uid=1000, gid=1000)


def host(**changes: object) -> HostFacts:
    return changed(a2_host(), **changes)


def holder(pid: int, *cards: int, container: str | None = None, unit: str | None = None) -> Holder:
    devices = tuple(f"/dev/davinci{card}" for card in cards)
    return Holder(pid=pid, uid=0, user="root", command="python", devices=devices, container=container, unit=unit)


CASES: list[Case] = [
    passes("cards.zombies", "nobody", lambda: judge_host(host())),
    warns(
        "cards.zombies",
        "a dead engine of a living server",
        lambda: judge_host(host(card_processes=(NAMED,), processes=(DEAD,))),
        "pid 632268 VLLM EngineCore, child of 632100 vllm in container fae80a4bfae8",
    ),
    passes("cards.zombies", "cron's child holds no card", lambda: judge_host(host(processes=(CRONS,)))),
    passes(
        "cards.zombies",
        "the process npu-smi names is alive",
        lambda: judge_host(host(card_processes=(NAMED,), processes=(DEAD.model_copy(update={"state": "S"}), CRONS))),
        "1 processes",
    ),
    unknown("cards.zombies", "npu-smi hung", lambda: judge_host(host(card_processes=HUNG))),
    unknown("cards.zombies", "nobody looked at processes", lambda: judge_host(host(processes=UNREAD))),
    skips("cards.zombies", "a bare host", lambda: judge_host(bare_host())),
    passes("cards.shared", "idle", lambda: judge_host(host())),
    passes(
        "cards.shared",
        "eight ranks of one container",
        lambda: judge_host(host(holders=tuple(holder(100 + n, n, container=BOX) for n in range(8)))),
        "8 cards",
    ),
    passes(
        "cards.shared",
        "a job under the eyes of the exporter",
        lambda: judge_host(host(holders=(holder(1, 0, container=BOX), holder(2, 0, unit="npu-exporter.service")))),
    ),
    passes(
        "cards.shared",
        "a job under the eyes of a device plugin in a container",
        lambda: judge_host(
            host(
                holders=(
                    holder(1, 0, container=BOX),
                    holder(2, 0, container=OTHER_BOX).model_copy(update={"command": "/usr/bin/device-plugin -x"}),
                )
            )
        ),
    ),
    warns(
        "cards.shared",
        "a job beside a sleeping server",
        lambda: judge_host(host(holders=(holder(1, 0, container=BOX), holder(2, 0, 1, unit="session-3.scope")))),
        "davinci0: container fae80a4bfae8 and session-3.scope",
    ),
    warns(
        "cards.shared",
        "two containers by npu-smi's own table",
        lambda: judge_host(
            host(
                card_processes=(NAMED, NAMED.model_copy(update={"pid": 2})),
                holders=(holder(632268, 0, container=BOX), holder(2, 3, container=OTHER_BOX)),
            )
        ),
        "NPU 3 chip 0: container 0c1d2e3f0c1d and container fae80a4bfae8",
    ),
    passes(
        "cards.shared",
        "two containers that both call their card 0",
        lambda: judge_host(
            host(
                card_processes=(NAMED, NAMED.model_copy(update={"pid": 2, "npu_id": 5})),
                holders=(holder(632268, 0, container=BOX), holder(2, 0, container=OTHER_BOX)),
            )
        ),
        "2 cards",
    ),
    unknown("cards.shared", "not root", lambda: judge_host(host(holders=UNREAD))),
    passes("cards.virtual", "whole cards", lambda: judge_host(host())),
    warns("cards.virtual", "virtual NPUs", lambda: judge_host(host(device_nodes=(*nodes(8), VNPU))), "196"),
    unknown("cards.virtual", "not looked at", lambda: judge_host(host(device_nodes=UNREAD))),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_cards(case: Case) -> None:
    prove(case)
