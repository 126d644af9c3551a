from __future__ import annotations

from ascend_provision.knowledge import host_parts
from ascend_provision.knowledge.matrix import published
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.versions import FirmwareVersion
from tests.unit.factories import a1_host, a2_host, bare_host, environment, with_driver, with_firmware


def told(facts: object) -> dict[tuple[str, str], str | None]:
    return {(part.component, part.where): part.version for part in host_parts.parts(facts)}


def test_a_host_is_its_driver_firmware_cann_kernels_and_every_environment() -> None:
    host = a1_host(environments=(environment("/opt/llm", torch="1.8.1", torch_npu="1.8.1"), environment("/usr")))

    assert told(host) == {
        ("hdk", ""): "22.0.4",
        ("firmware", ""): "1.84.15.1.310",
        ("cann", ""): "6.0.1",
        ("kernels", ""): "6.0.1",
        ("python", "/opt/llm"): "3.9.2",
        ("torch", "/opt/llm"): "1.8.1",
        ("torch_npu", "/opt/llm"): "1.8.1",
    }


def test_an_environments_python_is_fixed() -> None:
    host = a1_host(environments=(environment("/opt/llm", torch_npu="1.8.1"),))

    assert [part.component for part in host_parts.parts(host) if part.fixed] == ["python"]


def test_what_could_not_be_read_is_not_told_and_what_is_not_there_is_told_so() -> None:
    dark = with_driver(a1_host(), file=Unknown(unknown="permission denied"))
    parts = {part.component: part for part in host_parts.parts(dark)}
    bare = {part.component: part for part in host_parts.parts(bare_host())}

    assert (parts["hdk"].version, parts["hdk"].told) == (None, False)
    assert (bare["hdk"].version, bare["hdk"].told) == (None, True)


def test_what_the_installed_files_say_of_todays_pairs_counts() -> None:
    found = host_parts.known(a1_host(level="hdk23"), published())

    assert found["hdk", "firmware"] == "compatible"
    assert set(found.values()) == {"compatible"}


def test_an_old_firmware_of_an_a2_has_a_stopover_and_a_usual_one_has_none() -> None:
    old = with_firmware(a2_host(), flash=(FirmwareVersion("1.11.0.1.220"),))

    assert host_parts.stopover(old) == "23.0.rc1"
    assert host_parts.stopover(a2_host()) is None


def test_the_chip_is_that_of_the_pci_bus() -> None:
    assert (host_parts.chip(a1_host()), host_parts.chip(a2_host())) == ("910", "910b")
