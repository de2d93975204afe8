"""The rows of runs in other formats than TREC's, read by Python's own csv and json, line by line."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.reading.delimited_runs import DelimitedRun
from irevalcli.reading.json_runs import JSON
from irevalcli.reading.jsonl_runs import JsonLinesRun
from irevalcli.reading.trec import BlankRun

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.reading.run_format import RunFormat

Triple = tuple[bytes, bytes, float]
"""Query, document and score, or rank."""


def plain_rows(layout: RunFormat, text: bytes) -> list[Triple] | None:
    """The rows of a file without a fault; None if there is no plain reader for the format."""
    if layout is JSON:
        return list(_of_object(text))
    if isinstance(layout, BlankRun):
        shape = layout.shape
        lines = [line.split() for line in text.split(b"\n")]
        kept = [fields for fields in lines if fields and not fields[0].startswith(b"#")]
        return [(fields[shape.qid], fields[shape.docid], float(fields[shape.score])) for fields in kept]
    if isinstance(layout, JsonLinesRun):
        return list(_of_lines(layout, text))
    return list(_of_delimited(layout, text)) if isinstance(layout, DelimitedRun) else None


def _of_delimited(layout: DelimitedRun, text: bytes) -> Iterator[Triple]:
    shape, separator = layout.shape, chr(layout.dialect.separator)
    for raw in text.split(b"\n"):
        line = raw.removesuffix(b"\r")
        if not line.strip() or line == layout.header:
            continue
        # latin-1 keeps every byte; no field holds a line break.
        told = line.decode("latin-1")
        if layout.dialect.guards:
            try:
                (fields,) = csv.reader([told], delimiter=separator, strict=True)
            except csv.Error:
                if line.startswith(b"#"):
                    continue
                raise
        else:
            fields = [_unwrapped(field) for field in told.split(separator)]
        if line.startswith(b"#") and len(fields) != shape.width:
            continue
        qid, docid = (fields[place].encode("latin-1") for place in (shape.qid, shape.docid))
        yield qid, docid, float(fields[shape.score])


def _unwrapped(field: str) -> str:
    """A field of TSV: quotes around it are not part of it if all quotes inside are doubled."""
    if len(field) < 2 or field[0] != '"' or field[-1] != '"':
        return field
    parts = field[1:-1].split('""')
    return field if any('"' in part for part in parts) else '"'.join(parts)


class _Pairs(NamedTuple):
    """An object with its keys in order, and again as often as they are written."""

    pairs: list[tuple[str, object]]


def _of_object(text: bytes) -> Iterator[Triple]:
    decoder = json.JSONDecoder(object_pairs_hook=_Pairs)
    rest = text.decode("utf-8", "surrogateescape").strip(" \t\r\n")
    while rest:
        whole, end = decoder.raw_decode(rest)
        for qid, known in whole.pairs:
            for docid, score in known.pairs:
                yield _as_bytes(qid), _as_bytes(docid), float(score)
        rest = rest[end:].strip(" \t\r\n")


def _of_lines(layout: JsonLinesRun, text: bytes) -> Iterator[Triple]:
    names, shape = layout.names, layout.shape
    for line in text.split(b"\n"):
        if not line.strip() or line.strip().startswith(b"#"):
            continue
        entry = json.loads(line.decode("utf-8", "surrogateescape"), parse_int=_Whole, object_pairs_hook=_Pairs).pairs
        if layout.nested:
            rows = [(qid, docid, score) for qid, known in entry for docid, score in known.pairs]
        else:
            only = _once(entry)
            rows = [(only[names[shape.qid]], only[names[shape.docid]], only[names[shape.score]])]
        for qid, docid, score in rows:
            yield _as_bytes(str(qid)), _as_bytes(str(docid)), float(score)


class _Whole(str):
    """An integer as it is written, which an id may be."""

    __slots__ = ()


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """The object, whose keys must differ: which one of two counts is not for a reference to say."""
    if len(dict(pairs)) < len(pairs):
        raise AssertionError(f"accepted, although a key comes twice: {pairs}")
    return dict(pairs)


def _as_bytes(text: str) -> bytes:
    """Text as UTF-8, its surrogates as the bytes that they stand for if they do for some."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
