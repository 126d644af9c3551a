"""How a check grows with the fleet: run by hand, `python -m tests.bench.check_scale`. See docs/scale.md.

Brings up light lab hosts (`--hosts 10,50,200`) and does three things to 10, 50, 200 of them, each in a control group
of its own and over fresh connections: `ssh` with ControlMaster running `true`, one bare Ansible `raw` task, and
`ascend-provision check`. The hosts run in other groups of this machine: their CPU is not the controller's.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from ascend_provision.fleet import runner
from ascend_provision.fleet.gather import READ_FORKS
from tests.bench import saved_facts
from tests.bench.accounting import Cost, Group, measure

TREE = Path(__file__).resolve().parents[2]
BRIDGE = "br0"
FORKS = READ_FORKS
LIMIT_S = 900.0
OVER_SSH, OVER_RAW, GROWTH, MOST_MEMORY = 12.0, 1.3, 1.2, 400 * 2**20
RAW = [{"hosts": "all", "gather_facts": False, "tasks": [{"name": "One bare task", "raw": "true"}]}]
KINDS = ("ssh", "raw", "check")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hosts", default="10,50,200", help="how many hosts, growing (10,50,200)")
    parser.add_argument("--repeat", type=int, default=3, help="times each is done; the median is told (3)")
    parser.add_argument("--stack", default="hdk22", help="the stack of the lab's hosts (hdk22)")
    parser.add_argument("--fleet", default="check-scale", help="name of the lab fleet")
    parser.add_argument("--json", type=Path, help="write every single measurement there too")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    sizes = sorted(int(size) for size in options.hosts.split(","))
    if options.inside:
        return measured(options, sizes)
    with fleet(options, sizes[-1]):
        return subprocess.run(
            lab(options, "run", "--", sys.executable, "-m", "tests.bench.check_scale", "--inside", *sys.argv[1:]),
            cwd=TREE,
            check=False,
        ).returncode


def lab(options: argparse.Namespace, verb: str, *words: str) -> list[str]:
    return [sys.executable, "-m", "ascend_provision.cli.main", "lab", verb, "--name", options.fleet, *words]


@contextmanager
def fleet(options: argparse.Namespace, hosts: int) -> Iterator[None]:
    """The lab's hosts while the measurements last; sshd is their PID 1."""
    began = time.monotonic()
    order = ["--nodes", str(hosts), "--stack", options.stack, "--init", "light", "--timeout", "600"]
    subprocess.run(
        lab(options, "up", *order, "--owner", str(os.getpid())), cwd=TREE, check=True, stdout=subprocess.DEVNULL
    )
    say(f"{hosts} light lab hosts up in {time.monotonic() - began:.0f} s")
    try:
        yield
    finally:
        subprocess.run(lab(options, "down"), cwd=TREE, check=False, stderr=subprocess.DEVNULL)


def measured(options: argparse.Namespace, sizes: list[int]) -> int:
    """Measure and tell; runs inside the fleet's network, where ssh needs nothing between itself and a host."""
    source = yaml.safe_load(Path(os.environ["ANSIBLE_INVENTORY"]).read_text(encoding="utf-8"))
    group = source["all"]["children"]["lab"]
    hosts = {name: row for profile in group["children"].values() for name, row in profile["hosts"].items()}
    probe = Group("probe")
    counted = "its own control group" if probe.counted else "the children that were waited for: no ssh masters in it!"
    say(f"CPU of each command: of {counted}")
    probe.remove()
    say(f"load before: {load()}, {os.cpu_count()} CPUs, {options.repeat} times each, {FORKS} forks")
    found: dict[tuple[str, int], list[Cost]] = {}
    with busy(), tempfile.TemporaryDirectory(prefix="aps-") as scratch:
        for size in sizes:
            chosen = dict(list(hosts.items())[:size])
            for turn in range(options.repeat):
                for kind in KINDS:
                    place = Path(scratch, f"{kind[0]}{size}-{turn}")
                    cost = once(kind, place, chosen, group["vars"])
                    found.setdefault((kind, size), []).append(cost)
                    shutil.rmtree(place, ignore_errors=True)
    say(f"load after: {load()}")
    tell(found, sizes)
    saved_facts.tell()
    if options.json:
        rows = [{"kind": kind, "hosts": size, **vars(cost)} for (kind, size), costs in found.items() for cost in costs]
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


@contextmanager
def busy() -> Iterator[None]:
    """Every CPU works all the time, on nothing, when nobody else wants it.

    Two CPUs that share a core are slower when both work, by a third and more: while simulated hosts answer a check
    they do, while they answer ssh they do not, and the same work would be told as costing more.
    """
    idle = ["chrt", "--idle", "0", "sh", "-c", "while :; do :; done"]
    started = [subprocess.Popen(["taskset", "-c", str(cpu), *idle]) for cpu in sorted(os.sched_getaffinity(0))]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


