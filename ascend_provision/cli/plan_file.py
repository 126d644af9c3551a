"""The file of a plan: written whole, read back only as it was made and with the packages it names."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from ascend_provision.bundle.store import PackageStore
from ascend_provision.planner.plan import check_seal
from ascend_provision.stack.errors import UsageError
from ascend_provision.stack.plan import Plan

_MAKE = "give the file that `plan -o FILE` wrote"


def text(plan: Plan) -> str:
    """The plan's bytes; equal plans are equal bytes."""
    return plan.model_dump_json(indent=1) + "\n"


def read(path: Path, store: PackageStore) -> Plan:
    """The plan of a file. Raises UsageError for no plan, Refusal for an edited one."""
    try:
        plan = Plan.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"plan {path} cannot be read", code="plan-unreadable", why=error.strerror or "") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not a plan", code="plan-not-a-plan", why=str(error), next_action=_MAKE) from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        why = f"{where}: {first['msg']}" if where else first["msg"]
        raise UsageError(f"{path} is not a plan", code="plan-not-a-plan", why=why, next_action=_MAKE) from error
    check_seal(plan)
    check_packages(plan, store, str(path))
    return plan


def check_packages(plan: Plan, store: PackageStore, named: str) -> None:
    """Raise UsageError when the store lacks a package of the plan that is `named` so."""
    stored = {package.sha256 for package in store.packages}
    missing = [package.file for package in plan.packages if package.sha256 not in stored]
    if missing:
        raise UsageError(
            f"{store.directory} has not the packages that {named} was made with",
            code="plan-packages",
            why=", ".join(missing),
            next_action="point --packages at the directory the plan was made from, or make the plan again",
        )
