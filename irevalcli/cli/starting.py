"""``irevalcli check --init``: a configuration file with limits from present scores, and a baseline if there is none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from click.core import ParameterSource

from irevalcli.cli.arguments import named_runs
from irevalcli.cli.asking import announce_typing, asked_measures, policy_of, suggesting_order
from irevalcli.cli.commands import GroupedOption
from irevalcli.cli.configured import configuration_of, given_options, given_value
from irevalcli.cli.exits import ExitCode
from irevalcli.cli.exports import Destination, Exports
from irevalcli.cli.problems import note_line
from irevalcli.config.finding import FILE, PROJECT_FILE
from irevalcli.errors import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import click

    from irevalcli.analysis.scores import Evaluation
    from irevalcli.cli.console import Console

MEASURES = ("nDCG@10", "AP")
"""What the starter file is about unless the user says."""
BASELINE = "baseline.json"
"""The baseline that is written if none is named."""


def start(ctx: click.Context, console: Console, options: dict[str, Any]) -> ExitCode:
    """Score the runs now, and write `FILE` and, unless a baseline is named, `BASELINE` into the working directory.

    Raises:
        UsageProblem: there is such a file already, or something is missing or cannot stand in it.
        InputProblem: qrels or runs cannot be used.
    """
    from irevalcli.analysis.evaluate import evaluate  # noqa: PLC0415  (numpy, which --help does without)
    from irevalcli.config.starter import JUDGED, Starter, starter_text  # noqa: PLC0415

    qrels = options["qrels"]
    # That of a file which is overwritten, or stands above this folder, may be of other judgments.
    baseline = options["baseline"] if "baseline" in given_options(ctx) else None
    # That of a policy is among the runs.
    policy = policy_of(options | {"baseline": None})
    if qrels is None or not options["runs"]:
        raise UsageProblem("--init: name the judgments and a run: irevalcli check --init QRELS RUN")
    runs = named_runs(options["runs"], qrels)
    _check_absent(ctx, () if options["force"] else (FILE,) if baseline else (FILE, BASELINE))
    asked = asked_measures([*(options["measures"] or MEASURES), JUDGED], policy.level)
    # The last one is about judged documents, also if it was asked for before.
    asked.sort(key=lambda measure: measure.spec.name == JUDGED)
    announce_typing(console, [qrels, *(run.path for run in runs)])
    targets = [Destination("toml", FILE, "--init"), *([] if baseline else [Destination("json", BASELINE, "--init")])]
    with Exports(targets) as files:
        with suggesting_order(ctx):
            evaluation = evaluate(qrels, runs, asked, policy, digests=True)
        for note in (*evaluation.notes, *(note for run in evaluation.runs for note in run.notes)):
            console.say(note_line(note, console))
        settings = dict(_given_settings(ctx))
        starter = Starter(evaluation, [run.argument for run in runs], baseline or BASELINE, settings)
        files.write(targets[0], [starter_text(starter).encode()])
        if not baseline:
            files.write(targets[1], _stored(evaluation))
    written = " and ".join(target.path for target in targets)
    console.say(f"wrote {written}; read what must hold there, keep it in version control, and run: {ctx.command_path}")
    return ExitCode.DONE


def _check_absent(ctx: click.Context, names: Sequence[str]) -> None:
    """Nothing, if no file would be overwritten, and none would be hidden."""
    configuration = configuration_of(ctx)
    if configuration.path == PROJECT_FILE:
        place = configuration.origin(configuration.top.line)
        raise UsageProblem(f"--init: {place} is the configuration already", hints=(f"{FILE} would go before it",))
    for name in names:
        if Path(name).exists():
            raise UsageProblem(f"--init: {name} is there already", hints=("--force overwrites it",))


def _given_settings(ctx: click.Context) -> Iterator[tuple[str, Any]]:
    """The keys and values that decide numbers, given as options or by the file until now.

    Measures and paths of runs stand elsewhere.
    """
    for param in ctx.command.params:
        if not isinstance(param, GroupedOption) or param.key is None or param.key.purpose != "numbers":
            continue
        given = ctx.get_parameter_source(str(param.name)) is not ParameterSource.DEFAULT
        if given and param.key.name != "measures":
            yield param.key.name, given_value(ctx, param)


def _stored(evaluation: Evaluation) -> Iterator[bytes]:
    """The first run as ``evaluate --export baseline.json -q`` writes it."""
    from irevalcli.output.registry import Layout, render  # noqa: PLC0415  (numpy)

    return render(evaluation._replace(runs=evaluation.runs[:1]), "json", Layout(per_query=True))
