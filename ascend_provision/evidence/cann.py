"""CANN on the disk: install records, version files, uninstallers, and the chips that operator binaries are for.

The probe lists, below every root, R(oot), V(ersion directory), U(ninstaller), H(ccl_test), C(hip's kernels), X
(dangling link) and F(ile) with its lines. Sources: docs/formats.md#cann.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ascend_provision.evidence import cann_parts
from ascend_provision.evidence.reading import Reading, blocks, foreign_lines, pairs, silence
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import CannInstall
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.surroundings import CannPart
from ascend_provision.stack.versions import CannVersion

_INSTALL_INFO = re.compile(r".*/ascend_\w+_install\.info")
_RUNNING = re.compile(r"\w+_running_version=\[([^:\]]+):([^\]]+)\]")
_NNAL = re.compile(r"\s*(Ascend-cann-\w+)(?: Version)? : (\S+)")
_PARTS = {"toolkit": "toolkit", "nnae": "nnae", "nnrt": "nnrt", "nnal": "nnal"}
_OPS = re.compile(r"(?:Ascend|Atlas)-cann-(?:kernels-)?(\w+?)(?:-ops)?", re.IGNORECASE)
_SPELLINGS = {"a3": "910_93"}  # Ascend-cann-A3-ops is for the chip whose kernels lie in ascend910_93
_CHIPS = {
    "ascend910": "910", "ascend910b": "910b", "ascend910_93": "910_93",
    "ascend310p": "310p", "ascend310b": "310b", "ascend310": "310",
}  # fmt: skip


@dataclass(frozen=True)
class CannFiles:
    """`orphans` are version directories without any record of their own; `recorded` that /etc/Ascend names CANN."""

    installs: tuple[CannInstall, ...] | Unknown
    parts: tuple[CannPart, ...] | Unknown = ()
    orphans: tuple[str, ...] = ()
    dangling: tuple[str, ...] = ()
    recorded: bool = False


def parse(evidence: Evidence, record: Evidence) -> Reading[CannFiles | Unknown]:
    """All installed parts, sorted by root and part."""
    if (why := silence(evidence)) is not None:
        return Reading(why)
    tree = _Tree(evidence.text, whole=not evidence.note)
    for version in tree.versions:
        tree.read(version)
    installs: tuple[CannInstall, ...] | Unknown
    installs = tuple(sorted(tree.found, key=lambda item: (item.root, item.part, item.chip or "")))
    if tree.unread:
        installs = Unknown(unknown=f"CANN: not understood: {tree.unread[0][:120]}")
    parts = installs if isinstance(installs, Unknown) else cann_parts.parse(tree.files, tree.versions)
    recorded = record.ok and bool(pairs(record.text))
    files = CannFiles(installs, parts, tuple(tree.orphans), tuple(tree.dangling), recorded)
    return Reading(files, unread=tuple(tree.unread))


class _Tree:
    def __init__(self, text: str, *, whole: bool) -> None:
        self.whole = whole
        entries = blocks(text, "RVUHCXF")
        self.versions = list(dict.fromkeys(path for head, path, _ in entries if head == "V"))
        self.dangling = [path for head, path, _ in entries if head == "X"]
        self.paths = {letter: [path for head, path, _ in entries if head == letter] for letter in "UHC"}
        self.files = {path: content for head, path, content in entries if head == "F"}
        self.found: list[CannInstall] = []
        self.orphans: list[str] = []
        self.unread: list[str] = list(foreign_lines(text, "RVUHCXF")[:1])

    def below(self, letter: str, version: str) -> list[str]:
        return [path for path in self.paths[letter] if path.startswith(version + "/")]

    def read(self, version: str) -> None:
        before = len(self.found)
        for path, content in self.files.items():
            if not path.startswith(version + "/"):
                continue
            if _INSTALL_INFO.fullmatch(path):
                self._record(version, path, content)
            elif path == f"{version}/opp_kernel/version.info":
                self._kernels(version, content)
            elif path == f"{version}/version.info" and "/nnal/" in path:
                self._nnal(version, content)
        if len(self.found) == before:
            self._by_version_cfg(version)
        if len(self.found) == before:
            self.orphans.append(version)

    def _record(self, version: str, path: str, content: list[str]) -> None:
        values = pairs("\n".join(content))
        number, name = CannVersion.maybe(values.get("version", "")), values.get("package_name", "")
        part = next((part for word, part in _PARTS.items() if word in name.lower()), None)
        chip = None
        if part is None and (match := _OPS.fullmatch(name)):
            token = match[1].lower()
            part, chip = ("kernels" if "kernels" in name.lower() else "ops"), _SPELLINGS.get(token, token)
        if number is None or part is None:
            self.unread.append(f"{path}: version {values.get('version')!r} of {name!r}")
            return
        self.found.append(
            CannInstall(
                part=part,
                version=number,
                root=version,
                inner=values.get("innerversion"),
                accepts_driver=values.get("compatible_version"),
                arch=values.get("arch"),
                chip=chip,
                hccl_test=bool(self.below("H", version)) if part == "toolkit" and self.whole else None,
                uninstaller=self._uninstaller(version, part),
            )
        )

    def _kernels(self, version: str, content: list[str]) -> None:
        """Kernels packages up to 8.3 leave no record, but `opp_kernel/version.info` and a directory for each chip."""
        values = pairs("\n".join(content))
        name = values.get("version_dir") or version.rsplit("/", 1)[-1]
        number = CannVersion.maybe(name)
        if number is None:
            self.unread.append(f"{version}/opp_kernel/version.info: version {name!r}")
            return
        directories = {path.rsplit("/", 1)[-1] for path in self.below("C", version)}
        chips: list[str | None] = [*sorted({_CHIPS[name] for name in directories if name in _CHIPS})] or [None]
        for chip in chips:
            install = CannInstall(part="kernels", version=number, root=version, chip=chip)
            self.found.append(install.model_copy(update={"uninstaller": self._uninstaller(version, "kernels")}))

    def _nnal(self, version: str, content: list[str]) -> None:
        rows = [match for line in content if (match := _NNAL.match(line))]
        number = next((found for row in rows if (found := CannVersion.maybe(row[2]))), None)
        if number is None:
            self.unread.append(f"{version}/version.info: no version of NNAL")
            return
        self.found.append(
            CannInstall(part="nnal", version=number, root=version, uninstaller=self._uninstaller(version, "nnal"))
        )

    def _by_version_cfg(self, version: str) -> None:
        """A toolkit older than its install record: version.cfg names the release of its runtime."""
        for line in self.files.get(f"{version}/version.cfg", ()):
            if (match := _RUNNING.fullmatch(line.strip())) and (number := CannVersion.maybe(match[2])):
                part = next((part for word, part in _PARTS.items() if f"/{word}" in version), "toolkit")
                script = self._uninstaller(version, part)
                self.found.append(CannInstall(part=part, version=number, root=version, uninstaller=script))
                return

    def _uninstaller(self, version: str, part: str) -> str | None:
        scripts = self.below("U", version)
        if part == "nnal":
            above = [path for path in self.paths["U"] if path.endswith("/nnal/nnal_uninstall.sh")]
            scripts += [path for path in above if version.startswith(path.rsplit("/", 1)[0] + "/")]
        kernels = [
            path
            for path in scripts
            if "/opp_kernel/" in path or path.endswith(("/ops_uninstall.sh", "kernels_uninstall.sh"))
        ]
        fitting = kernels if part in {"kernels", "ops"} else [path for path in scripts if path not in kernels]
        # The scripts of the version directory itself are only halves of an uninstall: they leave the record behind.
        whole = [path for path in fitting if re.search(r"/scripts?/\w*uninstall\.sh$", path)]
        return next(iter(whole + fitting), None)
