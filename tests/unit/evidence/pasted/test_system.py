"""Output of the system's tools in the probe's form."""

from __future__ import annotations

from ascend_provision.evidence.facts import read
from ascend_provision.evidence.pasted.recognise import recognise
from ascend_provision.stack.facts import HostFacts, PciNpu, User
from ascend_provision.stack.model import Unknown
from tests.unit.evidence.pasted import pastes


def facts(text: str) -> HostFacts:
    return read(recognise("h", [("a.txt", text)]).record)


def test_uname_gives_name_kernel_and_machine() -> None:
    found = facts(pastes.UNAME)

    assert (found.hostname, found.kernel.running, found.arch) == ("worker7", "5.10.0-216.0.0.aarch64", "aarch64")
    assert found.boot.boot_id == Unknown(unknown="host: not in the evidence given")


def test_prompts_of_two_hosts_name_none() -> None:
    assert isinstance(facts("[root@a1 ~]# ls\n[root@a2 ~]# ls\n").hostname, Unknown)


def test_lsmod_keeps_the_drivers_modules_also_without_its_head() -> None:
    assert facts(pastes.LSMOD).driver.modules_loaded == ("ascend_uda", "drv_pcie_host")
    assert facts("drv_pcie_host         512000  3\n").driver.modules_loaded == ("drv_pcie_host",)


def test_lspci_gives_the_accelerators_with_and_without_numbers() -> None:
    assert facts(pastes.LSPCI).pci == (PciNpu(bus="0000:c1:00.0", device="d802"),)
    plain = "c1:00.0 Processing accelerators: Huawei Technologies Co., Ltd. Device d802 (rev 20)\n"
    assert facts(plain).pci == (PciNpu(bus="0000:c1:00.0", device="d802"),)


def test_pip_and_conda_lists_are_environments() -> None:
    conda = (
        "# packages in environment at /opt/conda/envs/npu:\npython  3.10.4  h1\ntorch  2.1.0  p\ntorch-npu 2.1.0  p\n"
    )
    for text, path in ((pastes.PIP, "/(pip list in a.txt)"), (conda, "/opt/conda/envs/npu")):
        found = facts(text).environments
        assert not isinstance(found, Unknown)
        assert [env.path for env in found] == [path]
        assert str(found[0].torch_npu) in {"2.4.0.post2", "2.1.0"}


def test_device_nodes_are_read_by_number_or_for_root_and_a_name_says_nothing() -> None:
    row = "crw-rw---- 1 {} 236, 0 Nov 30 15:49 /dev/davinci0\n"

    for owner, uid in (("root root", 0), ("1000 1000", 1000)):
        nodes = facts(row.format(owner)).device_nodes
        assert not isinstance(nodes, Unknown)
        assert [(node.path, node.uid) for node in nodes] == [("/dev/davinci0", uid)]
    assert isinstance(facts(row.format("HwHiAiUser HwHiAiUser")).device_nodes, Unknown)


def test_id_of_the_drivers_user_is_an_account() -> None:
    found = facts("$ id HwHiAiUser\nuid=1000(HwHiAiUser) gid=1000(HwHiAiUser) groups=1000(HwHiAiUser)\n").users

    assert found == (User(name="HwHiAiUser", uid=1000, gid=1000, group="HwHiAiUser"),)


def test_df_in_the_units_that_people_ask_for() -> None:
    human = """Filesystem      Size  Used Avail Use% Mounted on
/dev/sda2       1.8T  200G  1.5T  12% /
tmpfs           256G     0  256G   0% /dev/shm
/dev/mapper/openeuler-root_of_a_long_name
                 50G   10G   38G  21% /var
"""
    blocks = """Filesystem     1K-blocks     Used Available Use% Mounted on
/dev/sda2      104857600 10485760  94371840  10% /
"""
    found = read(recognise("h", [("a", f"[root@h ~]# df -h\n{human}")]).record)
    typed = human.replace("Size", "Type  Size").replace("1.8T", "ext4 1.8T").replace("tmpfs   ", "tmpfs tmpfs")
    plain = read(recognise("h", [("a", blocks)]).record)

    assert not isinstance(found.disks, Unknown)
    assert {disk.path: disk.free_mb for disk in found.disks} == {
        "/usr/local": 1572864, "/tmp": 1572864, "/var": 38912, "/root": 1572864, "/boot": 1572864,
    }  # fmt: skip
    assert read(recognise("h", [("a", typed)]).record).disks == found.disks
    assert not isinstance(plain.disks, Unknown)
    assert plain.disks[0].free_mb == 92160
    assert isinstance(read(recognise("h", [("a", human.replace("1.5T", "1.5X"))]).record).disks, Unknown)
