"""The options by which scores are standardised."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from irevalcli.cli.argument_types import Suggested
from irevalcli.cli.commands import option, with_options
from irevalcli.errors import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Callable

    from irevalcli.analysis.standardised import Standard

F = TypeVar("F", bound="Callable[..., Any]")

# The names of `irevalcli.stats.standardise.Scale`, which the help does without (numpy).
SCALES = ("z", "cdf", "ab")

_OPTIONS = (
    option(
        "Measures",
        "--standardise",
        "scale",
        type=Suggested(SCALES),
        help="Scores by mean and deviation of all runs on the query: z, its normal probability, or 0.15 z + 0.5.",
    ),
    option(
        "Measures",
        "--reference",
        "references",
        multiple=True,
        metavar="LABEL",
        help="With --standardise: a run whose scores give mean and deviation; repeatable.  [default: all runs]",
    ),
)


def standard_options(command: F) -> F:
    """The options on how scores are standardised."""
    return with_options(command, *_OPTIONS)


def standard_of(options: dict[str, Any]) -> Standard | None:
    """How scores are standardised, or None.

    Raises:
        UsageProblem: reference runs are named, and nothing is standardised.
    """
    if options["scale"] is None:
        if options["references"]:
            raise UsageProblem("--reference names runs for --standardise", hints=("add --standardise z, cdf or ab",))
        return None
    from irevalcli.analysis.standardised import Standard  # noqa: PLC0415  (numpy, which --help does without)

    return Standard(options["scale"], tuple(dict.fromkeys(options["references"])))
