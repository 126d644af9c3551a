"""Evidence: what one probed command or file printed, untouched."""

from __future__ import annotations

from ascend_provision.stack.model import Noun


class Evidence(Noun):
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


class ProbeRecord(Noun):
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


class GivenPiece(Noun):
    """Lines of a file that somebody sent: what they were taken for (`kind`, empty when nobody knows).

    `command` is what printed them as far as the file says so, `used` that facts are read from them, `says` what they
    say for themselves (the verdict of a test, the last word of an installer, the first of unknown lines).
    """

    file: str
    line: int
    last_line: int
    kind: str
    command: str = ""
    used: bool = False
    says: str = ""


class GivenEvidence(Noun):
    """One host's evidence that came without a probe, and how it was understood."""

    host: str
    record: ProbeRecord
    pieces: tuple[GivenPiece, ...] = ()
    unrecognised: tuple[GivenPiece, ...] = ()
