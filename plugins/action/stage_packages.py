# Copyright: the ascend-provision authors
# GNU General Public License v3.0 or later (see LICENSES/GPL-3.0-or-later.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""`ascend.provision.stage_packages`: packages from the controller into the host's package directory. No Python there.

The connection's own file transfer writes into an incoming directory; the guard hashes it and renames it into place.
What a cut connection leaves is only in the incoming directory, and goes with the next call. The first failure ends it.
Options: packages ([{src (controller), file (its name), sha256}]), directory, lease, timeout (s, for hashing one).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ansible.errors import AnsibleActionFail
from ansible.plugins.action import ActionBase
from ansible_collections.ascend.provision.plugins.action.guarded import ask, reading

from ascend_provision.fleet import guard

SCRIPT = Path(__file__).parents[2] / "roles" / "stage" / "files" / "stage.sh"


class ActionModule(ActionBase):
    _supports_check_mode = True
    _requires_connection = True
    _VALID_ARGS = frozenset({"packages", "directory", "lease", "timeout"})

    def run(self, tmp: str | None = None, task_vars: Any = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        packages, host = self._task.args["packages"], task_vars["inventory_hostname"]
        for package in packages:
            name, digest = str(package["file"]), str(package["sha256"])
            if Path(name).name != name or not re.fullmatch(r"[0-9a-f]{64}", digest):
                raise AnsibleActionFail(f"{name!r} with sha256 {digest!r} is not a package's name and digest")
            if not Path(str(package["src"])).is_file():
                raise AnsibleActionFail(f"the package {package['src']} is not on this machine: is the store whole?")
        names = ", ".join(str(package["file"]) for package in packages)
        if self._task.check_mode:
            return {**result, "changed": bool(packages), "msg": f"would copy to {host}: {names or 'nothing'}"}
        try:
            guard.lease_options(self._task.args.get("lease"))
        except ValueError as error:
            raise AnsibleActionFail(str(error)) from error
        result.update(changed=False, log=[])
        for package in packages:
            one = self._stage(Path(str(package["src"])), str(package["file"]), str(package["sha256"]), host)
            result.update({**one, "changed": result["changed"] or one["changed"], "log": result["log"] + one["log"]})
            if one["failed"]:
                break
        return result

    def _stage(self, source: Path, name: str, digest: str, host: str) -> dict[str, Any]:
        """One package: nothing to do, or copied, verified on the host and renamed into its place."""
        directory = str(self._task.args["directory"])
        megabytes = source.stat().st_size // 2**20 + 1
        opened = self._guarded("open", [directory, digest, name, self._login_id(), str(megabytes)], host)
        if opened["failed"] or opened["rc"] == 3:
            return {**opened, "changed": False}
        self._connection.put_file(str(source), f"{directory}/incoming/{digest}/{name}")
        return self._guarded("close", [directory, digest, name], host)

    def _guarded(self, part: str, words: Sequence[str], host: str) -> dict[str, Any]:
        """One half of stage.sh through the guard; its last line is the reason when it fails."""
        task = {
            "name": f"stage-{part}",
            "lease": self._task.args["lease"],
            "argv": [part, *words],
            "timeout": self._task.args.get("timeout", 1800),
            "unchanged": [3],
            "fresh": 0,
        }
        options = guard.run_options(task, SCRIPT.read_text(encoding="utf-8"))
        found: dict[str, Any] = reading(ask(self, "run", options), task, task["name"], host)
        return found

    def _login_id(self) -> str:
        """The numeric id of the user who logs in: files arrive as that user, also when the guard runs as root."""
        said = self._low_level_execute_command("id -u", sudoable=False)
        return said.get("stdout", "").strip().splitlines()[-1] if said.get("rc") == 0 else "0"
