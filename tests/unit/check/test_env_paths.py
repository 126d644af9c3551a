from __future__ import annotations

import pytest

from ascend_provision.check import env_paths
from ascend_provision.stack.facts import EnvFile, HostFacts
from ascend_provision.stack.findings import Finding
from ascend_provision.stack.model import Unknown
from tests.unit.check.cases import HUNG, Case, fails, passes, prove, skips, unknown, warns
from tests.unit.factories import a1_host, cann, changed

SET_ENV = "/usr/local/Ascend/ascend-toolkit/set_env.sh"
CUT = Unknown(unknown="cut")


def judged(facts: HostFacts, *files: EnvFile) -> tuple[Finding, ...]:
    return tuple(env_paths.judge(changed(facts, env_files=files)))


def reads(path: str, *sources: str, **variables: str) -> EnvFile:
    return EnvFile(path=path, variables=variables, sources=sources)


def blind() -> tuple[Finding, ...]:
    return tuple(env_paths.judge(changed(a1_host(), env_files=CUT)))


def with_nnal() -> HostFacts:
    facts = a1_host(level="hdk24")
    assert not isinstance(facts.cann, Unknown)
    return changed(facts, cann=(*facts.cann, cann("a1-hdk24", "nnal", root="/usr/local/Ascend/nnal/atb/8.0.0")))


