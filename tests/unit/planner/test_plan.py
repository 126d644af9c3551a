"""Plans: nothing, steps in the published order, or refused with what lifts it."""

from __future__ import annotations

import pytest

from ascend_provision.knowledge.wishes import parse
from ascend_provision.planner import plan as planner
from ascend_provision.planner import reading
from ascend_provision.stack.errors import Refusal
from ascend_provision.stack.facts import (
    Container,
    Group,
    Holder,
    HostFacts,
    HostRecord,
    KernelFacts,
    PciNpu,
    Service,
    User,
)
from ascend_provision.stack.machine import DeviceNode, HardwareRecord, Mount
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.plan import HostPlan, Plan, Strategy
from tests.unit.factories import a1_host, a2_host, bare_host, changed, nodes, with_firmware
from tests.unit.planner.store import STORE, package
from tests.unit.planner.walk import walk

ROOT = Mount(point="/", kind="ext4", options=("rw",))
NOEXEC = Mount(point="/tmp", kind="tmpfs", options=("rw", "noexec"))
VNPU = DeviceNode(path="/dev/vdavinci196", mode="crw-rw----", uid=1000, gid=1000)
TRAINER = Holder(pid=4242, uid=1001, user="alice", command="python train.py", devices=("/dev/davinci0",))


def planned(facts: HostFacts, wish: str = "hdk23", **options: object) -> HostPlan:
    verb = options.get("verb", "upgrade")
    strategy = options.get("strategy", Strategy.CLEAN)
    store = options.get("store", STORE)
    return planner.plan_host(facts, parse(wish), store, verb=verb, strategy=strategy)


def test_the_clean_way_removes_cann_then_hdk_and_installs_driver_before_firmware() -> None:
    plan = planned(a1_host())

    steps, end = walk(plan, a1_host())

    assert steps == [
        "stage",
        "backup",
        "cann-uninstall",
        "hdk-uninstall",
        "reboot-after-uninstall",
        "driver-install",
        "firmware-install",
        "reboot-final",
        "cann-install",
        "env-profile",
        "verify",
        "hccl-smoke",
        "release",
    ]
    assert planned(end).decision == "nothing"
    assert (plan.reboots, plan.before["driver"], plan.after["driver"]) == ((1, 3), "22.0.4", "23.0.3")


def test_an_overwrite_installs_firmware_before_driver_and_reboots_once() -> None:
    plan = planned(a1_host(), strategy=Strategy.OVERWRITE)

    steps, _ = walk(plan, a1_host())

    assert steps[2:6] == ["firmware-install", "driver-install", "reboot-final", "cann-uninstall"]
    assert plan.reboots == (1, 1)


@pytest.mark.parametrize(("strategy", "option"), [(Strategy.CLEAN, "--full"), (Strategy.OVERWRITE, "--upgrade")])
def test_an_installed_driver_is_never_installed_over_with_full(strategy: Strategy, option: str) -> None:
    """--full over an installed driver ends in a message about permissions of root."""
    installs = {
        step.name: step.arguments["hdk_arguments"]
        for step in planned(a1_host(), strategy=strategy).steps
        if step.name in {"driver-install", "firmware-install"}
    }

    assert {name: options[0] for name, options in installs.items()} == dict.fromkeys(installs, option)
    assert len(installs) == 2


def test_a_bare_host_is_bootstrapped_but_not_upgraded() -> None:
    bare = bare_host(tools={"tar": True})

    assert planned(bare).decision == "refused"
    plan = planned(bare, verb="bootstrap")
    steps, end = walk(plan, bare)

    assert steps[:4] == ["stage", "backup", "prepare", "driver-install"]
    assert planned(end, verb="bootstrap").decision == "nothing"


A3_STORE = tuple(
    package(name)
    for name in (
        "Atlas-A3-hdk-npu-driver_25.0.rc1.3_linux-x86-64.run",
        "Atlas-A3-hdk-npu-firmware_7.7.0.3.228.run",
        "Ascend-cann-toolkit_8.5.0_linux-x86_64.run",
        "Ascend-cann-A3-ops_8.5.0_linux-x86_64.run",
        "Ascend-cann-910b-ops_8.5.0_linux-x86_64.run",
    )
)


