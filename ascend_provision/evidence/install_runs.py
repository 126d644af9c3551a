"""Runs of installers and uninstallers, one after another, from their log or from what they printed.

`[Driver] [2025-04-17 09:39:16] [INFO]Start time: …` begins a run and `End time` ends it; lines without a component
belong to the run they stand in, `C COMMAND` is the command above them. The log never says success, only stdout does.
Sources: docs/formats.md#installers, docs/formats.md#install-log.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ascend_provision.evidence.reading import absent, lines, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.machine import InstallRun
from ascend_provision.stack.model import Unknown

_LINE = re.compile(
    r"(?:\[(?P<part>[\w-]+)\] ?\[(?P<at>[\d-]+[ -][\d:]+|<TIME>)\] ?)?\[(?P<level>INFO|WARNING|ERROR)\]:? ?(?P<text>.*)"
)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_START, _END = re.compile(r"start time|install start$", re.IGNORECASE), re.compile(r"end time", re.IGNORECASE)
_ABOUT = re.compile(r"(Driver|Firmware|Toolkit) package ")
_PACKAGE = re.compile(
    r"[\w.+-]*(?:driver|firmware|cann|hdk|toolkit|kernels|nnal)[\w.+-]*\.(?:run|deb|rpm)", re.IGNORECASE
)
_DONE = re.compile(
    r"package (?:un)?(?:install|upgrad)\w* (?:successfully|finished)|(?:Ascend|Atlas)-\S+ (?:install|upgrade) success|"
    r"firmware upgrade success",
    re.IGNORECASE,
)
_RESTART = re.compile(r"reboot (?:needed|now)", re.IGNORECASE)
_MODULES = "Kernel modules can not be removed"


@dataclass
class _Run:
    component: str = ""
    package: str | None = None
    started: str | None = None
    ended: str | None = None
    last: str = ""
    error: str = ""
    marks: set[str] = field(default_factory=set)

    def take(self, level: str, text: str, at: str | None) -> None:
        self.last = self.last if _END.match(text) else text.strip() or self.last
        if found := _PACKAGE.search(text):
            self.package = self.package or found[0]
        if level == "ERROR":
            self.error = text.strip()[:300]
        elif _DONE.search(text):
            self.marks.add("done")
            self.error = ""
        self.marks |= {"restart"} if _RESTART.search(text) else set()
        self.marks |= {"modules"} if _MODULES in text else set()
        if _END.match(text):
            self.ended = at

    @property
    def over(self) -> bool:
        """It has begun, or said how it went: what begins now is another."""
        return bool(self.started or self.ended or self.error or self.marks)

    def ending(self) -> str:
        if self.error:
            return "failed"
        if "modules" in self.marks:
            return "modules-still-loaded"
        if "restart" in self.marks:
            return "reboot-needed"
        return "done" if "done" in self.marks else "ended" if self.ended else "unfinished"


def parse(evidence: Evidence) -> tuple[InstallRun, ...] | Unknown:
    """In their order; () when there is no log. Lines of other tools in between say nothing."""
    if absent(evidence):
        return ()
    if (why := silence(evidence)) is not None:
        return why
    runs: list[_Run] = []
    command: str | None = None
    for line in lines(evidence.text):
        text = _COLOUR.sub("", line[1:] if line.startswith(" ") else line)
        if line.startswith("C "):
            command = found[0] if (found := _PACKAGE.search(text)) else ""
            continue
        match = _LINE.match(text)
        if match is None or line.startswith("L "):
            if runs and not line.startswith("L ") and _DONE.search(text):
                runs[-1].take("INFO", text, None)
            continue
        named = _ABOUT.match(match["text"])
        part = (match["part"] or (named[1] if named else "")).lower()
        begins = _START.match(match["text"]) is not None
        other = part and runs and runs[-1].component not in {"", part, "server"} and part != "server"
        if not runs or other or command is not None or (begins and runs[-1].over) or (runs[-1].ended and part):
            runs.append(_Run(component=part, package=command or None))
            command = None
        if begins:
            runs[-1].started = match["at"]
        runs[-1].component = runs[-1].component or part
        runs[-1].take(match["level"], match["text"], match["at"])
    return tuple(
        InstallRun(
            component=run.component,
            package=run.package,
            started=run.started,
            ended=run.ended,
            ending=run.ending(),
            says=run.error or run.last[:300],
        )
        for run in runs
        if run.last
    )
