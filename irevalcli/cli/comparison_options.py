"""Options on how runs are compared, and what they come to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from irevalcli.cli.argument_types import FileType, Suggested
from irevalcli.cli.commands import key_option, option, with_options
from irevalcli.cli.single_options import digits_option, export_option, format_option, progress_option
from irevalcli.output.comparison_formats import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable

    from irevalcli.analysis.contrasts import Settings

F = TypeVar("F", bound="Callable[..., Any]")

# The names in `irevalcli.analysis.contrasts` and `irevalcli.stats.corrections`, which the help does without (numpy).
TESTS = ("t", "randomization", "bootstrap", "bootstrap-t", "wilcoxon", "sign", "tukey", "randomized-tukey", "anova")
CORRECTIONS = ("holm", "bh", "bonferroni", "none")
RESAMPLES = 10_000
SEED = 1

_OPTIONS = (
    option(
        "Statistics",
        "--baseline",
        "baselines",
        multiple=True,
        metavar="LABEL",
        help="The run that the others are compared with; repeatable.  [default: the first run]",
    ),
    option("Statistics", "--all-pairs", is_flag=True, help="Compare every run with every other one."),
    option(
        "Statistics", "--test", type=Suggested(TESTS), default="t", show_default=True, help="The test; all two-sided."
    ),
    option(
        "Statistics",
        "--correction",
        type=Suggested(CORRECTIONS),
        default="holm",
        show_default=True,
        help="Of the p-values for their number: everything that is printed. Tukey's tests have their own.",
    ),
    option(
        "Statistics",
        "--alpha",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.05,
        show_default=True,
        metavar="A",
        help="Error rate; intervals have the confidence 1 - A.",
    ),
    option(
        "Statistics",
        "--margin",
        type=click.FloatRange(min=0),
        metavar="D",
        help="A loss that would not matter: also say whether a run is no worse by D, or equivalent.",
    ),
    option(
        "Statistics",
        "--resamples",
        type=click.IntRange(min=1),
        default=RESAMPLES,
        show_default=True,
        metavar="N",
        help="Random arrangements, for tests that draw them.",
    ),
    option(
        "Statistics",
        "--seed",
        type=click.IntRange(min=0),
        default=SEED,
        show_default=True,
        metavar="N",
        help="The same seed gives the same p-values everywhere.",
    ),
    option(
        "Statistics",
        "--tolerance",
        type=click.FloatRange(min=0),
        default=1e-9,
        show_default=True,
        metavar="D",
        help="Differences of a query up to D are ties.",
    ),
    option(
        "Statistics",
        "--group-by",
        type=FileType(),
        metavar="FILE",
        help="Also compare by class of query, and test the interaction: lines of qid, tab, class.",
    ),
)

_OUTPUT = (
    format_option(["auto", *FORMATS]),
    export_option("comparison"),
    digits_option(),
    key_option("Output", "--names", default="canonical", show_default=True),
    option("Output", "-v", "--verbose", is_flag=True, help="With --all-pairs, all p-values."),
    progress_option,
)


def statistics_options(command: F) -> F:
    """The options on how runs are compared."""
    return with_options(command, *_OPTIONS)


def comparison_output_options(command: F) -> F:
    """The options on where a comparison goes and how it looks."""
    return with_options(command, *_OUTPUT)


def settings_of(options: dict[str, Any]) -> Settings:
    """The options that say how runs are compared."""
    from irevalcli.analysis.contrasts import Settings  # noqa: PLC0415  (numpy)

    shared = {name: options[name] for name in Settings._fields if name != "baselines"}
    return Settings(baselines=tuple(dict.fromkeys(options["baselines"])), **shared)
