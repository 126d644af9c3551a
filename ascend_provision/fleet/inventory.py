"""Inventories and host patterns, read by Ansible itself; a wrong name is an error here, not a silent skip."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.model import Noun

_TIMEOUT_SECONDS = 120
_UNMATCHED = re.compile(r"Could not match supplied host pattern, ignoring: (\S+)")
_UNPARSED = re.compile(r"Unable to parse (\S+) as an inventory source")


class Inventory(Noun):
    """The sources as given to Ansible (absolute paths, or a `host,` list) and the hosts that the pattern names."""

    sources: tuple[str, ...]
    hosts: tuple[str, ...]


def load(sources: Sequence[str], pattern: str) -> Inventory:
    """The hosts of `pattern`; raises `UsageError` for a missing or unreadable source and for a name without hosts."""
    named = tuple(_source(source) for source in sources)
    _refuse_what_widens(pattern)
    argv = [str(Path(sys.executable).parent / "ansible"), "--list-hosts"]
    for source in named:
        argv += ["-i", source]
    argv += ["--", pattern]
    try:
        done = subprocess.run(
            argv, capture_output=True, text=True, timeout=_TIMEOUT_SECONDS, check=False, env=quiet_environment()
        )
    except subprocess.TimeoutExpired:
        raise UsageError(
            f"reading the inventory {', '.join(named)} took more than {_TIMEOUT_SECONDS} s",
            code="inventory-slow",
            next_action="try `ansible-inventory --list` on it: an inventory plugin may wait for its server",
        ) from None
    said = " ".join((done.stderr + done.stdout).split())
    if unparsed := _UNPARSED.search(said):
        raise UsageError(
            f"`{unparsed[1]}` is not an inventory Ansible can read", code="inventory-unreadable", why=_tail(done.stderr)
        )
    hosts = tuple(line.strip() for line in done.stdout.splitlines()[1:] if line.strip())
    if unmatched := _UNMATCHED.search(said):
        raise UsageError(
            f"no host or group `{unmatched[1]}` in {', '.join(named) or 'the default inventory'}",
            code="inventory-no-match",
            next_action="see the names: `"
            + " ".join(["ansible-inventory --graph", *(f"-i {source}" for source in named)])
            + "`",
        )
    if done.returncode != 0:
        raise UsageError("the inventory could not be read", code="inventory-unreadable", why=_tail(done.stderr))
    if not hosts:
        raise UsageError(f"pattern `{pattern}` names no host", code="inventory-no-match")
    if bad := [host for host in hosts if "/" in host]:
        raise UsageError(
            f"host name `{bad[0]}` has a `/`: it names a file in the records of a run, so it must be a file name",
            code="inventory-host-name",
            next_action="give the host a plain name and put the address into `ansible_host`",
        )
    return Inventory(sources=named, hosts=hosts)


def _refuse_what_widens(pattern: str) -> None:
    """Ansible reads an empty pattern as every host, and drops an unclosed bracket: `~[` is every host as well."""
    if not pattern.strip(" \t\n,:"):
        raise UsageError(
            "the host pattern is empty", code="hosts-empty", next_action="name hosts or groups, or say `--hosts all`"
        )
    if pattern.count("[") != pattern.count("]"):
        raise UsageError(f"a bracket in host pattern `{pattern}` is not closed", code="hosts-bracket")


def _source(text: str) -> str:
    if "," in text:
        return text
    path = Path(text).expanduser()
    try:
        present = path.exists()
        readable = os.access(path, os.R_OK)
    except PermissionError:
        present, readable = True, False
    if present and not readable:
        raise UsageError(
            f"inventory `{text}` cannot be read by this user",
            code="inventory-unreadable",
            next_action=f"run as a user who may, or change the rights: ls -l {text}",
        )
    if not present:
        raise UsageError(
            f"inventory `{text}` does not exist",
            code="inventory-missing",
            next_action="give a file or directory: `-i FILE`",
        )
    return str(path.resolve())


def quiet_environment() -> dict[str, str]:
    """The user's environment, with what Ansible prints beside its answer switched off."""
    return {**os.environ, "ANSIBLE_NOCOLOR": "1", "ANSIBLE_FORCE_COLOR": "0", "ANSIBLE_LOCALHOST_WARNING": "False"}


def _tail(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""
