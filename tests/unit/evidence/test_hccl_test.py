"""Texts follow the printf forms of hccl_test (github.com/hicann/oam-tools) and the sentences of its sources."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.evidence import hccl_test
from ascend_provision.stack.findings import Verdict

SIZES = (8192, 16384, 32768)
START = "the minbytes is 8192, maxbytes is 32768, iters is 20, warmup_iters is 5\n"
HEAD = "data_size(Bytes): | aveg_time(us): | alg_bandwidth(GB/s): | check_result:\n"


def row(size: int, result: str = "success", microseconds: float = 50.0) -> str:
    return f"{size:<17} | {microseconds:<14.2f} | {0.12345:<20.5f} | {result}\n"


GOOD = START + HEAD + "".join(row(size) for size in SIZES)


def judge(text: str, *, timed_out: bool = False, sizes: tuple[int, ...] | None = SIZES) -> hccl_test.SmokeReading:
    return hccl_test.judge(text, sizes=sizes, timed_out=timed_out, ranks=8)


def test_every_size_right_on_every_rank_in_time_is_a_pass() -> None:
    reading = judge(GOOD)

    assert (reading.verdict, reading.why) == (Verdict.PASS, ())
    assert [line.size for line in reading.rows] == list(SIZES)


def test_bandwidth_is_computed_and_not_believed() -> None:
    assert judge(GOOD).rows[0].gigabytes_a_second == pytest.approx(8192 / 50 / 1000, abs=1e-5)


def test_centred_columns_of_the_manual_are_read_too() -> None:
    text = START + "data_size(Bytes): |   avg_time(us): | alg_bandwidth(GB/s): | check_result:\n"
    text += "".join(f"{size}              |     764.55    |       0.00998        | success\n" for size in SIZES)

    assert judge(text).verdict is Verdict.PASS


def test_a_wrong_buffer_on_another_rank_fails_although_the_table_says_success() -> None:
    broken = row(16384).strip().replace("success", "failed")
    reading = judge(GOOD + f"total err is 1\nlocal rank_id 5, check result failed, {broken}\n")

    assert reading.verdict is Verdict.FAIL
    assert reading.why[0] == "rank 5 of 8 received wrong data at size 16384"


def test_the_older_wording_of_a_wrong_rank_is_known() -> None:
    reading = judge(GOOD + "rank id 3, check result failed, 8192 | 50.00 | 0.1 | failed\n")

    assert reading.why == ("rank 3 of 8 received wrong data at size 8192",)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (START + HEAD + row(8192) + row(16384), "no row for size 32768"),
        (HEAD + "".join(row(size) for size in SIZES), "the test never began (no start line)"),
        (
            START + HEAD + row(8192, "failed") + row(16384) + row(32768),
            "the root rank received wrong data at size 8192",
        ),
        (GOOD + "hccl interface return err ./common/src/x.cc:901, retcode: 7 \n", "hccl returned 7"),
        (GOOD + "hccl interface return errreturn err ./common/src/x.cc:9, retcode: 9 \n", "hccl returned 9"),
        (GOOD + "acl interface return err ./common/src/x.cc:711, retcode: 507033.\n", "acl returned 507033"),
        (START + "Process 0 HcclGetRootInfo failed, notify other process to exit\n", "it said: Process 0 HcclGetRoot"),
        ("Check whether HCCL_BUFFSIZE is all digit.\n", "it said: Check whether HCCL_BUFFSIZE is all digit."),
        ("Error: The number of device is 0.Check whether the package is correct.\n", "it said: Error: The number"),
        (START + "x: error while loading: libmpi.so.12: cannot open shared object file\n", "it said: x: error while"),
        (GOOD + "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n", "it said: =   BAD TERMINATION"),
        (GOOD + "check buf[32768] error, exp:16.000000, act:17.000000 \n", "it said: check buf[32768] error"),
    ],
)
def test_everything_else_is_a_failure_with_its_reason(text: str, reason: str) -> None:
    reading = judge(text)

    assert reading.verdict is Verdict.FAIL
    assert any(why.startswith(reason) for why in reading.why), reading.why


def test_a_run_that_did_not_end_fails_even_with_a_full_table() -> None:
    reading = judge(GOOD, timed_out=True)

    assert reading.verdict is Verdict.FAIL
    assert reading.why == ("it did not end within its time limit",)


def test_data_that_nobody_checked_is_unknown_and_never_a_pass() -> None:
    reading = judge(GOOD.replace("success", "NULL"))

    assert reading.verdict is Verdict.UNKNOWN
    assert reading.why == ("nobody checked the data of size 8192, 16384, 32768 (NULL)",)


def test_a_run_that_printed_nothing_is_unknown() -> None:
    assert judge("").verdict is Verdict.UNKNOWN
    assert judge("", timed_out=True).verdict is Verdict.FAIL


def test_the_launchers_line_prefix_is_no_part_of_a_row() -> None:
    tagged = "".join(f"[1,0]<stdout>:{line}\n" for line in GOOD.splitlines())

    assert judge(tagged).verdict is Verdict.PASS


@given(st.text(), st.booleans())
def test_it_never_raises_and_noise_never_passes(text: str, timed_out: bool) -> None:
    assert hccl_test.judge(text, sizes=SIZES, timed_out=timed_out, ranks=8).verdict is not Verdict.PASS
