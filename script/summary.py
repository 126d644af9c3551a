"""Tests per layer from the JUnit files of `script/test`, and its last line and exit status."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree


def main(directory: Path, seconds: str, failed_stages: list[str]) -> int:
    """Print counts per layer and one closing line; 1 when a stage failed or a test was skipped, else 0."""
    total = {"passed": 0, "failed": 0, "skipped": 0}
    sys.stdout.write("\ntests per layer:\n")
    for path in sorted(directory.glob("*.xml")):
        counts = count(path)
        total = {key: total[key] + counts[key] for key in total}
        words = ", ".join(f"{number} {key}" for key, number in counts.items())
        sys.stdout.write(f"  {path.stem}: {words}\n")
    for stage in failed_stages:
        sys.stdout.write(f"stage failed: {stage}\n")
    if total["skipped"]:
        sys.stdout.write(f"{total['skipped']} tests were skipped: a test that cannot run here is a failure\n")
    bad = bool(failed_stages) or total["skipped"] > 0
    if bad and not total["failed"]:
        total["failed"] = len(failed_stages) + (total["skipped"] > 0)
    order = ("failed", "passed", "skipped")
    summary = ", ".join(f"{total[key]} {key}" for key in order if total[key] or key == "passed")
    sys.stdout.write(f"{f' {summary} in {seconds}.00s ':=^80}\n")
    return 1 if bad else 0


def count(path: Path) -> dict[str, int]:
    """Passed, failed (with errors) and skipped test cases of one JUnit file."""
    suites = list(ElementTree.parse(path).getroot().iter("testsuite"))  # noqa: S314 - written by our own pytest run

    def add(name: str) -> int:
        return sum(int(suite.get(name, "0")) for suite in suites)

    failed, skipped = add("failures") + add("errors"), add("skipped")
    return {"passed": add("tests") - failed - skipped, "failed": failed, "skipped": skipped}


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:]))
