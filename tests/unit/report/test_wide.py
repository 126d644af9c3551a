from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ascend_provision.report import wide

SENTENCE = "以 root 执行 `npu-smi info -t board -i 0` 读取版本，并与驱动的版本说明书对比（A1、A2）；然后重启主机。"
FIELD = st.text(alphabet="驱动固件芯片，。（）abc123 -./", min_size=1).filter(str.strip)


def test_a_chinese_character_takes_two_columns() -> None:
    assert wide.cells("driver") == 6
    assert wide.cells("驱动 23") == 7
    assert wide.ljust("驱动", 6) + "|" == "驱动  |"


def test_a_line_of_chinese_breaks_between_characters_and_not_inside_a_word_or_before_a_comma() -> None:
    lines = wide.wrap(SENTENCE, 40, "下一步  ", "        ")

    assert len(lines) > 2
    assert max(map(wide.cells, lines)) <= 40
    assert lines[0].startswith("下一步  以 root")
    assert not [line for line in lines if line.strip()[0] in "，。；：、）"]
    assert "npu-smi" in "\n".join(lines)


@given(FIELD, st.integers(12, 60))
def test_nothing_is_lost_and_only_a_single_word_is_too_long(text: str, width: int) -> None:
    lines = wide.wrap(text, width, "> ", "  ")

    assert "".join("".join(lines)[2:].split()) == "".join(text.split())
    for line in lines:
        assert wide.cells(line) <= width or len(wide._PIECE.findall(line.strip())) <= 2
