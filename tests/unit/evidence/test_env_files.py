from __future__ import annotations

import pytest

from ascend_provision.evidence import env_files
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import EnvFile
from ascend_provision.stack.model import Unknown

TEXT = """F /etc/profile.d/npu.sh
 export PYTORCH_NPU_ALLOC_CONF="max_split_size_mb:512,garbage_collection_threshold:0.8"
 export HCCL_BUFFSIZE=200; export ASCEND_RT_VISIBLE_DEVICES=0,1 # two
 [ -f /usr/local/Ascend/ascend-toolkit/set_env.sh ] && . /usr/local/Ascend/ascend-toolkit/set_env.sh
 source /usr/local/Ascend/nnal/atb/set_env.sh;
F /root/.bashrc
 export LD_LIBRARY_PATH=/usr/local/Ascend/driver/lib64:$LD_LIBRARY_PATH
 unset PYTORCH_NPU_ALLOC_CONF
 alias npu='ASCEND_GLOBAL_LOG_LEVEL=3 python'
 echo ASCEND is here
 npu-smi info -l
"""


def test_variables_and_sourced_files_are_read_as_words_and_never_run() -> None:
    reading = env_files.parse(Evidence(name="env.files", status=0, text=TEXT), {"/etc/profile.d/npu.sh": "e" * 64})

    assert reading.facts == (
        EnvFile(
            path="/etc/profile.d/npu.sh",
            variables={
                "PYTORCH_NPU_ALLOC_CONF": "max_split_size_mb:512,garbage_collection_threshold:0.8",
                "HCCL_BUFFSIZE": "200",
                "ASCEND_RT_VISIBLE_DEVICES": "0,1",
            },
            sources=("/usr/local/Ascend/ascend-toolkit/set_env.sh", "/usr/local/Ascend/nnal/atb/set_env.sh"),
            sha256="e" * 64,
        ),
        EnvFile(
            path="/root/.bashrc",
            variables={"LD_LIBRARY_PATH": "/usr/local/Ascend/driver/lib64:$LD_LIBRARY_PATH"},
        ),
    )
    assert reading.unread == ()


@pytest.mark.parametrize(
    "line",
    [
        'export ASCEND_NOTE="an open quote',
        "export HCCL_BUFF\x1bSIZE=200",
        "export HCCL_BUFF\ufffdSIZE=200",
        "export HCCL-BUFFSIZE=200",
        "HCCL_BUFF$SIZE=200",
        "export HCCL_BUFF\u0661SIZE=200",
    ],
)
def test_a_line_that_is_none_of_a_shell_makes_it_unknown_what_the_files_set(line: str) -> None:
    text = f"F /root/.bashrc\n export HCCL_BUFFSIZE=200\n {line}\n"
    reading = env_files.parse(Evidence(name="env.files", status=0, text=text), {})

    assert isinstance(reading.facts, Unknown)
    assert reading.unread


def test_a_line_of_another_form_is_not_dropped_silently() -> None:
    text = "F /root/.bashrc\n export HCCL_BUFFSIZE=200\nSegmentation fault\n"
    reading = env_files.parse(Evidence(name="env.files", status=0, text=text), {})

    assert reading.facts == Unknown(unknown="env files: not understood: Segmentation fault")


def test_the_last_value_of_a_variable_counts_and_unset_removes_it() -> None:
    text = "F /etc/environment\n HCCL_BUFFSIZE=100\n HCCL_BUFFSIZE=200\n HCCL_IF_IP=10.0.0.1\n unset HCCL_IF_IP\n"
    found = env_files.parse(Evidence(name="env.files", status=0, text=text), {}).facts

    assert not isinstance(found, Unknown)
    assert found[0].variables == {"HCCL_BUFFSIZE": "200"}


def test_a_host_without_such_lines_has_no_files() -> None:
    assert env_files.parse(Evidence(name="env.files", status=0), {}).facts == ()


def read(text: str) -> tuple[EnvFile, ...]:
    found = env_files.parse(Evidence(name="env.files", status=0, text=text), {}).facts
    assert not isinstance(found, Unknown)
    return found


def test_a_value_that_a_later_line_drops_without_a_word_is_kept_aside() -> None:
    text = """F /root/serve.sh
 export PYTORCH_NPU_ALLOC_CONF="expandable_segments:True"
 export PYTORCH_NPU_ALLOC_CONF=max_split_size_mb:256
"""
    assert read(text)[0].replaced == {"PYTORCH_NPU_ALLOC_CONF": ("expandable_segments:True",)}


@pytest.mark.parametrize(
    "lines",
    [
        (" export LD_LIBRARY_PATH=/a", " export LD_LIBRARY_PATH=/b:$LD_LIBRARY_PATH"),
        (" HCCL_BUFFSIZE=200", " HCCL_BUFFSIZE=200"),
        (" HCCL_BUFFSIZE=200", " HCCL_BUFFSIZE=${HCCL_BUFFSIZE:-400}"),
        (" \texport HCCL_BUFFSIZE=200", " \texport HCCL_BUFFSIZE=400"),
        (" HCCL_BUFFSIZE=200", " \tHCCL_BUFFSIZE=400"),
        (" HCCL_BUFFSIZE=200", " unset HCCL_BUFFSIZE", " HCCL_BUFFSIZE=400"),
    ],
    ids=["in front", "the same", "a default", "two branches", "one branch", "unset between"],
)
def test_what_adds_repeats_or_is_only_sometimes_reached_replaces_nothing(lines: tuple[str, ...]) -> None:
    assert read("F /etc/profile.d/a.sh\n" + "\n".join(lines) + "\n")[0].replaced == {}


def test_a_unit_says_its_variables_and_its_files() -> None:
    text = """F /etc/systemd/system/serve.service
 Environment="HCCL_BUFFSIZE=200" LD_LIBRARY_PATH=/usr/local/Ascend/cann/lib64
 EnvironmentFile=-/etc/default/serve
"""
    assert read(text) == (
        EnvFile(
            path="/etc/systemd/system/serve.service",
            variables={"HCCL_BUFFSIZE": "200", "LD_LIBRARY_PATH": "/usr/local/Ascend/cann/lib64"},
            sources=("/etc/default/serve",),
        ),
    )


def test_the_interfaces_are_read_and_none_at_all_is_no_answer() -> None:
    def interfaces(text: str) -> object:
        return env_files.parse_interfaces(Evidence(name="interfaces", status=0, text=text)).facts

    assert interfaces("lo\neth0\n") == ("eth0", "lo")
    assert isinstance(interfaces(""), Unknown)


@pytest.mark.parametrize(
    "text", ["F /root/.bashrc\n", "F /a.sh\n export HCCL_BUFFSIZE=0\nF /b.sh\n A=ASCEND\nF /a.sh\n export HCCL\n"]
)
def test_a_file_without_a_line_and_a_file_told_twice_lost_what_they_said(text: str) -> None:
    assert isinstance(env_files.parse(Evidence(name="env.files", status=0, text=text), {}).facts, Unknown)


def test_our_own_file_is_told_also_when_nothing_is_in_it() -> None:
    text = "F /etc/ascend-provision/env.sh\n"

    assert env_files.parse(Evidence(name="env.files", status=0, text=text), {}).facts == (
        EnvFile(path="/etc/ascend-provision/env.sh", variables={}),
    )
