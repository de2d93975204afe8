"""The grammar of measure names: ``nDCG(gain=exp)@10``, lists of them, and other tools' spellings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn, TypeVar

from irevalcli.errors import UnknownMeasure, UsageProblem
from irevalcli.measures.aliases import AT
from irevalcli.measures.families import known_measures
from irevalcli.measures.intent_aware import record_of
from irevalcli.measures.names import Names
from irevalcli.measures.nicknames import NO_MEASURE, SETS
from irevalcli.measures.request import Request, with_level, written
from irevalcli.measures.values import split_outside

if TYPE_CHECKING:
    from collections.abc import Callable

    from irevalcli.measures.aliases import Alias
    from irevalcli.measures.registry import Measure, MeasureSpec

__all__ = ["parse_measures", "suggest", "with_level"]

Answer = TypeVar("Answer")

_CONTINUATION = re.compile(r"[-+.\d]|p=", re.ASCII)
_RANX_LEVEL = re.compile(r"(?P<body>.+)-l(?P<level>\d+)", re.ASCII | re.DOTALL)
_VALUES_AT_END = re.compile(r"[._][-+.\d,=]*$", re.ASCII)
_GRADE = re.compile(r"[+-]?\d+", re.ASCII)
_ALL_NAMES = "all names: irevalcli measures"


def parse_measures(text: str, *, level: float | None = None) -> list[MeasureSpec]:
    """The measures that one ``-m`` argument asks for, in order, with repetitions.

    Args:
        text: a list; a piece that begins with a digit, sign or dot continues the piece before it (``P.5,10``).
        level: the lowest grade that counts as relevant where the text names none.

    Raises:
        UsageProblem: a name, parameter or value is wrong; hints say what was probably meant.
    """
    return [spec for spec, _ in parse_spelled(text, level=level)]


def parse_spelled(text: str, *, level: float | None = None) -> list[tuple[MeasureSpec, str]]:
    """As `parse_measures`, each measure with its spelling in the text; one of several that a name stands for, its own.

    Raises:
        UsageProblem: a name, parameter or value is wrong; hints say what was probably meant.
    """
    return _with_plugins(lambda names: _spelled(text, names, level))


def _spelled(text: str, names: Names, level: float | None) -> list[tuple[MeasureSpec, str]]:
    spelled = []
    for piece in _pieces(text, names):
        specs = _specs(piece, names, level)
        spelled += [(spec, piece if len(specs) == 1 else spec.name) for spec in specs]
    return spelled


def _with_plugins(ask: Callable[[Names], Answer]) -> Answer:
    """The answer of `ask`, which gets more names as long as it finds one unknown and plugins have others."""
    while True:
        try:
            return ask(Names(known_measures()))
        except UnknownMeasure as unknown:
            from irevalcli.measures.discovery import broken, load_for  # noqa: PLC0415  (rare, and its imports are slow)

            if load_for(unknown.name):
                continue
            hints = (*unknown.hints, *(problem.message for problem in broken()))
            raise UnknownMeasure(unknown.message, unknown.name, hints=hints) from None


def find_measures(name: str) -> list[Measure]:
    """The records that a name in any spelling stands for, also without a cutoff that it needs.

    Raises:
        UsageProblem: the name is unknown; hints say what was probably meant.
    """
    return _with_plugins(lambda names: _records(name.strip(), names))


def _records(name: str, names: Names) -> list[Measure]:
    alias = names.find(name)
    if alias is not None:
        return [record_of(alias.measure)]
    found = {spec.measure.name: spec.measure for spec, _ in _spelled(name, names, None)}
    return list(found.values())


def suggest(name: str) -> list[str]:
    """Known spellings that `name` may have been meant for, the likeliest first, with its cutoff or values."""
    head = re.split(r"[(@]", name, maxsplit=1)[0]
    values = _VALUES_AT_END.search(head)
    if values:
        head = head[: values.start()]
    rest = name[len(head) :]
    measures = known_measures()
    suggestions: dict[str, None] = {}
    for alias in Names(measures).similar(head, with_values=values is not None):
        known = alias.target if alias.target in measures and values is None else alias.name
        fits = measures[alias.measure].at or not rest.startswith("@")
        suggestions[known + rest if fits else known] = None
    return [spelling for spelling in suggestions if spelling != name]


def _pieces(text: str, names: Names) -> list[str]:
    """The measures of a list, each with the values that belong to it."""
    pieces: list[str] = []
    for piece in split_outside(text, ","):
        if not piece:
            raise UsageProblem(f"a measure is missing in '{text}'", hints=(_ALL_NAMES,))
        if pieces and _CONTINUATION.match(piece) and not names.starts(piece):
            pieces[-1] += "," + piece
        else:
            pieces.append(piece)
    return pieces


def _specs(piece: str, names: Names, level: float | None) -> list[MeasureSpec]:
    """The measures that one piece of a list stands for."""
    nickname, dot, _ = piece.partition(".")
    if nickname in SETS and dot:
        raise UsageProblem(f"{nickname} is a set of measures and takes no parameters")
    if nickname in SETS:
        members = [names.family(member) for member in SETS[nickname] if member != NO_MEASURE]
        requests = [request for alias in members if alias for request in _listed(alias, alias.defaults)]
    else:
        suffix = _RANX_LEVEL.fullmatch(piece)
        requests = _requests(suffix["body"] if suffix else piece, names)
        if suffix:
            requests = [request.with_value("rel", suffix["level"]) for request in requests]
    return [request.spec(level) for request in requests]


def _requests(text: str, names: Names) -> list[Request]:
    """The measures that a name in any notation stands for."""
    parts = written(text)
    alias = names.find(parts.head) if parts else None
    if parts is None or alias is None:
        parametrised = names.parametrised(text)
        if parametrised is None:
            _refuse_unknown(text, names)
        alias, values = parametrised
        if not values:
            raise UsageProblem(f"values are missing at the end of '{text}'")
        return _listed(alias, values)
    if not parts.arguments and parts.at is None and alias.defaults:
        return _listed(alias, alias.defaults)
    request = Request.of(alias.whole if alias.whole and parts.at is None else alias.target)
    for name, value in parts.arguments:
        request = request.with_value(name, value)
    return [request] if parts.at is None else [request.with_at(value) for value in split_outside(parts.at, ",")]


def _listed(alias: Alias, values: str) -> list[Request]:
    """The measures that a name makes with the values behind its dot or underscore, as trec_eval writes them."""
    request = Request.of(alias.target)
    if not values:
        return [request]
    if alias.pairs:
        return [request._replace(given=_pairs(alias, values))]
    items = [f"0.{item}" if alias.decimals and item.isdigit() else item for item in values.split(",")]
    if alias.values == AT:
        return [request.with_at(item) for item in items]
    param = request.measure.parameter(alias.values[0])
    if param is not None and param.type == "floats":
        items = [f"[{values}]"]
    if len(items) != len(alias.values):
        wanted = "one value" if len(alias.values) == 1 else f"{len(alias.values)} values"
        raise UsageProblem(f"{alias.name} takes {wanted} ({','.join(alias.values)}), not '{values}'")
    return [request._replace(given=dict(zip(alias.values, items, strict=True)))]


def _pairs(alias: Alias, text: str) -> dict[str, str]:
    """Parameters and values of a list ``key=value,…``, in which grades stand for entries of the map of gains."""
    given: dict[str, str] = {}
    gains: list[str] = []
    for item in text.split(","):
        key, equals, value = item.partition("=")
        if equals and _GRADE.fullmatch(key) and "gains" in alias.pairs:
            gains.append(f"{key}:{value}")
        elif equals and key in alias.pairs and key not in {"gains", *given}:
            given[key] = value
        else:
            pair = "1=3,2=9" if "gains" in alias.pairs else "p=0.8"
            raise UsageProblem(f"{alias.name} takes pairs such as {alias.name}.{pair}, not '{item}'")
    if gains:
        given["gains"] = "{" + ",".join(gains) + "}"
    return given


def _refuse_unknown(text: str, names: Names) -> NoReturn:
    head, bracket, _ = text.partition("(")
    if bracket and names.find(head.strip()):
        raise UsageProblem(f"'{text}' is not written as Name(parameter=value,...)@cutoff")
    if len(head.split()) > 1:
        raise UsageProblem(f"unknown measure '{text}'", hints=("the measures of a list are separated by commas",))
    similar = suggest(text)
    hint = f"did you mean {similar[0]}?  ({_ALL_NAMES})" if similar else _ALL_NAMES
    name = re.split(r"[(@]", text, maxsplit=1)[0].strip()
    raise UnknownMeasure(f"unknown measure '{text}'", name, hints=(hint,))
