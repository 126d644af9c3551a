"""Would the driver's kernel modules build and load here: kernel, compiler, signatures, and what a failed build left."""

from __future__ import annotations

from collections.abc import Iterator

from ascend_provision.check import finding
from ascend_provision.check.reading import product, several
from ascend_provision.knowledge import os_kernels, systems
from ascend_provision.knowledge.components import Component
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.versions import HdkVersion

_MINOR_COUNTED = frozenset("01234")
"""Before gcc 5 a new minor was a new compiler (4.8, 4.9); since then the first number says it."""


def judge(facts: HostFacts) -> Iterator[Finding]:
    """Each is asked on every host: the next driver is built for the kernel that runs now."""
    yield _system(facts)
    yield _kernel(facts)
    yield _compiler(facts)
    yield _failed(facts)
    yield _signing(facts)
    yield _unsupported(facts)


def _loaded(facts: HostFacts) -> bool:
    return not isinstance(facts.driver.modules_loaded, Unknown) and bool(facts.driver.modules_loaded)


def _system(facts: HostFacts) -> Finding:
    key, host, found = "build.system", facts.host, product(facts)
    for value in (facts.os.id, facts.os.version_id, facts.os.pretty_name, facts.arch, facts.pci):
        if isinstance(value, Unknown):
            return finding.unknown(key, host, value)
    if found is None:
        return finding.skip(key, host, "no NPU product is known")
    system, arch = str(facts.os.id), str(facts.arch)
    names = systems.names(system, str(facts.os.version_id), str(facts.os.pretty_name))
    here: dict[Component, str] = {"hdk": str(facts.driver.file)} if isinstance(facts.driver.file, HdkVersion) else {}
    if low := systems.below_minimum(system, names, arch, found.title, here):
        return finding.warn(
            key, host, f"HDK {here['hdk']} on {names[1]}", expected=f"HDK {low[0].hdk} on it", source=low[0].cited
        )
    answer = systems.supported(system, names, arch, found.chip)
    if answer.verdict == "compatible":
        return finding.ok(key, host, answer.why, source=answer.source)
    if _loaded(facts):
        return finding.ok(key, host, f"{answer.why}, and the driver's modules run on it")
    listed = several(list(answer.nearest), 6) or f"a system that is listed for {found.title}"
    return finding.warn(key, host, answer.why, expected=listed)


def _kernel(facts: HostFacts) -> Finding:
    key, host, running, found = "build.kernel", facts.host, facts.kernel.running, product(facts)
    for value in (running, facts.os.id, facts.arch, facts.pci):
        if isinstance(value, Unknown):
            return finding.unknown(key, host, value)
    if found is None:
        return finding.skip(key, host, "no NPU product is known")
    system, arch, release = str(facts.os.id), str(facts.arch), str(running)
    row = os_kernels.find(found.chip, system, arch, release)
    if row is not None and row.way == "replace":
        return finding.fail(key, host, release, expected=f"another kernel: {row.note}", source=row.cited)
    if row is not None and row.way == "changed":
        expected = "a kernel that the driver takes as it is"
        return finding.warn(
            key, host, f"{release}: only with a changed driver package", expected=expected, source=row.cited
        )
    if row is not None:
        return finding.ok(key, host, f"{release} is listed: modules are {row.way}", source=row.cited)
    if _loaded(facts):
        return finding.ok(key, host, f"{release} is not listed, and the driver's modules run on it")
    listed = several(sorted({known.kernel for known in os_kernels.listed(found.chip, system, arch)}), 4)
    expected = f"{listed} ({found.title})" if listed else f"a system that is listed for {found.title}"
    return finding.warn(key, host, f"{release} of {system} {arch}", expected=expected)


def _compiler(facts: HostFacts) -> Finding:
    key, host, kernels, installed = "build.compiler", facts.host, facts.kernel.gcc, facts.compiler
    if isinstance(kernels, Unknown):
        return finding.unknown(key, host, kernels)
    if isinstance(installed, Unknown):
        return finding.unknown(key, host, installed)
    if kernels is None or installed is None:
        why = "no gcc is installed" if installed is None else "the kernel does not say that gcc built it"
        return finding.skip(key, host, why)
    if _generation(kernels) == _generation(installed):
        return finding.ok(key, host, f"gcc {installed}, the kernel's is {kernels}")
    return finding.warn(key, host, f"gcc {installed}", expected=f"gcc {_generation(kernels)} as the kernel ({kernels})")


def _generation(version: str) -> str:
    first, _, rest = version.partition(".")
    return f"{first}.{rest.partition('.')[0]}" if first in _MINOR_COUNTED else first


def _failed(facts: HostFacts) -> Finding:
    key, host, tree = "build.failed", facts.host, facts.dkms
    if isinstance(tree, Unknown):
        return finding.unknown(key, host, tree)
    if tree is None:
        return finding.ok(key, host, "DKMS has nothing of the driver")
    if tree.error and tree.failed_for not in tree.built_for:
        kernel = tree.failed_for or "a kernel the log does not name"
        return finding.warn(
            key, host, f"the last build for {kernel} failed", expected="no log of a failed build", evidence=tree.error
        )
    return finding.ok(key, host, f"DKMS built for {several(list(tree.built_for)) or 'no kernel yet'}")


def _signing(facts: HostFacts) -> Finding:
    key, host, policy = "build.signing", facts.host, facts.module_policy
    if isinstance(policy, Unknown):
        return finding.unknown(key, host, policy)
    if not policy.enforced:
        boot = ", secure boot is on" if facts.secure_boot is True else ""
        return finding.ok(key, host, f"the kernel takes modules that nobody signed{boot}")
    if _loaded(facts):
        return finding.ok(key, host, "the kernel refuses unsigned modules and took the driver's")
    if policy.signer == "":
        return finding.fail(key, host, "the kernel refuses unsigned modules, and the driver's are unsigned")
    seen = f"; the driver's are signed by {policy.signer}" if policy.signer else ""
    return finding.warn(key, host, f"the kernel refuses modules that nobody it trusts has signed{seen}")


def _unsupported(facts: HostFacts) -> Finding:
    key, host, policy = "build.unsupported", facts.host, facts.module_policy
    if isinstance(policy, Unknown):
        return finding.unknown(key, host, policy)
    if policy.unsupported_allowed is None:
        return finding.skip(key, host, "this system has no such switch")
    if policy.unsupported_allowed or _loaded(facts):
        return finding.ok(key, host, "modules that the distributor does not support are taken")
    return finding.warn(key, host, "allow_unsupported_modules 0", expected="allow_unsupported_modules 1")
