"""What else a number could have been: the measure under its other definitions, and under other options of the call."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from irevalcli.analysis.policy import Asked, filled, prepared
from irevalcli.errors import IrevalError
from irevalcli.measures.presets import PRESETS
from irevalcli.measures.registry import REL, REQUIRED, MeasureSpec
from irevalcli.measures.spec import parse_measures

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.policy import Policy
    from irevalcli.index.judgments import Judgments
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
    """Another definition of a measure, what is different about it, and whether that is to be another tool's number."""

    spec: MeasureSpec
    why: str
    tool: bool = False


def alternatives(asked: Asked, ranking: Ranking, query: int, policy: Policy) -> tuple[Alternative, ...]:
    """The measure of one query under each other definition that its record knows, then under other options.

    Args:
        asked: the measure as it was asked for, before anything was filled in.
        ranking: as it was read, before ties, depth and the like were seen to.
        query: the index of the query.
        policy: the options in force.
    """
    judgments = cast("Judgments", ranking.judgments)
    seen = prepared(ranking, policy)
    own = filled(asked, judgments, policy).spec
    found: dict[str, Alternative] = {}
    for variant in _variants(asked.spec):
        spec = filled(Asked(variant.spec, ""), judgments, policy).spec
        value = _value(spec, seen, query)
        if value is None or spec.name == own.name:
            continue
        if spec.name not in found:
            found[spec.name] = Alternative(spec.name, value, variant.why)
        elif variant.tool:
            found[spec.name] = found[spec.name]._replace(why=f"{found[spec.name].why}; {variant.why}")
    present = _value(own, seen, query)
    others = (*_other_views(own, seen, query, policy), *_other_orders(own, ranking, query, policy))
    return (*found.values(), *(other for other in others if other.value != present))


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
            form = _of(spec, target.parameters | {at: spec.parameters[at]})
            yield _Variant(form, f"as {preset.equals} (preset={preset.name})", tool=True)


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
        yield _of(spec, {name: given for name, given in spec.parameters.items() if name in kept} | {param.name: value})


def _with(spec: MeasureSpec, name: str, value: Value) -> MeasureSpec:
    return _of(spec, spec.parameters | {name: value})


def _of(spec: MeasureSpec, values: dict[str, Value]) -> MeasureSpec:
    """The measure with other parameters, those that are not given at their defaults."""
    return spec._replace(values=MeasureSpec.of(spec.measure, **values).values)


def _other_views(spec: MeasureSpec, ranking: Ranking, query: int, policy: Policy) -> Iterator[Alternative]:
    """What becomes of unjudged documents: left out, or worth as little or as much as they can be."""
    if policy.judged_only or spec.judged_only:
        return
    forms = [(spec._replace(judged_only=True), "unjudged documents are left out of the ranking first")]
    if spec.measure.has_bounds:
        forms.append(
            (spec._replace(bound="low"), "the least that it can be, whatever the unjudged documents are worth")
        )
        forms.append((spec._replace(bound="high"), "the most that it can be, if unjudged documents are worth as much"))
    for form, why in forms:
        value = _value(form, ranking, query)
        if value is not None:
            yield Alternative(form.name, value, why)


def _other_orders(spec: MeasureSpec, ranking: Ranking, query: int, policy: Policy) -> Iterator[Alternative]:
    """What documents of equal score would come to in other orders."""
    for ties, why in (("best", "in their best order"), ("worst", "in their worst order")):
        value = _value(spec, prepared(ranking, policy._replace(ties=ties)), query)  # type: ignore[arg-type]
        if value is not None and ties != policy.ties:
            yield Alternative(f"--ties {ties}", value, f"documents of equal score {why}")
