from __future__ import annotations

import pytest

from ascend_provision.check import judge_host
from ascend_provision.stack.facts import Disk, HostFacts, KernelFacts, OsFacts, User
from ascend_provision.stack.machine import Mount
from ascend_provision.stack.model import Unknown
from tests.unit.check.cases import Case, fails, passes, prove, unknown, warns
from tests.unit.factories import KERNEL, TOOLS, a1_host, bare_host, changed

UNREAD = Unknown(unknown="the probe was cut")


def without(*tools: str) -> HostFacts:
    return changed(a1_host(), tools={tool: tool not in tools for tool in TOOLS})


def headers(value: bool | Unknown) -> HostFacts:
    return changed(a1_host(), kernel=KernelFacts(running=KERNEL, next_boot=KERNEL, headers=value))


def pythons(*versions: str) -> HostFacts:
    return changed(a1_host(), pythons={f"/opt/{version}/bin/python": version for version in versions})


def disk(**free: int) -> HostFacts:
    paths = {"usr": "/usr/local", "tmp": "/tmp", "var": "/var"}
    return changed(a1_host(), disks=tuple(Disk(path=paths[k], free_mb=v, total_mb=99_999) for k, v in free.items()))


def mounted(*more: tuple[str, str, str]) -> HostFacts:
    root = Mount(point="/", kind="ext4", options=("rw",))
    return changed(a1_host(), mounts=(root, *(Mount(point=p, kind=k, options=tuple(o.split(","))) for p, k, o in more)))


def system(there: bool | Unknown, *, link: bool) -> HostFacts:
    named = OsFacts(
        id="debian", version_id="11", pretty_name="Debian 11", os_release_is_link=link, os_release_there=there
    )
    return changed(a1_host(), os=named)


CASES: list[Case] = [
    passes("prerequisites.tools", "all there", lambda: judge_host(a1_host()), "dkms"),
    warns("prerequisites.tools", "no lspci", lambda: judge_host(without("lspci")), "lspci"),
    warns(
        "prerequisites.tools",
        "nothing to build a module with",
        lambda: judge_host(without("gcc", "make", "dkms")),
        "missing: gcc, make, dkms",
    ),
    unknown("prerequisites.tools", "not looked at", lambda: judge_host(changed(a1_host(), tools=UNREAD))),
    unknown(
        "prerequisites.tools", "not asked for", lambda: judge_host(changed(a1_host(), tools={"tar": True})), "lspci"
    ),
    passes("prerequisites.headers", "there", lambda: judge_host(a1_host()), KERNEL),
    warns("prerequisites.headers", "of another kernel only", lambda: judge_host(headers(False)), KERNEL),
    unknown("prerequisites.headers", "not looked at", lambda: judge_host(headers(UNREAD))),
    passes("prerequisites.python", "there", lambda: judge_host(a1_host()), "/usr/bin/python3"),
    passes("prerequisites.python", "one of two", lambda: judge_host(pythons("2.7.5", "3.9.2")), "3.9.2"),
    warns("prerequisites.python", "only an old one", lambda: judge_host(pythons("3.6.8")), "3.6.8"),
    warns("prerequisites.python", "none", lambda: judge_host(pythons()), "no Python at all"),
    unknown("prerequisites.python", "not looked at", lambda: judge_host(changed(a1_host(), pythons=UNREAD))),
    passes("prerequisites.space", "enough", lambda: judge_host(a1_host()), "/tmp 60000 MB"),
    warns(
        "prerequisites.space",
        "a full /tmp",
        lambda: judge_host(disk(usr=60_000, tmp=90, var=60_000)),
        "/tmp 90 MB free",
    ),
    unknown("prerequisites.space", "df did not say", lambda: judge_host(changed(a1_host(), disks=UNREAD))),
    unknown("prerequisites.space", "one path missing", lambda: judge_host(disk(usr=60_000, tmp=60_000)), "/var"),
    passes("prerequisites.root", "root", lambda: judge_host(a1_host())),
    warns("prerequisites.root", "somebody else", lambda: judge_host(changed(a1_host(), root=False))),
    unknown("prerequisites.root", "id said nothing", lambda: judge_host(changed(a1_host(), root=UNREAD))),
    passes("prerequisites.mounts", "one writable root", lambda: judge_host(a1_host())),
    warns(
        "prerequisites.mounts",
        "a hardened tmp",
        lambda: judge_host(mounted(("/tmp", "tmpfs", "rw,nosuid,noexec"))),
        "/tmp (tmpfs on /tmp) is noexec",
    ),
    passes(
        "prerequisites.mounts", "noexec where nothing runs", lambda: judge_host(mounted(("/var", "xfs", "rw,noexec")))
    ),
    passes("prerequisites.mounts", "another tmp", lambda: judge_host(mounted(("/tmpfs", "tmpfs", "rw,noexec")))),
    warns(
        "prerequisites.mounts", "an image", lambda: judge_host(mounted(("/usr", "erofs", "ro"))), "/usr/local (erofs"
    ),
    unknown("prerequisites.mounts", "not read", lambda: judge_host(changed(a1_host(), mounts=UNREAD))),
    passes("prerequisites.os-release", "a link as on every Debian", lambda: judge_host(a1_host()), "Debian"),
    warns(
        "prerequisites.os-release", "a dangling link", lambda: judge_host(system(False, link=True)), "link to nothing"
    ),
    warns("prerequisites.os-release", "gone", lambda: judge_host(system(False, link=False)), "missing"),
    unknown("prerequisites.os-release", "not looked at", lambda: judge_host(system(UNREAD, link=True))),
    passes("prerequisites.account", "there", lambda: judge_host(a1_host()), "1000:1000"),
    fails("prerequisites.account", "gone under a driver", lambda: judge_host(changed(a1_host(), users=()))),
    warns("prerequisites.account", "a bare host", lambda: judge_host(bare_host()), "no user HwHiAiUser"),
    unknown("prerequisites.account", "passwd unread", lambda: judge_host(changed(a1_host(), users=UNREAD))),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_prerequisites(case: Case) -> None:
    prove(case)


def test_what_is_missing_is_said_as_the_packages_of_this_system() -> None:
    debian = next(f for f in judge_host(without("lspci", "ifconfig")) if f.id == "prerequisites.tools")
    euler = OsFacts(id="openEuler", version_id="22.03", pretty_name="openEuler 22.03")
    rpm = next(f for f in judge_host(changed(headers(False), os=euler)) if f.id == "prerequisites.headers")

    assert debian.next_action == "install: pciutils net-tools"
    assert rpm.expected == f"kernel-devel-{KERNEL}"


def test_a_user_with_other_ids_is_still_there() -> None:
    users = (User(name="HwHiAiUser", uid=1001, gid=1001),)

    found = next(f for f in judge_host(changed(a1_host(), users=users)) if f.id == "prerequisites.account")
    assert found.verdict.value == "pass"
    assert "1001:1001" in found.observed


def test_headers_of_other_kernels_are_named_beside_the_missing_ones() -> None:
    other = KernelFacts(running=KERNEL, next_boot=KERNEL, headers=False, headers_of=("5.10.0-21-amd64",))
    found = next(f for f in judge_host(changed(a1_host(), kernel=other)) if f.id == "prerequisites.headers")

    assert found.evidence == "headers are there for 5.10.0-21-amd64"
    assert found.expected == f"linux-headers-{KERNEL}"
