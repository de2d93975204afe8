"""Preference measures: how many of the preferences that the judgments state the ranking fulfils."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from irevalcli.measures.arithmetic import ratio
from irevalcli.measures.registry import Equivalent, Example, measure

if TYPE_CHECKING:
    from collections.abc import Callable

    from irevalcli.index.ranking import Ranking
    from irevalcli.measures.registry import Compute
    from irevalcli.reading.arrays import Floats, Positions

# One list for each group, all over the same documents; "-" for one that the group does not judge.
RANKING = "2 0 3 - - - - - - - | 1 2 - - - - - - - -"
UNRETRIEVED = "1 - | - 0"

REFERENCE = ("trec_eval (-R prefs)", "carterette2008")
STATED = (
    "within one sub-group of a group, a document is preferred to every one with a lower level; several sub-groups also "
    "state what follows from their preferences (transitive closure)"
)
FULFILLED = "a preference is fulfilled if the preferred document is ranked above the other, which may be unretrieved"
NOTE = (
    "A preference between two unretrieved documents is possible, never fulfilled. Judgments repeated within a "
    "sub-group count each time. Relevance levels and judged-only rankings play no part."
)
RET_NOTE = "Only preferences between two retrieved documents count: a short ranking can score high."
IMP_NOTE = "Preferences between two unretrieved documents are left out, all others count."
AVERAGE_NOTE = "The mean is over all groups of the query; a group without a preference to count has 0."
PAIR_NOTE = "Several groups may disagree about a pair: its score is the share of them that the ranking satisfies."
CAP_NOTE = (
    "The number N of non-relevant documents of a group is made equal to the number R of relevant ones. As in "
    "trec_eval: if N > R and the group has one sub-group, the first R documents of its lowest level are held against "
    "every document, those of the lowest level and themselves included; a query with a group that has no preference to "
    "count scores 0."
)


def _preference(name: str, value: str, **record: Any) -> Callable[[Compute], Compute]:  # noqa: ANN401
    """Registers a preference measure: what all of them have in common, and one worked example."""
    return measure(
        name,
        needs="preferences",
        no_relevant=None,
        monotone=False,
        reference=REFERENCE,
        examples=(Example(name, RANKING, UNRETRIEVED, value, "trec_eval 10 -R prefs"),),
        equivalents=(Equivalent("trec_eval", name),),
        **record,
    )


@_preference(
    "prefs_num_prefs_poss",
    "9",
    title="number of preferences",
    summary="How many preferences the judgments state.",
    formula=f"number of preferences of all groups; {STATED}",
    high=None,
    higher_is_better=None,
    integer=True,
    aggregation="sum",
    note=NOTE,
)
def num_possible(ranking: Ranking) -> Floats:
    """Per query, the number of preferences stated."""
    preferences = ranking.preferences
    return preferences.total(preferences.counts.possible).astype(np.float64)


@_preference(
    "prefs_num_prefs_ful",
    "5",
    title="number of preferences fulfilled",
    summary="How many preferences the ranking fulfils.",
    formula=f"number of fulfilled preferences of all groups; {FULFILLED}",
    high=None,
    integer=True,
    aggregation="sum",
    note=NOTE,
)
def num_fulfilled(ranking: Ranking) -> Floats:
    """Per query, the number of preferences fulfilled."""
    preferences = ranking.preferences
    return preferences.total(preferences.counts.fulfilled).astype(np.float64)


@_preference(
    "prefs_num_prefs_ful_ret",
    "1",
    title="number of preferences fulfilled, both documents retrieved",
    summary="How many preferences between retrieved documents the ranking fulfils.",
    formula="number of preferences of all groups whose documents are both retrieved, the preferred one above the other",
    high=None,
    integer=True,
    aggregation="sum",
    note=RET_NOTE,
)
def num_fulfilled_retrieved(ranking: Ranking) -> Floats:
    """Per query, the number of preferences fulfilled between retrieved documents."""
    preferences = ranking.preferences
    return preferences.total(preferences.counts.fulfilled_retrieved).astype(np.float64)


@_preference(
    "prefs_simp",
    ".5556",
    title="share of preferences fulfilled",
    summary="The share of all preferences that the ranking fulfils.",
    formula=f"fulfilled / stated, over all groups together; {FULFILLED}",
    note=NOTE,
)
def simple(ranking: Ranking) -> Floats:
    """Per query, preferences fulfilled by preferences stated."""
    counts = ranking.preferences.counts
    return _of_all(ranking, counts.fulfilled, counts.possible)


@_preference(
    "prefs_pair",
    ".5625",
    title="agreement by document pair",
    summary="How far the ranking agrees with the groups, every pair of documents counting once.",
    formula=(
        "mean over pairs of documents {a, b}, a ranked above b, with w(a,b) + w(b,a) > 0, of w(a,b) / (w(a,b) + w(b,a))"
        "; w(a,b) = groups that prefer a to b; 0 for a pair of two unretrieved documents"
    ),
    note=PAIR_NOTE,
)
def pair(ranking: Ranking) -> Floats:
    """Per query, the mean score of its document pairs."""
    pairs = ranking.preferences.pairs
    return ratio(pairs.score, pairs.retrieved + pairs.implied + pairs.unretrieved)


@_preference(
    "prefs_avgjg",
    ".5833",
    title="share of preferences fulfilled, mean over judgment groups",
    summary="The share of its preferences that the ranking fulfils, every group counting the same.",
    formula=f"mean over groups of fulfilled / stated; {FULFILLED}",
    note=AVERAGE_NOTE,
)
def average(ranking: Ranking) -> Floats:
    """Per query, the mean over its groups of preferences fulfilled by preferences stated."""
    counts = ranking.preferences.counts
    return ranking.preferences.group_mean(ratio(counts.fulfilled, counts.possible))


@_preference(
    "prefs_avgjg_Rnonrel",
    ".6917",
    title="share of preferences fulfilled with R non-relevant documents, mean over judgment groups",
    summary="As prefs_avgjg, but the number of non-relevant documents judged has no influence.",
    formula=(
        "mean over groups, R and N = documents with a level above 0 and others: if R >= N, "
        "(fulfilled + (retrieved of R)·(R−N)) / (stated + R·(R−N)); else fulfilled / stated, counted with the first R "
        "of the N non-relevant documents only"
    ),
    note=CAP_NOTE,
)
def average_capped(ranking: Ranking) -> Floats:
    """Per query, the mean over its groups of the share fulfilled when N is made equal to R."""
    counts = ranking.preferences.counts
    missing = counts.relevant - counts.nonrelevant
    return _mean_if_all_count(
        ranking,
        np.where(missing >= 0, counts.fulfilled + counts.relevant_retrieved * missing, counts.capped_fulfilled),
        np.where(missing >= 0, counts.possible + counts.relevant * missing, counts.capped_possible),
    )


@_preference(
    "prefs_simp_ret",
    ".25",
    title="share of preferences fulfilled, both documents retrieved",
    summary="The share of the preferences between retrieved documents that the ranking fulfils.",
    formula="fulfilled / stated, over all groups together, among preferences between retrieved documents",
    note=RET_NOTE,
)
def simple_retrieved(ranking: Ranking) -> Floats:
    """Per query, preferences fulfilled by preferences stated, between retrieved documents."""
    counts = ranking.preferences.counts
    return _of_all(ranking, counts.fulfilled_retrieved, counts.possible_retrieved)


@_preference(
    "prefs_pair_ret",
    ".1667",
    title="agreement by pair of retrieved documents",
    summary="How far the ranking agrees with the groups, every pair of retrieved documents counting once.",
    formula="as prefs_pair, over pairs of retrieved documents",
    note=f"{PAIR_NOTE} {RET_NOTE}",
)
def pair_retrieved(ranking: Ranking) -> Floats:
    """Per query, the mean score of its pairs of retrieved documents."""
    pairs = ranking.preferences.pairs
    return ratio(pairs.score_retrieved, pairs.retrieved)


@_preference(
    "prefs_avgjg_ret",
    ".1667",
    title="share of preferences fulfilled, both documents retrieved, mean over judgment groups",
    summary="The share of the preferences between retrieved documents fulfilled, every group counting the same.",
    formula="mean over groups of fulfilled / stated, among preferences between retrieved documents",
    note=f"{AVERAGE_NOTE} {RET_NOTE}",
)
def average_retrieved(ranking: Ranking) -> Floats:
    """Per query, the mean over its groups of the share fulfilled between retrieved documents."""
    counts = ranking.preferences.counts
    return ranking.preferences.group_mean(ratio(counts.fulfilled_retrieved, counts.possible_retrieved))


@_preference(
    "prefs_avgjg_Rnonrel_ret",
    ".65",
    title="share of preferences fulfilled with R non-relevant documents, both retrieved, mean over judgment groups",
    summary="As prefs_avgjg_ret, but the number of non-relevant documents retrieved has no influence.",
    formula=(
        "mean over groups, r and n = retrieved documents with a level above 0 and others, R = all with a level above "
        "0: if r >= n, (fulfilled + r·(r−n)) / (stated + R·(r−n)); else fulfilled / stated, counted with the first r "
        "of the n non-relevant documents only (R of them if the group has several sub-groups); preferences between "
        "retrieved documents"
    ),
    note=f"{CAP_NOTE} The pairs added to the denominator use all relevant documents, not the retrieved ones.",
)
def average_capped_retrieved(ranking: Ranking) -> Floats:
    """Per query, the mean over its groups of the share fulfilled when n is made equal to r."""
    counts = ranking.preferences.counts
    missing = counts.relevant_retrieved - counts.nonrelevant_retrieved
    return _mean_if_all_count(
        ranking,
        np.where(
            missing >= 0,
            counts.fulfilled_retrieved + counts.relevant_retrieved * missing,
            counts.capped_fulfilled_retrieved,
        ),
        np.where(
            missing >= 0,
            counts.possible_retrieved + counts.relevant * missing,
            counts.capped_possible_retrieved,
        ),
    )


@_preference(
    "prefs_simp_imp",
    ".5556",
    title="share of preferences fulfilled, a document retrieved",
    summary="The share of the preferences about at least one retrieved document that the ranking fulfils.",
    formula=f"fulfilled / stated, over all groups together, among preferences with a retrieved document; {FULFILLED}",
    note=IMP_NOTE,
)
def simple_implied(ranking: Ranking) -> Floats:
    """Per query, preferences fulfilled by preferences stated, with a retrieved document."""
    counts = ranking.preferences.counts
    return _of_all(ranking, counts.fulfilled, counts.possible_retrieved + counts.possible_implied)


@_preference(
    "prefs_pair_imp",
    ".5625",
    title="agreement by pair of documents, one at least retrieved",
    summary="How far the ranking agrees with the groups, every pair with a retrieved document counting once.",
    formula="as prefs_pair, over pairs with a retrieved document",
    note=f"{PAIR_NOTE} {IMP_NOTE}",
)
def pair_implied(ranking: Ranking) -> Floats:
    """Per query, the mean score of its document pairs with a retrieved document."""
    pairs = ranking.preferences.pairs
    return ratio(pairs.score, pairs.retrieved + pairs.implied)


@_preference(
    "prefs_avgjg_imp",
    ".5833",
    title="share of preferences fulfilled, a document retrieved, mean over judgment groups",
    summary="The share of its preferences about a retrieved document that is fulfilled, every group counting the same.",
    formula=f"mean over groups of fulfilled / stated, among preferences with a retrieved document; {FULFILLED}",
    note=f"{AVERAGE_NOTE} {IMP_NOTE}",
)
def average_implied(ranking: Ranking) -> Floats:
    """Per query, the mean over its groups of the share fulfilled, with a retrieved document."""
    counts = ranking.preferences.counts
    return ranking.preferences.group_mean(ratio(counts.fulfilled, counts.possible_retrieved + counts.possible_implied))


def _of_all(ranking: Ranking, fulfilled: Positions, possible: Positions) -> Floats:
    """Per query, the quotient of two counts summed over its groups."""
    preferences = ranking.preferences
    return ratio(preferences.total(fulfilled), preferences.total(possible))


def _mean_if_all_count(ranking: Ranking, fulfilled: Positions, possible: Positions) -> Floats:
    """Per query, the mean quotient of its groups; 0 if one of them has nothing to divide by, as in trec_eval."""
    preferences = ranking.preferences
    empty = preferences.total(np.equal(possible, 0).astype(np.int64))
    return np.where(empty > 0, 0.0, preferences.group_mean(ratio(fulfilled, possible)))
