from __future__ import annotations

from ascend_provision.evidence import services
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import Service
from ascend_provision.stack.model import Unknown

SHOWN = """Id=npu-exporter.service
LoadState=loaded
ActiveState=active
UnitFileState=enabled

Id=mindie.service
LoadState=loaded
ActiveState=inactive
UnitFileState=disabled

Id=gone.service
LoadState=not-found
ActiveState=inactive
UnitFileState=

Id=ascend-provision-driver-install.service
LoadState=loaded
ActiveState=active
UnitFileState=transient
"""


def test_units_come_with_what_they_do_now_and_at_boot() -> None:
    found = services.parse(Evidence(name="systemctl", status=0, text=SHOWN), {"npu-exporter.service"}).facts

    assert found == (
        Service(unit="mindie.service", active=False, enabled=False, held=False),
        Service(unit="npu-exporter.service", active=True, enabled=True, held=True),
    )


def test_no_unit_file_of_the_field_means_no_service() -> None:
    assert services.parse(Evidence(name="systemctl", note="not found"), ()).facts == ()


def test_a_systemctl_without_systemd_is_unknown() -> None:
    said = "System has not been booted with systemd as init system (PID 1). Can't operate.\n"
    found = services.parse(Evidence(name="systemctl", status=1, text=said), ()).facts

    assert isinstance(found, Unknown)
    assert "has not been booted with systemd" in found.unknown
