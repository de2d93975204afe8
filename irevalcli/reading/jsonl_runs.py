"""Runs as JSONL: an object for each retrieved document, or for each query."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from irevalcli.reading.blank_runs import SCORED
from irevalcli.reading.headers import RUN_ROLES, run_columns, run_note, run_shape
from irevalcli.reading.jsonl_heads import JsonLinesKind, names_of
from irevalcli.reading.jsonl_lines import json_rows
from irevalcli.reading.jsonl_values import Keys
from irevalcli.reading.pieces import pieces
from irevalcli.reading.rules import RUN_FIELDS, RUN_SCORE
from irevalcli.reading.run_rows import Wanted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.errors import Finding
    from irevalcli.reading.faults import DataLine
    from irevalcli.reading.heads import Head
    from irevalcli.reading.opening import Source
    from irevalcli.reading.pieces import Piece
    from irevalcli.reading.run_format import RunFormat
    from irevalcli.reading.run_rows import RunRows, RunShape

LINE = '{"qid": "q01", "docid": "tyre-04", "score": 13.72}'
NESTED_LINE = '{"q01": {"tyre-04": 13.72, "tyre-01": 12.9}}'


class JsonLinesRun(NamedTuple):
    """A run as JSONL.

    Attributes:
        names: the keys of the first line, in order.
        shape: which of them stands for what.
        nested: there are none of these keys: lines have the form ``{qid: {docid: score}}``.
        note: as `RunFormat.note`.
        name: as ``--run-format`` has it.
        otherwise: as `RunFormat.otherwise`.
    """

    names: tuple[str, ...]
    shape: RunShape
    nested: bool = False
    note: str = ""
    name: str = "jsonl"
    otherwise: RunFormat | None = None

    def keys(self, wanted: Wanted) -> Keys:
        """What is read of every line."""
        qid, docid, score, *texts = (self.names[place] for place in self.shape.columns(wanted))
        return Keys((qid, docid), score, tuple(texts), self.nested, infinite=True)

    def pieces(self, source: Source, spare: list[bytearray]) -> Iterator[Piece]:
        """As `RunFormat.pieces`."""
        key = b'"' + self.names[self.shape.qid].encode("utf-8", "surrogateescape") + b'"'

        def qid_of(line: bytes) -> bytes:
            return line.partition(b"\n")[0].partition(key)[2].partition(b",")[0]

        return pieces(source, spare, bytes if self.nested else qid_of)

    def rows(self, piece: Piece, wanted: Wanted) -> RunRows:
        """As `RunFormat.rows`."""
        return self.shape.rows(*json_rows(piece, self.keys(wanted), skip=wanted.skip), wanted)

    def faults(self, piece: Piece, path: str, wanted: Wanted) -> list[Finding]:
        """As `RunFormat.faults`."""
        from irevalcli.reading.jsonl_faults import Sentences, json_faults  # noqa: PLC0415  (start-up: faults are rare)

        shape = self.shape
        words = "rank" if shape.smaller_first else "score"
        example = NESTED_LINE if self.nested else LINE
        rank = "" if shape.rank is None or wanted.ranks != "needed" else self.names[shape.rank]
        sentences = Sentences(RUN_FIELDS, RUN_SCORE, words, ("the query", "the document"), example, rank)
        return json_faults(piece, path, self.keys(Wanted()), sentences, wanted.of_each)


def _keyed(line: DataLine, head: Head) -> JsonLinesRun:
    columns = run_columns(line, head.name)
    names = names_of(line)
    return JsonLinesRun(names, run_shape(columns, len(names)), note=run_note("JSONL", columns))


_PLAIN = JsonLinesRun(("qid", "docid", "score"), SCORED.shape)
JSONL = JsonLinesKind(RUN_ROLES, _PLAIN._replace(nested=True), _PLAIN, _keyed)
