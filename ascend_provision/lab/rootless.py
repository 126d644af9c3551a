"""Be root: the machine's, or of a user namespace of our own in which the same lab works unchanged."""

from __future__ import annotations

import os
import sys

from ascend_provision.lab import machine
from ascend_provision.lab.places import NAME_VARIABLE, ROOTLESS_VARIABLE, RUN_VARIABLE, fleet_place, run_directory
from ascend_provision.lab.running import running_daemon


def become_root(fleet: str | None) -> None:
    """Return at once for root. Else run this very command again as root of a user namespace.

    That of the running fleet, if it runs (its files and networks belong to it), or a new one. LabError if the machine
    allows none.
    """
    if os.geteuid() == 0:
        return
    place = fleet_place(fleet)
    environment = {**os.environ, RUN_VARIABLE: str(run_directory()), ROOTLESS_VARIABLE: "1", NAME_VARIABLE: place.name}
    command = [sys.executable, *sys.orig_argv[1:]]
    daemon = running_daemon(place)
    if daemon is not None:
        joined = ["nsenter", "-t", str(daemon), "-U", "--preserve-credentials", *command]
        os.execvpe(joined[0], joined, environment)  # noqa: S606 - argv
    machine.require_programs(machine.ROOTLESS_PROGRAMS)
    reason = machine.why_no_user_namespace()
    if reason:
        raise reason
    os.execvpe("unshare", ["unshare", "--user", "--map-root-user", "--map-auto", *command], environment)  # noqa: S606 - argv