def test_a_bare_a3_takes_the_packages_with_its_name_and_expects_a_chip_a_function() -> None:
    dies = tuple(
        PciNpu(bus=f"{n + 1:02x}:00.0", device="d803", subsystem_vendor="19e5", subsystem_device="3000")
        for n in range(16)
    )
    bare = bare_host(pci=dies, tools={"tar": True})

    plan = planned(bare, "hdk25", verb="bootstrap", store=A3_STORE)

    assert plan.chips == 16
    installed = [item.file for step in plan.steps if step.name.endswith("-install") for item in step.packages]
    assert installed == [file.file for file in A3_STORE[:4]]


def test_a_bare_server_with_two_duo_cards_expects_four_chips() -> None:
    cards = tuple(
        PciNpu(bus=f"0{n}:00.0", device="d500", subsystem_vendor="0200", subsystem_device="0110") for n in (1, 2)
    )
    store = tuple(
        package(name)
        for name in (
            "Ascend-hdk-310p-npu-driver_23.0.1_linux-x86-64.run",
            "Ascend-hdk-310p-npu-firmware_7.1.0.4.220.run",
            "Ascend-cann-toolkit_7.0.0_linux-x86_64.run",
            "Ascend-cann-kernels-310p_7.0.0_linux.run",
        )
    )
    bare = bare_host(pci=cards, tools={"tar": True})

    assert planned(bare, verb="bootstrap", store=store).chips == 4


def prepared(facts: HostFacts) -> tuple[object, object]:
    step = next(step for step in planned(facts, verb="bootstrap").steps if step.name == "prepare")
    return step.arguments["prepare_uid"], step.arguments["prepare_gid"]


def test_the_drivers_account_gets_the_ids_of_the_containers_unless_they_are_taken() -> None:
    alice, staff = User(name="alice", uid=1000, gid=1000), Group(name="staff", gid=1000)

    assert prepared(bare_host()) == (1000, 1000)
    assert prepared(changed(bare_host(), users=(alice,))) == (0, 1000)
    assert prepared(changed(bare_host(), groups=(staff,))) == (1000, 0)
    assert prepared(changed(bare_host(), groups=Unknown(unknown="getent hung"))) == (0, 0)


def test_the_same_code_takes_a_host_from_22_to_23_to_24() -> None:
    _, at_23 = walk(planned(a1_host()), a1_host())
    _, at_24 = walk(planned(at_23, "hdk24"), at_23)

    assert planned(at_24, "hdk24").decision == "nothing"
    assert str(at_24.driver.running) == "24.1.0"


def test_only_the_component_that_differs_is_changed() -> None:
    steps, _ = walk(planned(a1_host(level="hdk23"), "cann=8.0.0"), a1_host(level="hdk23"))

    assert "driver-install" not in steps
    assert steps[2:4] == ["cann-uninstall", "cann-install"]


def test_flashed_firmware_that_waits_is_not_nothing_to_do() -> None:
    waiting = with_firmware(a1_host(level="hdk23"), pending=True)

    steps, _ = walk(planned(waiting), waiting)

    assert "reboot-final" in steps
    assert "firmware-install" not in steps


def test_a_host_at_the_target_that_a_cut_run_still_holds_is_proved_and_released() -> None:
    held = changed(
        a1_host(level="hdk23"),
        record=HostRecord(holding=True, held_units=("npu-exporter.service",)),
        services=(Service(unit="npu-exporter.service", active=False, enabled=True, held=True),),
    )

    steps, _ = walk(planned(held), held)

    assert steps == ["backup", "env-profile", "verify", "hccl-smoke", "release"]


def test_a_host_that_a_failed_run_left_without_driver_is_taken_on_by_the_same_upgrade() -> None:
    left = bare_host(record=HostRecord(run="run-0", step="driver-install", step_state="failed"))

    plan = planned(left)
    steps, end = walk(plan, left)

    assert plan.decision == "change"
    assert steps.index("driver-install") < steps.index("release")
    assert planned(changed(end, record=HostRecord(run="run-1", step="release"))).decision == "nothing"


