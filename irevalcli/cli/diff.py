"""``irevalcli diff``."""

from __future__ import annotations

import os
import shlex
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from irevalcli.cli.argument_types import FileType
from irevalcli.cli.arguments import named_runs
from irevalcli.cli.asking import announce_typing, asked_measures, policy_of, suggesting_order
from irevalcli.cli.commands import Command
from irevalcli.cli.console import Console, stdout, write_all
from irevalcli.cli.diff_options import FOR_PEOPLE, FORMATS, SUFFIXES, TOP, diff_options
from irevalcli.cli.exits import ExitCode
from irevalcli.cli.exports import Exports, parse_export, refuse_inputs
from irevalcli.cli.following import decisive_options
from irevalcli.cli.options import general_options, measure_options_with, order_options, query_options
from irevalcli.cli.problems import note_line
from irevalcli.cli.progress import Progress
from irevalcli.cli.texts import texts_of
from irevalcli.errors import UsageProblem
from irevalcli.output.finding_text import printable
from irevalcli.output.registry import Layout

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.diff import Difference, Settings
    from irevalcli.analysis.diff_documents import DocumentDifference
    from irevalcli.analysis.evaluate import NamedRun
    from irevalcli.analysis.outputs import Kind, Output
    from irevalcli.analysis.policy import Asked, Policy
    from irevalcli.reading.opening import Source

MEASURES = ("AP", "nDCG@10")
"""What is compared by unless the user says."""

_NEED_QRELS = {
    "measures": "--measure",
    "level": "--relevance",
    "collection_size": "--collection-size",
    "no_relevant": "--no-relevant",
    "negative": "--negative",
    "judged_only": "--judged-only",
    "qrels_format": "--qrels-format",
}
_NEED_RUNS = {
    "query": "--query",
    "query_text": "--query-text",
    "doc_text": "--doc-text",
    "depth": "--depth",
    "ranks": "--ranks",
    "ties": "--ties",
    "exclude_self": "--exclude-self",
    "run_format": "--run-format",
    "on_error": "--on-error",
}


@click.command(
    "diff",
    cls=Command,
    epilog="Exit status: 0 done, 1 something differs (with --exit-code), 2 usage, 3 unusable input.",
)
@click.argument("files", nargs=-1, required=True, metavar="[QRELS] A B", type=FileType())
@query_options
@order_options
@partial(measure_options_with, defaults=MEASURES)
@diff_options
@general_options
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> int:  # noqa: ANN401
    """Show which queries and documents changed from one run to another.

    A and B are runs, each a path or LABEL=PATH. Without QRELS their rankings are compared, document by document; or A
    and B are outputs of evaluations with values of single queries, of evaluate --format json or of trec_eval.

    Examples:
      irevalcli diff qrels.txt bm25.run colbert.run -m nDCG@10 --top 5
      irevalcli diff qrels.txt bm25.run colbert.run -m nDCG@10 --query q07
      irevalcli diff bm25.run colbert.run --by overlap
      irevalcli diff <(irevalcli trec -q qrels.txt bm25.run) <(irevalcli trec -q qrels.txt colbert.run)
      irevalcli diff --exit-code --quiet qrels.txt bm25.run colbert.run > changes.tsv || echo changed
    """
    console = Console.decide(options["color"], quiet=options["quiet"])
    stdout()
    destinations = [parse_export(text, FORMATS, SUFFIXES) for text in options["exports"]]
    chosen = console.format_for(options["output_format"])
    _check(options)
    texts = [options[name] for name in ("query_text", "doc_text") if options[name]]
    refuse_inputs(destinations, [*options["files"], *texts])
    with Exports(destinations) as files:
        digests = "json" in {chosen, *(destination.format for destination in destinations)}
        difference = _compared(ctx, console, options, digests=digests)
        for note in difference.notes:
            console.say(note_line(note, console))
        layout = Layout(digits=options["digits"], width=console.width, colour=console.colour, unicode=console.unicode)
        plain = layout._replace(width=None, colour=False, unicode=True)
        for destination in destinations:
            files.write(destination, _rendered(difference, destination.format, plain, options))
        pieces = _rendered(difference, chosen, layout, options)
    write_all(pieces)
    if chosen == "table" and options["query"] is None:
        _say_how_to_go_on(ctx, console, difference, options)
    return ExitCode.NO if options["exit_code"] and difference.found else ExitCode.DONE


