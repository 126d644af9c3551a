"""Machine output: a report as JSON of a versioned schema; equal reports give equal bytes.

Everything outside printable ASCII is escaped, so that the text is safe on a terminal too. The schemas are generated
from the models: `python -m ascend_provision.report.json DIRECTORY` writes them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from ascend_provision.knowledge.explanation import Explanation as MatrixExplanation
from ascend_provision.knowledge.lint import Report
from ascend_provision.knowledge.what_if import WhatIf
from ascend_provision.report.explanation import Explanation
from ascend_provision.report.facts import FactsReport
from ascend_provision.report.matrix import Rows, Sources
from ascend_provision.report.model import CheckReport
from ascend_provision.stack.model import Noun
from ascend_provision.stack.plan import Plan
from ascend_provision.stack.runs import RunResult

MODELS: dict[str, type[Noun]] = {
    "check-report": CheckReport,
    "finding-explanation": Explanation,
    "facts": FactsReport,
    "matrix-explanation": MatrixExplanation,
    "matrix-lint": Report,
    "matrix-rows": Rows,
    "matrix-sources": Sources,
    "matrix-what-if": WhatIf,
    "plan": Plan,
    "run-result": RunResult,
}
"""What is printed as JSON, by the name of its schema."""


def render(report: Noun) -> str:
    """The report as JSON, keys sorted, ending in a newline."""
    return _dump(report.model_dump(mode="json"))


def schema(name: str) -> str:
    """The JSON schema of one of MODELS, as text."""
    return _dump(MODELS[name].model_json_schema(mode="serialization"))


def _dump(value: Any) -> str:
    text = json.dumps(value, indent=1, sort_keys=True, ensure_ascii=True)
    return text.replace("\x7f", "\\u007f") + "\n"


if __name__ == "__main__":
    for each in MODELS:
        Path(sys.argv[1], f"{each}.schema.json").write_text(schema(each), encoding="utf-8")
