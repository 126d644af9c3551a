"""A plan's file is applied as it was made, or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ascend_provision.bundle.store import PackageStore
from ascend_provision.cli import plan_file
from ascend_provision.planner.plan import seal
from ascend_provision.stack.errors import Refusal, UsageError
from ascend_provision.stack.packages import Package
from ascend_provision.stack.plan import HostPlan, Plan

DRIVER = Package(
    component="driver", file="driver.run", version="23.0.3", chip="910", arch="x86_64", sha256="a" * 64, size=1
)
PLAN = seal(Plan(wish="hdk23", packages=(DRIVER,), hosts=(HostPlan(host="a1-1", decision="nothing", digest="x"),)))
STORE = PackageStore(Path("/srv/ascend"), (DRIVER,))


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    file.write_text(plan_file.text(PLAN))

    assert plan_file.read(file, STORE) == PLAN


def test_an_edited_plan_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    values = json.loads(plan_file.text(PLAN))
    values["hosts"][0]["host"] = "a1-2"
    file.write_text(json.dumps(values))

    with pytest.raises(Refusal) as error:
        plan_file.read(file, STORE)

    assert error.value.code == "plan-edited"


@pytest.mark.parametrize("content", ["", "{}", '{"hosts": 3}', "hosts:\n  all:", "\x00\xff"])
def test_a_file_that_is_no_plan_is_a_usage_error(tmp_path: Path, content: str) -> None:
    file = tmp_path / "plan.json"
    file.write_bytes(content.encode("latin-1"))

    with pytest.raises(UsageError) as error:
        plan_file.read(file, STORE)

    assert error.value.code == "plan-not-a-plan"


def test_a_missing_file_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as error:
        plan_file.read(tmp_path / "nowhere.json", STORE)

    assert error.value.code == "plan-unreadable"


def test_packages_that_are_not_those_of_the_plan_are_named(tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    file.write_text(plan_file.text(PLAN))
    other = PackageStore(Path("/srv/ascend"), (DRIVER.model_copy(update={"sha256": "b" * 64}),))

    with pytest.raises(UsageError) as error:
        plan_file.read(file, other)

    assert (error.value.code, error.value.why) == ("plan-packages", "driver.run")
