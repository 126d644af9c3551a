from __future__ import annotations

from dataclasses import replace

import pytest

from ascend_provision.evidence import modules
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.machine import ModulePolicy
from ascend_provision.stack.model import Unknown

LOADED = (
    "Module                  Size  Used by\ndrv_pcie_host         499712  3 drv_devmng_host\nascend_uda  45056  0\n"
)
FILES = Evidence(name="modules.files", status=0, text="/lib/modules/5.10.0-23-amd64/updates/drv_pcie_host.ko\n")
NO_MODINFO = Evidence(name="modinfo", note="not found")


def loaded(text: str, status: int = 0) -> tuple[str, ...] | Unknown:
    return modules.parse(Evidence(name="lsmod", status=status, text=text)).facts


def test_loaded_driver_modules_are_named() -> None:
    assert loaded(LOADED) == ("ascend_uda", "drv_pcie_host")


def test_a_list_that_was_read_and_has_none_is_not_unknown() -> None:
    assert loaded("Module                  Size  Used by\n") == ()


def test_a_list_that_was_not_read_is_unknown_and_not_empty() -> None:
    assert isinstance(loaded(""), Unknown)
    assert isinstance(loaded("", 1), Unknown)


@pytest.mark.parametrize(
    "cut",
    ["Module Size Used by\nascend_uda 450", "Module Size Used by\ndrv_\n", "Module Size Used by\ndrv_pcie 49 x\n"],
)
def test_a_row_that_is_cut_makes_the_list_unknown_and_not_shorter(cut: str) -> None:
    assert isinstance(loaded(cut), Unknown)


def test_a_module_for_the_kernel_that_boots_next_is_there_or_not() -> None:
    assert modules.built_for(FILES, NO_MODINFO, "5.10.0-23-amd64") is True
    assert modules.built_for(FILES, NO_MODINFO, "5.10.0-26-amd64") is False


def test_a_module_in_the_right_directory_for_another_kernel_will_not_load() -> None:
    magic = "5.10.0-20-amd64 SMP mod_unload modversions"
    modinfo = Evidence(
        name="modinfo", status=0, text=f"/lib/modules/5.10.0-23-amd64/updates/drv_pcie_host.ko {magic}\n"
    )

    assert modules.built_for(FILES, modinfo, "5.10.0-23-amd64") is False
    assert modules.built_for(FILES, replace(modinfo, text=modinfo.text.replace("-20-", "-23-", 1)),
                             "5.10.0-23-amd64") is True  # fmt: skip


def test_without_any_module_file_it_is_unknown() -> None:
    empty = Evidence(name="modules.files", status=0)

    assert isinstance(modules.built_for(empty, NO_MODINFO, "5.10.0-23-amd64"), Unknown)


@pytest.mark.parametrize(
    ("values", "enforced"),
    [
        ({"sig_enforce": "N", "lockdown": "[none] integrity confidentiality"}, False),
        ({"sig_enforce": "Y", "lockdown": "[none] integrity confidentiality"}, True),
        ({"lockdown": "none [integrity] confidentiality"}, True),
        ({"sig_enforce": "N"}, False),
    ],
)
def test_a_kernel_refuses_unsigned_modules_when_it_enforces_or_is_locked_down(
    values: dict[str, str], enforced: bool
) -> None:
    found = modules.policy(values, NO_MODINFO, False)

    assert found == ModulePolicy(enforced=enforced)


def test_a_module_is_signed_by_somebody_or_nobody_or_was_not_asked() -> None:
    on = {"sig_enforce": "Y", "unsupported_modules": "0"}
    signed = Evidence(name="modinfo.signer", status=0, text="site DKMS key\n")

    assert modules.policy(on, signed, True) == ModulePolicy(
        enforced=True, signer="site DKMS key", unsupported_allowed=False
    )
    assert modules.policy(on, replace(signed, text=""), True) == ModulePolicy(
        enforced=True, signer="", unsupported_allowed=False
    )
    assert isinstance(modules.policy(on, replace(signed, status=1), True), Unknown)


def test_secure_boot_without_any_switch_of_the_kernel_is_unknown_and_without_efi_it_is_off() -> None:
    assert isinstance(modules.policy({}, NO_MODINFO, True), Unknown)
    assert isinstance(modules.policy({}, NO_MODINFO, Unknown(unknown="cut")), Unknown)
    assert modules.policy({}, NO_MODINFO, None) == ModulePolicy(enforced=False)
