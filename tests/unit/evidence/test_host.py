from __future__ import annotations

import pytest

from ascend_provision.evidence import host
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import BootFacts, OsFacts
from ascend_provision.stack.model import Unknown

PID1 = "1 (systemd) S 0 1 1 0 -1 4194560 3059 16282 0 0 10 6 19 24 20 0 1 0 162 20090880 2852"
TEXT = f"""uid=0
boot_id=5b5d3a7f-1877-4909-9c74-3d7b92c5c9ab
hostname=node1
pid1={PID1}
btime 1700000000
now=1700003600
release=5.10.0-60.18.0.50.oe2203.aarch64
machine=aarch64
headers=yes
version=Linux version 5.10.0-60.18.0.50.oe2203.aarch64 (obs) (gcc_old (GCC) 10.3.1, GNU ld 2.37) #1 SMP
headers_of=5.10.0-60.18.0.50.oe2203.aarch64
headers_of=linux-headers-5.10.0-28-amd64
headers_of=linux-headers-5.10.0-28-common
os_release=yes
os_release_link=no
secure_boot=   6   0   0   0   1
"""


def read(text: str = TEXT) -> host.Host:
    return host.parse(Evidence(name="host", status=0, text=text)).facts


def test_a_host_says_its_kernel_arch_and_when_it_booted() -> None:
    assert read() == host.Host(
        hostname="node1",
        arch="aarch64",
        kernel="5.10.0-60.18.0.50.oe2203.aarch64",
        headers=True,
        os_release_is_link=False,
        boot=BootFacts(boot_id="5b5d3a7f-1877-4909-9c74-3d7b92c5c9ab", booted_at=1700000001.62, now=1700003600.0),
        root=True,
        container=None,
        secure_boot=True,
        gcc="10.3.1",
        headers_of=("5.10.0-28-amd64", "5.10.0-60.18.0.50.oe2203.aarch64"),
        os_release_there=True,
    )


def test_a_name_with_blanks_and_brackets_does_not_shift_the_start_time() -> None:
    assert read(TEXT.replace("(systemd)", "(my) (init 1)")).boot.booted_at == 1700000001.62


@pytest.mark.parametrize(("value", "on"), [("none", None), ("   6   0   0   0   0", False)])
def test_secure_boot_is_off_or_the_host_has_no_efi(value: str, on: bool | None) -> None:
    assert read(TEXT.replace("   6   0   0   0   1", value)).secure_boot is on


def test_a_container_says_so() -> None:
    assert read(TEXT + "container=docker\n").container == "docker"


def test_an_empty_section_makes_every_value_unknown() -> None:
    found = read("")

    assert all(isinstance(value, Unknown) for value in (found.hostname, found.arch, found.kernel, found.root))
    assert isinstance(found.boot.booted_at, Unknown)


def test_os_release_is_read_as_the_shell_would() -> None:
    text = 'NAME="openEuler"\nID="openEuler"\nVERSION_ID=\'22.03\'\nPRETTY_NAME="openEuler 22.03 LTS"\n'
    found = host.parse_os_release(Evidence(name="os-release", status=0, text=text), read()).facts

    assert found == OsFacts(
        id="openEuler",
        version_id="22.03",
        pretty_name="openEuler 22.03 LTS",
        os_release_is_link=False,
        os_release_there=True,
    )


@pytest.mark.parametrize(
    ("said", "compiler"),
    [
        ("(gcc (Debian 12.2.0-14+deb12u1) 12.2.0, GNU ld (GNU Binutils for Debian) 2.40)", "12.2.0"),
        ("(gcc version 4.8.5 20150623 (Red Hat 4.8.5-36) (GCC) )", "4.8.5"),
        ("(aarch64-linux-gnu-gcc-11 (Ubuntu 11.4.0-1ubuntu1~22.04) 11.4.0, GNU ld 2.38)", "11.4.0"),
        ("(gcc version 7.3.0 (GCC))", "7.3.0"),
        ("(clang version 14.0.0, LLD 14.0.0)", None),
    ],
)
def test_the_compiler_of_the_running_kernel_is_what_it_says_of_itself(said: str, compiler: str | None) -> None:
    assert read(f"release=5.10.0\nversion=Linux version 5.10.0 (build@host) {said} #1 SMP\n").gcc == compiler


def test_a_version_file_of_another_kernel_names_no_compiler() -> None:
    assert read("release=5.10.0\nversion=Linux version 6.1.0 (a@b) (gcc version 7.3.0 (GCC)) #1 SMP\n").gcc is None
