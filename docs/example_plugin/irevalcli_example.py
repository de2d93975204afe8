"""Two measures for irevalcli: HighShare for all queries at once, FirstGap for one query at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.plugins import CUTOFF, REL, Example, Param, measure, per_query_measure, ratio

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from irevalcli.plugins import QueryView, Ranking


@measure(
    "HighShare",
    title="share of highly relevant documents among the relevant ones",
    summary="How many of the relevant documents in the first k are highly relevant.",
    formula="highly relevant documents in the first k / relevant documents in the first k; 0 if there are none",
    parameters=(CUTOFF, REL, Param("high", "float", 2, "lowest grade that is highly relevant", low=0)),
    at="cutoff",
    monotone=False,
    reference="The irevalcli developers, An example of a plugin, 2025",
    examples=(
        Example("HighShare@5", "2 0 3 - 1", "1", "0.6667", "by hand: 2 of 3"),
        Example("HighShare(high=3)@5", "2 0 3 - 1", "1", "0.3333", "by hand: 1 of 3"),
    ),
    note="It says nothing about how many relevant documents there are; look at P, too.",
)
def high_share(ranking: Ranking, *, cutoff: int, rel: float = 1, high: float = 2) -> NDArray[np.float64]:
    """Per query, highly relevant documents by relevant documents in the first `cutoff`."""
    return ratio(
        ranking.relevant(max(rel, high)).total_at(cutoff),
        ranking.relevant(rel).total_at(cutoff),
    )


@per_query_measure(
    "FirstGap",
    title="documents before the first relevant one",
    summary="How many documents a reader skips before the first relevant one.",
    formula="r - 1, r = the rank of the first relevant document; without one, the number of documents retrieved",
    parameters=(REL,),
    high=None,
    higher_is_better=False,
    monotone=False,
    no_relevant=None,
    reference="The irevalcli developers, An example of a plugin, 2025",
    examples=(Example("FirstGap", "0 - 2 1", "", "2", "by hand"),),
    aliases=("first_gap",),
    note="A query that the run lacks has 0, the best value: use it with --missing skip.",
)
def first_gap(query: QueryView, *, rel: float = 1) -> float:
    """The number of documents above the first relevant one."""
    ranks = query.relevant_ranks(rel)
    return ranks[0] - 1 if ranks else query.num_retrieved
