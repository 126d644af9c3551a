"""The live table of a run on a terminal: for each host the step it is in, how long, and what was said last."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from ascend_provision.fleet.progress import Progress
from ascend_provision.report.plain import neutral, span

_REFRESH_PER_SECOND = 4
_LINES_BESIDE_ROWS = 6
_STYLE = {"started": "cyan", "ended": "", "host-ended": "green", "note": "yellow"}


@contextmanager
def shown(hosts: Sequence[str], title: str, *, color: bool) -> Iterator[Callable[[Progress], None]]:
    """The table on stderr while the block runs; the yielded function may be called from any thread."""
    board = Board(hosts, title)
    console = Console(stderr=True, no_color=not color)
    with Live(
        get_renderable=lambda: board.table(console.height, time.monotonic()),
        console=console,
        refresh_per_second=_REFRESH_PER_SECOND,
        redirect_stdout=False,
    ):
        yield lambda progress: board.take(progress, time.monotonic())


@dataclass
class _Row:
    step: str = "waiting"
    since: float | None = None
    expected: float = 0.0
    said: str = ""
    style: str = "dim"
    ended: bool = False


@dataclass
class Board:
    """The newest thing known of each host; times are monotonic seconds, given by the caller."""

    hosts: Sequence[str]
    title: str
    _rows: dict[str, _Row] = field(init=False)

    def __post_init__(self) -> None:
        self._rows = {host: _Row() for host in self.hosts}

    def take(self, progress: Progress, now: float) -> None:
        row = self._rows.setdefault(progress.host, _Row())
        row.style = _STYLE[progress.state]
        if progress.message:
            row.said = progress.message
        if progress.state == "started":
            row.step, row.since, row.expected, row.said = progress.step, now, progress.expected, progress.message
        elif progress.state == "ended":
            row.since = None
            row.said = progress.message or (progress.ending.value if progress.ending else "")
        elif progress.state == "host-ended":
            row.step, row.since, row.expected, row.ended = "-", None, 0.0, True

    def table(self, height: int, now: float) -> Table:
        """As many hosts as fit, those at work first; what does not fit is counted."""
        order = sorted(self._rows, key=lambda host: (self._rows[host].ended, self._rows[host].since is None))
        room = max(3, height - _LINES_BESIDE_ROWS)
        ended = sum(row.ended for row in self._rows.values())
        table = Table(title=f"{self.title}: {ended} of {len(self._rows)} hosts ended", title_justify="left")
        for name in ("HOST", "STEP", "ELAPSED", "EXPECTED", "LAST"):
            table.add_column(name, no_wrap=name in {"HOST", "STEP"})
        for host in order[:room]:
            row = self._rows[host]
            elapsed = span(now - row.since) if row.since is not None else ""
            expected = span(row.expected) if row.expected else ""
            cells = (host, row.step, elapsed, expected, row.said)
            table.add_row(*(Text(neutral(cell), style=row.style) for cell in cells))
        if len(order) > room:
            table.caption = f"and {len(order) - room} more"
        return table
