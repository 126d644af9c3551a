"""`runs list|show`: the records of what was changed; `runs pause|continue|abort`: a word to one that goes on."""

from __future__ import annotations

import json
import time
from typing import Annotated

import typer

from ascend_provision.cli.exit import Exit
from ascend_provision.cli.options import verb
from ascend_provision.cli.terminal import Terminal
from ascend_provision.fleet.control import Control, Wish
from ascend_provision.fleet.runs import RunStore
from ascend_provision.report import json as report_json
from ascend_provision.report.run import render
from ascend_provision.stack.runs import RunResult

_NONE = "no upgrade or bootstrap was run from here yet"

app = typer.Typer(help="The records of upgrades and bootstraps.")


@app.command("list")
@verb
def show_all(terminal: Terminal) -> Exit:
    """Every run with a result, oldest first."""
    results = RunStore().results()
    if terminal.json:
        terminal.show(json.dumps({"runs": [result.model_dump(mode="json") for result in results]}, indent=1))
    else:
        terminal.show("\n".join(_line(result) for result in results) or _NONE)
    return Exit.DONE


@app.command("show")
@verb
def show(
    terminal: Terminal,
    run: Annotated[str | None, typer.Argument(metavar="[RUN]", help="The run's id; the newest by default.")] = None,
) -> Exit:
    """One run: every host's outcome, steps, times and reason."""
    store = RunStore()
    newest = store.results()[-1:]
    result = store.load(run) if run else (newest[0] if newest else None)
    if result is None:
        terminal.show("null" if terminal.json else _NONE)
        return Exit.DONE
    terminal.show(report_json.render(result) if terminal.json else render(result))
    terminal.note(f"record of this run: {store.directory(result.run)}")
    return Exit.DONE


_NAME = Annotated[str, typer.Argument(metavar="RUN", help="The run's id; `last` is the newest.")]


@app.command("pause")
@verb
def pause(terminal: Terminal, run: _NAME = "last") -> Exit:
    """Finish the hosts in hand and start no other until it continues."""
    return _say(terminal, run, Wish.PAUSE)


@app.command("continue")
@verb
def go_on(terminal: Terminal, run: _NAME = "last") -> Exit:
    """Let a paused run start hosts again."""
    return _say(terminal, run, Wish.CONTINUE)


@app.command("abort")
@verb
def abort(terminal: Terminal, run: _NAME = "last") -> Exit:
    """Finish the hosts in hand, start no other, end the run: what a first Ctrl-C does."""
    return _say(terminal, run, Wish.ABORT)


def _say(terminal: Terminal, name: str, wish: Wish) -> Exit:
    run = RunStore().alive(name)
    Control(run.directory).say(wish)
    terminal.note(f"{run.id}: {wish.meaning}")
    return Exit.DONE


def _line(result: RunResult) -> str:
    counted: dict[str, int] = {}
    for host in result.hosts:
        counted[host.outcome.value] = counted.get(host.outcome.value, 0) + 1
    began = time.strftime("%Y-%m-%d %H:%M", time.localtime(result.started_at))
    outcomes = ", ".join(f"{number} {name}" for name, number in sorted(counted.items())) or "no host"
    cut = "" if result.ended_at else "  (cut)"
    return f"{result.run}  {began}  {result.verb} to {result.wish}  {outcomes}{cut}"
