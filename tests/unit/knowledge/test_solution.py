from __future__ import annotations

from ascend_provision.knowledge.solution import Change, Forced, Part, Solution


def change(component: str, where: str, after: str) -> Change:
    return Change.model_validate(
        {"component": component, "where": where, "before": None, "after": after, "forced": Forced()}
    )


def test_a_part_is_named_as_people_know_it_with_the_environment_it_lives_in() -> None:
    assert Part(component="hdk").name == "HDK"
    assert change("torch_npu", "/opt/llm", "2.6.0").name == "torch_npu in /opt/llm"


def test_what_a_host_has_once_is_found_in_a_solution_and_what_stays_is_none() -> None:
    found = Solution(
        outcome="change", wants=("x",), changes=(change("torch", "/a", "2.6.0"), change("cann", "", "8.0.0"))
    )

    assert found.after("cann") == "8.0.0"
    assert found.after("hdk") is None
    assert found.after("torch") is None
