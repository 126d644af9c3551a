from __future__ import annotations

import pytest

from ascend_provision.evidence import host_record
from ascend_provision.stack.evidence import Evidence, ProbeRecord
from ascend_provision.stack.facts import HostRecord
from ascend_provision.stack.model import Unknown

FILES = ("own.lease", "own.token", "own.record", "own.units", "own.containers")


def record(state: str = "", **files: str) -> ProbeRecord:
    sections = {name: Evidence(name=name, note="not found") for name in FILES}
    sections |= {f"own.{name}": Evidence(name=f"own.{name}", status=0, text=text) for name, text in files.items()}
    sections["own.state"] = Evidence(name="own.state", status=0, text=state)
    return ProbeRecord(host="h", sections=sections)


def test_a_host_that_was_never_changed_has_an_empty_record() -> None:
    assert host_record.read(record()) == HostRecord()


def test_lease_step_packages_backups_and_what_is_held() -> None:
    found = host_record.read(
        record(
            state="packages aa\npackages bb\nbackups run-7\nholding\n",
            lease="run=run-7\nholder=laptop\ntoken=12\nexpires_at=1700000000\n",
            token="12\n",  # noqa: S106 - a counter
            record="version=1\nrun=run-7\nplan=p\nstep=driver-install\nstate=started\nboot_id=b-1\ntoken=12\n",
            units="npu-exporter.service\n",
            containers="abc always\n",
        )
    )

    assert found == HostRecord(
        lease_run="run-7",
        lease_holder="laptop",
        lease_token=12,
        lease_expires_at=1700000000.0,
        run="run-7",
        plan="p",
        step="driver-install",
        step_state="started",
        step_boot_id="b-1",
        staged=("aa", "bb"),
        backups=("run-7",),
        holding=True,
        held_units=("npu-exporter.service",),
        held_containers=("abc always",),
    )


def test_the_last_token_is_known_after_the_lease_is_gone() -> None:
    found = host_record.read(record(token="41\n"))  # noqa: S106 - a counter

    assert found == HostRecord(lease_token=41)


def test_a_record_that_may_not_be_read_is_unknown_and_not_free() -> None:
    sections = dict(record().sections)
    sections["own.lease"] = Evidence(name="own.lease", note="not readable")

    assert host_record.read(ProbeRecord(host="h", sections=sections)) == Unknown(
        unknown="own.lease: not readable", settle="probe as root"
    )


def test_a_directory_that_may_not_be_listed_is_unknown() -> None:
    sections = dict(record().sections)
    sections["own.state"] = Evidence(name="own.state", status=1)

    assert isinstance(host_record.read(ProbeRecord(host="h", sections=sections)), Unknown)


RECORD = "version=1\nrun=run-7\nplan=p\nstep=verify\nstate=started\nboot_id=b-1\ntoken=12\nrc=\nat=1700000000\n"


@pytest.mark.parametrize(
    "torn",
    [
        "",
        RECORD[: RECORD.index("rted")],
        RECORD.replace("state=", "s\x1btate="),
        RECORD.replace("state=started", "token=12"),
        RECORD.replace("started", "st"),
        RECORD.replace("=started", ""),
    ],
    ids=["empty", "cut", "garbled", "a line twice", "no such state", "no value"],
)
def test_a_record_that_this_program_did_not_write_so_is_unknown_and_not_of_no_run(torn: str) -> None:
    assert host_record.read(record(record=RECORD)) == HostRecord(
        run="run-7", plan="p", step="verify", step_state="started", step_boot_id="b-1"
    )
    assert isinstance(host_record.read(record(record=torn)), Unknown)


def test_a_lease_without_its_end_is_unknown() -> None:
    assert isinstance(host_record.read(record(lease="run=run-7\nholder=laptop\ntoken=12\n")), Unknown)
