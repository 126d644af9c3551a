from __future__ import annotations

import pytest

from ascend_provision.evidence import python_envs
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import PythonEnv
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.versions import FrameworkVersion

SITE = "/opt/conda/envs/train/lib/python3.10/site-packages"


def read(text: str, root: bool = True) -> tuple[PythonEnv, ...]:
    facts = python_envs.parse(Evidence(name="environments", status=0, text=text), root).facts
    assert not isinstance(facts, Unknown)
    return facts


def test_a_conda_environment_with_torch_npu() -> None:
    text = f"""D {SITE}/torch-2.1.0.dist-info
D {SITE}/torch_npu-2.1.0.post3.dist-info
B {SITE}/torch_npu
P /opt/conda/envs/train/conda-meta/python-3.10.13-h12ab34c_0.json
F {SITE}/torch-2.1.0.dist-info/METADATA
 Name: torch
 Version: 2.1.0+cpu
F {SITE}/torch_npu-2.1.0.post3.dist-info/METADATA
 Name: torch-npu
 Version: 2.1.0.post3
"""
    assert read(text) == (
        PythonEnv(
            path="/opt/conda/envs/train",
            python=FrameworkVersion("3.10.13"),
            torch=FrameworkVersion("2.1.0+cpu"),
            torch_npu=FrameworkVersion("2.1.0.post3"),
            mindspore=None,
            unread=("torch: its directory says 2.1.0, its METADATA 2.1.0+cpu",),
        ),
    )


def test_a_venv_says_its_python_in_pyvenv_cfg() -> None:
    site = "/home/alice/work/venv/lib/python3.9/site-packages"
    text = f"""D {site}/mindspore_ascend-2.2.10.dist-info
F /home/alice/work/venv/pyvenv.cfg
 version = 3.9.2
"""
    assert read(text) == (
        PythonEnv(
            path="/home/alice/work/venv",
            python=FrameworkVersion("3.9.2"),
            torch=None,
            torch_npu=None,
            mindspore=FrameworkVersion("2.2.10"),
        ),
    )


def test_the_directory_name_is_enough_where_metadata_is_not_readable() -> None:
    (env,) = read("D /usr/local/lib/python3.8/dist-packages/torch_npu-1.8.1-py3.8.egg-info\n")

    assert env.torch_npu == FrameworkVersion("1.8.1")
    assert env.path == "/usr/local"
    assert env.python == FrameworkVersion("3.8")


def test_a_package_directory_alone_is_said_and_not_guessed() -> None:
    (env,) = read(f"B {SITE}/torch_npu\n")

    assert env.torch_npu is None
    assert env.unread == ("torch_npu: a package directory without dist-info",)


def test_a_version_that_is_none_is_said() -> None:
    (env,) = read(f"D {SITE}/torch_npu-nightly.dist-info\n")

    assert env.unread == ("torch_npu: 'nightly' is not a Python package version",)


def test_without_root_it_says_what_it_cannot_see() -> None:
    evidence = Evidence(name="environments", status=0, text="")

    assert python_envs.parse(evidence, False).unread == (
        "not root: environments in other users' homes are not visible",
    )
    assert python_envs.parse(evidence, True).facts == ()


@pytest.mark.parametrize(
    "line",
    [
        f"D {SITE}/tor",
        "P /opt/conda/envs\x14train/conda-meta/python-3.13.1-h1.json",
        "P /opt/other/conda-meta/python-3.13.1-h1.json",
        "P /opt/conda/envs/train/conda-meta/pyth",
        f"B {SITE}/torch_",
        f"F {SITE}/torch_npu-2.1.0.dist-info/METADATA\n Version: 2.1.\ufffd",
    ],
    ids=["a package cut", "a byte of no text", "of no prefix here", "a Python cut", "a directory cut", "in a file"],
)
def test_an_entry_that_the_probe_would_not_write_makes_the_environments_unknown(line: str) -> None:
    evidence = Evidence(name="environments", status=0, text=f"D {SITE}/torch_npu-2.1.0.dist-info\n{line}\n")

    assert isinstance(python_envs.parse(evidence, True).facts, Unknown)
