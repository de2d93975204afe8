"""The formats in which qrels are written, read by ``--qrels-format``, by sniffing and by the docs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.reading.formats import FormatEntry

if TYPE_CHECKING:
    from irevalcli.reading.qrels_format import QrelsFormat

QRELS_FORMATS: dict[str, FormatEntry[QrelsFormat]] = {
    "qrels": FormatEntry("TREC qrels", "qid 0 docid grade", "blank_qrels", "QRELS"),
    "qrels_jg": FormatEntry("judgment groups", "qid group docid grade", "blank_qrels", "QRELS_JG"),
    "prefs": FormatEntry("preferences", "qid group subgroup docid level", "blank_qrels", "PREFS"),
    "qrels_prefs": FormatEntry("preferences in four columns", "qid group docid level", "blank_qrels", "QRELS_PREFS"),
    "parquet": FormatEntry("parquet file", "columns named qid, docid, grade", "parquet_qrels", "told", "recognised"),
    "jsonl": FormatEntry(
        "JSONL", "qid docid grade as keys, or {qid: {docid: grade}}", "jsonl_qrels", "JSONL.told", "JSONL.recognised"
    ),
    "json": FormatEntry("JSON object", "{qid: {docid: grade}}", "json_qrels", "told", "recognised"),
    "csv": FormatEntry("CSV", "as its header names them", "delimited_qrels", "CSV.told", "CSV.recognised"),
    "tsv": FormatEntry("TSV", "as its header names them", "delimited_qrels", "TSV.told", "TSV.recognised"),
    "beir": FormatEntry(
        "BEIR qrels", "query-id corpus-id score, under a header", "delimited_qrels", "TSV.told", "TSV.recognised"
    ),
    "pairs": FormatEntry("relevant documents alone", "qid docid", "blank_qrels", "PAIRS", "two_columns"),
    "graded": FormatEntry("grades alone", "qid docid grade", "blank_qrels", "GRADED", "three_columns"),
    "prels": FormatEntry(
        "sampled judgments for statAP", "qid docid grade method probability", "blank_qrels", "PRELS.refuse"
    ),
    "sampled": FormatEntry(
        "sampled judgments for infAP", "qid 0 docid stratum grade", "blank_qrels", "STRATA.refuse", "five_columns"
    ),
}
"""Every format by its name in ``--qrels-format``; sniffing asks them in this order, TREC's four columns first."""
