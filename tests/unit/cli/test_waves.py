"""Options of waves: what is typed becomes a policy, or an error that says how it is written."""

from __future__ import annotations

import pytest

from ascend_provision.cli import waves
from ascend_provision.planner.waves import Growth, Policy, Share
from ascend_provision.stack.errors import UsageError
from tests.unit.cli.fleets import typed


def test_what_is_typed_is_the_policy() -> None:
    assert waves.policy(2, Growth.FIXED, "8", "25%", 3, "10m", None) == Policy(
        canary=2,
        growth=Growth.FIXED,
        ceiling=Share(number=8),
        max_unavailable=Share(number=25, percent=True),
        max_fail=3,
        bake=600,
    )


@pytest.mark.parametrize(("text", "seconds"), [("0", 0), ("90s", 90), ("10m", 600), ("2h", 7200)])
def test_times_are_written_with_their_unit(text: str, seconds: int) -> None:
    assert waves.seconds(text) == seconds


@pytest.mark.parametrize("text", ["", "-1s", "10 min", "1d"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        waves.seconds(text)


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ("--wave none", "`none` is no number of hosts"),
        ("--bake soon", "`soon` is no time"),
        ("--window never", "`never` is no maintenance window"),
        ("--canary -1", "--canary"),
    ],
)
def test_a_wrong_option_is_told_before_any_host_is_asked(
    option: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert typed(f"upgrade --hosts all -i none.yml --to hdk23 --packages /nowhere {option}") == 4
    assert says in capsys.readouterr().err
