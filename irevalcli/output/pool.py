"""Pools, written for programs and for those who judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli import __version__
from irevalcli.output.id_text import decoded, escaped
from irevalcli.output.json_text import written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.pool import Pool

SCHEMA = 1
"""Rises when a reader of the object would have to change."""

UNJUDGED = b"-1"
"""The grade that stands for pooled, but not judged."""


def render_tsv(pool: Pool) -> Iterator[bytes]:
    """A row for each document: qid, docid, best rank, number of runs. Ids stand as they are in the files."""
    yield b"query\tdocument\tbest_rank\truns\n"
    for query in pool.queries:
        rows = zip(query.docids, query.best_rank, query.runs, strict=True)
        yield b"".join(b"%b\t%b\t%d\t%d\n" % (query.qid, docid, rank, runs) for docid, rank, runs in rows)


def render_qrels(pool: Pool) -> Iterator[bytes]:
    """Qrels in which every grade is still to be put in: -1, which evaluators read as pooled but unjudged."""
    for query in pool.queries:
        yield b"".join(b"%b 0 %b %b\n" % (query.qid, docid, UNJUDGED) for docid in query.docids)


def render_json(pool: Pool) -> Iterator[bytes]:
    """One object: the files, and the documents by query."""
    head = {
        "schema": SCHEMA,
        "tool": {"name": "irevalcli", "version": __version__},
        "runs": list(pool.runs),
        "depth": pool.depth,
        "judged": pool.qrels_path,
        "notes": [note._asdict() for note in pool.notes],
    }
    yield escaped("{\n" + "".join(f"  {written(key)}: {written(value)},\n" for key, value in head.items()))
    yield b'  "queries": ['
    for place, query in enumerate(pool.queries):
        documents = [
            {"document": decoded(docid), "best_rank": rank, "runs": runs}
            for docid, rank, runs in zip(query.docids, query.best_rank, query.runs, strict=True)
        ]
        record = {"query": decoded(query.qid), "judged": query.judged, "documents": documents}
        yield escaped("," * bool(place) + "\n    " + written(record))
    yield b"\n  ]\n}\n"