def test_a_job_of_another_user_refuses_the_host_and_is_named() -> None:
    plan = planned(changed(a1_host(), holders=(TRAINER,)))

    assert plan.decision == "refused"
    assert "pid 4242 python train.py (alice) on davinci0" in plan.reasons[0]
    assert plan.steps == ()


def test_a_service_and_a_restarting_container_are_stopped_by_name() -> None:
    exporter = Holder(
        pid=7,
        uid=0,
        user="root",
        command="npu-exporter",
        devices=("/dev/davinci_manager",),
        unit="npu-exporter.service",
    )
    served = Holder(pid=8, uid=0, user="root", command="serve", devices=("/dev/davinci1",), container="ab" * 32)
    box = Container(id="ab" * 32, name="serve", running=True, restart="always", devices=("/dev/davinci1",))
    service = Service(unit="npu-exporter.service", active=True, enabled=True)
    facts = changed(a1_host(), holders=(exporter, served), containers=(box,), services=(service,))

    plan = planned(facts)

    assert plan.decision == "change"
    assert any("npu-exporter.service" in stop and "pid 7" in stop for stop in plan.stops)
    assert any("abababababab" in stop and "pid 8" in stop for stop in plan.stops)
    assert "quiesce" in walk(plan, facts)[0]


def test_a_container_without_a_restart_policy_is_somebodys_job() -> None:
    job = Holder(pid=8, uid=0, user="root", command="train", devices=("/dev/davinci1",), container="ab" * 32)
    box = Container(id="ab" * 32, name="train", running=True, restart="no", devices=("/dev/davinci1",))

    plan = planned(changed(a1_host(), holders=(job,), containers=(box,)))

    assert plan.decision == "refused"
    assert "in container abababababab" in plan.reasons[0]


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (
            changed(a1_host(), kernel=KernelFacts(running="5.10.0-28", next_boot="5.10.0-30", headers=True)),
            "another kernel",
        ),
        (changed(a1_host(), kernel=KernelFacts(running="5.10.0-28", next_boot="5.10.0-28", headers=False)), "headers"),
        (
            changed(
                a1_host(), tools={**dict.fromkeys(("lspci", "ifconfig", "gcc", "make", "dkms"), True), "tar": False}
            ),
            "tar",
        ),
        (changed(a1_host(), mounts=(ROOT, NOEXEC)), "/tmp (tmpfs on /tmp) is noexec"),
        (changed(a1_host(), device_nodes=(*nodes(8), VNPU)), "split into virtual NPUs (196)"),
        (changed(a1_host(), holders=Unknown(unknown="ps hung")), "device holders could not be read: ps hung"),
        (with_firmware(a2_host(), flash=("1.11.0.1.220",)), "23.0.rc1 first"),
        (
            changed(a2_host(level="hdk24"), hardware=HardwareRecord(demand=238, releases={238: "24.1.rc3"})),
            "the chips' flash demands HDK 24.1.rc3 or newer (number 238); HDK 23.0.3 is refused",
        ),
        (
            changed(a2_host(level="hdk24"), hardware=HardwareRecord(clocks=("HUYANG024",))),
            "cards with clock chips HUYANG024 take no HDK below 23.0.7",
        ),
        (changed(a1_host(), pci=()), "no known Ascend NPU"),
        (changed(a1_host(), pythons={}), "the CANN toolkit's installer wants Python 3.7.0 or later; the host has none"),
        (changed(a1_host(), pythons={"/usr/bin/python3": "3.6.8"}), "the host has /usr/bin/python3 3.6.8"),
        (changed(a1_host(), pythons=Unknown(unknown="python3 hung")), "Pythons could not be read: python3 hung"),
    ],
    ids=[
        *(
            "pending-kernel",
            "no-headers",
            "no-tar",
            "noexec-tmp",
            "virtual-npus",
            "unread-holders",
            "firmware-x11",
            "flash-demands-newer",
            "clock-chips",
            "no-npu",
        ),
        *("no-python", "old-python", "unread-pythons"),
    ],
)
def test_a_host_that_would_be_left_without_driver_is_refused_before_the_first_change(
    facts: HostFacts, said: str
) -> None:
    plan = planned(facts)

    assert plan.decision == "refused"
    assert any(said in reason for reason in plan.reasons), plan.reasons


