"""``irevalcli measures``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from irevalcli.cli.console import Console, write_all
from irevalcli.cli.options import MeasureType, Suggested, presentation_options

if TYPE_CHECKING:
    from collections.abc import Iterable

    from irevalcli.measures.registry import Measure

_LIST_HINT = "One in full: irevalcli measures NAME"


@click.command("measures")
@click.argument("names", nargs=-1, metavar="[NAME]...", type=MeasureType())
@click.option(
    "-f", "--format", "output_format", type=Suggested(["text", "json", "markdown"]), default="text", show_default=True
)
@presentation_options
def command(names: tuple[str, ...], output_format: str, color: str, quiet: bool, debug: bool) -> None:  # noqa: FBT001
    """List the measures, or show some in full: formula, parameters, traps, equivalents, examples, reference.

    Names may be spelt as trec_eval, ir_measures or ranx spell them.

    \b
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
        for index, record in enumerate(chosen):
            _print([""] if index else [])
            _print(text.record_lines(record, console.width))
    else:
        _print(text.list_lines(chosen, console.width))
        console.say(_LIST_HINT)


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
