"""The language findings are shown in: `--lang`, or else the locale's."""

from __future__ import annotations

import os
from enum import Enum
from typing import Annotated

import typer

from ascend_provision.stack.findings import Language


class Lang(str, Enum):
    EN = "en"
    ZH = "zh"


LangOption = Annotated[
    Lang | None,
    typer.Option("--lang", help="Language of the findings; the locale's by default.", rich_help_panel="Output"),
]
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""In the order in which a C library looks for the language of messages."""


def language(asked: Lang | None) -> Language:
    """What was asked for, else Chinese for a Chinese locale and English for every other."""
    if asked is not None:
        return "zh" if asked is Lang.ZH else "en"
    locale = next((value for name in _VARIABLES if (value := os.environ.get(name))), "")
    return "zh" if locale.replace("-", "_").partition("_")[0].partition(".")[0] == "zh" else "en"
