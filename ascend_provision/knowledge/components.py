"""What can stand in a row of the matrix: the parts of a stack, their names for a reader, and how they are numbered."""

from __future__ import annotations

import functools
from typing import Literal, get_args

from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.model import Noun
from ascend_provision.stack.versions import (
    CannVersion,
    FirmwareVersion,
    FrameworkVersion,
    HdkVersion,
    ProductVersion,
    SeriesVersion,
    Version,
)

Component = Literal[
    "hdk",
    "firmware",
    "cann",
    "kernels",
    "nnal",
    "torch",
    "torch_npu",
    "torch_npu_series",
    "python",
    "mindspore",
    "mindformers",
    "mindie",
    "vllm",
    "vllm_ascend",
    "triton_ascend",
    "mindcluster",
    "mindspeed",
    "mindspeed_llm",
    "mindsdk",
    "mooncake",
]
"""`hdk` is the driver as it reports itself. The chip is no component: it is the scope of a row."""

NAMES: tuple[Component, ...] = get_args(Component)
ALIASES: dict[str, Component] = {"driver": "hdk", "ops": "kernels", "toolkit": "cann", "npu_driver": "hdk"}

_TITLES: dict[Component, str] = {
    "hdk": "HDK",
    "cann": "CANN",
    "nnal": "NNAL",
    "torch_npu_series": "torch_npu series",
    "python": "Python",
    "mindspore": "MindSpore",
    "mindformers": "MindFormers",
    "mindie": "MindIE",
    "vllm": "vLLM",
    "vllm_ascend": "vllm-ascend",
    "triton_ascend": "triton-ascend",
    "mindcluster": "MindCluster",
    "mindspeed": "MindSpeed",
    "mindspeed_llm": "MindSpeed-LLM",
    "mindsdk": "MindSDK",
}
_KINDS: dict[Component, type[Version]] = {
    "hdk": HdkVersion,
    "firmware": FirmwareVersion,
    "cann": CannVersion,
    "kernels": CannVersion,
    "nnal": CannVersion,
    "torch_npu_series": SeriesVersion,
    "mindie": ProductVersion,
    "mindcluster": ProductVersion,
    "mindspeed": ProductVersion,
    "mindspeed_llm": ProductVersion,
    "mindsdk": ProductVersion,
}


class Item(Noun):
    """One component at one version, as asked about."""

    component: Component
    version: str

    def __str__(self) -> str:
        return f"{title(self.component)} {self.version}"


def named(text: str) -> Component | None:
    """The component of a name as people type it (`driver`, `torch-npu`, `CANN`); None for an unknown one."""
    plain = text.strip().lower().replace("-", "_")
    return next((name for name in NAMES if name == plain), ALIASES.get(plain))


def title(component: Component) -> str:
    """The name a reader knows it by."""
    return _TITLES.get(component, component)


def kind(component: Component) -> type[Version]:
    """How the component is numbered; Python packages by PEP 440."""
    return _KINDS.get(component, FrameworkVersion)


@functools.lru_cache(maxsize=16384)
def parse(component: Component, text: str) -> Version:
    """The typed version; UsageError when the text does not follow the component's grammar."""
    version = kind(component).maybe(text)
    if version is None:
        raise UsageError(
            f"`{text}` is not a version of {title(component)}",
            code="version-not-understood",
            why=f"{component}={text!r}: {kind(component).__name__} does not read it",
            next_action="write the version as the component itself prints it",
        )
    return version
