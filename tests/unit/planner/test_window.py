"""Maintenance windows: what is written, when they open, and what fits into them."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.planner.window import DAYS, parse
from ascend_provision.stack.errors import UsageError

SHANGHAI = ZoneInfo("Asia/Shanghai")


def at(text: str, zone: str = "Asia/Shanghai") -> float:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp()


def test_saturday_night_is_open_on_saturday_night_only() -> None:
    window = parse("Sat 01:00-05:00 Asia/Shanghai")

    assert window.fits(at("2026-11-28T01:00"), 3600)
    assert window.fits(at("2026-11-28T04:00"), 3600)
    assert not window.fits(at("2026-11-28T04:01"), 3600)
    assert not window.fits(at("2026-11-28T00:59"), 60)
    assert not window.fits(at("2026-11-29T02:00"), 60)
    assert window.say(window.next(at("2026-11-28T06:00"))[0]) == "Sat 2026-12-05 01:00 CST"


def test_a_window_over_midnight_belongs_to_the_day_it_opens_on() -> None:
    window = parse("Fri 22:00-04:00 UTC")

    assert window.fits(at("2026-11-28T03:00", "UTC"), 3600)
    assert not window.fits(at("2026-11-29T03:00", "UTC"), 60)


def test_the_hour_that_daylight_saving_takes_away_is_not_counted() -> None:
    window = parse("Sun 01:00-04:00 Europe/Berlin")
    opens, closes = window.next(at("2027-03-28T00:30", "Europe/Berlin"))

    assert closes - opens == 2 * 3600


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("daily 01:00-05:00 UTC", DAYS),
        ("Mon-Fri 01:00-05:00 UTC", DAYS[:5]),
        ("sat,sun 01:00-05:00 UTC", ("Sat", "Sun")),
        ("Sat-Mon 01:00-05:00 UTC", ("Mon", "Sat", "Sun")),
    ],
)
def test_days_are_written_as_operators_write_them(text: str, days: tuple[str, ...]) -> None:
    assert parse(text).days == days
    assert parse(str(parse(text))) == parse(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Sat 01:00-05:00", "is written"),
        ("Caturday 01:00-05:00 UTC", "`Caturday` is no day"),
        ("Sat 01:00-25:00 UTC", "no times of a day"),
        ("Sat 01:00-01:00 UTC", "closes when it opens"),
        ("Sat 01:00-05:00 Mars/Olympus", "`Mars/Olympus` is no time zone"),
        ("Sat 01:00-05:00 ../../etc/passwd", "is no time zone"),
    ],
)
def test_what_is_no_window_is_refused_with_an_example(text: str, why: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(text)

    assert why in caught.value.why
    assert "Asia/Shanghai" in caught.value.next_action


@given(st.floats(0, 4e9), st.floats(0, 1e5))
def test_what_fits_starts_and_ends_inside_one_window(now: float, seconds: float) -> None:
    window = parse("Sat,Sun 22:30-04:00 Asia/Shanghai")
    opens, closes = window.next(now)

    assert closes > now
    assert window.fits(now, seconds) == (opens <= now and now + seconds <= closes)
