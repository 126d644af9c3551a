from __future__ import annotations

import pytest

from ascend_provision.check import judge_host
from ascend_provision.stack.facts import HostFacts, KernelFacts, OsFacts
from ascend_provision.stack.machine import DkmsTree, ModulePolicy
from ascend_provision.stack.model import Unknown
from tests.unit.check.cases import Case, fails, passes, prove, skips, unknown, warns
from tests.unit.factories import KERNEL, a1_host, a2_host, bare_host, changed, with_driver

UNREAD = Unknown(unknown="the probe was cut")
ERROR = "dma_pool_map.c:88:9: error: implicit declaration of function 'set_fs'"
UBUNTU = OsFacts(id="ubuntu", version_id="20.04", pretty_name="Ubuntu 20.04", os_release_is_link=True)
DUO = tuple(npu.model_copy(update={"device": "d500"}) for npu in a1_host().pci)


def kernel(release: str | Unknown, gcc: str | Unknown | None = "10.2.1") -> KernelFacts:
    return KernelFacts(running=release, next_boot=release, headers=True, headers_of=(), gcc=gcc)


def bare(release: str, system: OsFacts = UBUNTU, **changes: object) -> HostFacts:
    return changed(bare_host(), os=system, kernel=kernel(release), **changes)


def host(**changes: object) -> HostFacts:
    return changed(a1_host(), **changes)


def unloaded(policy: ModulePolicy) -> HostFacts:
    return with_driver(host(module_policy=policy), modules_loaded=())


EULER = OsFacts(id="openEuler", version_id="24.03", pretty_name="openEuler 24.03 (LTS-SP1)", os_release_is_link=True)


def on_euler(level: str, **changes: object) -> HostFacts:
    """An Atlas 800I A2 under a release that needs HDK 25.2.0."""
    host = a2_host(level=level)
    assert not isinstance(host.pci, Unknown)
    server = {"subsystem_vendor": "19e5", "subsystem_device": "3002"}
    pci = tuple(function.model_copy(update=server) for function in host.pci)
    return changed(host, os=EULER, arch="aarch64", pci=pci, **changes)


