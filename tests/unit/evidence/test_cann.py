from __future__ import annotations

from ascend_provision.evidence import cann
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.facts import CannInstall
from ascend_provision.stack.model import Unknown
from ascend_provision.stack.versions import CannVersion

NO_RECORD = Evidence(name="cann.record", note="not found")
V = "/usr/local/Ascend/ascend-toolkit/7.0.0"
TOOLKIT_AND_KERNELS = f"""R /usr/local/Ascend
V {V}
U {V}/cann_uninstall.sh
U {V}/aarch64-linux/script/uninstall.sh
U {V}/opp_kernel/script/uninstall.sh
H {V}/tools/hccl_test
C {V}/opp/built-in/op_impl/ai_core/tbe/kernel/ascend910
F {V}/aarch64-linux/ascend_toolkit_install.info
 package_name=Ascend-cann-toolkit
 version=7.0.0
 innerversion=V100R001C15SPC003B226
 compatible_version=[V100R001C15],[V100R001C29],[V100R001C30]
 arch=aarch64
 os=linux
 path={V}/aarch64-linux
F {V}/opp_kernel/version.info
 Version=7.1.0.3.220
 version_dir=7.0.0
"""


def read(text: str, record: Evidence = NO_RECORD) -> cann.CannFiles:
    facts = cann.parse(Evidence(name="cann", status=0, text=text), record).facts
    assert not isinstance(facts, Unknown)
    return facts


def test_a_toolkit_and_its_kernels_come_with_their_uninstallers() -> None:
    assert read(TOOLKIT_AND_KERNELS).installs == (
        CannInstall(
            part="kernels",
            version=CannVersion("7.0.0"),
            root=V,
            chip="910",
            uninstaller=f"{V}/opp_kernel/script/uninstall.sh",
        ),
        CannInstall(
            part="toolkit",
            version=CannVersion("7.0.0"),
            root=V,
            inner="V100R001C15SPC003B226",
            accepts_driver="[V100R001C15],[V100R001C29],[V100R001C30]",
            arch="aarch64",
            hccl_test=True,
            uninstaller=f"{V}/aarch64-linux/script/uninstall.sh",
        ),
    )


def test_kernels_for_two_chips_are_two_installs() -> None:
    text = TOOLKIT_AND_KERNELS.replace(
        "kernel/ascend910\n", f"kernel/ascend910\nC {V}/opp/built-in/op_impl/ai_core/tbe/kernel/ascend910b\n"
    )
    installs = read(text).installs

    assert not isinstance(installs, Unknown)
    assert [item.chip for item in installs if item.part == "kernels"] == ["910", "910b"]


def test_ops_of_8_5_name_their_chip_in_their_own_record() -> None:
    root = "/usr/local/Ascend/cann-8.5.0"
    text = f"""R /usr/local/Ascend
V {root}
U {root}/aarch64-linux/script/ops_uninstall.sh
U {root}/aarch64-linux/script/uninstall.sh
F {root}/aarch64-linux/ascend_ops_install.info
 package_name=Ascend-cann-910b-ops
 version=8.5.0
 arch=aarch64
"""
    installs = read(text).installs

    assert installs == (
        CannInstall(
            part="ops",
            version=CannVersion("8.5.0"),
            root=root,
            arch="aarch64",
            chip="910b",
            uninstaller=f"{root}/aarch64-linux/script/ops_uninstall.sh",
        ),
    )


def test_nnal_is_read_from_its_indented_version_file() -> None:
    root = "/usr/local/Ascend/nnal/atb/8.0.0"
    text = f"""R /usr/local/Ascend
V {root}
U /usr/local/Ascend/nnal/nnal_uninstall.sh
F {root}/version.info
     Ascend-cann-atb : 8.0.0
     Ascend-cann-atb Version : 8.0.0.B150
     Platform : aarch64
"""
    assert read(text).installs == (
        CannInstall(
            part="nnal",
            version=CannVersion("8.0.0"),
            root=root,
            uninstaller="/usr/local/Ascend/nnal/nnal_uninstall.sh",
        ),
    )


def test_ops_of_an_a3_are_for_its_chip_and_go_by_the_script_that_removes_their_record() -> None:
    root = "/usr/local/Ascend/cann-8.5.0"
    text = f"""V {root}
U {root}/cann_uninstall.sh
U {root}/ops_uninstall.sh
U {root}/x86_64-linux/script/ops_uninstall.sh
U {root}/x86_64-linux/script/uninstall.sh
H {root}/tools/hccl_test
F {root}/x86_64-linux/ascend_toolkit_install.info
 package_name=Ascend-cann-toolkit
 version=8.5.0
F {root}/x86_64-linux/ascend_ops_install.info
 package_name=Ascend-cann-A3-ops
 version=8.5.0
"""
    installs = read(text).installs

    assert not isinstance(installs, Unknown)
    assert [(item.part, item.chip, item.uninstaller) for item in installs] == [
        ("ops", "910_93", f"{root}/x86_64-linux/script/ops_uninstall.sh"),
        ("toolkit", None, f"{root}/x86_64-linux/script/uninstall.sh"),
    ]


def test_a_toolkit_without_record_is_known_by_its_version_cfg() -> None:
    root = "/usr/local/Ascend/ascend-toolkit/5.1.RC2"
    text = f"V {root}\nF {root}/version.cfg\n # version: 1.0\n runtime_running_version=[1.82.22.1.220:5.1.RC2]\n"

    assert read(text).installs == (CannInstall(part="toolkit", version=CannVersion("5.1.RC2"), root=root),)


def test_a_version_directory_that_no_record_names_is_an_orphan() -> None:
    files = read("R /usr/local/Ascend\nV /usr/local/Ascend/nnae/6.0.1\nX /usr/local/Ascend/ascend-toolkit/latest/opp\n")

    assert files.installs == ()
    assert files.orphans == ("/usr/local/Ascend/nnae/6.0.1",)
    assert files.dangling == ("/usr/local/Ascend/ascend-toolkit/latest/opp",)


def test_a_record_of_an_unheard_package_makes_cann_unknown_and_not_absent() -> None:
    text = f"V {V}\nF {V}/x-linux/ascend_toolkit_install.info\n package_name=Something\n version=7.0.0\n"
    reading = cann.parse(Evidence(name="cann", status=0, text=text), NO_RECORD)

    assert not isinstance(reading.facts, Unknown)
    assert isinstance(reading.facts.installs, Unknown)
    assert reading.unread == (f"{V}/x-linux/ascend_toolkit_install.info: version '7.0.0' of 'Something'",)


def test_a_host_without_cann_has_none() -> None:
    assert read("").installs == ()
    assert not read("").recorded


def test_a_record_below_etc_is_noticed() -> None:
    record = Evidence(name="cann.record", status=0, text="Toolkit_InstallPath=/usr/local/Ascend\n")

    assert read("", record).recorded
