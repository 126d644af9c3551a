"""Ctrl-C: the first finishes the hosts in hand and starts no more, the second stops after the current steps."""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FrameType, TracebackType

from ascend_provision.fleet.stop import Stop

FIRST = "stopping: hosts in hand are finished, no other is started; Ctrl-C again stops after their current steps"
SECOND = "stopping after the current steps: an installer that runs is never cut"


class Interrupt(Stop):
    """Set by the first signal, `now` by the second. As a context it takes SIGINT and SIGTERM over."""

    def __init__(self, note: Callable[[str], None]) -> None:
        super().__init__()
        self._note = note
        self._before: dict[int, signal._HANDLER] = {}

    def __enter__(self) -> Interrupt:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._on_signal)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        if not self.is_set():
            self.set()
            self._note(FIRST)
        elif not self.now.is_set():
            self.now.set()
            self._note(SECOND)