CASES: list[Case] = [
    warns(
        "build.system",
        "a driver older than the system asks for",
        lambda: judge_host(on_euler("hdk24")),
        "HDK 24.1.0 on 24.03 (LTS-SP1)",
    ),
    passes(
        "build.system",
        "a driver as new as the system asks for",
        lambda: judge_host(with_driver(on_euler("hdk24"), file="25.2.0", running="25.2.0")),
        "openEuler 24.03 (LTS-SP1) on aarch64 is listed for 910b without AI frameworks",
    ),
    passes(
        "build.system",
        "a system nobody lists, on which the driver runs",
        lambda: judge_host(a1_host()),
        "is not listed for 910, and the driver's modules run on it",
    ),
    warns(
        "build.system",
        "a system nobody lists, and no driver",
        lambda: judge_host(bare_host()),
        "debian 11 on x86_64 is not listed for 910",
    ),
    skips("build.system", "no card", lambda: judge_host(bare_host(pci=()))),
    unknown(
        "build.system",
        "no os-release",
        lambda: judge_host(changed(a1_host(), os=EULER.model_copy(update={"version_id": Unknown(unknown="no ID")}))),
    ),
    passes("build.kernel", "prebuilt", lambda: judge_host(bare("5.4.0-26-generic")), "modules are prebuilt"),
    passes("build.kernel", "not listed and running", lambda: judge_host(host()), "run on it"),
    warns("build.kernel", "just past a listed one", lambda: judge_host(bare("5.4.0-260-generic")), "5.4.0-260-generic"),
    warns("build.kernel", "a system that is not listed", lambda: judge_host(bare_host()), f"{KERNEL} of debian x86_64"),
    warns(
        "build.kernel",
        "one that takes a changed package only",
        lambda: judge_host(bare("5.13.0-30-generic", pci=DUO)),
        "only with a changed driver package",
    ),
    fails(
        "build.kernel", "one that must be replaced", lambda: judge_host(bare("6.5.0-44-generic", pci=DUO)), "6.5.0-44"
    ),
    unknown("build.kernel", "no uname", lambda: judge_host(host(kernel=kernel(UNREAD)))),
    skips("build.kernel", "no card", lambda: judge_host(host(pci=()))),
    passes("build.compiler", "the same", lambda: judge_host(host()), "gcc 10.2.1"),
    passes("build.compiler", "a later one of its series", lambda: judge_host(host(compiler="10.5.0"))),
    warns("build.compiler", "of another series", lambda: judge_host(host(compiler="7.3.0")), "gcc 7.3.0"),
    warns(
        "build.compiler",
        "before gcc 5 the minor is the series",
        lambda: judge_host(host(kernel=kernel(KERNEL, "4.8.5"), compiler="4.9.2")),
        "gcc 4.9.2",
    ),
    warns("build.compiler", "a number without an end", lambda: judge_host(host(compiler="9" * 5000)), "gcc 999"),
    unknown("build.compiler", "not asked", lambda: judge_host(host(compiler=UNREAD))),
    unknown("build.compiler", "the kernel's is not read", lambda: judge_host(host(kernel=kernel(KERNEL, UNREAD)))),
    skips("build.compiler", "no gcc", lambda: judge_host(host(compiler=None)), "no gcc"),
    skips("build.compiler", "a kernel of clang", lambda: judge_host(host(kernel=kernel(KERNEL, None)))),
    passes("build.failed", "no tree", lambda: judge_host(host())),
    passes("build.failed", "a good build", lambda: judge_host(host(dkms=DkmsTree(built_for=(KERNEL,)))), KERNEL),
    passes(
        "build.failed",
        "an old log of a kernel that was built since",
        lambda: judge_host(host(dkms=DkmsTree(built_for=(KERNEL,), failed_for=KERNEL, error=ERROR))),
    ),
    warns(
        "build.failed",
        "sources that do not fit the kernel",
        lambda: judge_host(host(dkms=DkmsTree(built_for=(), failed_for="5.13.0-30-generic", error=ERROR))),
        "for 5.13.0-30-generic failed",
    ),
    unknown("build.failed", "not readable", lambda: judge_host(host(dkms=UNREAD))),
    passes("build.signing", "anything goes", lambda: judge_host(host(secure_boot=True)), "secure boot is on"),
    passes(
        "build.signing",
        "enforced and loaded",
        lambda: judge_host(host(module_policy=ModulePolicy(enforced=True))),
        "took",
    ),
    fails(
        "build.signing", "unsigned under lockdown", lambda: judge_host(unloaded(ModulePolicy(enforced=True, signer="")))
    ),
    warns(
        "build.signing",
        "signed by somebody and not loaded",
        lambda: judge_host(unloaded(ModulePolicy(enforced=True, signer="site key"))),
        "signed by site key",
    ),
    warns(
        "build.signing",
        "a locked down host before its first driver",
        lambda: judge_host(changed(bare_host(), module_policy=ModulePolicy(enforced=True))),
    ),
    unknown("build.signing", "not read", lambda: judge_host(host(module_policy=UNREAD))),
    warns(
        "build.unsupported",
        "SUSE's default",
        lambda: judge_host(unloaded(ModulePolicy(enforced=False, unsupported_allowed=False))),
    ),
    passes(
        "build.unsupported",
        "switched on",
        lambda: judge_host(unloaded(ModulePolicy(enforced=False, unsupported_allowed=True))),
    ),
    skips("build.unsupported", "another system", lambda: judge_host(host())),
    unknown("build.unsupported", "not read", lambda: judge_host(host(module_policy=UNREAD))),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_build(case: Case) -> None:
    prove(case)


def test_a_failed_build_shows_the_compilers_own_first_error() -> None:
    tree = DkmsTree(built_for=(), failed_for=KERNEL, error=ERROR)
    found = next(finding for finding in judge_host(host(dkms=tree)) if finding.id == "build.failed")

    assert found.evidence == ERROR
