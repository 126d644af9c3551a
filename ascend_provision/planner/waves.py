"""Which hosts may start now: a canary first, then growing waves, within a budget of failures. Pure; the time is given.

A wave starts when the one before it has ended and has stood its bake time. Ansible's own `serial` and
`max_fail_percentage` cannot do this: they do not count hosts that went dark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import Literal

from ascend_provision.planner.window import Window
from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.model import Noun


class Share(Noun):
    """So many hosts, or so many percent of them (rounded up, so never none)."""

    number: int
    percent: bool = False

    def of(self, hosts: int) -> int:
        return -(-hosts * self.number // 100) if self.percent else self.number

    def __str__(self) -> str:
        return f"{self.number}%" if self.percent else str(self.number)


def share(text: str) -> Share:
    """`5` or `25%`. Raises UsageError."""
    found = re.fullmatch(r"(\d{1,6})(%?)", text.strip())
    if found is None or int(found[1]) < 1 or (found[2] and int(found[1]) > 100):
        raise UsageError(
            f"`{text}` is no number of hosts",
            code="share-unreadable",
            next_action="give a count such as `5`, or a part of the hosts such as `25%`",
        )
    return Share(number=int(found[1]), percent=bool(found[2]))


class Growth(str, Enum):
    """How waves grow after the canary: all of the ceiling's size, by the canary's size each, or to twice the last."""

    FIXED = "fixed"
    LINEAR = "linear"
    EXPONENTIAL = "exponential"


class OnFail(str, Enum):
    """What happens to a host that failed."""

    STOP = "stop"
    ROLLBACK = "rollback"


class Policy(Noun):
    """`max_fail` failures are tolerated after the canary, none in it; `bake` is in seconds.

    `on_fail`: a host that failed is left as it is, for a person to look at, or taken back to the stack it had.
    """

    canary: int = 1
    growth: Growth = Growth.EXPONENTIAL
    ceiling: Share = Share(number=50, percent=True)
    max_unavailable: Share | None = None
    max_fail: int = 1
    bake: float = 0
    window: Window | None = None
    on_fail: OnFail = OnFail.STOP


class Wave(Noun):
    """Hosts of one failure domain that may be changed at the same time."""

    number: int
    hosts: tuple[str, ...]
    canary: bool = False
    domain: str = ""


class HostNow(Noun):
    """A host as the waves see it. `expected` seconds of work; `ended_at` since the epoch; `looked` at after baking.

    `gone`: it left the run without having been changed (refused, leased elsewhere), so it counts for nothing.
    """

    state: Literal["waiting", "working", "good", "bad", "gone"]
    expected: float = 0
    ended_at: float = 0
    looked: bool = False


class Decision(Noun):
    """What to do now: start these hosts, look at the health of those, come back in `wait` seconds, or halt and say why.

    An empty one: hosts are at work, or all of them have ended.
    """

    start: tuple[str, ...] = ()
    look: tuple[str, ...] = ()
    wait: float | None = None
    halt: str = ""


def cut(domains: Mapping[str, str], policy: Policy) -> tuple[Wave, ...]:
    """The waves of hosts with their failure domains: one domain after another, hosts by name, none in two waves."""
    most = policy.ceiling.of(len(domains))
    sizes = _sizes(policy, most)
    waves: list[Wave] = []
    for domain in sorted(set(domains.values())):
        left = sorted(host for host, its in domains.items() if its == domain)
        while left:
            canary = not waves and policy.canary > 0
            size = policy.canary if canary else next(sizes)
            waves.append(Wave(number=len(waves) + 1, hosts=tuple(left[:size]), canary=canary, domain=domain))
            left = left[size:]
    return tuple(waves)


def _sizes(policy: Policy, most: int) -> Iterator[int]:
    """The sizes of the waves after the canary; without a canary nothing is learned first, and they begin with one."""
    size = policy.canary
    while True:
        if policy.growth is Growth.FIXED:
            size = most
        elif policy.growth is Growth.LINEAR:
            size += max(1, policy.canary)
        else:
            size = 2 * size or 1
        yield max(1, min(size, most))


def decide(waves: Iterable[Wave], policy: Policy, hosts: Mapping[str, HostNow], now: float) -> Decision:
    """What may happen now, with every host of the waves in `hosts`."""
    waves = tuple(waves)
    if why := _too_many(waves, policy, hosts):
        return Decision(halt=why)
    before: Wave | None = None
    for wave in waves:
        states = {hosts[host].state for host in wave.hosts}
        if states & {"waiting", "working"}:
            if "working" not in states and (pause := _bake(before, policy, hosts, now)) is not None:
                return pause
            return _start(wave, policy, hosts, now)
        before = wave if states - {"gone"} else before
    return Decision()


def _too_many(waves: tuple[Wave, ...], policy: Policy, hosts: Mapping[str, HostNow]) -> str:
    """Why the budget of failures is spent; empty while it is not, or when nobody is left to be spared."""
    if not any(host.state == "waiting" for host in hosts.values()):
        return ""
    for canary, most in ((True, 0), (False, policy.max_fail)):
        bad = [host for wave in waves if wave.canary is canary for host in wave.hosts if hosts[host].state == "bad"]
        if len(bad) > most:
            named = ", ".join(bad[:5]) + (f" and {len(bad) - 5} more" if len(bad) > 5 else "")
            return f"{named} failed as canary" if canary else f"{named} failed, --max-fail tolerates {most}"
    return ""


def _bake(before: Wave | None, policy: Policy, hosts: Mapping[str, HostNow], now: float) -> Decision | None:
    """The time a wave must have stood before the next begins, and a look at it then."""
    if before is None or policy.bake <= 0:
        return None
    until = max(hosts[host].ended_at for host in before.hosts) + policy.bake
    if now < until:
        return Decision(wait=until - now)
    look = tuple(host for host in before.hosts if hosts[host].state == "good" and not hosts[host].looked)
    return Decision(look=look) if look else None


def _start(wave: Wave, policy: Policy, hosts: Mapping[str, HostNow], now: float) -> Decision:
    waiting = [host for host in wave.hosts if hosts[host].state == "waiting"]
    working = any(host.state == "working" for host in hosts.values())
    if policy.max_unavailable is not None:
        out = sum(host.state in {"working", "bad"} for host in hosts.values())
        most = policy.max_unavailable.of(len(hosts))
        if out >= most and waiting and not working:
            return Decision(halt=f"{out} hosts are out of service, --max-unavailable allows {most}")
        waiting = waiting[: max(0, most - out)]
    if policy.window is not None and waiting:
        fitting = [host for host in waiting if policy.window.fits(now, hosts[host].expected)]
        if not fitting and not working:
            return Decision(halt=_closed(policy.window, now, max(hosts[host].expected for host in waiting)))
        waiting = fitting
    return Decision(start=tuple(waiting))


def _closed(window: Window, now: float, seconds: float) -> str:
    opens, closes = window.next(now)
    if opens > now:
        return f"the window {window} is closed; it opens {window.say(opens)}"
    return f"a host is expected to take {seconds / 60:.0f} min, the window closes {window.say(closes)}"
