"""Profiles and dumps of an environment: only what concerns the stack is kept."""

from __future__ import annotations

from ascend_provision.evidence.facts import read
from ascend_provision.evidence.pasted.recognise import recognise
from ascend_provision.stack.facts import EnvFile
from ascend_provision.stack.model import Unknown
from tests.unit.evidence.pasted import pastes


def env_files(text: str, name: str = "a.txt") -> tuple[EnvFile, ...]:
    found = read(recognise("h", [(name, text)]).record).env_files
    assert not isinstance(found, Unknown)
    return found


def test_a_dump_keeps_the_variables_of_the_stack_and_no_other() -> None:
    (found,) = env_files(f"$ env\n{pastes.ENV}")

    assert found.path == "(environment in a.txt)"
    assert found.variables == {"HCCL_BUFFSIZE": "200", "PYTORCH_NPU_ALLOC_CONF": "expandable_segments:True"}


def test_values_with_blanks_and_declarations_read_as_the_shell_has_them() -> None:
    (found,) = env_files('PWD=/root\nASCEND_NOTE=a b;c\ndeclare -x HCCL_IF_IP="10.0.0.1"\nexport NPU_X=1\n')

    assert found.variables == {"ASCEND_NOTE": "a b;c", "HCCL_IF_IP": "10.0.0.1", "NPU_X": "1"}


def test_a_profile_has_its_path_and_the_files_it_reads() -> None:
    text = "$ cat /etc/profile.d/npu.sh\n# ours\nsource /usr/local/Ascend/ascend-toolkit/set_env.sh\nexport A=1\n"
    (found,) = env_files(text)

    assert (found.path, found.sources) == ("/etc/profile.d/npu.sh", ("/usr/local/Ascend/ascend-toolkit/set_env.sh",))


def test_a_file_called_set_env_is_a_profile() -> None:
    (found,) = env_files("export ASCEND_TOOLKIT_HOME=/usr/local/Ascend/ascend-toolkit/latest\n", "set_env.sh")

    assert found.variables == {"ASCEND_TOOLKIT_HOME": "/usr/local/Ascend/ascend-toolkit/latest"}
