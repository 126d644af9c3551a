from __future__ import annotations

from ascend_provision.evidence import kept_files
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import KeptFile
from ascend_provision.stack.model import Unknown

SUM = "c" * 64
STAT = "640 0:0 1700000000 /etc/hccn.conf\n644 0:1001 1700000001 /etc/profile.d/x.sh\n"
SUMS = f"{SUM}  /etc/hccn.conf\n{'d' * 64}  /etc/profile.d/x.sh\n"


def section(text: str, status: int | None = 0, note: str = "") -> Evidence:
    return Evidence(name="kept", text=text, status=status, note=note)


def test_a_kept_file_has_content_mode_and_owner() -> None:
    assert kept_files.parse(section(STAT), section(SUMS)).facts == (
        KeptFile(path="/etc/hccn.conf", sha256=SUM, mode="0640", owner="0:0"),
    )


def test_hashes_and_states_of_other_files_are_at_hand() -> None:
    assert kept_files.parse_sums(section(SUMS))["/etc/profile.d/x.sh"] == "d" * 64
    assert kept_files.parse_states(section(STAT))["/etc/hccn.conf"].modified_at == 1700000000.0


def test_a_host_without_any_of_them_has_none() -> None:
    absent = section("", None, "not found")

    assert kept_files.parse(absent, absent).facts == ()


def test_a_host_without_sha256sum_is_unknown() -> None:
    found = kept_files.parse(section(STAT), section("", None, "not found")).facts

    assert found == Unknown(unknown="kept: not found")


def test_a_file_that_cannot_be_read_is_unknown_and_not_missing() -> None:
    sums = section(f"sha256sum: /etc/hccn.conf: Permission denied\n{'d' * 64}  /etc/profile.d/x.sh\n", 1)
    found = kept_files.parse(section(STAT), sums).facts

    assert found == Unknown(unknown="/etc/hccn.conf could not be read", settle="probe as root")


def test_a_line_that_is_no_files_makes_all_of_them_unknown_and_a_complaint_of_stat_does_not() -> None:
    torn = STAT + "O40 0:0 1700000002 /etc/vnpu.cfg\n"
    gone = STAT + "stat: cannot statx '/root/.bashrc': No such file or directory\n"

    assert isinstance(kept_files.parse(section(torn), section(SUMS)).facts, Unknown)
    assert kept_files.parse_states(section(torn)) == {}
    assert not isinstance(kept_files.parse(section(gone, 1), section(SUMS)).facts, Unknown)
    assert kept_files.parse_states(section(gone, 1)) == kept_files.parse_states(section(STAT))
