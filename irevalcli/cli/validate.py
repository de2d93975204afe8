"""``irevalcli validate``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from irevalcli.cli.argument_types import FileType, Suggested
from irevalcli.cli.arguments import named_runs
from irevalcli.cli.asking import announce_typing, suggesting_order
from irevalcli.cli.commands import Command, key_option, option
from irevalcli.cli.console import Console, stdout, write_all
from irevalcli.cli.exits import ExitCode
from irevalcli.cli.exports import Destination, Exports, parse_export, refuse_inputs
from irevalcli.cli.options import general_options
from irevalcli.cli.progress import Progress
from irevalcli.cli.rule_options import RuleType, codes_of, rule_called
from irevalcli.cli.single_options import export_option, format_option, progress_option
from irevalcli.errors import UsageProblem
from irevalcli.output.finding_text import printable
from irevalcli.output.validation_formats import FORMATS, SUFFIXES, ValidationLayout, render_validation
from irevalcli.reading.formats import AUTO
from irevalcli.reading.rules import CANNOT_OPEN, IS_DIRECTORY, RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.evaluate import NamedRun
    from irevalcli.analysis.fixing import Repair
    from irevalcli.analysis.validate import Checks
    from irevalcli.analysis.validation import Validation

MOST = 10
"""How many findings of a rule are shown for each file unless the user says."""

_UNREADABLE = frozenset({CANNOT_OPEN.code, IS_DIRECTORY.code})
_TEXT_FORMATS = (AUTO, "concise", "full")


class Files(NamedTuple):
    """What the arguments are: paths of qrels, and the texts of runs. Several qrels stand alone."""

    qrels: tuple[str, ...]
    runs: tuple[str, ...]


@click.command(
    "validate",
    cls=Command,
    epilog="Exit status: 0 nothing that fails, 1 errors (with --strict, warnings), 2 usage, 3 a file cannot be read.",
)
@click.argument("files", nargs=-1, metavar="[QRELS] RUN...", type=FileType())
@option("Input", "--qrels-only", is_flag=True, help="All files are qrels.")
@option("Input", "--runs-only", is_flag=True, help="All files are runs.")
@key_option("Input", "--qrels-format")
@key_option("Input", "--run-format")
@option(
    "Method",
    "--select",
    multiple=True,
    type=RuleType(),
    metavar="CODES",
    help="Only these rules: codes or their beginnings, separated by commas; repeatable.",
)
@option("Method", "--ignore", multiple=True, type=RuleType(), metavar="CODES", help="Not these rules; as --select.")
@option("Method", "--strict", is_flag=True, help="Warnings fail, too. Notes never do.")
@option("Method", "--preset", type=Suggested(["trec"]), help="What TREC demands of a run that is submitted.")
@option("Method", "--limit", type=click.IntRange(min=1), metavar="N", help="Most documents for a query.")
@option(
    "Method",
    "--cutoff",
    "cutoffs",
    type=click.IntRange(min=1),
    multiple=True,
    default=(10,),
    metavar="K",
    show_default="10",
    help="Rank down to which judgments and ties are looked at; repeatable.",
)
@option("Method", "--fix", is_flag=True, help="Put right what loses nothing (see --rules), then validate.")
@option("Method", "--diff", is_flag=True, help="Show what --fix would change, and change nothing.")
@option("Output", "--rules", "listing", is_flag=True, help="List the rules, or those of --select.")
@option("Output", "--explain", type=RuleType(), metavar="CODE", help="Explain a rule.")
@option(
    "Output",
    "--max",
    "most",
    type=click.IntRange(min=1),
    default=MOST,
    show_default=True,
    metavar="N",
    help="Show so many findings of a rule for each file.",
)
@option("Output", "--statistics", is_flag=True, help="Show how often each rule was broken, in place of findings.")
@format_option([AUTO, *FORMATS], meaning="auto: full on a terminal, concise in a pipe.")
@export_option("findings")
@progress_option
@general_options
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> int:  # noqa: ANN401
    """Look for faults and oddities in runs and qrels.

    Files are told apart by what they hold. A run with qrels is also compared with them: queries that are missing, ids
    that do not match, documents that are not judged.

    Examples:
      irevalcli validate qrels.txt bm25.run colbert.run
      irevalcli validate --strict --ignore RUN019,INP qrels.txt runs/*.run
      irevalcli validate --explain RUN011
      irevalcli validate --fix --diff --select RUN018 bm25.run
      irevalcli validate --preset trec --format github qrels.txt bm25.run
    """
    console = Console.decide(options["color"], quiet=options["quiet"])
    stdout()
    select, ignore = (codes_of(f"--{name}", options[name]) for name in ("select", "ignore"))
    codes = [code for code in select or RULES if code not in ignore]
    if options["listing"] or options["explain"] is not None:
        write_all(_about_rules(options, codes, console))
        return ExitCode.DONE
    if not codes:
        raise UsageProblem("--ignore leaves no rule of those selected")
    files = _told_apart(ctx, options)
    announce_typing(console, [*files.qrels, *files.runs])
    exports = [parse_export(text, FORMATS, SUFFIXES) for text in options["exports"]]
    refuse_inputs(exports, [*files.qrels, *files.runs])
    repairs = _repairs(files, codes, options) if options["fix"] or options["diff"] else []
    if options["diff"]:
        return _show_diff(repairs, console)
    for repair in repairs:
        _carry_out(repair, console)
    layout = ValidationLayout(strict=options["strict"])
    with Exports(exports) as opened:
        validation = _validated(ctx, files, _checks(options, select, ignore), console, options)
        for destination in exports:
            opened.write(destination, render_validation(validation, destination.format, layout))
    _say_what_stays(validation, repairs, codes, console, fixing=options["fix"])
    name = options["output_format"]
    name = ("full" if console.terminal else "concise") if name == AUTO else name
    layout = layout._replace(colour=console.colour, unicode=console.unicode)
    write_all(render_validation(validation, name, layout, statistics=options["statistics"]))
    return _exit_code(validation, strict=options["strict"])


def _about_rules(options: dict[str, Any], codes: list[str], console: Console) -> Iterator[bytes]:
    """The list of rules, or one of them in full; as text or JSON.

    Raises:
        UsageProblem: the format is another one.
    """
    from irevalcli.output.rule_text import list_lines, rule_lines, rules_json  # noqa: PLC0415

    chosen = options["output_format"]
    if chosen not in (*_TEXT_FORMATS, "json"):
        raise UsageProblem(f"rules are not written as {chosen}", hints=("text and json are known",))
    explained = options["explain"]
    rules = [RULES[code] for code in codes] if explained is None else [rule_called(explained)]
    if chosen == "json":
        return iter([rules_json(rules)])
    lines = list_lines(rules) if explained is None else rule_lines(rules[0], console.width)
    return (f"{line}\n".encode() for line in lines)


def _told_apart(ctx: click.Context, options: dict[str, Any]) -> Files:
    """Which files are qrels, and which are runs.

    The first of several files is the qrels, unless it looks like a run; a file alone is a run, unless it looks like
    qrels.

    Raises:
        UsageProblem: no file is named, or qrels and run are in each other's place.
    """
    from irevalcli.analysis.swapped import is_qrels, is_run, refuse_swapped  # noqa: PLC0415  (numpy)

    first, *others = options["files"] or [""]
    if not first:
        argument = next(param for param in ctx.command.params if param.name == "files")
        raise click.MissingParameter(ctx=ctx, param=argument)
    if options["qrels_only"] and options["runs_only"]:
        raise UsageProblem("--qrels-only and --runs-only exclude each other")
    if options["qrels_only"]:
        return Files((first, *others), ())
    if options["runs_only"]:
        return Files((), (first, *others))
    if not others:
        judged = is_qrels(first) or (options["qrels_format"] != AUTO and options["run_format"] == AUTO)
        return Files((first,), ()) if judged else Files((), (first,))
    with suggesting_order(ctx):
        refuse_swapped(first, named_runs(others, first, by_path=True))
    return Files((), (first, *others)) if is_run(first) else Files((first,), tuple(others))


def _checks(options: dict[str, Any], select: tuple[str, ...], ignore: tuple[str, ...]) -> Checks:
    from irevalcli.analysis.validate import Checks  # noqa: PLC0415  (numpy, which --help does without)

    cutoffs = tuple(dict.fromkeys(options["cutoffs"]))
    return Checks(
        select=select,
        ignore=ignore,
        most=options["most"],
        cutoffs=cutoffs,
        judged_at=cutoffs[0],
        limit=options["limit"],
        preset=options["preset"],
        run_format=options["run_format"],
        qrels_format=options["qrels_format"],
    )


def _validated(
    ctx: click.Context, files: Files, checks: Checks, console: Console, options: dict[str, Any]
) -> Validation:
    from irevalcli.analysis.validate import validate  # noqa: PLC0415  (numpy, which --help does without)
    from irevalcli.analysis.validation import Validation  # noqa: PLC0415

    runs: list[NamedRun] = named_runs(files.runs, *files.qrels, by_path=True)
    with suggesting_order(ctx), Progress(wanted=options["progress"] and not console.quiet) as progress:
        if files.runs:
            return validate(next(iter(files.qrels), None), runs, checks, progress)
        reports = (validate(qrels, [], checks, progress).files for qrels in files.qrels)
        return Validation(tuple(report for found in reports for report in found))


def _repairs(files: Files, codes: list[str], options: dict[str, Any]) -> list[Repair]:
    """What can be put right in each file."""
    from irevalcli.analysis.fixing import repair_of  # noqa: PLC0415  (numpy)

    runs = [run.path for run in named_runs(files.runs, *files.qrels, by_path=True)]
    return [
        *(repair_of(path, "qrels", codes) for path in files.qrels),
        *(repair_of(path, "run", codes, options["run_format"]) for path in runs),
    ]


def _show_diff(repairs: list[Repair], console: Console) -> int:
    """Write what would change; 1 if anything would."""
    from functools import partial  # noqa: PLC0415

    from irevalcli.analysis.fixing import changes_of  # noqa: PLC0415
    from irevalcli.output.line_diff import unified_diff  # noqa: PLC0415

    for repair in repairs:
        _say_why_not(repair, console)
        if repair.counts:
            write_all(unified_diff(repair.path, partial(changes_of, repair)))
            console.say(f"note:    --fix would change {_changed(repair)}")
    return ExitCode.NO if any(repair.counts for repair in repairs) else ExitCode.DONE


def _carry_out(repair: Repair, console: Console) -> None:
    """Write the file anew, if anything changes; it is there as it was or as it should be, never in part."""
    from irevalcli.analysis.fixing import changes_of  # noqa: PLC0415

    if not repair.counts:
        return
    destination = Destination("", repair.path, "--fix")
    with Exports([destination]) as opened:
        opened.write(destination, (change.after for change in changes_of(repair)))
    console.say(f"note:    changed {_changed(repair)}")


def _changed(repair: Repair) -> str:
    counts = ", ".join(f"{code} ×{number}" for code, number in repair.counts.items())
    return f"{printable(repair.path)} ({counts})"


def _say_what_stays(
    validation: Validation, repairs: list[Repair], codes: list[str], console: Console, *, fixing: bool
) -> None:
    """Of findings that ``--fix`` puts right: why they are still there, or that it would."""
    fixable = {count.rule for file in validation.files for count in file.counts if RULES[count.rule].fixable} & set(
        codes
    )
    if fixable and not fixing:
        console.say(f"note:    --fix would put right what it can of {', '.join(sorted(fixable))}; --diff shows it")
    if fixable:
        for repair in repairs:
            _say_why_not(repair, console)


def _say_why_not(repair: Repair, console: Console) -> None:
    for reason in repair.left:
        console.say(f"note:    {printable(repair.path)} is not fixed: {reason}")


def _exit_code(validation: Validation, *, strict: bool) -> int:
    """3 if a file could not be opened; else 1 if anything fails."""
    if any(count.rule in _UNREADABLE for file in validation.files for count in file.counts):
        return ExitCode.INPUT
    fails = validation.total("error") or (strict and validation.total("warning"))
    return ExitCode.NO if fails else ExitCode.DONE
