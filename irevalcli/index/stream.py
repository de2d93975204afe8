"""A run, read in pieces, becomes a Ranking: memory is that of the judgments and a few pieces, however long the run."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from irevalcli.index.blocks import rank_block
from irevalcli.index.duplicates import MOST_DUPLICATES
from irevalcli.index.gather import Gathered
from irevalcli.index.ranking import Ranking
from irevalcli.index.scan import Columns, RunRules, Summary, scan
from irevalcli.index.score_shape import ScoreShape, together
from irevalcli.reading.faults import MOST_FAULTS
from irevalcli.reading.places import in_its_file
from irevalcli.reading.words import num_distinct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from irevalcli.errors import Finding
    from irevalcli.index.blocks import Block
    from irevalcli.index.duplicates import Duplicate
    from irevalcli.index.judgments import Judgments
    from irevalcli.index.lookup import KnowsQueries
    from irevalcli.index.top_documents import TopDocuments
    from irevalcli.reading.arrays import Positions
    from irevalcli.reading.opening import Source
    from irevalcli.reading.pieces import Piece
    from irevalcli.reading.run_format import RunFormat

T = TypeVar("T")

THREADS = 2
"""Pieces in work at a time. numpy releases the interpreter lock; more threads than two gain little."""

# glibc hands the memory of every temporary array back to the system and faults it in again. Freeing one block of this
# size raises its thresholds for good, which halves the time of a long run.
_LARGEST_TEMPORARY = 31 << 20


class RunReport(NamedTuple):
    """What a run file was found to be like.

    Attributes:
        rows: data lines read, without those left out because of a fault.
        malformed: whether reading stopped at a malformed line, the one after `rows` data lines (lenient rules only).
        faults: everything wrong with it, located, in file order.
        dropped: lines that were left out because of a fault or a duplicate.
        smaller_first: ranks stand in the place of scores.
        extra: lines with more fields than the format has.
        infinite: lines with an infinite score.
        self_retrieved: lines left out because the document is the query.
        not_utf8: whether some bytes are no UTF-8 (only looked at under strict rules).
        tags: distinct run tags, the last line's at the end; none if the format has none.
        unknown: number of queries that the judgments lack.
        unknown_examples: some of their qids.
        tied_rows: rows that share their score with the row ranked above.
        duplicates: documents listed twice for a query, by query and docid.
        shape: how scores go down the file.
        encoding_note: what was done about a byte order mark, or "".
        format: in which it was read.
    """

    rows: int
    malformed: bool
    faults: list[Finding]
    dropped: int
    smaller_first: bool
    extra: int
    infinite: int
    self_retrieved: int
    not_utf8: bool
    tags: list[bytes]
    unknown: int
    unknown_examples: list[bytes]
    tied_rows: int
    duplicates: list[Duplicate]
    shape: ScoreShape
    encoding_note: str
    format: RunFormat


class Part(Protocol):
    """What some rows of a run contribute to something: the queries that they are of, ties and duplicates."""

    @property
    def query(self) -> Positions:
        """Per query of the part, its index; negative if it has none."""

    @property
    def tied_rows(self) -> int:
        """Rows that share their score with the row ranked above."""

    @property
    def duplicates(self) -> list[Duplicate]:
        """Documents that occur twice in a query."""

    @property
    def dropped(self) -> int:
        """Rows left out because their document was listed before."""

    @property
    def shape(self) -> ScoreShape:
        """How scores go down the file."""


P = TypeVar("P", bound=Part)


class Parts(NamedTuple, Generic[P]):
    """What the pieces of a run came to.

    Attributes:
        format: in which the run was read.
        summaries: one for each piece.
        blocks: what was made of rows, in the order of the file or, where its queries are scattered, of the queries.
        lines_before: per block, what is to be added to its line numbers.
    """

    format: RunFormat
    summaries: list[Summary]
    blocks: list[P]
    lines_before: list[int]


def read_run(source: Source, judgments: Judgments, rules: RunRules) -> tuple[Ranking, RunReport]:
    """The run joined with the judgments, and what was noticed on the way.

    Faults and duplicates are reported, not raised: what they mean depends on who asks.

    Args:
        source: the run; read twice if its queries are scattered.
        judgments: what to join with.
        rules: how to read and to put in order.

    Raises:
        InputProblem: the source cannot be read to its end.
    """
    parts = read_parts(source, judgments, rules, lambda columns: rank_block(columns, judgments, rules))
    return ranking_of(judgments, parts.blocks, rules.top), report_of(parts, source)


def read_parts(source: Source, queries: KnowsQueries, rules: RunRules, arrange: Callable[[Columns], P]) -> Parts[P]:
    """The run in parts, each with whole queries.

    Args:
        source: the run; read twice if its queries are scattered.
        queries: what gives qids their indices.
        rules: how to read and to put in order.
        arrange: what is made of rows in which those of a query stand together; called in several threads.

    Raises:
        InputProblem: the source cannot be read to its end.
    """
    parts = _in_blocks(source, queries, rules, arrange)
    if parts is None:
        source.rewind()
        parts = _gathered(source, queries, rules, arrange)
    if rules.format.otherwise is None or _ranks_hold(parts):
        return parts
    source.rewind()
    return read_parts(source, queries, rules._replace(format=rules.format.otherwise), arrange)


def _ranks_hold(parts: Parts[P]) -> bool:
    """Whether what was taken for ranks are positive integers, distinct within each query."""
    return all(summary.ranks_hold for summary in parts.summaries) and not any(b.tied_rows for b in parts.blocks)


def _in_blocks(
    source: Source, queries: KnowsQueries, rules: RunRules, arrange: Callable[[Columns], P]
) -> Parts[P] | None:
    """The run, piece by piece; None as soon as a query's rows are seen not to stand together."""

    def work(piece: Piece) -> tuple[Summary, P | None, bool]:
        summary, columns = scan(piece, queries, rules, source.name)
        scattered = columns is not None and columns.are_scattered
        return summary, None if columns is None or scattered else arrange(columns), scattered

    summaries: list[Summary] = []
    blocks: list[P] = []
    lines_before: list[int] = []
    seen = np.zeros(0, np.bool_)
    answered, lines = 0, 0
    for summary, block, scattered in _over_pieces(source, rules, work):
        if scattered:
            return None
        summaries.append(summary)
        if block is not None:
            known = block.query[block.query >= 0]
            beyond = int(known.max(initial=-1)) + 1 - seen.size
            if beyond > 0:
                seen = np.concatenate((seen, np.zeros(beyond + seen.size, np.bool_)))
            seen[known] = True
            answered += known.size
            if np.count_nonzero(seen) != answered:
                return None
            blocks.append(block)
            lines_before.append(lines)
        lines += summary.lines
        if _at_end(summaries, rules) or _are_too_many(blocks, rules):
            break
    return Parts(rules.format, summaries, blocks, lines_before)


