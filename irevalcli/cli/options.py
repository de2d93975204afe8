"""Groups of options that commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from irevalcli.cli.argument_types import FileType, Level, SortType
from irevalcli.cli.commands import key_option, option, print_short_help, with_options
from irevalcli.cli.configured import configuration_options
from irevalcli.cli.single_options import (
    digits_option,
    exclude_self_option,
    export_option,
    format_option,
    measure_option,
    progress_option,
    queries_option,
    run_reading_options,
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
        key_option("Input", "--missing"),
        key_option("Input", "--no-relevant"),
    )


def ranking_options(command: F) -> F:
    """The options on what counts of a ranking, and how the qrels are read."""
    return order_options(
        with_options(
            command,
            key_option("Input", "-M", "--depth", type=click.IntRange(min=1), metavar="K"),
        )
    )


def order_options(command: F) -> F:
    """The same for whole rankings."""
    return with_options(
        command,
        key_option("Input", "--ties"),
        key_option("Input", "--negative"),
        key_option("Input", "-J", "--judged-only"),
        exclude_self_option,
        key_option("Input", "--qrels-format"),
        *run_reading_options,
    )


def measure_options(command: F) -> F:
    """The options on what is measured."""
    return measure_options_with(command, DEFAULT_MEASURES)


def measure_options_with(command: F, defaults: Collection[str]) -> F:
    """The same with other measures by default; without any, one must be named."""
    default = f"default: {' '.join(defaults)}" if defaults else "required"
    return with_options(
        command,
        measure_option("Measures", f"Measure, or a list of them; repeatable.  [{default}]"),
        level_options,
    )


def level_options(command: F) -> F:
    """The options on what measures ask beside their names."""
    return with_options(
        command,
        key_option("Measures", "-l", "--relevance", "level", type=Level(), metavar="N"),
        key_option("Measures", "--collection-size", type=click.IntRange(min=0), metavar="N", show_default=False),
        plugin_option,
    )


def plugin_option(command: F) -> F:
    """The option that loads measures from files."""
    return with_options(
        command,
        key_option(
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
        format_option(["auto", *FORMATS]),
        export_option("results"),
        digits_option(),
        key_option(
            "Output",
            "--names",
            help="Measure names: ours, trec_eval's, or as you wrote them.  [default: canonical; trec with -f trec]",
        ),
        key_option(
            "Output",
            "--sort",
            type=SortType(),
            metavar="KEY",
            help="By run, measure, query, value or value:MEASURE (best first).  [default: as given; queries by id]",
        ),
        progress_option,
    )


def general_options(command: F) -> F:
    """The options of every command."""
    return with_options(
        command,
        key_option("General", "--color"),
        key_option("General", "--quiet"),
        *configuration_options,
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
