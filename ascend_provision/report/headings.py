"""The words of a report around its findings, in each language."""

from __future__ import annotations

from typing import NamedTuple, get_args

from ascend_provision.knowledge.rows import Confidence
from ascend_provision.stack.findings import Language, Verdict


class Headings(NamedTuple):
    """`line` and `against` are filled with the report's numbers and target; labels stand before the text they name."""

    line: str
    against: str
    unreachable_too: str
    verbs: dict[str, str]
    hosts: tuple[str, str]
    verdicts: dict[Verdict, str]
    marks: dict[Verdict, str]
    unreachable: str
    fleet: str
    on: str
    unknown_here: str
    observed: str
    more: str
    expected: str
    evidence: str
    means: str
    causes: str
    do: str
    give_too: str
    source: str
    between: str
    table: tuple[str, ...]
    parts: dict[str, str]
    nothing: dict[str, str]
    can_be: str
    when_unknown: str
    not_public: str
    confidence: str
    confidences: dict[str, str]
    comma: str
    placeholder: str

    def counted(self, number: int) -> str:
        """`1 host`, `2 hosts`."""
        return self.hosts[number != 1].format(number)


_EN = Headings(
    line="{verb} of {fleet}{against}: {fail} fail, {unknown} unknown, {warn} warn, {passed} pass",
    against=" against {}",
    unreachable_too="; {} unreachable",
    verbs={"check": "check", "verify": "verify"},
    hosts=("{} host", "{} hosts"),
    verdicts={verdict: verdict.value for verdict in Verdict},
    marks={verdict: verdict.value.upper() for verdict in Verdict},
    unreachable="UNREACHABLE",
    fleet="fleet",
    on="on",
    unknown_here="so unknown",
    observed="observed",
    more="and {} more, in `--format json`",
    expected="expected",
    evidence="evidence",
    means="means",
    causes="causes",
    do="do",
    give_too="give their output too",
    source="source",
    between=": ",
    table=("HOST", "RESULT", "FAIL", "UNKNOWN", "WARN", "PASS"),
    parts={"chips": "CHIPS", "in_use": "IN USE", "driver": "DRIVER", "firmware": "FIRMWARE", "cann": "CANN"},
    nothing={},
    can_be="can be",
    when_unknown="when unknown",
    not_public=" (not public)",
    confidence="confidence",
    confidences={each: each for each in get_args(Confidence)},
    comma=", ",
    placeholder="<what is expected>",
)
_ZH = Headings(
    line="{verb} {fleet}{against}：不通过 {fail} 项，未知 {unknown} 项，警告 {warn} 项，通过 {passed} 项",
    against="，目标 {}",
    unreachable_too="；{} 台主机无法连接",
    verbs={"check": "检查", "verify": "验证"},
    hosts=("{} 台主机", "{} 台主机"),
    verdicts={
        Verdict.PASS: "通过",
        Verdict.WARN: "警告",
        Verdict.FAIL: "不通过",
        Verdict.UNKNOWN: "未知",
        Verdict.SKIP: "不适用",
    },
    marks={
        Verdict.PASS: "通过",
        Verdict.WARN: "警告",
        Verdict.FAIL: "不通过",
        Verdict.UNKNOWN: "未知",
        Verdict.SKIP: "不适用",
    },
    unreachable="无法连接",
    fleet="多台主机",
    on="主机",
    unknown_here="因此未知",
    observed="实际",
    more="另有 {}，见 `--format json`",
    expected="应为",
    evidence="证据",
    means="含义",
    causes="可能原因",
    do="处理",
    give_too="也请提供这些命令或文件的输出",
    source="来源",
    between="：",
    table=("主机", "结果", "不通过", "未知", "警告", "通过"),
    parts={"chips": "芯片", "in_use": "占用", "driver": "驱动", "firmware": "固件", "cann": "CANN"},
    nothing={"unknown": "未知", "none": "无"},
    can_be="可能的结果",
    when_unknown="未知时",
    not_public="（未公开）",
    confidence="可信度",
    confidences={
        "captured": "取自真实主机",
        "vendor-source": "取自厂商代码",
        "documented": "文档说明",
        "inferred": "由已知事实推断",
        "assumed": "假定",
    },
    comma="、",
    placeholder="〈应有的值〉",
)
IN: dict[Language, Headings] = {"en": _EN, "zh": _ZH}
