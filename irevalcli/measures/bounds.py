"""What a measure could at most be, if the documents that nobody judged were as good as documents can be.

Only ``bound=`` needs this, so it stands beside the records. The lower bound is the measure itself, to which an unjudged
document gains nothing. The upper one is its value after every rank that no judged document holds has been given the
highest gain, in the list and beyond its end. Measures have bounds if further gain never lowers them, and what they are
divided by does not depend on the judgments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from irevalcli.errors import UsageProblem
from irevalcli.index.filled import filled
from irevalcli.measures import binary, cascade, cwl_adaptive, cwl_nerr, cwl_static, graded, rbp, recommender, sdcg
from irevalcli.measures.arithmetic import powers
from irevalcli.measures.families import all_measures
from irevalcli.measures.gains import GainRule

if TYPE_CHECKING:
    from collections.abc import Callable

    from irevalcli.index.ranking import Ranking
    from irevalcli.measures.registry import Compute, Measure, MeasureSpec
    from irevalcli.reading.arrays import Floats

    Best = Callable[[Ranking, dict[str, Any]], float]


def _relevant(ranking: Ranking, parameters: dict[str, Any]) -> float:
    del ranking
    level: float = parameters["rel"]
    return level


def _highest_gain(ranking: Ranking, parameters: dict[str, Any]) -> float:
    """The grade that gains most, of those that the qrels or the map of gains know."""
    rule = GainRule(parameters["gain"], parameters["gains"], parameters["rel"])
    grades = np.unique(np.append(ranking.judgments.grade, list(rule.gains or ())))
    grades = grades[grades >= 0] if (grades >= 0).any() else np.zeros(1)
    return float(grades[np.argmax(rule.of(grades))])


def _max_rel(ranking: Ranking, parameters: dict[str, Any]) -> float:
    """The highest grade possible, which the parameters then name."""
    if parameters["max_rel"] is None:
        parameters["max_rel"] = float(ranking.judgments.grade.max(initial=0.0)) or 1.0
    highest: float = parameters["max_rel"]
    return highest


_BEST: dict[Callable[..., object], Best] = {
    binary.precision_at: _relevant,
    binary.success_at: _relevant,
    binary.reciprocal_rank: _relevant,
    recommender.hits_at: _relevant,
    graded.cumulated_gain: _highest_gain,
    graded.discounted_gain: _highest_gain,
    sdcg.scaled_discounted_gain: _max_rel,
    cascade.expected_reciprocal_rank: _max_rel,
    cascade.intentwise_rank_biased_utility: _max_rel,
    cwl_static.graded_precision: _max_rel,
    cwl_static.persistent_user: _max_rel,
    cwl_static.scaled_dcg: _max_rel,
    cwl_static.insq: _max_rel,
    cwl_static.net_present_value: _max_rel,
    cwl_static.search_economic_metric: _max_rel,
    cwl_static.u_measure: _max_rel,
    cwl_static.time_biased_gain: _max_rel,
    cwl_adaptive.inst: _max_rel,
    cwl_nerr.nearly_err_cut: _max_rel,
    cwl_nerr.nearly_err_reciprocal: _max_rel,
    cwl_nerr.nearly_err_persistent: _max_rel,
    cwl_nerr.nearly_err_goal: _max_rel,
}

_WITHOUT_CUTOFF = {binary.reciprocal_rank, rbp.rank_biased_precision}
"""The measures that have bounds also for a list without end."""


DEEPEST = 1_000_000
"""The rank down to which bounds are worked out: every rank of a query is looked at, also beyond its list."""


def has_bounds(measure: Measure) -> bool:
    """Whether the measure has bounds, at least with some parameters."""
    return measure.compute in _BEST or measure.compute == rbp.rank_biased_precision


def _why_unbounded(measure: Measure, parameters: dict[str, Any]) -> str:
    """Why there are no bounds of the measure with these parameters, as a clause, or "" if there are."""
    if not has_bounds(measure):
        return (
            "no bounds are known: what it is divided by depends on the judgments, or documents that turn out to be "
            "relevant may lower it"
        )
    if parameters.get("report", "EU") not in {"EU", "ETU"}:
        return f"bound= is for report=EU and report=ETU, not {parameters['report']}"
    if parameters.get("cutoff", 0) is None and "depth" not in parameters and measure.compute not in _WITHOUT_CUTOFF:
        return f"bound= needs a cutoff, such as {measure.name}(bound=high)@10: the list might go on without end"
    if measure.compute != rbp.rank_biased_precision and (_last_rank(parameters) or 0) > DEEPEST:
        return f"bound= is worked out rank by rank, and goes down to rank {DEEPEST} at most"
    return ""


def _last_rank(parameters: dict[str, Any]) -> int | None:
    """Down to where the measure looks, as its parameters say."""
    ranks = (parameters.get("cutoff"), parameters.get("depth"))
    return min((rank for rank in ranks if rank is not None), default=None)


def check_bound(spec: MeasureSpec) -> None:
    """Nothing, if the measure has bounds.

    Raises:
        UsageProblem: it has none, with these parameters at least.
    """
    reason = _why_unbounded(spec.measure, spec.parameters)
    if reason:
        raise UsageProblem(f"{spec.measure.name}: {reason}", hints=_hints(spec.measure))


def bound(spec: MeasureSpec, ranking: Ranking) -> Floats:
    """Per query, the bound that `spec` names.

    Raises:
        UsageProblem: there is none.
    """
    check_bound(spec)
    low = np.asarray(spec.measure.compute(ranking, **spec.parameters))
    if spec.bound == "low":
        return low
    high = _highest(spec.measure.compute, ranking, spec.parameters)
    return high - low if spec.bound == "width" else high


def _hints(measure: Measure) -> tuple[str, ...]:
    if has_bounds(measure):
        return ()
    names = [record.name for record in all_measures().values() if has_bounds(record)]
    return (f"bound= is for {', '.join(names)}",)


def _highest(compute: Compute, ranking: Ranking, parameters: dict[str, Any]) -> Floats:
    """Per query, the upper bound of a measure that has one."""
    if compute == rbp.rank_biased_precision:
        return _highest_rbp(ranking, **parameters)
    parameters = dict(parameters)
    grade = _BEST[compute](ranking, parameters)
    depth = _last_rank(parameters) or int(ranking.retrieved.max(initial=0)) + 1
    return np.concatenate([np.asarray(compute(part, **parameters)) for part in filled(ranking, grade, depth)])


def _highest_rbp(ranking: Ranking, *, cutoff: int | None, p: float, gain: str, **others: Any) -> Floats:  # noqa: ANN401
    low = rbp.rank_biased_precision(ranking, cutoff=cutoff, p=p, gain=gain, **others)
    unit = float(ranking.judgments.grade.max(initial=0.0)) if gain == "raw" else 1.0
    if cutoff is None:
        return low + unit * rbp.rbp_residual(ranking, p)
    shown = ranking.truncated(cutoff)
    unshown = powers(p, int(shown.retrieved.max(initial=0)) + 1)[shown.retrieved]
    beyond = np.where(shown.retrieved < cutoff, unshown - p**cutoff, 0.0)
    return low + unit * (rbp.rbp_residual(shown, p) - unshown + beyond)