TWO_SHELL_FILES = (
    reads("/etc/profile.d/a.sh", "/usr/local/Ascend/ascend-toolkit/7.0.0/set_env.sh"),
    reads("/root/.bashrc", "/usr/local/Ascend/ascend-toolkit/6.0.1/set_env.sh"),
)
CASES: list[Case] = [
    passes(
        "env.cann-roots",
        "one",
        lambda: judged(a1_host(), reads("/etc/profile.d/a.sh", SET_ENV), reads("/root/.bashrc", SET_ENV)),
    ),
    passes(
        "env.cann-roots",
        "latest and the only version there is are one",
        lambda: judged(
            a1_host(),
            reads("/etc/profile.d/a.sh", SET_ENV, LD_LIBRARY_PATH="/usr/local/Ascend/ascend-toolkit/6.0.1/lib64"),
        ),
    ),
    passes(
        "env.cann-roots",
        "two users with a CANN of their own",
        lambda: judged(
            a1_host(),
            reads("/home/alice/.bashrc", "/usr/local/Ascend/ascend-toolkit/7.0.0/set_env.sh"),
            reads("/home/bob/.bashrc", "/usr/local/Ascend/ascend-toolkit/6.0.1/set_env.sh"),
        ),
    ),
    passes(
        "env.cann-roots",
        "a service with another CANN than the shells",
        lambda: judged(
            a1_host(),
            reads("/etc/profile.d/a.sh", "/usr/local/Ascend/ascend-toolkit/7.0.0/set_env.sh"),
            reads("/etc/systemd/system/serve.service", LD_LIBRARY_PATH="/usr/local/Ascend/ascend-toolkit/6.0.1/lib64"),
        ),
    ),
    warns(
        "env.cann-roots",
        "toolkit and nnae",
        lambda: judged(
            a1_host(),
            reads("/etc/profile.d/a.sh", SET_ENV),
            reads("/etc/profile.d/b.sh", "/usr/local/Ascend/nnae/set_env.sh"),
        ),
        "/usr/local/Ascend/nnae",
    ),
    warns(
        "env.cann-roots",
        "two versions on LD_LIBRARY_PATH",
        lambda: judged(
            a1_host(),
            reads(
                "/etc/profile.d/a.sh",
                LD_LIBRARY_PATH="/usr/local/Ascend/ascend-toolkit/6.0.1/lib64:/usr/local/Ascend/ascend-toolkit/7.0.0/lib64",
            ),
        ),
        "6.0.1",
    ),
    warns(
        "env.cann-roots",
        "the profile's and root's own",
        lambda: judged(a1_host(), *TWO_SHELL_FILES),
        "/usr/local/Ascend/ascend-toolkit/7.0.0 (/etc/profile.d/a.sh)",
    ),
    unknown("env.cann-roots", "files unread", blind),
    fails(
        "env.stub-libraries",
        "devlib in front",
        lambda: judged(
            a1_host(),
            reads(
                "/root/.bashrc",
                LD_LIBRARY_PATH="/usr/local/Ascend/ascend-toolkit/latest/devlib:/usr/local/Ascend/driver/lib64",
            ),
        ),
        "/usr/local/Ascend/ascend-toolkit/latest/devlib",
    ),
    fails(
        "env.stub-libraries",
        "put in front of what was there",
        lambda: judged(
            a1_host(),
            reads("/root/.bashrc", LD_LIBRARY_PATH="/usr/local/Ascend/cann/runtime/lib64/stub:$LD_LIBRARY_PATH"),
        ),
    ),
    passes(
        "env.stub-libraries",
        "devlib behind the driver",
        lambda: judged(
            a1_host(),
            reads(
                "/root/.bashrc",
                LD_LIBRARY_PATH="/usr/local/Ascend/driver/lib64:/usr/local/Ascend/ascend-toolkit/latest/devlib",
            ),
        ),
    ),
    passes(
        "env.stub-libraries",
        "put behind what was there",
        lambda: judged(
            a1_host(),
            reads("/root/.bashrc", LD_LIBRARY_PATH="${LD_LIBRARY_PATH}:/usr/local/Ascend/ascend-toolkit/latest/devlib"),
        ),
    ),
    unknown("env.stub-libraries", "files unread", blind),
    warns(
        "env.replaced",
        "the second option drops the first",
        lambda: judged(
            a1_host(),
            EnvFile(
                path="/etc/profile.d/vllm.sh",
                variables={"PYTORCH_NPU_ALLOC_CONF": "max_split_size_mb:256"},
                replaced={"PYTORCH_NPU_ALLOC_CONF": ("expandable_segments:True",)},
            ),
        ),
        "expandable_segments:True is replaced by max_split_size_mb:256",
    ),
    passes("env.replaced", "set once", lambda: judged(a1_host(), reads("/etc/profile.d/a.sh", HCCL_BUFFSIZE="200"))),
    unknown("env.replaced", "files unread", blind),
    warns(
        "env.interactive-only",
        "only root's shell",
        lambda: judged(a1_host(), reads("/root/.bashrc", SET_ENV)),
        "/root/.bashrc",
    ),
    passes("env.interactive-only", "the profile", lambda: judged(a1_host(), reads("/etc/profile.d/a.sh", SET_ENV))),
    passes(
        "env.interactive-only",
        "the unit sets it itself",
        lambda: judged(
            a1_host(),
            reads("/root/.bashrc", SET_ENV),
            reads("/etc/systemd/system/serve.service", LD_LIBRARY_PATH="/usr/local/Ascend/cann/lib64"),
        ),
    ),
    skips(
        "env.interactive-only",
        "no CANN",
        lambda: judged(changed(a1_host(), cann=()), reads("/root/.bashrc", SET_ENV)),
    ),
    warns(
        "env.nnal",
        "installed and not read",
        lambda: judged(with_nnal(), reads("/etc/profile.d/a.sh", SET_ENV)),
        "/usr/local/Ascend/nnal/atb/8.0.0",
    ),
    passes(
        "env.nnal",
        "both read",
        lambda: judged(with_nnal(), reads("/etc/profile.d/a.sh", SET_ENV, "/usr/local/Ascend/nnal/atb/set_env.sh")),
    ),
    skips("env.nnal", "not installed", lambda: judged(a1_host(), reads("/etc/profile.d/a.sh", SET_ENV))),
    unknown("env.nnal", "CANN unread", lambda: judged(changed(a1_host(), cann=HUNG))),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_env_paths(case: Case) -> None:
    prove(case)


def test_the_one_that_wins_is_named() -> None:
    (warning,) = [f for f in judged(a1_host(), *TWO_SHELL_FILES) if f.id == "env.cann-roots"]

    assert warning.evidence == "/usr/local/Ascend/ascend-toolkit/6.0.1 wins: /root/.bashrc puts it in front last"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (SET_ENV, ("/usr/local/Ascend/ascend-toolkit",)),
        ("/usr/local/Ascend/ascend-toolkit/latest/lib64", ("/usr/local/Ascend/ascend-toolkit",)),
        ("/usr/local/Ascend/ascend-toolkit/7.0.0/lib64", ("/usr/local/Ascend/ascend-toolkit/7.0.0",)),
        ("/usr/local/Ascend/cann/set_env.sh", ("/usr/local/Ascend/cann",)),
        ("/usr/local/Ascend/cann-8.5.0/lib64:/opt/x", ("/usr/local/Ascend/cann-8.5.0",)),
        ("/usr/local/Ascend/driver/lib64:/usr/lib", ()),
        ("/opt/scanner/lib", ()),
    ],
)
def test_cann_directories_are_found_in_path_lists(text: str, found: tuple[str, ...]) -> None:
    assert env_paths.roots(text) == found
