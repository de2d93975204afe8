"""Runs in columns separated by blanks: which of the known shapes a file has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.errors import InputProblem
from irevalcli.reading.faults import is_dressed_up
from irevalcli.reading.numbers import strict_score
from irevalcli.reading.rules import UNKNOWN_FORMAT
from irevalcli.reading.run_rows import RunShape
from irevalcli.reading.trec import BlankRun

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.reading.heads import Head
    from irevalcli.reading.run_format import RunFormat

WITHOUT_Q0 = BlankRun("trec-no-q0", RunShape(5, 0, 1, 3, 2, 4, "qid docid rank score tag"))
WITHOUT_RANK = BlankRun("trec-no-rank", RunShape(5, 0, 2, 3, None, 4, "qid Q0 docid score tag"))
SCORED = BlankRun("scored", RunShape(3, 0, 1, 2, None, None, "qid docid score"), note="3 columns: qid docid score")
MSMARCO = BlankRun(
    "msmarco",
    RunShape(3, 0, 1, 2, None, None, "qid docid rank", smaller_first=True),
    note="3 columns: qid docid rank; rank 1 stands first",
)
RANKED = BlankRun(
    "ranked", RunShape(4, 0, 1, 3, 2, None, "qid docid rank score"), note="4 columns: qid docid rank score"
)


def three_columns(head: Head) -> RunFormat | None:
    """The format of three columns: the third is a rank if it holds positive integers, distinct within each query.

    That is seen of the whole file only when it has been read: the format says what it is otherwise.

    Raises:
        InputProblem: the third column is neither a rank nor a score.
    """
    rows = head.columns(3)
    if rows is None:
        return None
    numbers = [row for row in rows if strict_score(row[-1]) is not None]
    meant = [row for row in rows if is_dressed_up(row[-1])]
    header = rows[0] not in (*numbers[:1], *meant[:1])
    if 2 * (len(numbers) + len(meant)) <= len(rows) - header:
        raise _refused(head)
    if header:
        return None
    return MSMARCO._replace(otherwise=SCORED) if numbers and are_ranks(numbers) and not meant else SCORED


def are_ranks(rows: Sequence[tuple[bytes, ...]]) -> bool:
    """Whether rows of qid, docid and a number hold ranks: positive integers, distinct within each query."""
    pairs = {(qid, number) for qid, _, number in rows}
    return len(pairs) == len(rows) and all(number.isdigit() and int(number) > 0 for _, _, number in rows)


def _refused(head: Head) -> InputProblem:
    line = next(line for line in head.lines if len(line.fields) == 3)
    message = "3 columns, and the third is no number"
    expected = "expected qid docid rank, or qid docid score"
    return InputProblem.of(line.finding(UNKNOWN_FORMAT, message, head.name, at=line.fields[-1], expected=expected))


def four_columns(head: Head) -> RunFormat | None:
    """The format of four columns, unless they may be judgments: qid 0 docid grade."""
    rows = head.columns(4)
    if rows is None or any(strict_score(score) is None for *_, score in rows):
        return None
    real_scores = not any(score.lstrip(b"+-").isdigit() for *_, score in rows)
    ranks = all(strict_score(rank) is not None for _, _, rank, _ in rows)
    return RANKED if ranks or real_scores else None
