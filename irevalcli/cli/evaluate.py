"""``irevalcli evaluate``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from irevalcli.cli.argument_types import FileType
from irevalcli.cli.arguments import named_runs
from irevalcli.cli.asking import announce_typing, asked_measures, policy_of, suggesting_order
from irevalcli.cli.commands import Command, option
from irevalcli.cli.console import Console, stdout, write_all
from irevalcli.cli.exports import Exports, parse_export, refuse_inputs
from irevalcli.cli.further_options import further_options
from irevalcli.cli.options import general_options, input_options, measure_options, output_options
from irevalcli.cli.problems import note_line
from irevalcli.cli.progress import Progress
from irevalcli.cli.standard_options import standard_of, standard_options
from irevalcli.errors import UsageProblem
from irevalcli.measures.nicknames import DEFAULT_MEASURES
from irevalcli.output.registry import FORMATS, SUFFIXES, Layout, render

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.scores import Evaluation

HASHING_FORMATS = {"json"}
DESCRIBING_FORMATS = ("table", "markdown", "tsv", "csv")
DESCRIBED_CONFIDENCE = 95.0
"""Of the intervals of --describe, in percent, unless --interval says."""


@click.command("evaluate", cls=Command, epilog="Exit status: 0 done, 2 usage, 3 unusable input.")
@click.argument("qrels", type=FileType())
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", type=FileType())
@input_options
@measure_options
@further_options
@standard_options
@option(
    "Output",
    "--interval",
    type=click.FloatRange(0, 100, min_open=True, max_open=True),
    metavar="PERCENT",
    help="Beside each mean, its confidence interval over queries (Student's t), such as --interval 95.",
)
@option(
    "Output",
    "--describe",
    is_flag=True,
    help="How the values vary over queries: deviation, quartiles, interval; a row for each run and measure.",
)
@output_options
@general_options
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:  # noqa: ANN401
    """Score runs against relevance judgments.

    A RUN is a path or LABEL=PATH; - is standard input. Compressed files and pipes work as they are.

    Examples:
      irevalcli evaluate qrels.txt bm25.run
      irevalcli evaluate qrels.txt bm25.run neural=out/run17.gz -m nDCG@10,AP -m 'P(rel=2)@10'
      irevalcli evaluate -q --sort value:AP -m AP qrels.txt bm25.run
      irevalcli evaluate --format json --export scores.csv qrels.txt bm25.run
      zcat bm25.run.gz | irevalcli evaluate qrels.txt -
    """
    from irevalcli.analysis.evaluate import evaluate  # noqa: PLC0415  (numpy, which --help does without)

    console = Console.decide(options["color"], quiet=options["quiet"])
    stdout()
    destinations = [parse_export(text, FORMATS, SUFFIXES) for text in options["exports"]]
    chosen = console.format_for(options["output_format"])
    layout = _layout(options, console)
    if options["describe"]:
        _check_description({chosen, *(destination.format for destination in destinations)}, layout)
    measures = asked_measures(options["measures"] or DEFAULT_MEASURES, options["level"])
    policy, standard = policy_of(options), standard_of(options)
    others = [options["qrels"], *(path for _, path in policy.grades), *filter(None, [policy.popularity])]
    runs = named_runs(options["runs"], *others)
    if standard is not None:
        from irevalcli.analysis.standardised import check_standardised, standardised  # noqa: PLC0415  (rare)

        check_standardised(measures, [run.label for run in runs], standard)
    digests = bool(HASHING_FORMATS & {chosen, *(destination.format for destination in destinations)})
    refuse_inputs(destinations, [*others, *(run.path for run in runs)])
    with Exports(destinations) as files:
        announce_typing(console, [*others, *(run.path for run in runs)])
        with Progress(wanted=options["progress"] and not console.quiet) as progress, suggesting_order(ctx):
            evaluation = evaluate(options["qrels"], runs, measures, policy, digests=digests, watch=progress)
        if standard is not None:
            evaluation = standardised(evaluation, standard)
        for note in (*evaluation.notes, *(note for run in evaluation.runs for note in run.notes)):
            console.say(note_line(note, console))
        confidence = options["interval"] or (DESCRIBED_CONFIDENCE if options["describe"] else None)
        if confidence is not None:
            from irevalcli.analysis.intervals import with_intervals  # noqa: PLC0415  (scipy, which is rarely needed)

            evaluation = with_intervals(evaluation, confidence / 100)
        plain = layout._replace(width=None, colour=False, unicode=True)
        for destination in destinations:
            # A file of JSON may become a baseline, which needs the values of queries.
            whole = plain._replace(per_query=plain.per_query or destination.format == "json")
            files.write(destination, _rendered(evaluation, destination.format, whole, options))
    write_all(_rendered(evaluation, chosen, layout, options))
    for line in _coverage(evaluation):
        console.say(line)


def _check_description(formats: set[str], layout: Layout) -> None:
    """Nothing, if every format has a form for the description of values.

    Raises:
        UsageProblem: one has not, or values of queries or no summary are wanted where there is no room for them.
    """
    others = sorted(formats - {*DESCRIBING_FORMATS, "json"})
    if others:
        known = ", ".join([*DESCRIBING_FORMATS, "json"])
        raise UsageProblem(f"--describe has no form in {others[0]}", hints=(f"it has one in {known}",))
    if (layout.per_query or not layout.summary) and formats != {"json"}:
        raise UsageProblem("--describe is about all queries together: leave -q and --no-summary out")


def _rendered(evaluation: Evaluation, name: str, layout: Layout, options: dict[str, Any]) -> Iterator[bytes]:
    """The scores, or how they vary, in the format called `name`."""
    if options["describe"] and name in DESCRIBING_FORMATS:
        from irevalcli.output.description import render_description  # noqa: PLC0415  (numpy)

        return render_description(evaluation, name, layout)
    return render(evaluation, name, layout)


def _layout(options: dict[str, Any], console: Console) -> Layout:
    return Layout(
        per_query=options["per_query"],
        summary=not options["no_summary"],
        digits=options["digits"],
        names=options["names"],
        sort=options["sort"],
        width=console.width,
        colour=console.colour,
        unicode=console.unicode,
    )


def _coverage(evaluation: Evaluation) -> list[str]:
    """One sentence on how many queries were scored; one for each run only if they differ."""
    counts = [(len(run.qids), run.coverage.judged) for run in evaluation.runs]
    if len(set(counts)) == 1:
        scored, judged = counts[0]
        return [f"{scored} of {judged} judged queries scored."]
    return [
        f"{run.label}: {scored} of {judged} judged queries scored."
        for run, (scored, judged) in zip(evaluation.runs, counts, strict=True)
    ]
