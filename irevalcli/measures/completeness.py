"""What a record must have: the test of the built-in measures asks for it, and plugins are refused without."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any, get_args

from irevalcli.measures.registry import REQUIRED, Aggregation, Example, Kind, Measure, Needs, Param

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = re.compile(r"[^\W_]\w*")
_TEXTS = ("title", "summary", "formula")
_TYPES: dict[str, type | tuple[type, ...]] = {
    "name": str, "title": str, "summary": str, "formula": str, "at": str, "since": str, "note": str,
    "parameters": tuple, "references": tuple, "examples": tuple, "equivalents": tuple, "aliases": tuple,
    "low": (int, float, type(None)), "high": (int, float, type(None)), "no_relevant": (int, float, type(None)),
    "integer": bool, "monotone": bool, "higher_is_better": (bool, type(None)),
}  # fmt: skip
_CHOICES: dict[str, tuple[str, ...]] = {
    "kind": get_args(Kind),
    "aggregation": get_args(Aggregation),
    "needs": get_args(Needs),
}
_DEFAULTS: dict[str, type | tuple[type, ...]] = {
    "int": int,
    "float": (int, float),
    "bool": bool,
    "str": str,
    "word": str,
    "gains": dict,
    "floats": tuple,
    "measure": str,
}


def faults(record: Measure) -> list[str]:
    """What is missing in a record or wrong with it, a clause each; [] if it is complete."""
    wrong = list(_wrong_types(record))
    if wrong:
        return wrong
    return [
        *_gaps(record),
        *_wrong_values(record),
        *(fault for param in record.parameters for fault in _parameter_faults(param)),
        *_wrong_signature(record),
    ]


def _wrong_types(record: Measure) -> Iterator[str]:
    for field, wanted in _TYPES.items():
        value = getattr(record, field)
        if not isinstance(value, wanted):
            yield f"{field} is {value!r}, which is no {_type_names(wanted)}"
    for field, member in (("parameters", Param), ("examples", Example)):
        items: Any = getattr(record, field)
        if isinstance(items, tuple) and not all(isinstance(item, member) for item in items):
            yield f"{field} has something that is no {member.__name__}"
    for field in ("aliases", "references"):
        items = getattr(record, field)
        if isinstance(items, tuple) and not all(isinstance(item, str) for item in items):
            yield f"{field} has something that is no str"
    for field, choices in _CHOICES.items():
        value = getattr(record, field)
        if value not in choices:
            yield f"{field} is {value!r}, none of {', '.join(choices)}"


def _type_names(wanted: type | tuple[type, ...]) -> str:
    types = wanted if isinstance(wanted, tuple) else (wanted,)
    return " or ".join("None" if kind is type(None) else kind.__name__ for kind in types)


def _gaps(record: Measure) -> Iterator[str]:
    for name in (record.name, *record.aliases):
        if not _NAME.fullmatch(name.replace("-", "_")):
            yield f"{name!r} is no name: letters, digits and _"
    for field in _TEXTS:
        if not getattr(record, field).strip():
            yield f"{field} is empty"
    if not all(reference.strip() for reference in record.references) or not record.references:
        yield "reference is empty"
    if not record.examples:
        yield "there is no example"
    if not record.compute.__doc__:
        yield "the function has no docstring"
    if not all(example.measure.startswith(record.name) and example.value for example in record.examples):
        yield "an example has no value, or is about another measure"


def _wrong_values(record: Measure) -> Iterator[str]:
    names = [param.name for param in record.parameters]
    if len(set(names)) < len(names):
        yield "two parameters have the same name"
    if record.at and record.at not in names[:1]:
        yield f"at={record.at!r} is not the first parameter"
    if {param.name for param in record.parameters if param.default == REQUIRED} - {record.at}:
        yield "a parameter without a default is not that of @"
    if record.low is not None and record.high is not None and record.low >= record.high:
        yield f"the range is {record.low:g} to {record.high:g}"
    if (record.kind in {"text", "comparison"}) != (record.aggregation == "none"):
        yield f"kind={record.kind} does not go with aggregation={record.aggregation}"
    if record.aggregation == "geometric" and record.kind != "summary":
        yield "a geometric mean is of kind summary"
    if record.integer != (record.aggregation == "sum"):
        yield "whole numbers are summed, others are not: integer and aggregation disagree"
    if (record.pool is None) == (record.aggregation == "pooled"):
        yield "pool goes with aggregation=pooled"


def _parameter_faults(param: Param) -> Iterator[str]:
    if not (isinstance(param.meaning, str) and param.meaning.strip()):
        yield f"the parameter {param.name} has no meaning"
    if param.type not in _DEFAULTS:
        yield f"the parameter {param.name} is of type {param.type!r}, none of {', '.join(_DEFAULTS)}"
    elif bool(param.choices) != (param.type == "str"):
        yield f"the parameter {param.name} is of type {param.type} and has the choices {param.choices}"
    elif param.default is not None and param.default != REQUIRED:
        fits = isinstance(param.default, _DEFAULTS[param.type])
        if not fits or isinstance(param.default, bool) != (param.type == "bool"):
            yield f"the default of the parameter {param.name} is no {param.type}: {param.default!r}"
        elif param.choices and param.default not in param.choices:
            yield f"the default of the parameter {param.name} is none of its choices: {param.default!r}"
        elif not _in_bounds(param):
            yield f"the default of the parameter {param.name} is out of its bounds: {param.default!r}"


def _in_bounds(param: Param) -> bool:
    numbers = param.default if isinstance(param.default, tuple) else (param.default,)
    return all(
        (param.low is None or number >= param.low) and (param.high is None or number <= param.high)
        for number in numbers
        if isinstance(number, int | float)
    )


def _wrong_signature(record: Measure) -> Iterator[str]:
    """What is wrong with what the function takes: the ranking, and each parameter by its name."""
    taking = list(inspect.signature(record.compute).parameters.values())
    if not taking or taking[0].kind not in (taking[0].POSITIONAL_ONLY, taking[0].POSITIONAL_OR_KEYWORD):
        yield "the function takes nothing to measure"
        return
    others = taking[1:]
    names = {param.name for param in record.parameters}
    takes = {taken.name for taken in others if taken.kind not in (taken.VAR_KEYWORD, taken.VAR_POSITIONAL)}
    needs = {taken.name for taken in others if taken.name in takes and taken.default is taken.empty}
    anything = any(taken.kind is taken.VAR_KEYWORD for taken in others)
    lacking = sorted(names - takes) if not anything else []
    if lacking:
        yield f"the function does not take {', '.join(lacking)}"
    if needs - names:
        yield f"the function wants {', '.join(sorted(needs - names))}, which is no parameter of the record"
