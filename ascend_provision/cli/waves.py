"""The options that say how many hosts are changed at a time, and when a run stops by itself."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from ascend_provision.planner import waves, window
from ascend_provision.planner.waves import Growth, OnFail, Policy
from ascend_provision.stack.errors import UsageError

_PANEL = "Waves"
_SECONDS = {"s": 1, "m": 60, "h": 3600}

Canary = Annotated[
    int,
    typer.Option("--canary", min=0, help="Hosts changed alone first; no failure is tolerated.", rich_help_panel=_PANEL),
]
Grow = Annotated[
    Growth,
    typer.Option("--growth", help="How waves grow after the canary, up to --wave.", rich_help_panel=_PANEL),
]
Ceiling = Annotated[
    str, typer.Option("--wave", metavar="N|N%", help="The most hosts in one wave.", rich_help_panel=_PANEL)
]
MaxUnavailable = Annotated[
    str | None,
    typer.Option(
        "--max-unavailable",
        metavar="N|N%",
        help="The most hosts out of service at a time, failed ones counted.",
        rich_help_panel=_PANEL,
    ),
]
MaxFail = Annotated[
    int,
    typer.Option(
        "--max-fail", min=0, help="Failures tolerated after the canary; one more halts.", rich_help_panel=_PANEL
    ),
]
Bake = Annotated[
    str,
    typer.Option(
        "--bake", metavar="TIME", help="Wait between waves, then look at health: `90s`, `10m`.", rich_help_panel=_PANEL
    ),
]
Window = Annotated[
    str | None,
    typer.Option(
        "--window",
        metavar="WINDOW",
        help="Start only hosts that can finish in it: `Sat 01:00-05:00 Asia/Shanghai`.",
        rich_help_panel=_PANEL,
    ),
]
Domain = Annotated[
    str | None,
    typer.Option(
        "--domain",
        metavar="NAME",
        help="Failure domains: a host variable, or a group whose subgroups they are. A wave stays in one.",
        rich_help_panel=_PANEL,
    ),
]

Failing = Annotated[
    OnFail,
    typer.Option(
        "--on-fail", help="A host that failed is left for you, or taken back at once.", rich_help_panel=_PANEL
    ),
]

NORMAL = Policy()


def policy(
    canary: int,
    growth: Growth,
    ceiling: str,
    max_unavailable: str | None,
    max_fail: int,
    bake: str,
    open_window: str | None,
    on_fail: OnFail = OnFail.STOP,
) -> Policy:
    """The policy in these options. Raises UsageError."""
    return Policy(
        canary=canary,
        growth=growth,
        ceiling=waves.share(ceiling),
        max_unavailable=None if max_unavailable is None else waves.share(max_unavailable),
        max_fail=max_fail,
        bake=seconds(bake),
        window=None if open_window is None else window.parse(open_window),
        on_fail=on_fail,
    )


def seconds(text: str) -> float:
    """`90`, `90s`, `10m` or `1h` as seconds. Raises UsageError."""
    found = re.fullmatch(r"(\d{1,6})([smh]?)", text.strip())
    if found is None:
        raise UsageError(f"`{text}` is no time", code="time-unreadable", next_action="give it as `90s`, `10m` or `1h`")
    return float(int(found[1]) * _SECONDS[found[2] or "s"])
