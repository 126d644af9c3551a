# Copyright: the ascend-provision authors
# GNU General Public License v3.0 or later (see LICENSES/GPL-3.0-or-later.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""`ascend.provision.guarded`: one command that changes a host, through the guard. Its options: docs/roles.md."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ansible.errors import AnsibleActionFail
from ansible.plugins.action import ActionBase

from ascend_provision.fleet import guard


class ActionModule(ActionBase):
    _supports_check_mode = True
    _requires_connection = True
    _VALID_ARGS = guard.OPTIONS

    def run(self, tmp: str | None = None, task_vars: Any = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        args, host = self._task.args, task_vars["inventory_hostname"]
        step = str(args.get("name", ""))
        try:
            script = args.get("script", "")
            if args.get("file"):
                script = Path(self._find_needle("files", args["file"])).read_text(encoding="utf-8")
            if self._task.check_mode:
                what = " ".join(map(shlex.quote, guard.argv(args)))
                return {
                    **result,
                    "changed": True,
                    "guarded": step,
                    "msg": f"would run {step}: {script and 'sh -c … '}{what}",
                }
            words = guard.run_options(args, script)
        except (KeyError, TypeError, ValueError) as error:
            raise AnsibleActionFail(f"{step or 'a guarded task without `name`'}: {error}") from error
        answer = ask(self, "run", words)
        return {**result, **reading(answer, args, step, host)}


def reading(answer: guard.Answer, args: Mapping[str, Any], step: str, host: str) -> dict[str, Any]:
    """What an answer of the guard means for the task."""
    rc, unchanged = answer.number("rc"), [int(status) for status in args.get("unchanged", [])]
    late = answer.fields.get("timed_out") == "1" or answer.word == "still-running"
    reattached = answer.fields.get("reattached") == "1"
    result: dict[str, Any] = {
        "guarded": step,
        "failed": False,  # a status that is success here is not always 0, and Ansible would judge by it
        "changed": answer.word in {"ran", "started"} and not reattached and rc not in unchanged,
        "rc": rc,
        "log": answer.log.splitlines(),
        "log_path": answer.fields.get("log_path", ""),
        "log_cut": answer.fields.get("log_cut") == "1",
        "seconds": answer.number("seconds") or 0,
        "reattached": reattached,
        "lease_lost": answer.word == "lost",
        "timed_out": late,
        "boot_id": answer.fields.get("boot_id", ""),
    }
    if answer.word == "nothing":  # no command ran, so there is no ending to read
        return {"changed": False, "msg": answer.fields.get("why", "")}
    if answer.word == "started":
        return result
    if answer.word != "ran":
        return {**result, "failed": True, "msg": guard.explain(answer, step, host)}
    if late or rc not in [int(status) for status in args.get("success", [0])] + unchanged:
        how = f"was stopped at its limit of {args.get('timeout')} s" if late else f"failed with status {rc}"
        log = result["log_path"]
        result.update(failed=True, msg=f"{step} {how} on {host}: {guard.last_words(answer.log)} (log there: {log}).")
    return result


def ask(action: ActionBase, verb: str, arguments: Sequence[str]) -> guard.Answer:
    """Send the guard to the host and read its answer; raises AnsibleActionFail when it gave none."""
    said = action._low_level_execute_command("/bin/sh -s", in_data=guard.message(verb, arguments))
    answer = guard.read(said.get("stdout", ""))
    if answer is None:
        seen = guard.last_words(f"{said.get('stdout', '')}\n{said.get('stderr', '')}")
        raise AnsibleActionFail(
            f"the guard gave no answer (status {said.get('rc')}): {seen}. "
            "If the connection was cut, the step goes on; the same `ascend-provision upgrade` again attaches to it."
        )
    return answer
