"""`--matrix FILE`: the published matrix, with a site's own rows where a file is given."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ascend_provision.knowledge.matrix import Matrix, published
from ascend_provision.stack.errors import UsageError

MatrixFile = Annotated[
    Path | None,
    typer.Option("--matrix", metavar="FILE", help="A site's own rows (YAML); they override what is published."),
]


def load(path: Path | None) -> Matrix:
    """The matrix to judge by; raises UsageError for a file that cannot be read or holds a broken row."""
    if path is None:
        return published()
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"{path} cannot be read", code="matrix-unreadable", why=why) from error
    return published().with_site(text, str(path))
