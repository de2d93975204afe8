"""One piece of a run: tokenised, joined with the judgments, ranked. What remains are its hits and counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.index.duplicates import Duplicate, find_duplicates, repeated_rows
from irevalcli.index.lookup import salted
from irevalcli.index.order import Rows, TieRule, rank_hits
from irevalcli.reading.faults import run_faults
from irevalcli.reading.numbers import parse_decimals, strict_score, strtod_prefix
from irevalcli.reading.trec import DOCID_COLUMN, QID_COLUMN, RANK_COLUMN, SCORE_COLUMN, TAG_COLUMN, run_rows
from irevalcli.reading.words import PAD, changes, equal_tokens, hash_tokens, token_list

if TYPE_CHECKING:
    from irevalcli.errors import Finding
    from irevalcli.index.judgments import Judgments
    from irevalcli.index.lookup import KnowsQueries
    from irevalcli.index.top_documents import TopRows
    from irevalcli.reading.arrays import Bools, Bytes, Floats, Positions, Words
    from irevalcli.reading.pieces import Piece
    from irevalcli.reading.tokens import Fields

FIRST_NON_ASCII = 0x80
SHOWN = 5
"""How many examples of a finding are kept to be named in a message."""


class RunRules(NamedTuple):
    """How a run is read and put in order.

    Attributes:
        ties: the ranking order.
        strict: a malformed line or a score that is not a number is a fault; otherwise reading stops at the first
            malformed line, and a score is its longest numeric prefix, as C's strtod has it.
        comments: whether lines that begin with # are comments (not in trec_eval 9).
        exclude_self: leave out documents that have the id of their query.
        top: how many documents at the top of every ranking are kept by their docids.
    """

    ties: TieRule = TieRule()
    strict: bool = True
    comments: bool = True
    exclude_self: bool = False
    top: int = 0


class Block(NamedTuple):
    """What some rows of a run contribute to its ranking.

    Attributes:
        query: per query of the block, its index in the judgments; negative if they lack it.
        size: per query of the block, its number of rows.
        hit_query, hit_listed, hit_rank, hit_tie_first, hit_tie_size, hit_score: per hit.
        tied_rows: rows that share their score with the row ranked above.
        duplicates: documents that occur twice in a query.
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
    top: TopRows | None


class Summary(NamedTuple):
    """What a piece is like, apart from its hits.

    Attributes:
        rows: data lines, up to a malformed one.
        lines: physical lines.
        malformed: whether a data line has too few fields.
        faults: what is wrong with the piece, lines counted from the piece's first.
        extra: lines with more than six fields.
        infinite: lines with an infinite score.
        self_retrieved: lines left out because the document is the query.
        not_utf8: whether some bytes are no UTF-8 (only looked at under strict rules).
        tags: distinct run tags in the order of their appearance, the last line's at the end.
        unknown: hashes of the qids that the judgments lack.
        unknown_examples: some of these qids.
    """

    rows: int
    lines: int
    malformed: bool
    faults: list[Finding]
    extra: int
    infinite: int
    self_retrieved: int
    not_utf8: bool
    tags: list[bytes]
    unknown: Words
    unknown_examples: list[bytes]


class Columns(NamedTuple):
    """What ranking needs of a piece's rows.

    Attributes:
        data: buffer that holds the docids.
        docids: per row.
        scores: per row.
        starts: first row of each stretch of rows with one qid.
        query: per stretch, its index in the judgments; negative, and different from the others, if they lack it.
        ranks: per row, its rank column; None if ties are not broken by it.
    """

    data: Bytes
    docids: Fields
    scores: Floats
    starts: Positions
    query: Positions
    ranks: Floats | None = None

    def rows(self, ties: TieRule) -> Rows:
        """The rows as the ranking order takes them."""
        ends = np.append(self.starts[1:], self.scores.size)
        preferred = None
        if ties.by == "file":
            preferred = -np.arange(self.scores.size, dtype=np.float64)
        elif self.ranks is not None:
            preferred = -self.ranks
        return Rows(self.data, self.docids, self.scores, self.starts, ends, preferred)


