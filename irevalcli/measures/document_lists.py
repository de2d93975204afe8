"""Which documents a run shows at all, over all queries: coverage, Gini, novelty."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.measures.arithmetic import ratio, sums
from irevalcli.measures.registry import CUTOFF, Equivalent, Example, Param, measure
from irevalcli.reading.faults import quoted

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking
    from irevalcli.index.top_documents import TopDocuments
    from irevalcli.reading.arrays import Bools, Floats, Positions

SIZE = Param("collection_size", "int", None, "number of documents in the collection; that of --collection-size", low=1)
_EXAMPLES = 3
_LISTS = "a b c | a b d | a e"
_COUNTS = "a:4 b:2 c:1 d:1 e:8"
_QUERIES = "Over the queries that count; judgments play no part in it, but that -J leaves unjudged documents out."


def _shown(ranking: Ranking, owner: str, cutoff: int) -> TopDocuments:
    """The documents at the cutoff or above.

    Raises:
        UsageProblem: the ranking was read without them.
    """
    if ranking.top_documents is None:
        raise UsageProblem(f"{owner} needs the documents that the run shows, which were not kept")
    return ranking.top_documents.down_to(cutoff)


def _exposure(top: TopDocuments, queries: Bools) -> Positions:
    """Of every document shown for one of the queries, for how many of them it is shown; ascending."""
    times = np.bincount(top.document[queries[top.query]])
    return np.sort(times[times > 0])


def _lengths(top: TopDocuments, num_queries: int) -> Positions:
    """Per query, how many documents are shown."""
    return np.bincount(top.query, minlength=num_queries)


def _checked_size(owner: str, size: int | None, shown: int) -> int:
    """The collection size, if it can be one.

    Raises:
        UsageProblem: it is not known, or more documents are shown.
    """
    if not size:
        raise UsageProblem(
            f"{owner} needs the number of documents in the collection", hints=("give it by --collection-size N",)
        )
    if shown > size:
        raise UsageProblem(f"{owner}: the run shows {shown} documents of a collection that is said to have {size}")
    return size


def _pooled_coverage(ranking: Ranking, queries: Bools, *, cutoff: int, collection_size: int | None) -> float:
    shown = _exposure(_shown(ranking, "coverage", cutoff), queries).size
    return shown / _checked_size("coverage", collection_size, shown)


def _pooled_gini(ranking: Ranking, queries: Bools, *, cutoff: int, collection_size: int | None) -> float:
    exposure = _exposure(_shown(ranking, "Gini", cutoff), queries)
    size = _checked_size("Gini", collection_size, exposure.size)
    place = np.arange(size - exposure.size + 1, size + 1)
    total = int(exposure.sum())
    return int(np.sum((2 * place - size - 1) * exposure)) / (size * total) if total else 0.0


@measure(
    "coverage",
    title="coverage of the collection",
    summary="The share of the collection that the first k ranks of all queries show.",
    formula="|documents in the first k ranks of any query|/N; N = documents in the collection",
    parameters=(CUTOFF, SIZE),
    at="cutoff",
    kind="summary",
    aggregation="pooled",
    needs="document_lists",
    no_relevant=None,
    monotone=False,
    reference="ge2010",
    examples=(
        Example("coverage(collection_size=20)@3", _LISTS, "", ".25", "by the formula: 5/20"),
        Example("coverage(collection_size=20)@1", _LISTS, "", ".05", "by the formula: 1/20"),
    ),
    equivalents=(Equivalent("recommenders", "catalog_coverage"),),
    aliases=("catalog_coverage", "item_coverage"),
    note=f"{_QUERIES} Without the size of the collection it is an error.",
    pool=_pooled_coverage,
)
def coverage(ranking: Ranking, *, cutoff: int, collection_size: int | None = None) -> Floats:
    """Per query, the share of the collection that its own first ranks show.

    Raises:
        UsageProblem: the size of the collection is not known, or is too small.
    """
    lengths = _lengths(_shown(ranking, "coverage", cutoff), ranking.num_queries)
    return lengths / _checked_size("coverage", collection_size, int(lengths.max(initial=0)))


@measure(
    "Gini",
    title="Gini coefficient of exposure",
    summary="How unequally the first k ranks of all queries are shared out among the documents of the collection.",
    formula=(
        "Σ over documents j of (2j − N − 1) · x_j/(N · Σ x); x_j = for how many queries the document is in the first k "
        "ranks, in ascending order, zeros included; N = documents in the collection; 0 if nothing is shown"
    ),
    parameters=(CUTOFF, SIZE),
    at="cutoff",
    higher_is_better=False,
    kind="summary",
    aggregation="pooled",
    needs="document_lists",
    no_relevant=None,
    monotone=False,
    reference="shani2011",
    examples=(
        Example("Gini(collection_size=5)@3", _LISTS, "", ".25", "by the formula: (−4 − 2 + 0 + 2 · 2 + 4 · 3)/(5 · 8)"),
        Example(
            "Gini(collection_size=20)@3", _LISTS, "", ".8125", "by the formula: (11 + 13 + 15 + 17 · 2 + 19 · 3)/160"
        ),
    ),
    aliases=("gini_index",),
    note=(
        f"{_QUERIES} 0 if all documents are shown equally often, (N − 1)/N if only one is. Some, among them Shani and "
        "Gunawardana, divide by N − 1 in the place of N, so that the highest value is 1; others leave out what is "
        "never shown, which makes a run that shows few documents look fair."
    ),
    pool=_pooled_gini,
)
def gini(ranking: Ranking, *, cutoff: int, collection_size: int | None = None) -> Floats:
    """Per query, the coefficient of its own first ranks: those m of N documents that it shows are shown equally.

    Raises:
        UsageProblem: the size of the collection is not known, or is too small.
    """
    lengths = _lengths(_shown(ranking, "Gini", cutoff), ranking.num_queries)
    size = _checked_size("Gini", collection_size, int(lengths.max(initial=0)))
    return np.where(lengths > 0, (size - lengths) / size, 0.0)


@measure(
    "novelty",
    title="novelty as mean self-information",
    summary="How rarely chosen the documents in the first k ranks are.",
    formula=(
        "mean over the documents in the first k ranks of −log2 p; p = count of the document/sum of all counts of the "
        "popularity file; 0 if nothing is shown"
    ),
    parameters=(CUTOFF,),
    at="cutoff",
    high=None,
    needs="document_lists",
    no_relevant=None,
    monotone=False,
    reference=("zhou2010", "castells2011"),
    examples=(
        Example("novelty@2", "a b", "", "2.5", "by the formula: (−log2 4/16 − log2 2/16)/2", _COUNTS),
        Example("novelty@3", "e c", "", "2.5", "by the formula: (−log2 8/16 − log2 1/16)/2", _COUNTS),
    ),
    equivalents=(Equivalent("recommenders", "novelty, if all lists are of one length"),),
    aliases=("self_information",),
    note=(
        "The counts come from --popularity FILE, a document and its count on each line: how often it was bought, read, "
        "clicked. They are divided by their sum, as in recommenders; Zhou et al. divide by the number of users. A "
        "document that is shown and has no count above 0 is an error."
    ),
)
def novelty(ranking: Ranking, *, cutoff: int) -> Floats:
    """Per query, the mean self-information of the documents in its first ranks.

    Raises:
        UsageProblem: the popularity of documents is not known.
        InputProblem: that of some is not known, or is 0.
    """
    top = _shown(ranking, "novelty", cutoff)
    if top.popularity is None:
        raise UsageProblem(
            "novelty needs to know how popular the documents are", hints=("give their counts by --popularity FILE",)
        )
    shown = np.flatnonzero(np.bincount(top.document, minlength=top.popularity.size))
    share = top.popularity[shown]
    uncounted = shown[share <= 0]
    if uncounted.size:
        _refuse_uncounted(top, uncounted)
    information = np.zeros(top.popularity.size)
    information[shown] = [-math.log2(part) for part in share.tolist()]
    total = sums(top.query, information[top.document], ranking.num_queries)
    return ratio(total, _lengths(top, ranking.num_queries))


def _refuse_uncounted(top: TopDocuments, documents: Positions) -> None:
    some = ", ".join(quoted(docid)[1:-1] for docid in top.names(documents[:_EXAMPLES]))
    more = ", …" if documents.size > _EXAMPLES else ""
    number = "1 document" if documents.size == 1 else f"{documents.size} documents"
    raise InputProblem(
        f"novelty: the run shows {number} without a count in the popularity file ({some}{more})",
        hints=("their novelty would be a guess: give every document a count above 0",),
    )
