"""The script itself, run by the shells at hand on a tree that looks like a host, with tools that are text files."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ascend_provision.evidence import facts, wire
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.model import Unknown
from tests.unit.evidence.probed_host import PARTS, SHELLS, Host, an_a1_host

HANGS = "#!/bin/sh\ntrap '' TERM HUP INT\nsleep 600 &\nwhile :; do sleep 1; done\n"
_AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.getuid() == 0 else []
TOOLS = ("npu-smi", "hccn_tool", "upgrade-tool", "lsmod", "modinfo", "docker", "podman", "systemctl", "df", "getent",
         "mpirun", "grubby", "python3", "python2", "python", "stat", "sha256sum", "find", "readlink", "uname", "tail",
         "grep", "sort", "id", "ls", "od", "tr")  # fmt: skip


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """An A1 host with HDK 22.0.4 and CANN 6.0.1."""
    with an_a1_host(tmp_path) as made:
        yield made


@pytest.mark.parametrize("shell", SHELLS, ids=[words[0] for words in SHELLS])
@pytest.mark.parametrize("part", PARTS, ids=[part.name for part in PARTS])
def test_every_part_is_plain_posix_sh(shell: list[str], part: Path) -> None:
    done = subprocess.run([*shell, "-n", str(part)], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("part", PARTS, ids=[part.name for part in PARTS])
def test_a_file_that_vanishes_while_it_is_read_ends_nothing(part: Path) -> None:
    """`set -u` ends a shell at a word that a failed `read` left unset; so each such word has a value before."""
    lines = part.read_text(encoding="utf-8").splitlines()
    reads = [
        (number, found[1])
        for number, line in enumerate(lines)
        if (found := re.match(r"(?:.*\|\|)?\s*read -r (\w+) [^|]*<", line))
        and not line.rstrip().endswith(("|| return 1", "|| break"))
    ]

    for number, word in reads:
        before = " ".join(lines[max(0, number - 12) : number])
        assert re.search(rf"\b{word}=", before), f"{part.name}:{number + 1}: {word} has no value if the file is gone"


def test_no_part_is_forgotten() -> None:
    assert sorted(path.name for path in PARTS[0].parent.iterdir()) == sorted(wire.PARTS)


@pytest.mark.parametrize("shell", SHELLS, ids=[words[0] for words in SHELLS])
def test_one_round_trip_brings_the_facts_of_a_host(host: Host, shell: list[str]) -> None:
    record, _ = host.probe(by=shell)
    found = facts.read(record)

    assert record.complete
    assert found.hung == ()
    assert (found.hostname, found.kernel.next_boot) == ("node1", "5.10.0-60.aarch64")
    assert found.boot.booted_at == 1700000001.62
    assert not isinstance(found.chips, Unknown)
    assert len(found.chips) == 8
    assert not isinstance(found.boards, Unknown)
    assert len(found.boards) == 8
    assert not isinstance(found.pci, Unknown)
    assert [npu.bus for npu in found.pci] == ["0000:01:00.0", "0000:c1:00.0"]
    assert str(found.driver.running) == "22.0.4"
    assert found.firmware.pending is False
    assert not isinstance(found.cann, Unknown)
    assert [(item.part, str(item.version), item.hccl_test) for item in found.cann] == [("toolkit", "6.0.1", True)]
    assert not isinstance(found.cann_parts, Unknown)
    assert [(part.name, part.requires) for part in found.cann_parts] == [("compiler", {"opp": "1.84"}), ("opp", {})]
    assert not isinstance(found.environments, Unknown)
    assert [str(item.torch_npu) for item in found.environments] == ["2.1.0"]
    assert not isinstance(found.holders, Unknown)
    assert [(item.pid, item.uid, item.command, item.devices) for item in found.holders] == [
        (4242, 1000, "python train.py --note two lines", ("/dev/davinci0", "/dev/davinci1", "/dev/hisi_hdc"))
    ]
    assert not isinstance(found.services, Unknown)
    assert [item.unit for item in found.services] == ["npu-exporter.service"]
    assert not isinstance(found.network, Unknown)
    assert [(item.device, item.conf_address, item.live_address, item.link_up) for item in found.network] == [
        (0, "10.0.0.10", "10.0.0.10", True), (1, None, "10.0.0.11", True),
    ]  # fmt: skip
    assert [(item.health, item.live_netdetect, item.tls) for item in found.network] == [
        ("Success", "10.0.0.1", False)
    ] * 2
    assert found.rank_tables == ()
    assert not isinstance(found.record, Unknown)
    assert (found.record.lease_run, found.record.lease_token, found.record.staged) == ("r1", 3, ("aa",))
    assert found.unread == ()


def test_kernel_and_machine_are_unames_and_the_headers_are_those_of_that_kernel(host: Host) -> None:
    found = facts.read(host.probe()[0])

    assert (found.arch, found.kernel.running, found.kernel.headers) == ("aarch64", "5.10.0-60.aarch64", True)
    assert (found.driver.modules_loaded, found.driver.built_for_kernel) == (("drv_pcie_host",), True)


def test_only_lines_about_the_stack_leave_the_host(host: Host) -> None:
    _, text = host.probe()

    assert "HCCL_BUFFSIZE" in text
    assert "hunter2" not in text
    assert "Secret" not in text


def test_it_changes_nothing_and_leaves_nothing_behind(host: Host) -> None:
    def tree() -> list[tuple[str, int, int]]:
        return sorted((str(path), path.lstat().st_mtime_ns, path.lstat().st_mode) for path in host.root.rglob("*"))

    def workspaces() -> set[Path]:
        bases = (Path("/run"), Path("/dev/shm"), Path("/tmp"))
        return {path for base in bases if base.is_dir() for path in base.glob("ascend-provision-probe.*")}

    before, own = tree(), workspaces()
    host.probe()

    assert tree() == before
    assert workspaces() <= own


def test_a_tool_that_ignores_term_and_leaves_a_child_holding_stdout_is_abandoned(host: Host) -> None:
    host.tool("npu-smi", HANGS)
    began = time.monotonic()
    record, _ = host.probe("30", "2")
    took = time.monotonic() - began
    found = facts.read(record)

    assert took < 2 + 5
    assert record.complete
    assert found.hung == ("npu-smi",)
    assert found.chips == Unknown(unknown="npu-smi.info: timed out after 2 s")
    assert found.boards == Unknown(unknown="npu-smi.list: skipped: npu-smi hung")
    assert record.get("npu-smi.map").note == "skipped: npu-smi hung"
    assert not isinstance(found.network, Unknown)
    assert found.network[0].live_address == "10.0.0.10"
    assert not _eventually_some(host), "a killed tool still runs"


def test_a_child_that_holds_stdout_after_its_tool_ended_is_not_waited_for(host: Host) -> None:
    host.tool("npu-smi", f"sleep 20 &\ncat {host.root}/fixture/info")
    began = time.monotonic()
    record, _ = host.probe("30", "2")

    assert time.monotonic() - began < 2 + 5
    assert record.complete
    assert isinstance(facts.read(record).chips, Unknown)


def test_with_every_tool_hung_it_answers_by_its_deadline(host: Host) -> None:
    for name in TOOLS:
        host.tool(name, HANGS)
    host.file("usr/local/Ascend/driver/tools/upgrade-tool", HANGS, 0o755)
    began = time.monotonic()
    record, _ = host.probe("4")
    took = time.monotonic() - began
    found = facts.read(record)

    assert took < 4 + 5
    assert record.complete
    assert {"npu-smi", "hccn_tool", "upgrade-tool", "lsmod", "docker", "podman", "disks", "getent", "grubby"} <= set(
        found.hung
    )
    for name in ("hostname", "arch", "chips", "card_processes", "boards", "disks", "users", "pci", "holders",
                 "services", "containers", "kept_files", "pythons", "environments"):  # fmt: skip
        assert isinstance(getattr(found, name), Unknown), name
    assert isinstance(found.driver.running, Unknown)
    assert isinstance(found.firmware.flash, Unknown)
    assert not _eventually_some(host), "a killed tool still runs"


def test_no_output_can_pass_for_another_section(host: Host) -> None:
    forged = "#S hccn.conf 0 1 \\n@hccn.conf\\n|address_0=6.6.6.6\\n#E 1 1\\n\\r@lsmod\\r\\n|Module\\nno end"
    host.tool("npu-smi", f"printf '{forged}'")
    host.file("usr/local/Ascend/firmware/version.info", "Version=7.1.0.5.220\n@cann\n#S cann 0 0 \n|R /\n")
    record, _ = host.probe()
    found = facts.read(record)

    assert record.complete
    assert record.get("hccn.conf").text == "address_0=10.0.0.10\nnetmask_0=255.255.0.0\n"
    assert record.get("npu-smi.info").text.startswith("#S hccn.conf 0 1 \n@hccn.conf\n|address_0=6.6.6.6\n")
    assert record.get("npu-smi.info").text.endswith("no end\n")
    assert not isinstance(found.cann, Unknown)
    assert len(found.cann) == 1
    assert isinstance(found.chips, Unknown)


def test_a_tool_that_never_stops_printing_is_cut(host: Host) -> None:
    host.tool("npu-smi", "exec yes '| 0     910B           | OK            |'")
    record, text = host.probe()

    assert record.get("npu-smi.info").truncated
    assert len(text) < 500_000
    assert isinstance(facts.read(record).chips, Unknown)


def test_binary_noise_is_carried_as_text(host: Host) -> None:
    host.tool("npu-smi", "printf '\\377\\376\\001\\000\\033[31mred'")
    record, text = host.probe()

    assert record.complete
    assert "\ufffd" in record.get("npu-smi.info").text
    HostFacts.model_validate_json(facts.read(record).model_dump_json())
    wire.clean(text).encode("utf-8")


def test_without_root_a_closed_directory_is_not_an_empty_one(host: Host) -> None:
    (host.root / "var/log/ascend_seclog").chmod(0o000)
    host.file("etc/hccn.conf", "address_0=10.0.0.10\n", 0o000)
    for path in (host.root, *host.root.parents):  # pytest closes its directories to others
        state = path.stat()
        if state.st_uid == os.getuid() and state.st_mode & 0o005 != 0o005:
            path.chmod(state.st_mode | 0o055)
    record, _ = host.probe(by=[*_AS_NOBODY, "dash"])
    (host.root / "var/log/ascend_seclog").chmod(0o755)

    assert record.get("install.log").note == "not readable"
    assert record.get("hccn.conf").note == "not readable"
    assert record.get("install-info").ok


def test_a_host_without_any_of_it_is_read_too(host: Host) -> None:
    shutil.rmtree(host.root)
    host.root.mkdir()
    for tool in ("npu-smi", "hccn_tool", "systemctl", "grubby", "modinfo"):
        (host.bin / tool).unlink()
    record, _ = host.probe()
    found = facts.read(record)

    assert record.complete
    assert found.driver.file is None
    assert found.firmware.file is None
    assert found.cann == ()
    assert found.install_log is None
    assert isinstance(found.pci, Unknown)


def _eventually_some(host: Host) -> list[str]:
    """Processes of the host's tools that are left after a moment (SIGKILL is not waited for)."""
    for _ in range(30):
        if not host.processes():
            return []
        time.sleep(0.1)
    return host.processes()


