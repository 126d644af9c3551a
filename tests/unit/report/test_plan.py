"""A plan as an operator reads it before saying yes."""

from __future__ import annotations

from ascend_provision.report.plan import render
from ascend_provision.stack.packages import Package
from ascend_provision.stack.plan import HostPlan, Plan, Step

DRIVER = Package(
    component="driver",
    file="Ascend-hdk-910-npu-driver_23.0.3_linux-aarch64.run",
    version="23.0.3",
    chip="910",
    arch="aarch64",
    sha256="a" * 64,
    size=1,
)


def changing(host: str, **changed: object) -> HostPlan:
    values = {
        "host": host,
        "decision": "change",
        "digest": f"sha256:{host}",
        "before": {"driver": "22.0.4", "kernel": "5.10"},
        "after": {"driver": "23.0.3", "kernel": "5.10"},
        "steps": (
            Step(name="stage", why="verified before anything is stopped", expected_seconds=100, packages=(DRIVER,)),
            Step(name="reboot-after-driver", why="if the driver says so", optional=True, expected_seconds=600),
        ),
        "reboots": (1, 3),
        "stops": ("service npu-exporter.service: pid 812 (root) npu-exporter",),
        "mismatches": ("/opt/env: torch_npu 2.1.0 does not match CANN 7.0.0",),
        "notes": ("no MPI on this host",),
        "no_rollback": "no rollback possible: no driver package 6.0.0",
    }
    return HostPlan.model_validate({**values, **changed})


def plan(*hosts: HostPlan) -> Plan:
    return Plan(wish="hdk23", packages=(DRIVER,), hosts=hosts)


def test_everything_a_person_consents_to_is_there() -> None:
    text = render(plan(changing("a1-1")))

    assert text.startswith("Plan: upgrade to hdk23: 1 to change, 0 with nothing to do, 0 refused\n")
    for said in (
        "a1-1: change (clean), reboots: 1-3, expected about 100 s or more",
        "driver  22.0.4 -> 23.0.3",
        "stopped and started again on a1-1: service npu-exporter.service: pid 812 (root) npu-exporter",
        "1.  stage",
        "2.  reboot-after-driver (if needed)  if the driver says so",
        f"uses {DRIVER.file}",
        "will not match afterwards: /opt/env: torch_npu 2.1.0 does not match CANN 7.0.0",
        "note: no MPI on this host",
        "no rollback possible: no driver package 6.0.0",
    ):
        assert f"\n  {said}" in text or f"\n{said}" in text, said
    assert "kernel" not in text


def test_hosts_with_the_same_plan_are_shown_once_and_others_apart() -> None:
    refused = HostPlan(
        host="a1-9",
        decision="refused",
        digest="x",
        reasons=("another user's job holds card 3",),
        lifts=("ask pid 4242",),
    )
    idle = HostPlan(host="a1-8", decision="nothing", digest="y")

    other = changing("a1-2", stops=("container c383830fba0a (restart always)",))

    text = render(plan(changing("a1-1"), other, changing("a1-3", notes=()), idle, refused))

    assert "\na1-1, a1-2: change" in text
    assert "\n  stopped and started again on a1-2: container c383830fba0a (restart always)\n" in text
    assert "\na1-3: change" in text
    assert "\na1-8: nothing to do\n" in text
    assert "\na1-9: refused\n  because another user's job holds card 3\n  lifted by: ask pid 4242\n" in text


def test_what_a_host_said_cannot_redraw_the_screen() -> None:
    text = render(plan(changing("a1-1", stops=("service x: \x1b[2J",))))

    assert "\x1b" not in text
    assert "service x: \\x1b[2J" in text


def test_a_plan_fits_in_a_hundred_columns_and_its_reasons_go_on_below_themselves() -> None:
    why = "nothing may hold a card while its driver is replaced; what is stopped stays stopped over every reboot " * 2
    steps = (Step(name="reboot-after-uninstall", why=why, optional=True, expected_seconds=600),)
    lines = render(plan(changing("a1-1", steps=steps, stops=(why,), mismatches=(why,), notes=(why,)))).splitlines()

    assert [line for line in lines if len(line) > 100] == []
    first = next(number for number, line in enumerate(lines) if "1.  reboot-after-uninstall" in line)
    column = lines[first].index("nothing may")
    assert lines[first + 1][: column + 1].strip() == lines[first + 1][column] != " "
