"""The base of every noun: frozen, closed, serialisable; and the value for what could not be read."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Noun(BaseModel):
    """Immutable, keyword-only, refuses unknown fields; equal by value."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants", defer_build=True)


class Unknown(Noun):
    """A value that could not be read or understood. Never equal to a value, never a pass, never a failure.

    `unknown` says why in one sentence ("npu-smi hung"), `settle` what would settle it (may be empty).
    """

    unknown: str
    settle: str = ""

    def __bool__(self) -> bool:
        """Refuse to be used as a truth value: `if facts.driver.file:` would read unknown as present."""
        raise TypeError(f"an unknown value has no truth: {self.unknown}")
