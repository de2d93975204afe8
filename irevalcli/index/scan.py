"""One piece of a run, looked at once: what there is to be said about it, and the columns that ranking needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.errors import Finding
from irevalcli.index.lookup import salted
from irevalcli.index.order import Rows, TieRule
from irevalcli.reading.numbers import parse_decimals, strict_score, strtod_prefix
from irevalcli.reading.rules import RUN_SCORE
from irevalcli.reading.run_rows import Wanted
from irevalcli.reading.tokens import Fields
from irevalcli.reading.trec import TREC
from irevalcli.reading.words import PAD, changes, equal_tokens, hash_tokens, token_list

if TYPE_CHECKING:
    from irevalcli.index.inspection import Inspection
    from irevalcli.index.lookup import KnowsQueries
    from irevalcli.reading.arrays import Bools, Bytes, Floats, Positions, Words
    from irevalcli.reading.pieces import Piece
    from irevalcli.reading.run_format import RunFormat
    from irevalcli.reading.run_rows import RankUse, RunRows

FIRST_NON_ASCII = 0x80
NOWHERE = -1
"""Stands for the line of rows that stand on none."""
SHOWN = 5
"""How many examples of a finding are kept to be named in a message."""


class RunRules(NamedTuple):
    """How a run is read and put in order.

    Attributes:
        ties: the ranking order.
        strict: a malformed line or a score that is not a number is a fault; otherwise reading stops at the first
            malformed line, and a score is its longest numeric prefix, as C's strtod has it.
        format: in which the run is written.
        exclude_self: leave out documents that have the id of their query.
        top: how many documents at the top of every ranking are kept by their docids.
        skip: under strict rules, leave out lines with a fault and, of a document that is listed twice, all lines but
            the first.
        inspect: also look at what ranking has no use for: the lines that rows stand on, line ends, characters, tags,
            and ranks that may be anything. Faults are counted and not located.
    """

    ties: TieRule = TieRule()
    strict: bool = True
    format: RunFormat = TREC
    exclude_self: bool = False
    top: int = 0
    skip: bool = False
    inspect: bool = False


class Summary(NamedTuple):
    """What a piece is like, apart from its hits.

    Attributes:
        rows: data lines, up to a malformed one, without those left out because of a fault.
        lines: physical lines.
        malformed: whether a data line has too few fields.
        faults: what is wrong with the piece, lines counted from the piece's first.
        dropped: lines left out because of a fault.
        misshapen: those of them that have a wrong number of fields.
        smaller_first: ranks stand in the place of scores.
        ranks_hold: a score that is the rank is a positive integer in every line.
        extra: lines with more fields than the format has.
        infinite: lines with an infinite score.
        self_retrieved: lines left out because the document is the query.
        not_utf8: whether some bytes are no UTF-8 (only looked at under strict rules).
        tags: distinct run tags in the order of their appearance, the last line's at the end, if the format has tags.
        unknown: hashes of the qids that the judgments lack.
        unknown_examples: some of these qids.
        inspection: what else there is to be said, if the rules ask for it.
    """

    rows: int
    lines: int
    malformed: bool
    faults: list[Finding]
    dropped: int
    misshapen: int
    smaller_first: bool
    ranks_hold: bool
    extra: int
    infinite: int
    self_retrieved: int
    not_utf8: bool
    tags: list[bytes]
    unknown: Words
    unknown_examples: list[bytes]
    inspection: Inspection | None = None


class Columns(NamedTuple):
    """What ranking needs of a piece's rows.

    Attributes:
        data: buffer that holds the docids.
        docids: per row.
        scores: per row.
        starts: first row of each stretch of rows with one qid.
        query: per stretch, its index in the judgments; negative, and different from the others, if they lack it.
        ranks: per row, its rank column, NaN where that is no number; None if nobody asked.
        lines: per row, the physical line it stands on, from 0 at the first line of the piece, or of the file where rows
            of all pieces were put together; `NOWHERE` if the format has no lines, None if nobody asked.
    """

    data: Bytes
    docids: Fields
    scores: Floats
    starts: Positions
    query: Positions
    ranks: Floats | None = None
    lines: Positions | None = None

    @property
    def are_scattered(self) -> bool:
        """Whether the rows of a query that the judgments have stand in several stretches."""
        known = np.sort(self.query[self.query >= 0])
        return bool((known[1:] == known[:-1]).any())

    def at(self, kept: Positions) -> Columns:
        """Some of the rows, ascending, at least one of every stretch."""
        return self._replace(
            docids=self.docids.at(kept),
            scores=self.scores[kept],
            starts=np.searchsorted(kept, self.starts),
            ranks=None if self.ranks is None else self.ranks[kept],
            lines=None if self.lines is None else self.lines[kept],
        )

    def rows(self, ties: TieRule) -> Rows:
        """The rows as the ranking order takes them."""
        ends = np.append(self.starts[1:], self.scores.size)
        preferred = None
        if ties.by == "file":
            preferred = -np.arange(self.scores.size, dtype=np.float64)
        elif ties.by == "rank" and self.ranks is not None:
            preferred = -self.ranks
        return Rows(self.data, self.docids, self.scores, self.starts, ends, preferred)


class _Read(NamedTuple):
    """The rows of a piece that count, with their numbers."""

    qids: Fields
    docids: Fields
    scores: Floats
    ranks: Floats | None
    lines: Positions | None
    tags: Fields | None

    def at(self, kept: Positions | Bools) -> _Read:
        """Some of the rows."""
        return _Read(
            self.qids.at(kept),
            self.docids.at(kept),
            self.scores[kept],
            None if self.ranks is None else self.ranks[kept],
            None if self.lines is None else self.lines[kept],
            None if self.tags is None else self.tags.at(kept),
        )


def scan(piece: Piece, queries: KnowsQueries, rules: RunRules, path: str) -> tuple[Summary, Columns | None]:
    """What a piece is like, and its columns; None if it has no rows, or faults.

    Args:
        piece: lines of a run.
        queries: what gives qids their indices.
        rules: how to read.
        path: the file's name, for findings.
    """
    use: RankUse = "needed" if rules.ties.by == "rank" else "seen" if rules.inspect else ""
    wanted = Wanted(use, skip=rules.strict and rules.skip)
    rows = rules.format.rows(piece, wanted)
    read, doubtful = _numbers(rows, rules, use)
    faults: list[Finding] = []
    faulty = rows.malformed is not None or rows.dropped or doubtful.any()
    if faulty and rules.strict and not rules.inspect:
        faults = rules.format.faults(piece, path, wanted) or [_unlocated(path)]
    if wanted.skip and doubtful.any():
        read = read.at(~doubtful)
    data_lines = read.scores.size
    self_retrieved = 0
    if rules.exclude_self:
        kept = np.flatnonzero(~equal_tokens(rows.data, *read.qids, rows.data, *read.docids))
        self_retrieved = data_lines - kept.size
        read = read.at(kept)
    starts = np.concatenate(([0], changes(rows.data, *read.qids)))[: read.scores.size]
    heads = read.qids.at(starts)
    query, unknown = _queries(rows.data, heads, queries)
    shown = heads.at(np.flatnonzero(query < 0)[:SHOWN])
    tags = _tags(rows.data, read.tags, every=rules.strict)
    seen = _inspected(piece, rows, read, (query, starts), rules) if rules.inspect else None
    summary = Summary(
        data_lines,
        rows.line_count,
        rows.malformed is not None,
        faults,
        rows.dropped + rows.size - data_lines,
        rows.dropped,
        rows.smaller_first,
        not rows.smaller_first or _are_ranks(-read.scores),
        rows.extra,
        int(np.count_nonzero(np.isinf(read.scores))),
        self_retrieved,
        rules.strict and not _is_utf8(piece),
        tags,
        unknown,
        token_list(rows.data, shown.start, shown.end),
        seen,
    )
    if (faults and not wanted.skip) or not read.scores.size:
        return summary, None
    return summary, Columns(rows.data, read.docids, read.scores, starts, query, read.ranks, read.lines)


def _unlocated(path: str) -> Finding:
    """What is said where a fault was seen that the format's exact reader does not find: never nothing."""
    return Finding(RUN_SCORE.code, "a line or a number in the file is not legal", path, help=RUN_SCORE.help)


