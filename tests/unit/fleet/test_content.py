"""Ansible must find this program's own collection, and no stray copy of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import ascend_provision
from ascend_provision.fleet import content
from ascend_provision.stack.errors import ProvisionError, UsageError


def collection(base: Path) -> Path:
    path = base / "ansible_collections" / "ascend" / "provision"
    (path / "playbooks").mkdir(parents=True)
    (path / "galaxy.yml").write_text("namespace: ascend\n")
    return path


def test_a_checkout_is_shown_to_ansible_as_a_collection(tmp_path: Path) -> None:
    tree = content.collections_path(tmp_path)

    seen = tree / "ansible_collections" / "ascend" / "provision"
    assert seen.resolve() == content.root().resolve()
    assert content.collections_path(tmp_path) == tree
    assert [path.name for path in seen.parent.iterdir()] == ["provision"]


def test_a_link_to_another_checkout_is_replaced(tmp_path: Path) -> None:
    link = content.collections_path(tmp_path) / "ansible_collections" / "ascend" / "provision"
    link.unlink()
    link.symlink_to(tmp_path)

    content.collections_path(tmp_path)

    assert link.resolve() == content.root().resolve()


def test_a_wheel_brings_its_content_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site-packages" / "ascend_provision"
    bundled = collection(package / "_content")
    monkeypatch.setattr(ascend_provision, "__file__", str(package / "__init__.py"))

    assert content.root() == bundled
    assert content.collections_path(tmp_path / "unused") == package / "_content"
    assert not (tmp_path / "unused").exists()


def test_an_install_without_content_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ascend_provision, "__file__", str(tmp_path / "ascend_provision" / "__init__.py"))

    with pytest.raises(ProvisionError) as error:
        content.root()

    assert error.value.code == "content-missing"


def test_our_collection_comes_first_and_the_users_own_stay_reachable(tmp_path: Path) -> None:
    path = content.search_path({"ANSIBLE_COLLECTIONS_PATH": f"{tmp_path}{os.pathsep}/opt/collections"})

    assert path.split(os.pathsep) == [str(content.collections_path()), str(tmp_path), "/opt/collections"]


def test_without_a_setting_ansibles_own_places_stay_reachable() -> None:
    assert content.search_path({}).endswith(":~/.ansible/collections:/usr/share/ansible/collections")


@pytest.mark.parametrize("spelling", ["{}", "{}/ansible_collections"], ids=["base", "with its last directory"])
def test_a_stray_copy_that_would_be_used_instead_is_refused(tmp_path: Path, spelling: str) -> None:
    stray = collection(tmp_path)

    with pytest.raises(UsageError) as error:
        content.assert_ours([spelling.format(tmp_path), str(content.collections_path())])

    assert error.value.code == "collection-shadowed"
    assert str(stray) in error.value.what


def test_a_stray_copy_behind_ours_does_no_harm(tmp_path: Path) -> None:
    collection(tmp_path)

    content.assert_ours([str(content.collections_path()), str(tmp_path)])


def test_a_path_without_our_collection_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProvisionError, match="find no collection"):
        content.assert_ours([str(tmp_path)])
