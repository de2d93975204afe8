"""Qrels in every format that can be written: what is written is read again as the same judgments."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from irevalcli.analysis.conversion import Room
from irevalcli.output.id_text import decoded, encoded, escaped
from irevalcli.output.json_text import written
from irevalcli.output.writer import BLANKS, Writer, csv_id, nested_json, tsv_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from irevalcli.analysis.conversion import Judgment, QrelsContent
    from irevalcli.output.parquet import Kind


def _number(grade: float) -> int | float:
    return int(grade) if grade.is_integer() else grade


def _trec(content: QrelsContent) -> Iterator[bytes]:
    for qid, group, docid, grade in content.rows():
        yield b"%b %b %b %b\n" % (qid, group, docid, str(_number(grade)).encode())


def _graded(content: QrelsContent) -> Iterator[bytes]:
    for qid, _, docid, grade in content.merged():
        yield b"%b\t%b\t%b\n" % (qid, docid, str(_number(grade)).encode())


def _pairs(content: QrelsContent) -> Iterator[bytes]:
    for qid, _, docid, grade in content.merged():
        if grade >= 1:
            yield b"%b\t%b\n" % (qid, docid)


def _beir(content: QrelsContent) -> Iterator[bytes]:
    yield b"query-id\tcorpus-id\tscore\n"
    for qid, _, docid, grade in content.merged():
        yield encoded(f"{tsv_id(decoded(qid))}\t{tsv_id(decoded(docid))}\t{_number(grade)}\n")


def _delimited(content: QrelsContent, separator: str, field: Callable[[str], str]) -> Iterator[bytes]:
    yield encoded(separator.join(("qid", "iteration", "docid", "grade")) + "\n")
    for qid, group, docid, grade in content.rows():
        texts = (field(decoded(each)) for each in (qid, group, docid))
        yield encoded(separator.join((*texts, str(_number(grade)))) + "\n")


def _tsv(content: QrelsContent) -> Iterator[bytes]:
    return _delimited(content, "\t", tsv_id)


def _csv(content: QrelsContent) -> Iterator[bytes]:
    return _delimited(content, ",", csv_id)


def _json(content: QrelsContent) -> Iterator[bytes]:
    def qid(row: Judgment) -> bytes:
        return row.qid

    queries = groupby(content.merged(), qid)
    return nested_json((query, {decoded(row.docid): _number(row.grade) for row in rows}) for query, rows in queries)


def _jsonl(content: QrelsContent) -> Iterator[bytes]:
    for qid, group, docid, grade in content.rows():
        row = {"qid": decoded(qid), "iteration": decoded(group), "docid": decoded(docid), "grade": _number(grade)}
        yield escaped(f"{written(row)}\n")


def _parquet(content: QrelsContent) -> Iterator[bytes]:
    from irevalcli.output.parquet import parquet  # noqa: PLC0415  (an extra)

    columns: dict[str, Kind] = {"qid": "text", "iteration": "text", "docid": "text", "grade": "float64"}
    return parquet(content.rows(), columns, utf8=content.is_utf8)


_ALL = (
    Writer(Room("qrels", separators=BLANKS, comments=True), _trec, (".qrels", ".txt", ".trec")),
    Writer(Room("graded", groups=False, separators=BLANKS, comments=True), _graded),
    Writer(Room("pairs", groups=False, grades=False, separators=BLANKS, comments=True), _pairs),
    Writer(Room("beir", groups=False, separators=b"\t\r\n", comments=True), _beir),
    Writer(Room("tsv", separators=b"\t\r\n", comments=True), _tsv, (".tsv",)),
    Writer(Room("csv", separators=b"\r\n"), _csv, (".csv",)),
    Writer(Room("json", groups=False), _json, (".json",)),
    Writer(Room("jsonl"), _jsonl, (".jsonl",)),
    Writer(Room("parquet"), _parquet, (".parquet",)),
)
QRELS_WRITERS: dict[str, Writer[QrelsContent]] = {writer.room.name: writer for writer in _ALL}
"""Every format by its name, which is that of ``--qrels-format``."""