def _inspected(
    piece: Piece, rows: RunRows, read: _Read, stretches: tuple[Positions, Positions], rules: RunRules
) -> Inspection | None:
    """What the piece is like, with the query and the first row of each stretch of rows."""
    from irevalcli.index.inspection import inspection  # noqa: PLC0415  (start-up: only validate asks for it)

    if read.lines is None:
        return None
    query, starts = stretches
    return inspection(piece, rows, rules.format, (read.tags, read.lines), (query, read.lines[starts]))


def _numbers(rows: RunRows, rules: RunRules, use: RankUse) -> tuple[_Read, Bools]:
    """The rows with their numbers, and which of these are not legal."""
    scores, doubtful = _scores(rows, rules)
    ranks = None
    if isinstance(rows.ranks, Fields):
        ranks, odd = parse_decimals(rows.data, *rows.ranks)
        odd |= np.isinf(ranks)
        if use == "needed":
            doubtful |= odd
        elif odd.any():
            ranks[odd] = np.nan
    elif rows.ranks is not None:
        ranks = rows.ranks
    lines = None
    if rules.inspect:
        lines = np.arange(rows.size) if rows.lines is None else rows.lines
        if not rows.line_count:
            lines = np.full(rows.size, NOWHERE)
    return _Read(rows.qids, rows.docids, scores, ranks, lines, rows.tags), doubtful


