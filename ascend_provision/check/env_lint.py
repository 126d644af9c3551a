"""What is wrong with a set of variables, wherever they were found: in a file, a process, a container."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from ascend_provision.check.reading import product, suites
from ascend_provision.knowledge import env_rules, env_variables, feature_floors
from ascend_provision.knowledge.env_variables import Order, Scope, Standing, Variable
from ascend_provision.stack.facts import HostFacts
from ascend_provision.stack.model import Unknown

VISIBLE = "ASCEND_RT_VISIBLE_DEVICES"
_SOCKET = "HCCL_SOCKET_IFNAME"
_MODE = "HCCL_OP_EXPANSION_MODE"
_OF_TORCH_NPU = "HCCL_EVENT_TIMEOUT"
_MB_PER_GB = 1024


@dataclass(frozen=True)
class Fault:
    """`key` is the finding it is given as for a file, `said` what stands there (`HCCL_BUFFSIZE=1048576`)."""

    key: str
    verdict: Literal["fail", "warn", "unknown"]
    said: str
    expected: str = ""
    evidence: str = ""
    source: str = ""


def lint(variables: Mapping[str, str], facts: HostFacts, cards: int | Unknown | None = None) -> Iterator[Fault]:
    """Values, waits, pairs, card numbers. `cards` is how many the reader of the variables sees (None: the host's)."""
    scope = scope_of(variables, facts)
    plain = {name: text for name, text in variables.items() if text and env_variables.literal(text)}
    for name, text in plain.items():
        yield from _value(name, text, scope)
        yield from _age(name, facts)
    for order in env_variables.orders():
        yield from _order(order, plain, scope, facts)
    for clash in env_variables.clashes():
        if all(_stands(word, plain) for word in clash.together):
            said = " with ".join(f"{name}={plain[name]}" for name in (word.split("=")[0] for word in clash.together))
            yield Fault("env.clash", clash.verdict, said, "one of them", clash.what, clash.cited)
    if _SOCKET in plain:
        yield from _interface(plain[_SOCKET], facts.interfaces)
    if VISIBLE in plain:
        yield from _visible(plain[VISIBLE], _cards(facts) if cards is None else cards)


def scope_of(variables: Mapping[str, str], facts: HostFacts) -> Scope:
    """What of the host decides which row of a variable holds."""
    found, installed = product(facts), suites(facts)
    mode = variables.get(_MODE)
    return Scope(
        chip=found.chip if found else None,
        cann=max((item.version for item in installed), default=None),
        mode=mode if mode and env_variables.literal(mode) else None,
    )


def _value(name: str, text: str, scope: Scope) -> Iterator[Fault]:
    found = env_variables.rows_of(name, scope)
    if not found:
        return
    said = f"{name}={text}"
    meant = [row for row in found if not row.unsupported]
    if not meant:
        yield Fault("env.support", "warn", said, f"not set on chip {scope.chip}", source=found[0].cited)
        return
    if len(meant) < len(found):
        yield Fault("env.support", "unknown", f"{said}: the chip is not known, and not every chip reads it")
        return
    standing = env_variables.agreed(row.stands(text) for row in meant)
    row = meant[0]
    expected = " or ".join(dict.fromkeys(row.range for row in meant))
    if standing is None:
        yield Fault("env.limits", "unknown", f"{said}: the chip or mode that decides is not known", expected)
    elif standing != "right":
        yield _off(row, standing, said, text, expected)


def _off(row: Variable, standing: Standing, said: str, text: str, expected: str) -> Fault:
    key = "env.limits" if standing in {"odd", "wrong"} and not row.words else "env.values"
    number = env_variables.number(text)
    evidence = ""
    if row.unit == "MB" and row.times > 1 and number is not None:
        evidence = f"{row.times} x {text} MB = {row.times * number / _MB_PER_GB:g} GB for each communicator"
    return Fault(key, "warn" if standing == "odd" else row.outside, said, expected, evidence, row.cited)


def _age(name: str, facts: HostFacts) -> Iterator[Fault]:
    """A variable that every torch_npu of the host is too old to read."""
    floor = feature_floors.floor(name)
    if floor is None or isinstance(facts.environments, Unknown):
        return
    found = [env.torch_npu for env in facts.environments if env.torch_npu is not None]
    if found and all(env_rules.known_to(name, version) is False for version in found):
        names = ", ".join(sorted({str(version) for version in found}))
        expected = f"torch_npu of series {floor.lowest('torch_npu_series')} or newer"
        yield Fault("env.support", "warn", f"{name} beside torch_npu {names}", expected, source=floor.cited)


def _order(order: Order, plain: Mapping[str, str], scope: Scope, facts: HostFacts) -> Iterator[Fault]:
    """Judged when at least one of the two is set; the other then has its published default."""
    given = [name for name in (order.shorter, order.longer) if name in plain]
    if not given or (order.longer == _OF_TORCH_NPU and order.longer not in plain and not _has_torch_npu(facts)):
        return
    shorter, longer = _waits(order.shorter, plain, scope), _waits(order.longer, plain, scope)
    if not shorter or not longer:
        return
    wrong = {low >= high for low in shorter for high in longer}
    said = f"{_said(order.shorter, plain, scope)}, {_said(order.longer, plain, scope)}"
    expected = f"{order.shorter} shorter than {order.longer}"
    if len(wrong) > 1:
        yield Fault("env.timeouts", "unknown", f"{said}: the chip or mode that decides is not known", expected)
    elif wrong == {True}:
        verdict: Literal["fail", "warn"] = "fail" if len(given) == 2 else "warn"
        yield Fault("env.timeouts", verdict, said, expected, order.what, order.cited)


def _waits(name: str, plain: Mapping[str, str], scope: Scope) -> set[float]:
    """How long it really waits, one value a row that may hold; 0 is for ever where 0 is allowed."""
    found: set[float] = set()
    for row in env_variables.rows_of(name, scope):
        value = env_variables.number(plain.get(name, row.default))
        if value is None or row.stands(plain.get(name, row.default)) not in {"right", "odd"}:
            continue
        value -= value % row.step
        if value == 0 and row.minimum == 0:
            value = row.maximum if row.outside == "warn" and row.maximum is not None else float("inf")
        found.add(value)
    return found


def _said(name: str, plain: Mapping[str, str], scope: Scope) -> str:
    waits = _waits(name, plain, scope)
    if name not in plain:
        return f"{name} not set ({'/'.join(f'{wait:g}' for wait in sorted(waits))} s)"
    real = next(iter(waits)) if len(waits) == 1 else None
    given = env_variables.number(plain[name])
    return f"{name}={plain[name]}" + (f" (really {real:g} s)" if real is not None and real != given else "")


def _interface(text: str, interfaces: tuple[str, ...] | Unknown) -> Iterator[Fault]:
    """`eth` is every name that begins so, `=eth0` that one, `^` everything but; a list has one mark for all."""
    key, said = "env.interface", f"{_SOCKET}={text}"
    if isinstance(interfaces, Unknown):
        yield Fault(key, "unknown", f"{said}: {interfaces.unknown}")
        return
    excluding, names = text.startswith("^"), text.removeprefix("^")
    exact, words = names.startswith("="), [word for word in names.removeprefix("=").split(",") if word]
    fits = [item for item in interfaces if any(item == word if exact else item.startswith(word) for word in words)]
    left = [item for item in interfaces if item not in fits and item != "lo"] if excluding else fits
    if not left:
        there = ", ".join(item for item in interfaces if item != "lo")
        yield Fault(key, "fail", said, f"one of {there}", "no interface of the host is left by it")


def _has_torch_npu(facts: HostFacts) -> bool:
    return not isinstance(facts.environments, Unknown) and any(env.torch_npu for env in facts.environments)


def _stands(word: str, plain: Mapping[str, str]) -> bool:
    name, equals, value = word.partition("=")
    return plain.get(name) == value if equals else name in plain


def _cards(facts: HostFacts) -> int | Unknown:
    return facts.chips if isinstance(facts.chips, Unknown) else len(facts.chips)


def _visible(text: str, cards: int | Unknown) -> Iterator[Fault]:
    key, said = "env.visible-devices", f"{VISIBLE}={text}"
    words = text.split(",")
    form = "numbers of cards, rising, with commas and without blanks"
    if not all(word.isascii() and word.isdigit() and len(word) < 5 for word in words):
        bad = next(word for word in words if not (word.isascii() and word.isdigit() and len(word) < 5))
        yield Fault(key, "fail", said, form, f"{bad!r} is no number: it and everything behind it is ignored")
        return
    numbers = [int(word) for word in words]
    if numbers != sorted(set(numbers)):
        yield Fault(key, "fail", said, form, "twice the same, or not rising: the runtime refuses the list (EE2002)")
    elif isinstance(cards, Unknown):
        yield Fault(key, "unknown", f"{said}: how many cards there are is not known ({cards.unknown})")
    elif cards and numbers[-1] >= cards:
        yield Fault(key, "fail", said, f"0 to {cards - 1}", f"{cards} cards are there; numbers begin at 0")
