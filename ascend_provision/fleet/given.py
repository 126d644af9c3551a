"""Evidence that came as files: which file belongs to which host, and their text.

A directory is one host, named by the directory; a directory in it is a host of its own, and so is each `.probe` file.
Files named one by one are one host together. Where prompts or `uname -a` name several hosts, they are these hosts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ascend_provision.evidence.pasted.recognise import by_host, recognise
from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.given import GivenEvidence, GivenPiece

MOST_BYTES = 8 * 1024 * 1024
"""Of one file; what is beyond is not read, and said to be."""
_HELP = "ascend-provision facts --help"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class _Host(NamedTuple):
    """`name` is empty for files named one by one; a probe's answer is called as its file."""

    name: str
    files: list[Path]
    sure: bool = False


def load(paths: Sequence[Path], name: str | None) -> tuple[GivenEvidence, ...]:
    """One for each host, by name; `name` is for a single host.

    Raises UsageError: no such path, one that is no file, no file in it, two hosts of one name.
    """
    hosts: list[_Host] = []
    loose: list[Path] = []
    for path in paths:
        if path.is_dir():
            hosts += _of_directory(path, set())
        elif not path.is_file():
            raise UsageError(f"`{path}` {_why_no_file(path)}", code="no-evidence", next_action=_HELP)
        elif path.suffix == ".probe":
            hosts.append(_Host(path.stem, [path], sure=True))
        else:
            loose.append(path)
    if loose:
        hosts.append(_Host("", loose))
    if not hosts:
        raise UsageError("no file in the evidence given", code="no-evidence", next_action=_HELP)
    if name is not None and len(hosts) > 1:
        names = ", ".join(host.name or "the files" for host in hosts)
        raise UsageError(f"--name is for one host, and these are several: {names}", code="no-evidence")
    given = [item for host in hosts for item in _given(host, name)]
    twice = {item.host for item in given if sum(other.host == item.host for other in given) > 1}
    if twice:
        raise UsageError(f"two hosts are called {', '.join(sorted(twice))}", code="no-evidence", next_action=_HELP)
    return tuple(sorted(given, key=lambda item: item.host))


def _why_no_file(path: Path) -> str:
    if path.is_symlink():
        return "is a link that leads to no file"
    return "is no file and no directory" if path.exists() else "does not exist"


def _of_directory(directory: Path, seen: set[Path]) -> Iterator[_Host]:
    """Every host in it with its files; hidden entries are left alone, a directory counts once however often linked."""
    seen.add(directory.resolve())
    try:
        entries = sorted(path for path in directory.iterdir() if not path.name.startswith("."))
    except OSError as error:
        why = error.strerror or ""
        raise UsageError(f"`{directory}` cannot be read", code="no-evidence", why=why, next_action=_HELP) from error
    folders = [path for path in entries if path.is_dir()]
    answers = [path for path in entries if path not in folders and path.suffix == ".probe"]
    files = [path for path in entries if path not in folders and path not in answers]
    for path in answers:
        yield _Host(path.stem, [path], sure=True)
    if files:
        yield _Host(directory.resolve().name, files)
    for path in folders:
        if path.resolve() not in seen:
            yield from _of_directory(path, seen)


def _given(host: _Host, name: str | None) -> tuple[GivenEvidence, ...]:
    """Called `name`, else as prompts say if they name several, else as the directory, the text's one name, the file."""
    texts: list[tuple[str, str]] = []
    refused: list[GivenPiece] = []
    for path in host.files:
        text, why = _text(path)
        if text is not None:
            texts.append((path.name, text))
        if why:
            refused.append(GivenPiece(file=path.name, line=1, last_line=1, kind="", says=why))
    found = (recognise(name or host.name, texts),) if name or host.sure else by_host(texts)
    several = len(found) > 1
    first = found[0].model_copy(update={"unrecognised": (*found[0].unrecognised, *refused)})
    named = (first, *found[1:])
    return tuple(
        _called(item, name or (several and item.host) or host.name or item.host or host.files[0].stem) for item in named
    )


def _called(given: GivenEvidence, host: str) -> GivenEvidence:
    return given.model_copy(update={"host": host, "record": replace(given.record, host=host)})


def _text(path: Path) -> tuple[str | None, str]:
    """The file's text, and why it, or its end, was not read. A shell on Windows writes UTF-16."""
    if not path.is_file():
        return None, _why_no_file(path)
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        return None, f"cannot be read: {error.strerror}"
    if data.startswith(_UTF16):
        return data.decode("utf-16", "replace"), ""
    if b"\0" in data[:4096]:
        return None, "not a text"
    if not data.strip():
        return None, "empty"
    why = "" if len(data) <= MOST_BYTES else f"only its first {MOST_BYTES} bytes were read"
    return data[:MOST_BYTES].decode("utf-8", "replace"), why
