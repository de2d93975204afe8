"""Which format a file is written in, by what it holds; names of files say nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from irevalcli.reading.blank_qrels import QRELS
from irevalcli.reading.faults import looks_like_qrels, looks_like_run
from irevalcli.reading.formats import AUTO, recognised
from irevalcli.reading.heads import Head
from irevalcli.reading.numbers import strict_grade
from irevalcli.reading.qrels_formats import QRELS_FORMATS
from irevalcli.reading.run_formats import RUN_FORMATS
from irevalcli.reading.run_rows import TREC_SHAPE
from irevalcli.reading.strangers import (
    fields_of_first,
    refuse_carriage_returns,
    refuse_other_kind,
    refuse_split_ids,
    refuse_stranger,
)
from irevalcli.reading.trec import TREC

if TYPE_CHECKING:
    from collections.abc import Mapping

    from irevalcli.reading.formats import FormatEntry
    from irevalcli.reading.opening import Source
    from irevalcli.reading.qrels_format import QrelsFormat
    from irevalcli.reading.run_format import RunFormat

F = TypeVar("F")


def run_format_of(source: Source, name: str = AUTO) -> RunFormat:
    """The format of a run, which stays at its first byte.

    Args:
        source: the run.
        name: of the format in `RUN_FORMATS` that the user says it has; ``auto`` leaves it to the first lines. If no
            format fits, the file is read as a TREC run, whose faults say what was expected.

    Raises:
        InputProblem: the source cannot be read, or contradicts the named format.
        MissingExtra: an optional package is needed to read it.
    """
    if name == TREC.name:
        return TREC
    head = Head.of(source)
    if name != AUTO:
        return RUN_FORMATS[name].format_of(head)
    ordinary = looks_like_run(head.first)
    return _sniffed(head, "run", TREC, RUN_FORMATS, width=TREC_SHAPE.width, ordinary=ordinary)


def qrels_format_of(source: Source, name: str = AUTO) -> QrelsFormat:
    """The format of qrels, which stay at their first byte; otherwise as `run_format_of`."""
    head = Head.of(source)
    if name != AUTO:
        return QRELS_FORMATS[name].format_of(head)
    ordinary = len(head.first) == QRELS.shape.width and strict_grade(head.first[-1]) is not None
    return _sniffed(head, "qrels", QRELS, QRELS_FORMATS, width=QRELS.shape.width, ordinary=ordinary)


def _sniffed(
    head: Head, kind: str, usual: F, entries: Mapping[str, FormatEntry[F]], *, width: int, ordinary: bool
) -> F:
    """The format that the head shows.

    Args:
        head: of the file.
        kind: ``run`` or ``qrels``, for messages.
        usual: the format that most files have. If the head shows none, its faults say what was expected.
        entries: all formats.
        width: columns of the usual one.
        ordinary: the first line shows the usual one.

    Raises:
        InputProblem: the file is something else altogether, or blanks cut its ids.
    """
    refuse_carriage_returns(head)
    refuse_split_ids(head, (3, width), 3, kind)
    if ordinary:
        return usual
    refuse_other_kind(head, kind)
    found = recognised(entries, head)
    if found is None:
        refuse_stranger(head, kind)
    return found or usual


def holds_judgments(head: Head) -> bool | None:
    """Whether a file holds judgments and not a run, as far as its first line tells; None if it may hold either."""
    first = fields_of_first(head)
    if looks_like_run(first):
        return False
    if looks_like_qrels(first):
        return True
    from irevalcli.reading.headers import names_judgments  # noqa: PLC0415  (start-up: most files are TREC's)

    return names_judgments(_names(head))


def _names(head: Head) -> list[bytes]:
    """The names of the columns of a file with a header, or the keys of its first line of JSON."""
    from irevalcli.reading.delimited_heads import CSV, TSV, named_start  # noqa: PLC0415
    from irevalcli.reading.headers import QRELS_ROLES, RUN_ROLES  # noqa: PLC0415
    from irevalcli.reading.json_objects import keys_of_line  # noqa: PLC0415

    start = named_start(head, (*CSV, *TSV), (*RUN_ROLES, *QRELS_ROLES))
    return keys_of_line(head) if start is None else [field.text for field in start.line.fields]
