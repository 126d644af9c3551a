"""What the installed ansible-core can manage; only hosts that are changed need a Python at all."""

from __future__ import annotations

import configparser
import functools
import re
from collections.abc import Mapping
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


def own_callbacks(config: Mapping[str, str]) -> str:
    """The callbacks that the user's ansible.cfg enables; `config` is the environment that Ansible would see.

    Our own are given by the environment, which hides what the file says.
    """
    if "ANSIBLE_CALLBACKS_ENABLED" in config:
        return config["ANSIBLE_CALLBACKS_ENABLED"]
    places = (config.get("ANSIBLE_CONFIG"), "ansible.cfg", "~/.ansible.cfg", "/etc/ansible/ansible.cfg")
    found = next((path for place in places if place and (path := Path(place).expanduser()).is_file()), None)
    if found is None:
        return ""
    parser = configparser.ConfigParser(inline_comment_prefixes=(";",), interpolation=None, strict=False)
    try:
        parser.read(found, encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError):
        return ""  # Ansible itself names the broken line
    return parser.get("defaults", "callbacks_enabled", fallback="").replace("\n", "")