def _gathered(source: Source, queries: KnowsQueries, rules: RunRules, arrange: Callable[[Columns], P]) -> Parts[P]:
    """The run, with the rows of each query put together."""
    gathered = Gathered()
    summaries: list[Summary] = []

    def work(piece: Piece) -> tuple[Summary, Columns | None]:
        return scan(piece, queries, rules, source.name)

    lines = 0
    for summary, columns in _over_pieces(source, rules, work, threads=1):
        summaries.append(summary)
        if columns is not None:
            gathered.add(columns, lines)
        lines += summary.lines
        if _at_end(summaries, rules):
            break
    blocks: list[P] = []
    for block in _ordered(gathered.batches(), arrange, THREADS):
        blocks.append(block)
        if _are_too_many(blocks, rules):
            break
    return Parts(rules.format, summaries, blocks, [0] * len(blocks))


def _at_end(summaries: list[Summary], rules: RunRules) -> bool:
    """Whether nothing more need be read: the lenient stop at a malformed line, the strict after enough faults."""
    last = summaries[-1]
    if not last.faults:
        return last.malformed
    return not rules.skip and sum(len(s.faults) for s in summaries) >= MOST_FAULTS


def _are_too_many(blocks: list[P], rules: RunRules) -> bool:
    """Whether there are so many duplicates that nothing more need be read."""
    return rules.strict and sum(len(block.duplicates) for block in blocks) >= MOST_DUPLICATES


def _over_pieces(source: Source, rules: RunRules, work: Callable[[Piece], T], threads: int = THREADS) -> Iterator[T]:
    """`work` done on every piece, in the order of the file. A piece's buffer serves again once its result was taken."""
    spare: list[bytearray] = []

    def done(piece: Piece) -> tuple[T, bytearray]:
        return work(piece), piece.release()

    for result, buffer in _ordered(rules.format.pieces(source, spare), done, threads):
        yield result
        spare.append(buffer)


