"""Return codes of DCMI, the driver's management library, as npu-smi and the device plugins print them."""

from __future__ import annotations

import functools
import re

from ascend_provision.knowledge import rows

_SAID = re.compile(r"(?:ret is|ret code:?|error code:?)\s*(-\d{4})\b")


class Code(rows.Row):
    """One code. `name`: its constant in the header ("": none there); `usually`: what it was in the field."""

    code: int
    name: str
    meaning: str
    usually: str
    example: str

    @property
    def said(self) -> str:
        """`-8005 (internal error)`."""
        return f"{self.code} ({self.meaning})"


@functools.cache
def known() -> tuple[Code, ...]:
    """Every listed code."""
    return rows.table("dcmi_codes", "codes", Code)


def find(line: str) -> Code | None:
    """The listed code that a line of a tool names, or None."""
    said = _SAID.search(line)
    return next((row for row in known() if said and row.code == int(said[1])), None)
