"""What a person sees while hosts are worked on: a live table on a terminal, one line an event on a pipe."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ascend_provision.cli.terminal import Terminal
from ascend_provision.fleet.progress import Progress
from ascend_provision.report.plain import span

Watcher = Callable[[Progress], None]


@contextmanager
def watch(terminal: Terminal, hosts: Sequence[str], title: str) -> Iterator[Watcher]:
    """Show progress on stderr while the block runs; the yielded function may be called from any thread."""
    if terminal.live:
        from ascend_provision.cli import board  # noqa: PLC0415 - rich takes as long to load as some hosts to be judged

        with board.shown(hosts, title, color=terminal.color) as tell:
            yield tell
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
