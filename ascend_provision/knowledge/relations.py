"""Which components are judged against each other, and what a table's silence means. Data: relations.yaml."""

from __future__ import annotations

import functools
from typing import Literal

from ascend_provision.knowledge import rows
from ascend_provision.knowledge.components import Component

Rule = Literal["printed", "own", "only", "own-line"]
"""What follows for a pair that no row prints:
printed: nothing, only a printed no is a no;
own: a listed subject is for what its rows name, so another listed object is a no;
only: a listed subject works with nothing but what its rows name;
own-line: an object that is listed with another subject and counts on another number line is a no."""


class Relation(rows.Row):
    """`subject` is what the rows are about. A release of a component in `patches` stands for its patches in a row.

    `through`: rows about that component of the subject (the series of a torch_npu) speak for the subject too.
    `one_per`: for one object and one version of that component (a torch) a source names one subject.
    """

    subject: Component
    object: Component
    rule: Rule
    patches: tuple[Component, ...] = ()
    through: Component | None = None
    one_per: Component | None = None


@functools.cache
def known() -> tuple[Relation, ...]:
    """Every relation."""
    return rows.table("relations", "relations", Relation)
