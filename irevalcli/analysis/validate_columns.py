"""Columns of a run that stand in each other's place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.reading.faults import quoted
from irevalcli.reading.rules import RUN_SWAPPED_COLUMNS
from irevalcli.reading.trec import BlankRun

if TYPE_CHECKING:
    from collections.abc import Collection

    from irevalcli.analysis.validate_found import Found
    from irevalcli.analysis.validate_qrels import Judged
    from irevalcli.analysis.validate_seen import SeenRun
    from irevalcli.reading.heads import Head
    from irevalcli.reading.run_rows import RunShape

MOST_LINES = 1000
"""Lines that are looked at."""

MATCHING = 0.5
"""Ids belong to a column if at least this share of its lines hold them."""


def note_swapped(found: Found, run: SeenRun, head: Head, judged: Judged | None) -> None:
    """Columns whose content belongs to another one."""
    direction = run.direction
    if 0 < direction.told == direction.counting:
        message = "the scores count up from line to line and the ranks fall: are rank and score exchanged?"
        found.note(RUN_SWAPPED_COLUMNS, message)
    if not isinstance(run.format, BlankRun):
        return
    shape = run.format.shape
    lines = [[field.text for field in line.fields] for line in head.lines if len(line.fields) >= shape.width]
    columns = list(zip(*(line[: shape.width] for line in lines[:MOST_LINES]), strict=True))
    if not columns:
        return
    # Numbers of ranks and scores may well be those of queries.
    others = [place for place in range(shape.width) if place not in {shape.rank, shape.score}]
    message = "" if judged is None else _beside(columns, others, shape, run, judged)
    message = message or _constant(columns, others, shape)
    if message:
        found.note(RUN_SWAPPED_COLUMNS, message)


def _beside(columns: list[tuple[bytes, ...]], others: list[int], shape: RunShape, run: SeenRun, judged: Judged) -> str:
    """Where ids of the qrels stand, if not where they belong; or ""."""
    judgments = judged.judgments
    if not run.sizes[: run.num_judged].any():
        place = _column_of(set(judgments.qids), columns, others, shape.qid)
        return "" if place is None else _said("query", judged.name, place, shape.qid)
    if run.ranking(judgments).query.size:
        return ""
    place = _column_of(set(judgments.docids(np.arange(judgments.num_listed))), columns, others, shape.docid)
    return "" if place is None else _said("document", judged.name, place, shape.docid)


def _column_of(ids: Collection[bytes], columns: list[tuple[bytes, ...]], others: list[int], right: int) -> int | None:
    """The column that holds the ids, other than the right one."""
    for place in others:
        values = columns[place]
        if place != right and sum(value in ids for value in values) >= MATCHING * len(values):
            return place
    return None


def _said(kind: str, qrels: str, place: int, right: int) -> str:
    return f"field {place + 1} holds {kind} ids of {qrels}, and field {right + 1} should"


def _constant(columns: list[tuple[bytes, ...]], others: list[int], shape: RunShape) -> str:
    """What looks like documents, if the column of documents holds one value alone; or ""."""
    documents = columns[shape.docid]
    if len(documents) < 2 or len(set(documents)) > 1:
        return ""
    for place in others:
        if place > shape.qid and place != shape.docid and len(set(columns[place])) > MATCHING * len(documents):
            seem = f"the documents seem to be in field {place + 1}"
            return f"field {shape.docid + 1} is {quoted(documents[0])} in every line; {seem}"
    return ""
