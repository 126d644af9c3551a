from __future__ import annotations

import re

import pytest

from ascend_provision.knowledge import catalogue
from ascend_provision.knowledge.catalogue import Words

CHINESE = re.compile(r"[\u4e00-\u9fff]")
PLACEHOLDER = re.compile(r"\{\w*\}")
QUOTED = re.compile(r"`[^`]*`")
# What a reader copies, quoted or not: paths, files, variables, error codes, options.
COPIED = re.compile(
    r"(?<![\w.])/[\w.*$()/-]+|\b[\w-]+\.(?:info|sh|md|conf|log|run)\b|\b[A-Z]\w*_[A-Z0-9_]+\b|(?<!\w)-\d{4}\b|--[a-z-]+",
    re.ASCII,
)
EVERY = pytest.mark.parametrize("entry", catalogue.entries().values(), ids=lambda entry: entry.id)


def sentences(words: Words) -> dict[str, str]:
    return {
        "title": words.title,
        "meaning": words.meaning,
        **{f"cause {number}": cause for number, cause in enumerate(words.causes, start=1)},
        "next_action": words.next_action,
        "settle": words.settle,
    }


@EVERY
def test_every_entry_reads_at_three_in_the_morning(entry: catalogue.Entry) -> None:
    assert entry.en.meaning.endswith(".")
    assert len(entry.en.meaning.split()) >= 8
    assert not entry.en.title.endswith(".")
    assert not entry.en.next_action.endswith(".")
    assert entry.en.settle
    assert len(entry.en.causes) != 1, "one cause is the meaning"


@EVERY
def test_every_entry_reads_as_well_in_chinese(entry: catalogue.Entry) -> None:
    assert entry.zh.meaning.endswith("。")
    assert len(CHINESE.findall(entry.zh.meaning)) >= 8
    for name, text in sentences(entry.zh).items():
        assert CHINESE.search(text), f"{name} is not Chinese"
        assert not re.search(r"[\u4e00-\u9fff][,;:?!]|[,;:?!][\u4e00-\u9fff]", text), f"{name}: punctuation of English"
    assert not entry.zh.title.endswith("。")
    assert not entry.zh.next_action.endswith("。")


@EVERY
def test_both_languages_say_the_same_to_the_shell(entry: catalogue.Entry) -> None:
    """Sentence by sentence: the same placeholders, the same commands in backticks, the same paths and codes."""
    english, chinese = sentences(entry.en), sentences(entry.zh)

    assert english.keys() == chinese.keys()
    for name, text in english.items():
        for kind in (PLACEHOLDER, QUOTED, COPIED):
            assert set(kind.findall(text)) == set(kind.findall(chinese[name])), name
        assert not CHINESE.search(text), name


@pytest.mark.parametrize("missing", ["en", "zh"])
def test_an_entry_in_one_language_only_is_no_entry(missing: str) -> None:
    raw = catalogue.entries()["chips.health"].model_dump(mode="json")
    catalogue.Entry.model_validate(raw)
    del raw[missing]

    with pytest.raises(ValueError, match=missing):
        catalogue.Entry.model_validate(raw)
