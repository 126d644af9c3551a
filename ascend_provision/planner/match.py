"""Which files of the package store make a target on a host of a given chip and architecture."""

from __future__ import annotations

from collections.abc import Sequence

from ascend_provision.knowledge import releases
from ascend_provision.stack.model import Noun
from ascend_provision.stack.packages import Component, Package
from ascend_provision.stack.target import Target


class Match(Noun):
    """The chosen file for each component that the target names, or why there is none."""

    packages: tuple[Package, ...]
    problems: tuple[str, ...]

    def of(self, component: Component) -> Package | None:
        return next((package for package in self.packages if package.component == component), None)


def choose(store: Sequence[Package], target: Target, *, chip: str, arch: str, components: Sequence[Component]) -> Match:
    """One package for each of `components`; a missing or ambiguous one is a problem in words."""
    chosen: list[Package] = []
    problems: list[str] = []
    for component in components:
        fits = [package for package in store if package.component == component and _is(package, target, chip)]
        here = [package for package in fits if package.chip in {None, chip} and package.arch in {None, arch}]
        if len(here) == 1:
            chosen.append(here[0])
        elif len(here) > 1:
            names = ", ".join(sorted(f"`{package.file}`" for package in here))
            problems.append(f"{len(here)} packages match {component} {_wanted(component, target)}: {names}; keep one")
        else:
            problems.append(_missing(store, fits, component, target, chip, arch))
    return Match(packages=tuple(chosen), problems=tuple(problems))


def _wanted(component: Component, target: Target) -> str:
    if component == "driver":
        return str(target.driver)
    return str(target.firmware if component == "firmware" else target.cann)


def _is(package: Package, target: Target, chip: str) -> bool:
    """The package's own number against the target's, through the published names of one release."""
    if package.component == "driver":
        return target.driver is not None and releases.reported(package.driver_version, chip) == target.driver
    if package.component == "firmware":
        if target.firmware is None:
            return False
        by_release = releases.firmware_for_package(package.driver_version, chip)
        return target.firmware in {package.firmware_version, by_release}
    return target.cann is not None and package.cann_version == target.cann


def _missing(
    store: Sequence[Package], fits: Sequence[Package], component: Component, target: Target, chip: str, arch: str
) -> str:
    """Name what is nearest, so that nobody searches for a file that only has another chip's token."""
    if fits:
        other = ", ".join(f"`{package.file}` (chip {package.chip}, {package.arch or 'any arch'})" for package in fits)
        return (
            f"{component} {_wanted(component, target)} is in the store only for another machine: {other}; "
            f"this host is chip {chip}, {arch}"
        )
    same = sorted(package.file for package in store if package.component == component and package.chip in {None, chip})
    have = ", ".join(f"`{name}`" for name in same) or "none"
    return f"no {component} package for {_wanted(component, target)}, chip {chip}, {arch} (store has: {have})"
