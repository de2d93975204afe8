"""``irevalcli compare``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from irevalcli.cli.argument_types import FileType
from irevalcli.cli.arguments import named_runs
from irevalcli.cli.asking import announce_typing, asked_measures, policy_of, suggesting_order
from irevalcli.cli.commands import Command
from irevalcli.cli.comparison_options import comparison_output_options, settings_of, statistics_options
from irevalcli.cli.console import Console, stdout, write_all
from irevalcli.cli.exports import Exports, parse_export, refuse_inputs
from irevalcli.cli.options import general_options, input_options, measure_options_with
from irevalcli.cli.problems import note_line
from irevalcli.cli.progress import Progress
from irevalcli.cli.standard_options import standard_of, standard_options
from irevalcli.output.comparison_formats import FORMATS, SUFFIXES, render_comparison
from irevalcli.output.finding_text import printable
from irevalcli.output.registry import Layout

if TYPE_CHECKING:
    from irevalcli.analysis.compare import Comparison

MEASURES = ("AP", "nDCG@10", "P@10")
"""What is compared by unless the user says; every further measure is another test to correct for."""


@click.command("compare", cls=Command, epilog="Exit status: 0 done, 2 usage, 3 unusable input.")
@click.argument("qrels", type=FileType())
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", type=FileType())
@input_options
@partial(measure_options_with, defaults=MEASURES)
@standard_options
@statistics_options
@comparison_output_options
@general_options
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:  # noqa: ANN401
    """Compare runs: differences, intervals, tests and effect sizes, paired by query.

    The first run is the baseline. A RUN is a path or LABEL=PATH.

    Examples:
      irevalcli compare qrels.txt bm25.run colbert.run -m nDCG@10 -m 'AP(rel=2)'
      irevalcli compare qrels.txt bm25.run colbert.run --test randomization --margin 0.01
      irevalcli compare qrels.txt *.run --all-pairs -m AP --export table.tex
    """
    from irevalcli.analysis.classes import read_classes  # noqa: PLC0415  (numpy, which --help does without)
    from irevalcli.analysis.compare import check_comparison, compare, with_judged  # noqa: PLC0415
    from irevalcli.analysis.evaluate import evaluate  # noqa: PLC0415

    console = Console.decide(options["color"], quiet=options["quiet"])
    stdout()
    destinations = [parse_export(text, FORMATS, SUFFIXES) for text in options["exports"]]
    chosen = console.format_for(options["output_format"])
    layout = Layout(
        digits=options["digits"], names=options["names"], width=console.width, colour=console.colour,
        unicode=console.unicode,
    )  # fmt: skip
    measures = asked_measures(options["measures"] or MEASURES, options["level"])
    policy, settings, standard = policy_of(options), settings_of(options), standard_of(options)
    others = [path for path in (options["qrels"], options["group_by"]) if path is not None]
    runs = named_runs(options["runs"], *others)
    check_comparison(measures, [run.label for run in runs], settings)
    if standard is not None:
        from irevalcli.analysis.standardised import check_standardised, standardised  # noqa: PLC0415  (rare)

        check_standardised(measures, [run.label for run in runs], standard)
    refuse_inputs(destinations, [*others, *(run.path for run in runs)])
    with Exports(destinations) as files:
        announce_typing(console, [*others, *(run.path for run in runs)])
        classes = None if options["group_by"] is None else read_classes(options["group_by"])
        digests = "json" in (chosen, *(destination.format for destination in destinations))
        with Progress(wanted=options["progress"] and not console.quiet) as progress, suggesting_order(ctx):
            evaluation = evaluate(
                options["qrels"], runs, with_judged(measures, policy), policy, digests=digests, watch=progress
            )
        if standard is not None:
            evaluation = standardised(evaluation, standard, len(measures))
        for note in (*evaluation.notes, *(note for run in evaluation.runs for note in run.notes)):
            console.say(note_line(note, console))
        comparison = compare(evaluation, measures, settings, classes)
        plain = layout._replace(width=None, colour=False, unicode=True)
        for destination in destinations:
            files.write(destination, render_comparison(comparison, destination.format, plain, verbose=True))
    write_all(render_comparison(comparison, chosen, layout, verbose=options["verbose"]))
    if chosen in ("tsv", "csv"):
        _say_what_was_done(comparison, console)


def _say_what_was_done(comparison: Comparison, console: Console) -> None:
    """What rows have no room for, in words."""
    from irevalcli.analysis.conclusion import conclusion  # noqa: PLC0415
    from irevalcli.output.comparison_table import remarks  # noqa: PLC0415
    from irevalcli.output.comparison_text import Signs, header  # noqa: PLC0415

    console.say(f"note:    {printable(header(comparison, Signs.of(unicode=console.unicode)))}")
    for remark in remarks(comparison, Layout()):
        console.say(f"note:    {printable(remark)}")
    console.say(printable(conclusion(comparison)))
