"""The name under which trec_eval prints a measure: its names, read backwards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from irevalcli.measures.aliases import AT, TREC_EVAL
from irevalcli.measures.registry import REL
from irevalcli.measures.values import read_value, split_outside

if TYPE_CHECKING:
    from irevalcli.measures.aliases import Alias
    from irevalcli.measures.registry import Measure, MeasureSpec, Value

_WORD = re.compile(r"\w+", re.ASCII)
_COLLECTION_SIZE = "collection_size"


def trec_name(spec: MeasureSpec) -> str | None:
    """The name in trec_eval's output of the measure with these parameters, or None if trec_eval does not have it.

    The relevance level and the collection size are options of a whole call there (``-l``, ``-N``) and no part of a
    name: ``AP(rel=2)`` is ``map`` as well. Any other parameter must mean there what it means here; ``judged_only`` and
    ``bound`` of a single measure are unknown there.
    """
    record = spec.measure
    if spec.options:
        return None
    for alias in TREC_EVAL:
        name = _in_notation(alias, spec) if alias.measure == record.name else None
        if name is not None:
            return name
    if _differing(spec, _defaults(record)):
        return None
    words = (same.name for same in record.equivalents if same.tool == "trec_eval" and _WORD.fullmatch(same.name))
    return next(words, None)


def _in_notation(alias: Alias, spec: MeasureSpec) -> str | None:
    """The alias with the values of `spec` behind it, or None if it can't express one of them."""
    record, given = spec.measure, spec.parameters
    expected = _defaults(record) | _fixed(alias, record)
    differing = _differing(spec, expected)
    if alias.values == AT:
        cutoff = given[record.at]
        return None if cutoff is None or differing.keys() - {record.at} else f"{alias.name}_{_cutoff(record, cutoff)}"
    if differing.keys() - {*alias.values, *alias.pairs}:
        return None
    if not differing:
        return alias.name
    if alias.values:
        return f"{alias.name}_{','.join(_number(given[name]) for name in alias.values)}"
    return f"{alias.name}_{','.join(_pair(name, value) for name, value in differing.items())}"


def _defaults(record: Measure) -> dict[str, Value]:
    return {param.name: param.default for param in record.parameters}


def _fixed(alias: Alias, record: Measure) -> dict[str, Value]:
    """The parameters that the alias sets in its target."""
    fixed: dict[str, Value] = {}
    for item in split_outside(alias.target.partition("(")[2].removesuffix(")"), ","):
        name, _, text = item.partition("=")
        param = record.parameter(name)
        if param is not None:
            fixed[name] = read_value(record.name, param, text)
    return fixed


def _differing(spec: MeasureSpec, expected: dict[str, Value]) -> dict[str, Value]:
    """The parameters in which `spec` is other than expected, without those that are options of a whole call."""
    whole_call = {_COLLECTION_SIZE, REL.name} if spec.measure.uses_level else {_COLLECTION_SIZE}
    return {
        name: value for name, value in spec.parameters.items() if name not in whole_call and value != expected[name]
    }


def _cutoff(record: Measure, value: float) -> str:
    param = record.parameter(record.at)
    return f"{value:.2f}" if param is not None and param.type == "float" else str(value)


def _number(value: Value) -> str:
    if isinstance(value, tuple):
        return ",".join(_number(number) for number in value)
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _pair(name: str, value: Value) -> str:
    if isinstance(value, dict):
        return ",".join(f"{_number(grade)}={_number(gain)}" for grade, gain in sorted(value.items()))
    return f"{name}={_number(value)}"
