"""NTCIR's graded measures, built on the blended ratio of precision and cumulated gain: Q, O, PMeasure, PPlus, NCU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from irevalcli.errors import UsageProblem
from irevalcli.measures.arithmetic import powers, ratio, running_sums, sums
from irevalcli.measures.examples import query_101
from irevalcli.measures.gains import GainRule, gained
from irevalcli.measures.graded import GAIN, GAINS, LOWEST
from irevalcli.measures.registry import OPTIONAL_CUTOFF, Equivalent, Example, Param, measure

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking
    from irevalcli.measures.gains import Gained
    from irevalcli.reading.arrays import Bools, Floats, Positions


class Blended:
    """The hits with a positive gain, which are the relevant ones here, and the blended ratio at their ranks.

    Attributes:
        num_queries: number of queries.
        query: per relevant hit, the index of its query.
        rank: per relevant hit, from 1.
        gain: per relevant hit, float64.
        count: per relevant hit, how many relevant documents stand at its rank or above.
        ratio: per relevant hit, (C + β · cg)/(rank + β · cg*): C the count, cg the gains down to the rank, cg* those
            that an ideal ranking has there.
        num_relevant: per query, how many relevant documents the qrels have.
    """

    def __init__(self, gains: Gained, beta: float) -> None:
        relevant = gains.gain > 0
        self.num_queries = gains.num_queries
        self.query, self.rank, self.gain = gains.query[relevant], gains.rank[relevant], gains.gain[relevant]
        self.num_relevant = gains.ideal_total
        self.count = np.arange(self.query.size) - np.searchsorted(self.query, self.query) + 1
        found = running_sums(gains.gain, gains.offsets)[relevant]
        ideal = gains.ideal_at(running_sums(gains.ideal_gain, gains.ideal_offsets), self.query, self.rank)
        self.ratio: Floats = (self.count + beta * found) / (self.rank + beta * ideal)

    def total(self, values: Floats, chosen: Bools | slice = slice(None)) -> Floats:
        """Per query, the sum in rank order of `values`, one for each relevant hit, over the chosen ones."""
        return sums(self.query[chosen], values[chosen], self.num_queries)

    def preferred(self) -> Positions:
        """Per query, the place of its first hit of highest gain among all hits; their number if it has none."""
        highest = np.zeros(self.num_queries)
        np.maximum.at(highest, self.query, self.gain)
        best = np.flatnonzero(self.gain == highest[self.query])
        place = np.full(self.num_queries, self.query.size)
        np.minimum.at(place, self.query[best], best)
        return place


def _blended(ranking: Ranking, beta: float, rule: dict[str, Any]) -> Blended:
    gain_rule = GainRule(**rule)
    key = ("blended", beta, *gain_rule.key)
    if key not in ranking.views:
        ranking.views[key] = Blended(gained(ranking, gain_rule), beta)
    view: Blended = ranking.views[key]
    return view


BETA = Param("beta", "float", 1, "patience β: weight of the cumulated gain against precision", low=0)
_GAIN_PARAMETERS = (GAIN, GAINS, LOWEST)
_LETTERS = (
    "BR(i) = (C(i) + β · cg(i))/(i + β · cg*(i)); C(i) = relevant documents down to rank i, cg, cg* = gains down to "
    "there in the ranking and in an ideal one"
)
_RELEVANT = "Relevant is what has a positive gain, by default every grade above 0."


@measure(
    "Q",
    title="Q-measure",
    summary="Average precision for graded relevance: the blended ratio in the place of precision.",
    formula=(
        f"(1/R) · Σ over relevant ranks i of BR(i), with a cutoff (1/min(R, k)) · Σ over those ≤ k; {_LETTERS}, "
        "R = relevant documents in the qrels"
    ),
    parameters=(OPTIONAL_CUTOFF, BETA, *_GAIN_PARAMETERS),
    at="cutoff",
    reference="sakai2007reliability",
    examples=(
        query_101("Q", ".459921", "NTCIREVAL"),
        query_101("Q@5", ".418571", "NTCIREVAL"),
        Example("Q", "3 2 1", "", "1", "by definition: an ideal ranking"),
    ),
    equivalents=(Equivalent("NTCIREVAL", "Q-measure"), Equivalent("NTCIREVAL", "Q@k")),
    aliases=("Q-measure", "QMeasure"),
    note=f"With beta=0 it is average precision, with denom=min if there is a cutoff. {_RELEVANT}",
)
def q_measure(ranking: Ranking, *, cutoff: int | None = None, beta: float = 1, **rule: Any) -> Floats:  # noqa: ANN401
    """Per query, the mean over its relevant documents (or as many as the cutoff lets in) of the blended ratio."""
    hits = _blended(ranking, beta, rule)
    if cutoff is None:
        return ratio(hits.total(hits.ratio), hits.num_relevant)
    return ratio(hits.total(hits.ratio, hits.rank <= cutoff), np.minimum(hits.num_relevant, cutoff))


@measure(
    "O",
    title="O-measure",
    summary="Reciprocal rank for graded relevance: the blended ratio at the first relevant document.",
    formula=f"BR(i) at the first relevant rank i, 0 if there is none; {_LETTERS}",
    parameters=(BETA, *_GAIN_PARAMETERS),
    reference="sakai2007one",
    examples=(query_101("O", ".75", "NTCIREVAL: (1 + 2)/(1 + 3)"),),
    equivalents=(Equivalent("NTCIREVAL", "O-measure"),),
    aliases=("O-measure", "OMeasure"),
    note=f"With beta=0 it is reciprocal rank. {_RELEVANT}",
)
def o_measure(ranking: Ranking, *, beta: float = 1, **rule: Any) -> Floats:  # noqa: ANN401
    """Per query, the blended ratio at its first relevant document."""
    hits = _blended(ranking, beta, rule)
    return hits.total(hits.ratio, hits.count == 1)


_PREFERRED = "the preferred rank, the first that has the highest gain in the ranking"
_P_PLUS = "sakai2007late"


@measure(
    "PMeasure",
    title="P-measure",
    summary="How early the best document found comes: the blended ratio at its rank.",
    formula=f"BR(i) at {_PREFERRED}, 0 if there is none; {_LETTERS}",
    parameters=(BETA, *_GAIN_PARAMETERS),
    reference=_P_PLUS,
    examples=(query_101("PMeasure", ".7", "NTCIREVAL P-measure: (2 + 5)/(3 + 7)"),),
    equivalents=(Equivalent("NTCIREVAL", "P-measure"),),
    aliases=("P-measure",),
    note=f"For users who look for the best document only. The best one is the best retrieved. {_RELEVANT}",
)
def p_measure(ranking: Ranking, *, beta: float = 1, **rule: Any) -> Floats:  # noqa: ANN401
    """Per query, the blended ratio at the first document of the highest gain that the ranking has."""
    hits = _blended(ranking, beta, rule)
    return hits.total(hits.ratio, np.arange(hits.query.size) == hits.preferred()[hits.query])


@measure(
    "PPlus",
    title="P-plus",
    summary="Like P-measure, but the relevant documents above the best one count too.",
    formula=f"mean of BR(i) over the relevant ranks down to {_PREFERRED}, 0 if there is none; {_LETTERS}",
    parameters=(BETA, *_GAIN_PARAMETERS),
    reference=_P_PLUS,
    examples=(query_101("PPlus", ".725", "NTCIREVAL P-plus: (.75 + .7)/2"),),
    equivalents=(Equivalent("NTCIREVAL", "P-plus"),),
    aliases=("P-plus",),
    note=f"P-measure looks at the last of these ranks only. {_RELEVANT}",
)
def p_plus(ranking: Ranking, *, beta: float = 1, **rule: Any) -> Floats:  # noqa: ANN401
    """Per query, the mean blended ratio over its relevant documents down to the first of the highest gain."""
    hits = _blended(ranking, beta, rule)
    read = np.arange(hits.query.size) <= hits.preferred()[hits.query]
    return ratio(hits.total(hits.ratio, read), np.bincount(hits.query[read], minlength=hits.num_queries))


GAMMA = Param("gamma", "float", 0.95, "γ of stop=rb: chance to go on after each relevant document", low=0, high=1)


@measure(
    "NCU",
    title="normalized cumulative utility",
    summary="The expected utility at the relevant document at which a user stops, over a population of such users.",
    formula=(
        "Σ over relevant ranks i of s(i) · u(i); s(i) = g_i ÷ Σ gains of the qrels (stop=gu), or γ^(C(i) − 1) ÷ "
        f"Σ_(j<R) γ^j (stop=rb); u(i) = C(i)/i (utility=P) or BR(i); {_LETTERS}, R = relevant documents in the qrels"
    ),
    parameters=(
        Param(
            "stop",
            "str",
            "gu",
            "chance to stop at a relevant document: by its gain (graded-uniform), or falling with each (rank-biased)",
            choices=("gu", "rb"),
        ),
        Param("utility", "str", "P", "utility at a rank: precision, or the blended ratio", choices=("P", "BR")),
        BETA._replace(meaning=f"{BETA.meaning}, with utility=BR"),
        GAMMA,
        *_GAIN_PARAMETERS,
    ),
    reference="sakai2008",
    examples=(
        query_101("NCU", ".56", "NTCIREVAL NCUguP"),
        query_101("NCU(utility=BR)", ".557619", "NTCIREVAL NCUguBR"),
        query_101("NCU(stop=rb)", ".491401", "NTCIREVAL NCUrbP"),
        query_101("NCU(stop=rb,utility=BR)", ".484463", "NTCIREVAL NCUrbBR"),
    ),
    equivalents=(
        Equivalent("NTCIREVAL", "NCUguP"),
        Equivalent("NTCIREVAL", "NCUguBR, for utility=BR"),
        Equivalent("NTCIREVAL", "NCUrbP, for stop=rb"),
        Equivalent("NTCIREVAL", "NCUrbBR, for stop=rb and utility=BR"),
    ),
    note=(
        "With equal chances to stop at every relevant document it would be AP (utility=P) or Q (utility=BR). beta is "
        f"refused with utility=P and gamma with stop=gu, where they would do nothing. {_RELEVANT}"
    ),
)
def normalized_cumulative_utility(
    ranking: Ranking,
    *,
    stop: str = "gu",
    utility: str = "P",
    beta: float = 1,
    gamma: float = 0.95,
    **rule: Any,  # noqa: ANN401
) -> Floats:
    """Per query, the utility expected at the rank at which the user stops.

    Raises:
        UsageProblem: a parameter was set that does nothing with this `stop` or `utility`.
    """
    if utility == "P" and beta != BETA.default:
        raise UsageProblem("NCU: beta means nothing with utility=P, it belongs to utility=BR")
    if stop == "gu" and gamma != GAMMA.default:
        raise UsageProblem("NCU: gamma means nothing with stop=gu, it belongs to stop=rb")
    hits = _blended(ranking, beta, rule)
    worth = hits.ratio if utility == "BR" else hits.count / hits.rank
    if stop == "gu":
        gains = gained(ranking, GainRule(**rule))
        return ratio(hits.total(hits.gain * worth), gains.ideal_sum(gains.ideal_gain))
    weights = powers(gamma, int(hits.num_relevant.max(initial=0)))
    all_weights = np.append(0.0, np.add.accumulate(weights))
    return ratio(hits.total(weights[hits.count - 1] * worth), all_weights[hits.num_relevant])
