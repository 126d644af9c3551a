from __future__ import annotations

from ascend_provision.knowledge import rows, services


def test_every_unit_is_known_with_and_without_its_suffix_and_as_an_instance() -> None:
    for row in rows.table("services", "services", services.CardService):
        stem = row.unit.removesuffix(".service")
        for name in (row.example, stem, f"{stem}@0.service"):
            assert services.find(name) == row
        assert row.unit in services.known()


def test_a_unit_nobody_listed_is_not_known() -> None:
    assert services.find("sshd.service") is None
