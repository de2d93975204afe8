"""Graded average precision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from irevalcli.measures.arithmetic import ratio
from irevalcli.measures.examples import query_101
from irevalcli.measures.gains import GainRule, gained
from irevalcli.measures.graded import GAIN, GAINS, LOWEST
from irevalcli.measures.registry import Example, measure

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Floats, Positions


def shared_gains(query: Positions, gain: Floats) -> Floats:
    """Per hit, the sum over itself and the hits above of the smaller one of the two gains.

    The sum over pairs would cost the square of the hits. A gain is the sum of its steps over the next lower gain of the
    query, and a pair shares the steps that both have: so one pass for each step counts the hits that have it.

    Args:
        query: per hit, the index of its query, in order of query, then rank.
        gain: per hit, positive.
    """
    order = np.lexsort((gain, query))
    ordered_query, ordered_gain = query[order], gain[order]
    first = np.ones(order.size, np.bool_)
    first[1:] = ordered_query[1:] != ordered_query[:-1]
    new = first.copy()
    new[1:] |= ordered_gain[1:] != ordered_gain[:-1]
    group = np.cumsum(new) - 1
    lowest, heads = first[new], ordered_gain[new]
    step = heads.copy()
    step[1:] -= np.where(lowest[1:], 0.0, heads[:-1])
    hit_group = np.empty_like(order)
    hit_group[order] = group
    lowest_group = np.flatnonzero(lowest)[np.cumsum(lowest) - 1][hit_group]
    shared = np.zeros(gain.size)
    hits, level = np.arange(gain.size), 0
    while hits.size:
        position = np.arange(hits.size) - np.searchsorted(query[hits], query[hits]) + 1
        shared[hits] += step[lowest_group[hits] + level] * position
        level += 1
        hits = hits[lowest_group[hits] + level <= hit_group[hits]]
    return shared


@measure(
    "GAP",
    title="graded average precision",
    summary="Average precision for users of whom each calls relevant what reaches a grade of his own.",
    formula=(
        "Σ over ranks i of (1/i) · Σ_{j≤i} min(v(g_i), v(g_j)) ÷ Σ over the qrels of v(g); v(c) = share of users "
        "whose lowest relevant grade is c or less, by default in proportion to c"
    ),
    parameters=(GAIN, GAINS, LOWEST),
    reference="robertson2010",
    examples=(
        query_101("GAP", ".514167", "by the formula: (2 + 5/3 + 3/5 + 7/8)/10"),
        Example("GAP", "3 2 1", "", "1", "by definition: an ideal ranking"),
        Example("GAP", "1 0 1 0 1", "", "0.7556", "textbook: with one grade it is AP"),
    ),
    note=(
        "Linear gains are the paper's equal shares of users at every grade, other shares are written as a map of their "
        "running sums: gains={1:0.5,2:0.8,3:1}. Only ratios of gains matter. pyNTCIREVAL takes --gap and computes "
        "nothing."
    ),
)
def graded_average_precision(ranking: Ranking, **rule: Any) -> Floats:  # noqa: ANN401
    """Per query, the precision at its relevant documents that a user is expected to see, as a share of the highest."""
    gains = gained(ranking, GainRule(**rule))
    positive = gains.gain > 0
    terms = np.zeros(gains.gain.size)
    terms[positive] = shared_gains(gains.query[positive], gains.gain[positive]) / gains.rank[positive]
    return ratio(gains.total(terms), gains.ideal_sum(gains.ideal_gain))
