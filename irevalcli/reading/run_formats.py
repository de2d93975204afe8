"""The formats in which runs are written, read by ``--run-format``, by sniffing and by the docs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.reading.formats import FormatEntry

if TYPE_CHECKING:
    from irevalcli.reading.run_format import RunFormat

RUN_FORMATS: dict[str, FormatEntry[RunFormat]] = {
    "trec": FormatEntry("TREC run", "qid Q0 docid rank score tag", "trec", "TREC"),
    "trec-no-q0": FormatEntry("TREC run without Q0", "qid docid rank score tag", "blank_runs", "WITHOUT_Q0"),
    "trec-no-rank": FormatEntry("TREC run without ranks", "qid Q0 docid score tag", "blank_runs", "WITHOUT_RANK"),
    "parquet": FormatEntry(
        "parquet file", "columns named qid, docid, score, rank, tag", "parquet_runs", "PARQUET", "recognised"
    ),
    "jsonl": FormatEntry(
        "JSONL", "qid docid score as keys, or {qid: {docid: score}}", "jsonl_runs", "JSONL.told", "JSONL.recognised"
    ),
    "json": FormatEntry("JSON object", "{qid: {docid: score}}", "json_runs", "JSON", "recognised"),
    "csv": FormatEntry("CSV", "as its header names them", "delimited_runs", "CSV.told", "CSV.recognised"),
    "tsv": FormatEntry("TSV", "as its header names them", "delimited_runs", "TSV.told", "TSV.recognised"),
    "msmarco": FormatEntry("MS MARCO run", "qid docid rank", "blank_runs", "MSMARCO", "three_columns"),
    "scored": FormatEntry("scores alone", "qid docid score", "blank_runs", "SCORED", "three_columns"),
    "ranked": FormatEntry("ranks and scores", "qid docid rank score", "blank_runs", "RANKED", "four_columns"),
}
"""Every format by its name in ``--run-format``; sniffing asks them in this order, TREC first."""
