# Copyright: the ascend-provision authors
# GNU General Public License v3.0 or later (see LICENSES/GPL-3.0-or-later.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""`ascend.provision.check`: look at a host, judge it, and fail when a finding does. Changes nothing on the host.

Options: fail_on (fail, unknown, warn, never), deadline (s), evidence_dir (keeps what the host printed);
`verify` compares with driver, firmware, cann or a named stack, and chips (how many there must be), instead of a check.
Returns `findings`, `verdict` (the worst of them) and `probe` (as ascend.provision.probe does).
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ansible.errors import AnsibleActionFail
from ansible_collections.ascend.provision.plugins.action.probe import ActionModule as Probe

from ascend_provision.check import gate, judge_host, judge_target
from ascend_provision.check.wanted import target
from ascend_provision.evidence import wire
from ascend_provision.evidence.facts import read
from ascend_provision.fleet.ansible_core import oldest_target_python
from ascend_provision.report.model import worst
from ascend_provision.report.plain import neutral
from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.findings import Finding

OPTIONS: dict[str, dict[str, Any]] = {
    "verify": {"type": "bool", "default": False},
    "fail_on": {"type": "str", "choices": list(gate.WORDS), "default": "fail"},
    "deadline": {"type": "int", "default": 60},
    "evidence_dir": {"type": "path"},
    "driver": {"type": "str", "default": ""},
    "firmware": {"type": "str", "default": ""},
    "cann": {"type": "str", "default": ""},
    "stack": {"type": "str", "default": ""},
    "chips": {"type": "int", "default": 0},
}


class ActionModule(Probe):
    def run(self, tmp: str | None = None, task_vars: Any = None) -> dict[str, Any]:
        _, options = self.validate_argument_spec(OPTIONS)
        host, own = task_vars["inventory_hostname"], self._task.args
        with tempfile.TemporaryDirectory(prefix="ascend-provision-") as unkept:
            self._task.args = {"evidence_dir": options["evidence_dir"] or unkept, "deadline": options["deadline"]}
            try:
                result: dict[str, Any] = super().run(tmp, task_vars)
            finally:
                self._task.args = own
            text = Path(result["probe"]["path"]).read_text(encoding="utf-8", errors="replace")
        facts = read(wire.parse(host, text))
        try:
            findings = _verify(facts, options) if options["verify"] else _check(facts)
        except UsageError as error:
            raise AnsibleActionFail(neutral(f"{error.what}; {error.next_action}")) from None
        result["findings"] = [finding.model_dump(mode="json") for finding in findings]
        result["verdict"] = worst(findings).value
        if stopping := gate.stopping(findings, options["fail_on"]):
            result.update(failed=True, msg=neutral(gate.sentence(host, stopping)))
        return result


def _check(facts: HostFacts) -> tuple[Finding, ...]:
    return judge_host(facts, target_python=oldest_target_python())


def _verify(facts: HostFacts, options: Mapping[str, Any]) -> tuple[Finding, ...]:
    wanted = target(facts, options["stack"], options["driver"], options["firmware"], options["cann"])
    return judge_target(facts, wanted, chips_before=options["chips"] or None)
