"""What stops a host before anything is touched: each reason names what was seen, each lift the smallest change.

The rules are published ones: a failed module build of an overwrite leaves no driver at all, so everything a build
needs is proved first (CANN 8.0.0 software installation guide, driver FAQ); a pending kernel has no matching module
after the reboot; 910b firmware x.11 wants 23.0.RC1 first (env_check.sh of the driver package).
"""

from __future__ import annotations

from collections.abc import Iterator

from ascend_provision.knowledge import downgrades, patterns, prerequisites, products, services, stopovers, systems
from ascend_provision.planner.reading import jobs, say, virtual_npus
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.model import Noun, Unknown
from ascend_provision.stack.packages import Package
from ascend_provision.stack.target import Target

SPACE_FACTOR = 3
"""Free space wanted for each byte of package: the staged file, what it unpacks in /tmp, and what it installs."""


class Reason(Noun):
    why: str
    lift: str = ""


def of_host(
    facts: HostFacts, packages: tuple[Package, ...], target: Target, *, changes_hdk: bool, fresh: bool
) -> tuple[Reason, ...]:
    """Every reason to leave the host alone, not just the first."""
    reasons = [*_jobs(facts), *_space(facts, packages), *(_mounts(facts) if packages else ())]
    if changes_hdk:
        reasons += [*_kernel(facts), *_build(facts, fresh=fresh), *_stopover(facts), *_back(facts, target)]
        reasons += _virtual(facts)
    if any(package.component == "toolkit" for package in packages):
        reasons += _python(facts)
    return tuple(reasons)


def unreadable(facts: HostFacts) -> tuple[Reason, ...]:
    """Facts without which no plan can be made."""
    needed: dict[str, object] = {
        "PCI devices": facts.pci,
        "machine architecture": facts.arch,
        "driver version file": facts.driver.file,
        "running driver": facts.driver.running,
        "firmware version file": facts.firmware.file,
        "CANN installations": facts.cann,
        "device holders": facts.holders,
        "services": facts.services,
        "containers": facts.containers,
        "this program's own record": facts.record,
        "running kernel": facts.kernel.running,
        "boot id": facts.boot.boot_id,
    }
    return tuple(
        Reason(why=f"{name} could not be read: {value.unknown}", lift=value.settle or "see `facts` for this host")
        for name, value in needed.items()
        if isinstance(value, Unknown)
    )


def _jobs(facts: HostFacts) -> Iterator[Reason]:
    found = jobs(facts)
    if isinstance(found, Unknown):
        return
    for holder in found:
        yield Reason(
            why=f"a job holds a card: {services.describe(holder)}",
            lift="wait for it, or ask its owner to stop it; ascend-provision never stops another user's job",
        )
    if isinstance(facts.card_processes, Unknown) or isinstance(facts.holders, Unknown):
        return
    known = {holder.pid for holder in facts.holders}
    for process in facts.card_processes:
        if process.pid not in known:
            yield Reason(
                why=f"npu-smi names process {process.pid} ({process.name or 'unnamed'}) on NPU {process.npu_id}, "
                "which no process list of this host shows",
                lift="find it (another namespace or a container runtime this tool does not read) and stop it",
            )


def _space(facts: HostFacts, packages: tuple[Package, ...]) -> Iterator[Reason]:
    if isinstance(facts.disks, Unknown):
        yield Reason(why=f"free disk space could not be read: {facts.disks.unknown}")
        return
    wanted = SPACE_FACTOR * sum(package.size for package in packages) // 2**20
    for disk in facts.disks:
        if disk.path in {"/usr/local", "/tmp", "/var"} and disk.free_mb < wanted:  # noqa: S108 - asked about, not used
            yield Reason(
                why=f"{disk.path} has {disk.free_mb} MB free, the packages want {wanted} MB",
                lift=f"free {wanted - disk.free_mb} MB under {disk.path}",
            )


def _mounts(facts: HostFacts) -> Iterator[Reason]:
    """By the time a package finds that it cannot start its installer, the old driver is gone."""
    if isinstance(facts.mounts, Unknown):
        return
    for wrong in prerequisites.unusable(facts.mounts):
        place = wrong.partition(" ")[0]
        yield Reason(
            why=f"{wrong}: packages could not be unpacked, started or installed there",
            lift=f"mount -o remount,rw,exec {place}, for the time of the change",
        )


