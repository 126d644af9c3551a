"""Options that several verbs share, and the global ones, each defined once."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from ascend_provision.cli.exit import Exit
from ascend_provision.cli.terminal import Format, Terminal
from ascend_provision.stack import plan as strategies
from ascend_provision.stack.errors import UsageError

Hosts = Annotated[
    str,
    typer.Option("--hosts", metavar="PATTERN", help="Ansible host pattern: a host, a group, `all`, `rack7:!spare`."),
]
Inventory = Annotated[
    list[str],
    typer.Option("-i", "--inventory", metavar="INVENTORY", help="Inventory file, directory or host list; repeatable."),
]
MaybeHosts = Annotated[
    str | None,
    typer.Option("--hosts", metavar="PATTERN", help="Ansible host pattern: a host, a group, `all`, `rack7:!spare`."),
]
MaybeInventory = Annotated[
    list[str] | None,
    typer.Option("-i", "--inventory", metavar="INVENTORY", help="Inventory file, directory or host list; repeatable."),
]
Forks = Annotated[int, typer.Option("--forks", min=1, help="Hosts worked on at the same time.")]
Deadline = Annotated[
    int, typer.Option("--deadline", min=5, metavar="SECONDS", help="Total time a host's probe may take.")
]
Packages = Annotated[
    Path, typer.Option("--packages", metavar="DIR", help="Directory of .run packages with its SHA256SUMS.")
]
MaybePackages = Annotated[
    Path | None, typer.Option("--packages", metavar="DIR", help="Directory of .run packages with its SHA256SUMS.")
]
Resume = Annotated[
    str | None,
    typer.Option(
        "--resume",
        metavar="[RUN]",
        help="Go on with a run that was cut or halted (the last one): same plan, inventory and waves.",
    ),
]
To = Annotated[
    str | None,
    typer.Option(
        "--to", metavar="STACK", help="A named stack (`hdk23`), `driver=…,cann=…`, `torch_npu=…` or a feature."
    ),
]
ToRequired = Annotated[
    str,
    typer.Option(
        "--to", metavar="STACK", help="A named stack (`hdk23`), `driver=…,cann=…`, `torch_npu=…` or a feature."
    ),
]
HostsOrPlan = Annotated[
    str | None, typer.Option("--hosts", metavar="PATTERN", help="Ansible host pattern; a plan file brings its own.")
]
Strategy = Annotated[
    strategies.Strategy, typer.Option("--strategy", help="clean: uninstall first. overwrite: install over it.")
]
RebootLimit = Annotated[
    int,
    typer.Option(
        "--reboot-limit", min=30, metavar="SECONDS", help="How long a host may take to come back from a reboot."
    ),
]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask; the plan is shown all the same.")]
AcceptNoRollback = Annotated[
    bool,
    typer.Option("--accept-no-rollback", help="Go on although the packages of today's stack are not at hand."),
]

_Format = Annotated[Format, typer.Option("--format", help="How the result is written.", rich_help_panel="Output")]
_Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILE", help="Write the result to FILE.", rich_help_panel="Output"),
]
_NoColor = Annotated[
    bool, typer.Option("--no-color", help="No colours; NO_COLOR does the same.", rich_help_panel="Output")
]
_Verbose = Annotated[
    bool, typer.Option("-v", "--verbose", help="Print the traceback of a defect too.", rich_help_panel="Output")
]

_GLOBAL = {
    "format": (_Format, Format.TEXT),
    "output": (_Output, None),
    "no_color": (_NoColor, False),
    "verbose": (_Verbose, False),
}


def verb(function: Callable[..., Exit]) -> Callable[..., int]:
    """Give a verb the global options: its first parameter receives them as one `Terminal`."""
    signature = inspect.signature(function, eval_str=True)
    own = [parameter for name, parameter in signature.parameters.items() if name != "terminal"]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in _GLOBAL.items()
    ]

    @functools.wraps(function)
    def run(**values: Any) -> int:
        given = {name: values.pop(name) for name in _GLOBAL}
        terminal = Terminal(given["format"], given["output"], not given["no_color"])
        return int(function(terminal, **values))

    keyword = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]
    # typer reads this attribute; functions have no such one in the type stubs.
    run.__signature__ = signature.replace(parameters=[*keyword, *added], return_annotation=int)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in [*keyword, *added]}
    del run.__wrapped__
    return run


def required_hosts(hosts: str | None, plan: Path | None, resume: str | None = None) -> str:
    """The pattern, or nothing when a plan file or a run names the hosts. Raises UsageError for both or neither."""
    if resume is not None and plan is None:
        return hosts or ""
    if (hosts is None) == (plan is None):
        raise UsageError(
            "give either --hosts or --plan" if hosts is None else "--hosts and --plan exclude each other",
            code="command-line",
            why="a plan file names its hosts" if hosts else "",
            next_action="ascend-provision upgrade --help",
        )
    return hosts or ""
