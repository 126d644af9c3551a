"""A package store on paper: the real file names of the stacks that tests move between."""

from __future__ import annotations

import hashlib

from ascend_provision.bundle import names
from ascend_provision.stack.packages import Package

FILES = (
    "Ascend-hdk-910-npu-driver_6.0.0_linux-x86-64.run",
    "Ascend-hdk-910-npu-firmware_6.0.0.run",
    "Ascend-cann-toolkit_6.0.1_linux-x86_64.run",
    "Ascend-cann-kernels-910_6.0.1_linux.run",
    "Ascend-hdk-910-npu-driver_23.0.3_linux-x86-64.run",
    "Ascend-hdk-910-npu-driver_23.0.3_linux-aarch64.run",
    "Ascend-hdk-910-npu-firmware_7.1.0.5.220.run",
    "Ascend-hdk-910b-npu-driver_23.0.3_linux-x86-64.run",
    "Ascend-hdk-910b-npu-firmware_7.1.0.5.220.run",
    "Ascend-cann-toolkit_7.0.0_linux-x86_64.run",
    "Ascend-cann-toolkit_7.0.0_linux-aarch64.run",
    "Ascend-cann-kernels-910_7.0.0_linux.run",
    "Ascend-cann-kernels-910b_7.0.0_linux.run",
    "Ascend-hdk-910-npu-driver_24.1.0_linux-x86-64.run",
    "Ascend-hdk-910-npu-firmware_7.5.0.2.220.run",
    "Ascend-cann-toolkit_8.0.0_linux-x86_64.run",
    "Ascend-cann-kernels-910_8.0.0_linux-x86_64.run",
)


def package(file: str, size: int = 2**20) -> Package:
    """The package of that name, with a hash that depends on the name alone."""
    named = names.parse(file)
    assert named is not None, file
    return Package(
        component=named.component,
        file=file,
        version=named.version,
        chip=named.chip,
        arch=named.arch,
        sha256=hashlib.sha256(file.encode()).hexdigest(),
        size=size,
    )


STORE = tuple(package(file) for file in FILES)
