"""Facts + matrix -> findings; one module per topic. Pure.

`judge_host` and `judge_fleet` are what `check` reports, `judge_target` is what `verify` and an upgrade prove.
"""

from __future__ import annotations

from collections.abc import Sequence

from ascend_provision.check import (
    access,
    account,
    build,
    cards,
    chips,
    container_setup,
    containers,
    env,
    env_paths,
    fleet,
    hccn,
    holders,
    leftovers,
    libraries,
    pairing,
    pending,
    ports,
    prerequisites,
    python,
    python_packages,
    rank_tables,
    target,
    what_if,
)
from ascend_provision.check.reading import no_driver, suites
from ascend_provision.knowledge.matrix import Matrix
from ascend_provision.knowledge.wishes import Wish
from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding, Verdict
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.target import Target
from ascend_provision.stack.versions import FrameworkVersion

__all__ = ["judge_as_if", "judge_fleet", "judge_host", "judge_target"]


def judge_host(
    facts: HostFacts, *, target_python: FrameworkVersion | None = None, matrix: Matrix | None = None
) -> tuple[Finding, ...]:
    """Everything that can be said about one host.

    `target_python` is the oldest Python the ansible-core here manages; `matrix` the published one unless a site has
    rows of its own.
    """
    return (
        *chips.judge(facts),
        *access.judge(facts),
        *pairing.judge(facts, matrix),
        *pending.judge(facts),
        *hccn.judge(facts),
        *rank_tables.judge(facts),
        *env.judge(facts),
        *env_paths.judge(facts),
        *holders.judge(facts),
        *cards.judge(facts),
        *containers.judge(facts),
        *container_setup.judge(facts),
        *ports.judge(facts),
        *leftovers.judge(facts),
        *libraries.judge(facts),
        *prerequisites.judge(facts),
        *account.judge(facts),
        *build.judge(facts),
        *python.judge(facts, target_python),
        *python_packages.judge(facts, matrix),
    )


def judge_as_if(
    facts: HostFacts,
    wish: Wish,
    *,
    target_python: FrameworkVersion | None = None,
    matrix: Matrix | None = None,
) -> tuple[Finding, ...]:
    """The host as if the wish were installed and nothing else changed: every pair, and what else would be different.

    Beside pairs only what could be judged today too: nobody knows the nodes, files and users that an install brings,
    least of all where there is no driver yet.
    Last comes the least change that makes it consistent.
    """
    try:
        imagined = what_if.as_if(facts, wish)
        least = what_if.least_change(facts, wish, matrix)
    except UsageError as error:
        return (what_if.meaningless(facts, error),)
    today = set(judge_host(facts, target_python=target_python, matrix=matrix))
    judged = {one.id for one in today if one.verdict is not Verdict.SKIP and not no_driver(facts)}
    found = judge_host(imagined, target_python=target_python, matrix=matrix)
    shown = [one for one in found if one.id.startswith("pairing.") or (one.id in judged and one not in today)]
    return (*shown, least)


def judge_fleet(facts: Sequence[HostFacts]) -> tuple[Finding, ...]:
    """Differences between the hosts; a finding's host is empty, the odd ones are named in what was observed."""
    return tuple(fleet.judge(facts))


def judge_target(
    facts: HostFacts,
    wanted: Target,
    *,
    chips_before: int | None = None,
    boot_id_before: str | None = None,
    kernel: str | None = None,
) -> tuple[Finding, ...]:
    """Level 1 of a verification: running == target, and the host has rebooted with all its chips."""
    return tuple(target.judge(facts, wanted, chips_before=chips_before, boot_id_before=boot_id_before, kernel=kernel))


def judge_wish(facts: HostFacts, wish: Wish) -> tuple[Finding, ...]:
    """Does what is installed run, and is it what was wished for? For a wish that names a framework or a feature."""
    toolkit = max((item.version for item in suites(facts)), default=None)
    driver, firmware = facts.driver.file, facts.firmware.file
    installed = Target(
        driver=None if isinstance(driver, Unknown) else driver,
        firmware=None if isinstance(firmware, Unknown) else firmware,
        cann=toolkit,
    )
    try:
        met = what_if.fulfilled(facts, wish)
    except UsageError as error:
        return (what_if.meaningless(facts, error),)
    return (*judge_target(facts, installed), met)
