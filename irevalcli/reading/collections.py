"""Judgments of standard collections, by the ids of ir_datasets: ``irds:ID``. May download them."""

from __future__ import annotations

import io
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from irevalcli.errors import Finding, InputProblem, MissingExtra
from irevalcli.reading.rules import CANNOT_OPEN

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEADER = b"qid\titeration\tdocid\tgrade\n"


class Collection:
    """The judgments of a collection, as a file of tab-separated text with a header.

    Args:
        path: ``irds:`` and the id.

    Attributes:
        name: what messages call it.
        size: bytes of the text.

    Raises:
        InputProblem: ir_datasets does not know the id, has no judgments for it, or cannot get them.
        MissingExtra: ir_datasets is not installed.
    """

    share_read = None

    def __init__(self, path: str) -> None:
        self.name = path
        self._text = _HEADER + b"".join(_lines(path))
        self.size = len(self._text)

    def start(self) -> io.BytesIO:
        """The stream of the bytes, from the first on."""
        return io.BytesIO(self._text)

    def packed_size(self) -> int:
        """Bytes of the text."""
        return self.size

    def blocks(self) -> Iterator[bytes]:
        """Its bytes."""
        yield self._text

    def archive(self) -> NoReturn:
        """No archive.

        Raises:
            InputProblem: always.
        """
        raise _problem(self.name, "judgments are no archive")

    def close(self) -> None:
        """Nothing is open."""


def _lines(path: str) -> Iterator[bytes]:
    try:
        datasets = import_module("ir_datasets")
    except ImportError:
        raise MissingExtra(f"reading {path}", "datasets") from None
    identifier = path.partition(":")[2]
    try:
        dataset = datasets.load(identifier)
    except KeyError:
        raise _problem(path, f"ir_datasets knows no collection '{identifier}'") from None
    if not dataset.has_qrels():
        raise _problem(path, f"ir_datasets has no judgments for '{identifier}'")
    try:
        yield from map(_line, dataset.qrels_iter())
    except Exception as error:  # noqa: BLE001  (downloads fail in many ways)
        reason = " ".join(str(error).split())[:200]
        raise _problem(path, f"ir_datasets cannot get the judgments: {reason}") from None


def _line(judgment: Any) -> bytes:  # noqa: ANN401
    group = getattr(judgment, "subtopic_id", None) or getattr(judgment, "iteration", None) or "0"
    return f"{judgment.query_id}\t{group}\t{judgment.doc_id}\t{judgment.relevance}\n".encode()


def _problem(path: str, message: str) -> InputProblem:
    advice = "ids are listed at https://ir-datasets.com; or name a file"
    return InputProblem.of(Finding(CANNOT_OPEN.code, message, path, help=advice))
