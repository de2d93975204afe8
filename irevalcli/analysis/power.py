"""What the queries of a comparison can show, and how many queries a difference would need."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.stats.paired import effect_size
from irevalcli.stats.power import Detectable, Needed, detectable, queries_for_t
from irevalcli.stats.sample import deviation, mean, paired, spread_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.analysis.policy import Asked
    from irevalcli.analysis.scores import Evaluation
    from irevalcli.measures.registry import MeasureSpec


class PowerAnswer(NamedTuple):
    """One measure of two runs.

    Attributes:
        spec: the measure.
        given: as the user spelt it.
        queries: number of paired queries that the deviation comes from.
        difference: mean of second − first.
        deviation: standard deviation of the differences.
        effect: d_z of what was seen.
        detectable: what so many queries show, or None if the number of queries was asked for.
        needed: how many queries the effect needs, or None if it was not asked for.
    """

    spec: MeasureSpec
    given: str
    queries: int
    difference: float
    deviation: float
    effect: float | None
    detectable: Detectable | None
    needed: Needed | None


def power_of(
    evaluation: Evaluation,
    measures: Sequence[Asked],
    *,
    effect: float | None,
    queries: int | None,
    alpha: float,
    power: float,
) -> list[PowerAnswer]:
    """For every measure, the answer from the spread of the differences between two runs.

    Args:
        evaluation: of the two runs.
        measures: the first columns of each.
        effect: a true difference, for the number of queries that it needs.
        queries: a number of queries, for the difference that they show; without both, that of the evaluation.
        alpha: error rate of the two-sided paired t-test.
        power: the chance of finding the difference.

    Raises:
        UsageProblem: a measure has no number for every query, or the power is not above alpha.
        InputProblem: fewer than two queries in common, or differences that don't vary.
    """
    if power <= alpha:
        raise UsageProblem(f"--power {power:g}: must be above --alpha, {alpha:g}")
    first, second = evaluation.runs
    shared = sorted(set(first.qids) & set(second.qids))
    answers = []
    for place, asked in enumerate(measures):
        spec = first.columns[place].spec
        if spec.measure.kind != "per_query":
            raise UsageProblem(f"{spec.name} has no number for every query")
        values = [dict(zip(run.qids, map(float, run.columns[place].values), strict=True)) for run in (first, second)]
        row = paired([values[1][qid] for qid in shared], [values[0][qid] for qid in shared]) if shared else None
        if row is None or row.size < 2 or spread_of(row) != "varied":
            raise InputProblem(
                f"{spec.name}: the differences between {first.label} and {second.label} have no spread to plan by"
            )
        spread = deviation(row)
        answers.append(
            PowerAnswer(
                spec,
                asked.given,
                row.size,
                mean(row),
                spread,
                effect_size(row),
                detectable(queries or row.size, spread, alpha, power) if effect is None else None,
                None if effect is None else queries_for_t(effect, spread, alpha, power),
            )
        )
    return answers
