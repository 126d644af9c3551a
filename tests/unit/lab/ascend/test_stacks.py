"""Only published products and stacks exist in the lab, and each value says how sure it is."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from ascend_provision.lab.ascend import profiles, stacks
from ascend_provision.lab.ascend.facts import check_sources
from ascend_provision.lab.errors import LabError


def test_the_lab_has_exactly_the_published_pairs() -> None:
    found = {profile: stacks.names(profile) for profile in stacks.profiles()}

    assert found == {
        "atlas-800-9000": ["hdk22", "hdk23", "hdk24", "bare"],
        "atlas-800t-a2": ["hdk23rc", "hdk23", "hdk24", "hdk25", "hdk255", "bare"],
        "atlas-800t-a3": ["hdk25", "bare"],
        "atlas-300i-duo": ["hdk22", "hdk23", "bare"],
    }
    assert sorted(found) == sorted(profiles.names())


@pytest.mark.parametrize(
    ("profile", "stack", "says"),
    [
        ("atlas-800t-a2", "hdk22", "HDK 22 was published for A1 and 310P only"),
        ("atlas-800-9000", "hdk23rc", "no 23.0.RC3 archive"),
        ("atlas-800-9000", "hdk25", "the firmware that belongs to them is not published"),
        ("atlas-800t-a3", "hdk24", "not published as a stack"),
        ("atlas-300i-duo", "hdk25", "CANN packages are not"),
        ("atlas-800-9000", "hdk99", "not published"),
        ("atlas-900", "hdk22", "not published"),
    ],
)
def test_a_pair_nobody_published_is_refused_with_what_exists(profile: str, stack: str, says: str) -> None:
    with pytest.raises(LabError) as refused:
        stacks.get(profile, stack)

    assert says in refused.value.what
    assert "use one of: " in refused.value.next


def test_a_bare_host_has_no_software_to_ask_for() -> None:
    bare = stacks.get("atlas-800-9000", "bare")

    assert bare.software is None
    with pytest.raises(LabError, match="carries no software"):
        bare.require()


def test_one_release_has_four_names_and_the_driver_reports_another_than_its_package() -> None:
    hdk = stacks.get("atlas-800-9000", "hdk22").require().hdk

    assert (hdk.release.value, hdk.package.value, hdk.driver.value) == ("22.0.0", "6.0.0", "22.0.4")


@pytest.mark.parametrize(("profile", "stack"), [(s.profile, s.stack) for s in stacks.book().stacks])
def test_a_stack_agrees_with_itself(profile: str, stack: str) -> None:
    software = stacks.get(profile, stack).require()
    chip = profiles.get(profile).package_token.value
    info = dict(line.split("=", 1) for line in software.driver_version_info.value)
    flash = dict(line.split("=", 1) for line in software.firmware_version_info.value)
    toolkit = dict(line.split("=", 1) for line in software.toolkit_install_info.value)

    assert info["Version"] == software.hdk.driver.value
    assert info["package_version"] == software.hdk.package.value
    assert flash["Version"] == software.firmware.value
    assert toolkit["version"] == software.cann.version.value
    assert toolkit["innerversion"] == software.cann.inner.value
    for arch in ("aarch64", "x86_64"):
        packages = software.packages
        hdk = f"Ascend-hdk-{chip}" if chip != "A3" else "Atlas-A3-hdk"
        assert packages.driver.name(arch).startswith(f"{hdk}-npu-driver_{software.hdk.package.value}_linux-")
        assert packages.firmware.name(arch).startswith(f"{hdk}-npu-firmware_")
        assert f"-{software.cann.version.value}_" in packages.toolkit.name(arch).replace("toolkit_", "toolkit-")
        kind = f"kernels-{chip}" if software.cann.tree.value == "ascend-toolkit" else f"{chip}-ops"
        assert packages.operators.name(arch).startswith(f"Ascend-cann-{kind}_{software.cann.version.value}_linux")
        assert toolkit["path"].startswith(f"/usr/local/Ascend/{software.cann.tree.value}")


def test_hdk_package_names_spell_x86_with_a_hyphen_and_cann_names_with_an_underscore() -> None:
    packages = stacks.get("atlas-800-9000", "hdk22").require().packages

    assert packages.driver.name("x86_64").endswith("_linux-x86-64.run")
    assert packages.toolkit.name("x86_64").endswith("_linux-x86_64.run")


def test_an_architecture_without_a_package_is_refused() -> None:
    package = stacks.get("atlas-800-9000", "hdk22").require().packages.driver

    with pytest.raises(LabError, match="riscv64"):
        package.name("riscv64")


def test_a_source_that_is_not_listed_is_an_error() -> None:
    with pytest.raises(ValueError, match="hearsay"):
        check_sources({"stacks": [{"hdk": {"value": "1", "source": ["hearsay"]}}]}, {"lab"}, "stacks.yaml")


def test_the_x86_atlas_800_is_model_9010() -> None:
    names = profiles.get("atlas-800-9000").product_name

    assert names.fact("x86_64").value == "Atlas 800 (Model 9010)"
    assert names.fact("aarch64").value == "Atlas 800 (Model 9000)"


def test_a_stack_has_either_kernels_or_ops() -> None:
    packages = stacks.get("atlas-800t-a2", "hdk255").require().packages

    assert packages.kernels is None
    with pytest.raises(ValidationError, match="exactly one of kernels and ops"):
        stacks.Packages(driver=packages.driver, firmware=packages.firmware, toolkit=packages.toolkit)


def test_chips_of_a_card_share_a_bus_and_dies_of_an_a3_do_not() -> None:
    duo, a3 = profiles.get("atlas-300i-duo"), profiles.get("atlas-800t-a3")

    assert [duo.place(logic) for logic in range(4)] == [(1, 0), (1, 1), (2, 0), (2, 1)]
    assert [duo.bus(logic, "x86_64") for logic in range(4)] == ["01", "01", "02", "02"]
    assert a3.place(15) == (7, 1)
    assert len({a3.bus(logic, "aarch64") for logic in range(a3.chips)}) == 16
