"""What one wish means on each host of a fleet: it depends on the host's chip."""

from __future__ import annotations

from ascend_provision.fleet.gather import Gathered
from ascend_provision.knowledge import products, wishes
from ascend_provision.knowledge.wishes import Wish
from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.target import Target


def targets(gathered: Gathered, wish: Wish) -> tuple[dict[str, Target], dict[str, str]]:
    """The target of each host (an empty one where the wish names no version to install), and why a host has none.

    Raises UsageError when the wish means nothing on any host that answered.
    """
    wanted: dict[str, Target] = {}
    without: dict[str, str] = {}
    refusals: list[UsageError] = []
    for host, facts in sorted(gathered.facts.items()):
        product = None if isinstance(facts.pci, Unknown) else products.identify(facts.pci)
        if product is None:
            without[host] = (
                facts.pci.unknown if isinstance(facts.pci, Unknown) else "no known Ascend NPU on the PCI bus"
            )
            continue
        try:
            wanted[host] = wishes.resolve(wish, product.chip) if wish.direct else Target()
        except UsageError as error:
            refusals.append(error)
            without[host] = error.what
    if refusals and not wanted:
        raise refusals[0]
    return wanted, without
