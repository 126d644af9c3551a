"""What a running upgrade tells whoever watches."""

from __future__ import annotations

from typing import Literal

from ascend_provision.stack.model import Noun
from ascend_provision.stack.plan import Ending


class Progress(Noun):
    """One moment of one host: a step started or ended, or the host is through. Times in seconds."""

    host: str
    step: str
    state: Literal["started", "ended", "host-ended", "note"]
    ending: Ending | None = None
    elapsed: float = 0.0
    expected: float = 0.0
    message: str = ""
