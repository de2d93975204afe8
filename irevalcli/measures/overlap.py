"""Overlap of a ranking with an ideal one: Compat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.measures.arithmetic import powers, ratio, sums
from irevalcli.measures.examples import query_101
from irevalcli.measures.registry import Equivalent, Example, Param, measure

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Floats, Positions


def ideal_positions(ranking: Ranking) -> tuple[Positions, Positions]:
    """The rank in an ideal ranking of each hit, from 1, and per query how many documents that ranking holds.

    It holds the judged documents with a positive grade, highest grade first; within a grade those that were retrieved,
    in the order of the run, before the others. Hits without a positive grade have position 0.
    """
    judgments = ranking.judgments
    gaining = np.flatnonzero(ranking.grade > 0)
    retrieved_at = np.full(judgments.query.size, np.iinfo(np.int64).max)
    retrieved_at[ranking.listed[gaining]] = ranking.rank[gaining]
    ideal = np.flatnonzero(judgments.grade > 0)
    ideal = ideal[np.lexsort((retrieved_at[ideal], -judgments.grade[ideal], judgments.query[ideal]))]
    size = np.bincount(judgments.query[ideal], minlength=ranking.num_queries)
    start = np.cumsum(size) - size
    place = np.zeros(judgments.query.size, np.int64)
    place[ideal] = np.arange(ideal.size) - start[judgments.query[ideal]] + 1
    position = np.zeros(ranking.rank.size, np.int64)
    position[gaining] = place[ranking.listed[gaining]]
    return position, size


class DepthWeights:
    """What the depths of two rankings weigh, down to the end of the longer one.

    Args:
        retrieved: per query, how many documents the one ranking has.
        size: per query, how many the other has.
        p: persistence.
    """

    def __init__(self, retrieved: Positions, size: Positions, p: float) -> None:
        self._depth = np.maximum(retrieved, size)
        self._power = powers(p, int(self._depth.max(initial=0)))
        each = self._power / np.arange(1, self._power.size + 1)
        self._from = np.append(np.add.accumulate(each[::-1])[::-1], 0.0)

    def below(self, query: Positions, depth: Positions) -> Floats:
        """Σ p^(k - 1)/k over the depths k of `query` from `depth` to the end, for each pair of the two."""
        weights: Floats = self._from[depth - 1] - self._from[self._depth[query]]
        return weights

    @property
    def total(self) -> Floats:
        """Per query, Σ p^(k - 1) over all depths k."""
        total: Floats = np.append(0.0, np.add.accumulate(self._power))[self._depth]
        return total


@measure(
    "Compat",
    title="compatibility",
    summary="Rank-biased overlap of the ranking with an ideal one, as a share of the highest possible.",
    formula=(
        "RBO(run, ideal)/RBO(ideal, ideal), RBO(A, B) = Σ_(k≤D) p^(k − 1) · |A_k ∩ B_k|/k ÷ Σ_(k≤D) p^(k − 1); "
        "A_k = first k documents, D = length of the longer one; with normalize=False RBO(run, ideal)"
    ),
    parameters=(
        Param("p", "float", 0.95, "persistence: chance to go on to the next rank", low=0, high=1),
        Param("normalize", "bool", default=True, meaning="divide by the overlap of the ideal ranking with itself"),
    ),
    reference="clarke2021",
    examples=(
        query_101("Compat", ".4939", "ir_measures"),
        query_101("Compat(p=0.8)", ".4310", "ir_measures"),
        query_101("Compat(p=0.8,normalize=False)", ".4118", "ir_measures"),
        Example("Compat", "3 2 1", "", "1", "by definition: an ideal ranking"),
    ),
    equivalents=(Equivalent("ir_measures", "Compat"), Equivalent("ir_measures", "Compat(p=0.8)")),
    aliases=("Compatibility",),
    note=(
        "The ideal ranking holds the documents with a positive grade, best first; of equal grades those that were "
        "retrieved come first, in the order of the run. ir_measures orders tied scores by docid the other way round, "
        "puts tied documents of one grade into its ideal in the order of the qrels, and takes what was not retrieved "
        "for retrieved with a score of 0."
    ),
)
def compatibility(ranking: Ranking, *, p: float = 0.95, normalize: bool = True) -> Floats:
    """Per query, the rank-biased overlap of its ranking with an ideal one.

    A document adds p^(k - 1)/k at every depth k that both rankings have reached it: from the larger of its two ranks
    to the end.
    """
    position, size = ideal_positions(ranking)
    weights = DepthWeights(ranking.retrieved, size, p)

    def overlap(query: Positions, both_from: Positions) -> Floats:
        return sums(query, weights.below(query, both_from), ranking.num_queries)

    hits = np.flatnonzero(position)
    found = overlap(ranking.query[hits], np.maximum(ranking.rank[hits], position[hits]))
    if not normalize:
        return ratio(found, weights.total)
    query = np.repeat(np.arange(ranking.num_queries), size)
    return ratio(found, overlap(query, np.arange(query.size) - (np.cumsum(size) - size)[query] + 1))
