"""A probe's answer as it may be sent to somebody else: secrets, serial numbers and addresses replaced.

| what | becomes |
|---|---|
| values of password, token, key and the like; keys known by their look | `<secret>` |
| serial numbers, die ids | `<serial>` |
| MAC addresses | another address, the same one each time |
| IPv4 and IPv6 addresses | another one, the same each time; of one subnet stays of one, of different ones apart |
| checksums of files | another checksum; equal ones stay equal |

Replacements follow from a `salt` that is drawn for each recording and kept nowhere, so nobody can try addresses out.
Netmasks, 0.0.0.0, loopback and the first number of an address stay. Host names, user names, paths and command lines
stay too: findings are about them. Source of the method for addresses: J. Xu et al., "Prefix-preserving IP address
anonymization" (ICNP 2002).
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import re

_NAME = (
    r"(?:\w*pass(?:word|wd|phrase)?|pwd|secret(?:[_-]?(?:access[_-]?)?key)?|token|api[_-]?key|access[_-]?key(?:[_-]?id)?|"
    r"(?:private|encryption|signing)[_-]?key|credentials?)"
)
_VALUE = r"(\"[^\"]*\"|'[^']*'|[^\s\"',;&|]+)"
_PHRASE = re.compile(r"(passphrase)(\s*[=:]\s*)(\S.*)", re.IGNORECASE)  # of several words
_SECRETS = (
    _PHRASE,
    re.compile(rf"((?<![A-Za-z]){_NAME}|\b\w+[_-]{_NAME})(\"?\s*[=:]\s*)(?!x:){_VALUE}", re.IGNORECASE),
    re.compile(rf"(--[\w-]*?{_NAME})( +){_VALUE}", re.IGNORECASE),
    re.compile(r"(://[^/\s:@]+)(:)([^/\s@]+)(?=@)"),
    re.compile(r"(Authorization)(\"?: *\"?)([^\s\"']+(?: +[^\s\"']+)?)", re.IGNORECASE),
    re.compile(rf"(\"auth\")(\s*:\s*){_VALUE}", re.IGNORECASE),
    re.compile(rf"((?<![\w-])--?(?:ak|sk))([ =]+){_VALUE}", re.IGNORECASE),
    re.compile(rf"((?<![A-Za-z])(?:ak|sk))(\"?\s*[=:]\s*)(?!x:){_VALUE}", re.IGNORECASE),
)
_KEYS = re.compile(
    r"\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|hf_[A-Za-z]{20,}|sk-[\w-]{20,}|AKIA[A-Z0-9]{16}|"
    r"eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,})"
)
_SERIAL = re.compile(
    r"((?:Serial Number|Serial|SN|[VND]?Die ID|VDIE|Electronic ?Label)\s*:\s*)(?!NA\b|-\s*$)(\S.*)", re.IGNORECASE
)
_MAC = re.compile(r"(?<![\w:])([0-9a-fA-F]{2}(?:[:-][0-9a-fA-F]{2}){5})(?![\w:])")
_IPV4 = re.compile(r"(?<![\d.\w])(\d{1,3}(?:\.\d{1,3}){3})(?![\d.]*\d|\w)")
_IPV6 = re.compile(r"(?<![\w:.])([0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{0,4}){2,7})(?![\w:.])")
_SUM = re.compile(r"^(\|)([0-9a-f]{64})(?=[ *]+/)", re.MULTILINE)
_OWN = re.compile(r"@own\.")
_VERSIONS = re.compile(
    r"@(?:driver|firmware|upgrade-tool|npu-smi|cann|install|environments|mod|lsmod|pythons|mpi|host\b|os-release|grubby|boot)"
)
"""Sections in which four numbers with dots are a version."""
_KEPT_BITS = {4: 8, 6: 16}
"""The first number of an address stays."""


def redact(text: str, salt: bytes, *, keep_addresses: bool = False) -> str:
    """The same lines in the same number. What ascend-provision itself keeps on the host (`own.*`) has no secret."""
    shown: list[str] = []
    own = versions = False
    for line in text.split("\n"):
        if line.startswith("@"):
            own = _OWN.match(line) is not None
            versions = _VERSIONS.match(line) is not None
        shown.append(line if own else _line(line, salt, keep_addresses, versions))
    return _SUM.sub(lambda match: match[1] + _digest(salt, match[2]), "\n".join(shown))


def _line(line: str, salt: bytes, keep_addresses: bool, versions: bool) -> str:
    for pattern in _SECRETS:
        line = pattern.sub(lambda match: f"{match[1]}{match[2]}<secret>", line)
    line = _SERIAL.sub(r"\1<serial>", _KEYS.sub("<secret>", line))
    if keep_addresses:
        return line
    line = _MAC.sub(lambda match: _mac(match[1], salt), line)
    if not versions:
        line = _IPV4.sub(lambda match: _address(match[1], salt), line)
    return _IPV6.sub(lambda match: _address(match[1], salt), line)


def _address(text: str, salt: bytes) -> str:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return text
    if address.is_loopback or address.is_unspecified or _is_netmask(address):
        return text
    width = address.max_prefixlen
    bits = f"{int(address):0{width}b}"
    mixed = bits[: _KEPT_BITS[address.version]]
    for position in range(len(mixed), width):
        flip = hmac.digest(salt, f"{address.version}:{bits[:position]}".encode(), hashlib.sha256)[0] & 1
        mixed += str(int(bits[position]) ^ flip)
    return str(type(address)(int(mixed, 2)))


def _is_netmask(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    return "01" not in f"{int(address):0{address.max_prefixlen}b}"


def _mac(text: str, salt: bytes) -> str:
    data = hmac.digest(salt, text.lower().replace("-", ":").encode(), hashlib.sha256)[:5]
    return ":".join(["02", *(f"{byte:02x}" for byte in data)])


def _digest(salt: bytes, text: str) -> str:
    return hmac.digest(salt, text.encode(), hashlib.sha256).hex()
