# Copyright: the ascend-provision authors
# GNU General Public License v3.0 or later (see LICENSES/GPL-3.0-or-later.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""ascend.provision.probe: read a host in one round trip and file the evidence on the controller. Changes nothing.

Arguments: `evidence_dir` (a directory of the controller; `<host>.probe` is written there, mode 0600) and `deadline`
(seconds for the whole probe). Where they are not given: the variables provision_evidence_dir and provision_deadline,
because a template in the task would be compiled again for every host.
Result: `probe` with path, and with super_pod when the inventory gives the host an `ascend_provision_super_pod`.
What the answer says is read once, where all hosts are judged, and not in the worker of each.
"""

from __future__ import annotations

import importlib.resources
import os
from pathlib import Path
from typing import Any

from ansible.errors import AnsibleActionFail
from ansible.plugins.action import ActionBase

from ascend_provision.evidence import wire

_FOLDER = importlib.resources.files("ascend_provision.evidence") / "probe"
_SCRIPT = b"".join((_FOLDER / part).read_bytes() for part in wire.PARTS)
"""Read once, by the parent of the workers."""
SUPER_POD = "ascend_provision_super_pod"
_ARGUMENTS: dict[str, dict[str, Any]] = {
    "evidence_dir": {"type": "path", "required": True},
    "deadline": {"type": "int", "default": 60},
}


class ActionModule(ActionBase):
    """Sends the probe's script to the host's sh; no Python runs there."""

    TRANSFERS_FILES = False
    _supports_check_mode = True
    _requires_connection = True

    def run(self, tmp: str | None = None, task_vars: Any = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        variables = task_vars or {}
        given = {name: variables[f"provision_{name}"] for name in _ARGUMENTS if f"provision_{name}" in variables}
        self._task.args = {**given, **self._task.args}
        _, arguments = self.validate_argument_spec(_ARGUMENTS)
        host = str(variables.get("inventory_hostname", "host"))
        command = f"/bin/sh -s {arguments['deadline']}"
        answer = self._low_level_execute_command(command, in_data=_SCRIPT, sudoable=True)
        text = wire.clean(str(answer.get("stdout", "")))
        if not wire.spoke(text):
            said = (str(answer.get("stderr", "")).strip() or text.strip() or "nothing").splitlines()[-1]
            raise AnsibleActionFail(
                f"the probe brought nothing back from {host}: rc {answer.get('rc')}, it said: {said}"
            )
        path = _file(Path(arguments["evidence_dir"]), host, text)
        probe = {"path": str(path)}
        if pod := variables.get(SUPER_POD):
            probe["super_pod"] = str(self._templar.template(pod))
        result.update(changed=False, probe=probe)
        return result


def _file(directory: Path, host: str, text: str) -> Path:
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = directory / f"{host.replace(os.sep, '_')}.probe"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(text)
    return path
