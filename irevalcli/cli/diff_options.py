"""Options of ``irevalcli diff``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeVar

import click

from irevalcli.cli.argument_types import Level, Suggested
from irevalcli.cli.commands import option, with_options
from irevalcli.cli.single_options import (
    digits_option,
    doc_text_option,
    export_option,
    format_option,
    progress_option,
    query_text_option,
)

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")

FORMATS = ("table", "tsv", "csv", "json", "markdown")
SUFFIXES = {".txt": "table", ".tsv": "tsv", ".csv": "csv", ".json": "json", ".md": "markdown"}
FOR_PEOPLE = {"table", "markdown"}
TOP = 10
"""How many queries a table shows at either end."""


class Tolerance(Level):
    """A number of 0 or more."""

    name = "tolerance"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401
        """The number, which is finite."""
        tolerance = super().convert(value, param, ctx)
        if math.copysign(1, tolerance) < 0:
            self.fail(f"{value!r} is less than 0", param, ctx)
        return tolerance


_OPTIONS = (
    option("Input", "--query", metavar="QID", help="Show what changed in the ranking of this query, by document."),
    query_text_option,
    doc_text_option,
    option(
        "Method",
        "--tolerance",
        type=Tolerance(),
        default="1e-9",
        show_default=True,
        metavar="X",
        help="Values no farther apart than this are the same.",
    ),
    option(
        "Method",
        "--depth",
        type=click.IntRange(min=1),
        default=10,
        show_default=True,
        metavar="K",
        help="Overlap and unjudged documents down to rank K; with --query, documents down to there.",
    ),
    option(
        "Method",
        "--ranks",
        type=click.IntRange(min=1),
        default=100,
        show_default=True,
        metavar="K",
        help="RBO and τ_AP look at the first K documents of a query.",
    ),
    option("Method", "--exit-code", is_flag=True, help="Exit with 1 if anything differs."),
    option(
        "Output",
        "--top",
        type=click.IntRange(min=0),
        metavar="N",
        help=f"Show the N worst and the N best queries; 0 shows all.  [default: {TOP} in tables, otherwise all]",
    ),
    option(
        "Output",
        "--by",
        type=Suggested(["measure", "overlap", "rbo", "tau"]),
        default="measure",
        show_default=True,
        help="Order of queries: by the change of the measure, or by how alike the rankings are, least alike first.",
    ),
    option(
        "Output",
        "--only",
        type=Suggested(["better", "worse", "changed"]),
        help="Show only queries that became better, became worse, or changed.",
    ),
    format_option(["auto", *FORMATS]),
    export_option("results"),
    digits_option(),
    progress_option,
)


def diff_options(command: F) -> F:
    """What only this command asks."""
    return with_options(command, *_OPTIONS)
