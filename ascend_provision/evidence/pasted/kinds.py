"""The kinds of output that are told by how their lines look: where a piece begins, and which lines go on with it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ascend_provision.evidence.pasted.lines import Line

INFO, LIST, MAP = "npu-smi info", "npu-smi info -l", "npu-smi info -m"
ASSIGNMENTS, CARD, JSON = "assignments", "card", "json"
INSTALLER, HCCL_TEST, KERNEL_LOG = "installer output", "hccl_test", "kernel log"
UPGRADE_TOOL, RANK_TABLE = "upgrade-tool", "rank table"
HCCN_IP, HCCN_LINK, HCCN_HEALTH = "hccn_tool -ip", "hccn_tool -link", "hccn_tool -net_health"
LSMOD, LSPCI, UNAME, DF = "lsmod", "lspci", "uname -a", "df"
PIP_LIST, PIP_FREEZE, CONDA_LIST = "pip list", "pip freeze", "conda list"
PASSWD, ID, LOG, SHELL = "getent", "id", "log of CANN or a program", "shell profile"
DEVICES = "ls /dev"


@dataclass(frozen=True)
class Kind:
    """`gap`: so many lines of others may stand in it when one of its own follows; `once`: one such line a piece."""

    name: str
    begins: re.Pattern[str]
    goes_on: re.Pattern[str]
    gap: int = 0
    once: re.Pattern[str] | None = None

    def takes(self, line: Line) -> bool:
        """Does this line go on with a piece of this kind?"""
        return self.goes_on.match(line.bare) is not None or self.begins.match(line.bare) is not None


_SMI_ERRORS = (
    r"DrvMngGetConsoleLogLevel failed|dcmi mod\w+ initialized? ?failed|npu-smi: error while loading|"
    r"npu get board type failed|Cannot open netlink socket"
)
_STAMP = r"\[[\w-]+\] \[(?:\d{4}-\d\d-\d\d \d\d:\d\d:\d\d|\d{8}-\d\d:\d\d:\d\d|<TIME>)\]"
_FIELD = r"[A-Z][\w ()%/.-]{0,40}?\s*:(?:\s|$)"


def _kind(name: str, begins: str, goes_on: str = "(?!)", gap: int = 0, once: str = "") -> Kind:
    return Kind(name, re.compile(begins), re.compile(goes_on), gap, re.compile(once) if once else None)


KINDS: tuple[Kind, ...] = (
    _kind(
        INFO,
        rf"\| npu-smi \S+ +Version:|\| NPU +Name\s|\| NPU ID\s|\| NPU +Chip\s+\| Process|{_SMI_ERRORS}",
        r"[|+]|\.\.\.|…",
        once=r"\| npu-smi \S+ +Version:",
    ),
    _kind(MAP, r"NPU ID\s+Chip ID\s+Chip (?:Logic|Phy)", r"\d+\s+\d+\s|\.\.\."),
    _kind(
        CARD,
        r"(?:NPU ID|Card Count|Total Count|Health Status|Health|Product Name|Version)\s*:\s",
        rf"{_FIELD}|\.\.\.",
    ),
    _kind(UPGRADE_TOOL, r'Get (?:component|system) version\(|\{"device(?:_id)?":\s*\d', r"[{}]\s*$|Get device"),
    _kind(HCCN_IP, r"ipaddr:\s*\S|no ip was preset|Get ipconf failed", r"netmask:\s*\S"),
    _kind(HCCN_LINK, r"link status:\s*\w+"),
    _kind(HCCN_HEALTH, r"net health status:\s*\w+"),
    _kind(
        INSTALLER,
        rf"Verifying archive integrity|Makeself logfile:|{_STAMP}|"
        r"\[(?:INFO|WARNING|ERROR)\]:?\s?(?:Driver package|Firmware package|ERR_NO|/dev/davinci|The davinci nodes)",
        r"Uncompressing |\[(?:INFO|WARNING|ERROR)\]|=+$|= Summary =$|(?:Driver|Toolkit|Firmware): +\S|"
        r"Please make sure that the env|- +To take effect",
        gap=12,
    ),
    _kind(
        HCCL_TEST,
        r"the minbytes is \d|data_size\(Bytes\):|(?:hccl|acl) interface return|This is an error in \w|"
        r"USAGE: \./test|Process \d+ (?:HcclGetRootInfo|received invalid)|Check whether HCCL_|"
        r"Error: (?:The number of device|\[-)|invalid option|(?:local rank_id|rank id) \d+, check result",
        r"\d+\s*\|\s*[\d.]+\s*\||total err is|check buf\[|hccl_op_base|memory allocation error|\[-|Try \[-h|exit=",
        gap=6,
    ),
    _kind(KERNEL_LOG, r"\[\s*\d+\.\d{6}\]\s|\[\d{4}-\d\d-\d\d-[\d:.]+\] \[|(?:[\w ]*: )?\[ascend\] \["),
    _kind(
        LSMOD,
        r"Module\s+Size\s+Used by|(?:(?:drv|ascend|dbl|davinci|devdrv)_\w+|ts_agent|hisi_hdc)\s+\d+\s+\d",
        r"\w+\s+\d+\s+-?\d+",
    ),
    _kind(LSPCI, r"(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7] \S", r"\.\.\."),
    _kind(CONDA_LIST, r"# packages in environment at ", r"#|[\w.-]+\s+\d\S*(?:\s|$)"),
    _kind(PIP_LIST, r"Package\s+Version(?:\s|$)", r"-+\s+-+|[\w.-]+\s+\d\S*(?:\s|$)"),
    _kind(PIP_FREEZE, r"[A-Za-z][\w.-]*(?:==\S+| @ \S+)$"),
    _kind(UNAME, r"Linux \S+ \d+\.\d+\S* .*\b(?:x86_64|aarch64)\b"),
    _kind(
        DF,
        r"Filesystem\s+(?:Type\s+)?(?:1024-blocks|1[KM]-blocks|Size)\s",
        r"/\S+$|(?:\S+\s+)?(?:[a-z]\w*\s+)?[\d.]+[KMGTPE]?\s+(?:[\d.]+[KMGTPE]?|-)\s+(?:-?[\d.]+[KMGTPE]?|-)\s",
    ),
    _kind(PASSWD, r"Hw(?:HiAi|Dm|Base)User:[^:]*:\d+:"),
    _kind(ID, r"uid=\d+\([\w-]+\) gid=\d+\("),
    _kind(DEVICES, r"c[rwx-]{9}\S? +\d+ +\S+ +\S+ +\d+, +\d+ .*/dev/v?(?:davinci|devmm|hisi)"),
    _kind(JSON, r'\{\s*"|\{$', r'[\]\[{}"]'),
    _kind(
        "hccl_tools.py output",
        r"visible_devices:\[",
        r"server_id:|device_num_list:|/bin/sh: |Command execute failed|Failed to call|Traceback|File |KeyError",
        gap=3,
    ),
    _kind("docker run command", r"docker run\s"),
    _kind("Kubernetes manifest", r"apiVersion:", r"[\w.-]+:|- |\{"),
    _kind(
        LOG,
        r"\[(?:ERROR|WARNING|EVENT|INFO|DEBUG|TRACE|Error)\]:?\s+(?:\w+\(|\d{4}[-/]|[A-Z])|(?:\[rank\d+\]:\s*)?"
        r"(?:[\w.]*(?:Error|Exception)\b|Traceback|E[A-Z\d]\d{4}\b|error code \d)|"
        r".*(?:\berror while loading shared libraries|cannot open shared object file|\[FUNC:\w+\]|error code is \d{5}|"
        r"execute failed, reason=)|\[20\d\d-\d\d-\d\d \d\d:\d\d:[\d.]+\] \[|"
        r"\S+ failed , ret:|\[\w+\]\[\w+\].* failed",
        r"Possible Cause|Solution|TraceBack|.*\[FUNC:|File \"|\[ERROR\]",
        gap=6,
    ),
    _kind(
        ASSIGNMENTS,
        r"(?:export +|declare -x +)?[A-Za-z_][\w.-]*=(?!=)|Ascend-cann-\w+ +(?:Version )?: \S",
        r"(?:Platform|branch|commit id) +: ",
    ),
)
"""In the order they are tried."""
