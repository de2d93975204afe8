"""``irevalcli fuse``."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any

import click

from irevalcli.cli.argument_types import FileType, MeasureType, Suggested, Tag
from irevalcli.cli.arguments import named_runs
from irevalcli.cli.asking import announce_typing, asked_measures, policy_of
from irevalcli.cli.commands import Command, option
from irevalcli.cli.console import Console, stdout, write_all
from irevalcli.cli.exports import Destination, Exports, refuse_inputs
from irevalcli.cli.list_options import LISTING, list_options
from irevalcli.cli.options import general_options, plugin_option
from irevalcli.cli.problems import note_line
from irevalcli.cli.progress import Progress
from irevalcli.cli.single_options import progress_option
from irevalcli.errors import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.fuse import Fusing
    from irevalcli.analysis.fusion import Inputs
    from irevalcli.analysis.optimise import Tuning
    from irevalcli.analysis.policy import Policy

METHODS = (
    "rrf", "combsum", "combmnz", "combanz", "combmin", "combmax", "combmed",
    "isr", "logisr", "rbc", "borda", "condorcet", "wsum",
)  # fmt: skip
NORMS = ("none", "min-max", "max", "sum", "z", "rank")


class Weights(click.ParamType[tuple[float, ...]]):
    """Numbers separated by commas."""

    name = "weights"

    def convert(
        self,
        value: Any,  # noqa: ANN401
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> tuple[float, ...]:
        """The numbers, which are finite."""
        if isinstance(value, tuple):
            return value
        try:
            weights = tuple(float(part) for part in str(value).split(","))
        except ValueError:
            weights = (math.nan,)
        if not all(map(math.isfinite, weights)):
            self.fail(f"{value!r} is not a list of numbers separated by commas", param, ctx)
        return weights


@click.command("fuse", cls=Command, epilog="Exit status: 0 done, 2 usage, 3 unusable input.")
@click.argument("runs", nargs=-1, required=True, metavar="RUN RUN...", type=FileType())
@list_options
@option(
    "Input",
    "--input-depth",
    type=click.IntRange(min=1),
    metavar="K",
    help="Look at the first K documents of every ranking.  [default: all]",
)
@option(
    "Method", "--method", type=Suggested(METHODS), default="rrf", show_default=True, metavar="METHOD",
    help=f"How: {', '.join(METHODS)}.",
)  # fmt: skip
@option(
    "Method", "--norm", type=Suggested(NORMS), default="none", show_default=True, metavar="NORM",
    help=f"What is done to scores first, run by run and query by query: {', '.join(NORMS)}.",
)  # fmt: skip
@option(
    "Method", "--weights", type=Weights(), metavar="W,W,...", help="A weight for each run, for wsum, rrf, rbc, borda."
)
@option(
    "Method", "--k", type=click.FloatRange(min=0), default=60, show_default=True, metavar="K",
    help="What rrf adds to every rank.",
)  # fmt: skip
@option(
    "Method", "--p", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.8, show_default=True,
    metavar="P", help="Persistence of rbc.",
)  # fmt: skip
@option(
    "Measures", "--optimise", "--optimize", "optimise", type=MeasureType(), metavar="MEASURE",
    help="Choose the weights of wsum, k of rrf or p of rbc by this measure, with cross-validation over queries.",
)  # fmt: skip
@option("Measures", "--qrels", type=FileType(), metavar="FILE", help="The judgments for --optimise.")
@option(
    "Measures", "--folds", type=click.IntRange(min=2), default=5, show_default=True, metavar="N",
    help="Parts into which the judged queries are divided.",
)  # fmt: skip
@option(
    "Measures", "--seed", type=click.IntRange(min=0), default=1, show_default=True, metavar="N",
    help="Of that division.",
)  # fmt: skip
@plugin_option
@option(
    "Output", "--depth", type=click.IntRange(min=1), default=1000, show_default=True, metavar="K",
    help="Write the first K documents of every query.",
)  # fmt: skip
@option("Output", "--tag", type=Tag(), metavar="T", help="The run's name, its last column.  [default: the method]")
@option(
    "Output", "-o", "--output", type=FileType(), metavar="FILE",
    help="Write the run to FILE, complete or not at all.  [default: standard output]",
)  # fmt: skip
@progress_option
@general_options
def command(**options: Any) -> None:  # noqa: ANN401
    """Make one run out of several.

    Reads runs as strictly as evaluate does and writes a run in TREC format. Methods that combine scores need runs whose
    scores are alike, or a --norm.

    Examples:
      irevalcli fuse bm25.run neural.run -o fused.run
      irevalcli fuse bm25.run neural.run --method combmnz --norm min-max --depth 100
      irevalcli fuse bm25.run neural.run --method wsum --norm z --weights 0.3,0.7 --tag hybrid
      irevalcli fuse bm25.run neural.run --method wsum --norm min-max --optimise nDCG@10 --qrels qrels.txt -o fused.run
    """
    from irevalcli.analysis.fuse import Fusing  # noqa: PLC0415  (numpy, which --help does without)
    from irevalcli.analysis.fusion import check_fusing, load_inputs  # noqa: PLC0415

    console = Console.decide(options["color"], quiet=options["quiet"])
    if options["output"] is None:
        stdout()
    fusing = Fusing(*(options[name] for name in Fusing._fields))
    qrels = _judgments(options)
    runs = named_runs(options["runs"], *([qrels] if qrels else []))
    if len(runs) < 2:
        raise UsageProblem("fuse needs two runs or more")
    check_fusing(fusing, len(runs))
    policy = policy_of({name: options[name] for name in LISTING})
    destinations = [] if options["output"] is None else [Destination("trec", options["output"], "--output")]
    refuse_inputs(destinations, [*([qrels] if qrels else []), *(run.path for run in runs)])
    with Exports(destinations) as files:
        announce_typing(console, [*([qrels] if qrels else []), *(run.path for run in runs)])
        with Progress(wanted=options["progress"] and not console.quiet) as progress:
            inputs = load_inputs(runs, policy, depth=options["input_depth"], watch=progress)
        for note in inputs.notes:
            console.say(note_line(note, console))
        lines = _lines(inputs, fusing, policy, qrels, options, console)
        for destination in destinations:
            files.write(destination, lines)
        if not destinations:
            write_all(lines)


def _judgments(options: dict[str, Any]) -> str | None:
    """The file of ``--qrels``, which goes with ``--optimise``.

    Raises:
        UsageProblem: one of the two is missing, or what is to be chosen is given.
    """
    qrels: str | None = options["qrels"]
    if (qrels is None) != (options["optimise"] is None):
        given, missing = ("--qrels", "--optimise MEASURE") if qrels else ("--optimise", "--qrels FILE")
        raise UsageProblem(f"{given} goes with {missing}")
    if qrels is not None and options["weights"] is not None and options["method"] == "wsum":
        raise UsageProblem("--optimise chooses the weights of wsum; leave --weights out")
    return qrels


def _lines(  # noqa: PLR0917  (what to fuse, how, and what to say)
    inputs: Inputs, fusing: Fusing, policy: Policy, qrels: str | None, options: dict[str, Any], console: Console
) -> Iterator[bytes]:
    """The lines of the fused run."""
    from irevalcli.analysis.fusion import fused_batches, run_lines  # noqa: PLC0415

    ways, which = inputs.one_way(fusing)
    if qrels is not None:
        from irevalcli.analysis.optimise import tune  # noqa: PLC0415

        measures = asked_measures([options["optimise"]], policy.level)
        if len(measures) != 1:
            raise UsageProblem(f"--optimise {options['optimise']}: one measure, not {len(measures)}")
        tuning = tune(inputs, fusing, measures[0], qrels, policy, options["folds"], options["seed"])
        for note in tuning.notes:
            console.say(note_line(note, console))
        for line in _found(tuning, inputs):
            console.say(line)
        ways, which = tuning.fusing, tuning.which
    tag = os.fsencode(options["tag"] or fusing.method)
    return run_lines(fused_batches(inputs, ways, which, options["depth"], policy), tag)


def _found(tuning: Tuning, inputs: Inputs) -> Iterator[str]:
    """What cross-validation found, line by line."""
    from irevalcli.analysis.notes import counted  # noqa: PLC0415

    judged = sum(fold.queries for fold in tuning.folds)
    yield (
        f"{tuning.measure}, {len(tuning.folds)}-fold cross-validation over {judged} judged queries "
        f"(seed {tuning.seed}), {tuning.tried} settings of {tuning.best.method} tried"
    )
    for number, fold in enumerate(tuning.folds, 1):
        yield (
            f"  fold {number}: {_setting(fold.chosen, inputs)} chosen on "
            f"{counted(judged - fold.queries, 'query', 'queries')} "
            f"({fold.other_mean:.4f}), {fold.own_mean:.4f} on the other {fold.queries}"
        )
    default = _setting(tuning.default, inputs)
    yield f"  held out: {tuning.held_out_mean:.4f}; {default} throughout: {tuning.default_mean:.4f}"
    yield f"  for other queries: {_setting(tuning.best, inputs)}, best on all {judged} ({tuning.best_mean:.4f})"


def _setting(fusing: Fusing, inputs: Inputs) -> str:
    """The parameter that was chosen."""
    if fusing.method == "rrf":
        return f"k={fusing.k:g}"
    if fusing.method == "rbc":
        return f"p={fusing.p:g}"
    return " ".join(f"{name}={weight:.3g}" for name, weight in zip(inputs.names, fusing.weights or (), strict=True))
