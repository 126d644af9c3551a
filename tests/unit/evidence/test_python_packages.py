from __future__ import annotations

import os
from pathlib import Path

import pytest

from ascend_provision.evidence import python_packages
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import PythonEnv
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.surroundings import PythonPackages
from ascend_provision.stack.versions import FrameworkVersion
from tests.unit.evidence.test_probe import SHELLS
from tests.unit.evidence.trees import Tree
from tests.unit.factories import environment

CONDA = environment("/opt/conda/envs/train", python="3.10.13", torch_npu="2.1.0")
SITE = "/opt/conda/envs/train/lib/python3.10/site-packages"


def read(text: str, *envs: PythonEnv) -> tuple[PythonPackages, ...]:
    found = python_packages.parse(Evidence(name="python.packages", status=0, text=text), envs).facts
    assert not isinstance(found, Unknown)
    return found


def test_a_conda_environment_sees_its_own_packages_only() -> None:
    text = f"""S /usr/lib/python3.10/site-packages
 decorator-4.4.2.egg-info
S {SITE}
 numpy-1.26.4.dist-info
 PyYAML-6.0.1-py3.10.egg-info
 absl_py-1.4.0.dist-info
 CXX11_ABI=0
"""
    assert read(text, CONDA)[0] == PythonPackages(
        path="/opt/conda/envs/train",
        python=FrameworkVersion("3.10.13"),
        frameworks=True,
        versions={"numpy": "1.26.4", "pyyaml": "6.0.1", "absl_py": "1.4.0"},
        cxx11_abi=0,
    )


def test_a_venv_with_the_systems_packages_sees_both() -> None:
    venv = environment("/home/alice/venv", python="3.10.12", torch_npu="2.1.0")
    text = """S /home/alice/venv/lib/python3.10/site-packages
 numpy-1.24.0.dist-info
 venv home = /usr/bin
 venv include-system-site-packages = true
S /usr/lib/python3/dist-packages
 decorator-4.4.2.egg-info
 numpy-1.21.5.egg-info
S /usr/lib/python3.8/site-packages
 sympy-1.12.dist-info
S /home/alice/.local/lib/python3.10/site-packages
 scipy-1.10.1.dist-info
S /home/bob/.local/lib/python3.10/site-packages
 cffi-1.15.1.dist-info
"""
    (env,) = [item for item in read(text, venv) if item.frameworks]

    assert env.versions == {"numpy": "1.24.0", "decorator": "4.4.2", "scipy": "1.10.1"}
    assert env.whole


def test_a_venv_over_another_pythons_packages_is_not_seen_whole() -> None:
    venv = environment("/opt/venv", python="3.10.12", torch_npu="2.1.0")
    text = """S /opt/venv/lib/python3.10/site-packages
 venv home = /opt/conda/bin
 venv include-system-site-packages = true
"""
    assert not read(text, venv)[0].whole


def test_the_systems_python_without_a_framework_is_told_apart() -> None:
    text = "S /usr/lib/python3/dist-packages\n numpy-1.21.5.egg-info\nS /usr/local/lib/python3.9/dist-packages\n"
    (system,) = read(text)

    assert (system.path, system.frameworks, system.versions) == ("/usr/bin/python3.9", False, {"numpy": "1.21.5"})


def test_wheels_of_cann_older_than_the_toolkit_are_stale_and_newer_ones_are_not() -> None:
    text = f"""S {SITE}
 te-0.4.0.dist-info
 mtime 1600000000 {SITE}/te-0.4.0.dist-info
 hccl-0.1.0.dist-info
 mtime 1700000001 {SITE}/hccl-0.1.0.dist-info
M 1700000000 /usr/local/Ascend/ascend-toolkit/8.0.0/aarch64-linux/ascend_toolkit_install.info
"""
    assert read(text, CONDA)[0].stale == ("te",)


def test_a_line_nobody_understands_is_told() -> None:
    reading = python_packages.parse(
        Evidence(name="python.packages", status=0, text=f"S {SITE}\n what is this\n numpy-odd.dist-info\n"), (CONDA,)
    )

    assert reading.unread == (f"{SITE}: what is this",)
    assert not isinstance(reading.facts, Unknown)
    assert reading.facts[0].versions == {"numpy": None}


@pytest.mark.parametrize("shell", SHELLS, ids=[words[0] for words in SHELLS])
def test_the_probe_finds_packages_wheels_and_broken_programs(tmp_path: Path, shell: list[str]) -> None:
    tree = Tree(tmp_path / "root")
    env, info = "opt/conda/envs/train", "usr/local/Ascend/ascend-toolkit/8.0.0/x86_64-linux/ascend_toolkit_install.info"
    site = f"{env}/lib/python3.10/site-packages"
    for name in ("torch_npu-2.1.0", "numpy-2.0.2", "te-0.4.0", "secret_project-1.0"):
        tree.file(f"{site}/{name}.dist-info/METADATA", "Name: x\nVersion: 2.1.0\n")
    tree.file(f"{site}/torch/share/cmake/Torch/TorchConfig.cmake", '\n  set(F "-D_GLIBCXX_USE_CXX11_ABI=1")\n')
    tree.file(f"{env}/bin/pip", "#!/opt/gone/bin/python3.10\nimport sys\n", 0o755)
    tree.link(f"{env}/bin/python3", "/opt/gone/bin/python3.10")
    tree.file(info, "package_name=Ascend-cann-toolkit\nversion=8.0.0\n")
    os.utime(tree.root / f"{site}/te-0.4.0.dist-info", (1_600_000_000, 1_600_000_000))
    found = tree.facts(shell)

    assert "secret_project" not in tree.said
    assert not isinstance(found.python_packages, Unknown)
    (packages,) = [item for item in found.python_packages if item.frameworks]
    assert packages.versions == {"numpy": "2.0.2", "te": "0.4.0"}
    assert packages.interpreter_gone == (
        "bin/python3 -> /opt/gone/bin/python3.10", "bin/pip -> /opt/gone/bin/python3.10",
    )  # fmt: skip
    assert (packages.cxx11_abi, packages.stale) == (1, ("te",))