def _ordered(items: Iterable[object], work: Callable[..., T], threads: int) -> Iterator[T]:
    """The results of `work` in the order of `items`, of which only a few are held at a time."""
    waiting = iter(items)
    held = list(islice(waiting, THREADS))
    if threads < THREADS or len(held) < THREADS:
        for item in held:
            yield work(item)
        for item in waiting:
            yield work(item)
        return
    from collections import deque  # noqa: PLC0415  (start-up: only for runs of several pieces)
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415

    np.empty(_LARGEST_TEMPORARY, np.uint8)
    with ThreadPoolExecutor(threads) as pool:
        futures = deque(pool.submit(work, item) for item in held)
        held.clear()
        try:
            for item in waiting:
                futures.append(pool.submit(work, item))
                if len(futures) > threads:
                    yield futures.popleft().result()
            while futures:
                yield futures.popleft().result()
        finally:
            for future in futures:
                future.cancel()


def ranking_of(judgments: Judgments, blocks: Sequence[Block], top: int = 0) -> Ranking:
    """The ranking that blocks with different queries make up; `top` documents of each query were kept."""
    retrieved = np.zeros(judgments.num_queries, np.int64)
    answered = np.zeros(judgments.num_queries, np.bool_)
    for block in blocks:
        known = block.query >= 0
        retrieved[block.query[known]] = block.size[known]
        answered[block.query[known]] = True
    none = np.empty(0, np.int64)
    query = np.concatenate([none, *(block.hit_query for block in blocks)])
    rank = np.concatenate([none, *(block.hit_rank for block in blocks)])
    order = np.lexsort((rank, query))
    listed = np.concatenate([none, *(block.hit_listed for block in blocks)])[order]
    return Ranking(
        judgments,
        retrieved=retrieved,
        answered=answered,
        query=query[order],
        rank=rank[order],
        listed=listed,
        grade=judgments.grade[listed],
        score=np.concatenate([np.empty(0), *(block.hit_score for block in blocks)])[order],
        tie_first=np.concatenate([none, *(block.hit_tie_first for block in blocks)])[order],
        tie_size=np.concatenate([none, *(block.hit_tie_size for block in blocks)])[order],
        top_documents=_top_documents(blocks, top) if top else None,
    )


def _top_documents(blocks: Sequence[Block], depth: int) -> TopDocuments:
    from irevalcli.index.top_documents import TopDocuments  # noqa: PLC0415  (start-up: few measures ask for them)

    return TopDocuments.of(depth, [block.top for block in blocks if block.top is not None])


def report_of(parts: Parts[P], source: Source) -> RunReport:
    """What was noticed about the run that these parts make up."""
    summaries, blocks = parts.summaries, parts.blocks
    faults: list[Finding] = []
    line = 0
    for summary in summaries:
        faults += [in_its_file(fault._replace(line=fault.line + line), source) for fault in summary.faults]
        line += summary.lines
    hashes = [summary.unknown for summary in summaries if summary.unknown.size]
    tags = [tag for summary in summaries for tag in summary.tags]
    examples = [qid for summary in summaries for qid in summary.unknown_examples]
    return RunReport(
        rows=sum(summary.rows for summary in summaries),
        malformed=bool(summaries) and summaries[-1].malformed,
        faults=faults[:MOST_FAULTS],
        dropped=sum(summary.dropped for summary in summaries) + sum(block.dropped for block in blocks),
        smaller_first=any(summary.smaller_first for summary in summaries),
        extra=sum(summary.extra for summary in summaries),
        infinite=sum(summary.infinite for summary in summaries),
        self_retrieved=sum(summary.self_retrieved for summary in summaries),
        not_utf8=any(summary.not_utf8 for summary in summaries),
        tags=list(dict.fromkeys(tags[::-1]))[::-1],
        unknown=num_distinct(np.concatenate(hashes)) if hashes else 0,
        unknown_examples=list(dict.fromkeys(examples)),
        tied_rows=sum(block.tied_rows for block in blocks),
        duplicates=sorted(duplicate for block in blocks for duplicate in block.duplicates),
        shape=together(block.shape for block in blocks),
        encoding_note=source.encoding_note,
        format=parts.format,
    )
