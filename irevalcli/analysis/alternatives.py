"""What else a number could have been: the same measure under its other definitions, and under other run-wide options."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from irevalcli.analysis.policy import Asked, filled, prepared
from irevalcli.errors import IrevalError
from irevalcli.measures.aliases import PRESETS
from irevalcli.measures.registry import REL, REQUIRED, MeasureSpec
from irevalcli.measures.spec import parse_measures

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.policy import Policy
    from irevalcli.index.ranking import Ranking
    from irevalcli.measures.registry import Param, Value


class Alternative(NamedTuple):
    """A value that another definition gives to the same ranking.

    Attributes:
        name: the measure, or the options of the call.
        value: what it comes to for the query.
        why: what is different, in a line.
    """

    name: str
    value: float
    why: str


class _Variant(NamedTuple):
    """Another definition of a measure."""

    spec: MeasureSpec
    why: str


def alternatives(asked: Asked, ranking: Ranking, query: int, policy: Policy) -> tuple[Alternative, ...]:
    """The measure of one query under each other definition that its record knows, then under other options.

    Args:
        asked: the measure as it was asked for, before anything was filled in.
        ranking: as it was read, before ties, depth and the like were seen to.
        query: the index of the query.
        policy: the options in force.
    """
    judgments = ranking.judgments
    seen = prepared(ranking, policy)
    own = filled(asked, judgments, policy)  # type: ignore[arg-type]
    found: dict[str, Alternative] = {}
    for variant in _variants(asked.spec):
        spec = filled(Asked(variant.spec, ""), judgments, policy).spec  # type: ignore[arg-type]
        value = _value(spec, seen, query)
        if value is not None and spec.name != own.spec.name and spec.name not in found:
            found[spec.name] = Alternative(spec.name, value, variant.why)
    present = _value(own.spec, seen, query)
    for name, other, why in _other_options(policy):
        value = _value(own.spec, prepared(ranking, other), query)
        if value is not None and value != present:
            found[name] = Alternative(name, value, why)
    return tuple(found.values())


def _value(spec: MeasureSpec, ranking: Ranking, query: int) -> float | None:
    """The value of a query; None if the measure cannot be had in this form."""
    try:
        return float(spec.compute(ranking)[query])
    except IrevalError:
        return None


def _variants(spec: MeasureSpec) -> Iterator[_Variant]:
    """Every parameter with a choice set otherwise, one at a time; the cutoff taken away; the presets of other tools."""
    for param in spec.measure.parameters:
        now = spec.parameters[param.name]
        if param.name == spec.measure.at and param.default not in (now, REQUIRED):
            yield _Variant(_with(spec, param.name, param.default), f"no {param.name}: the whole ranking counts")
        for other in _choices(param):
            if other != now:
                why = f"{param.name}={other}, not {now}: {param.meaning}"
                yield from (_Variant(form, why) for form in _forms(spec, param, other))
    for preset in PRESETS:
        if preset.measure == spec.measure.name:
            (target,) = parse_measures(preset.target)
            at = spec.measure.at
            yield _Variant(_with(target, at, spec.parameters[at]), f"preset={preset.name}: as {preset.equals}")


def _choices(param: Param) -> tuple[Value, ...]:
    return (True, False) if param.type == "bool" else param.choices if param.type == "str" else ()


def _forms(spec: MeasureSpec, param: Param, value: Value) -> Iterator[MeasureSpec]:
    """The measure with another value of a parameter, in the first form in which that is allowed.

    Other parameters may mean nothing any more and be refused, so forms follow that drop them: all numbers, then all but
    cutoff and level. Whoever takes the forms leaves those that are refused, and those whose name has occurred.
    """
    yield _with(spec, param.name, value)
    keeping = {spec.measure.at, REL.name}
    for kept in (keeping | {other.name for other in spec.measure.parameters if _choices(other)}, keeping):
        values = {name: given for name, given in spec.parameters.items() if name in kept}
        yield MeasureSpec.of(spec.measure, **values | {param.name: value})


def _with(spec: MeasureSpec, name: str, value: Value) -> MeasureSpec:
    return MeasureSpec.of(spec.measure, **spec.parameters | {name: value})


def _other_options(policy: Policy) -> Iterator[tuple[str, Policy, str]]:
    if policy.judged_only:
        yield "without -J", policy._replace(judged_only=False), "unjudged documents keep their ranks"
    else:
        yield "with -J", policy._replace(judged_only=True), "unjudged documents are left out of the ranking"
    if policy.ties != "best":
        yield "--ties best", policy._replace(ties="best"), "documents of equal score in their best order"
    if policy.ties != "worst":
        yield "--ties worst", policy._replace(ties="worst"), "documents of equal score in their worst order"
