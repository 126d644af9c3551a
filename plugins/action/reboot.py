# Copyright: the ascend-provision authors
# GNU General Public License v3.0 or later (see LICENSES/GPL-3.0-or-later.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""`ascend.provision.reboot`: restart a host and prove it: another boot id, the expected kernel. No Python on the host.

Options: lease, name (of the step), timeout (s), settle (s to wait for the boot to finish), reason,
expected_boot_id (the boot that has to end: if the host is already in another one, nothing is done), expected_kernel.
"""

from __future__ import annotations

import signal
import time
from typing import Any, NoReturn

from ansible.errors import AnsibleError
from ansible.plugins.action import ActionBase
from ansible_collections.ascend.provision.plugins.action.guarded import ask

from ascend_provision.fleet import guard

# One round trip a try: a host that has booted says so before its services are up; wait for those, but not for ever.
SEEN = """
printf 'boot=%s\\nkernel=%s\\n' "$(cat /proc/sys/kernel/random/boot_id)" "$(uname -r)"
[ -d /run/systemd/system ] || {{ echo state=up; exit 0; }}
n=0
while [ $n -lt {settle} ]; do
    state=$(systemctl is-system-running 2>/dev/null)
    case $state in initializing | starting | '') sleep 1; n=$((n + 1)) ;; *) break ;; esac
done
echo "state=$state"
"""

NOT_BACK = (
    "{host} has not come back {seconds} s after its restart was asked for ({reason}); {seen}. Look at its console "
    "through the BMC and power-cycle it if need be; then run the same `ascend-provision upgrade` again: it goes on "
    "from there."
)
OTHER_KERNEL = (
    "{host} came back on kernel {found}, expected {kernel}: the driver's modules are built for the latter. Make it the "
    "default in the boot loader, restart the host, then run the same `ascend-provision upgrade` again."
)


def failure(message: str) -> dict[str, Any]:
    return {"failed": True, "msg": message}


class ActionModule(ActionBase):
    _supports_check_mode = True
    _requires_connection = True
    _VALID_ARGS = frozenset(
        {"lease", "name", "timeout", "settle", "reason", "expected_boot_id", "expected_kernel", "poll"}
    )

    def run(self, tmp: str | None = None, task_vars: Any = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        args, host = self._task.args, task_vars["inventory_hostname"]
        step, timeout = str(args.get("name") or "reboot"), int(args.get("timeout", 1800))
        settle, reason = int(args.get("settle", 120)), str(args.get("reason") or "no reason given")
        result["guarded"] = step
        if self._task.check_mode:
            return {**result, "changed": True, "msg": f"would restart {host} ({reason})"}
        before = self._look(0)
        wanted = args.get("expected_boot_id") or before.get("boot")
        began = time.monotonic()
        if before.get("boot") == wanted:
            command = ["sh", "-c", "sleep 1; systemctl reboot || reboot"]
            task = {"name": step, "lease": args.get("lease"), "argv": command, "detach": True}
            answer = ask(self, "run", guard.run_options(task, ""))
            if answer.word != "started":
                return {**result, **failure(guard.explain(answer, step, host)), "lease_lost": answer.word == "lost"}
            result["changed"] = True
        after, last = self._wait(wanted, timeout, settle, int(args.get("poll", 3)))
        seconds = int(time.monotonic() - began)
        result.update(elapsed=seconds, boot_id_before=wanted, boot_id=after.get("boot"), kernel=after.get("kernel"))
        if not after or after.get("boot") == wanted:
            seen = "it still answers from its old boot: its shutdown hangs" if after else f"it does not answer: {last}"
            return {**result, **failure(NOT_BACK.format(host=host, seconds=seconds, reason=reason, seen=seen)),
                    "timed_out": True}  # fmt: skip
        ask(self, "ended", [*guard.lease_options(args.get("lease"))[:4], "--name", step, "--status", "0"])
        kernel = args.get("expected_kernel")
        if kernel and after.get("kernel") != kernel:
            return {**result, **failure(OTHER_KERNEL.format(host=host, found=after.get("kernel"), kernel=kernel))}
        return result

    def _wait(self, wanted: str | None, timeout: int, settle: int, poll: int) -> tuple[dict[str, str], str]:
        """Until another boot answers; gives what was last seen and the last error."""
        until, last = time.monotonic() + timeout, "no try was made"
        seen: dict[str, str] = {}
        while time.monotonic() < until:
            try:
                self._connection.reset()
                seen = self._look(settle)
                if seen.get("boot") and seen["boot"] != wanted:
                    return seen, ""
            except (AnsibleError, TimeoutError) as error:
                seen, last = {}, guard.last_words(str(error))
            time.sleep(poll)
        return seen, last

    def _look(self, settle: int) -> dict[str, str]:
        """Boot id and kernel of the host as it is now; a host that dies while it answers is a TimeoutError."""

        def late(_signal: int, _frame: object) -> NoReturn:
            raise TimeoutError("the connection is open but nothing comes back")

        earlier = signal.signal(signal.SIGALRM, late)
        signal.alarm(settle + 60)
        try:
            said = self._low_level_execute_command("/bin/sh -s", in_data=SEEN.format(settle=settle).encode())
        finally:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, earlier)
        return dict(line.split("=", 1) for line in said.get("stdout", "").splitlines() if "=" in line)