def _check(options: dict[str, Any]) -> None:
    """Nothing, if the call makes sense as far as can be said without reading.

    Raises:
        UsageProblem: it does not.
    """
    number = len(options["files"])
    if number not in {2, 3}:
        raise UsageProblem(
            f"diff takes two or three files, not {number}",
            hints=("irevalcli diff QRELS A B compares values and documents, irevalcli diff A B documents alone",),
        )
    if options["query"] is None:
        for name in ("query_text", "doc_text"):
            if options[name]:
                raise UsageProblem(f"--{name.replace('_', '-')}: texts are shown for one query, with --query QID")


def _compared(
    ctx: click.Context, console: Console, options: dict[str, Any], *, digests: bool
) -> Difference | DocumentDifference:
    """The difference that was asked for."""
    from irevalcli.analysis.diff import Settings, diff_runs  # noqa: PLC0415  (numpy, which --help does without)
    from irevalcli.analysis.diff_documents import diff_documents  # noqa: PLC0415

    *qrels, one, other = options["files"]
    texts = [options[name] for name in ("query_text", "doc_text") if options[name]]
    first, second = named_runs([one, other], *qrels, *texts, by_path=True, one_each=True)
    runs = first, second
    announce_typing(console, [*qrels, *texts, first.path, second.path])
    settings = Settings(options["depth"], options["ranks"], options["tolerance"])
    policy = policy_of(options | {"depth": None})
    with Progress(wanted=options["progress"] and not console.quiet) as progress:
        if not qrels:
            return _without_qrels(ctx, runs, policy, settings, options, progress)
        measures = asked_measures(options["measures"] or MEASURES, options["level"])
        with suggesting_order(ctx):
            if options["query"] is not None:
                query = os.fsencode(options["query"])
                return diff_documents(qrels[0], runs, query, measures, policy, settings, watch=progress)
            return diff_runs(qrels[0], runs, measures, policy, settings, digests=digests, watch=progress)


def _without_qrels(  # noqa: PLR0917  (the question, in parts)
    ctx: click.Context,
    runs: tuple[NamedRun, NamedRun],
    policy: Policy,
    settings: Settings,
    options: dict[str, Any],
    progress: Progress,
) -> Difference | DocumentDifference:
    """The difference of two files, which say by their contents what they are."""
    from irevalcli.analysis.diff_documents import diff_document_rankings  # noqa: PLC0415
    from irevalcli.analysis.diff_without_qrels import diff_outputs, diff_rankings  # noqa: PLC0415
    from irevalcli.analysis.outputs import kind_of  # noqa: PLC0415
    from irevalcli.reading.opening import Source  # noqa: PLC0415

    with ExitStack() as opened:
        one, other = (opened.enter_context(Source(run.path)) for run in runs)
        kinds = kind_of(one), kind_of(other)
        _check_kinds(kinds, runs, options)
        if kinds == ("run", "run"):
            _refuse(ctx, _NEED_QRELS, "needs qrels: irevalcli diff QRELS A B")
            if options["query"] is None:
                return diff_rankings((one, other), runs, policy, settings, watch=progress)
            query = os.fsencode(options["query"])
            return diff_document_rankings((one, other), runs, query, policy, settings, watch=progress)
        _refuse(ctx, _NEED_RUNS, "needs runs; these are outputs of evaluations")
        outputs = _output(one, kinds[0], runs[0]), _output(other, kinds[1], runs[1])
        measures: list[Asked] = []
        if options["measures"]:
            measures = asked_measures(options["measures"], options["level"])
        named = _named_as_in(outputs, runs)
        return diff_outputs(outputs, named, measures, policy, settings, defaults=MEASURES)