def _are_ranks(numbers: Floats) -> bool:
    return bool((numbers >= 1).all() and (numbers == np.floor(numbers)).all())


def _is_utf8(piece: Piece) -> bool:
    body = piece.data[PAD : piece.stop]
    if not body.size or int(body.max()) < FIRST_NON_ASCII:
        return True
    try:
        body.tobytes().decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _scores(rows: RunRows, rules: RunRules) -> tuple[Floats, Bools]:
    """The scores, the larger the better, and which of them are not legal numbers."""
    if not isinstance(rows.scores, Fields):
        return -rows.scores if rows.smaller_first else rows.scores, np.zeros(rows.size, np.bool_)
    data, fields = rows.data, rows.scores
    scores, doubtful = parse_decimals(data, fields.start, fields.end)
    if rules.strict:
        doubtful |= np.isinf(scores)
    odd = np.flatnonzero(doubtful)
    if odd.size:
        tokens = token_list(data, fields.start[odd], fields.end[odd])
        if rules.strict:
            read = [strict_score(token) for token in tokens]
            scores[odd] = [0.0 if value is None else value for value in read]
            doubtful[odd] = [value is None for value in read]
        else:
            scores[odd] = [strtod_prefix(token) for token in tokens]
            doubtful[odd] = False
    if rows.smaller_first:
        np.negative(scores, out=scores)
    return scores, doubtful


def _queries(data: Bytes, heads: Fields, queries: KnowsQueries) -> tuple[Positions, Words]:
    """The index of each qid (-1, -2, … if it has none), and the hashes of those that have none."""
    no_group = np.zeros(heads.start.size, np.int64)
    hashes = salted(hash_tokens(data, heads.start, heads.end), no_group)
    query = -1 - np.arange(heads.start.size)
    rows, known = queries.query_lookup.find(data, heads, no_group, hashes)
    query[rows] = known
    return query, hashes[query < 0]


def _tags(data: Bytes, fields: Fields | None, *, every: bool) -> list[bytes]:
    """The run tags in order of appearance; only the last line's unless `every`."""
    if fields is None or not fields.start.size:
        return []
    rows = np.array([fields.start.size - 1])
    if every:
        rows = np.concatenate(([0], changes(data, fields.start, fields.end), rows))
    return list(dict.fromkeys(token_list(data, fields.start[rows], fields.end[rows])[::-1]))[::-1]
