# Copyright: the ascend-provision authors
# GNU General Public License v3.0 or later (see LICENSES/GPL-3.0-or-later.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""`ascend.provision.step_evidence`: what a rescue needs to explain a failed step. It only reads.

Options: name (of the step), observe (a script of the role that prints the state the host is in now, one line).
Returns `evidence`: last_line, log (tail), log_path, state.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from ansible.plugins.action import ActionBase
from ansible_collections.ascend.provision.plugins.action.guarded import ask

from ascend_provision.fleet import guard


class ActionModule(ActionBase):
    _supports_check_mode = True
    _requires_connection = True
    _VALID_ARGS = frozenset({"name", "observe", "arguments"})

    def run(self, tmp: str | None = None, task_vars: Any = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        args = self._task.args
        answer = ask(self, "status", [str(args["name"]), "16384"])
        script = Path(self._find_needle("files", args["observe"])).read_text(encoding="utf-8")
        words = " ".join(shlex.quote(str(word)) for word in args.get("arguments", []))
        text = f"set -- {words}\n{{\n{script}\n}} </dev/null\n".encode()
        said = self._low_level_execute_command("/bin/sh -s", in_data=text)
        state = guard.last_words(said.get("stdout", "")) if said.get("stdout", "").strip() else "unknown"
        return {
            **result,
            "changed": False,
            "evidence": {
                "last_line": guard.last_words(answer.log),
                "log": answer.log.splitlines()[-40:],
                "log_path": answer.fields.get("log_path", ""),
                "state": state,
            },
        }
