"""Options of ``irevalcli check``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from irevalcli.cli.argument_types import FileType, Suggested
from irevalcli.cli.ci import WISHES
from irevalcli.cli.commands import key_option, option, with_options
from irevalcli.cli.single_options import export_option, format_option, measure_option, progress_option
from irevalcli.output.gate_formats import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable

    from irevalcli.analysis.gate.parsing import Terms
    from irevalcli.analysis.gate.rules import GateRule

F = TypeVar("F", bound="Callable[..., Any]")

_OPTIONS = (
    option(
        "Rules",
        "--assert",
        "asserts",
        multiple=True,
        metavar="RULE",
        help="The mean keeps to a limit: 'nDCG@10 >= 0.80'; also >, <= and <. Repeatable.",
    ),
    option(
        "Rules",
        "--max-drop",
        multiple=True,
        metavar="MEASURE=X[%]",
        help="The mean falls below the baseline's by X at most, or by a share of it: AP=0.02, AP=2%. Repeatable.",
    ),
    option(
        "Rules",
        "--max-query-drop",
        multiple=True,
        metavar="MEASURE=X",
        help="No single query loses more than X against the baseline. Repeatable.",
    ),
    option(
        "Rules",
        "--min-judged",
        multiple=True,
        metavar="K=SHARE",
        help="Share of the first K documents that must be judged: 10=0.95. Repeatable.",
    ),
    option(
        "Rules",
        "--max-missing",
        type=click.IntRange(min=0),
        metavar="N",
        help="The run lacks N judged queries at most.",
    ),
    measure_option(
        "Rules", "What --init makes rules for, and what a new baseline holds beside what rules need; repeatable."
    ),
    key_option("Rules", "--baseline", type=FileType(), metavar="[LABEL=]FILE"),
    key_option("Statistics", "--decide"),
    key_option("Statistics", "--alpha", type=click.FloatRange(0, 0.5, min_open=True, max_open=True), metavar="P"),
    key_option("Statistics", "--undecided"),
    option(
        "Output",
        "--update-baseline",
        is_flag=True,
        help="If all rules of level error hold, make the run that was checked the new baseline.",
    ),
    option("Output", "--force", is_flag=True, help="Do so whatever the rules say; with --init, overwrite files."),
    option("Output", "--init", is_flag=True, help="Write irevalcli.toml and baseline.json from the present scores."),
    option(
        "Output",
        "--ci",
        type=Suggested(WISHES),
        default="auto",
        show_default=True,
        help="Also tell a CI service: annotations and job summary. auto: the one in which this runs.",
    ),
    format_option(["auto", *FORMATS], meaning="auto: the table."),
    export_option("report"),
    progress_option,
)


def check_options(command: F) -> F:
    """What only this command asks."""
    return with_options(command, *_OPTIONS)


def terms_of(options: dict[str, Any]) -> Terms:
    """What rules have that do not say otherwise."""
    from irevalcli.analysis.gate.parsing import Terms  # noqa: PLC0415  (numpy, which --help does without)

    return Terms(relevance=options["level"], decide=options["decide"], alpha=options["alpha"])


def rules_of(options: dict[str, Any], terms: Terms) -> list[GateRule]:
    """The rules on the command line.

    Raises:
        UsageProblem: one cannot be.
    """
    from irevalcli.analysis.gate.parsing import (  # noqa: PLC0415
        bound_rule,
        max_drop_rule,
        max_missing_rule,
        max_query_drop_rule,
        min_judged_rule,
    )

    rules = [bound_rule(text, "--assert", terms) for text in options["asserts"]]
    rules += [max_drop_rule(text, "--max-drop", terms) for text in options["max_drop"]]
    rules += [max_query_drop_rule(text, "--max-query-drop", terms) for text in options["max_query_drop"]]
    rules += [min_judged_rule(text, "--min-judged", terms) for text in options["min_judged"]]
    if options["max_missing"] is not None:
        rules.append(max_missing_rule(options["max_missing"], "--max-missing", terms))
    return rules
