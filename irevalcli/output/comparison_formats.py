"""The formats of comparisons, one record each."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from irevalcli.output.registry import Format

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.compare import Comparison
    from irevalcli.output.registry import Layout

FORMATS: dict[str, Format] = {
    "table": Format("aligned text with footnotes and a conclusion", "comparison_table", suffix=".txt"),
    "tsv": Format(
        "tab-separated rows, one for each measure, run and baseline", "comparison_rows", "render_tsv", ".tsv"
    ),
    "csv": Format("the same, separated by commas", "comparison_rows", "render_csv", ".csv"),
    "json": Format("one object with everything that was done and found", "comparison_json", suffix=".json"),
    "markdown": Format("tables for pull requests", "comparison_markdown", suffix=".md"),
    "latex": Format("a booktabs table: best in bold, letters for what was shown", "comparison_latex", suffix=".tex"),
}
"""Every format by its name in ``--format``."""

SUFFIXES: dict[str, str] = {record.suffix: name for name, record in FORMATS.items()}


def render_comparison(comparison: Comparison, name: str, layout: Layout, *, verbose: bool) -> Iterator[bytes]:
    """The comparison in the format called `name`, as pieces of the output in order."""
    record = FORMATS[name]
    renderer = getattr(import_module(f"irevalcli.output.{record.module}"), record.function)
    pieces: Iterator[bytes] = renderer(comparison, layout, verbose=verbose)
    return pieces