def _virtual(facts: HostFacts) -> Iterator[Reason]:
    if numbers := virtual_npus(facts):
        yield Reason(
            why=f"cards are split into virtual NPUs ({', '.join(numbers)}), which keep the driver in use",
            lift="destroy them with their users' consent: npu-smi set -t destroy-vnpu",
        )


def _kernel(facts: HostFacts) -> Iterator[Reason]:
    kernel = facts.kernel
    if isinstance(kernel.next_boot, str) and isinstance(kernel.running, str) and kernel.next_boot != kernel.running:
        yield Reason(
            why=f"another kernel boots next: running {kernel.running}, next boot {kernel.next_boot}; "
            "after the reboot no driver module would match",
            lift=f"reboot into {kernel.next_boot} first, or set {kernel.running} as the default kernel",
        )


def _build(facts: HostFacts, *, fresh: bool) -> Iterator[Reason]:
    """Tools the installers call; a fresh host gets them from `prepare`, so only what that cannot give counts."""
    if isinstance(facts.tools, Unknown):
        yield Reason(why=f"installed tools could not be read: {facts.tools.unknown}")
        return
    missing = [tool for tool in prerequisites.tools() if not facts.tools.get(tool, False)]
    if missing and not fresh:
        yield Reason(
            why=f"the installers need {', '.join(missing)}, not found on the host",
            lift=f"install: {' '.join(prerequisites.packages(missing, say(facts.os.id)))}",
        )
    if facts.kernel.headers is False:
        yield Reason(
            why=f"no kernel headers for the running kernel {say(facts.kernel.running)} "
            f"(/lib/modules/{say(facts.kernel.running)}/build): a failed module build leaves no driver",
            lift=f"install the headers of exactly {say(facts.kernel.running)}",
        )


def _python(facts: HostFacts) -> Iterator[Reason]:
    """The CANN installer looks for it last of all: a host without one would end half-way, with its HDK changed."""
    wanted = f"Python {prerequisites.oldest_python()} or later"
    if isinstance(facts.pythons, Unknown):
        yield Reason(why=f"the host's Pythons could not be read: {facts.pythons.unknown}")
    elif not prerequisites.usable_python(facts.pythons):
        listed = ", ".join(f"{path} {version}" for path, version in sorted(facts.pythons.items())) or "none at all"
        yield Reason(
            why=f"the CANN toolkit's installer wants {wanted}; the host has {listed}",
            lift=f"install {wanted} on the host, or leave `cann` out of the target",
        )


def _back(facts: HostFacts, target: Target) -> Iterator[Reason]:
    """A driver that the cards refuse, or that is too old for the system: after an uninstall there would be none."""
    product = None if isinstance(facts.pci, Unknown) else products.identify(facts.pci)
    if product is None or target.driver is None:
        return
    for found in downgrades.refused(product.chip, target.driver, facts.hardware):
        yield Reason(why=f"{found.text} ({found.source})", lift="choose a release that the cards take, or other cards")
    known = [value for value in (facts.os.id, facts.os.version_id, facts.os.pretty_name) if isinstance(value, str)]
    if len(known) < 3:
        return
    names = systems.names(known[0], known[1], known[2])
    for row in systems.below_minimum(known[0], names, str(facts.arch), product.title, {"hdk": str(target.driver)}):
        why = f"{row.product} under {known[2]} needs HDK {row.hdk}, not {target.driver} ({row.cited})"
        yield Reason(why=why, lift=f"choose HDK {patterns.example(row.hdk)} or newer, or another operating system")


def _stopover(facts: HostFacts) -> Iterator[Reason]:
    if isinstance(facts.pci, Unknown) or isinstance(facts.firmware.flash, Unknown):
        return
    product = products.identify(facts.pci)
    if product is None:
        return
    for first in dict.fromkeys(stopovers.before(product.chip, version) for version in facts.firmware.flash):
        if first is None:
            continue
        yield Reason(
            why=f"firmware {say(facts.firmware.flash)} on a {product.chip}: its installer demands {first} first",
            lift=f"put the {product.chip} {first} driver package in the store and upgrade to it first",
        )
