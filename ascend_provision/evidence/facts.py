"""`read`: one host's evidence as `HostFacts`. Each format has its own reader; here they are only put together."""

from __future__ import annotations

from ascend_provision.evidence import (
    boot_loader,
    cann,
    container_setups,
    containers,
    device_nodes,
    disks,
    dkms,
    env_files,
    hardware_record,
    hccn,
    hdk,
    holders,
    host,
    host_record,
    install_info,
    install_log,
    install_runs,
    kept_files,
    leftovers,
    live_env,
    modules,
    mounts,
    mpi,
    namespaces,
    npu_smi,
    npu_smi_board,
    pci,
    ports,
    processes,
    python_envs,
    python_packages,
    rank_tables,
    services,
    stack_paths,
    tools,
    upgrade_tool,
    users,
    version_info,
    wire,
)
from ascend_provision.evidence.reading import Reading, T, asked, one_per_shape, pairs, together
from ascend_provision.stack.evidence import Evidence, ProbeRecord
from ascend_provision.stack.facts import Chip, HostFacts, KernelFacts
from ascend_provision.stack.model import Unknown

_MOST_UNREAD = 50
_TOGETHER = (
    ("upgrade-tool.status", "upgrade-tool.version"),
    ("npu-smi.info", "npu-smi.list", "npu-smi.map", "card.processes"),
    ("docker", "docker.setup"),
    ("podman", "podman.setup"),
)
"""Sections that the probe tells as not found together: their tool is there, or it is not."""

_NOT_WHOLE = Unknown(unknown="the probe's answer is not complete", settle="probe the host again")
_NOT_ROOT = Unknown(
    unknown="npu-smi gave no chips to a user who is not root",
    settle="probe as root: `ansible_become: true` in the inventory",
)


