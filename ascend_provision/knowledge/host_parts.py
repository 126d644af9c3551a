"""A host's facts as parts for the solver, and what its installed files say about today's pairs."""

from __future__ import annotations

from ascend_provision.knowledge import products, stopovers
from ascend_provision.knowledge.answers import Fit
from ascend_provision.knowledge.components import Component
from ascend_provision.knowledge.explanation import Lists
from ascend_provision.knowledge.matrix import Matrix
from ascend_provision.knowledge.solution import Part
from ascend_provision.stack.facts import KERNEL_PARTS, SUITE_PARTS, CannInstall, HostFacts
from ascend_provision.stack.model import Unknown

_FRAMEWORKS: tuple[Component, ...] = ("torch_npu", "torch", "mindspore")


def chip(facts: HostFacts) -> str | None:
    """The package token of the host's chips by its PCI ids; None when they could not be read or name no product."""
    product = None if isinstance(facts.pci, Unknown) else products.identify(facts.pci)
    return product.chip if product else None


def parts(facts: HostFacts) -> tuple[Part, ...]:
    """What is installed: driver and firmware by their files, CANN by its newest toolkit, and every Python environment.

    What could not be read is a part nobody told; an environment's Python is fixed, another one is another environment.
    """
    flash = facts.firmware.flash
    firmware = flash[0] if not isinstance(flash, Unknown) and len(flash) == 1 else facts.firmware.file
    found = [_part("hdk", facts.driver.file), _part("firmware", firmware)]
    if isinstance(facts.cann, Unknown):
        found.append(Part(component="cann", told=False))
    else:
        found.append(_part("cann", max((i.version for i in facts.cann if i.part in SUITE_PARTS), default=None)))
        beside: dict[Component, list[CannInstall]] = {
            "kernels": [item for item in facts.cann if item.part in KERNEL_PARTS],
            "nnal": [item for item in facts.cann if item.part == "nnal"],
        }
        found += [_part(name, max(item.version for item in items)) for name, items in beside.items() if items]
    for env in () if isinstance(facts.environments, Unknown) else facts.environments:
        installed = [
            Part(component=name, version=str(version), where=env.path)
            for name in _FRAMEWORKS
            if (version := getattr(env, name)) is not None
        ]
        if installed and env.python is not None:
            found.append(Part(component="python", version=str(env.python), where=env.path, fixed=True))
        found += installed
    return tuple(found)


def _part(component: Component, version: object) -> Part:
    if isinstance(version, Unknown):
        return Part(component=component, told=False)
    return Part(component=component, version=None if version is None else str(version))


def lists(facts: HostFacts) -> Lists:
    """What the installed packages say about each other, where they are what runs.

    A list is that of the package whose file it stands in: it says nothing about another driver that is still loaded,
    or another firmware that is still in the flash.
    """
    suite = None if isinstance(facts.cann, Unknown) else _newest(facts.cann)
    driver, firmware = facts.driver, facts.firmware
    loaded = driver.running is None or driver.running == driver.file
    flashed = not isinstance(firmware.flash, Unknown) and set(firmware.flash) == {firmware.file}
    return Lists(
        accepts_firmware=_text(driver.accepts_firmware) if loaded else None,
        accepts_driver=_text(firmware.accepts_driver) if flashed else None,
        driver_inner=_text(driver.inner) if loaded else None,
        driver_accepts=_text(driver.accepts_cann) if loaded else None,
        cann_inner=suite.inner if suite else None,
        cann_accepts=suite.accepts_driver if suite else None,
    )


def _newest(installs: tuple[CannInstall, ...]) -> CannInstall | None:
    return max((item for item in installs if item.part in SUITE_PARTS), key=lambda item: item.version, default=None)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def known(facts: HostFacts, matrix: Matrix) -> dict[tuple[Component, Component], Fit]:
    """Today's pairs of driver, firmware and CANN, files and rows together."""
    asked: dict[Component, str] = {
        part.component: part.version
        for part in parts(facts)
        if part.version and part.component in ("hdk", "firmware", "cann")
    }
    told = matrix.explain(asked, chip(facts) or "", lists(facts))
    return {(pair.a.component, pair.b.component): pair.answer.verdict for pair in told.pairs}


def stopover(facts: HostFacts) -> str | None:
    """The release that must be installed before any other HDK on this host; None when any may be."""
    if isinstance(facts.firmware.flash, Unknown):
        return None
    return stopovers.demanded(chip(facts) or "", facts.firmware.flash)