def _check_kinds(kinds: tuple[Kind, Kind], runs: tuple[NamedRun, NamedRun], options: dict[str, Any]) -> None:
    """Nothing, if the files are two runs or two outputs.

    Raises:
        UsageProblem: they are not.
    """
    for kind, run in zip(kinds, runs, strict=True):
        if kind == "qrels":
            call = shlex.join(["irevalcli", "diff", *options["files"], "ANOTHER.run"])
            raise UsageProblem(f"{run.path} looks like relevance judgments, and there is only one run", hints=(call,))
    if ("run" in kinds) and kinds != ("run", "run"):
        words = {"run": "a run", "json": "JSON of evaluate", "trec": "output of trec_eval"}
        raise UsageProblem(
            "two runs can be compared, or two outputs of evaluations",
            hints=tuple(f"{run.path}: {words[kind]}" for kind, run in zip(kinds, runs, strict=True)),
        )


def _refuse(ctx: click.Context, names: dict[str, str], why: str) -> None:
    """Nothing, if none of the options was given.

    Raises:
        UsageProblem: one was.
    """
    for name, shown in names.items():
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise UsageProblem(f"{shown} {why}")


def _given_label(run: NamedRun) -> str:
    """The label that the user wrote, or ""."""
    return run.label if run.argument != run.path else ""


def _output(source: Source, kind: Kind, run: NamedRun) -> Output:
    from irevalcli.analysis.outputs import read_json, read_trec  # noqa: PLC0415

    return read_json(source, _given_label(run)) if kind == "json" else read_trec(source)


def _named_as_in(outputs: tuple[Output, Output], runs: tuple[NamedRun, NamedRun]) -> tuple[NamedRun, NamedRun]:
    """The runs by the labels that the user or the outputs give them, unless both would have the same."""
    labels = [_given_label(run) or output.label or run.label for output, run in zip(outputs, runs, strict=True)]
    if labels[0] == labels[1]:
        return runs
    return runs[0]._replace(label=labels[0]), runs[1]._replace(label=labels[1])


def _rendered(
    difference: Difference | DocumentDifference, name: str, layout: Layout, options: dict[str, Any]
) -> Iterator[bytes]:
    """The difference in one of the formats."""
    from irevalcli.analysis.diff import Difference  # noqa: PLC0415
    from irevalcli.analysis.diff_selection import View  # noqa: PLC0415
    from irevalcli.output import (  # noqa: PLC0415
        difference as for_people,
    )
    from irevalcli.output import (  # noqa: PLC0415
        difference_data,
        document_difference,
        document_difference_data,
    )

    if isinstance(difference, Difference):
        top = options["top"]
        if top is None:
            top = TOP if name in FOR_PEOPLE else None
        view = View(options["by"], options["only"], top or None)
        return {
            "table": for_people.render_table,
            "markdown": for_people.render_markdown,
            "tsv": difference_data.render_tsv,
            "csv": difference_data.render_csv,
            "json": difference_data.render_json,
        }[name](difference, layout, view)
    docids = {row.docid for row in difference.top + difference.left}
    texts = texts_of(difference.query, docids, options["query_text"], options["doc_text"])
    return {
        "table": document_difference.render_table,
        "markdown": document_difference.render_markdown,
        "tsv": document_difference_data.render_tsv,
        "csv": document_difference_data.render_csv,
        "json": document_difference_data.render_json,
    }[name](difference, layout, texts)


def _say_how_to_go_on(
    ctx: click.Context, console: Console, difference: Difference | DocumentDifference, options: dict[str, Any]
) -> None:
    """The call that shows the documents of the query that changed most, for the worse if any did."""
    from irevalcli.analysis.diff import Difference  # noqa: PLC0415

    if not isinstance(difference, Difference) or difference.likeness is None or not difference.found:
        return
    if difference.changes:
        change = next(change for change in difference.changes if change.verdict.any())
        improvement = change.improvement
        row = int(change.row[int(improvement.argmin() if change.count(-1) else improvement.argmax())])
        asked = ["-m", change.name]
    else:
        alike = difference.likeness
        row, asked = min(range(len(difference.qids)), key=lambda place: (bool(alike.same[place]), alike.rbo[place])), []
    decisive = (word for words in decisive_options(ctx) for word in words)
    call = [*options["files"], *asked, *decisive, "--query", os.fsdecode(difference.qids[row])]
    console.say(printable(f"see documents:  {ctx.command_path} {shlex.join(call)}"))
