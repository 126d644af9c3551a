"""What somebody sent in place of a probe, and how each of its lines was understood."""

from __future__ import annotations

from ascend_provision.stack.evidence import ProbeRecord
from ascend_provision.stack.model import Noun


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
