from __future__ import annotations

from ascend_provision.knowledge.components import Component
from ascend_provision.knowledge.pricing import in_order, index, prices
from ascend_provision.knowledge.search import Price

CANN = ("8.0.RC3", "8.0.0", "8.1.RC1.alpha001", "8.1.RC1", "8.2.RC1", "8.5.0")


def price(component: Component, versions: tuple[str, ...], now: str, stopover: str | None = None) -> dict[str, Price]:
    found = prices(component, versions, index(component, versions, now), told=True, stopover=stopover)
    return dict(zip(versions, found, strict=True))


def test_staying_is_free_the_nearest_release_is_cheaper_and_a_test_build_is_dearest() -> None:
    found = price("cann", CANN, "8.0.RC3")

    assert found["8.0.RC3"].once == 0
    assert found["8.0.RC3"] < found["8.0.0"] < found["8.1.RC1"] < found["8.5.0"] < found["8.1.RC1.alpha001"]


def test_up_comes_before_down_at_the_same_distance() -> None:
    found = price("cann", ("8.0.0", "8.1.RC1", "8.2.RC1"), "8.1.RC1")

    assert found["8.2.RC1"] < found["8.0.0"]


def test_an_hdk_is_dearer_than_cann_and_cann_than_a_package() -> None:
    versions = ("2.0.0", "2.1.0")
    order = [price(component, versions, "2.0.0")["2.1.0"] for component in ("mindspore", "cann", "hdk")]

    assert order == sorted(order)
    assert len({one.once for one in order}) == 3


def test_an_hdk_behind_a_stopover_costs_another_reboot_unless_it_is_the_stopover() -> None:
    found = price("hdk", ("23.0.rc2.3", "23.0.rc3", "24.1.0"), "23.0.rc2.3", stopover="23.0.rc3")

    assert found["23.0.rc3"].once < found["24.1.0"].once


def test_of_a_part_nobody_told_every_release_is_free_and_the_newest_comes_first() -> None:
    found = prices("cann", CANN, None, told=False, stopover=None)

    assert {one.once for one in found} == {0}
    assert min(range(len(CANN)), key=lambda n: found[n]) == CANN.index("8.5.0")


def test_a_test_build_of_a_package_is_a_pre_release_or_a_dev_release() -> None:
    versions = ("2.7.0", "2.7.1.dev20250724", "2.7.1rc1", "2.7.1")
    found = price("torch_npu", versions, "2.7.1")

    assert min(versions[:-1], key=lambda version: found[version]) == "2.7.0"


def test_versions_stand_in_their_order_each_once_whatever_they_are_written_like() -> None:
    assert in_order("mindspore", ("2.3.0", "2.3.0-rc1", "2.3.0rc1", "2.2.0")) == ("2.2.0", "2.3.0-rc1", "2.3.0")
    assert index("mindspore", ("2.2.0", "2.3.0-rc1"), "2.3.0rc1") == 1
    assert index("mindspore", ("2.2.0",), "9.9") is None
