"""Measures whose value is a text: relstring."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.measures.examples import query_101
from irevalcli.measures.registry import Equivalent, Param, measure

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking

ABSENT, UNJUDGED, BEYOND_NINE, ZERO = b"-.>0"


@measure(
    "relstring",
    title="grades in rank order",
    summary="The grades of the first documents as one line of characters, to see a ranking at a glance.",
    formula="per rank the grade as a digit; > for grades above 9, . for negative ones, - for absent documents",
    parameters=(Param("length", "int", 10, "number of ranks shown", low=0),),
    low=None,
    high=None,
    higher_is_better=None,
    kind="text",
    aggregation="none",
    no_relevant=None,
    monotone=False,
    reference="trec_eval (relstring)",
    examples=(
        query_101("relstring", "203-10.2--", "trec_eval 10"),
        query_101("relstring(length=3)", "203", "trec_eval 10"),
    ),
    equivalents=(Equivalent("trec_eval", "relstring.n"),),
    note="Of a grade with a fraction the whole part is shown. trec_eval puts the text in quotes.",
)
def relevance_string(ranking: Ranking, *, length: int = 10) -> list[str]:
    """Per query, one character for each of the first `length` documents retrieved."""
    shown = np.minimum(ranking.retrieved, length)
    end = np.cumsum(shown)
    start = end - shown
    characters = np.full(int(shown.sum()), ABSENT, np.uint8)
    top = (ranking.rank <= length) & (ranking.listed >= 0)
    grade = ranking.grade[top]
    digit = np.clip(grade, 0, 9).astype(np.uint8) + ZERO
    place = start[ranking.query[top]] + ranking.rank[top] - 1
    characters[place] = np.where(grade < 0, UNJUDGED, np.where(grade > 9, BEYOND_NINE, digit))
    text = characters.tobytes().decode("ascii")
    return [text[first:last] for first, last in zip(start.tolist(), end.tolist(), strict=True)]
