"""Options for measures that look at more than qrels and one run: further grades, popularity, a baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from irevalcli.cli.argument_types import FileType
from irevalcli.cli.commands import option, with_options

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")

grades_option = option(
    "Input",
    "--qrels",
    "grades",
    multiple=True,
    type=FileType(),
    metavar="NAME=FILE",
    help="Further grades of the documents, for measures such as uRBP(grades=NAME); repeatable.",
)
_OTHERS = (
    option(
        "Input",
        "--popularity",
        type=FileType(),
        metavar="FILE",
        help="How often each document was chosen: docid and count on each line, for novelty.",
    ),
    option(
        "Measures",
        "--baseline",
        metavar="LABEL",
        help="The run that others are compared with, by URisk and TRisk.",
    ),
)


def further_options(command: F) -> F:
    """The options of further files and runs."""
    return with_options(command, grades_option, *_OTHERS)
