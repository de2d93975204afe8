"""Which format a file is written in, by what it holds; names of files say nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.reading.blank_qrels import QRELS
from irevalcli.reading.faults import looks_like_run
from irevalcli.reading.formats import AUTO, recognised
from irevalcli.reading.heads import Head
from irevalcli.reading.numbers import strict_grade
from irevalcli.reading.qrels_formats import QRELS_FORMATS
from irevalcli.reading.run_formats import RUN_FORMATS
from irevalcli.reading.trec import TREC

if TYPE_CHECKING:
    from irevalcli.reading.opening import Source
    from irevalcli.reading.qrels_rows import QrelsFormat
    from irevalcli.reading.run_rows import RunFormat


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
    return TREC if looks_like_run(head.first) else recognised(RUN_FORMATS, head) or TREC


def qrels_format_of(source: Source, name: str = AUTO) -> QrelsFormat:
    """The format of qrels, which stay at their first byte; otherwise as `run_format_of`."""
    head = Head.of(source)
    if name != AUTO:
        return QRELS_FORMATS[name].format_of(head)
    ordinary = len(head.first) == QRELS.shape.width and strict_grade(head.first[-1]) is not None
    return QRELS if ordinary else recognised(QRELS_FORMATS, head) or QRELS
