"""The environment profile of a host, as whole text: a shell file for logins and an EnvironmentFile for units."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from ascend_provision.knowledge import env_rules
from ascend_provision.stack.facts import CannInstall, HostFacts, PythonEnv
from ascend_provision.stack.model import Noun, Unknown
from ascend_provision.stack.versions import CannVersion, HdkVersion

_HEAD = "# Written by ascend-provision; your own settings go into another file, this one is replaced."


class ProfileText(Noun):
    """`shell` goes to /etc/profile.d, `unit` to the EnvironmentFile; `why` explains each setting or its absence."""

    shell: str
    unit: str
    variables: dict[str, str]
    why: tuple[str, ...]


def render(driver: HdkVersion | None, cann: CannVersion | None, environments: Sequence[PythonEnv]) -> ProfileText:
    """The profile valid at that level for every environment found on the host."""
    with_torch = [env for env in environments if env.torch is not None or env.torch_npu is not None]
    profile = env_rules.profile(driver, [env.torch_npu for env in with_torch])
    comments = [f"# {line}" for line in profile.why]
    shell = [_HEAD, *comments]
    if cann is not None:
        shell.append(f"for ascend_set_env in {' '.join(env_rules.set_env_candidates())}; do")
        shell.append('  if [ -r "$ascend_set_env" ]; then . "$ascend_set_env"; break; fi')
        shell.append("done")
        shell.append("unset ascend_set_env")
    shell += [f"export {name}={shlex.quote(value)}" for name, value in sorted(profile.variables.items())]
    unit = [_HEAD, *comments, *(f"{name}={value}" for name, value in sorted(profile.variables.items()))]
    return ProfileText(
        shell="\n".join(shell) + "\n", unit="\n".join(unit) + "\n", variables=profile.variables, why=profile.why
    )


def of_host(facts: HostFacts) -> ProfileText | Unknown:
    """The profile for a host as it is now; none without a known driver, CANN and environments.

    A wrong key is a hard error when a job starts.
    """
    driver = facts.driver.running if facts.driver.running is not None else facts.driver.file
    if isinstance(driver, Unknown):
        return driver
    if isinstance(facts.environments, Unknown):
        return facts.environments
    if isinstance(facts.cann, Unknown):
        return facts.cann
    return render(driver, toolkit(facts.cann), facts.environments)


def toolkit(cann: Sequence[CannInstall] | Unknown) -> CannVersion | None:
    """The newest toolkit installed; None where there is none, or nobody could look."""
    if isinstance(cann, Unknown):
        return None
    return max((item.version for item in cann if item.part == "toolkit"), default=None)
