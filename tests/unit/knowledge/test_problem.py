from __future__ import annotations

from ascend_provision.knowledge.components import Component
from ascend_provision.knowledge.matrix import published
from ascend_provision.knowledge.problem import NEW_ENVIRONMENT, Problem, completed
from ascend_provision.knowledge.solution import Part, Request, Want
from ascend_provision.knowledge.tables import tables

TORCH_NPU = Want(text="torch_npu=2.6.0", component="torch_npu", versions=("2.6.0",))


def places(request: Request) -> list[tuple[Component, str]]:
    return [(part.component, part.where) for part in completed(request, tables(published(), "910b"))]


def problem(*parts: Part) -> Problem:
    return Problem(Request(parts=parts), tables(published(), "910b"))


def test_a_framework_that_no_environment_has_comes_into_a_new_one_with_its_torch() -> None:
    host = Request(
        parts=(Part(component="hdk", version="24.1.0"), Part(component="mindspore", version="2.4.10", where="/opt/ms")),
        wants=(TORCH_NPU,),
        complete=True,
    )

    assert ("torch_npu", NEW_ENVIRONMENT) in places(host)
    assert ("torch", NEW_ENVIRONMENT) in places(host)
    assert ("cann", "") in places(host)


def test_a_wish_is_for_every_environment_that_has_the_framework() -> None:
    environments = ("/opt/a", "/opt/b")
    parts = tuple(Part(component="torch_npu", version="2.4.0", where=where) for where in environments)

    found = places(Request(parts=parts, wants=(TORCH_NPU,), complete=True))

    assert [where for component, where in found if component == "torch_npu"] == list(environments)
    assert [where for component, where in found if component == "torch"] == list(environments)


def test_environments_do_not_restrict_each_other_but_all_share_one_cann() -> None:
    found = problem(
        Part(component="cann", version="8.0.0"),
        Part(component="torch_npu", version="2.4.0.post2", where="/opt/a"),
        Part(component="torch", version="2.1.0", where="/opt/b"),
    )

    assert found.network.pairs == {(0, 1)}


def test_a_version_that_no_row_names_stands_among_the_others_in_its_order() -> None:
    found = problem(Part(component="cann", version="8.2.RC2"))
    versions = found.versions[0]

    assert versions.index("8.2.RC1") + 1 == versions.index("8.2.RC2") < versions.index("8.3.RC1")


def test_a_python_that_no_row_names_for_a_cann_forbids_nothing() -> None:
    silent = problem(Part(component="cann", version="7.0.0"), Part(component="python", version="3.9.2", fixed=True))
    at = silent.versions[0].index("7.0.1")

    assert silent.network.relation(0, at, 1) == (silent.staying(1), 0)


def test_a_package_comes_along_only_where_a_row_names_it_with_the_version_wished_for() -> None:
    def brought(version: str) -> set[Component]:
        wish = Want(text="vllm_ascend", component="vllm_ascend", versions=(version,))
        return {component for component, _ in places(Request(parts=(), wants=(wish,)))}

    assert {"torch_npu", "vllm", "cann", "hdk"} <= brought("0.9.1")
    assert "triton_ascend" not in brought("0.9.1")
    assert "triton_ascend" in brought("0.18.0")
