"""Single options that several commands have, in whatever groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from irevalcli.cli.argument_types import Digits, FileType, MeasureType, Suggested
from irevalcli.cli.commands import key_option, option
from irevalcli.config.keys import OF_OPTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from irevalcli.cli.commands import Section

queries_option = key_option("Input", "--queries", metavar="LIST|@FILE")
exclude_self_option = key_option("Input", "--exclude-self")
run_reading_options = (key_option("Input", "--run-format"), key_option("Input", "--on-error"))
query_text_option = option(
    "Input", "--query-text", type=FileType(), metavar="FILE", help="Show what the query says: lines of id, tab, text."
)
doc_text_option = option(
    "Input", "--doc-text", type=FileType(), metavar="FILE", help="Show what documents say: lines of id, tab, text."
)
progress_option = key_option("Output", "--progress/--no-progress")


def format_option(
    formats: Sequence[str],
    *,
    default: str = "auto",
    meaning: str = "auto: a table on a terminal, tsv in a pipe.",
) -> Callable[[Any], Any]:
    """The decorator of the option on the format; a default for all commands holds where it may be ``auto``."""
    return option(
        "Output",
        "-f",
        "--format",
        "output_format",
        key=OF_OPTIONS["--format"] if "auto" in formats else None,
        type=Suggested(formats),
        default=default,
        show_default=True,
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


def measure_option(section: Section, meaning: str) -> Callable[[Any], Any]:
    """The decorator of the option that names measures."""
    return key_option(
        section, "-m", "--measure", "measures", multiple=True, type=MeasureType(), metavar="MEASURE", help=meaning
    )


def digits_option() -> Callable[[Any], Any]:
    """The decorator of the option on decimals."""
    return key_option("Output", "--digits", type=Digits(), metavar="N|full")
