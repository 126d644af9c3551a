"""What the installed ansible-core can manage; only hosts that are changed need a Python at all."""

from __future__ import annotations

from ansible.module_utils import basic

from ascend_provision.stack.versions import FrameworkVersion

_BEFORE_IT_WAS_A_TUPLE = (2, 7)


def oldest_target_python() -> FrameworkVersion:
    """The oldest Python of a host that modules of this ansible-core run on.

    Source: `_PY_MIN` in ansible/module_utils/basic.py, a tuple since ansible-core 2.17; up to 2.16 Python 2.7 works.
    """
    minimum = getattr(basic, "_PY_MIN", None)
    numbers = minimum if isinstance(minimum, tuple) else _BEFORE_IT_WAS_A_TUPLE
    return FrameworkVersion(".".join(str(number) for number in numbers))
