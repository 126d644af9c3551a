"""The Ansible content of this program: playbooks, roles and plugins as the collection `ascend.provision`.

Inside a wheel it lies ready under `_content/ansible_collections`. An editable install has only the checkout, which is
shown to Ansible as a tree of one symbolic link in the user's cache directory.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

import platformdirs

import ascend_provision
from ascend_provision.stack.errors import ProvisionError, UsageError

_COLLECTION = Path("ansible_collections", "ascend", "provision")
_PATH_VARIABLE = "ANSIBLE_COLLECTIONS_PATH"
_ANSIBLE_DEFAULT = ("~/.ansible/collections", "/usr/share/ansible/collections")


def root() -> Path:
    """The directory that holds galaxy.yml, playbooks, roles and plugins. Raises ProvisionError when there is none."""
    package = Path(ascend_provision.__file__).resolve().parent
    bundled = package / "_content" / _COLLECTION
    for candidate in (bundled, package.parent):
        if (candidate / "galaxy.yml").is_file() and (candidate / "playbooks").is_dir():
            return candidate
    raise ProvisionError(
        f"the playbooks of ascend-provision are missing from {package}",
        code="content-missing",
        next_action="install it again from a wheel or a checkout",
    )


def collections_path(cache: Path | None = None) -> Path:
    """A directory whose `ansible_collections/ascend/provision` is this program's own content."""
    content = root()
    if content.parts[-3:] == _COLLECTION.parts:
        return content.parents[2]
    base = cache or platformdirs.user_cache_path("ascend-provision")
    tree = base / f"collections-{hashlib.sha256(str(content).encode()).hexdigest()[:12]}"
    link = tree / _COLLECTION
    if not (link.is_symlink() and link.readlink() == content):
        _replace_link(link, content)
    return tree


def search_path(environment: dict[str, str] | None = None) -> str:
    """The value for ANSIBLE_COLLECTIONS_PATH: ours first, then the user's own (their inventory plugins live there).

    Raises UsageError when Ansible would still find another `ascend.provision` before ours.
    """
    values = os.environ if environment is None else environment
    theirs = values[_PATH_VARIABLE].split(os.pathsep) if values.get(_PATH_VARIABLE) else list(_ANSIBLE_DEFAULT)
    ours = str(collections_path())
    path = [ours, *(entry for entry in theirs if entry and entry != ours)]
    assert_ours(path)
    return os.pathsep.join(path)


def assert_ours(path: Sequence[str]) -> None:
    """Refuse a search path on which a stray copy of the collection would shadow this program's own."""
    content = root()
    for entry in path:
        directory = Path(entry).expanduser()
        # Ansible takes an entry with or without `ansible_collections` at its end, and the first one that has the name.
        base = directory.parent if directory.name == _COLLECTION.parts[0] else directory
        candidate = base / _COLLECTION
        if not candidate.is_dir():
            continue
        if candidate.resolve() != content.resolve():
            raise UsageError(
                f"another copy of the collection ascend.provision would be used: {candidate}",
                code="collection-shadowed",
                why=f"this program's own is {content}",
                next_action=f"remove the copy, or unset {_PATH_VARIABLE}",
            )
        return
    raise ProvisionError("Ansible would find no collection ascend.provision", code="content-missing")


def _replace_link(link: Path, target: Path) -> None:
    """Two commands may do this at once; each puts the same link in place by rename."""
    try:
        link.parent.mkdir(parents=True, exist_ok=True)
        fresh = link.with_name(f".{link.name}.{os.getpid()}")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(target, target_is_directory=True)
        fresh.replace(link)
    except OSError as error:
        raise UsageError(
            f"the cache directory {link.parent} cannot be used",
            code="cache-unusable",
            why=str(error),
            next_action="set XDG_CACHE_HOME to a directory you may write",
        ) from error
