"""What rows of a run come to once they are joined with the judgments and ranked: their hits."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.index.duplicates import without_duplicates
from irevalcli.index.order import rank_hits
from irevalcli.index.score_shape import ScoreShape, shape_of

if TYPE_CHECKING:
    from irevalcli.index.duplicates import Duplicate
    from irevalcli.index.judgments import Judgments
    from irevalcli.index.order import Rows, TieRule
    from irevalcli.index.scan import Columns, RunRules
    from irevalcli.index.top_documents import TopRows
    from irevalcli.reading.arrays import Floats, Positions, Words


class Block(NamedTuple):
    """What some rows of a run contribute to its ranking.

    Attributes:
        query: per query of the block, its index in the judgments; negative if they lack it.
        size: per query of the block, its number of rows.
        hit_query, hit_listed, hit_rank, hit_tie_first, hit_tie_size, hit_score: per hit.
        tied_rows: rows that share their score with the row ranked above.
        duplicates: documents that occur twice in a query.
        dropped: rows left out because their document was listed before.
        shape: how scores go down the file (only looked at under strict rules).
        top: the documents at the top of every ranking, or None if they were not asked for.
    """

    query: Positions
    size: Positions
    hit_query: Positions
    hit_listed: Positions
    hit_rank: Positions
    hit_tie_first: Positions
    hit_tie_size: Positions
    hit_score: Floats
    tied_rows: int
    duplicates: list[Duplicate]
    dropped: int
    shape: ScoreShape
    top: TopRows | None


def rank_block(columns: Columns, judgments: Judgments, rules: RunRules) -> Block:
    """The hits of some rows in which every query's rows stand together."""
    columns, hashes, duplicates, dropped = without_duplicates(columns, rules)
    rows = columns.rows(rules.ties)
    return block_of(rows, columns.query, hashes, judgments, rules.ties)._replace(
        duplicates=duplicates,
        dropped=dropped,
        shape=shape_of(columns) if rules.strict else ScoreShape(),
        top=_top(rows, columns.query, rules) if rules.top else None,
    )


def block_of(rows: Rows, query: Positions, hashes: Words, judgments: Judgments, ties: TieRule) -> Block:
    """The hits of rows without duplicates.

    Args:
        rows: the rows, those of a query together.
        query: per query of the rows, its index in the judgments; negative or beyond them if they lack it.
        hashes: per row, the salted hash of query and docid.
        judgments: what to join with.
        ties: the ranking order.
    """
    sizes = rows.ends - rows.starts
    row_query = np.repeat(query, sizes)
    hits, listed = judgments.listed_lookup.find(rows.data, rows.docids, row_query, hashes)
    standing = rank_hits(rows, hits, ties)
    return Block(
        query,
        sizes,
        row_query[hits],
        listed,
        standing.rank,
        standing.tie_first,
        standing.tie_size,
        rows.scores[hits],
        standing.tied_rows,
        duplicates=[],
        dropped=0,
        shape=ScoreShape(),
        top=None,
    )


def _top(rows: Rows, query: Positions, rules: RunRules) -> TopRows:
    from irevalcli.index.top_documents import top_rows  # noqa: PLC0415  (start-up: few measures ask for them)

    return top_rows(rows, query, rules.top, rules.ties)
