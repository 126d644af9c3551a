"""The `version.info` of CANN's parts: their numbers, and what each asks of others (`required_package_<part>_version`).

Up to 8.3 a part is a directory of the version directory, from 8.5 on one below `share/info`.
Sources: docs/formats.md#cann.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ascend_provision.evidence.reading import pairs
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.surroundings import CannPart

_PLACE = re.compile(r"(?P<root>.+?)(?:/share/info)?/(?P<name>[^/]+)/version\.info")
_KEY = re.compile(r"required_package_(.+)_version")
_VALUE = re.compile(r'"?[^"]+"?')


def parse(files: Mapping[str, Sequence[str]], roots: Sequence[str]) -> tuple[CannPart, ...] | Unknown:
    """Every part below the version directories; unknown as a whole where one file is not understood."""
    found: dict[tuple[str, str], CannPart] = {}
    for path, lines in files.items():
        place = _PLACE.fullmatch(path)
        if place is None or place["root"] not in roots or "/nnal/" in path:
            continue
        values = pairs("\n".join(lines))
        asked = {key: value for key, value in values.items() if key.startswith("required_package")}
        broken = [key for key, value in asked.items() if not _KEY.fullmatch(key) or not _VALUE.fullmatch(value)]
        if not values.get("Version") or broken:
            return Unknown(unknown=f"{path}: {broken[0][:80] if broken else 'no Version line'} was not understood")
        requires = {_KEY.sub(r"\1", key): value.strip('"') for key, value in asked.items()}
        key = (place["root"], CannPart.plain(place["name"]))
        if key not in found:  # opp/version.info of 8.5 says the same as share/info/opp/version.info
            found[key] = CannPart(name=place["name"], root=place["root"], number=values["Version"], requires=requires)
    return tuple(found[key] for key in sorted(found))
