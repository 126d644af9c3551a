"""Cases for readers: `fixtures/<reader>/<case>.yaml`, with the output in `<case>.txt` beside it or as `text` in it.

`facts` is the whole expected result (fields that have their default value left out, `{unknown: reason}` for Unknown),
`source` says where the form of the output is published, `provenance` is published or inferred.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
import yaml

from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.model import Noun, Unknown
from ascend_provision.stack.versions import Version

FIXTURES = Path(__file__).parent / "fixtures"


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    data: dict[str, Any]
    text: str

    def evidence(self, name: str = "") -> Evidence:
        status = self.data.get("status", 0)
        return Evidence(name=name or self.name, text=self.text, status=status, note=self.data.get("note", ""))

    @property
    def facts(self) -> Any:
        return self.data["facts"]

    @property
    def unread(self) -> tuple[str, ...]:
        return tuple(self.data.get("unread", ()))


def load(reader: str) -> list[Case]:
    found = []
    for path in sorted((FIXTURES / reader).glob("*.yaml")):
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        beside = path.with_suffix(".txt")
        text = beside.read_text(encoding="utf-8") if beside.exists() else data["text"]
        assert data["source"], path
        assert data["provenance"] in {"published", "inferred"}, path
        found.append(Case(path.stem, data, text))
    assert found, f"no cases for {reader}"
    return found


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "of(parser): only the cases whose `of` names this parser")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" in metafunc.fixturenames:
        reader = Path(str(metafunc.module.__file__)).stem.removeprefix("test_")
        cases = load(reader)
        wanted = metafunc.definition.get_closest_marker("of")
        if wanted:
            cases = [case for case in cases if case.data.get("of") == wanted.args[0]]
        metafunc.parametrize("case", cases, ids=[case.name for case in cases])


def plain_value(value: object) -> Any:
    """A result as YAML could write it."""
    if isinstance(value, Unknown):
        return {"unknown": value.unknown} | ({"settle": value.settle} if value.settle else {})
    if isinstance(value, Version):
        return str(value)
    if isinstance(value, Noun):
        fields = type(value).model_fields
        shown = {name: getattr(value, name) for name in fields if getattr(value, name) != fields[name].default}
        return {name: plain_value(item) for name, item in shown.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = dataclasses.fields(value)
        shown = {item.name: held for item in parts if (held := getattr(value, item.name)) != () or item.default != ()}
        return {name: plain_value(item) for name, item in shown.items()}
    if isinstance(value, (tuple, list)):
        return [plain_value(item) for item in value]
    if isinstance(value, dict):
        return {key: plain_value(item) for key, item in value.items()}
    return value


@pytest.fixture
def plain() -> Any:
    return plain_value
