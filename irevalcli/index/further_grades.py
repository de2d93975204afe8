"""A second opinion on the listed documents: the grades of another qrels file, which judges something else of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.errors import UsageProblem
from irevalcli.index.lookup import salted
from irevalcli.reading.words import hash_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

    from irevalcli.index.judgments import Judgments
    from irevalcli.reading.arrays import Floats

UNJUDGED = -1.0
"""The grade of a document that the other file does not list."""


class FurtherGrades(NamedTuple):
    """The grades of another file, joined by query and document.

    Attributes:
        grade: per listed document, float64; negative means not judged there.
        lacking: how many listed documents the other file lacks.
        unknown: how many documents only the other file lists.
    """

    grade: Floats
    lacking: int
    unknown: int


def further_grades(judgments: Judgments, other: Judgments) -> FurtherGrades:
    """The grades that `other` gives to the listed documents of `judgments`; of several for one, the highest."""
    place = {qid: index for index, qid in enumerate(judgments.qids)}
    query = np.array([place.get(qid, -1) for qid in other.qids], np.int64)[other.query]
    data, docids = other.listed_docids
    hashes = salted(hash_tokens(data, docids.start, docids.end), query)
    rows, listed = judgments.listed_lookup.find(data, docids, query, hashes)
    grade = np.full(judgments.num_listed, UNJUDGED)
    grade[listed] = other.grade[rows]
    return FurtherGrades(grade, judgments.num_listed - rows.size, other.num_listed - rows.size)


def name_of_grades(owner: str, wanted: str | None, known: Iterable[str]) -> str:
    """The name of the further grades that a measure uses.

    Args:
        owner: name of the measure, for messages.
        wanted: the name that was asked for, or None for the only ones.
        known: the names that there are.

    Raises:
        UsageProblem: there are none of that name; or, if none was asked for, not exactly one.
    """
    names = list(known)
    if not names:
        raise UsageProblem(f"{owner} needs further grades of the documents", hints=("give them by --qrels NAME=FILE",))
    if wanted is None and len(names) > 1:
        raise UsageProblem(
            f"{owner}: which grades? ({', '.join(names)})", hints=(f"such as {owner}(grades={names[0]})",)
        )
    if wanted is not None and wanted not in names:
        raise UsageProblem(f"{owner}: there are no grades called '{wanted}', only {', '.join(names)}")
    return names[0] if wanted is None else wanted
