"""``irevalcli explain``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from irevalcli.cli.argument_types import FileType
from irevalcli.cli.arguments import named_runs
from irevalcli.cli.asking import announce_typing, asked_measures, policy_of, suggesting_order
from irevalcli.cli.commands import Command, option
from irevalcli.cli.console import Console, stdout, write_all
from irevalcli.cli.further_options import grades_option
from irevalcli.cli.options import general_options, measure_options, ranking_options
from irevalcli.cli.problems import note_line
from irevalcli.cli.single_options import digits_option, doc_text_option, format_option, query_text_option
from irevalcli.cli.texts import texts_of
from irevalcli.measures.nicknames import DEFAULT_MEASURES
from irevalcli.output.registry import Layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from irevalcli.analysis.explain import Explained
    from irevalcli.output.prose import Texts

    Renderer = Callable[[Explained, Layout, Texts], Iterator[bytes]]

FORMATS = ("auto", "table", "tsv", "json", "markdown")
TOP = 20


@click.command("explain", cls=Command, epilog="Exit status: 0 done, 2 usage, 3 unusable input.")
@click.argument("qrels", type=FileType())
@click.argument("run", type=FileType())
@option("Input", "--query", required=True, metavar="QID", help="The query.")
@ranking_options
@query_text_option
@doc_text_option
@grades_option
@measure_options
@option(
    "Output",
    "--top",
    type=click.IntRange(min=0),
    default=TOP,
    show_default=True,
    metavar="N",
    help="Show every rank down to N; below, only documents that the qrels have.",
)
@format_option(FORMATS)
@digits_option()
@general_options
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:  # noqa: ANN401
    """Show how a measure of one query came about, rank by rank.

    Each document with its grade, what it adds and the sum so far; an ideal ranking beside it, if the measure has one;
    and what other definitions of the measure would give.

    Examples:
      irevalcli explain qrels.txt bm25.run --query q07 -m nDCG@10
      irevalcli explain qrels.txt bm25.run --query q07 -m 'AP(rel=2)' --doc-text collection.tsv
      irevalcli explain qrels.txt bm25.run --query q07 -m RBP --format json
    """
    from irevalcli.analysis.explain import explain  # noqa: PLC0415  (numpy, which --help does without)

    console = Console.decide(options["color"], quiet=options["quiet"])
    stdout()
    measures = asked_measures(options["measures"] or DEFAULT_MEASURES, options["level"])
    policy = policy_of(options)
    others = [options[name] for name in ("qrels", "query_text", "doc_text") if options[name]]
    others += [path for _, path in policy.grades]
    (run,) = named_runs([options["run"]], *others, one_each=True)
    announce_typing(console, [*others, run.path])
    with suggesting_order(ctx):
        query = os.fsencode(options["query"])
        explained = explain(options["qrels"], run, query, measures, policy, options["top"])
    docids = {step.docid for one in explained.explanations for step in one.steps if step.docid is not None}
    texts = texts_of(query, docids, options["query_text"], options["doc_text"])
    for note in explained.notes:
        console.say(note_line(note, console))
    layout = Layout(digits=options["digits"], width=console.width, colour=console.colour, unicode=console.unicode)
    chosen = console.format_for(options["output_format"])
    write_all(_renderer(chosen)(explained, layout, texts))


def _renderer(name: str) -> Renderer:
    from irevalcli.output import explanation, explanation_data  # noqa: PLC0415

    return {
        "table": explanation.render_table,
        "markdown": explanation.render_markdown,
        "tsv": explanation_data.render_tsv,
        "json": explanation_data.render_json,
    }[name]
