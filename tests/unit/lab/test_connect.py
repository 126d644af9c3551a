"""ssh's way into a fleet's network never opens a connection in the machine's own."""

from __future__ import annotations

import os
import subprocess
import sys

from ascend_provision.lab import connect


def test_a_process_that_is_not_the_daemon_any_more_is_refused() -> None:
    ran = subprocess.run(
        [sys.executable, "-I", "-S", connect.__file__, str(os.getpid()), "net:[1]", "127.0.0.1", "22"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 1
    assert ran.stderr == "ssh: connect to host 127.0.0.1 port 22: the lab fleet is not up any more\n"


def test_a_process_that_has_ended_is_refused() -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()

    ran = subprocess.run(
        [sys.executable, "-I", "-S", connect.__file__, str(ended.pid), "net:[1]", "127.0.0.1", "22"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 1
    assert "No such file or directory" in ran.stderr
