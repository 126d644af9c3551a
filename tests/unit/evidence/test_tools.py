from __future__ import annotations

from ascend_provision.evidence import tools
from ascend_provision.stack.evidence import Evidence
from ascend_provision.stack.model import Unknown


def test_tools_are_there_or_not() -> None:
    found = tools.parse(Evidence(name="tools", status=0, text="tar=yes\ndkms=no\nnoise\n")).facts

    assert found == {"tar": True, "dkms": False}


def test_an_empty_list_of_tools_is_unknown() -> None:
    assert isinstance(tools.parse(Evidence(name="tools", status=0)).facts, Unknown)


def test_pythons_that_answer_are_counted_and_wrappers_that_complain_are_not() -> None:
    text = "/usr/bin/python3 Python 3.6.8\n/usr/bin/python2 Python 2.7.18\n/opt/shims/python pyenv: not found\n"

    assert tools.parse_pythons(Evidence(name="pythons", status=0, text=text)).facts == {
        "/usr/bin/python3": "3.6.8",
        "/usr/bin/python2": "2.7.18",
    }


def test_a_host_may_have_no_python() -> None:
    assert tools.parse_pythons(Evidence(name="pythons", status=0)).facts == {}


def test_the_installed_gcc_says_its_version_or_is_not_there() -> None:
    assert tools.parse_compiler(Evidence(name="gcc", status=0, text="7.3.0\n")).facts == "7.3.0"
    assert tools.parse_compiler(Evidence(name="gcc", note="not found")).facts is None
    assert isinstance(tools.parse_compiler(Evidence(name="gcc", status=1, text="gcc: fatal error\n")).facts, Unknown)
    assert isinstance(tools.parse_compiler(Evidence(name="gcc", status=0, text="colorgcc: error\n")).facts, Unknown)
