"""Options of the commands that look at rankings of documents, with or without judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from irevalcli.cli.commands import option
from irevalcli.cli.options import Suggested

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")

_OPTIONS = (
    option(
        "Input",
        "--queries",
        metavar="LIST|@FILE",
        help="Only these queries: separated by commas, or one a line in FILE.",
    ),
    option(
        "Input",
        "--ties",
        type=Suggested(["docid-desc", "docid-asc", "rank", "file"]),
        default="docid-desc",
        show_default=True,
        help="Order of equal scores: by document id, as trec_eval; by rank column or file.",
    ),
    option("Input", "--exclude-self", is_flag=True, help="Leave out documents whose id is that of the query."),
)
_PROGRESS = option(
    "Output",
    "--progress/--no-progress",
    default=True,
    envvar="IREVALCLI_PROGRESS",
    help="Show a bar on a terminal when reading takes longer than a second.",
)


def list_options(command: F) -> F:
    """The options on which queries count and how documents with equal scores are put in order."""
    for decorate in reversed(_OPTIONS):
        command = decorate(command)
    return command


def progress_option(command: F) -> F:
    """The option of the bar."""
    decorated: F = _PROGRESS(command)
    return decorated
