from __future__ import annotations

from ascend_provision.knowledge import relations


def test_two_components_are_related_once() -> None:
    pairs = [frozenset((row.subject, row.object)) for row in relations.known()]

    assert len(pairs) == len(set(pairs))


def test_a_component_spoken_for_is_itself_related_to_both_ends() -> None:
    pairs = {frozenset((row.subject, row.object)) for row in relations.known()}

    for row in relations.known():
        if row.through:
            assert frozenset((row.subject, row.through)) in pairs
            assert frozenset((row.through, row.object)) in pairs
