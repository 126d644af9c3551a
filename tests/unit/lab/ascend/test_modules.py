"""The module tools of a lab host: what is loaded, what can be unloaded, and what is gone after a reboot."""

from __future__ import annotations

from tests.unit.lab.ascend.conftest import Host, MakeHost


def loaded(host: Host) -> list[str]:
    return [line.split()[0] for line in host.run("kmod", "lsmod").stdout.splitlines()[1:]]


def test_a_boot_loads_every_module_and_makes_the_nodes(a1_hdk22: Host) -> None:
    listing = a1_hdk22.run("kmod", "lsmod").stdout.splitlines()

    assert listing[0] == "Module                  Size  Used by"
    assert len(listing) == 17
    assert f"{'drv_devmm_host':<19} {417792:8}  1 drv_devmm_host_agent" in listing
    assert sorted(p.name for p in (a1_hdk22.root / "dev").glob("davinci*")) == [
        *(f"davinci{n}" for n in range(8)),
        "davinci_manager",
    ]


def test_a_bare_host_has_chips_and_no_driver(make_host: MakeHost) -> None:
    host = make_host("atlas-800-9000", "bare")

    assert loaded(host) == []
    assert not (host.root / "dev/davinci0").exists()
    assert host.run("npu-smi", "info").returncode == 187
    done = host.run("kmod", "modprobe", "drv_pcie_host")
    assert done.returncode == 1
    assert "Module drv_pcie_host not found in directory /lib/modules/" in done.stderr


def test_a_module_that_others_build_on_names_them(a1_hdk22: Host) -> None:
    done = a1_hdk22.run("kmod", "rmmod", "drv_devmm_host")

    assert (done.returncode, done.stderr) == (
        1,
        "rmmod: ERROR: Module drv_devmm_host is in use by: drv_devmm_host_agent\n",
    )


def test_an_open_card_keeps_the_driver_loaded(a1_hdk22: Host) -> None:
    a1_hdk22.hold(4711, "python", "davinci0")

    assert a1_hdk22.run("kmod", "rmmod", "ts_agent").stderr == "rmmod: ERROR: Module ts_agent is in use\n"
    assert a1_hdk22.shell("lab_driver_unload").returncode == 1
    assert len(loaded(a1_hdk22)) == 16
    assert (a1_hdk22.root / "dev/davinci0").exists()


def test_a_deleted_node_that_is_still_open_counts_as_open(a1_hdk22: Host) -> None:
    a1_hdk22.hold(4711, "python", "davinci0 (deleted)")

    assert a1_hdk22.shell("lab_open_nodes").stdout == "4711 davinci0\n"


def test_an_unloaded_driver_leaves_no_node_and_no_answer(a1_hdk22: Host) -> None:
    assert a1_hdk22.shell("lab_driver_unload").returncode == 0

    assert loaded(a1_hdk22) == []
    assert list((a1_hdk22.root / "dev").glob("davinci*")) == []
    assert a1_hdk22.run("npu-smi", "info").returncode == 187


def test_module_busy_keeps_everything_loaded_though_nobody_holds_a_card(a1_hdk22: Host) -> None:
    a1_hdk22.fault("module-busy")

    assert a1_hdk22.run("kmod", "rmmod", "ts_agent").returncode == 1
    assert a1_hdk22.shell("lab_driver_unload").returncode == 1
    assert len(loaded(a1_hdk22)) == 16


def test_modprobe_loads_what_a_module_builds_on_first(a1_hdk22: Host) -> None:
    a1_hdk22.shell("lab_driver_unload")

    assert a1_hdk22.run("kmod", "modprobe", "ts_agent").returncode == 0

    order = list(reversed(loaded(a1_hdk22)))
    assert order.index("drv_pcie_host") < order.index("drv_devmng_host") < order.index("ts_agent")
    assert (a1_hdk22.root / "run/ascend-lab/driver").read_text() == "22.0.4\n"


def test_insmod_of_a_module_for_another_kernel_is_refused(a1_hdk22: Host) -> None:
    a1_hdk22.shell("lab_driver_unload; lab_ko_write 22.0.4 4.19.90-2003")
    module = a1_hdk22.root / "lib/modules/4.19.90-2003/updates/drv_seclib_host.ko"

    done = a1_hdk22.run("kmod", "insmod", str(module))

    assert done.returncode == 1
    assert "Invalid module format" in done.stderr
    assert "version magic" in a1_hdk22.run("dmesg").stdout


def test_modinfo_tells_the_version_and_the_kernel_of_a_module(a1_hdk22: Host) -> None:
    assert a1_hdk22.run("kmod", "modinfo", "-F", "version", "drv_pcie_host").stdout == "22.0.4\n"
    assert a1_hdk22.run("kmod", "modinfo", "drv_missing").returncode == 1


def test_removing_a_drivers_modules_leaves_a_foreign_module_alone(a1_hdk22: Host) -> None:
    foreign = a1_hdk22.root / "lib/modules/5.10.0-23-amd64/updates/mlx5_core.ko"
    if not foreign.parent.exists():
        foreign = next((a1_hdk22.root / "lib/modules").glob("*/updates")) / "mlx5_core.ko"
    foreign.write_text("name=mlx5_core\n")

    a1_hdk22.shell("lab_kernel; lab_ko_remove $LAB_KERNEL")

    assert [p.name for p in foreign.parent.iterdir()] == ["mlx5_core.ko"]
