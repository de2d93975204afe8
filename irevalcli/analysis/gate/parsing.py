"""Rules from their texts, such as ``nDCG@10 >= 0.80`` and ``AP(rel=2)=2%``; the parts of a text may also come alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from irevalcli.analysis.gate.rules import DEFAULT_ALPHA, GateRule
from irevalcli.analysis.policy import Asked
from irevalcli.errors import UsageProblem
from irevalcli.measures.spec import parse_spelled
from irevalcli.reading.numbers import strict_grade

if TYPE_CHECKING:
    from irevalcli.analysis.gate.rules import Allowance, Decide, Kind, Level, Relation
    from irevalcli.measures.registry import MeasureSpec

_BOUND = re.compile(r"(?P<measure>.*?)\s*(?P<relation>>=|<=|≥|≤|>|<)\s*(?P<limit>.*)", re.DOTALL)
_ASCII: dict[str, Relation] = {"≥": ">=", "≤": "<=", ">=": ">=", "<=": "<=", ">": ">", "<": "<"}
SIGNS: dict[Relation, str] = {">=": "≥", ">": ">", "<=": "≤", "<": "<"}
"""How relations are shown."""

_BOUND_EXAMPLE = "such as 'nDCG@10 >= 0.80'"
_DROP_EXAMPLE = "such as nDCG@10=0.02, or nDCG@10=2% of the baseline's value"
_QUERY_DROP_EXAMPLE = "such as nDCG@10=0.25"
_JUDGED_EXAMPLE = "such as 10=0.95"
_MEASURE_EXAMPLE = "such as nDCG@10"
_LIMIT_EXAMPLE = "such as 0.25"
_DROP_LIMIT_EXAMPLE = "such as 0.02, or 2% of the baseline's value"


class Terms(NamedTuple):
    """What a rule has beside its demand.

    Attributes:
        relevance: lowest grade that counts as relevant where the measure names none.
        decide: how a drop is decided.
        alpha: error rate of the decision.
        level: what a breach means.
        allow: exceptions for single queries.
    """

    relevance: float = 1
    decide: Decide = "auto"
    alpha: float = DEFAULT_ALPHA
    level: Level = "error"
    allow: tuple[Allowance, ...] = ()


PLAIN = Terms()


def bound_rule(text: str, origin: str, terms: Terms = PLAIN) -> GateRule:
    """``nDCG@10 >= 0.80``: the aggregate against a limit.

    Args:
        text: measure, one of ``>= > <= <``, limit.
        origin: where it was written; errors begin with it.
        terms: what else the rule has.

    Raises:
        UsageProblem: it is no such text, or no value of the measure could break it or keep it.
    """
    parts = _BOUND.fullmatch(text.strip())
    if parts is None:
        _refuse(origin, f"'{text}' has none of >=, >, <= and <", _BOUND_EXAMPLE)
    if parts["measure"].endswith("="):
        turned = f"{parts['relation']}="
        _refuse(origin, f"'{text}' has =, not one of >=, >, <= and <; did you mean {turned}?", _BOUND_EXAMPLE)
    return bound(parts["measure"], _ASCII[parts["relation"]], parts["limit"], origin, terms)


def bound(measure: str, relation: Relation, limit: str | float, origin: str, terms: Terms = PLAIN) -> GateRule:
    """The same from its parts.

    Raises:
        UsageProblem: as for `bound_rule`.
    """
    asked = _asked(measure, origin, terms, _MEASURE_EXAMPLE)
    value = _number(limit, origin, _LIMIT_EXAMPLE)
    low, high = _range(asked.spec)
    if (low is not None and value < low) or (high is not None and value > high):
        percent = f"; did you mean {value / 100:g}?" if high == 1 and 1 < value <= 100 else ""
        _refuse(origin, f"{asked.spec.name} {_range_text(low, high)}, so {_shown(limit)} decides nothing{percent}", "")
    if (relation, value) in {(">=", low), ("<=", high), (">", high), ("<", low)}:
        whether = "always" if "=" in relation else "never"
        reason = f"{asked.spec.name} {_range_text(low, high)}, so {SIGNS[relation]} {_shown(limit)} {whether} holds"
        _refuse(origin, reason, "")
    words = f"{asked.spec.name} {SIGNS[relation]} {_shown(limit)}"
    return _rule("bound", asked, relation, value, words, origin, terms)


def max_drop_rule(text: str, origin: str, terms: Terms = PLAIN) -> GateRule:
    """``AP(rel=2)=0.02``: how far the aggregate may fall below the baseline's; ``2%`` is a share of the baseline's.

    Raises:
        UsageProblem: it is no such text, the measure has no better direction, or no fall could break the rule.
    """
    return max_drop(*_halves(text, origin, _DROP_EXAMPLE), origin, terms)


def max_drop(measure: str, limit: str | float, origin: str, terms: Terms = PLAIN) -> GateRule:
    """The same from its parts.

    Raises:
        UsageProblem: as for `max_drop_rule`.
    """
    asked = _asked(measure, origin, terms, _MEASURE_EXAMPLE)
    _require_direction(asked.spec, origin)
    share = _percent(limit)
    if share is None:
        value = _size(limit, asked.spec, origin, _DROP_LIMIT_EXAMPLE)
    elif not 0 <= share < 1:
        _refuse(origin, f"a drop of {_shown(limit)} of the baseline's value", "a share lies between 0% and 100%")
    else:
        value = share
    words = f"{asked.spec.name} within {_shown(limit)} of baseline"
    if terms.decide in {"non-inferior", "no-significant-drop"} and not is_mean_of_queries(asked.spec):
        reason = f"{asked.spec.name} is no mean over queries, so that {terms.decide} cannot be decided"
        _refuse(origin, reason, "its values can be compared: decide = point")
    return _rule("max-drop", asked, ">=", value, words, origin, terms, relative=share is not None)


def max_query_drop_rule(text: str, origin: str, terms: Terms = PLAIN) -> GateRule:
    """``nDCG@10=0.25``: how far a single query may fall below the baseline's value.

    Raises:
        UsageProblem: as for `max_drop_rule`, or the measure has no values of queries.
    """
    return max_query_drop(*_halves(text, origin, _QUERY_DROP_EXAMPLE), origin, terms)


def max_query_drop(measure: str, limit: str | float, origin: str, terms: Terms = PLAIN) -> GateRule:
    """The same from its parts.

    Raises:
        UsageProblem: as for `max_query_drop_rule`.
    """
    asked = _asked(measure, origin, terms, _MEASURE_EXAMPLE)
    if asked.spec.measure.kind != "per_query":
        _refuse(origin, f"{asked.spec.name} has no value for a single query", "")
    _require_direction(asked.spec, origin)
    if _percent(limit) is not None:
        _refuse(
            origin,
            f"{_shown(limit)} of a single query's value",
            f"a limit in units of the measure, {_LIMIT_EXAMPLE}",
        )
    value = _size(limit, asked.spec, origin, _LIMIT_EXAMPLE)
    words = f"no query loses more than {_shown(limit)} {asked.spec.name}"
    return _rule("max-query-drop", asked, ">=", value, words, origin, terms)


def min_judged_rule(text: str, origin: str, terms: Terms = PLAIN) -> GateRule:
    """``10=0.95``: the lowest share of the first 10 documents that must be judged.

    Raises:
        UsageProblem: it is no such text, or the share is not between 0 and 1.
    """
    return min_judged(*_halves(text, origin, _JUDGED_EXAMPLE), origin, terms)


def min_judged(cutoff: str | int, share: str | float, origin: str, terms: Terms = PLAIN) -> GateRule:
    """The same from its parts.

    Raises:
        UsageProblem: as for `min_judged_rule`.
    """
    depth = str(cutoff)
    if not (depth.isascii() and depth.isdecimal() and int(depth)):
        _refuse(origin, f"'{depth}' is no cutoff", f"a cutoff and a share are expected, {_JUDGED_EXAMPLE}")
    percent = _percent(share)
    value = _number(share, origin, _JUDGED_EXAMPLE) if percent is None else percent
    if not 0 <= value <= 1:
        _refuse(origin, f"{_shown(share)} is no share of documents", f"a share lies between 0 and 1, {_JUDGED_EXAMPLE}")
    if not value:
        _refuse(origin, f"a share of {_shown(share)} always holds", _JUDGED_EXAMPLE)
    asked = _asked(f"Judged@{int(depth)}", origin, terms, _JUDGED_EXAMPLE)
    return _rule("min-judged", asked, ">=", value, f"{asked.spec.name} ≥ {_shown(share)}", origin, terms)


def max_missing_rule(limit: str | int, origin: str, terms: Terms = PLAIN) -> GateRule:
    """``0``: how many judged queries the run may lack.

    Raises:
        UsageProblem: it is no whole number of 0 or more.
    """
    text = str(limit).strip()
    if not (text.isascii() and text.isdecimal()):
        _refuse(origin, f"'{text}' is no number of queries", "a whole number is expected, such as 0")
    number = int(text)
    words = f"at most {number} judged {'query' if number == 1 else 'queries'} missing" if number else "coverage = 100%"
    return _rule("max-missing", None, "<=", number, words, origin, terms)


def is_mean_of_queries(spec: MeasureSpec) -> bool:
    """Whether the aggregate is the mean of one number per query, so that queries can decide about it."""
    record = spec.measure
    return record.aggregation == "mean" and record.kind == "per_query"


def _rule(  # noqa: PLR0917  (the fields of the record, in its order)
    kind: Kind,
    measure: Asked | None,
    relation: Relation,
    limit: float,
    text: str,
    origin: str,
    terms: Terms,
    *,
    relative: bool = False,
) -> GateRule:
    if terms.allow and kind != "max-query-drop":
        _refuse(origin, "exceptions for single queries belong to a rule max-query-drop", f"this one is {kind}")
    if not 0 < terms.alpha < 0.5:
        _refuse(origin, f"alpha {terms.alpha:g}", "an error rate lies between 0 and 0.5, such as 0.05")
    return GateRule(
        kind, measure, relation, limit, relative, terms.decide, terms.alpha, terms.level, terms.allow, text, origin
    )


def _refuse(origin: str, what: str, hint: str) -> NoReturn:
    raise UsageProblem(f"{origin}: {what}", hints=(hint,) if hint else ())


def _halves(text: str, origin: str, example: str) -> tuple[str, str]:
    """What stands before and behind the last ``=``."""
    head, equals, tail = text.rpartition("=")
    if not (equals and head.strip() and tail.strip()) or tail.count(")") > tail.count("("):
        _refuse(origin, f"'{text}' has no limit behind a =", example)
    return head.strip(), tail.strip()


def _asked(text: str, origin: str, terms: Terms, example: str) -> Asked:
    """The one measure of a text."""
    if not text.strip():
        _refuse(origin, "a measure is missing", example)
    try:
        spelled = parse_spelled(text.strip(), level=terms.relevance)
    except UsageProblem as error:
        raise UsageProblem(f"{origin}: {error.message}", hints=error.hints) from None
    if len(spelled) != 1:
        _refuse(origin, f"'{text}' stands for {len(spelled)} measures", "a rule is about one")
    ((spec, given),) = spelled
    if spec.measure.kind == "comparison":
        _refuse(origin, f"{spec.name} compares runs with each other", "a rule is about a measure of a single run")
    if spec.measure.kind == "text" or spec.measure.aggregation == "none":
        _refuse(origin, f"{spec.name} has no number for a run", "")
    return Asked(spec, given)


def _require_direction(spec: MeasureSpec, origin: str) -> None:
    if spec.higher_is_better is None:
        _refuse(origin, f"{spec.name} has no better direction, so that it cannot drop", "")


def _number(text: str | float, origin: str, example: str) -> float:
    value = strict_grade((text.strip() if isinstance(text, str) else repr(float(text))).encode())
    if value is None:
        comma = strict_grade(str(text).strip().replace(",", ".", 1).encode())
        advice = f"decimal point, not comma: {str(text).replace(',', '.')}" if comma is not None else example
        _refuse(origin, f"'{text}' is not a number", advice)
    return value


def _percent(limit: str | float) -> float | None:
    """The share that ``2%`` is; None if there is no percent sign."""
    if not isinstance(limit, str) or not limit.strip().endswith("%"):
        return None
    value = strict_grade(limit.strip()[:-1].rstrip().encode())
    return None if value is None else value / 100


def _size(limit: str | float, spec: MeasureSpec, origin: str, example: str) -> float:
    """The limit of a drop: not negative, and less than the measure can fall."""
    value = _number(limit, origin, example)
    if value < 0:
        _refuse(origin, f"a drop of {_shown(limit)}: a limit is 0 or more", example)
    low, high = _range(spec)
    if low is not None and high is not None and value >= high - low:
        reason = f"{spec.name} {_range_text(low, high)} and never falls by more than {_shown(limit)}"
        _refuse(origin, reason + (f"; did you mean {_shown(limit)}%?" if 1 <= value < 100 else ""), example)
    return value


def _range(spec: MeasureSpec) -> tuple[float | None, float | None]:
    """The range of the aggregate, as far as the record knows it: of a mean, with usual parameters."""
    record = spec.measure
    kept = {record.at, "rel"}
    usual = all(
        value == param.default
        for param, value in zip(record.parameters, spec.values, strict=True)
        if param.name not in kept
    )
    if not usual or spec.bound is not None or record.aggregation not in {"mean", "geometric"}:
        return None, None
    return record.low, record.high


def _range_text(low: float | None, high: float | None) -> str:
    if high is None:
        return f"is never below {low:g}"
    return f"is never above {high:g}" if low is None else f"lies between {low:g} and {high:g}"


def _shown(limit: str | float) -> str:
    """The limit as it was written; a number in as few digits as it needs. Zero has no sign."""
    text = limit.strip() if isinstance(limit, str) else repr(float(limit)).removesuffix(".0")
    return text.removeprefix("-") if not text.strip("-0.% ") else text
