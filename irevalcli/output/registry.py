"""The formats of scores: one record each, and the way to render an evaluation in any of them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Literal, NamedTuple

from irevalcli.errors import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from irevalcli.analysis.scores import Evaluation

    Renderer = Callable[["Evaluation", "Layout"], Iterator[bytes]]

Names = Literal["canonical", "trec", "given"]


class Layout(NamedTuple):
    """How scores are laid out; nothing here changes a number.

    Attributes:
        per_query: show the value of every counted query.
        summary: show the aggregates.
        digits: decimals of real numbers; None is full precision. JSON and JSON lines always have full precision.
        names: how measures are named; None is the format's habit, trec_eval's names in ``trec`` and canonical ones
            elsewhere.
        sort: ``run``, ``measure``, ``query`` or ``value``, and for ``value`` the measure ("" is the first one); None
            leaves runs and measures as they were asked for, and queries in byte order.
        width: columns of the terminal; None is no terminal and no limit.
        colour: whether ANSI escapes may be written (bold for the best of several runs).
        unicode: whether the terminal shows more than ASCII.
    """

    per_query: bool = False
    summary: bool = True
    digits: int | None = 4
    names: Names | None = None
    sort: tuple[str, str] | None = None
    width: int | None = None
    colour: bool = False
    unicode: bool = True


class Format(NamedTuple):
    """A format.

    Attributes:
        summary: what it is, in a line for the help.
        module: where its function ``render`` lives, below `irevalcli.output`.
        function: the name of that function.
        suffix: file name suffix that chooses the format in ``--export``, or "".
        names: how measures are named unless the user says.
    """

    summary: str
    module: str
    function: str = "render"
    suffix: str = ""
    names: Names = "canonical"


FORMATS: dict[str, Format] = {
    "table": Format("aligned text: runs as rows, measures as columns", "table", suffix=".txt"),
    "trec": Format("trec_eval's lines: measure, query, value", "trec", names="trec"),
    "tsv": Format("tab-separated rows: run, query, measure, value", "delimited", "render_tsv", ".tsv"),
    "csv": Format("comma-separated rows: run, query, measure, value", "delimited", "render_csv", ".csv"),
    "json": Format("one object with files, options, measures, coverage and scores", "json_object", suffix=".json"),
    "jsonl": Format("one object per value: run, query, measure, value", "json_lines", suffix=".jsonl"),
    "markdown": Format("a table for pull requests and job summaries", "markdown", suffix=".md"),
}
"""Every format by its name in ``--format``, in the order of the help."""

SUFFIXES: dict[str, str] = {record.suffix: name for name, record in FORMATS.items() if record.suffix}
"""The format that a file name's suffix stands for."""


def render(evaluation: Evaluation, name: str, layout: Layout) -> Iterator[bytes]:
    r"""The evaluation in the format called `name`, as pieces of the output in order.

    Ids are written byte for byte in ``trec``, ``tsv`` and ``csv``; where text is wanted, bytes that are no UTF-8 show
    as ``\udcXX``.

    Raises:
        UsageProblem: no format has that name, or the measure to sort by is not among the scores.
    """
    record = FORMATS.get(name)
    if record is None:
        from difflib import get_close_matches  # noqa: PLC0415  (start-up: the help reads this table)

        close = get_close_matches(name, FORMATS, 1)
        hint = f"did you mean {close[0]}?" if close else f"formats: {', '.join(FORMATS)}"
        raise UsageProblem(f"unknown format '{name}'", hints=(hint,))
    # Only the renderer that is asked for is imported.
    renderer: Renderer = getattr(import_module(f"irevalcli.output.{record.module}"), record.function)
    ordered = import_module("irevalcli.output.order").ordered(evaluation, layout.sort)
    return renderer(ordered, layout._replace(names=layout.names or record.names))
