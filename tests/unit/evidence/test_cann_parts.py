from __future__ import annotations

from ascend_provision.evidence import cann_parts
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.surroundings import CannPart

OLD = "/usr/local/Ascend/ascend-toolkit/8.0.0"
NEW = "/usr/local/Ascend/cann-8.5.0"
COMPILER = ["Version=7.6.0.1.220", "version_dir=8.0.0", 'required_package_opp_version="7.6"']


def test_a_part_up_to_8_3_is_a_directory_of_its_release_and_names_what_it_asks_for() -> None:
    kernels = ["Version=7.6.0.1.220", 'required_package_toolkit_version=">=7.5, <=7.6"']

    assert cann_parts.parse(
        {f"{OLD}/compiler/version.info": COMPILER, f"{OLD}/opp_kernel/version.info": kernels}, [OLD]
    ) == (
        CannPart(name="compiler", root=OLD, number="7.6.0.1.220", requires={"opp": "7.6"}),
        CannPart(name="opp_kernel", root=OLD, number="7.6.0.1.220", requires={"toolkit": ">=7.5, <=7.6"}),
    )


def test_from_8_5_on_parts_lie_below_share_info_and_opp_is_told_once() -> None:
    lines = ["Version=8.5.0.2.220", 'required_package_asc-devkit_version=">=8.5.0"']
    files = {f"{NEW}/{path}/version.info": lines for path in ("opp", "share/info/opp", "share/info/runtime")}

    (opp, runtime) = cann_parts.parse(files, [NEW])  # type: ignore[misc]
    assert (opp.name, runtime.name, runtime.root) == ("opp", "runtime", NEW)
    assert runtime.requires == {"asc-devkit": ">=8.5.0"}


def test_files_of_nnal_and_of_the_driver_are_no_parts() -> None:
    nnal = "/usr/local/Ascend/nnal/atb/8.0.0"

    assert cann_parts.parse({f"{nnal}/atb/version.info": ["branch : br"]}, [nnal]) == ()
    assert cann_parts.parse({"/usr/local/Ascend/driver/version.info": ["Version=24.1.0"]}, [OLD]) == ()


def test_a_part_without_a_version_or_with_a_torn_demand_makes_all_of_them_unknown() -> None:
    torn = {
        "no Version line": ['required_package_opp_version="7.6"'],
        "required_package_opp": ["Version=7.6.0.1.220", "required_package_opp"],
        "required_package_opp_version": ["Version=7.6.0.1.220", "required_package_opp_version="],
        "required_package_opp_vers": ["Version=7.6.0.1.220", 'required_package_opp_vers="7.6"'],
    }
    for said, lines in torn.items():
        found = cann_parts.parse({f"{OLD}/compiler/version.info": COMPILER, f"{OLD}/opp/version.info": lines}, [OLD])
        if said == "required_package_opp":  # a line without `=` is no pair, and asks for nothing
            assert not isinstance(found, Unknown)
            continue
        assert isinstance(found, Unknown)
        assert said in found.unknown
