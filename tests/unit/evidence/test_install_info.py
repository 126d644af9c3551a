from __future__ import annotations

from ascend_provision.evidence import install_info
from ascend_provision.evidence.install_info import InstallInfo
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.machine import InstallRecord
from ascend_provision.stack.model import Unknown

TEXT = """UserName=HwHiAiUser
UserGroup=HwHiAiUser
Firmware_Install_Type=full
Firmware_Install_Path_Param=/usr/local/Ascend
Driver_Install_Type=full
Driver_Install_Path_Param=/data/Ascend
Driver_Install_For_All=yes
Driver_Install_Status=complete
"""


def test_both_packages_are_recorded_in_any_order() -> None:
    found = install_info.parse(Evidence(name="install-info", status=0, text=TEXT)).facts

    assert (found.driver_path, found.firmware_path) == ("/data/Ascend", "/usr/local/Ascend")
    assert len(found.keys) == 8


def test_a_host_where_nothing_was_installed_has_no_file() -> None:
    assert install_info.parse(Evidence(name="install-info", note="not found")).facts == InstallInfo(None, None)


def test_a_file_without_any_of_the_keys_is_unknown() -> None:
    found = install_info.parse(Evidence(name="install-info", status=0, text="<html>\n"))

    assert isinstance(found.facts.driver_path, Unknown)
    assert found.unread == ("<html>",)


def test_the_record_says_for_whom_and_whether_aicpu_is_still_there() -> None:
    left = Evidence(name="install-info", status=0, text="UserName=alice\nUserGroup=users\n")

    assert install_info.record(left, "yes") == InstallRecord(
        user="alice", group="users", keys=("UserName", "UserGroup"), aicpu=True
    )
    assert install_info.record(Evidence(name="install-info", note="not found"), "no") is None
    assert isinstance(install_info.record(Evidence(name="install-info", note="not readable"), None), Unknown)
    assert isinstance(install_info.record(Evidence(name="install-info", status=0, text="<html>\n"), "no"), Unknown)
