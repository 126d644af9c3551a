"""What a role's play of one step says -> how the step ended. Pure; the installers' texts are read by `evidence`."""

from __future__ import annotations

from ascend_provision.evidence import installer
from ascend_provision.fleet.events import one_line
from ascend_provision.fleet.runner import HostPlay
from ascend_provision.stack.model import Noun
from ascend_provision.stack.plan import Ending, StepName

_COMPONENTS: dict[str, installer.Component] = {
    "driver-install": "driver",
    "firmware-install": "firmware",
    "hdk-uninstall-driver": "uninstall",
    "hdk-uninstall-firmware": "uninstall",
    "cann-install-toolkit": "toolkit",
    "cann-install-kernels": "kernels",
}
_WORST = (Ending.DONE, Ending.REBOOT_NEEDED, Ending.MODULES_STILL_LOADED, Ending.COLD_START_NEEDED, Ending.FAILED)


class StepEnd(Noun):
    """`ending` None: contact was lost and nobody knows. `detail` is the line that says it, `acted` seconds of work.

    `status` is the exit status of the last command, which alone proves nothing.
    """

    ending: Ending | None
    detail: str = ""
    next_action: str = ""
    acted: float = 0.0
    log: str = ""
    timed_out: bool = False
    status: int | None = None


def of(step: StepName, play: HostPlay) -> StepEnd:
    """The ending of one host's step; of several commands the worst counts."""
    acted = sum(float(task.result.get("seconds") or 0.0) for task in play.results("guarded"))
    if step.startswith("reboot"):
        acted += sum(task.seconds for task in play.tasks if "probe" not in task.result)
    ends = [_command(str(task.result["guarded"]), task.result) for task in play.results("guarded")]
    log = "\n".join(end.log for end in ends if end.log)
    late = any(task.result.get("timed_out") is True for task in play.results("guarded"))
    if play.unreachable is not None:
        return StepEnd(ending=None, detail=one_line(play.unreachable.message), acted=acted, log=log, timed_out=late)
    failed = play.failed
    if failed is not None:
        said = next((end.detail for end in ends if end.ending is Ending.FAILED and end.detail), "")
        detail = _once(said, failed.message.strip())
        return StepEnd(
            ending=Ending.FAILED, detail=detail or f"task `{failed.task}` failed", acted=acted, log=log, timed_out=late
        )
    status = ends[-1].status if ends else None
    worst = max(ends, key=lambda end: _WORST.index(end.ending or Ending.DONE), default=StepEnd(ending=Ending.DONE))
    return StepEnd(ending=worst.ending, detail=worst.detail, acted=acted, log=log, timed_out=late, status=status)


def _once(said: str, message: str) -> str:
    """The installer's line before the role's message, unless that quotes it (without its `exit status N: `)."""
    quoted = said.split(": ", 1)[-1] in message
    return message or said if quoted else " — ".join(filter(None, (said, message)))


def _command(name: str, result: dict[str, object]) -> StepEnd:
    """One guarded command: an installer's text is read; of any other command only its success is known."""
    lines = result.get("log")
    text = "\n".join(str(line) for line in lines) if isinstance(lines, list) else str(lines or "")
    component = _COMPONENTS.get(name)
    rc = result.get("rc")
    if component is None:
        return StepEnd(ending=Ending.DONE, log=text, status=rc if isinstance(rc, int) else None)
    reading = installer.read(component, rc if isinstance(rc, int) else None, text)
    return StepEnd(ending=reading.ending, detail=reading.reason or reading.last_line, log=text)
