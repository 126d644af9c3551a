"""What the installed ansible-core can manage; only hosts that are changed need a Python at all."""

from __future__ import annotations

import functools
import re
from importlib.util import find_spec
from pathlib import Path

from ascend_provision.stack.versions import FrameworkVersion

_BEFORE_IT_WAS_A_TUPLE = "2.7"
_MINIMUM = re.compile(r"^_PY_MIN = \((\d+), (\d+)\)$", re.MULTILINE)


def oldest_target_python() -> FrameworkVersion:
    """The oldest Python of a host that modules of this ansible-core run on.

    Source: `_PY_MIN` in ansible/module_utils/basic.py, a tuple since ansible-core 2.17; up to 2.16 Python 2.7 works.
    """
    return FrameworkVersion(minimum(_basic()))


def minimum(source: str) -> str:
    """What that module says of itself. It is read and not run: loading it costs as much as judging twenty hosts."""
    found = _MINIMUM.search(source)
    return ".".join(found.groups()) if found else _BEFORE_IT_WAS_A_TUPLE


@functools.cache
def _basic() -> str:
    spec = find_spec("ansible.module_utils")
    folders = [] if spec is None else list(spec.submodule_search_locations or ())
    return Path(folders[0], "basic.py").read_text(encoding="utf-8")
