"""A maintenance window: the days and hours in which hosts may be changed. Pure; the time is given."""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.model import Noun

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_EXAMPLE = "Sat 01:00-05:00 Asia/Shanghai"
_WRITTEN = re.compile(r"(?P<days>\S+) (?P<opens>\d\d:\d\d)-(?P<closes>\d\d:\d\d) (?P<zone>\S+)")


class Window(Noun):
    """`days` are the days on which it opens; one that closes earlier than it opens ends on the next day."""

    days: tuple[str, ...]
    opens: time
    closes: time
    zone: str

    def __str__(self) -> str:
        days = "daily" if self.days == DAYS else ",".join(self.days)
        return f"{days} {self.opens:%H:%M}-{self.closes:%H:%M} {self.zone}"

    def next(self, now: float) -> tuple[float, float]:
        """The window that is open at `now`, or the next one: when it opens and closes (seconds since the epoch)."""
        zone = ZoneInfo(self.zone)
        today = datetime.fromtimestamp(now, zone).date()
        for ahead in range(-1, 9):
            day = today + timedelta(days=ahead)
            if DAYS[day.weekday()] not in self.days:
                continue
            last = day if self.closes > self.opens else day + timedelta(days=1)
            opens, closes = (
                datetime.combine(date, at, zone).timestamp() for date, at in ((day, self.opens), (last, self.closes))
            )
            if closes > now:
                return opens, closes
        raise AssertionError(f"{self} never opens")

    def fits(self, now: float, seconds: float) -> bool:
        """Whether work of that length, started now, ends before the window closes."""
        opens, closes = self.next(now)
        return opens <= now and now + seconds <= closes

    def say(self, moment: float) -> str:
        """A moment in the window's own zone."""
        return f"{datetime.fromtimestamp(moment, ZoneInfo(self.zone)):%a %Y-%m-%d %H:%M %Z}"


def parse(text: str) -> Window:
    """`DAYS HH:MM-HH:MM ZONE`; DAYS is `daily`, a day, `Mon-Fri` or `Sat,Sun`. Raises UsageError."""
    found = _WRITTEN.fullmatch(" ".join(text.split()))
    if found is None:
        raise _wrong(text, f"a window is written `{_EXAMPLE}`")
    days = _days(found["days"])
    if days is None:
        raise _wrong(text, f"`{found['days']}` is no day: daily, {', '.join(DAYS)}, Mon-Fri or Sat,Sun")
    try:
        opens, closes = time.fromisoformat(found["opens"]), time.fromisoformat(found["closes"])
    except ValueError:
        raise _wrong(text, f"`{found['opens']}-{found['closes']}` are no times of a day") from None
    if opens == closes:
        raise _wrong(text, "it closes when it opens")
    try:
        ZoneInfo(found["zone"])
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise _wrong(text, f"`{found['zone']}` is no time zone, such as Asia/Shanghai or UTC") from None
    return Window(days=days, opens=opens, closes=closes, zone=found["zone"])


def _days(text: str) -> tuple[str, ...] | None:
    if text.lower() == "daily":
        return DAYS
    chosen: set[str] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        ends = [day.capitalize() for day in (first, last or first)]
        if any(day not in DAYS for day in ends):
            return None
        low, high = (DAYS.index(day) for day in ends)
        chosen.update(DAYS[low : high + 1] if low <= high else DAYS[low:] + DAYS[: high + 1])
    return tuple(day for day in DAYS if day in chosen)


def _wrong(text: str, why: str) -> UsageError:
    return UsageError(
        f"`{text}` is no maintenance window", code="window-unreadable", why=why, next_action=f'--window "{_EXAMPLE}"'
    )
