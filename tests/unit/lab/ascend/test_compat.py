"""Compatibility by the vendor's plain string comparison, row by row."""

from __future__ import annotations

import pytest

from tests.unit.lab.ascend.conftest import Host

FW_23 = "[7.0.0,7.1.99]"
FW_24 = "[7.0.0,7.6.99]"
DRV_23 = "[23.0.rc3,23.0.rc3.],[23.0.0,23.0.0.]"
DRV_24 = "[23.0.0,23.0.0.],[24.0,24.0.],[24.1,24.1.]"


@pytest.mark.parametrize(
    ("firmware", "driver_list", "driver", "flash_list", "verdict"),
    [
        pytest.param("7.1.0.5.220", FW_23, "23.0.3", DRV_23, "OK", id="a pair of one release"),
        pytest.param("1.84.15.1.310", FW_23, "23.0.3", "", "NOK", id="hdk 22 firmware under a 23 driver"),
        pytest.param("6.3.0.1.241", FW_23, "23.0.3", "", "NOK", id="23.0.RC1 firmware is below 6.4."),
        pytest.param("6.4.0.4.220", FW_23, "23.0.3", "", "UNKNOWN", id="no list in the flash"),
        pytest.param("7.5.0.2.220", FW_23, "23.0.3", DRV_24, "NOK", id="newer firmware, older driver"),
        pytest.param("7.1.0.5.220", FW_24, "24.1.0", DRV_23, "OK", id="newer driver takes older firmware"),
        pytest.param("7.7.0.1.231", FW_23, "24.1.rc3", DRV_24, "OK", id="cut to the list's length: 24.1."),
        pytest.param("7.1.99.1", FW_23, "23.0.3", DRV_23, "OK", id="cut to 7.1.99"),
        pytest.param("7.10.0.1.220", FW_24, "24.1.0", DRV_24, "OK", id="strings, not numbers: 7.10 is below 7.6"),
        pytest.param("7.5.0.3.220", "", "22.0.4", DRV_24, "NOK", id="a driver without a list"),
    ],
)
def test_driver_and_firmware(
    a1_hdk23: Host, firmware: str, driver_list: str, driver: str, flash_list: str, verdict: str
) -> None:
    done = a1_hdk23.shell(f"lab_compat '{firmware}' '{driver_list}' '{driver}' '{flash_list}'")

    assert (done.stdout, done.stderr) == (f"{verdict}\n", "")


def test_the_board_judges_the_flash_and_not_the_file(a1_hdk23: Host) -> None:
    flash = a1_hdk23.root / "opt/ascend-lab/hw/flash"
    flash.write_text(flash.read_text().replace("7.1.0.5.220", "1.84.15.1.310"))

    board = a1_hdk23.run("npu-smi", "info", "-t", "board", "-i", "0").stdout

    assert "\tFirmware Version               : 1.84.15.1.310\n" in board
    assert "\tCompatibility                  : NOK\n" in board
