"""Runs as JSONL: an object for each retrieved document, or for each query."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from irevalcli.reading.headers import RUN_ROLES, run_columns, run_note, run_shape
from irevalcli.reading.jsonl_heads import json_start
from irevalcli.reading.jsonl_lines import json_rows
from irevalcli.reading.jsonl_values import NESTED, Keys
from irevalcli.reading.pieces import pieces
from irevalcli.reading.rules import RUN_FIELDS, RUN_SCORE
from irevalcli.reading.run_rows import RunRows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.errors import Finding
    from irevalcli.reading.heads import Head
    from irevalcli.reading.jsonl_heads import JsonStart
    from irevalcli.reading.opening import Source
    from irevalcli.reading.pieces import Piece
    from irevalcli.reading.run_format import RunFormat
    from irevalcli.reading.run_rows import Wanted

LINE = '{"qid": "q01", "docid": "tyre-04", "score": 13.72}'
NESTED_LINE = '{"q01": {"tyre-04": 13.72, "tyre-01": 12.9}}'


class JsonLinesRun(NamedTuple):
    """A run as JSONL.

    Attributes:
        keys: those of a line, or those that stand for nested ones.
        rank, tag: keys of the rank and the run tag, or "".
        smaller_first: the number is a rank.
        note: as `RunFormat.note`.
        name: as ``--run-format`` has it.
        otherwise: as `RunFormat.otherwise`.
    """

    keys: Keys
    rank: str = ""
    tag: str = ""
    smaller_first: bool = False
    note: str = ""
    name: str = "jsonl"
    otherwise: RunFormat | None = None

    def pieces(self, source: Source, spare: list[bytearray]) -> Iterator[Piece]:
        """As `RunFormat.pieces`."""
        key = b'"' + self.keys.ids[0].encode("utf-8", "surrogateescape") + b'"'

        def qid_of(line: bytes) -> bytes:
            return line.partition(b"\n")[0].partition(key)[2].partition(b",")[0]

        return pieces(source, spare, bytes if self.keys.nested else qid_of)

    def rows(self, piece: Piece, wanted: Wanted) -> RunRows:
        """As `RunFormat.rows`."""
        rank = self.rank if wanted.ranks else ""
        keys = self.keys._replace(texts=tuple(filter(None, (rank, self.tag))), infinite=True)
        rows = json_rows(piece, keys, skip=wanted.skip)
        found = dict(zip(keys.all, rows.columns, strict=True))
        qids, docids, scores = rows.columns[:3]
        return RunRows(
            rows.data,
            qids,
            docids,
            scores,
            found.get(rank),
            found.get(self.tag),
            rows.lines,
            rows.line_count,
            rows.malformed,
            smaller_first=self.smaller_first,
            dropped=rows.dropped,
        )

    def faults(self, piece: Piece, path: str, wanted: Wanted) -> list[Finding]:
        """As `RunFormat.faults`."""
        from irevalcli.reading.jsonl_faults import Sentences, json_faults  # noqa: PLC0415  (start-up: faults are rare)

        keys = self.keys._replace(texts=tuple(filter(None, (self.tag,))), infinite=True)
        words = "rank" if self.smaller_first else "score"
        example = NESTED_LINE if keys.nested else LINE
        rank = self.rank if wanted.ranks == "needed" else ""
        sentences = Sentences(RUN_FIELDS, RUN_SCORE, words, ("the query", "the document"), example, rank)
        return json_faults(piece, path, keys, sentences, wanted.of_each)


def jsonl(head: Head) -> JsonLinesRun:
    """The format of a run that is said to be JSONL.

    Raises:
        InputProblem: its first line lacks a key or has one twice.
    """
    start = json_start(head)
    if start is None or not (start.nested or start.line.fields):
        return JsonLinesRun(Keys(("qid", "docid"), "score"))
    return JsonLinesRun(NESTED) if start.nested else _by_keys(start, head.name)


def known_jsonl(head: Head) -> JsonLinesRun | None:
    """The format of a run that is JSONL, or None; a single object that is no row is JSON of another format.

    Raises:
        InputProblem: its first line lacks a key or has one twice.
    """
    start = json_start(head)
    if start is None or (start.alone and not start.is_row(RUN_ROLES)):
        return None
    return jsonl(head)


def _by_keys(start: JsonStart, path: str) -> JsonLinesRun:
    columns = run_columns(start.line, path)
    names = [field.text.decode("utf-8", "surrogateescape") for field in start.line.fields]
    shape = run_shape(columns, len(names))
    rank, tag = ("" if place is None else names[place] for place in (shape.rank, shape.tag))
    keys = Keys((names[shape.qid], names[shape.docid]), names[shape.score])
    return JsonLinesRun(keys, rank, tag, shape.smaller_first, run_note("JSONL", columns))
