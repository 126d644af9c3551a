"""Four standing inputs for every reader: nothing, half of it, a hang, another tool's output. None is a fact."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_provision.evidence import (
    boot_loader,
    cann,
    container_setups,
    containers,
    disks,
    env_files,
    facts,
    hccn,
    holders,
    host,
    host_record,
    install_info,
    install_log,
    kept_files,
    leftovers,
    live_env,
    modules,
    mpi,
    npu_smi,
    npu_smi_board,
    pci,
    python_envs,
    python_packages,
    rank_tables,
    services,
    stack_paths,
    tools,
    upgrade_tool,
    users,
    version_info,
)
from ascend_provision.evidence.kept_files import FileState
from ascend_provision.stack.evidence import Evidence, ProbeRecord
from ascend_provision.stack.model import Unknown

GONE = Evidence(name="other", note="not found")
EMPTY = Evidence(name="other", status=0)
NOBODY = leftovers.Installed(
    driver=True, firmware=True, modules=(), info=install_info.InstallInfo(None, None), cann=cann.CannFiles(())
)
STATE = FileState(mode="0640", owner="0:0", modified_at=1.0)
Read = Callable[[Evidence], object]
READERS: dict[str, Read] = {
    "npu-smi info": lambda e: npu_smi.parse(e).facts,
    "npu-smi board": lambda e: npu_smi_board.parse(e).facts,
    "npu-smi list": lambda e: npu_smi_board.parse_list(e).facts,
    "npu-smi map": lambda e: npu_smi_board.parse_map(e).facts,
    "upgrade-tool version": lambda e: upgrade_tool.parse_versions(e).facts,
    "upgrade-tool status": lambda e: upgrade_tool.parse_status(e).facts,
    "hccn ip": lambda e: hccn.parse_ip(e).facts,
    "hccn link": lambda e: hccn.parse_link(e).facts,
    "driver version.info": lambda e: version_info.parse_driver(e).facts,
    "net health": lambda e: hccn.parse_health(e).facts,
    "netdetect": lambda e: hccn.parse_netdetect(e).facts,
    "tls": lambda e: hccn.parse_tls(e).facts,
    "firmware version.info": lambda e: version_info.parse_firmware(e).facts,
    "install info": lambda e: install_info.parse(e).facts.driver_path,
    "lsmod": lambda e: modules.parse(e).facts,
    "df": lambda e: disks.parse(e).facts,
    "tools": lambda e: tools.parse(e).facts,
    "install log": lambda e: install_log.parse(e, STATE).facts,
    "systemctl": lambda e: services.parse(e, ()).facts,
    "boot loader": lambda e: boot_loader.parse(e, GONE).facts,
    "kept files": lambda e: kept_files.parse(e, e).facts,
    "host": lambda e: host.parse(e).facts.kernel,
}
"""Readers whose empty output is no answer."""

LISTS: dict[str, Read] = {
    "hccn.conf": lambda e: hccn.parse_conf(e).facts,
    "pci": lambda e: pci.parse(e).facts,
    "getent": lambda e: users.parse(e, EMPTY).facts,
    "cann": lambda e: cann.parse(e, GONE).facts,
    "environments": lambda e: python_envs.parse(e, True).facts,
    "holders": lambda e: holders.parse(e, EMPTY, EMPTY, GONE, True).facts,
    "containers' setup": lambda e: container_setups.parse((e,), ()).facts,
    "stack paths": lambda e: stack_paths.parse(e).facts,
    "python packages": lambda e: python_packages.parse(e, ()).facts,
    "holders' variables": lambda e: live_env.parse(e, ()).facts,
    "docker": lambda e: containers.parse((e,), ()).facts,
    "env files": lambda e: env_files.parse(e, {}).facts,
    "leftovers": lambda e: leftovers.parse(e, EMPTY, NOBODY).facts,
    "rank tables": lambda e: rank_tables.parse(e).facts,
}
"""Readers of lists, where empty means that there is none."""

TOLERANT: dict[str, Read] = {
    "pythons": lambda e: tools.parse_pythons(e).facts,
    "mpi": lambda e: mpi.parse(e, GONE).facts,
    "modules.files": lambda e: modules.built_for(e, GONE, "5.10"),
}
"""Readers that take what they know and leave the rest: a wrapper that complains is no Python."""

ALL = READERS | LISTS | TOLERANT
FOREIGN = (
    "top - 15:28:48 up 18 min\n%Cpu(s): 1.0 us\n    PID USER      PR  NI    VIRT\n      1 root      20   0   10000\n"
)


def is_unknown(value: object) -> bool:
    """Unknown itself, or a result in which nothing is known but what has nothing in it by default."""
    if isinstance(value, Unknown):
        return True
    if is_dataclass(value) and not isinstance(value, type):
        held = ((getattr(value, field.name), field.default) for field in fields(value))
        return all(is_unknown(item) for item, default in held if item != default)
    return isinstance(value, tuple) and bool(value) and all(is_unknown(item) for item in value)


@pytest.mark.parametrize("reader", READERS)
def test_no_output_is_unknown(reader: str) -> None:
    assert is_unknown(READERS[reader](Evidence(name=reader, status=0)))


@pytest.mark.parametrize("reader", ALL)
def test_a_hang_is_unknown(reader: str) -> None:
    assert is_unknown(ALL[reader](Evidence(name=reader, note="timed out after 10 s")))


@pytest.mark.parametrize("reader", [*READERS, *LISTS])
def test_output_that_was_cut_is_unknown(reader: str) -> None:
    evidence = Evidence(name=reader, status=0, text=FOREIGN, truncated=True)

    assert is_unknown((READERS | LISTS)[reader](evidence))


@pytest.mark.parametrize("reader", [*READERS, *LISTS])
def test_another_tools_output_is_unknown(reader: str) -> None:
    found = (READERS | LISTS)[reader](Evidence(name=reader, status=0, text=FOREIGN))
    if isinstance(found, cann.CannFiles):
        found = found.installs

    assert is_unknown(found), found


@settings(max_examples=60)
@given(text=st.text(), status=st.one_of(st.none(), st.integers(0, 255)), note=st.sampled_from(["", "not found", "x"]))
def test_no_reader_raises_on_any_text(text: str, status: int | None, note: str) -> None:
    evidence = Evidence(name="any", text=text, status=status, note=note)
    for read in ALL.values():
        read(evidence)
    users.names(evidence)
    kept_files.parse_sums(evidence)
    holders.parse(EMPTY, evidence, evidence, evidence, True)
    host.parse_os_release(evidence, host.parse(evidence).facts)


WORDS = st.text(alphabet="F VUHCDBPXR|=/{}[]()<>\"'0129abAscendNPUpending.:-\n\t ", max_size=200)
NAMES = [
    "host", "os-release", "npu-smi.info", "npu-smi.list", "npu-smi.map", "npu-smi.board.0", "upgrade-tool.version",
    "upgrade-tool.status", "lsmod", "modules.files", "modinfo", "driver.version", "firmware.version", "install-info",
    "install.log", "cann", "cann.record", "environments", "env.files", "env.sources", "leftovers", "rank.tables",
    "holders.devices", "holders.groups", "holders.commands", "getent.holders", "getent.passwd", "getent.group",
    "systemctl", "docker", "podman", "hccn.conf", "hccn_tool", "hccn_tool.ip.0", "hccn_tool.link.0", "hccn_tool.ip.x",
    "hccn_tool.tls.0", "hccn_tool.netdetect.0", "hccn_tool.health.0",
    "kept.stat", "kept.sha256", "disks", "tools", "pythons", "mpi.places", "mpirun", "grubby", "boot.loader", "pci",
    "own.state", "own.lease", "own.record", "own.token", "own.containers",
]  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(NAMES), st.tuples(WORDS, st.sampled_from([0, 1, None]))))
def test_a_host_that_prints_anything_anywhere_still_gets_facts_that_survive_json(
    answers: dict[str, tuple[str, int | None]],
) -> None:
    sections = {name: Evidence(name=name, text=text, status=status) for name, (text, status) in answers.items()}
    found = facts.read(ProbeRecord(host="h", sections=sections))

    assert type(found).model_validate_json(found.model_dump_json()) == found
    host_record.read(ProbeRecord(host="h", sections=sections))
