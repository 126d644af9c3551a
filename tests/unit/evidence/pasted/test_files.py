"""KEY=VALUE runs: which file they are, by their keys, and by what stands above where the keys leave it open."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ascend_provision.evidence import wire
from ascend_provision.evidence.facts import read
from ascend_provision.evidence.pasted import cut, files
from ascend_provision.evidence.pasted.lines import lines
from ascend_provision.evidence.pasted.recognise import recognise
from tests.unit.evidence.pasted import pastes


def names(text: str, file: str = "paste.txt") -> list[str]:
    return [part.kind for piece in cut.pieces(file, lines(text)) for part in files.split(piece)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (pastes.DRIVER, files.DRIVER),
        (pastes.FIRMWARE, files.FIRMWARE),
        (pastes.INSTALL_INFO, files.INSTALL_INFO),
        (pastes.TOOLKIT, files.PACKAGE_INFO),
        (pastes.KERNELS, files.COMPONENT),
        (pastes.VERSION_CFG, files.VERSION_CFG),
        (pastes.NNAL, files.NNAL),
        (pastes.HCCN, files.HCCN_CONF),
        (pastes.OS_RELEASE, files.OS_RELEASE),
        (pastes.ENV, files.ENVIRONMENT),
        ("Toolkit_InstallPath=/usr/local/Ascend\n", files.CANN_RECORD),
        ("Version=22.0.4\npackage_version=6.0.0\n", files.DRIVER),
        ("Version=7.1.0.5.220\n", files.FIRMWARE),
        ("## /usr/local/Ascend/firmware/version.info\nVersion=22.0.4\n", files.FIRMWARE),
        ("UserName=HwHiAiUser\nUserGroup=HwHiAiUser\n", files.INSTALL_INFO),
        ("a=1\nb=2\n", ""),
        ("Version=soon\n", ""),
    ],
)
def test_a_file_is_known_by_its_keys(text: str, name: str) -> None:
    assert names(text)[-1] == name


def test_two_version_files_without_a_word_between_are_two() -> None:
    assert names(pastes.DRIVER + pastes.FIRMWARE) == [files.DRIVER, files.FIRMWARE]


def test_assignments_that_somebody_put_on_one_line_are_read_one_by_one() -> None:
    piece = next(
        iter(cut.pieces("p", lines("Version=24.1.0 / ascendhal_version=7.35.23 / Innerversion=V100R001C19\n")))
    )
    part = next(iter(files.split(piece)))

    assert part.kind == files.DRIVER
    assert part.text.splitlines() == ["Version=24.1.0", "ascendhal_version=7.35.23", "Innerversion=V100R001C19"]


def test_a_pasted_line_concerns_the_stack_where_the_probe_would_have_brought_it() -> None:
    script = (Path(wire.__file__).parent / "probe/files.sh").read_text()
    (pattern,) = re.findall(r"^STACK_LINES='(.*)'$", script, re.MULTILINE)

    assert pattern == files.STACK.pattern


def test_files_pasted_one_below_the_other_are_told_apart_and_a_blank_line_inside_one_changes_nothing() -> None:
    dump = "PATH=/usr/bin\n\nHCCL_BUFFSIZE=200\n"
    driver = pastes.DRIVER.replace("Inner", "\nInner")
    text = "\n".join([driver, pastes.FIRMWARE, pastes.TOOLKIT, pastes.INSTALL_INFO, dump])
    given = recognise("h", [("a", text)])

    assert [piece.kind for piece in given.pieces] == [
        "driver/version.info",
        "firmware/version.info",
        "CANN install record",
        "ascend_install.info",
        "environment variables",
    ]
    found = read(given.record)
    assert found.driver.inner == "V100R001C19SPC002B226"
    assert str(found.firmware.file) == "7.5.0.3.220"
