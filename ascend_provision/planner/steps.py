"""The steps of one host, in the published order, each with why and with every argument its role needs.

Order: a clean way uninstalls CANN, then the HDK, then installs driver, firmware, toolkit, kernels; an overwrite
installs firmware before driver. Sources: CANN software installation guide (uninstall order), driver and firmware
installation guide (first install, overwrite and rollback order).
"""

from __future__ import annotations

from ascend_provision.knowledge import prerequisites
from ascend_provision.planner import places
from ascend_provision.planner.match import Match
from ascend_provision.planner.need import Need, old_cann
from ascend_provision.planner.profile import ProfileText
from ascend_provision.planner.reading import is_service, say
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.model import Noun, Unknown
from ascend_provision.stack.packages import Component, Package
from ascend_provision.stack.plan import Step, Strategy
from ascend_provision.stack.target import Target

SECONDS = {
    "stage": 120,
    "quiesce": 30,
    "backup": 10,
    "prepare": 60,
    "cann-uninstall": 120,
    "hdk-uninstall": 180,
    "driver-install": 600,
    "firmware-install": 300,
    "reboot": 600,
    "cann-install": 900,
    "env-profile": 5,
    "cleanup": 10,
    "verify": 30,
    "hccl-smoke": 180,
    "release": 30,
}
"""What a step is expected to take on a real server, in seconds; shown to the operator, not a limit."""

REBOOT_LIMIT = 1800
"""Seconds a server may take to come back: large hosts spend more than ten minutes in firmware self-tests."""


class Context(Noun):
    """Everything the steps are made from. `smoke` False leaves the collective test out: it would prove nothing."""

    facts: HostFacts
    target: Target
    chip: str
    need: Need
    match: Match
    strategy: Strategy
    profile: ProfileText
    fresh: bool
    mpi: bool
    smoke: bool = True
    reboot_limit: int = REBOOT_LIMIT


def build(context: Context) -> tuple[Step, ...]:
    """All steps that this host's plan contains."""
    middle = _overwrite(context) if context.strategy is Strategy.OVERWRITE else _clean(context)
    return (
        _stage(context),
        _quiesce(context),
        _backup(context),
        *_prepare(context),
        *middle,
        _env_profile(context),
        _cleanup(),
        _verify(context),
        *([_smoke(context)] if context.smoke else []),
        _release(),
    )


def _clean(context: Context) -> tuple[Step, ...]:
    steps = [*_cann_uninstall(context), *_hdk_uninstall(context)]
    if context.need.driver:
        steps.append(_install(context, "driver", "--full"))
        steps.append(
            _reboot(context, "reboot-after-driver", "if the driver says so: firmware needs it loaded", optional=True)
        )
    if context.need.firmware:
        steps.append(_install(context, "firmware", "--full"))
    return (*steps, _restore(), *_final_reboot(context), *_cann_install(context))


def _overwrite(context: Context) -> tuple[Step, ...]:
    steps = []
    if context.need.firmware:
        steps.append(_install(context, "firmware", "--upgrade"))
    if context.need.driver:
        steps.append(_install(context, "driver", "--upgrade"))
    return (*steps, _restore(), *_final_reboot(context), *_cann_uninstall(context), *_cann_install(context))


def _stage(context: Context) -> Step:
    packages = context.match.packages
    return Step(
        name="stage",
        why="packages are on the host and verified before anything is stopped",
        expected_seconds=SECONDS["stage"],
        packages=packages,
        arguments={"stage_directory": places.PACKAGES},
    )


