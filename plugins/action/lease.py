# Copyright: the ascend-provision authors
# GNU General Public License v3.0 or later (see LICENSES/GPL-3.0-or-later.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""`ascend.provision.lease`: the right of one run to change a host: taken, held (checked), renewed, released, broken."""

from __future__ import annotations

from typing import Any

from ansible.errors import AnsibleActionFail
from ansible.plugins.action import ActionBase
from ansible_collections.ascend.provision.plugins.action.guarded import ask

from ascend_provision.fleet import guard

VERBS = {"taken": "take", "held": "check", "renewed": "renew", "released": "release", "broken": "break"}


class ActionModule(ActionBase):
    _supports_check_mode = True
    _requires_connection = True
    _VALID_ARGS = frozenset(["state", "run", "holder", "ttl", "token", "lease", "wait", "over"])

    def run(self, tmp: str | None = None, task_vars: Any = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        args = {**(self._task.args.get("lease") or {}), **self._task.args}
        state, run, token = args.get("state", "held"), str(args.get("run", "")), str(args.get("token", ""))
        if state not in VERBS:
            raise AnsibleActionFail(f"`state` must be one of {', '.join(VERBS)}, not {state}")
        if self._task.check_mode:
            return {
                **result,
                "changed": state in {"taken", "released", "broken"},
                "msg": f"would see that the lease is {state}",
            }
        if state != "broken" and (not run or (state != "taken" and not token)):
            raise AnsibleActionFail(
                "no lease was given ({run, token}): changes go through `ascend-provision upgrade`, which takes one"
            )
        ttl, wait = str(int(args.get("ttl", 900))), str(int(args.get("wait", 3600)))
        words = {
            "taken": [run, str(args.get("holder", "")), ttl, wait, str(args.get("over", ""))],
            "held": [run, token],
            "renewed": [run, token, ttl],
            "released": [run, token],
            "broken": [run],
        }
        answer = ask(self, VERBS[state], words[state])
        said, host = answer.fields, task_vars["inventory_hostname"]
        if answer.word in {"leased", "lost"}:
            result["leased_by"] = {key: said.get(key, "") for key in ("run", "holder", "expires_at", "busy")}
        if answer.word not in {"taken", "held", "renewed", "released", "released-before", "broken", "free"}:
            return {
                **result,
                "failed": True,
                "lease_lost": answer.word == "lost",
                "msg": guard.explain(answer, f"lease ({state})", host),
            }
        return {
            **result,
            "changed": answer.word in {"taken", "released", "broken"},
            "lease": {
                "answer": answer.word,
                "run": said.get("run", run),
                "holder": said.get("holder", ""),
                "token": answer.number("token"),
                "expires_at": answer.number("expires_at"),
                "busy": said.get("busy", ""),
            },
        }
