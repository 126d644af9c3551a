"""Reading and judging of damaged evidence, by hand: `python -m tests.bench.damaged_evidence --count 100000`.

Every mutant is an answer of one of the hosts of tests/unit/evidence/damage.py (healthy ones and those with a fault that
damage might hide), damaged as that module says. Printed are: exceptions (must be 0), invented passes (must be 0), and
believable ones, which no reader can tell from another host's evidence. The same seed gives the same mutants.

Kinds of believable passes, by what was done to the evidence and the findings that then pass:

- A file that is not there became one that is empty: the bench does this to sections that are `not found`, and a
  driver's list of namespaces may be empty (access.namespaces). DKMS's tree may hold nothing yet (build.failed).
- Whole lines got lost of a list that nobody counts: links and directories left behind (leftovers.removable), sockets
  (ports.hccl), mounts (prerequisites.mounts), the Python of an environment (python.window, python.cann-packages), keys
  of /etc/hccn.conf (hccn.duplicate, hccn.subnet, hccn.incomplete), lines of shell files, processes' and containers'
  variables (env.limits, env.allocator-conflict, env.running, containers.env), trees (libraries.readable).
- The end of a line got lost, or a letter changed, and it is still a line of its kind: `export HCCL` is one of a shell.
- A value became another one that this finding has nothing against and another one has: HCCL_BUFFSIZE=NaN is within no
  limits (env.limits) and fails as no number (env.values).
"""

from __future__ import annotations

import argparse
import functools
import multiprocessing
import random
import sys
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field

from ascend_provision.check import judge_host
from ascend_provision.evidence import facts
from ascend_provision.stack.evidence import ProbeRecord
from tests.unit.evidence import damage

CHUNK = 250


@dataclass
class Tally:
    """Counts of one part of the run; the examples say host, damage and finding."""

    mutants: int = 0
    seconds: float = 0.0
    exceptions: Counter[str] = field(default_factory=Counter)
    invented: Counter[str] = field(default_factory=Counter)
    believable: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.mutants += other.mutants
        self.seconds += other.seconds
        for name in ("exceptions", "invented", "believable"):
            getattr(self, name).update(getattr(other, name))
        self.examples += other.examples


@functools.cache
def undamaged(name: str) -> tuple[ProbeRecord, set[str]]:
    """A host as it was, and the findings that pass on it."""
    record = damage.record(damage.hosts()[name][0])
    return record, damage.passes(judge_host(facts.read(record)))


def part(job: tuple[str, int]) -> Tally:
    """One chunk of mutants; `job` is its seed and size."""
    seed, size = job
    chance, tally, began = random.Random(seed), Tally(), time.process_time()  # noqa: S311 - damage that can be repeated, no secret
    hosts = damage.hosts()
    names = sorted(hosts)
    for _ in range(size):
        name = chance.choice(names)
        found, sore = hosts[name]
        hurt, told = damage.damaged(found, chance, sore)
        tally.mutants += 1
        whole, passed = undamaged(name)
        try:
            invented, believable = damage.new_passes(whole, hurt, passed)
        except Exception:
            where = " / ".join(line.strip() for line in traceback.format_exc().strip().splitlines()[-3:])
            tally.exceptions[where[:300]] += 1
            tally.examples.append(f"exception: {name}: {told} ({seed})")
            continue
        tally.invented.update(invented)
        tally.believable.update(believable)
        tally.examples += [f"invented: {name}: {told}: {key} ({seed})" for key in sorted(invented)]
    tally.seconds = time.process_time() - began
    return tally


def main() -> int:
    """Run, print the figures, end 1 when something was invented or raised."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=100_000)
    options.add_argument("--seed", default="1")
    options.add_argument("--processes", type=int, default=2)
    given = options.parse_args()
    jobs = [(f"{given.seed}-{first}", min(CHUNK, given.count - first)) for first in range(0, given.count, CHUNK)]
    total = Tally()
    with multiprocessing.Pool(given.processes) as pool:
        for done in pool.imap_unordered(part, jobs):
            total.add(done)
            sys.stderr.writelines(f"{example}\n" for example in done.examples)
            if total.mutants % 5000 == 0:
                bad = f"{sum(total.exceptions.values())} exceptions, {sum(total.invented.values())} invented"
                sys.stderr.write(f"{total.mutants}: {bad}\n")
    print_figures(total)
    return 1 if total.exceptions or total.invented else 0


def print_figures(total: Tally) -> None:
    """The run as a few lines."""
    out = [
        f"{total.mutants} mutants of {len(damage.hosts())} hosts, {total.seconds:.0f} s of CPU",
        f"exceptions: {sum(total.exceptions.values())}",
        f"invented passes: {sum(total.invented.values())}",
        f"believable passes: {sum(total.believable.values())}",
        *(f"  {count} {key}" for key, count in total.believable.most_common()),
        *(f"exception: {count} x {where}" for where, count in total.exceptions.most_common()),
        *total.examples[:50],
    ]
    sys.stdout.write("\n".join(out) + "\n")


if __name__ == "__main__":
    sys.exit(main())
