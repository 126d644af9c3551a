"""A directory of `.run` packages with its `SHA256SUMS`: opened whole and verified, or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ascend_provision.bundle import manifest, names
from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.packages import Package


@dataclass(frozen=True)
class PackageStore:
    """Verified packages of one directory, sorted by file name. The path is absolute: Ansible runs elsewhere."""

    directory: Path
    packages: tuple[Package, ...]


def open(directory: Path) -> PackageStore:  # noqa: A001 - read as store.open(…)
    """Read and verify every file of the manifest. Raises UsageError for anything that is not as recorded."""
    files = _present(directory)
    sums = manifest.read(directory)
    unlisted = sorted(path.name for path in files if path.name not in sums)
    if unlisted:
        raise UsageError(
            f"{directory / unlisted[0]} is not in {manifest.NAME}",
            code="package-unlisted",
            why=f"{len(unlisted)} of {len(files)} packages have no checksum on record",
            next_action=f"compare it with the vendor's checksum, then: ascend-provision bundle add {directory}",
        )
    listed = [name for name in sorted(sums) if names.parse(name)]
    return PackageStore(directory.absolute(), tuple(_verified(directory / name, sums[name]) for name in listed))


def add(directory: Path, files: Iterable[Path] = ()) -> tuple[Package, ...]:
    """Copy `files` into the directory and record them; without files, record every package already there.

    A name that says nothing about its component is refused, so is a file that differs from one on record.
    Returns the packages recorded now.
    """
    sources = tuple(files)
    for source in sources:
        if not source.is_file():
            raise UsageError(f"{source} is not a file", code="file-missing")
        _named(source)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"{directory} cannot be a package directory", code="directory-unusable", why=str(error)
        ) from error
    sums = manifest.read(directory) if (directory / manifest.NAME).exists() else {}
    added = [_record(_bring(source, directory), sums) for source in sources or _present(directory)]
    manifest.write(directory, sums)
    return tuple(added)


def _present(directory: Path) -> list[Path]:
    """The files of a directory that are Ascend packages by their name, sorted; other files are not ours."""
    if not directory.is_dir():
        raise UsageError(
            f"package directory {directory} does not exist",
            code="packages-missing",
            next_action=f"ascend-provision bundle add {directory} FILE…",
        )
    files = sorted(path for path in directory.iterdir() if path.suffix == ".run" and path.is_file())
    packages = [path for path in files if names.parse(path.name)]
    if not packages:
        strangers = ", ".join(path.name for path in files[:3])
        raise UsageError(
            f"{directory} holds no Ascend package",
            code="packages-empty",
            why=f"not a package's name: {strangers}" if strangers else "there is no .run file in it",
            next_action=f"ascend-provision bundle add {directory} FILE…",
        )
    return packages


def _verified(path: Path, expected: str) -> Package:
    if not path.is_file():
        raise UsageError(
            f"{path} is in {manifest.NAME} but not in the directory",
            code="package-missing",
            next_action="bring the file back, or remove its line",
        )
    found = manifest.sha256(path)
    if found != expected:
        raise UsageError(
            f"{path} is damaged",
            code="package-damaged",
            why=f"sha256 is {found}, {manifest.NAME} says {expected}",
            next_action="fetch the file again and compare it with the vendor's checksum",
        )
    return _package(path, found)


def _record(path: Path, sums: dict[str, str]) -> Package:
    found = manifest.sha256(path)
    if sums.setdefault(path.name, found) != found:
        raise UsageError(
            f"{path} is not the file that was recorded",
            code="package-changed",
            why=f"sha256 is {found}, {manifest.NAME} says {sums[path.name]}",
            next_action=f"if it was replaced on purpose, remove its line from {path.parent / manifest.NAME} first",
        )
    return _package(path, found)


def _bring(source: Path, directory: Path) -> Path:
    """Copy unless it is there already; the name appears only when the copy is whole."""
    target = directory / source.name
    if target.exists():
        if not target.samefile(source) and manifest.sha256(target) != manifest.sha256(source):
            raise UsageError(
                f"{target} exists and differs from {source}",
                code="package-exists",
                next_action="remove the one that is wrong",
            )
        return target
    fresh = directory / f".{source.name}.{os.getpid()}"
    try:
        shutil.copyfile(source, fresh)
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)
    return target


def _named(path: Path) -> names.PackageName:
    name = names.parse(path.name)
    if name is None:
        raise UsageError(
            f"{path.name} is not the name of an Ascend package",
            code="package-name",
            why="the name is what says component, version, chip and arch; expected e.g. " + ", ".join(names.examples()),
            next_action="keep the vendor's file name",
        )
    return name


def _package(path: Path, sha256: str) -> Package:
    name = _named(path)
    return Package(
        component=name.component,
        file=path.name,
        version=name.version,
        chip=name.chip,
        arch=name.arch,
        sha256=sha256,
        size=path.stat().st_size,
    )
