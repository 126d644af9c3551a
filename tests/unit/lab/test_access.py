"""How people and Ansible reach the hosts."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest
import yaml

from ascend_provision.lab import access
from ascend_provision.lab.places import FleetPlace
from ascend_provision.lab.spec import HostStatus

PLACE = FleetPlace("rack7", Path("/run/ascend-lab/rack7"))
HOST = HostStatus(
    name="a1-1",
    index=1,
    ip="10.77.1.1",
    profile="atlas-800-9000",
    stack="hdk22",
    python="system",
    state="on",
    pid=4711,
    boots=1,
    cut=False,
)


def test_hosts_are_grouped_by_profile_below_one_group() -> None:
    other = dataclasses.replace(HOST, name="a2-1", ip="10.77.1.2", profile="atlas-800t-a2")

    read = yaml.safe_load(access.inventory(PLACE, [HOST, other]))

    lab = read["all"]["children"]["lab"]
    assert list(lab["children"]) == ["atlas_800_9000", "atlas_800t_a2"]
    assert lab["children"]["atlas_800_9000"]["hosts"] == {
        "a1-1": {"ansible_host": "10.77.1.1", "ansible_python_interpreter": "/usr/bin/python3"}
    }
    assert lab["vars"] == {
        "ansible_user": "root",
        "ansible_ssh_private_key_file": "/run/ascend-lab/rack7/id_ed25519",
        "ansible_ssh_common_args": "-F /run/ascend-lab/rack7/ssh_config",
        "ansible_control_path_dir": "/run/ascend-lab/rack7/cp",
    }


@pytest.mark.parametrize("python", ["none", "3.6"])
def test_no_interpreter_is_promised_for_a_host_without_the_images_python(python: str) -> None:
    read = yaml.safe_load(access.inventory(PLACE, [dataclasses.replace(HOST, python=python)]))

    hosts = read["all"]["children"]["lab"]["children"]["atlas_800_9000"]["hosts"]
    assert hosts == {"a1-1": {"ansible_host": "10.77.1.1"}}


def test_host_keys_are_checked() -> None:
    config = access.ssh_config(PLACE, os.getpid(), [HOST])

    assert "Host a1-1\n  HostName 10.77.1.1\n" in config
    assert "  StrictHostKeyChecking yes\n" in config
    assert "  UserKnownHostsFile /run/ascend-lab/rack7/known_hosts\n" in config


def test_from_outside_ssh_gets_its_socket_from_the_network_of_this_very_daemon() -> None:
    network = Path("/proc/self/ns/net").readlink()

    config = access.ssh_config(PLACE, os.getpid(), [HOST])

    assert f"Match exec \"test $(readlink /proc/self/ns/net) != '{network}'\"" in config
    assert f"connect.py {os.getpid()} {network} %h %p\n  ProxyUseFdpass yes" in config
