"""Groups of options that commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from irevalcli.cli.argument_types import FileType, Level, MeasureType, SortType, Suggested
from irevalcli.cli.commands import option, print_short_help, with_options
from irevalcli.cli.single_options import (
    VARIABLES,
    digits_option,
    exclude_self_option,
    export_option,
    format_option,
    progress_option,
    queries_option,
)
from irevalcli.errors import UsageProblem
from irevalcli.measures.nicknames import DEFAULT_MEASURES
from irevalcli.output.registry import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

F = TypeVar("F", bound="Callable[..., Any]")


def input_options(command: F) -> F:
    """The options on which queries and documents count."""
    return query_options(ranking_options(command))


def query_options(command: F) -> F:
    """The options on which queries count."""
    return with_options(
        command,
        queries_option,
        option(
            "Input",
            "--missing",
            type=Suggested(["zero", "skip", "error"]),
            default="zero",
            show_default=True,
            help="A judged query that the run lacks counts as 0, is left out, or is an error.",
        ),
        option(
            "Input",
            "--no-relevant",
            type=Suggested(["zero", "skip"]),
            default="zero",
            show_default=True,
            help="A query without relevant documents counts as 0, or is left out.",
        ),
    )


def ranking_options(command: F) -> F:
    """The options on what counts of a ranking, and how the qrels are read."""
    return order_options(
        with_options(
            command,
            option(
                "Input",
                "-M",
                "--depth",
                type=click.IntRange(min=1),
                metavar="K",
                help="Keep the first K ranks of a ranking.",
            ),
        )
    )


def order_options(command: F) -> F:
    """The same for whole rankings."""
    return with_options(
        command,
        option(
            "Input",
            "--ties",
            type=Suggested(["docid-desc", "docid-asc", "rank", "file", "best", "worst", "average"]),
            default="docid-desc",
            show_default=True,
            help="Order of equal scores: by document id, as trec_eval; by rank column or file; best, worst, average.",
        ),
        option(
            "Input",
            "--negative",
            type=Suggested(["unjudged", "nonrelevant"]),
            default="unjudged",
            show_default=True,
            help="What a negative grade means: unjudged, as in trec_eval, or judged and not relevant.",
        ),
        option("Input", "-J", "--judged-only", is_flag=True, help="Leave unjudged documents out of the rankings."),
        exclude_self_option,
        option(
            "Input",
            "--qrels-format",
            type=Suggested(["qrels", "qrels_jg", "prefs", "qrels_prefs"]),
            default="qrels",
            show_default=True,
            help="Columns of the qrels, as trec_eval's -R has them.",
        ),
    )


def measure_options(command: F) -> F:
    """The options on what is measured."""
    return measure_options_with(command, DEFAULT_MEASURES)


def measure_options_with(command: F, defaults: Collection[str]) -> F:
    """The same with other measures by default; without any, one must be named."""
    default = f"default: {' '.join(defaults)}" if defaults else "required"
    return with_options(
        command,
        option(
            "Measures",
            "-m",
            "--measure",
            "measures",
            multiple=True,
            type=MeasureType(),
            metavar="MEASURE",
            help=f"Measure, or a list of them; repeatable.  [{default}]",
        ),
        option(
            "Measures",
            "-l",
            "--relevance",
            "level",
            type=Level(),
            default="1",
            show_default=True,
            metavar="N",
            help="Lowest grade that counts as relevant. Graded measures such as nDCG don't ask.",
        ),
        option(
            "Measures",
            "--collection-size",
            type=click.IntRange(min=0),
            default=0,
            metavar="N",
            help="Documents in the collection, for measures that need it.",
        ),
        plugin_option,
    )


def plugin_option(command: F) -> F:
    """The option that loads measures from files."""
    return with_options(
        command,
        option(
            "Measures",
            "--plugin",
            multiple=True,
            type=FileType(),
            metavar="FILE.py",
            is_eager=True,
            expose_value=False,
            callback=_load_plugins,
            help="Python file that registers measures of your own (docs/plugins.md); repeatable.",
        ),
    )


def _load_plugins(ctx: click.Context, param: click.Parameter, paths: tuple[str, ...]) -> None:
    """Run the files; while a word is completed, those that fail are passed over."""
    del param
    if not paths:
        return
    from irevalcli.measures.discovery import load_file  # noqa: PLC0415  (numpy, which --help does without)

    for path in paths:
        try:
            load_file(path)
        except UsageProblem:
            if not ctx.resilient_parsing:
                raise


def output_options(command: F) -> F:
    """The options on where results go and how they look; what doesn't belong to one call has a variable, too."""
    return with_options(
        command,
        option("Output", "-q", "--per-query", is_flag=True, help="Also print every query."),
        option("Output", "--no-summary", is_flag=True, help="Leave the means out."),
        format_option(["auto", *FORMATS], variable="FORMAT"),
        export_option("results"),
        digits_option(variable="DIGITS"),
        option(
            "Output",
            "--names",
            type=Suggested(["canonical", "trec", "given"]),
            envvar=VARIABLES + "NAMES",
            help="Measure names: ours, trec_eval's, or as you wrote them.  [default: canonical; trec with -f trec]",
        ),
        option(
            "Output",
            "--sort",
            type=SortType(),
            metavar="KEY",
            envvar=VARIABLES + "SORT",
            help="By run, measure, query, value or value:MEASURE (best first).  [default: as given; queries by id]",
        ),
        progress_option,
    )


def general_options(command: F) -> F:
    """The options of every command."""
    return with_options(
        command,
        option(
            "General",
            "--color",
            type=Suggested(["auto", "always", "never"]),
            default="auto",
            show_default=True,
            envvar=VARIABLES + "COLOR",
            help="auto: on a terminal, and as NO_COLOR and FORCE_COLOR say.",
        ),
        option(
            "General", "--quiet", is_flag=True, envvar=VARIABLES + "QUIET", help="Say nothing but errors on stderr."
        ),
        option("General", "--debug", is_flag=True, help="Show the traceback of a bug."),
        option(
            "General",
            "-h",
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=print_short_help,
            help="Show help that fits on a screen, and exit.",
        ),
    )
