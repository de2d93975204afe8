"""Runs in every format that can be written: what is written is read again as the same ranking."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.analysis.conversion import Room
from irevalcli.output.fields import csv_field
from irevalcli.output.id_text import decoded, encoded, escaped
from irevalcli.output.json_text import written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from irevalcli.analysis.conversion import RunContent
    from irevalcli.output.parquet import Kind

BLANKS = b" \t\n\v\f\r"
_quoted_json = json.JSONEncoder(ensure_ascii=False).encode


class RunWriter(NamedTuple):
    """A format.

    Attributes:
        room: what it has room for.
        write: the run as bytes, in parts.
        endings: of file names that choose it.
    """

    room: Room
    write: Callable[[RunContent], Iterator[bytes]]
    endings: tuple[str, ...] = ()


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


def tsv_id(text: str) -> str:
    """The id, in quotes only if it begins with one: readers take such a field for a quoted one."""
    return '"' + text.replace('"', '""') + '"' if text.startswith('"') else text


def csv_id(text: str) -> str:
    """The id, in quotes where RFC 4180 wants them, or where a line would look like a comment."""
    return f'"{text}"' if text.startswith("#") and '"' not in text else csv_field(text)


def _tsv(content: RunContent) -> Iterator[bytes]:
    return _delimited(content, "\t", tsv_id)


def _csv(content: RunContent) -> Iterator[bytes]:
    return _delimited(content, ",", csv_id)


def _json(content: RunContent) -> Iterator[bytes]:
    before = "{"
    for qid, docids, scores in content.queries():
        entries = ", ".join(
            f"{_quoted_json(decoded(docid))}: {score!r}" for docid, score in zip(docids, scores, strict=True)
        )
        yield escaped(f"{before}\n{_quoted_json(decoded(qid))}: {{{entries}}}")
        before = ","
    yield b"\n}\n"


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


RUN_WRITERS: dict[str, RunWriter] = {
    "trec": RunWriter(Room("trec", separators=BLANKS, comments=True), _trec, (".run", ".trec", ".res", ".txt")),
    "msmarco": RunWriter(Room("msmarco", scores=False, tag=False, separators=BLANKS, comments=True), _msmarco),
    "tsv": RunWriter(Room("tsv", separators=b"\t\r\n", comments=True), _tsv, (".tsv",)),
    "csv": RunWriter(Room("csv", separators=b"\r\n"), _csv, (".csv",)),
    "json": RunWriter(Room("json", tag=False, infinite=False), _json, (".json",)),
    "jsonl": RunWriter(Room("jsonl", infinite=False), _jsonl, (".jsonl",)),
    "parquet": RunWriter(Room("parquet"), _parquet, (".parquet",)),
}
"""Every format by its name, which is that of ``--run-format``."""
