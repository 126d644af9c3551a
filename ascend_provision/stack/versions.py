"""Versions as the Ascend field writes them, one type a kind, so that mypy will not let two kinds be compared.

Four numbers name one release (package 6.0.0 = driver 22.0.4 = firmware 1.84 = CANN 6.0.1); nothing here maps
one to another, that is data in `knowledge`. Sources: version.info files shipped in Ascend/ascend-docker-image,
file names in Ascend/docs `_static/package_info.js`.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar

from packaging.version import InvalidVersion
from packaging.version import Version as Pep440
from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticSerializationUnexpectedValue, core_schema
from typing_extensions import Self

_Key = tuple[tuple[int, ...], ...]


class Version:
    """A version of one kind: keeps its text, orders within its kind, compares with no other kind."""

    kind: ClassVar[str] = "version"
    __slots__ = ("_key", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        key = self.parse_key(text)
        if key is None:
            raise ValueError(f"{text!r} is not a {self.kind} version")
        self._key = key

    @classmethod
    def parse_key(cls, text: str) -> _Key | None:
        """The sort key of `text`, or None when it does not follow the grammar."""
        raise NotImplementedError

    @classmethod
    def maybe(cls, text: str) -> Self | None:
        """The version, or None when `text` is not one."""
        return cls(text) if cls.parse_key(text) is not None else None

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if type(other) is type(self) else NotImplemented

    def __lt__(self, other: Self) -> bool:
        return bool(self._order() < self._same(other)._order())

    def __le__(self, other: Self) -> bool:
        return bool(self._order() <= self._same(other)._order())

    def __gt__(self, other: Self) -> bool:
        return bool(self._order() > self._same(other)._order())

    def __ge__(self, other: Self) -> bool:
        return bool(self._order() >= self._same(other)._order())

    def _order(self) -> Any:
        """What sorts: a tuple of tuples, or what `packaging` made of the text."""
        return self._key

    def _same(self, other: Self) -> Self:
        if type(other) is not type(self):
            raise TypeError(f"a {self.kind} version does not compare with {other!r}")
        return other

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._key))

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            cls._validate,
            serialization=core_schema.plain_serializer_function_ser_schema(
                cls._serialize, return_schema=core_schema.str_schema()
            ),
            json_schema_input_schema=core_schema.str_schema(),
        )

    @classmethod
    def _serialize(cls, value: object) -> str:
        """Only a version of this kind: in a union (`HdkVersion | Unknown`) the other members have their own form."""
        if not isinstance(value, cls):
            raise PydanticSerializationUnexpectedValue(f"{value!r} is not a {cls.kind} version")
        return str(value)

    @classmethod
    def _validate(cls, value: object) -> Self:
        if isinstance(value, cls):
            return value
        if isinstance(value, str):
            return cls(value)
        raise ValueError(f"{value!r} is not a {cls.kind} version")


# 23.0.rc3 | 23.0.0 | 24.1.rc2.2 | 22.0.4.1 | 8.0.RC3.alpha002 | 23.0.rc1.b070 | 24.1.rc3.B999
_DOTTED = re.compile(r"(\d+(?:\.\d+)*)(?:\.?(rc|t)(\d+)((?:\.\d+)*))?((?:\.(?:alpha|beta|b)\d+)*)", re.IGNORECASE)
_TAIL = re.compile(r"(alpha|beta|b)(\d+)", re.IGNORECASE)
_TAIL_RANK = {"alpha": -3, "beta": -2, "b": 1}


def _release_key(text: str) -> _Key | None:
    """Order of a release line: T-builds < RC1 < RC2 < the number without RC; alpha and beta before, builds after.

    A final 23.0.0 and 23.0.rc3 share the line 23.0; the part after it is (0, n…) for a candidate and (1, n…)
    for a final number, so every candidate sorts before every final number of its line.
    """
    found = _DOTTED.fullmatch(text)
    if not found:
        return None
    numbers = tuple(int(part) for part in found[1].split("."))
    tail = tuple(item for name, digits in _TAIL.findall(found[5]) for item in (_TAIL_RANK[name.lower()], int(digits)))
    if found[2]:
        stage = -1 if found[2].lower() == "t" else 0
        extra = tuple(int(part) for part in found[4].split(".") if part)
        return numbers[:2], (stage, int(found[3]), *extra), tail or (0,)
    return numbers[:2], (1, *numbers[2:]), tail or (0,)


class HdkVersion(Version):
    """What the installed driver reports (`Version=` in driver/version.info): 22.0.4, 23.0.rc3, 25.0.rc1.1."""

    kind = "HDK"

    @classmethod
    def parse_key(cls, text: str) -> _Key | None:
        return _release_key(text)


class PackageVersion(Version):
    """The number in a driver package's file name or `package_version=`; up to HDK 22 it is not the reported one."""

    kind = "package"

    @classmethod
    def parse_key(cls, text: str) -> _Key | None:
        return _release_key(text)


class CannVersion(Version):
    """CANN toolkit, kernels, NNAL: 6.0.1, 7.0.RC1, 8.0.RC3.alpha002, 8.0.0."""

    kind = "CANN"

    @classmethod
    def parse_key(cls, text: str) -> _Key | None:
        return _release_key(text)


class SeriesVersion(Version):
    """Series of Ascend's PyTorch adapter, the tail of its branch names: 3.0.0, 5.0.rc2.2, 5.0.0, 7.1.0, 26.0.0."""

    kind = "torch_npu series"

    @classmethod
    def parse_key(cls, text: str) -> _Key | None:
        return _release_key(text)


class FirmwareVersion(Version):
    """Firmware in the flash: five dotted numbers, compared as numbers (1.84.15.1.310 < 6.4.0.4.220 < 7.1.0.5.220)."""

    kind = "firmware"

    @classmethod
    def parse_key(cls, text: str) -> _Key | None:
        parts = text.split(".")
        if len(parts) < 2 or not all(part.isascii() and part.isdigit() for part in parts):
            return None
        return (tuple(int(part) for part in parts),)


class FrameworkVersion(Version):
    """torch, torch_npu, mindspore, Python: PEP 440, so `packaging` orders them (2.1.0rc1 < 2.1.0 < 2.1.0.post3)."""

    kind = "Python package"
    __slots__ = ("_pep440",)

    @classmethod
    def parse_key(cls, text: str) -> _Key | None:
        try:
            Pep440(text)
        except InvalidVersion:
            return None
        return ()

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._pep440 = Pep440(text)

    def __eq__(self, other: object) -> bool:
        return self._pep440 == other._pep440 if isinstance(other, FrameworkVersion) else NotImplemented

    def _order(self) -> Any:
        return self._pep440

    def __hash__(self) -> int:
        return hash(self._pep440)
