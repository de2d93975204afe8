"""``irevalcli measures``."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

import click

from irevalcli.cli.argument_types import MeasureType
from irevalcli.cli.commands import Command, option
from irevalcli.cli.console import Console, write_all
from irevalcli.cli.options import general_options, plugin_option
from irevalcli.cli.single_options import format_option
from irevalcli.errors import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from irevalcli.measures.families import Family
    from irevalcli.measures.registry import Measure

_LIST_HINT = "One in full: irevalcli measures NAME"


@click.command("measures", cls=Command, epilog="Exit status: 0 done, 2 unknown measure or usage.")
@click.argument("names", nargs=-1, metavar="[NAME]...", type=MeasureType())
@option("Measures", "--search", metavar="TEXT", help="Those with these words in names, title or summary, best first.")
@option("Measures", "--family", "wanted", multiple=True, metavar="NAME", help="Those of this family; repeatable.")
@plugin_option
@format_option(
    ["text", "json", "markdown", "bibtex"],
    default="text",
    meaning="How they are written; bibtex writes their references.",
)
@general_options
def command(
    *,
    names: tuple[str, ...],
    search: str | None,
    wanted: tuple[str, ...],
    output_format: str,
    color: str,
    quiet: bool,
    debug: bool,
) -> None:
    """List the measures, or show some in full: formula, parameters, traps, equivalents, examples, reference.

    Names may be spelt as trec_eval, ir_measures or ranx spell them. Without names, those of plugins are listed too.

    Examples:
      irevalcli measures
      irevalcli measures nDCG@10
      irevalcli measures ndcg_cut map
      irevalcli measures --search 'reciprocal rank'
      irevalcli measures --family diversity --format json
      irevalcli measures nDCG@10 ERR --format bibtex
    """
    del debug
    console = Console.decide(color, quiet=quiet)
    if names and wanted:
        raise UsageProblem("--family goes with a list of measures, not with names")
    from irevalcli.output import records as text  # noqa: PLC0415  (numpy, which --help does without)

    families = [] if names else _families(console, wanted)
    listed = _named(names) if names else [record for family in families for record in family.measures]
    if search is not None:
        listed = _searched(search, listed)
        if not listed:
            console.say(f"note:    no measure has '{search}' in its names, title or summary")
    if output_format == "json":
        lines: Iterable[str] = [text.records_json(listed)]
    elif output_format == "markdown":
        lines = text.records_markdown(listed)
    elif output_format == "bibtex":
        lines = _entries(listed)
    elif names and search is None:
        lines = _in_full(listed, console.width)
    elif search is not None:
        lines = text.list_lines(listed, console.width) if listed else []
    else:
        lines = text.family_lines(families, console.width)
    write_all(line.encode() + b"\n" for line in lines)
    if output_format == "text" and listed and not names:
        console.say(_LIST_HINT)


def _families(console: Console, wanted: Sequence[str]) -> list[Family]:
    """All families, or those that were asked for; plugins that cannot be loaded are named on standard error.

    Raises:
        UsageProblem: there is no such family.
    """
    from irevalcli.measures.discovery import broken, load_all  # noqa: PLC0415
    from irevalcli.measures.families import families  # noqa: PLC0415

    load_all()
    for problem in broken():
        console.say(f"warning: {problem.message}")
    known = {family.name.casefold(): family for family in families()}
    if not wanted:
        return list(known.values())
    for name in wanted:
        if name.casefold() not in known:
            close = get_close_matches(name.casefold(), known, 1)
            meant = f"; did you mean {known[close[0]].name}?" if close else ""
            names = ", ".join(family.name for family in known.values())
            raise UsageProblem(f"unknown family '{name}'{meant}", hints=(f"families: {names}",))
    return [known[name] for name in dict.fromkeys(name.casefold() for name in wanted)]


def _named(names: tuple[str, ...]) -> list[Measure]:
    """The records of the named measures, each once.

    Raises:
        UsageProblem: a name is unknown.
    """
    from irevalcli.measures.spec import find_measures  # noqa: PLC0415

    found = {record.name: record for name in names for record in find_measures(name)}
    return list(found.values())


def _searched(text: str, records: list[Measure]) -> list[Measure]:
    from irevalcli.measures.search import search  # noqa: PLC0415

    return search(text, records)


def _in_full(records: Iterable[Measure], width: int | None) -> Iterator[str]:
    from irevalcli.output.records import record_lines  # noqa: PLC0415

    for place, record in enumerate(records):
        if place:
            yield ""
        yield from record_lines(record, width)


def _entries(records: Iterable[Measure]) -> Iterator[str]:
    from irevalcli.measures.references import bibtex_entries  # noqa: PLC0415

    for place, entry in enumerate(bibtex_entries(records)):
        if place:
            yield ""
        yield entry
