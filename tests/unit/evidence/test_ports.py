from __future__ import annotations

import pytest

from ascend_provision.evidence import ports
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.machine import Listener, Process
from ascend_provision.stack.model import Unknown

TEXT = "0016 0 11894\nEA60 1007 424242\nEA61 0 7\n"
LINKS = """lrwx------ 1 alice users 64 Nov 30 15:49 4242/fd/30 -> socket:[424242]
lrwx------ 1 alice users 64 Nov 30 15:49 4242/fd/31 -> /dev/davinci0
"""
JOB = Process(pid=4242, name="python", state="S", ppid=1)


def read(text: str = TEXT, links: str = LINKS) -> tuple[Listener, ...] | Unknown:
    return ports.parse_listeners(
        Evidence(name="listeners", status=0, text=text), Evidence(name="holders.devices", status=0, text=links), (JOB,)
    ).facts


def test_a_listener_has_its_port_its_user_and_where_it_is_watched_its_process() -> None:
    assert read() == (
        Listener(port=22, uid=0),
        Listener(port=60000, uid=1007, process=JOB),
        Listener(port=60001, uid=0),
    )


def test_another_layout_is_unknown_and_not_a_host_where_nobody_listens() -> None:
    assert isinstance(read("sl local_address\n"), Unknown)
    assert read("") == ()


@pytest.mark.parametrize(
    ("text", "ranges"),
    [("", ()), ("60000-60031", ((60000, 60031),)), ("8080,60000-60015", ((8080, 8080), (60000, 60015)))],
)
def test_reserved_ports_are_ranges(text: str, ranges: tuple[tuple[int, int], ...]) -> None:
    assert ports.parse_reserved({"ip_local_reserved_ports": text}) == ranges


def test_a_switch_that_was_not_read_is_not_one_that_is_off() -> None:
    assert isinstance(ports.parse_reserved({}), Unknown)
    assert isinstance(ports.parse_reserved({"ip_local_reserved_ports": "many"}), Unknown)
    assert isinstance(ports.parse_ephemeral({}), Unknown)
    assert ports.parse_ephemeral({"ip_local_port_range": "32768\t60999"}) == (32768, 60999)
