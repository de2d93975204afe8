"""``irevalcli check``."""

from __future__ import annotations

import os
import shlex
import sys
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from irevalcli.cli.argument_types import FileType
from irevalcli.cli.asking import announce_typing, policy_of, suggesting_order
from irevalcli.cli.baseline_files import baseline_destinations, renew_baselines
from irevalcli.cli.check_options import check_options
from irevalcli.cli.ci import announce, service_of
from irevalcli.cli.commands import Command
from irevalcli.cli.configured import configuration_of, given_options
from irevalcli.cli.console import Console, write_all
from irevalcli.cli.exits import ExitCode
from irevalcli.cli.exports import Exports, parse_export, refuse_inputs
from irevalcli.cli.following import decisive_options, follow_up
from irevalcli.cli.options import general_options, input_options, level_options
from irevalcli.cli.problems import note_line
from irevalcli.cli.progress import Progress
from irevalcli.cli.suites import asked_suites
from irevalcli.errors import UsageProblem
from irevalcli.output.gate_formats import FORMATS, HASHING, SUFFIXES, render_report
from irevalcli.output.registry import Layout

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from irevalcli.analysis.gate.gate import Checked, SuiteAsked
    from irevalcli.analysis.gate.verdicts import GateReport, SuiteReport
    from irevalcli.analysis.scores import Note

_WORDS = "irevalcli.words"
"""Under this name a context knows the words of the command line."""


class CheckCommand(Command):
    """The command; it remembers its words, so that the report can repeat them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line."""
        ctx.meta[_WORDS] = tuple(args)
        return super().parse_args(ctx, args)


@click.command(
    "check",
    cls=CheckCommand,
    applies_numbers=True,
    epilog="Exit status: 0 all rules hold, 1 a rule failed, 2 usage, 3 unusable input.",
)
@click.argument("qrels", required=False, type=FileType())
@click.argument("runs", nargs=-1, metavar="[RUN]...", type=FileType())
@input_options
@level_options
@check_options
@general_options
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> int:  # noqa: ANN401
    """Fail when retrieval quality drops.

    A RUN is a path or LABEL=PATH. The baseline is a run, or JSON that evaluate --export wrote.

    Examples:
      irevalcli check qrels.txt new.run --assert 'nDCG@10 >= 0.35'
      irevalcli check qrels.txt new.run --baseline old.run --max-drop nDCG@10=0.01
      irevalcli check qrels.txt new.run --baseline old.run --max-drop AP=2% --max-query-drop AP=0.5
      irevalcli check qrels.txt new.run --init
      irevalcli check                                  # everything from irevalcli.toml
    """
    console = Console.decide(options["color"], quiet=options["quiet"])
    if options["init"]:
        from irevalcli.cli.starting import start  # noqa: PLC0415  (rare)

        return start(ctx, console, options)
    destinations = [parse_export(text, FORMATS, SUFFIXES) for text in options["exports"]]
    chosen = "table" if options["output_format"] == "auto" else options["output_format"]
    layout = Layout(width=console.width, colour=console.colour, unicode=console.unicode)
    exported, service = {destination.format for destination in destinations}, service_of(options["ci"])
    words = tuple(word for words in decisive_options(ctx) for word in words)
    asked = asked_suites(configuration_of(ctx), options, given_options(ctx))
    suites = [suite._replace(words=words) for suite in asked]
    _check(ctx, suites, options)
    renewed = baseline_destinations(suites) if options["update_baseline"] else []
    refuse_inputs(destinations, _paths(suites))
    with Exports([*destinations, *renewed]) as files:
        announce_typing(console, _paths(suites))
        digests = service == "github" or not HASHING.isdisjoint({chosen, *exported})
        checked = _checked(ctx, console, suites, options, digests=digests)
        report = _report(ctx, suites, checked, options)
        for note in dict.fromkeys(note for suite in report.suites for note in _notes(suite)):
            console.say(note_line(note, console))
        plain = layout._replace(width=None, colour=False, unicode=True)
        for destination in destinations:
            files.write(destination, render_report(report, destination.format, plain))
        if renewed:
            renew_baselines(files, renewed, checked, console, force=options["force"])
    announce(report, service, plain, console, chosen=chosen, exported=exported)
    _write_whoever_reads(render_report(report, chosen, layout))
    return ExitCode.DONE if report.passed else ExitCode.NO


def _check(ctx: click.Context, suites: Sequence[SuiteAsked], options: dict[str, Any]) -> None:
    """Nothing, if the call makes sense as far as can be said without reading.

    Raises:
        UsageProblem: it does not.
    """
    from irevalcli.analysis.gate.gate import check_rules_can_decide  # noqa: PLC0415  (numpy, which --help does without)

    if options["force"] and not options["update_baseline"]:
        raise UsageProblem("--force is for --update-baseline and --init")
    if len(suites) > 1 and ctx.get_parameter_source("baseline") is ParameterSource.COMMANDLINE:
        raise UsageProblem(f"--baseline: there are {len(suites)} suites, each with a baseline of its own")
    for suite in suites:
        check_rules_can_decide(suite, [rule for rule in suite.rules if rule.level != "off"])


def _paths(suites: Iterable[SuiteAsked]) -> list[str]:
    """Every file that is read."""
    return [
        path
        for suite in suites
        for path in (suite.qrels, *(run.path for run in suite.runs), suite.baseline.path if suite.baseline else "")
    ]


def _checked(
    ctx: click.Context, console: Console, suites: Sequence[SuiteAsked], options: dict[str, Any], *, digests: bool
) -> list[Checked]:
    """The verdicts of all suites."""
    from irevalcli.analysis.gate.gate import check_suite  # noqa: PLC0415

    policy, renewing = policy_of(options | {"baseline": None}), options["update_baseline"]
    today = datetime.now().astimezone().date()
    with Progress(wanted=options["progress"] and not console.quiet) as progress, suggesting_order(ctx):
        return [
            check_suite(suite, policy, today=today, digests=digests, renewing=renewing, watch=progress)
            for suite in suites
        ]


def _report(
    ctx: click.Context, suites: Sequence[SuiteAsked], checked: Sequence[Checked], options: dict[str, Any]
) -> GateReport:
    """All verdicts together, with commands that show more."""
    from irevalcli.analysis.gate.verdicts import GateReport  # noqa: PLC0415

    found = []
    for suite, one in zip(suites, checked, strict=True):
        runs = tuple(
            run._replace(follow_up=follow_up(ctx, suite, named, run, one.stored))
            for named, run in zip(suite.runs, one.report.runs, strict=True)
        )
        found.append(one.report._replace(runs=runs))
    return GateReport(tuple(found), options["undecided"], f"{ctx.command_path} {shlex.join(ctx.meta[_WORDS])}".rstrip())


def _notes(suite: SuiteReport) -> list[Note]:
    return [*suite.notes, *(note for run in suite.runs for note in run.notes)]


def _write_whoever_reads(chunks: Iterable[bytes]) -> None:
    """Write to standard output; that its reader went away changes no verdict."""
    if sys.stdout is None:
        return
    try:
        write_all(chunks)
    except BrokenPipeError:
        # What is left in the buffer would fail again when the process ends.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.close(nowhere)
