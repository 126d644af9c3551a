"""Reading back what the plays' probes filed; the probing itself is tested over SSH."""

from __future__ import annotations

from pathlib import Path

from ascend_provision.fleet.events import TaskEnded
from ascend_provision.fleet.gather import collect
from ascend_provision.fleet.runner import HostPlay

ANSWER = "#ascend-provision-probe 2\n#S host 0 2 \n@host 1\n|uid=0\n#E 1 2\n"


def probed(host: str, **probe: object) -> HostPlay:
    return HostPlay(
        host=host,
        tasks=(TaskEnded(host=host, task="Look", status="ok", result={"probe": {"complete": True, **probe}}),),
    )


def test_facts_come_from_the_file_and_the_super_pod_from_the_inventory(tmp_path: Path) -> None:
    for host in ("one", "two"):
        (tmp_path / f"{host}.probe").write_text(ANSWER, encoding="utf-8")
    found = collect({"one": probed("one", super_pod="7"), "two": probed("two")}, tmp_path)

    assert {host: facts.super_pod for host, facts in found.facts.items()} == {"one": "7", "two": ""}
    assert found.unreachable == {}


def test_a_host_whose_file_is_not_there_was_not_read(tmp_path: Path) -> None:
    gone = HostPlay(host="gone", tasks=(TaskEnded(host="gone", task="x", status="unreachable", message="no route"),))

    assert collect({"lost": probed("lost"), "gone": gone}, tmp_path).unreachable == {
        "lost": "the probe did not run",
        "gone": "no route",
    }
