"""Options of the commands that look at rankings of documents, with or without judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from irevalcli.cli.argument_types import Suggested
from irevalcli.cli.commands import option, with_options
from irevalcli.cli.single_options import exclude_self_option, queries_option, run_reading_options

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")

_OPTIONS = (
    queries_option,
    option(
        "Input",
        "--ties",
        type=Suggested(["docid-desc", "docid-asc", "rank", "file"]),
        default="docid-desc",
        show_default=True,
        help="Order of equal scores: by document id, as trec_eval; by rank column or file.",
    ),
    exclude_self_option,
    *run_reading_options,
)
LISTING = ("queries", "ties", "exclude_self", "run_format", "on_error")
"""What these options are called in a `Policy`."""


def list_options(command: F) -> F:
    """The options on which queries count and how documents with equal scores are put in order."""
    return with_options(command, *_OPTIONS)
