"""The host commands that the lab answers itself: uname, dkms, docker."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.unit.lab.ascend.conftest import Host


def test_uname_wears_the_release_and_keeps_the_machines_architecture(a1_hdk22: Host) -> None:
    release = a1_hdk22.run("uname", "-r").stdout.strip()

    assert release.startswith("5.10.0-23-")
    assert a1_hdk22.run("uname", "-sr").stdout == f"Linux {release}\n"
    assert a1_hdk22.run("uname").stdout == "Linux\n"
    assert release in a1_hdk22.run("uname", "-a").stdout


@pytest.fixture
def compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A gcc and a make for the simulated dkms to find; a bare controller has neither."""
    for tool in ("gcc", "make"):
        (tmp_path / tool).write_text("#!/bin/sh\n", encoding="utf-8")
        (tmp_path / tool).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.usefixtures("compiler")
def test_dkms_builds_against_the_headers_of_the_kernel(a1_hdk22: Host) -> None:
    assert a1_hdk22.run("dkms", "add", "-m", "davinci_ascend", "-v", "1.0").returncode == 0
    assert a1_hdk22.run("dkms", "build", "-m", "davinci_ascend", "-v", "1.0").returncode == 0
    assert a1_hdk22.run("dkms", "install", "davinci_ascend/1.0").returncode == 0

    release = a1_hdk22.run("uname", "-r").stdout.strip()
    arch = a1_hdk22.run("uname", "-m").stdout.strip()
    assert a1_hdk22.run("dkms", "status").stdout == f"davinci_ascend/1.0, {release}, {arch}: installed\n"

    assert a1_hdk22.run("dkms", "remove", "davinci_ascend/1.0", "--all").returncode == 0
    assert a1_hdk22.run("dkms", "status").stdout == ""


def test_dkms_without_headers_says_where_it_looked(a1_hdk22: Host) -> None:
    a1_hdk22.run("dkms", "add", "-m", "davinci_ascend", "-v", "1.0")

    done = a1_hdk22.run("dkms", "build", "-m", "davinci_ascend", "-v", "1.0", "-k", "4.19.90")

    assert done.returncode == 1
    assert "/lib/modules/4.19.90/build" in done.stderr


def test_a_failed_build_leaves_the_compilers_error_in_make_log(a1_hdk22: Host) -> None:
    a1_hdk22.fault("dkms-build-fails")
    a1_hdk22.run("dkms", "add", "-m", "davinci_ascend", "-v", "1.0")

    done = a1_hdk22.run("dkms", "build", "-m", "davinci_ascend", "-v", "1.0")

    assert done.returncode == 10
    log = a1_hdk22.root / "var/lib/dkms/davinci_ascend/1.0/build/make.log"
    assert "error:" in log.read_text()


def test_without_its_daemon_docker_says_so(a1_hdk22: Host) -> None:
    done = a1_hdk22.run("docker", "ps")

    assert done.returncode == 1
    assert "Is the docker daemon running?" in done.stderr


def test_docker_names_the_devices_and_the_restart_policy_of_a_container(a1_hdk22: Host) -> None:
    (a1_hdk22.root / "run/ascend-lab/docker.sock").touch()

    assert a1_hdk22.run("docker", "ps", "-q").stdout == ""
    assert a1_hdk22.run("docker", "ps", "-a", "--format", "{{.Names}}").stdout == "qwen-serving\n"
    (container,) = json.loads(a1_hdk22.run("docker", "inspect", "qwen-serving").stdout)
    assert container["HostConfig"]["RestartPolicy"]["Name"] == "always"
    assert [d["PathOnHost"] for d in container["HostConfig"]["Devices"]][:1] == ["/dev/davinci0"]

    form = "{{.HostConfig.ShmSize}}|{{range .Mounts}}{{.Source}}>{{.Destination}} {{end}}|{{.HostConfig.Runtime}}"
    said = a1_hdk22.run("docker", "inspect", "qwen-serving", "--format", form).stdout
    assert said.startswith("17179869184|/usr/local/dcmi>/usr/local/dcmi ")
    assert said.endswith("|runc\n")
    variables = a1_hdk22.run(
        "docker", "inspect", "qwen-serving", "--format", "{{range .Config.Env}}{{println .}}{{end}}"
    )
    assert "HCCL_CONNECT_TIMEOUT=1200" in variables.stdout.splitlines()

    a1_hdk22.run("docker", "update", "--restart=no", "qwen-serving")
    policy = a1_hdk22.run("docker", "inspect", "qwen-serving", "--format", "{{.HostConfig.RestartPolicy.Name}}").stdout
    assert policy == "no\n"


@pytest.mark.parametrize(
    "arguments", [["inspect", "absent"], ["stop", "absent"], ["ps", "--format", "{{.Ports}}"], ["run", "x"]]
)
def test_docker_refuses_what_it_does_not_know(a1_hdk22: Host, arguments: list[str]) -> None:
    (a1_hdk22.root / "run/ascend-lab/docker.sock").touch()

    done = a1_hdk22.run("docker", *(["ps", "-a", *arguments[1:]] if arguments[0] == "ps" else arguments))

    assert done.returncode == 1
    assert done.stderr
