"""Leases as text: who may change which host."""

from __future__ import annotations

import time
from collections.abc import Mapping

from ascend_provision.report.plain import columns, document, line, span
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.runs import LeaseEnd

Row = dict[str, str | float | int | None]


def rows(facts: Mapping[str, HostFacts], unreachable: Mapping[str, str]) -> list[Row]:
    """One row a host; `unknown` says why nothing is known of it, `run` is None on a host without a lease."""
    found: list[Row] = [{"host": host, "unknown": why} for host, why in unreachable.items()]
    for host, of_host in facts.items():
        record = of_host.record
        if isinstance(record, Unknown):
            found.append({"host": host, "unknown": record.unknown})
            continue
        found.append(
            {
                "host": host,
                "run": record.lease_run,
                "holder": record.lease_holder,
                "token": record.lease_token,
                "expires_at": record.lease_expires_at,
                "step": record.step,
                "state": record.step_state,
            }
        )
    return sorted(found, key=lambda row: str(row["host"]))


def render(found: list[Row], now: float) -> str:
    """A table; a lapsed lease is said to be so, for the next run takes it."""
    table: list[tuple[str, ...]] = [("HOST", "RUN", "HOLDER", "ENDS", "STEP")]
    for row in found:
        if "unknown" in row:
            table.append((str(row["host"]), "unknown", line(str(row["unknown"])), "", ""))
        elif row["run"] is None:
            table.append((str(row["host"]), "none", "", "", ""))
        else:
            step = f"{row['step']} {row['state']}" if row["step"] else ""
            table.append((str(row["host"]), str(row["run"]), str(row["holder"]), _ends(row["expires_at"], now), step))
    return document(columns(table))


def _ends(at: object, now: float) -> str:
    if not isinstance(at, (int, float)):
        return "unknown"
    if at <= now:
        return "lapsed"
    return f"in {span(at - now)} ({time.strftime('%Y-%m-%d %H:%M', time.localtime(min(at, 253402300799)))})"


def broken(found: Mapping[str, LeaseEnd]) -> str:
    """What became of each."""
    lines = []
    for host, item in sorted(found.items()):
        if item.problem:
            lines.append(f"{host}: not broken: {line(item.problem)}")
        elif item.free:
            lines.append(f"{host}: there was no lease")
        else:
            lines.append(f"{host}: the lease of run {line(item.run)} ({line(item.holder)}) has ended")
    return document(lines)
