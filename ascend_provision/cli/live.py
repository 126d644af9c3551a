"""What a person sees while hosts are worked on: a live table on a terminal, one line an event on a pipe."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from ascend_provision.cli.terminal import Terminal
from ascend_provision.fleet.progress import Progress
from ascend_provision.report.plain import neutral, span

Watcher = Callable[[Progress], None]

_REFRESH_PER_SECOND = 4
_LINES_BESIDE_ROWS = 6
_STYLE = {"started": "cyan", "ended": "", "host-ended": "green", "note": "yellow"}


@contextmanager
def watch(terminal: Terminal, hosts: Sequence[str], title: str) -> Iterator[Watcher]:
    """Show progress on stderr while the block runs; the yielded function may be called from any thread."""
    if terminal.live:
        board = Board(hosts, title)
        console = Console(stderr=True, no_color=not terminal.color)
        with Live(
            get_renderable=lambda: board.table(console.height, time.monotonic()),
            console=console,
            refresh_per_second=_REFRESH_PER_SECOND,
            redirect_stdout=False,
        ):
            yield lambda progress: board.take(progress, time.monotonic())
    else:
        yield lambda progress: terminal.note(line(progress))


def line(progress: Progress) -> str:
    """One event as a sentence: `h1: driver-install started (expected 90 s)`."""
    said = f": {progress.message}" if progress.message else ""
    if progress.state == "started":
        expected = f" (expected {span(progress.expected)})" if progress.expected else ""
        return f"{progress.host}: {progress.step} started{expected}{said}"
    if progress.state == "ended":
        ending = progress.ending.value if progress.ending else "ended"
        return f"{progress.host}: {progress.step} {ending} after {span(progress.elapsed)}{said}"
    if progress.state == "host-ended":
        return f"{progress.host}: ended{said}"
    return f"{progress.host}: {progress.step or 'note'}{said}"


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
        for name, options in (
            ("HOST", {"no_wrap": True}),
            ("STEP", {"no_wrap": True}),
            ("ELAPSED", {}),
            ("EXPECTED", {}),
            ("LAST", {}),
        ):
            # The options are a literal table above; mypy sees only their union.
            table.add_column(name, **options)  # type: ignore[arg-type]
        for host in order[:room]:
            row = self._rows[host]
            elapsed = span(now - row.since) if row.since is not None else ""
            expected = span(row.expected) if row.expected else ""
            cells = (host, row.step, elapsed, expected, row.said)
            table.add_row(*(Text(neutral(cell), style=row.style) for cell in cells))
        if len(order) > room:
            table.caption = f"and {len(order) - room} more"
        return table