def _quiesce(context: Context) -> Step:
    facts = context.facts
    units: list[str] = []
    if not isinstance(facts.services, Unknown):
        units = [service.unit for service in facts.services if service.active or service.enabled]
    if not isinstance(facts.holders, Unknown):
        held = {item.unit for item in facts.holders if item.unit and not item.container and is_service(item, facts)}
        units += sorted(held - set(units))
    boxes: list[dict[str, str]] = []
    if not isinstance(facts.containers, Unknown):
        boxes = [{"id": box.id, "restart": box.restart} for box in facts.containers if box.devices and box.comes_back]
    return Step(
        name="quiesce",
        why="nothing may hold a card while its driver is replaced; what is stopped stays stopped over every reboot",
        expected_seconds=SECONDS["quiesce"],
        arguments={"quiesce_units": units, "quiesce_containers": boxes},
    )


def _backup(context: Context) -> Step:
    listings: list[dict[str, str]] = []
    if not isinstance(context.facts.environments, Unknown):
        listings = [{"path": env.path} for env in context.facts.environments]
    return Step(
        name="backup",
        why="NPU addresses, vNPU settings, install records and profiles must survive, with mode and owner",
        expected_seconds=SECONDS["backup"],
        arguments={"backup_paths": list(places.KEPT), "backup_environments": listings},
    )


def _prepare(context: Context) -> tuple[Step, ...]:
    facts = context.facts
    users = set() if isinstance(facts.users, Unknown) else {user.name for user in facts.users}
    have = {} if isinstance(facts.tools, Unknown) else facts.tools
    missing = [tool for tool in prerequisites.tools() if not have.get(tool, False)] if context.fresh else []
    account = prerequisites.account()
    if account.name in users and not missing:
        return ()
    return (
        Step(
            name="prepare",
            why=f"the installers run as user {account.name} and call tools that are not there yet",
            expected_seconds=SECONDS["prepare"],
            arguments={
                "prepare_user": account.name,
                "prepare_group": account.group,
                **_ids(facts, account),
                "prepare_packages": list(prerequisites.packages(missing, say(facts.os.id))),
            },
        ),
    )


def _ids(facts: HostFacts, account: prerequisites.Account) -> dict[str, int]:
    """The ids that container images expect, where nobody on the host has them; else the system chooses (0)."""
    users, groups = facts.users, facts.groups
    if isinstance(users, Unknown) or isinstance(groups, Unknown):
        return {"prepare_uid": 0, "prepare_gid": 0}
    taken = any(user.name == account.name or user.uid == account.uid for user in users)
    shared = any(group.name == account.group or group.gid == account.gid for group in groups)
    return {"prepare_uid": 0 if taken else account.uid, "prepare_gid": 0 if shared else account.gid}


def _cann_uninstall(context: Context) -> tuple[Step, ...]:
    old = old_cann(context.facts, context.target)
    if not old:
        return ()
    named = ", ".join(f"{item.part} {item.version}" for item in old)
    return (
        Step(
            name="cann-uninstall",
            why=f"{named} will not match; kernels go before the toolkit they were built for",
            expected_seconds=SECONDS["cann-uninstall"],
            arguments={
                "cann_installs": [
                    {
                        "part": item.part,
                        "version": str(item.version),
                        "root": item.root,
                        "uninstaller": item.uninstaller or "",
                    }
                    for item in old
                ]
            },
        ),
    )


def _hdk_uninstall(context: Context) -> tuple[Step, ...]:
    facts, need = context.facts, context.need
    going = [
        name
        for name, due, file in (
            ("driver", need.driver, facts.driver.file),
            ("firmware", need.firmware, facts.firmware.file),
        )
        if due and file is not None
    ]
    if not going:
        return ()
    path = facts.driver.install_path
    return (
        Step(
            name="hdk-uninstall",
            why=f"clean way: {' and '.join(going)} {say(facts.driver.file)} go before the new ones come",
            expected_seconds=SECONDS["hdk-uninstall"],
            arguments={
                "hdk_install_path": path if isinstance(path, str) else places.INSTALL_PATH,
                "hdk_components": going,
            },
        ),
        _reboot(context, "reboot-after-uninstall", "if modules of the old driver stay loaded", optional=True),
    )


