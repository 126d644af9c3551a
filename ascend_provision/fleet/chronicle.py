"""What happens in a run, told twice: to the journal, on disk before anything else follows, and to whoever watches."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from ascend_provision.fleet.endings import StepEnd
from ascend_provision.fleet.journal import Journal
from ascend_provision.fleet.progress import Progress
from ascend_provision.stack.plan import Ending, Step
from ascend_provision.stack.runs import JournalRecord

Event = Literal["run-started", "step-started", "step-ended", "turned-back", "host-ended", "halted", "run-ended"]


class Chronicle:
    """One run's journal and its audience."""

    def __init__(self, run: str, path: Path, on_progress: Callable[[Progress], None]) -> None:
        self._run = run
        self._journal = Journal(path)
        self._tell = on_progress
        self._details: dict[str, str] = {}

    def run_started(self, digest: str) -> None:
        self._record("run-started", detail=digest)

    def run_ended(self) -> None:
        """The last record; nothing is written after it."""
        self._record("run-ended")
        self._journal.close()

    def step_started(self, host: str, step: Step, boot_id: str) -> None:
        self._record("step-started", host, step.name, boot_id=boot_id)
        self._tell(Progress(host=host, step=step.name, state="started", expected=step.expected_seconds))

    def step_ended(self, host: str, step: Step, end: StepEnd, seconds: float) -> None:
        self._details[host] = end.detail
        self._record("step-ended", host, step.name, ending=end.ending, seconds=seconds, detail=end.detail)
        self._tell(
            Progress(
                host=host,
                step=step.name,
                state="ended",
                ending=end.ending,
                elapsed=seconds,
                expected=step.expected_seconds,
                message=end.detail,
            )
        )

    def host_ended(self, host: str, step: str, outcome: str, reason: str = "") -> None:
        """The audience has just heard why, where the last step's end said it."""
        said = f"{outcome}: {reason}" if reason else outcome
        self._record("host-ended", host, step, detail=said)
        heard = outcome if reason and self._details.get(host) == reason else said
        self._tell(Progress(host=host, step=step, state="host-ended", message=heard))

    def turned_back(self, host: str, why: str, boot_id: str) -> None:
        """From here on the host is on its way back to the stack it had."""
        self._record("turned-back", host, detail=why, boot_id=boot_id)
        self._tell(Progress(host=host, step="rollback", state="note", message=f"going back: {why}"))

    def halted(self, why: str) -> None:
        """No further host is started."""
        self._record("halted", detail=why)
        self.note(why)

    def note(self, message: str) -> None:
        """Only for the audience."""
        self._tell(Progress(host="", step="", state="note", message=message))

    def _record(
        self,
        event: Event,
        host: str = "",
        step: str = "",
        *,
        ending: Ending | None = None,
        seconds: float | None = None,
        detail: str = "",
        boot_id: str = "",
    ) -> None:
        self._journal.write(
            JournalRecord(
                at=time.time(),
                run=self._run,
                host=host,
                event=event,
                step=step,
                ending=ending,
                seconds=seconds,
                detail=detail,
                boot_id=boot_id,
            )
        )
