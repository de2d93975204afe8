"""``irevalcli power``."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from irevalcli.cli.argument_types import FileType
from irevalcli.cli.arguments import named_runs
from irevalcli.cli.asking import announce_typing, asked_measures, policy_of, suggesting_order
from irevalcli.cli.commands import Command, option
from irevalcli.cli.console import Console, stdout, write_all
from irevalcli.cli.options import general_options, measure_options_with, ranking_options
from irevalcli.cli.problems import note_line
from irevalcli.cli.single_options import digits_option, format_option
from irevalcli.errors import UsageProblem
from irevalcli.output.registry import Layout

_SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)


@click.command("power", cls=Command, epilog="Exit status: 0 done, 2 usage, 3 unusable input.")
@click.argument("qrels", type=FileType())
@click.argument("first", metavar="A", type=FileType())
@click.argument("second", metavar="B", type=FileType())
@ranking_options
@partial(measure_options_with, defaults=())
@option(
    "Statistics",
    "--effect",
    type=click.FloatRange(min=0, min_open=True),
    metavar="D",
    help="How many queries does a true difference of D need?",
)
@option(
    "Statistics",
    "--queries",
    "planned",
    type=click.IntRange(min=2),
    metavar="N",
    help="What difference do N queries show?  [default: as many as there are]",
)
@option("Statistics", "--alpha", type=_SHARE, default=0.05, show_default=True, metavar="A", help="Error rate.")
@option("Statistics", "--power", type=_SHARE, default=0.8, show_default=True, metavar="P", help="Chance of finding it.")
@format_option(["auto", "table", "tsv", "json"], meaning="auto: sentences on a terminal, tsv in a pipe.")
@digits_option()
@general_options
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:  # noqa: ANN401
    """Say how many queries a difference needs, or which difference so many queries show.

    How much the difference between two runs varies over the queries is taken from the runs A and B.

    Examples:
      irevalcli power qrels.txt bm25.run colbert.run -m nDCG@10 --effect 0.02
    """
    from irevalcli.analysis.evaluate import evaluate  # noqa: PLC0415  (numpy, which --help does without)
    from irevalcli.analysis.power import power_of  # noqa: PLC0415
    from irevalcli.output.power import RENDERERS  # noqa: PLC0415

    console = Console.decide(options["color"], quiet=options["quiet"])
    stdout()
    if not options["measures"]:
        raise UsageProblem("no measure is named", hints=("add one, such as -m nDCG@10",))
    if options["effect"] is not None and options["planned"] is not None:
        raise UsageProblem("--effect asks for the number of queries: leave --queries out")
    measures = asked_measures(options["measures"], options["level"])
    runs = named_runs([options["first"], options["second"]], options["qrels"], one_each=True)
    announce_typing(console, [options["qrels"], *(run.path for run in runs)])
    with suggesting_order(ctx):
        evaluation = evaluate(options["qrels"], runs, measures, policy_of(options))
    for note in (*evaluation.notes, *(note for run in evaluation.runs for note in run.notes)):
        # The options that hints name are not among those of this command.
        console.say(note_line(note._replace(hint=""), console))
    answers = power_of(
        evaluation, measures, effect=options["effect"], queries=options["planned"], alpha=options["alpha"],
        power=options["power"],
    )  # fmt: skip
    chosen = console.format_for(options["output_format"])
    layout = Layout(digits=options["digits"], unicode=console.unicode)
    write_all(RENDERERS[chosen](answers, [run.label for run in runs], layout))
