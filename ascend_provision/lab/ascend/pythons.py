"""The Python interpreters a host has: the system's own, or what an old host offers, and the training environments.

An environment is what `pip` leaves on the disk (dist-info directories) and an interpreter that is a small sh program:
it prints its version and lists what is installed, and cannot run Python (assumed to be enough: nothing trains here).
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from ascend_provision.lab.ascend.files import write
from ascend_provision.lab.ascend.stacks import Framework, PublishedStack, python_packages

ENVIRONMENTS = "opt/conda/envs"
_OLD_PYTHON = "3.6.8"
_SYSTEM_NAMES = ("python3", "python3.9", "python3.11", "python3.12", "python3.13", "python")

_OLD_STUB = f"""#!/bin/sh
# the only Python of an old host: it runs no module of a current Ansible, and says so as Python {_OLD_PYTHON} does
case ${{1:-}} in
    -V | --version) echo 'Python {_OLD_PYTHON}'; exit 0 ;;
esac
echo '  File "<stdin>", line 1' >&2
echo 'SyntaxError: future feature annotations is not defined' >&2
exit 1
"""

_ENVIRONMENT_STUB = """#!/bin/sh
# interpreter of a lab host's training environment: knows its version and what is installed
here=$(dirname "$0")/..
site=$(echo "$here"/lib/python*/site-packages)
installed() {
    for info in "$site"/*.dist-info; do
        name=$(sed -n 's/^Name: //p' "$info/METADATA")
        printf "$1" "$name" "$(sed -n 's/^Version: //p' "$info/METADATA")"
    done
}
case "${1:-} ${2:-} ${3:-}" in
    '-V '* | '--version '*) echo 'Python PYTHON_VERSION' ;;
    '-m pip freeze') installed '%s==%s\\n' ;;
    '-m pip list')
        case " $* " in
            *freeze*) installed '%s==%s\\n' ;;
            *) printf '%-24s %s\\n' Package Version; printf '%-24s %s\\n' ------- -------; installed '%-24s %s\\n' ;;
        esac
        ;;
    *) echo "a lab host's environment runs no Python" >&2; exit 1 ;;
esac
"""


def wear_python(root: Path, kind: str) -> None:
    """Take the image's Python away (`none`) or put an old one in its place (`3.6`)."""
    if kind == "system":
        return
    hide(root, _SYSTEM_NAMES)
    if kind == "3.6":
        for name in ("python3.6", "python3"):
            path = root / "usr/bin" / name
            if os.path.lexists(path):
                path.unlink()
            write(path, _OLD_STUB, 0o755)


def hide(root: Path, names: tuple[str, ...]) -> None:
    """Make commands of the image disappear from /usr/bin: an overlay whiteout, else a file that cannot run."""
    directory = root / "usr/bin"
    directory.mkdir(parents=True, exist_ok=True)
    for name in names:
        path = directory / name
        if os.path.lexists(path):
            path.unlink()
        try:
            os.mknod(path, stat.S_IFCHR, os.makedev(0, 0))
        except PermissionError:
            write(path, "", 0o644)


def write_environments(root: Path, software: PublishedStack) -> None:
    """One environment for each framework of the stack, with what CANN wants beside it, below /opt/conda/envs."""
    for framework in software.frameworks:
        name = "train" if framework.name == "torch_npu" else framework.name
        _environment(root / ENVIRONMENTS / name, software.framework_python.value, framework)


def _environment(home: Path, python: str, framework: Framework) -> None:
    site = home / "lib" / f"python{python}" / "site-packages"
    for name, version in {framework.name: framework.version, **framework.needs, **python_packages()}.items():
        _distribution(site, name, version)
    stub = _ENVIRONMENT_STUB.replace("PYTHON_VERSION", f"{python}.18")
    for name in ("python", "python3", f"python{python}"):
        write(home / "bin" / name, stub, 0o755)
    write(home / "bin/pip", '#!/bin/sh\nexec "$(dirname "$0")/python" -m pip "$@"\n', 0o755)
    write(home / "conda-meta/history", "")


def _distribution(site: Path, name: str, version: str) -> None:
    info = site / f"{name}-{version}.dist-info"
    write(info / "METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    write(info / "INSTALLER", "pip\n")
    write(info / "RECORD", f"{name}/__init__.py,,\n{info.name}/METADATA,,\n{info.name}/RECORD,,\n")
    write(site / name / "__init__.py", f'__version__ = "{version}"\n')
    write(site / name / "version.py", f'__version__ = "{version}"\n')
