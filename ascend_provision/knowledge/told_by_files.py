"""What lists of packages say about one pair of versions; in words that tell whose lists they are."""

from __future__ import annotations

from collections.abc import Mapping

from ascend_provision.knowledge import answers, installed_lists
from ascend_provision.knowledge.answers import Answer
from ascend_provision.knowledge.components import Component
from ascend_provision.knowledge.explanation import Lists
from ascend_provision.stack.versions import FirmwareVersion, HdkVersion

_RECORDED = "as such packages were seen to say elsewhere"


def told_by_files(versions: Mapping[Component, str], lists: Lists) -> Answer | None:
    """None for pairs that no package lists, and where no list is given."""
    found: Answer | None = None
    if set(versions) == {"hdk", "firmware"} and (lists.accepts_firmware or lists.accepts_driver):
        driver, firmware = HdkVersion(versions["hdk"]), FirmwareVersion(versions["firmware"])
        found = installed_lists.driver_firmware(driver, firmware, lists.accepts_firmware, lists.accepts_driver)
    told = (lists.cann_inner, lists.cann_accepts, lists.driver_inner, lists.driver_accepts)
    if set(versions) == {"hdk", "cann"} and ((any(told) and not lists.recorded) or _one_pair(*told)):
        found = installed_lists.cann_driver(*told)
    return found if found is None or not lists.recorded else _elsewhere(found, lists)


def _one_pair(
    cann_inner: str | None, cann_accepts: str | None, driver_inner: str | None, driver_accepts: str | None
) -> bool:
    """At least one side's list and the other side's inner version are there: enough to say something."""
    return bool((cann_accepts and driver_inner) or (driver_accepts and cann_inner))


def _elsewhere(found: Answer, lists: Lists) -> Answer:
    if found.verdict == "incompatible" and not lists.public:
        return answers.unknown(
            f"{found.why} ({_RECORDED}; nobody can look that up, so it forbids nothing)", found.source
        )
    return found.model_copy(update={"why": f"{found.why} ({_RECORDED})"})
