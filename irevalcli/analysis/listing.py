"""The documents of one query, rank by rank, judged or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.index.document_list import Document
    from irevalcli.index.judgments import Judgments
    from irevalcli.index.ranking import Ranking

UNJUDGED = -1.0
"""The grade that a document absent from the qrels has where every rank is a hit."""


class Listing(NamedTuple):
    """The documents of a query.

    Attributes:
        query: its index in the judgments.
        ranking: of this query, with a hit at every rank.
        documents: per rank, the docid and the score.
    """

    query: int
    ranking: Ranking
    documents: list[tuple[bytes, float]]


def listing_of(judgments: Judgments, documents: Sequence[Document], ranking: Ranking, query: int) -> Listing:
    """The documents at every rank of a ranking.

    Args:
        judgments: what the ranking was joined with.
        documents: all that the run has for the query, in its order; those that the qrels list are known to the ranking,
            the others follow in this order.
        ranking: of this query alone, as a measure sees it.
        query: its index in the judgments.
    """
    every = ranking.every_rank(UNJUDGED)
    first, last = judgments.offsets[query : query + 2].tolist()
    listed = set(judgments.docids(np.arange(first, last)))
    scores = dict(documents)
    others = iter([document for document in documents if document.docid not in listed])
    hits = iter(judgments.docids(every.listed[every.listed >= 0]))
    docids = [next(hits) if place >= 0 else next(others).docid for place in every.listed.tolist()]
    return Listing(query, every, [(docid, scores[docid]) for docid in docids])
