"""Versions as the Ascend field writes them, one type a kind, so that mypy will not let two kinds be compared.

Four numbers name one release (package 6.0.0 = driver 22.0.4 = firmware 1.84 = CANN 6.0.1); nothing here maps
one to another, that is data in `knowledge`. Sources: version.info files shipped in Ascend/ascend-docker-image,
file names in Ascend/docs `_static/package_info.js`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from packaging.version import InvalidVersion
from packaging.version import Version as Pep440
from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticSerializationUnexpectedValue, core_schema
from typing_extensions import Self

from ascend_provision.stack import grammars
from ascend_provision.stack.grammars import Key


class Incomparable(TypeError):
    """Two versions of one kind between which no order is published."""


class Version:
    """A version of one kind: keeps its text, orders within its kind, compares with no other kind."""

    kind: ClassVar[str] = "version"
    __slots__ = ("_key", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        key = self.grammar(text)
        if key is None:
            raise ValueError(f"{text!r} is not a {self.kind} version")
        self._key = key

    @staticmethod
    def grammar(text: str) -> Key | None:
        """The sort key of `text`, or None when it does not follow the grammar of the kind."""
        raise NotImplementedError

    @classmethod
    def maybe(cls, text: str) -> Self | None:
        """The version, or None when `text` is not one."""
        return cls(text) if cls.grammar(text) is not None else None

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


class HdkVersion(Version):
    """What the installed driver reports (`Version=` in driver/version.info): 22.0.4, 23.0.rc3, 25.0.rc1.1.

    Numbers alone decide here. The HDK of Ascend950 counts on its own (25.1, 25.6, 25.7): knowledge.lines says which
    versions may be ordered at all.
    """

    kind = "HDK"
    grammar = staticmethod(grammars.release)


class PackageVersion(Version):
    """The number in a driver package's file name or `package_version=`; up to HDK 22 it is not the reported one."""

    kind = "package"
    grammar = staticmethod(grammars.release)


class CannVersion(Version):
    """CANN toolkit, kernels, NNAL: 6.0.1, 7.0.RC1, 8.0.RC3.alpha002, 8.0.0, 9.0.0-beta.1; 8.0.0.beta1 equals 8.0.0."""

    kind = "CANN"
    grammar = staticmethod(grammars.cann)


class SeriesVersion(Version):
    """Series of Ascend's PyTorch adapter, the tail of its branch names: 3.0.0, 5.0.rc2.2, 5.0.0, 7.1.0, 26.0.0."""

    kind = "torch_npu series"
    grammar = staticmethod(grammars.release)


class ProductVersion(Version):
    """MindIE, MindCluster, MindSpeed, MindSDK: 1.0.RC2, 2.3.0, 7.2.RC1.SPC1, 26.1.0."""

    kind = "product"
    grammar = staticmethod(grammars.release)


class FirmwareVersion(Version):
    """Firmware in the flash: dotted numbers, compared as numbers (1.84.15.1.310 < 6.4.0.4.220 < 7.1.0.5.220).

    Test builds (7.0.t9.0.b221) come before the numbers of their line. The vendor's own tools compare the text: that
    is knowledge.installed_lists.
    """

    kind = "firmware"
    grammar = staticmethod(grammars.firmware)


class ComponentNumber(Version):
    """What CANN's parts call themselves in their own version.info (compiler, runtime, hccl): 7.6.0.1.220."""

    kind = "CANN component"
    grammar = staticmethod(grammars.firmware)


class InnerVersion(Version):
    """V100R001C25SPC001B212: ordered only inside one branch, because the C number started again at CANN 9.0."""

    kind = "inner"
    grammar = staticmethod(grammars.inner)

    @property
    def branch(self) -> str:
        """V100R001C25, as compatibility lists write it."""
        return "V{}R{}C{}".format(*(f"{n:0{w}d}" for n, w in zip(self._key[0], (3, 3, 2), strict=True)))

    def _same(self, other: Self) -> Self:
        if super()._same(other)._key[0] != self._key[0]:
            raise Incomparable(f"no order is published between the branches of {self} and {other}")
        return other


class FrameworkVersion(Version):
    """torch, torch_npu, mindspore, vllm, Python: PEP 440, so `packaging` orders them (2.1.0rc1 < 2.1.0 < 2.1.0.post3).

    These are Python packages, named by the same rules that pip compares by; 2.3.0-rc1 and 2.3.0rc1 are one release.
    """

    kind = "Python package"
    __slots__ = ("_pep440",)

    @staticmethod
    def grammar(text: str) -> Key | None:
        if len(text) > grammars.LONGEST:
            return None
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