def scan(piece: Piece, queries: KnowsQueries, rules: RunRules, path: str) -> tuple[Summary, Columns | None]:
    """What a piece is like, and its columns; None if it has no rows, or faults.

    Args:
        piece: lines of a run.
        queries: what gives qids their indices.
        rules: how to read.
        path: the file's name, for findings.
    """
    wanted = (QID_COLUMN, DOCID_COLUMN, SCORE_COLUMN, TAG_COLUMN, *((RANK_COLUMN,) if rules.ties.by == "rank" else ()))
    lines = run_rows(piece, wanted, comments=rules.comments)
    qids, docids, score_fields, tags, *rank_fields = lines.columns
    data = piece.data
    scores, doubtful = _scores(data, score_fields, rules)
    ranks = None
    for fields in rank_fields:
        ranks, odd = parse_decimals(data, fields.start, fields.end)
        doubtful |= odd
    faults: list[Finding] = []
    if rules.strict and (lines.malformed is not None or doubtful.any()):
        faults = run_faults(piece, path, ranks=ranks is not None)
    kept = None
    if rules.exclude_self:
        kept = np.flatnonzero(~equal_tokens(data, qids.start, qids.end, data, docids.start, docids.end))
        qids, docids, scores = qids.at(kept), docids.at(kept), scores[kept]
        ranks = None if ranks is None else ranks[kept]
    starts = np.concatenate(([0], changes(data, qids.start, qids.end)))[: scores.size]
    heads = qids.at(starts)
    query, unknown = _queries(data, heads, queries)
    shown = heads.at(np.flatnonzero(query < 0)[:SHOWN])
    summary = Summary(
        lines.size,
        lines.line_count,
        lines.malformed is not None,
        faults,
        lines.extra,
        int(np.count_nonzero(np.isinf(scores))),
        0 if kept is None else lines.size - kept.size,
        rules.strict and not _is_utf8(piece),
        _tags(data, tags, every=rules.strict),
        unknown,
        token_list(data, shown.start, shown.end),
    )
    if faults or not scores.size:
        return summary, None
    return summary, Columns(data, docids, scores, starts, query, ranks)


def _is_utf8(piece: Piece) -> bool:
    body = piece.data[PAD : piece.stop]
    if not body.size or int(body.max()) < FIRST_NON_ASCII:
        return True
    try:
        body.tobytes().decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _scores(data: Bytes, fields: Fields, rules: RunRules) -> tuple[Floats, Bools]:
    """The scores, and which of them are not legal numbers."""
    scores, doubtful = parse_decimals(data, fields.start, fields.end)
    if rules.strict:
        doubtful |= np.isinf(scores)
    rows = np.flatnonzero(doubtful)
    if rows.size:
        tokens = token_list(data, fields.start[rows], fields.end[rows])
        if rules.strict:
            read = [strict_score(token) for token in tokens]
            scores[rows] = [0.0 if value is None else value for value in read]
            doubtful[rows] = [value is None for value in read]
        else:
            scores[rows] = [strtod_prefix(token) for token in tokens]
            doubtful[rows] = False
    return scores, doubtful


def _queries(data: Bytes, heads: Fields, queries: KnowsQueries) -> tuple[Positions, Words]:
    """The index of each qid (-1, -2, … if it has none), and the hashes of those that have none."""
    no_group = np.zeros(heads.start.size, np.int64)
    hashes = salted(hash_tokens(data, heads.start, heads.end), no_group)
    query = -1 - np.arange(heads.start.size)
    rows, known = queries.query_lookup.find(data, heads, no_group, hashes)
    query[rows] = known
    return query, hashes[query < 0]


def _tags(data: Bytes, fields: Fields, *, every: bool) -> list[bytes]:
    """The run tags in order of appearance; only the last line's unless `every`."""
    if not fields.start.size:
        return []
    rows = np.array([fields.start.size - 1])
    if every:
        rows = np.concatenate(([0], changes(data, fields.start, fields.end), rows))
    return list(dict.fromkeys(token_list(data, fields.start[rows], fields.end[rows])[::-1]))[::-1]


def rank_block(columns: Columns, judgments: Judgments, rules: RunRules) -> Block:
    """The hits of some rows in which every query's rows stand together."""
    data, docids, query = columns.data, columns.docids, columns.query
    rows = columns.rows(rules.ties)
    starts, ends = rows.starts, rows.ends
    row_query = np.repeat(query, ends - starts)
    hashes = salted(hash_tokens(data, docids.start, docids.end), row_query)
    hits, listed = judgments.listed_lookup.find(data, docids, row_query, hashes)
    standing = rank_hits(rows, hits, rules.ties)
    suspects = repeated_rows(rows, hashes)
    duplicates = find_duplicates(rows, suspects, query, rules.ties) if suspects.size else []
    return Block(
        query,
        ends - starts,
        row_query[hits],
        listed,
        standing.rank,
        standing.tie_first,
        standing.tie_size,
        columns.scores[hits],
        standing.tied_rows,
        duplicates,
        _top(rows, query, rules) if rules.top else None,
    )


def _top(rows: Rows, query: Positions, rules: RunRules) -> TopRows:
    from irevalcli.index.top_documents import top_rows  # noqa: PLC0415  (start-up: few measures ask for them)

    return top_rows(rows, query, rules.top, rules.ties)
