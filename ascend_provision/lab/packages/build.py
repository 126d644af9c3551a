"""Builds the lab's `.run` files with makeself, byte-identical for identical input, and their SHA256SUMS."""

from __future__ import annotations

import hashlib
import os
import platform
import random
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ascend_provision.lab.ascend import stacks as published
from ascend_provision.lab.errors import LabError
from ascend_provision.lab.packages.contents import KINDS, SHARED, Contents, Kind, of_stack

MANIFEST = "SHA256SUMS"
HERE = Path(__file__).parent
HEADER = HERE / "header" / "header.sh"
PAYLOAD = HERE / "payload"
EPOCH = 1700000000  # every packed file's time: the bytes must not depend on when a package is built
PACKED_AT = "Tue Nov 14 22:13:20 UTC 2023"
MEGABYTE = 1 << 20


def build(
    directory: Path,
    *,
    stacks: Sequence[tuple[str, str]] | None = None,
    arch: str | None = None,
    pad_mb: float = 0,
    only: Iterable[Kind] | None = None,
) -> list[Path]:
    """Write the packages of `stacks` (profile, stack; None: every published one) and `SHA256SUMS` to `directory`.

    `arch` defaults to this machine's; `pad_mb` adds that many incompressible megabytes to each package (such a
    package is not compressed); `only` names the kinds wanted. Returns the files in name order; lines of other
    files stay in an existing SHA256SUMS. LabError when makeself is missing or a stack was never published.
    """
    _require_makeself()
    pairs = list(stacks) if stacks is not None else _all_stacks()
    kinds = set(only) if only is not None else set(KINDS)
    machine = arch or platform.machine()
    wanted = {
        contents.file_name: contents
        for profile, stack in pairs
        for contents in of_stack(profile, stack, machine)
        if contents.kind in kinds
    }
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".packing-", dir=directory) as scratch:
        work = Path(scratch)

        def one(contents: Contents) -> Path:
            return _pack(contents, work, directory, pad_mb)

        with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
            built = sorted(pool.map(one, wanted.values()))
    _write_manifest(directory, built)
    return built


def _all_stacks() -> list[tuple[str, str]]:
    return [
        (profile, name)
        for profile in published.profiles()
        for name in published.names(profile)
        if name != published.BARE
    ]


def _require_makeself() -> None:
    if shutil.which("makeself") is None:
        raise LabError(
            code="lab-makeself-missing",
            what="makeself is not installed; it packs the lab's .run files",
            next="apt-get install makeself",
        )


def _pack(contents: Contents, work: Path, directory: Path, pad_mb: float) -> Path:
    stage = work / contents.file_name.removesuffix(".run")
    unpacked = _stage(contents, stage, pad_mb)
    target = work / contents.file_name
    scratch = work / f"{stage.name}.tmp"
    scratch.mkdir()
    # complevel "1n": makeself appends it to "gzip -c", and -n keeps the time out of gzip's header
    squeeze = ["--nocomp"] if pad_mb else ["--gzip", "--complevel", "1n"]
    command = ["makeself", "--quiet", "--sha256", "--nomd5", "--nocrc", "--nox11", *squeeze]
    command += ["--tar-extra", f"--mtime=@{EPOCH} --owner=0 --group=0 --numeric-owner --mode=a+rX,u+w,go-w"]
    command += ["--packaging-date", PACKED_AT, "--header", str(HEADER)]
    command += [str(stage), str(target), contents.label, "./install.sh"]
    environment = {**os.environ, "TMPDIR": str(scratch), "AP_UNPACKED_KB": str(unpacked // 1024 + 64), "LC_ALL": "C"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0 or not target.exists():
        raise LabError(
            code="lab-packing-failed",
            what=f"makeself could not pack {contents.file_name}: {(done.stderr or done.stdout).strip()[-400:]}",
            next=f"see that {directory} has space, then run the command again",
        )
    shutil.rmtree(stage)
    finished = directory / contents.file_name
    target.replace(finished)
    return finished


def _stage(contents: Contents, stage: Path, pad_mb: float) -> int:
    """Lay the package's files out; returns their size in bytes."""
    shutil.copytree(PAYLOAD / contents.kind, stage)
    (stage / "shared").mkdir()
    for name in SHARED[contents.kind]:
        shutil.copyfile(PAYLOAD / "shared" / name, stage / "shared" / name)
    (stage / "package.conf").write_text(contents.conf_text(), encoding="utf-8")
    for name, text in contents.files.items():
        path = stage / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    if contents.kind == "toolkit":
        shutil.copytree(PAYLOAD / "hccl_test", stage / "tree" / "tools" / "hccl_test")
        shipped = sorted(p.relative_to(stage / "tree").as_posix() for p in (stage / "tree").rglob("*") if p.is_file())
        (stage / "shipped.txt").write_text("".join(f"{name}\n" for name in shipped), encoding="utf-8")
    if pad_mb:
        _pad(stage / "pad", int(pad_mb * MEGABYTE), contents.file_name)
    for script in stage.rglob("*.sh"):
        script.chmod(0o755)
    return sum(path.stat().st_size for path in stage.rglob("*") if path.is_file())


def _pad(path: Path, size: int, seed: str) -> None:
    """`size` bytes no compressor can shrink, the same for the same `seed`. One random megabyte is repeated with a
    changing offset: gzip looks back 32 KB only."""
    block = random.Random(seed).randbytes(MEGABYTE)  # noqa: S311 - filling, no secret
    with path.open("wb") as out:
        left, turn = size, 0
        while left > 0:
            turn = (turn * 5 + 4099) % MEGABYTE
            part = (block[turn:] + block[:turn])[:left]
            out.write(part)
            left -= len(part)


def _write_manifest(directory: Path, built: Sequence[Path]) -> None:
    """`<hex>  <file name>` lines, as sha256sum writes and checks them."""
    manifest = directory / MANIFEST
    lines: dict[str, str] = {}
    if manifest.exists():
        for line in manifest.read_text(encoding="utf-8").splitlines():
            digest, _, name = line.partition("  ")
            if name and (directory / name).exists():
                lines[name] = digest
    for path in built:
        lines[path.name] = _digest(path)
    text = "".join(f"{lines[name]}  {name}\n" for name in sorted(lines))
    scratch = manifest.with_suffix(".new")
    scratch.write_text(text, encoding="utf-8")
    scratch.replace(manifest)


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as package:
        while part := package.read(MEGABYTE):
            digest.update(part)
    return digest.hexdigest()
