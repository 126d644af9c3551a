# Copyright: the ascend-provision authors
# GNU General Public License v3.0 or later (see LICENSES/GPL-3.0-or-later.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""`ascend.provision.stage_file`: one package from the controller into the host's package directory. No Python there.

The connection's own file transfer writes into an incoming directory; the guard hashes it and renames it into place.
What a cut connection leaves is only in the incoming directory, and goes with the next call.
Options: src (controller), file (its name), sha256, directory, lease, timeout (s, for hashing).
"""

from __future__ import annotations

from pathlib import Path

from ansible.errors import AnsibleActionFail
from ansible.plugins.action import ActionBase
from ansible_collections.ascend.provision.plugins.action.guarded import ask, reading

from ascend_provision.fleet import guard


class ActionModule(ActionBase):
    _supports_check_mode = True
    _requires_connection = True
    _VALID_ARGS = frozenset({"src", "file", "sha256", "directory", "lease", "timeout"})

    def run(self, tmp=None, task_vars=None):
        result = super().run(tmp, task_vars)
        args, host = self._task.args, task_vars["inventory_hostname"]
        source, name, digest = Path(str(args["src"])).expanduser(), str(args["file"]), str(args["sha256"])
        if not source.is_file():
            raise AnsibleActionFail(f"the package {source} is not on this machine; run `ascend-provision bundle list`")
        if Path(name).name != name or len(digest) != 64 or not digest.isalnum():
            raise AnsibleActionFail(f"{name!r} with sha256 {digest!r} is not a package's name and digest")
        if self._task.check_mode:
            return {**result, "changed": True, "guarded": "stage", "msg": f"would copy {name} to {host}"}
        megabytes = source.stat().st_size // 2**20 + 1
        words = [str(args["directory"]), digest, name]
        opened = self._guarded("open", [*words, self._login_id(), str(megabytes)], host)
        if opened.get("failed") or opened["rc"] == 3:
            return {**result, **opened, "changed": False}
        self._connection.put_file(str(source), f"{args['directory']}/incoming/{digest}/{name}")
        return {**result, **self._guarded("close", words, host)}

    def _guarded(self, part, words, host):
        """One half of stage.sh through the guard; its last line is the reason when it fails."""
        script = Path(__file__).parents[2].joinpath("roles/stage/files/stage.sh").read_text(encoding="utf-8")
        task = {
            "name": f"stage-{part}",
            "lease": self._task.args.get("lease"),
            "argv": [part, *words],
            "timeout": self._task.args.get("timeout", 1800),
            "unchanged": [3],
            "fresh": 0,
        }
        try:
            options = guard.run_options(task, script)
        except ValueError as error:
            raise AnsibleActionFail(str(error)) from error
        return reading(ask(self, "run", options), task, task["name"], host)

    def _login_id(self):
        """The numeric id of the user who logs in: files arrive as that user, also when the guard runs as root."""
        said = self._low_level_execute_command("id -u", sudoable=False)
        return said.get("stdout", "").strip().splitlines()[-1] if said.get("rc") == 0 else "0"
