"""Evidence: what one probed command or file printed, untouched.

Plain dataclasses, also because the worker of each host reads a probe's answer: pydantic would build its validators
there again for every host.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """One section of a probe.

    `status` is the exit status; None when it did not end: then `note` says why ("timed out after 10 s",
    "skipped: npu-smi hung", "not found"). `seconds` is the wall time it took; `truncated` that output was cut.
    """

    name: str
    text: str = ""
    status: int | None = None
    seconds: float | None = None
    truncated: bool = False
    note: str = ""

    @property
    def ok(self) -> bool:
        """It ran to its end with status 0 and was not cut."""
        return self.status == 0 and not self.truncated


@dataclass(frozen=True, kw_only=True)
class ProbeRecord:
    """Everything one probe of one host brought back, by section name; `complete` says the end mark arrived.

    `missing` is the reason given for a section that is not among them.
    """

    host: str
    sections: dict[str, Evidence]
    complete: bool = True
    missing: str = "not in the probe's answer"

    def get(self, name: str) -> Evidence:
        """The section, or an empty one that says it is missing."""
        return self.sections.get(name) or Evidence(name=name, note=self.missing)