@pytest.mark.parametrize("shell", SHELLS, ids=lambda words: words[0])
@pytest.mark.parametrize(
    ("line", "told"),
    [
        (". /gone/set_env.sh", True),
        ("source /gone/set_env.sh", True),
        ("[ -d /x ] && . '/gone/set_env.sh' --cxx_abi=1", True),
        ('source "/gone/set_env.sh"', True),
        ("for file in /gone/set_env.sh /gone/nnae/set_env.sh; do", False),
        ("NEXT=/gone/set_env.sh", False),
        (". /bin/sh", False),
    ],
)
def test_only_a_line_that_reads_a_gone_environment_file_is_a_leftover(
    tmp_path: Path, shell: list[str], line: str, told: bool
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "env.files").write_text(f"F /root/.bashrc\n {line}\n", encoding="utf-8")
    script = f"ROOT=; T={tmp_path}\n{(PARTS[0].parent / 'files.sh').read_text(encoding='utf-8')}\nenv_sources\n"
    done = subprocess.run([*shell], input=script, capture_output=True, text=True, check=True, timeout=20)

    assert done.stdout == ("gone /root/.bashrc /gone/set_env.sh\n" if told else "")


@pytest.mark.parametrize("shell", SHELLS, ids=lambda words: words[0])
def test_rank_tables_are_found_in_known_places_and_where_a_profile_names_one(host: Host, shell: list[str]) -> None:
    table = '{\n  "version": "1.0",\r\n  "server_list": [\n    {"server_id": "%s", "device": []}\n  ]\n}\n'
    host.file("etc/hccl_rootinfo.json", table % "a")
    host.file("data/job/ranks.json", table % "b")
    host.file("etc/profile.d/job.sh", "export RANK_TABLE_FILE='/data/job/ranks.json'\nexport HCCL_BUFFSIZE=200\n")
    host.file("home/one/hccl_big.json", "{" + " " * 70_000 + "}")
    found = facts.read(host.probe(by=shell)[0]).rank_tables

    assert not isinstance(found, Unknown)
    assert {(item.path, item.servers[0].server_id if item.servers else item.problem) for item in found} == {
        ("/etc/hccl_rootinfo.json", "a"),
        ("/data/job/ranks.json", "b"),
        ("/home/one/hccl_big.json", "too long to be read from here"),
    }


def test_a_link_named_like_a_rank_table_sends_nothing_of_what_it_points_to(host: Host) -> None:
    host.file("etc/shadow", "root:$6$salt$hash:19000::::::\n")
    (host.root / "home/eve").mkdir(parents=True)
    (host.root / "home/eve/hccl.json").symlink_to(host.root / "etc/shadow")
    record, text = host.probe()

    assert record.get("rank.tables").ok
    assert "$6$" not in text
