from __future__ import annotations

from dataclasses import replace
from typing import Any

from ascend_provision.evidence import dkms
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.machine import DkmsTree
from ascend_provision.stack.model import Unknown

KERNEL = "5.13.0-30-generic"
FAILED = f"""built 5.4.0-26-generic
log DKMS make.log for davinci_ascend-1.0 for kernel {KERNEL} (aarch64)
error dma_pool_map.c:88:9: error: implicit declaration of function 'set_fs'
"""


def read(text: str, **more: Any) -> DkmsTree | Unknown | None:
    return dkms.parse(replace(Evidence(name="dkms", status=0, text=text), **more)).facts


def test_a_build_that_failed_names_its_kernel_and_its_first_error() -> None:
    assert read(FAILED) == DkmsTree(
        built_for=("5.4.0-26-generic",),
        failed_for=KERNEL,
        error="dma_pool_map.c:88:9: error: implicit declaration of function 'set_fs'",
    )


def test_a_log_without_an_error_is_no_failed_build() -> None:
    assert read(FAILED[: FAILED.index("error ")]) == DkmsTree(built_for=("5.4.0-26-generic",))


def test_a_new_dkms_says_its_version_in_the_log_too() -> None:
    found = read(FAILED.replace("DKMS make.log", "DKMS (dkms-3.2.1) make.log"))

    assert isinstance(found, DkmsTree)
    assert found.failed_for == KERNEL


def test_no_tree_is_none_and_what_nobody_understands_is_unknown() -> None:
    assert read("", status=None, note="not found") is None
    assert isinstance(read("", status=None, note="not readable"), Unknown)
    assert isinstance(read("module 1.0\n"), Unknown)
