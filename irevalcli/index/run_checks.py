"""What the rows of a run show that is odd, and which of them are hits.

A part of a run comes to numbers and first lines, never to something for each row, so that a long run costs no more
memory than a short one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.index.blocks import block_of
from irevalcli.index.checked_rows import (
    CheckedRows,
    Direction,
    OfQueries,
    checked_rows,
    direction,
    lines_of,
    not_from_one,
    shared_places,
    single_precision,
    spots_of,
    steps,
    too_long,
    unordered,
)
from irevalcli.index.inspection import Spots
from irevalcli.index.lookup import salted
from irevalcli.index.repetitions import repetitions
from irevalcli.index.score_shape import ScoreShape
from irevalcli.reading.words import hash_tokens, token_list

if TYPE_CHECKING:
    from collections.abc import Callable

    from irevalcli.index.blocks import Block
    from irevalcli.index.duplicates import Duplicate
    from irevalcli.index.judgments import Judgments
    from irevalcli.index.scan import Columns, RunRules
    from irevalcli.reading.arrays import Positions, Words

EXAMPLE_DOCIDS = 20
"""How many docids of a part are kept if none of its documents is judged."""


class Looked(NamedTuple):
    """What is looked for beyond what every run is checked for.

    Attributes:
        judgments: None if there are none.
        limit: most documents for a query, or None.
        most: how many places of a finding are kept.
    """

    judgments: Judgments | None
    limit: int | None
    most: int


class Repeated(NamedTuple):
    """A document that is listed again.

    Attributes:
        line: where.
        first_line: where it was listed first.
        query: the index of the query.
        docid: the document.
    """

    line: int
    first_line: int
    query: int
    docid: bytes


class RunPart(NamedTuple):
    """What some rows of a run show. Lines count from the first line of the rows' piece.

    Attributes:
        query: per query, its index.
        size: per query, its documents.
        tied_rows: rows that share their score with the row ranked above.
        duplicates: none, since they are in `repeated`.
        dropped: rows that list a document again.
        shape: nothing: `direction` and `equal` say more.
        repeated: the first of these.
        odd_ranks: lines whose rank is no number.
        infinite: lines with an infinite score.
        unordered: queries whose ranks do not rise as scores fall, and the first line that shows it.
        not_from_one: queries whose smallest rank is not 1, and the first line with such a rank.
        smallest_rank: what stands there.
        unsorted: queries with a score above that of the line before, and the first such line.
        tied: queries with equal scores, and the first line of a tie.
        tied_documents: documents whose score another one of the query has.
        single: queries whose scores differ, but not in single precision, and the first line of such a pair.
        equal: queries in which all scores are equal; their sizes go with them.
        too_long: queries with more documents than allowed; their sizes go with them.
        direction: which way scores run.
        block: the hits, if there are judgments.
        unjudged: docids of judged queries, if none is a hit.
    """

    query: Positions
    size: Positions
    tied_rows: int
    duplicates: list[Duplicate]
    dropped: int
    shape: ScoreShape
    repeated: list[Repeated]
    odd_ranks: Spots
    infinite: Spots
    unordered: Spots
    not_from_one: Spots
    smallest_rank: float
    unsorted: Spots
    tied: Spots
    tied_documents: int
    single: Spots
    equal: OfQueries
    too_long: OfQueries
    direction: Direction
    block: Block | None
    unjudged: list[bytes]


def checking(looked: Looked, rules: RunRules) -> Callable[[Columns], RunPart]:
    """What turns rows, in which those of a query stand together, into what they show."""

    def arrange(columns: Columns) -> RunPart:
        rows = columns.rows(rules.ties)
        row_query = np.repeat(columns.query, rows.ends - rows.starts)
        hashes = salted(hash_tokens(columns.data, *columns.docids), row_query)
        again = repetitions(rows, hashes)
        repeated = []
        if again.row.size:
            repeated = _repeated(columns, row_query, again.row, again.first, looked.most)
            kept = np.delete(np.arange(hashes.size), again.row)
            columns, hashes = columns.at(kept), hashes[kept]
        checked = checked_rows(columns)
        block = None if looked.judgments is None else _block(checked, hashes, looked.judgments, rules)
        return _part(checked, looked, repeated, again.row.size, block)

    return arrange


def _repeated(columns: Columns, row_query: Positions, row: Positions, first: Positions, most: int) -> list[Repeated]:
    """The first of the rows that list a document again, by line."""
    lines = lines_of(columns)
    shown = np.argsort(lines[row], kind="stable")[:most]
    row, first = row[shown], first[shown]
    docids = token_list(columns.data, *columns.docids.at(row))
    numbers = (lines[row].tolist(), lines[first].tolist(), row_query[row].tolist())
    return [Repeated(*found) for found in zip(*numbers, docids, strict=True)]


def _block(checked: CheckedRows, hashes: Words, judgments: Judgments, rules: RunRules) -> Block:
    """The hits; unlike in the rows, queries beyond the judgments have no index."""
    columns = checked.columns
    if checked.order is not None:
        # Sorted here already: ranking finds nothing left to sort.
        columns = columns._replace(docids=columns.docids.at(checked.order), scores=checked.scores)
        hashes = hashes[checked.order]
    block = block_of(columns.rows(rules.ties), columns.query, hashes, judgments, rules.ties)
    return block._replace(query=np.where(columns.query < judgments.num_queries, columns.query, -1))


def _part(checked: CheckedRows, looked: Looked, repeated: list[Repeated], dropped: int, block: Block | None) -> RunPart:
    columns, lines = checked.columns, checked.lines
    size = checked.ends - columns.starts
    rises, falls = steps(checked)
    varied = checked.queries(rises) | checked.queries(falls)
    shared = shared_places(~checked.falls)
    placed_lines = checked.placed(lines)
    first_ranks, smallest_rank = not_from_one(checked)
    return RunPart(
        query=columns.query,
        size=size,
        tied_rows=int(np.count_nonzero(~checked.falls)),
        duplicates=[],
        dropped=dropped,
        shape=ScoreShape(),
        repeated=repeated,
        odd_ranks=Spots() if columns.ranks is None else spots_of(np.isnan(columns.ranks), lines),
        infinite=spots_of(np.isinf(columns.scores), lines),
        unordered=unordered(checked),
        not_from_one=first_ranks,
        smallest_rank=smallest_rank,
        unsorted=checked.spots(rises, lines),
        tied=checked.spots(shared, placed_lines),
        tied_documents=int(np.count_nonzero(shared)),
        single=single_precision(checked, placed_lines),
        equal=checked.examples(~varied & (size > 1), lines[columns.starts], looked.most),
        too_long=OfQueries() if looked.limit is None else too_long(checked, looked.limit, looked.most),
        direction=direction(checked, rises, falls, varied),
        block=block,
        unjudged=_unjudged(columns, block),
    )


def _unjudged(columns: Columns, block: Block | None) -> list[bytes]:
    """Some docids of judged queries, if none is a hit."""
    if block is None or block.hit_query.size:
        return []
    rows = np.flatnonzero(np.repeat(block.query >= 0, np.diff(columns.starts, append=columns.scores.size)))
    return token_list(columns.data, *columns.docids.at(rows[:EXAMPLE_DOCIDS]))