def test_what_was_not_read_of_mounts_and_nodes_and_noexec_elsewhere_refuse_nothing() -> None:
    unread = Unknown(unknown="the probe was cut")
    elsewhere = Mount(point="/var", kind="xfs", options=("rw", "noexec"))

    assert planned(changed(a1_host(), mounts=unread, device_nodes=unread)).decision == "change"
    assert planned(changed(a1_host(), mounts=(ROOT, elsewhere))).decision == "change"


def test_a_host_without_python_may_still_get_another_driver() -> None:
    assert planned(changed(a1_host(), pythons={}), "driver=23.0.3").decision == "change"


def test_a_package_for_another_chip_is_named_instead_of_used() -> None:
    store = [item for item in STORE if item.chip != "910" or item.component != "driver"]

    plan = planned(a1_host(), store=store)

    assert plan.decision == "refused"
    assert "only for another machine: `Ascend-hdk-910b-npu-driver_23.0.3_linux-x86-64.run`" in plan.reasons[0]


def test_two_packages_that_match_are_both_named() -> None:
    twin = package("Ascend-hdk-910-npu-driver_23.0.3_linux-x86-64.run").model_copy(update={"file": "copy.run"})

    plan = planned(a1_host(), store=(*STORE, twin))

    assert "2 packages match driver 23.0.3" in plan.reasons[0]


def test_an_environment_that_will_not_match_is_named_and_not_touched() -> None:
    plan = planned(a1_host())

    assert plan.decision == "change"
    assert any("/opt/train: torch_npu 1.8.1 does not match CANN 7.0.0" in line for line in plan.mismatches)


def test_the_plan_says_when_there_is_no_way_back() -> None:
    without = [item for item in STORE if "6.0.0" not in item.file]

    assert planned(a1_host(), store=without).no_rollback.startswith("no rollback possible")
    assert planned(a1_host()).no_rollback == ""


def test_identical_input_gives_identical_bytes_and_an_edit_is_seen() -> None:
    fleet = {"a1-01": a1_host(), "a2-01": a2_host()}

    first = planner.make(fleet, parse("hdk23"), STORE, verb="upgrade", strategy=Strategy.CLEAN)
    again = planner.make(dict(reversed(fleet.items())), parse("hdk23"), STORE, verb="upgrade", strategy=Strategy.CLEAN)
    read_back = Plan.model_validate_json(first.model_dump_json())

    assert first.model_dump_json() == again.model_dump_json()
    assert read_back == first
    planner.check_seal(read_back)
    with pytest.raises(Refusal, match="edited"):
        planner.check_seal(first.model_copy(update={"wish": "hdk24"}))


def test_a_moving_figure_does_not_move_the_digest_but_a_new_job_does() -> None:
    from ascend_provision.planner.reading import digest
    from ascend_provision.stack.facts import Disk

    host = a1_host()
    fuller = changed(
        host, disks=tuple(Disk(path=disk.path, free_mb=disk.free_mb - 1, total_mb=disk.total_mb) for disk in host.disks)
    )

    assert digest(fuller) == digest(host)
    assert digest(changed(host, holders=(TRAINER,))) != digest(host)


@pytest.mark.parametrize(
    "changes",
    [
        {"pythons": {}},
        {"groups": (Group(name="staff", gid=1000),)},
        {"mounts": (Mount(point="/tmp", kind="tmpfs", options=("rw", "noexec")),)},
        {"device_nodes": (DeviceNode(path="/dev/vdavinci100", mode="660", uid=0, gid=0),)},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_what_would_refuse_a_host_now_moves_the_digest_of_its_plan(changes: dict[str, object]) -> None:
    assert reading.digest(changed(a1_host(), **changes)) != reading.digest(a1_host())
