"""Machine output: the same bytes for the same report, printable whatever a host says."""

from __future__ import annotations

import json as stdlib_json
from pathlib import Path

import pytest
from hypothesis import given

from ascend_provision.report import check, json, model
from ascend_provision.report.model import CheckReport
from tests.unit.report.reports import HOSTILE, NOT_REACHED, old_environment, report, saying

DOCS = Path(__file__).parents[3] / "docs" / "schema"


def test_equal_reports_give_equal_bytes_whatever_the_order_of_the_hosts() -> None:
    hosts = {name: old_environment(name, n) for n, name in enumerate(("b", "a", "c"))}
    other = dict(reversed(hosts.items()))

    assert json.render(model.check(hosts, NOT_REACHED)) == json.render(model.check(other, NOT_REACHED))
    assert check.render(model.check(hosts, {})) == check.render(model.check(other, {}))


def test_json_says_its_schema_version_and_reads_back_as_the_same_report() -> None:
    found = report(old_environment("a1-01", 1), unreachable=NOT_REACHED)
    text = json.render(found)

    assert stdlib_json.loads(text)["schema_version"] == 2
    assert CheckReport.model_validate_json(text) == found


@pytest.mark.parametrize("name", sorted(json.MODELS))
def test_the_published_schemas_are_those_of_the_models(name: str) -> None:
    written = (DOCS / f"{name}.schema.json").read_text("utf-8")

    assert written == json.schema(name), "run: python -m ascend_provision.report.json docs/schema"


@given(HOSTILE)
def test_json_is_printable_ascii_whatever_a_host_says(text: str) -> None:
    shown = json.render(saying(text.encode("utf-8", "replace").decode()))

    assert all(char == "\n" or " " <= char <= "~" for char in shown)