def _install(context: Context, component: Component, mode: str) -> Step:
    """`--install-for-all` goes with a first install only: an overwrite takes it from the install record."""
    package = context.match.of(component)
    if package is None:
        raise ValueError(f"no {component} package was chosen for {context.facts.host}")
    wanted = context.target.driver if component == "driver" else context.target.firmware
    fresh_driver = component == "driver" and mode == "--full"
    arguments = [mode, "--quiet"] + (["--install-for-all"] if fresh_driver else [])
    return Step(
        name="driver-install" if component == "driver" else "firmware-install",
        why=f"{component} {wanted} from `{package.file}`",
        expected_seconds=SECONDS[f"{component}-install"],
        packages=(package,),
        arguments={
            "hdk_component": component,
            "hdk_package": _placed(package),
            "hdk_arguments": arguments,
            "hdk_timeout": 3600,
        },
    )


def _reboot(context: Context, name: str, why: str, *, optional: bool) -> Step:
    return Step.model_validate(
        {
            "name": name,
            "why": why,
            "optional": optional,
            "expected_seconds": SECONDS["reboot"],
            "arguments": {"reboot_timeout": context.reboot_limit, "reboot_reason": why},
        }
    )


def _restore() -> Step:
    return Step(
        name="restore",
        why="if an installer dropped or changed them: " + ", ".join(places.RESTORED),
        optional=True,
        expected_seconds=5,
        arguments={"backup_paths": list(places.RESTORED)},
    )


def _final_reboot(context: Context) -> tuple[Step, ...]:
    if not (context.need.hdk or context.need.pending):
        return ()
    return (_reboot(context, "reboot-final", "only a restart makes flashed firmware run", optional=False),)


def _cann_install(context: Context) -> tuple[Step, ...]:
    due = {"toolkit": context.need.toolkit, "kernels": context.need.kernels}
    packages = [package for package in context.match.packages if due.get(package.component, False)]
    if not packages:
        return ()
    return (
        Step(
            name="cann-install",
            why=f"CANN {context.target.cann}: " + ", ".join(package.component for package in packages),
            expected_seconds=SECONDS["cann-install"],
            packages=tuple(packages),
            arguments={
                "cann_packages": [
                    {
                        "component": package.component,
                        **_placed(package),
                        "arguments": "--install --quiet --install-for-all",
                    }
                    for package in packages
                ],
                "cann_install_path": places.INSTALL_PATH,
            },
        ),
    )


def _env_profile(context: Context) -> Step:
    return Step(
        name="env-profile",
        why="; ".join(context.profile.why) or "the login environment finds the new CANN",
        expected_seconds=SECONDS["env-profile"],
        arguments={
            "env_profile_path": places.PROFILE,
            "env_profile_content": context.profile.shell,
            "env_profile_unit_path": places.UNIT_ENVIRONMENT,
            "env_profile_unit_content": context.profile.unit,
        },
    )


def _cleanup() -> Step:
    return Step(
        name="cleanup",
        why="what the uninstallers leave behind confuses the next install; logs are archived, foreign files stay",
        expected_seconds=SECONDS["cleanup"],
        arguments={},
    )


def _verify(context: Context) -> Step:
    return Step(name="verify", why=f"running == {context.target}, chips all there", expected_seconds=SECONDS["verify"])


def _smoke(context: Context) -> Step:
    why = "all cards reduce together and every rank checks its data"
    if not context.mpi:
        why += "; NO MPI or compiler was found on this host: the result will be `unknown`"
    return Step(name="hccl-smoke", why=why, expected_seconds=SECONDS["hccl-smoke"])


def _release() -> Step:
    return Step(
        name="release", why="what this run stopped is started again, the lease is given back", expected_seconds=30
    )


def _placed(package: Package) -> dict[str, str]:
    return {"path": places.staged(package.sha256, package.file), "sha256": package.sha256}
