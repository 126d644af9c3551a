"""Who has an NPU device node open: links below /proc/PID/fd, with cgroup, user and command line of each process.

Sources: proc(5), cgroups(7); systemd.scope and the container runtimes' cgroup names for unit and container.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ascend_provision.evidence import users
from ascend_provision.evidence.reading import Reading, absent, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import Holder
from ascend_provision.stack.model import Unknown

_LINK = re.compile(r".*?(\d{1,10})/fd/\d+ -> (/dev/(?:davinci|devmm_svm|hisi_hdc)[\w/]*)(?: \(deleted\))?")
_SOCKET = re.compile(r".*?\d+/fd/\d+ -> socket:\[\d+\]")
_GROUP = re.compile(r"pid=(\d{1,10})(?: state=(\w))? uid=(\d{1,10}) cgroup=(.*)")
_COMMAND = re.compile(r"pid=(\d{1,10}) command=(.*)")
_CONTAINER = re.compile(r"(?:^|[/:-])([0-9a-f]{64})(?:\.scope)?(?:/|$)")
_HOSTS_OF_OTHERS = re.compile(
    r"(sshd?|cron|crond|atd|anacron|getty|serial-getty|systemd-logind|docker|containerd|crio|kubelet|slurmd|munge|"
    r"jupyterhub|xinetd|ttyd|code-server|user)(@.*)?\.service"
)
"""Services whose processes are other people's jobs: stopping the service is not the way to end them."""


@dataclass(frozen=True)
class _Group:
    uid: int
    path: str
    state: str


def parse(
    devices: Evidence, groups: Evidence, commands: Evidence, accounts: Evidence, root: bool | Unknown
) -> Reading[tuple[Holder, ...] | Unknown]:
    """Every holder by pid. Without root only one's own processes are visible: then it is unknown and not nobody."""
    if (why := silence(devices)) is not None:
        return Reading(why)
    if root is not True:
        return Reading(Unknown(unknown="only root can see which processes hold the cards", settle="probe with become"))
    open_nodes: dict[int, set[str]] = {}
    unread: list[str] = []
    for line in lines(devices.text):
        if match := _LINK.fullmatch(line):
            open_nodes.setdefault(int(match[1]), set()).add(match[2])
        elif not _SOCKET.fullmatch(line):
            unread.append(line)
    unread += [line for line in lines(groups.text) if not _GROUP.fullmatch(line)]
    if unread:
        return Reading(Unknown(unknown=f"holders: not understood: {unread[0][:120]}"), unread=tuple(unread))
    if open_nodes and (why := silence(groups)) is not None:
        return Reading(why)
    owners = {
        int(row[1]): _Group(int(row[3]), row[4], row[2] or "")
        for line in lines(groups.text)
        if (row := _GROUP.fullmatch(line))
    }
    said = {int(row[1]): row[2].strip() for line in lines(commands.text) if (row := _COMMAND.fullmatch(line))}
    names = {} if absent(accounts) else users.names(accounts)
    return Reading(
        tuple(
            Holder(
                pid=pid,
                uid=owner.uid,
                user=names.get(owner.uid, ""),
                command=said.get(pid, ""),
                devices=tuple(sorted(open_nodes[pid])),
                container=container(owner.path),
                unit=unit(owner.path),
                state=owner.state,
            )
            for pid in sorted(open_nodes)
            if (owner := owners.get(pid)) is not None  # it ended while the probe looked
        )
    )


def container(cgroup: str) -> str | None:
    """The 64-digit id in a cgroup path: `/docker/<id>`, `docker-<id>.scope`, `cri-containerd-<id>.scope` …"""
    match = _CONTAINER.search(cgroup)
    return match[1] if match else None


def unit(cgroup: str) -> str | None:
    """The system service (or session scope) a process belongs to; None for what no service of its own runs."""
    if container(cgroup):
        return None
    parts = cgroup.strip("/").split("/")
    if parts[0] == "user.slice":
        return parts[-1] if parts[-1].endswith(".scope") else None
    services = [part for part in parts if part.endswith(".service")]
    if not services or _HOSTS_OF_OTHERS.fullmatch(services[0]):
        return None
    return services[0]