def once(kind: str, place: Path, hosts: dict[str, Any], shared: dict[str, Any]) -> Cost:
    """One measurement over connections of its own; stops the bench when a command did not do its work."""
    sockets = place / "cp"
    sockets.mkdir(parents=True, mode=0o700)
    inventory = place / "inventory.yml"
    inventory.write_text(
        yaml.safe_dump({"all": {"hosts": hosts, "vars": {**shared, "ansible_control_path_dir": str(sockets)}}}),
        encoding="utf-8",
    )
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("ANSIBLE_")},
        "ASCEND_PROVISION_STATE": str(place / "state"),
        "PYTHONPATH": str(TREE),
        "LC_ALL": "C.UTF-8",
    }
    log = place / "log"
    if kind == "ssh":
        argv = ssh(place, hosts, shared, sockets)
    elif kind == "raw":
        (place / "raw.yml").write_text(yaml.safe_dump(RAW), encoding="utf-8")
        playbook = str(Path(sys.executable).parent / "ansible-playbook")
        argv = [playbook, "-i", str(inventory), "--forks", str(FORKS), str(place / "raw.yml")]
        ours = "ANSIBLE_CALLBACKS_ENABLED"
        environment |= {
            key: value for key, value in runner.environment().items() if key.startswith("ANSIBLE_") and key != ours
        }
    else:
        argv = [sys.executable, "-m", "ascend_provision.cli.main", "check", "--hosts", "all", "-i", str(inventory)]
        argv += ["--format", "json", "-o", str(place / "report.json")]
    cost = measure(argv, place.name, env=environment, log=log, interface=BRIDGE, limit_s=LIMIT_S)
    answered = len(hosts)
    if kind == "check" and (place / "report.json").exists():
        answered = json.loads((place / "report.json").read_text(encoding="utf-8"))["totals"]["hosts"]
    wrong = cost.status not in ((0, 3, 5) if kind == "check" else (0,))
    if wrong or answered != len(hosts):
        tail = log.read_text(encoding="utf-8", errors="replace")[-2000:]
        raise SystemExit(f"{kind} on {len(hosts)} hosts ended {cost.status}, {answered} answered:\n{tail}")
    say(f"{kind:5} {len(hosts):4} hosts: {cost.cpu / len(hosts) * 1000:6.1f} ms CPU a host, {cost.wall:6.1f} s wall")
    return cost


def ssh(place: Path, hosts: dict[str, Any], shared: dict[str, Any], sockets: Path) -> list[str]:
    """The floor: a shared connection to each host and one command in it, as many at a time as Ansible has forks."""
    names = place / "names"
    names.write_text("".join(f"{row['ansible_host']}\n" for row in hosts.values()), encoding="utf-8")
    options = [f"-o{option}" for option in ("ControlMaster=auto", "ControlPersist=60s", f"ControlPath={sockets}/%C")]
    command = ["ssh", *shared["ansible_ssh_common_args"].split(), *options, "{}", "true"]
    return ["xargs", "-a", str(names), "-P", str(FORKS), "-I{}", *command]


def tell(found: dict[tuple[str, int], list[Cost]], sizes: list[int]) -> None:
    """The table, and each bar with what was found."""
    middle = {key: _median(costs) for key, costs in found.items()}
    heads = ("hosts", "command", "CPU ms/host", "wall s", "wall ms/host", "memory MB", "of it not ssh")
    say(f"\n| {' | '.join((*heads, 'sent KB/host', 'received KB/host'))} |")
    say("|---" * (len(heads) + 2) + "|")
    for size in sizes:
        for kind in KINDS:
            cost = middle[kind, size]
            cells = (f"{cost.cpu / size * 1000:.0f}", f"{cost.wall:.1f}", f"{cost.wall / size * 1000:.0f}")
            memory = (f"{cost.memory / 2**20:.0f}", f"{cost.python / 2**20:.0f}")
            traffic = (f"{cost.sent / size / 1024:.1f}", f"{cost.received / size / 1024:.1f}")
            say(f"| {size} | {kind} | {' | '.join((*cells, *memory, *traffic))} |")
    few, many = sizes[0], sizes[-1]
    if few != many:
        for kind in KINDS:
            slope = (middle[kind, many].cpu - middle[kind, few].cpu) / (many - few)
            say(f"slope of {kind}: {slope * 1000:.0f} ms CPU for each further host")
    for size in sizes:
        checked = middle["check", size].cpu
        bar(f"{size} hosts: CPU / ssh floor", checked / middle["ssh", size].cpu, OVER_SSH)
        bar(f"{size} hosts: CPU / one raw task", checked / middle["raw", size].cpu, OVER_RAW)
    first, last = middle["check", few], middle["check", many]
    bar(f"CPU/host at {many} / at {few}", last.cpu / many / (first.cpu / few), GROWTH)
    bar(f"memory at {many} hosts, MB", last.memory / 2**20, MOST_MEMORY / 2**20)
    bar(f"bytes sent/host at {many} / at {few}", last.sent / many / (first.sent / few), 1.05)


def bar(name: str, value: float, most: float) -> None:
    say(f"{'kept  ' if value <= most else 'MISSED'} {name}: {value:.2f} (at most {most:g})")


def _median(costs: list[Cost]) -> Cost:
    middle = statistics.median_low(cost.cpu for cost in costs)
    return next(cost for cost in costs if cost.cpu == middle)


def load() -> str:
    return " ".join(f"{value:.1f}" for value in os.getloadavg())


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
