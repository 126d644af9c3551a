"""How a client and a fleet's daemon talk."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import pytest

from ascend_provision.lab import protocol
from ascend_provision.lab.errors import LabError
from ascend_provision.lab.places import FleetPlace


def answering(place: FleetPlace, line: str) -> threading.Thread:
    """A daemon that reads one order and answers this line."""
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(place.socket))
    server.listen()

    def serve() -> None:
        connection, _ = server.accept()
        with server, connection, connection.makefile("rw") as stream:
            stream.readline()
            stream.write(line)

    thread = threading.Thread(target=serve)
    thread.start()
    return thread


def test_the_daemons_refusal_arrives_whole(tmp_path: Path) -> None:
    place = FleetPlace("x", tmp_path)
    sent = LabError(code="lab-unknown-host", what="no host 'a'", next="use one of: b", exit=4)
    daemon = answering(place, protocol.encode_problem(sent))

    with pytest.raises(LabError) as refused:
        protocol.ask(place, "off", host="a")
    daemon.join()

    got = refused.value
    assert (got.code, got.what, got.next, got.exit) == (sent.code, sent.what, sent.next, sent.exit)


def test_a_defect_of_the_daemon_is_an_internal_error(tmp_path: Path) -> None:
    place = FleetPlace("x", tmp_path)
    daemon = answering(place, protocol.encode_problem(OSError(28, "No space left on device")))

    with pytest.raises(LabError, match="No space left on device") as failed:
        protocol.ask(place, "add")
    daemon.join()

    assert failed.value.exit == 1


def test_a_daemon_that_dies_during_an_order_is_said(tmp_path: Path) -> None:
    place = FleetPlace("x", tmp_path)
    daemon = answering(place, "")

    with pytest.raises(LabError, match="ended during `down`"):
        protocol.ask(place, "down")
    daemon.join()


def test_a_fleet_that_is_not_up_is_named_with_the_command_that_starts_it(tmp_path: Path) -> None:
    with pytest.raises(LabError, match="`x` is not up") as refused:
        protocol.ask(FleetPlace("x", tmp_path), "status")

    assert refused.value.exit == 4
    assert refused.value.next.startswith("ascend-provision lab up --name x")
