"""A guard as a host runs it, here without systemd: a real shell, real processes, a state directory of the test."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from ascend_provision.fleet import guard


class Host:
    """One host's guard; answers are `guard.Answer`s."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.steps = root / "steps"

    def start(self, verb: str, *words: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            ["dash", "-s"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"PATH": os.environ["PATH"], "GUARD_ROOT": str(self.root)},
        )
        assert process.stdin
        process.stdin.write(guard.message(verb, words))
        process.stdin.close()
        process.stdin = None
        return process

    def ask(self, verb: str, *words: str) -> guard.Answer:
        out, err = self.start(verb, *words).communicate(timeout=60)
        answer = guard.read(out.decode())
        assert answer is not None, err.decode()
        return answer

    def run(self, name: str, *argv: str, token: int = 1, run: str = "r1", **options: str) -> guard.Answer:
        flags = [word for key, value in options.items() for word in (f"--{key}", value)]
        return self.ask("run", "--run", run, "--token", str(token), "--name", name, *flags, "--", *argv)

    def take(self, run: str = "r1", ttl: int = 60, wait: int = 0, over: str = "") -> guard.Answer:
        return self.ask("take", run, "someone@laptop", str(ttl), str(wait), over)

    def expire(self) -> None:
        lease = (self.root / "lease").read_text()
        (self.root / "lease").write_text(re.sub(r"expires_at=\d+", "expires_at=1000", lease))

    def record(self) -> dict[str, str]:
        return dict(line.split("=", 1) for line in (self.root / "record").read_text().splitlines())


def running_in(tmp_path: Path) -> Iterator[Host]:
    """A host; what its commands left running ends with the test."""
    host = Host(tmp_path / "state")
    yield host
    for pid in host.steps.glob("*.pid"):
        if pid.with_suffix(".rc").exists():
            continue
        try:
            os.killpg(int(pid.read_text()), signal.SIGKILL)
        except (ProcessLookupError, PermissionError, ValueError):
            continue


def eventually(path: Path, *, seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while not path.exists() or not path.read_text():
        assert time.monotonic() < until, f"{path} did not appear"
        time.sleep(0.05)
