"""``irevalcli measures``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from irevalcli.cli.commands import Command, option
from irevalcli.cli.console import Console, write_all
from irevalcli.cli.options import MeasureType, Suggested, general_options

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from irevalcli.measures.registry import Measure

_LIST_HINT = "One in full: irevalcli measures NAME"


@click.command("measures", cls=Command, epilog="Exit status: 0 done, 2 unknown measure or usage.")
@click.argument("names", nargs=-1, metavar="[NAME]...", type=MeasureType())
@option(
    "Output",
    "-f",
    "--format",
    "output_format",
    type=Suggested(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="How they are written.",
)
@general_options
def command(names: tuple[str, ...], output_format: str, color: str, quiet: bool, debug: bool) -> None:
    """List the measures, or show some in full: formula, parameters, traps, equivalents, examples, reference.

    Names may be spelt as trec_eval, ir_measures or ranx spell them.

    Examples:
      irevalcli measures
      irevalcli measures nDCG@10
      irevalcli measures ndcg_cut map
      irevalcli measures --format json
    """
    del debug
    console = Console.decide(color, quiet=quiet)
    from irevalcli.measures.families import all_measures  # noqa: PLC0415  (numpy, which --help does without)
    from irevalcli.output import records as text  # noqa: PLC0415

    chosen = _named(names) if names else list(all_measures().values())
    if output_format == "json":
        _print([text.records_json(chosen)])
    elif output_format == "markdown":
        _print(text.records_markdown(chosen))
    elif names:
        _print(_in_full(chosen, console.width))
    else:
        _print(text.list_lines(chosen, console.width))
        console.say(_LIST_HINT)


def _in_full(records: Iterable[Measure], width: int | None) -> Iterator[str]:
    from irevalcli.output.records import record_lines  # noqa: PLC0415

    for place, record in enumerate(records):
        if place:
            yield ""
        yield from record_lines(record, width)


def _print(lines: Iterable[str]) -> None:
    write_all(line.encode() + b"\n" for line in lines)


def _named(names: tuple[str, ...]) -> list[Measure]:
    """The records of the named measures, each once.

    Raises:
        UsageProblem: a name is unknown.
    """
    from irevalcli.measures.spec import find_measures  # noqa: PLC0415

    found = {record.name: record for name in names for record in find_measures(name)}
    return list(found.values())
