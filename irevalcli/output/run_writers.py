"""Runs in every format that can be written: what is written is read again as the same ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.analysis.conversion import Room
from irevalcli.output.id_text import decoded, encoded, escaped
from irevalcli.output.json_text import written
from irevalcli.output.writer import BLANKS, Writer, csv_id, nested_json, tsv_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from irevalcli.analysis.conversion import RunContent
    from irevalcli.output.parquet import Kind


def _trec(content: RunContent) -> Iterator[bytes]:
    for qid, docids, scores in content.queries():
        yield b"".join(
            b"%b Q0 %b %d %b %b\n" % (qid, docid, rank, repr(score).encode(), content.tag)
            for rank, (docid, score) in enumerate(zip(docids, scores, strict=True), 1)
        )


def _msmarco(content: RunContent) -> Iterator[bytes]:
    for qid, docids, _ in content.queries():
        yield b"".join(b"%b\t%b\t%d\n" % (qid, docid, rank) for rank, docid in enumerate(docids, 1))


def _delimited(content: RunContent, separator: str, field: Callable[[str], str]) -> Iterator[bytes]:
    tag = field(decoded(content.tag))
    yield encoded(separator.join(("qid", "docid", "rank", "score", "tag")) + "\n")
    for qid, docids, scores in content.queries():
        query = field(decoded(qid))
        yield b"".join(
            encoded(separator.join((query, field(decoded(docid)), str(rank), repr(score), tag)) + "\n")
            for rank, (docid, score) in enumerate(zip(docids, scores, strict=True), 1)
        )


def _tsv(content: RunContent) -> Iterator[bytes]:
    return _delimited(content, "\t", tsv_id)


def _csv(content: RunContent) -> Iterator[bytes]:
    return _delimited(content, ",", csv_id)


def _json(content: RunContent) -> Iterator[bytes]:
    queries = content.queries()
    return nested_json((qid, dict(zip(map(decoded, docids), scores, strict=True))) for qid, docids, scores in queries)


def _jsonl(content: RunContent) -> Iterator[bytes]:
    tag = decoded(content.tag)
    for qid, docids, scores in content.queries():
        query = decoded(qid)
        rows = (
            {"qid": query, "docid": decoded(docid), "rank": rank, "score": score, "tag": tag}
            for rank, (docid, score) in enumerate(zip(docids, scores, strict=True), 1)
        )
        yield escaped("".join(f"{written(row)}\n" for row in rows))


def _parquet(content: RunContent) -> Iterator[bytes]:
    from irevalcli.output.parquet import parquet  # noqa: PLC0415  (an extra)

    tag = content.tag
    rows = (
        (qid, docid, rank, score, tag)
        for qid, docids, scores in content.queries()
        for rank, (docid, score) in enumerate(zip(docids, scores, strict=True), 1)
    )
    columns: dict[str, Kind] = {"qid": "text", "docid": "text", "rank": "int64", "score": "float64", "tag": "text"}
    return parquet(rows, columns, utf8=content.is_utf8)


_ALL = (
    Writer(Room("trec", separators=BLANKS, comments=True), _trec, (".run", ".trec", ".res", ".txt")),
    Writer(Room("msmarco", scores=False, tag=False, separators=BLANKS, comments=True), _msmarco),
    Writer(Room("tsv", separators=b"\t\r\n", comments=True), _tsv, (".tsv",)),
    Writer(Room("csv", separators=b"\r\n"), _csv, (".csv",)),
    Writer(Room("json", tag=False, infinite=False), _json, (".json",)),
    Writer(Room("jsonl", infinite=False), _jsonl, (".jsonl",)),
    Writer(Room("parquet"), _parquet, (".parquet",)),
)
RUN_WRITERS: dict[str, Writer[RunContent]] = {writer.room.name: writer for writer in _ALL}
"""Every format by its name, which is that of ``--run-format``."""
