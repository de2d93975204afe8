"""Options and argument types that commands share."""

from __future__ import annotations

import math
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click
from click.shell_completion import CompletionItem

from irevalcli.cli.commands import option, print_short_help
from irevalcli.errors import UsageProblem
from irevalcli.output.registry import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

F = TypeVar("F", bound="Callable[..., Any]")

MOST_DIGITS = 17
SORT_KEYS = ("run", "measure", "query", "value")
DEFAULT_MEASURES = ("AP", "nDCG@10", "P@10", "RR", "R@1000", "Judged@10")
_VARIABLES = "IREVALCLI_"


class MeasureType(click.ParamType[str]):
    """A measure string; completes to measure names, also at the end of a list."""

    name = "measure"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The names that begin so."""
        del ctx, param
        from irevalcli.measures.discovery import load_all  # noqa: PLC0415  (numpy)
        from irevalcli.measures.families import known_measures  # noqa: PLC0415

        load_all()
        before, comma, last = incomplete.rpartition(",")
        return [
            CompletionItem(before + comma + record.name + ("@" if record.at else ""), help=record.title)
            for record in known_measures().values()
            if record.name.lower().startswith(last.lower())
        ]


class FileType(click.ParamType[str]):
    """A path, which may stand behind a label; completes to file names."""

    name = "file"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Whatever the shell finds."""
        del ctx, param
        return [CompletionItem(incomplete, type="file")]


class Suggested(click.Choice[str]):
    """A choice that says what was probably meant."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401
        """The choice itself."""
        try:
            choice: str = super().convert(value, param, ctx)
        except click.BadParameter as error:
            known = list(self.choices)
            message = f"{value!r} is none of {', '.join(known)}{meant(str(value), known)}"
            raise click.BadParameter(message, ctx=ctx, param=param) from error
        return choice


def meant(word: str, known: Iterable[str]) -> str:
    """``; did you mean this?``, or nothing if no known word is like `word`."""
    close = get_close_matches(word.lower(), list(known), 1)
    return f"; did you mean {close[0]}?" if close else ""


class Digits(click.ParamType[int | None]):
    """A number of decimals, or ``full``."""

    name = "digits"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | None:  # noqa: ANN401
        """The number, None for full precision."""
        text = str(value)
        if text == "full":
            return None
        if text.isascii() and text.isdecimal() and int(text) <= MOST_DIGITS:
            return int(text)
        return self.fail(f"{value!r} is neither a number from 0 to {MOST_DIGITS} nor full", param, ctx)


class Level(click.ParamType[float]):
    """A grade."""

    name = "grade"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401
        """The number, which is finite."""
        try:
            level = float(value)
        except ValueError:
            level = math.nan
        if not math.isfinite(level):
            self.fail(f"{value!r} is not a number", param, ctx)
        return level


class Sort(NamedTuple):
    """What results are ordered by: a key, and for ``value`` a measure ("" is the first one)."""

    key: str
    measure: str


class SortType(click.ParamType[Sort]):
    """``run``, ``measure``, ``query``, ``value`` or ``value:MEASURE``."""

    name = "sort"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Sort:  # noqa: ANN401
        """The key and the measure."""
        if isinstance(value, Sort):
            return value
        key, _, measure = str(value).partition(":")
        if key not in SORT_KEYS:
            self.fail(f"{value!r} is none of {', '.join(SORT_KEYS)}, value:MEASURE{meant(key, SORT_KEYS)}", param, ctx)
        if measure and key != "value":
            self.fail(f"{value!r}: only value takes a measure", param, ctx)
        return Sort(key, measure)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The keys that begin so."""
        del ctx, param
        return [CompletionItem(key) for key in SORT_KEYS if key.startswith(incomplete)]


def input_options(command: F) -> F:
    """The options on which queries and documents count."""
    return query_options(ranking_options(command))


def query_options(command: F) -> F:
    """The options on which queries count."""
    return _with(
        command,
        option(
            "Input",
            "--queries",
            metavar="LIST|@FILE",
            help="Only these queries: separated by commas, or one a line in FILE.",
        ),
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
        _with(
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
    return _with(
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
        option("Input", "--exclude-self", is_flag=True, help="Leave out documents whose id is that of the query."),
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


def measure_options_with(command: F, defaults: Iterable[str]) -> F:
    """The same with other measures by default."""
    return _with(
        command,
        option(
            "Measures",
            "-m",
            "--measure",
            "measures",
            multiple=True,
            type=MeasureType(),
            metavar="MEASURE",
            help=f"Measure, or a list of them; repeatable.  [default: {' '.join(defaults)}]",
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
    return _with(
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
    return _with(
        command,
        option("Output", "-q", "--per-query", is_flag=True, help="Also print every query."),
        option("Output", "--no-summary", is_flag=True, help="Leave the means out."),
        option(
            "Output",
            "-f",
            "--format",
            "output_format",
            type=Suggested(["auto", *FORMATS]),
            default="auto",
            show_default=True,
            envvar=_VARIABLES + "FORMAT",
            help="auto: a table on a terminal, tsv in a pipe.",
        ),
        option(
            "Output",
            "-e",
            "--export",
            "exports",
            multiple=True,
            type=FileType(),
            metavar="[FORMAT:]PATH",
            help="Also write the results to a file; repeatable. Its ending tells the format.",
        ),
        option(
            "Output",
            "--digits",
            type=Digits(),
            default=4,
            show_default=True,
            metavar="N|full",
            envvar=_VARIABLES + "DIGITS",
            help="Decimals. JSON always has them all.",
        ),
        option(
            "Output",
            "--names",
            type=Suggested(["canonical", "trec", "given"]),
            envvar=_VARIABLES + "NAMES",
            help="Measure names: ours, trec_eval's, or as you wrote them.  [default: canonical; trec with -f trec]",
        ),
        option(
            "Output",
            "--sort",
            type=SortType(),
            metavar="KEY",
            envvar=_VARIABLES + "SORT",
            help="By run, measure, query, value or value:MEASURE (best first).  [default: as given; queries by id]",
        ),
        option(
            "Output",
            "--progress/--no-progress",
            default=True,
            envvar=_VARIABLES + "PROGRESS",
            help="Show a bar on a terminal when reading takes longer than a second.",
        ),
    )


def general_options(command: F) -> F:
    """The options of every command."""
    return _with(
        command,
        option(
            "General",
            "--color",
            type=Suggested(["auto", "always", "never"]),
            default="auto",
            show_default=True,
            envvar=_VARIABLES + "COLOR",
            help="auto: on a terminal, and as NO_COLOR and FORCE_COLOR say.",
        ),
        option(
            "General", "--quiet", is_flag=True, envvar=_VARIABLES + "QUIET", help="Say nothing but errors on stderr."
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


def _with(command: F, *options: Callable[[Any], Any]) -> F:
    for decorate in reversed(options):
        command = decorate(command)
    return command
