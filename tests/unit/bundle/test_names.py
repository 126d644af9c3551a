"""Names of real packages say what is in them; anything else is not guessed at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.bundle import names
from ascend_provision.bundle.names import PackageName


def name(component: str, version: str, chip: str | None, arch: str | None) -> PackageName:
    return PackageName.model_validate({"component": component, "version": version, "chip": chip, "arch": arch})


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        (
            "Ascend-hdk-910-npu-driver_6.0.0_linux-aarch64.run",
            name("driver", "6.0.0", "910", "aarch64"),
        ),
        (
            "Ascend-hdk-910b-npu-driver_23.0.rc3_linux-x86-64.run",
            name("driver", "23.0.rc3", "910b", "x86_64"),
        ),
        (
            "A300-3010-npu-driver_6.0.0_linux-x86_64.run",
            name("driver", "6.0.0", "310", "x86_64"),
        ),
        ("Ascend-hdk-910-npu-firmware_6.0.0.run", name("firmware", "6.0.0", "910", None)),
        ("Ascend-hdk-310p-npu-firmware_6.0.rc1.2.run", name("firmware", "6.0.rc1.2", "310p", None)),
        ("Ascend-hdk-910b-npu-firmware_7.1.0.5.220.run", name("firmware", "7.1.0.5.220", "910b", None)),
        ("A800-9000-npu-driver_6.0.rc1_linux-aarch64.run", name("driver", "6.0.rc1", "910", "aarch64")),
        ("Atlas-A3-hdk-npu-driver_25.3.rc1_linux-x86-64.run", name("driver", "25.3.rc1", "910_93", "x86_64")),
        ("Ascend-cann-toolkit_7.0.RC1_linux-x86_64.run", name("toolkit", "7.0.RC1", None, "x86_64")),
        ("Ascend-cann-kernels-910_6.0.1_linux.run", name("kernels", "6.0.1", "910", None)),
        ("Ascend-cann-kernels-910b_8.0.0_linux-aarch64.run", name("kernels", "8.0.0", "910b", "aarch64")),
        ("Ascend-cann-910b-ops_8.5.0_linux-x86_64.run", name("kernels", "8.5.0", "910b", "x86_64")),
        ("Atlas-A3-cann-kernels_8.3.RC1_linux-aarch64.run", name("kernels", "8.3.RC1", "910_93", "aarch64")),
        ("Ascend-cann-nnal_8.0.0_linux-aarch64.run", name("nnal", "8.0.0", None, "aarch64")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_published_name_says_component_version_chip_and_arch(file: str, expected: PackageName) -> None:
    assert names.parse(file) == expected


@pytest.mark.parametrize(
    "file",
    [
        "Ascend-hdk-910-npu-driver_6.0.0.run",
        "Ascend-hdk-910-npu-driver_6.0.0_linux-riscv64.run",
        "Ascend-hdk-910-npu-driver_latest_linux-aarch64.run",
        "Ascend-hdk-910b-npu-firmware_7.7.0.x.y.run",
        "Ascend-hdk-910b-npu-firmware_7.7.0.1.231_linux-aarch64.run",
        "Ascend-cann-toolkit_7.0.0_linux.run",
        "Ascend-cann-nnrt_8.0.0_linux-aarch64.run",
        "Unknown-card-npu-driver_6.0.0_linux-aarch64.run",
        "Ascend-mindstudio-toolkit_6.0.RC1_linux-aarch64.run",
        "Ascend-hdk-910-npu-driver_6.0.0_linux-aarch64.run.part",
        "ascend_install.log",
        "",
    ],
)
def test_a_name_of_no_published_form_is_not_guessed_at(file: str) -> None:
    assert names.parse(file) is None


@pytest.mark.parametrize("row", names.product_rows(), ids=lambda row: row.product)
def test_every_product_row_reads_its_own_example(row: names._ProductRow) -> None:
    parsed = names.parse(row.example)

    assert parsed is not None
    assert parsed.chip == row.chip


versions = st.one_of(
    st.builds("{}.{}.{}".format, st.integers(20, 26), st.integers(0, 5), st.integers(0, 9)),
    st.builds("{}.{}.rc{}".format, st.integers(20, 26), st.integers(0, 5), st.integers(1, 4)),
    st.builds(
        "{}.{}.RC{}.alpha00{}".format, st.integers(6, 9), st.integers(0, 5), st.integers(1, 4), st.integers(1, 9)
    ),
)
chips = st.sampled_from(["910", "910b", "310p", "310b", "310", "950"])
arches = st.sampled_from([("aarch64", "aarch64"), ("x86-64", "x86_64"), ("x86_64", "x86_64")])


@given(chips, versions, arches)
def test_driver_names_give_back_what_they_were_made_from(chip: str, version: str, arch: tuple[str, str]) -> None:
    parsed = names.parse(f"Ascend-hdk-{chip}-npu-driver_{version}_linux-{arch[0]}.run")

    assert parsed == name("driver", version, chip, arch[1])


@given(chips, versions, st.one_of(st.none(), arches))
def test_kernels_names_give_back_what_they_were_made_from(
    chip: str, version: str, arch: tuple[str, str] | None
) -> None:
    tail = f"-{arch[0]}" if arch else ""
    parsed = names.parse(f"Ascend-cann-kernels-{chip}_{version}_linux{tail}.run")

    assert parsed == name("kernels", version, chip, arch[1] if arch else None)


@given(st.text(max_size=80))
def test_no_text_makes_the_parser_fall_over(text: str) -> None:
    names.parse(text)
