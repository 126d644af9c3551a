"""Which kernel boots next: `grubby --default-kernel`, else GRUB's menu and its saved entry, else the boot symlink.

Sources: grubby(8); GNU GRUB manual, "default" and "grub-reboot"; the Debian kernel handbook for /vmlinuz.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ascend_provision.evidence.reading import Reading, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.model import Unknown

_KERNEL = re.compile(r"(?:^|/)vmlinu[xz]-([^/\s]+)$")
_TITLE = re.compile(r"(?:menuentry|submenu) +('[^']*'|\"[^\"]*\"|\S+)")
_ID = re.compile(r"\$menuentry_id_option +('[^']*'|\"[^\"]*\"|\S+)")


@dataclass
class _Entry:
    """A menu entry: `names` are what `set default` may call it by, `kernel` its release."""

    names: set[str]
    kernel: str | None = None


def parse(evidence: Evidence, grubby: Evidence) -> Reading[str | Unknown]:
    """The kernel release that the next boot will run."""
    if grubby.ok and (found := _release(grubby.text.strip())):
        return Reading(found)
    if (why := silence(evidence)) is not None:
        return Reading(why)
    rows = lines(evidence.text)
    menu = [line[5:] for line in rows if line.startswith("grub ")]
    values = dict(line.split("=", 1) for line in rows if "=" in line and not line.startswith("grub "))
    if menu and (release := _from_menu(menu, values)) is not None:
        return Reading(release)
    if release := _release(values.get("link", "")):
        return Reading(release)
    images = {line[6:] for line in rows if line.startswith("image=") and "rescue" not in line}
    if len(images) == 1 and (release := _release(images.pop())):
        return Reading(release)
    if "unreadable" in values:
        return Reading(Unknown(unknown=f"{values['unreadable']} is not readable", settle="probe as root"))
    return Reading(Unknown(unknown="no boot loader configuration that names the next kernel was found"))


def _release(path: str) -> str | None:
    match = _KERNEL.search(path)
    return match[1] if match else None


def _from_menu(menu: list[str], values: dict[str, str]) -> str | Unknown | None:
    """The default entry's kernel; None when the menu holds no kernel (a stub that loads another file)."""
    entries = _entries(menu)
    if not any(entry.kernel for entry in entries):
        return None
    wish = values.get("next_entry") or _default(menu, values)
    chosen = [entry for entry in entries if wish in entry.names]
    if not chosen or chosen[0].kernel is None:
        return Unknown(unknown=f"GRUB's default entry {wish[:80]!r} is not in its menu")
    return chosen[0].kernel


def _default(menu: list[str], values: dict[str, str]) -> str:
    """`set default="${saved_entry}"` needs grubenv; the last plain assignment counts otherwise."""
    wish = "0"
    for line in menu:
        if line.startswith("set default="):
            value = line.removeprefix("set default=").strip("\"' ")
            if value == "${saved_entry}":
                return values.get("saved_entry") or "0"
            if "$" not in value:
                wish = value
    return wish


def _entries(menu: list[str]) -> list[_Entry]:
    """Every menu entry with its names: index (`0`, `1>2`), title and id, below a submenu with `parent>` in front."""
    entries: list[_Entry] = []
    parents: list[set[str]] = []
    counts = [0]
    inside = False
    for line in menu:
        if line.startswith(("menuentry ", "submenu ")):
            names = {str(counts[-1])} | {m[1].strip("'\"") for m in (_TITLE.search(line), _ID.search(line)) if m}
            counts[-1] += 1
            for parent in reversed(parents):
                names = {f"{outer}>{name}" for outer in parent for name in names} | names - {str(counts[-1] - 1)}
            if line.startswith("submenu "):
                parents.append(names)
                counts.append(0)
            else:
                entries.append(_Entry(names))
                inside = True
        elif line == "}":
            if inside:
                inside = False
            elif parents:
                parents.pop()
                counts.pop()
        elif line.startswith("linux ") and inside and entries[-1].kernel is None:
            entries[-1].kernel = _release(line.partition(" ")[2].strip())
    return entries
