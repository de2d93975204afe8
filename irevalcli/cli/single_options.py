"""Single options that several commands have, in whatever groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from irevalcli.cli.argument_types import Digits, FileType, Suggested
from irevalcli.cli.commands import option

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

VARIABLES = "IREVALCLI_"
"""What the names of environment variables begin with that stand for options."""

queries_option = option(
    "Input",
    "--queries",
    metavar="LIST|@FILE",
    help="Only these queries: separated by commas, or one a line in FILE.",
)
exclude_self_option = option(
    "Input", "--exclude-self", is_flag=True, help="Leave out documents whose id is that of the query."
)
query_text_option = option(
    "Input", "--query-text", type=FileType(), metavar="FILE", help="Show what the query says: lines of id, tab, text."
)
doc_text_option = option(
    "Input", "--doc-text", type=FileType(), metavar="FILE", help="Show what documents say: lines of id, tab, text."
)
progress_option = option(
    "Output",
    "--progress/--no-progress",
    default=True,
    envvar=VARIABLES + "PROGRESS",
    help="Show a bar on a terminal when reading takes longer than a second.",
)


def format_option(
    formats: Sequence[str],
    *,
    default: str = "auto",
    variable: str | None = None,
    meaning: str = "auto: a table on a terminal, tsv in a pipe.",
) -> Callable[[Any], Any]:
    """The decorator of the option on the format, which environment variable `variable` stands for if there is one."""
    return option(
        "Output",
        "-f",
        "--format",
        "output_format",
        type=Suggested(formats),
        default=default,
        show_default=True,
        envvar=_named(variable),
        help=meaning,
    )


def export_option(what: str) -> Callable[[Any], Any]:
    """The decorator of the option on files to which `what` is also written."""
    return option(
        "Output",
        "-e",
        "--export",
        "exports",
        multiple=True,
        type=FileType(),
        metavar="[FORMAT:]PATH",
        help=f"Also write the {what} to a file; repeatable. Its ending tells the format.",
    )


def digits_option(*, variable: str | None = None) -> Callable[[Any], Any]:
    """The decorator of the option on decimals, which environment variable `variable` stands for if there is one."""
    return option(
        "Output",
        "--digits",
        type=Digits(),
        default=4,
        show_default=True,
        metavar="N|full",
        envvar=_named(variable),
        help="Decimals. JSON always has them all.",
    )


def _named(variable: str | None) -> str | None:
    return None if variable is None else VARIABLES + variable
