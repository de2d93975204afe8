"""``--query-text`` and ``--doc-text``: what queries and documents say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.errors import UsageProblem

if TYPE_CHECKING:
    from irevalcli.output.prose import Texts


def texts_of(query: bytes, docids: set[bytes], query_text: str | None, doc_text: str | None) -> Texts:
    """The texts of a query and of the documents that are shown.

    Args:
        query: the qid.
        docids: the documents.
        query_text: the file of ``--query-text``, or None.
        doc_text: the file of ``--doc-text``, or None.

    Raises:
        InputProblem: a file cannot be read.
        UsageProblem: a file has no text for any of them.
    """
    from irevalcli.output.prose import Texts  # noqa: PLC0415  (it imports numpy, which --help does without)
    from irevalcli.reading.texts import read_texts  # noqa: PLC0415

    queries = read_texts(query_text, {query}) if query_text else {}
    documents = read_texts(doc_text, docids) if doc_text else {}
    for name, path, wanted, found in (
        ("--query-text", query_text, {query}, queries),
        ("--doc-text", doc_text, docids, documents),
    ):
        if path and wanted and not found:
            what = "the query" if name == "--query-text" else "any document shown"
            raise UsageProblem(f"{name} {path}: no text of {what}", hints=("a line is: id, tab, text",))
    return Texts(queries, documents)
