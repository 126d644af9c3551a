"""A directory that looks like a host's root, and the probe run on it: for what needs no tools of its own."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from ascend_provision.evidence import facts, wire
from ascend_provision.stack.facts import HostFacts

SCRIPT = b"".join((Path(wire.__file__).parent / "probe" / name).read_bytes() for name in wire.PARTS)


@dataclass
class Tree:
    """Files below `root`; what the last probe printed is in `said`."""

    root: Path
    tools: dict[str, str] = field(default_factory=dict)
    said: str = ""

    def file(self, path: str, text: str = "", mode: int = 0o644) -> Path:
        target = self.root / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        target.chmod(mode)
        return target

    def link(self, path: str, to: str) -> None:
        target = self.root / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.symlink_to(to)

    def facts(self, shell: list[str]) -> HostFacts:
        """What the probe finds there, as root."""
        bin_ = self.root.parent / "bin"
        bin_.mkdir(exist_ok=True)
        for name, script in {"id": "echo 0", **self.tools}.items():
            (bin_ / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
            (bin_ / name).chmod(0o755)
        environment = {"PATH": f"{bin_}:/usr/bin:/bin", "PROBE_ROOT": str(self.root)}
        done = subprocess.run(
            [*shell, "-s"], input=SCRIPT, env=environment, capture_output=True, timeout=100, check=True
        )
        self.said = done.stdout.decode("utf-8", "surrogateescape")
        return facts.read(wire.parse("node1", self.said))
