"""`recognise`: files somebody sent, as one host's record, with what each piece was taken for and what nobody knows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ascend_provision.evidence import hccl_test, installer, wire
from ascend_provision.evidence.pasted import cards, files, kinds, system
from ascend_provision.evidence.pasted.cut import Piece, pieces
from ascend_provision.evidence.pasted.lines import lines
from ascend_provision.evidence.pasted.sections import NOT_GIVEN, record, sections
from ascend_provision.stack.evidence import ProbeRecord
from ascend_provision.stack.given import GivenEvidence, GivenPiece

PROBE = "answer of a probe"


def recognise(host: str, texts: Iterable[tuple[str, str]]) -> GivenEvidence:
    """`texts` are (name, content) of the files of one host. Never raises."""
    answers, found = _read(texts)
    return _given(host, answers, found)


def by_host(texts: Iterable[tuple[str, str]]) -> tuple[GivenEvidence, ...]:
    """The same where nobody said whose the files are: one for each host that prompts or `uname -a` name.

    What stands below no host's prompt, in a file that several hosts have, is of a host without a name.
    """
    answers, found = _read(texts)
    owners = _owners(found)
    hosts = {owner for piece, owner in zip(found, owners, strict=True) if piece.kind not in {"", "prompt"}}
    if answers or len(hosts) < 2:
        return (_given(next(iter(hosts), ""), answers, found),)
    parts: dict[str, list[Piece]] = {host: [] for host in sorted(hosts)}
    for piece, owner in zip(found, owners, strict=True):
        if owner in parts or piece.kind == "":
            parts[owner if owner in parts else min(parts)].append(piece)
    return tuple(_given(host, [], part) for host, part in parts.items())


def _read(texts: Iterable[tuple[str, str]]) -> tuple[list[tuple[str, str]], list[Piece]]:
    answers: list[tuple[str, str]] = []
    found: list[Piece] = []
    for name, text in texts:
        if wire.START in text:
            answers.append((name, text))
        else:
            found += [part for piece in pieces(name, lines(text)) for part in _split(piece)]
    return answers, found


def _given(host: str, answers: list[tuple[str, str]], found: list[Piece]) -> GivenEvidence:
    given, used = sections(found)
    shown = [_answer(name, text) for name, text in answers]
    shown += [_shown(piece, piece in used) for piece in found if piece.kind not in {"", "prompt"}]
    unknown = [_shown(piece, False) for piece in found if piece.kind == ""]
    return GivenEvidence(
        host=host,
        record=_together(host, [wire.parse(host, text) for _, text in answers], record(host, given)),
        pieces=tuple(shown),
        unrecognised=tuple(unknown),
    )


def _owners(found: list[Piece]) -> list[str]:
    """The host of each piece: its prompt's, else the only one that its file names, else the only one of all."""
    of_file: dict[str, set[str]] = {}
    for piece in found:
        of_file.setdefault(piece.file, set()).update(filter(None, [system.named(piece)]))
    every = set().union(*of_file.values()) if of_file else set()
    alone = {file: next(iter(named or every)) for file, named in of_file.items() if len(named or every) == 1}
    return [system.named(piece) or alone.get(piece.file, "") for piece in found]


def _split(piece: Piece) -> list[Piece]:
    if piece.kind == kinds.ASSIGNMENTS:
        return list(files.split(piece))
    if piece.kind == kinds.CARD:
        return list(cards.split(piece))
    if piece.kind == kinds.JSON:
        return [Piece(piece.file, _json(piece.text), piece.lines, piece.above)]
    return [piece]


def _json(text: str) -> str:
    if '"server_list"' in text or '"device_ip"' in text:
        return kinds.RANK_TABLE
    if '{"device_id"' in text or '{"device":' in text:
        return kinds.UPGRADE_TOOL
    return "output of a communication smoke test" if '"dist_smoke"' in text else ""


def _together(host: str, answers: list[ProbeRecord], pasted: ProbeRecord) -> ProbeRecord:
    """A probe's answer goes before what was pasted beside it; of two answers none is believed."""
    if not answers:
        return pasted
    if len(answers) > 1:
        return ProbeRecord(host=host, sections={}, missing="two answers of a probe were given for one host")
    sections_ = {**pasted.sections, **answers[0].sections}
    missing = answers[0].missing if answers[0].sections else NOT_GIVEN
    return replace(answers[0], sections=sections_, missing=missing)


def _answer(name: str, text: str) -> GivenPiece:
    return GivenPiece(file=name, line=1, last_line=text.count("\n") + 1, kind=PROBE, used=True)


def _shown(piece: Piece, used: bool) -> GivenPiece:
    return GivenPiece(
        file=piece.file,
        line=piece.lines[0].number,
        last_line=piece.lines[-1].number,
        kind=piece.kind,
        command=piece.above.command[:200],
        used=used,
        says=_says(piece),
    )


def _says(piece: Piece) -> str:
    """What a piece says for itself that is no fact of the host: a verdict of a test, the end of an installer."""
    if piece.kind == kinds.HCCL_TEST and not piece.text.startswith("USAGE"):
        reading = hccl_test.judge(piece.text, sizes=None, timed_out=False, ranks=0)
        return "; ".join([reading.verdict.value, *reading.why])[:300]
    if piece.kind == kinds.INSTALLER:
        return installer.last_word(piece.text) or piece.lines[-1].bare[:200]
    return piece.lines[0].bare[:100] if piece.kind == "" else ""
