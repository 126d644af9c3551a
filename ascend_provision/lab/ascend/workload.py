"""What a server in use runs: the monitoring agent and a container, both real processes that hold NPU nodes.

That MindCluster's npu-exporter and a container with restart policy `always` are back after every reboot and occupy
the cards again is documented (vendor FAQ on occupied davinci nodes).
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from ascend_provision.lab.ascend.files import write, write_command
from ascend_provision.lab.ascend.units import HARDWARE_UNIT, write_unit

CONTAINER_NAME = "qwen-serving"
_IMAGE = "ascendhub/mindie:lab"
# The mounts of the published docker run lines for a card (documented: installation guides of vllm-ascend and MindIE).
_MOUNTS = (
    "/usr/local/dcmi",
    "/usr/local/bin/npu-smi",
    "/usr/local/Ascend/driver/lib64",
    "/usr/local/Ascend/driver/version.info",
    "/etc/ascend_install.info",
)

_EXPORTER = f"""[Unit]
Description=Ascend npu exporter
After={HARDWARE_UNIT}

[Service]
ExecStart=/usr/local/bin/npu-exporter -ip=127.0.0.1 -port=8082
Restart=always
RestartSec=2

[Install]
WantedBy=multi-user.target
"""

_DOCKER = f"""[Unit]
Description=Docker Application Container Engine (lab)
After={HARDWARE_UNIT}

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/opt/ascend-lab/bin/dockerd start
ExecStop=/opt/ascend-lab/bin/dockerd stop
KillMode=process

[Install]
WantedBy=multi-user.target
"""


def write_exporter(root: Path) -> None:
    """npu-exporter.service: holds /dev/davinci_manager."""
    write(
        root / "usr/local/bin/npu-exporter",
        '#!/bin/sh\nexec /opt/ascend-lab/jobs/npu-exporter "$@"\n',
        0o755,
    )
    write_unit(root, "npu-exporter.service", _EXPORTER)


def write_docker(root: Path, *, host: str) -> str:
    """docker, docker.service and one serving container that holds two cards; its 64 digit id."""
    identity = hashlib.sha256(f"{host}/{CONTAINER_NAME}".encode()).hexdigest()
    config = {
        "NAME": CONTAINER_NAME,
        "IMAGE": _IMAGE,
        "COMMAND": "/opt/ascend-lab/jobs/python",
        "DEVICES": "/dev/davinci0 /dev/davinci1 /dev/davinci_manager",
        "NODES": "/dev/devmm_svm /dev/hisi_hdc",
        "MOUNTS": " ".join(_MOUNTS),
        # assumed: how much shared memory a serving container gets, and which of the stack's variables it sets
        "SHM": str(16 * 1024**3),
        "ENV": "PATH=/usr/local/bin:/usr/bin:/bin HCCL_CONNECT_TIMEOUT=1200",
        "RESTART": "always",
        "PRIVILEGED": "false",
        "WANTED": "yes",
        "STARTED": "2024-01-01T00:00:00.000000000Z",
    }
    text = "".join(f"{key}={value}\n" for key, value in config.items())
    write(root / "opt/ascend-lab/docker" / identity / "config", text)
    write_command(root / "usr/bin/docker", "docker")
    write_unit(root, "docker.service", _DOCKER)
    return identity
