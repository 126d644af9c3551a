"""CANN's files, wherever they were pasted from."""

from __future__ import annotations

import pytest

from ascend_provision.evidence.facts import read
from ascend_provision.evidence.pasted.recognise import recognise
from ascend_provision.stack.facts import CannInstall
from ascend_provision.stack.model import Unknown
from tests.unit.evidence.pasted import pastes


def installs(text: str) -> tuple[CannInstall, ...]:
    found = read(recognise("h", [("a", text)]).record).cann
    assert not isinstance(found, Unknown)
    return found


@pytest.mark.parametrize(
    ("text", "part", "root"),
    [
        (pastes.TOOLKIT, "toolkit", "/usr/local/Ascend/ascend-toolkit/8.0.0"),
        (pastes.VERSION_CFG, "toolkit", "/(place not given)/ascend-toolkit/8.0.0"),
        (
            f"$ cat /usr/local/Ascend/ascend-toolkit/latest/opp_kernel/version.info\n{pastes.KERNELS}",
            "kernels",
            "/usr/local/Ascend/ascend-toolkit/8.0.0",
        ),
        (
            f"$ cat /usr/local/Ascend/nnal/atb/latest/version.info\n{pastes.NNAL}",
            "nnal",
            "/usr/local/Ascend/nnal/atb/8.0.0",
        ),
        (pastes.NNAL, "nnal", "/(place not given)/nnal/atb/8.0.0"),
        (
            "package_name=Ascend-cann-910b-ops\nversion=8.5.0\npath=/usr/local/Ascend/cann-8.5.0/aarch64-linux\n",
            "ops",
            "/usr/local/Ascend/cann-8.5.0",
        ),
    ],
)
def test_each_file_gives_its_part_and_its_place(text: str, part: str, root: str) -> None:
    (found,) = installs(text)

    assert (found.part, found.root) == (part, root)


def test_several_files_of_one_version_are_its_parts() -> None:
    place = "/usr/local/Ascend/ascend-toolkit/latest"
    text = f"{pastes.TOOLKIT}\n## {place}/opp_kernel/version.info\n{pastes.KERNELS}"
    text += f"\n## {place}/version.cfg\n{pastes.VERSION_CFG}"

    assert [(item.part, str(item.version)) for item in installs(text)] == [("kernels", "8.0.0"), ("toolkit", "8.0.0")]


def test_the_end_of_a_version_cfg_alone_is_no_host_without_cann() -> None:
    found = read(recognise("h", [("a", "opp_kernel_installed_version=[7.6.0.1.220:8.0.0]\n")]).record)

    assert isinstance(found.cann, Unknown)


def test_a_part_that_is_pasted_beside_its_toolkit_tells_what_it_asks_for() -> None:
    part = 'Version=7.5.0.1.129\nversion_dir=8.0.0\nrequired_package_opp_kernel_version="7.5"\n'
    named = f"$ cat /usr/local/Ascend/ascend-toolkit/latest/compiler/version.info\n{part}"
    kernels = f"$ cat /usr/local/Ascend/ascend-toolkit/latest/opp_kernel/version.info\n{pastes.KERNELS}"

    found = read(recognise("h", [("a", f"{pastes.TOOLKIT}{named}{kernels}")]).record)
    assert not isinstance(found.cann_parts, Unknown)
    assert [(item.name, item.number) for item in found.cann_parts] == [
        ("compiler", "7.5.0.1.129"),
        ("opp_kernel", "7.6.0.1.220"),
    ]
    alone = read(recognise("h", [("a", named)]).record)
    assert isinstance(alone.cann, Unknown)


def test_the_toolkits_version_info_alone_names_the_release_and_another_parts_does_not() -> None:
    part = 'Version=8.2.0.0.201\nversion_dir=8.2.RC1\nrequired_package_runtime_version="8.2"\n'
    for above in ("", "$ cat /usr/local/Ascend/ascend-toolkit/latest/toolkit/version.info\n"):
        found = read(recognise("h", [("a", above + part)]).record)
        assert not isinstance(found.cann, Unknown)
        assert [(item.part, str(item.version)) for item in found.cann] == [("toolkit", "8.2.RC1")]
    runtime = "$ cat /usr/local/Ascend/ascend-toolkit/latest/runtime/version.info\n"
    assert isinstance(read(recognise("h", [("a", runtime + part)]).record).cann, Unknown)
    custom = read(recognise("h", [("a", part.replace("8.2.RC1", "custom"))]).record)
    assert isinstance(custom.cann, Unknown)
