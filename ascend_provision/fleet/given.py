"""Evidence that came as files: which file belongs to which host, and their text.

A directory is one host, named by the directory; a directory in it is a host of its own, and so is each `.probe` file.
Files named one by one are one host together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ascend_provision.evidence.pasted.recognise import host_of, recognise
from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.given import GivenEvidence, GivenPiece

MOST_BYTES = 8 * 1024 * 1024
"""Of one file; what is beyond is not read, and said to be."""
_HELP = "ascend-provision facts --help"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def load(paths: Sequence[Path], name: str | None) -> tuple[GivenEvidence, ...]:
    """One for each host, by name; `name` is for a single host.

    Raises UsageError: no such path, no file in it, two hosts of one name.
    """
    hosts = [host for path in paths if path.is_dir() for host in _of_directory(path)]
    loose: list[Path] = []
    for path in paths:
        if path.is_dir():
            continue
        if not path.is_file():
            raise UsageError(f"`{path}` does not exist", code="no-evidence", next_action=_HELP)
        if path.suffix == ".probe":
            hosts.append((path.stem, [path]))
        else:
            loose.append(path)
    if loose:
        hosts.append(("", loose))
    if not hosts:
        raise UsageError("no file in the evidence given", code="no-evidence", next_action=_HELP)
    if name is not None and len(hosts) > 1:
        names = ", ".join(host or "the files" for host, _ in hosts)
        raise UsageError(f"--name is for one host, and these are several: {names}", code="no-evidence")
    given = [_host(name or host, files) for host, files in hosts]
    twice = {item.host for item in given if sum(other.host == item.host for other in given) > 1}
    if twice:
        raise UsageError(f"two hosts are called {', '.join(sorted(twice))}", code="no-evidence", next_action=_HELP)
    return tuple(sorted(given, key=lambda item: item.host))


def _of_directory(directory: Path) -> Iterator[tuple[str, list[Path]]]:
    """Every host in it with its files; hidden entries are left alone."""
    entries = sorted(path for path in directory.iterdir() if not path.name.startswith("."))
    answers = [path for path in entries if path.is_file() and path.suffix == ".probe"]
    files = [path for path in entries if path.is_file() and path.suffix != ".probe"]
    for path in answers:
        yield path.stem, [path]
    if files:
        yield directory.resolve().name, files
    for path in entries:
        if path.is_dir():
            yield from _of_directory(path)


def _host(host: str, files: list[Path]) -> GivenEvidence:
    texts: list[tuple[str, str]] = []
    refused: list[GivenPiece] = []
    for path in files:
        text, why = _text(path)
        if text is not None:
            texts.append((path.name, text))
        if why:
            refused.append(GivenPiece(file=path.name, line=1, last_line=1, kind="", says=why))
    given = recognise(host or host_of(texts) or files[0].stem, texts)
    return given.model_copy(update={"unrecognised": (*given.unrecognised, *refused)})


def _text(path: Path) -> tuple[str | None, str]:
    """The file's text, and why it, or its end, was not read. A shell on Windows writes UTF-16."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        return None, f"cannot be read: {error.strerror}"
    if data.startswith(_UTF16):
        return data.decode("utf-16", "replace"), ""
    if b"\0" in data[:4096]:
        return None, "not a text"
    why = "" if len(data) <= MOST_BYTES else f"only its first {MOST_BYTES} bytes were read"
    return data[:MOST_BYTES].decode("utf-8", "replace"), why