def read(record: ProbeRecord) -> HostFacts:
    """Never raises. What the evidence does not say is `Unknown` with the reason, also for a record that was cut."""
    unread: list[str] = [] if record.complete else [_NOT_WHOLE.unknown]

    def take(name: str, reading: Reading[T]) -> T:
        unread.extend(f"{name}: {line}" for line in reading.unread)
        return reading.facts

    record = together(record, *_TOGETHER)
    section = record.get
    me = take("host", host.parse(section("host")))
    values = pairs(section("host").text)
    smi = take("npu-smi info", npu_smi.parse(section("npu-smi.info")))
    chips = _NOT_ROOT if isinstance(smi.chips, Unknown) and me.root is False else smi.chips
    boards = take("npu-smi board", npu_smi_board.parse_all(_family(record, "npu-smi.board."), section("npu-smi.list")))
    if not record.complete:
        boards = _NOT_WHOLE  # one of them may be missing
    info = take("ascend_install.info", install_info.parse(section("install-info")))
    driver_file = take("driver/version.info", version_info.parse_driver(section("driver.version")))
    firmware_file = take("firmware/version.info", version_info.parse_firmware(section("firmware.version")))
    loaded = take("lsmod", modules.parse(section("lsmod")))
    next_boot = take("boot loader", boot_loader.parse(section("boot.loader"), section("grubby")))
    coming = me.kernel if isinstance(next_boot, Unknown) else next_boot
    versions = take("upgrade-tool", upgrade_tool.parse_versions(section("upgrade-tool.version")))
    waits = record.sections.get("upgrade-tool.status")
    flash = hdk.Flash(
        versions=versions,
        boards=boards,
        waiting=take("upgrade-tool", upgrade_tool.parse_status(section("upgrade-tool.status"))),
        doubts=(
            *_doubts(record, boards, "npu-smi.list", "npu-smi.board."),
            *_doubts(record, versions, "upgrade-tool.version"),
        ),
        no_word=waits is None or upgrade_tool.has_no_word(waits),
    )
    states = kept_files.parse_states(section("kept.stat"))
    log = take("install log", install_log.parse(section("install.log"), states.get(install_log.PATH)))
    on_disk = take("CANN", cann.parse(section("cann"), section("cann.record")))
    conf = take("hccn.conf", hccn.parse_conf(section("hccn.conf")))
    who = take(
        "holders",
        holders.parse(
            section("holders.devices"), section("holders.groups"), section("holders.commands"),
            section("getent.holders"), me.root,
        ),
    )  # fmt: skip
    others = take("processes", processes.parse(section("others")))
    known = () if isinstance(others, Unknown) else others
    zombies = take("zombies", processes.parse(section("zombies")))
    on_cards = take("card processes", processes.parse(section("card.processes")))
    owners = leftovers.Installed(
        driver=_there(driver_file.version),
        firmware=_there(firmware_file.version),
        modules=loaded,
        info=info,
        cann=on_disk,
    )
    left = take("leftovers", leftovers.parse(section("leftovers"), section("env.sources"), owners))
    tables = take("rank tables", rank_tables.parse(section("rank.tables")))
    addresses = hccn.addresses(section("hccn.conf"))
    own = host_record.read(record)
    down = () if isinstance(own, Unknown) else own.held_units
    boxes = () if isinstance(own, Unknown) else tuple(line.split()[0] for line in own.held_containers)
    launcher = take("MPI", mpi.parse(section("mpi.places"), section("mpirun")))
    listed = take("npu-smi -l", npu_smi_board.parse_list(section("npu-smi.list")))
    take("npu-smi -m", npu_smi_board.parse_map(section("npu-smi.map")))
    unread += _disagreement(listed, smi.chips)
    setups = (section("docker.setup"), section("podman.setup"))
    started = take("containers", containers.parse((section("docker"), section("podman")), boxes, setups))
    environments = take("environments", python_envs.parse(section("environments"), me.root))
    network = take("hccn_tool", hccn.network(conf, _devices(record), section("hccn_tool")))
    return HostFacts(
        host=record.host,
        hostname=me.hostname,
        super_pod=section(wire.SUPER_POD).text.strip(),
        arch=me.arch,
        os=take("os-release", host.parse_os_release(section("os-release"), me)),
        kernel=KernelFacts(
            running=me.kernel, next_boot=next_boot, headers=me.headers, headers_of=me.headers_of, gcc=me.gcc
        ),
        boot=me.boot,
        pythons=take("pythons", tools.parse_pythons(section("pythons"))),
        disks=take("df", disks.parse(section("disks"))),
        users=take("getent", users.parse(section("getent.passwd"), section("getent.group"))),
        tools=take("tools", tools.parse(section("tools"))),
        pci=take("pci", pci.parse(section("pci"))),
        chips=chips,
        chips_seen=smi.seen,
        card_processes=smi.processes,
        boards=boards,
        driver=hdk.driver(
            driver_file,
            info,
            smi,
            loaded,
            modules.built_for(section("modules.files"), section("modinfo"), coming),
            boards,
        ),
        firmware=hdk.firmware(firmware_file, flash, log, me.boot),
        cann=on_disk if isinstance(on_disk, Unknown) else on_disk.installs,
        cann_parts=on_disk if isinstance(on_disk, Unknown) else on_disk.parts,
        environments=environments,
        mpi=launcher.mpirun,
        mpi_home=launcher.home,
        mpi_name=launcher.name,
        holders=who,
        services=take("systemctl", services.parse(section("systemctl"), down)),
        containers=started,
        container_setups=take("containers' setup", container_setups.parse(setups, started)),
        network=network if record.complete else _NOT_WHOLE,
        kept_files=take("kept files", kept_files.parse(section("kept.stat"), section("kept.sha256"))),
        env_files=take(
            "env files", env_files.parse(section("env.files"), kept_files.parse_sums(section("kept.sha256")))
        ),
        leftovers=left if isinstance(left, Unknown) else (*left, *leftovers.rank_tables(tables, addresses)),
        rank_tables=tables,
        install_log=log.log,
        install_runs=install_runs.parse(section("install.log")),
        record=own,
        secure_boot=me.secure_boot,
        in_container=me.container,
        groups=users.parse_groups(section("getent.group")),
        root=me.root,
        hardware=hardware_record.parse(
            section("flash.demand"), section("clock.makers"), section("hbm.makers"), section("driver.releases")
        ),
        device_nodes=take("device nodes", device_nodes.parse(section("device.nodes"))),
        occupants=take("namespaces", namespaces.parse(section("uda.namespaces"), known)),
        processes=processes.both(zombies, on_cards),
        listeners=take("ports", ports.parse_listeners(section("listeners"), section("holders.devices"), known)),
        ephemeral_ports=ports.parse_ephemeral(values),
        reserved_ports=ports.parse_reserved(values),
        mounts=take("mounts", mounts.parse(section("mounts"))),
        dkms=take("dkms", dkms.parse(section("dkms"))),
        compiler=take("gcc", tools.parse_compiler(section("gcc"))),
        install_record=install_info.record(section("install-info"), values.get("aicpu")),
        module_policy=modules.policy(values, section("modinfo.signer"), me.secure_boot),
        python_packages=take("Python packages", python_packages.parse(section("python.packages"), environments)),
        interfaces=take("interfaces", env_files.parse_interfaces(section("interfaces"))),
        path_states=take("stack paths", stack_paths.parse(section("stack.paths"))),
        loader_cache=take("ldconfig", stack_paths.parse_cache(section("loader.cache"))),
        live_env=take("holders' variables", live_env.parse(section("holders.variables"), who)),
        unread=one_per_shape(unread)[:_MOST_UNREAD],
        hung=wire.hung(record),
    )


def _doubts(record: ProbeRecord, answer: object, name: str, family: str = "") -> list[Unknown]:
    """Why a tool that was asked told nothing; nothing when it told, is not there, or refused every question."""
    if not isinstance(answer, Unknown):
        return []
    item = record.get(name)
    refused = not asked(item) or (item.status not in {None, 0} and not item.truncated)
    parts = _family(record, family) if family else []
    return [answer] if not refused or parts or not record.complete else []


def _family(record: ProbeRecord, prefix: str) -> list[Evidence]:
    return [item for name, item in record.sections.items() if name.startswith(prefix)]


def _devices(record: ProbeRecord) -> dict[int, hccn.Live]:
    """Device -> what hccn_tool said about it."""
    numbers = {number for name in record.sections if (number := hccn.device_of(name)) is not None}
    return {
        number: hccn.Live(**{topic: record.get(f"hccn_tool.{topic}.{number}") for topic in hccn.TOPICS})
        for number in numbers
    }


def _there(version: object) -> bool | None:
    return None if isinstance(version, Unknown) else version is not None


def _disagreement(listed: dict[int, int] | Unknown, chips: tuple[Chip, ...] | Unknown) -> list[str]:
    if isinstance(listed, Unknown) or isinstance(chips, Unknown) or sum(listed.values()) == len(chips):
        return []
    return [f"npu-smi: -l counts {sum(listed.values())} chips, info shows {len(chips)}"]
