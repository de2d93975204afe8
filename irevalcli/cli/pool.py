"""``irevalcli pool``."""

from __future__ import annotations

from typing import Any

import click

from irevalcli.cli.argument_types import FileType, Suggested
from irevalcli.cli.arguments import named_runs
from irevalcli.cli.asking import announce_typing, policy_of
from irevalcli.cli.commands import Command, option
from irevalcli.cli.console import Console, stdout, write_all
from irevalcli.cli.list_options import LISTING, list_options
from irevalcli.cli.options import general_options
from irevalcli.cli.problems import note_line
from irevalcli.cli.progress import Progress
from irevalcli.cli.single_options import format_option, progress_option

FORMATS = ("tsv", "qrels", "json")


@click.command("pool", cls=Command, epilog="Exit status: 0 done, 2 usage, 3 unusable input.")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", type=FileType())
@option(
    "Input", "--depth", required=True, type=click.IntRange(min=1), metavar="K",
    help="The first K documents of every ranking.",
)  # fmt: skip
@option(
    "Input", "--judged", type=FileType(), metavar="QRELS",
    help="Leave out what these qrels judge. A negative grade is no judgment.",
)  # fmt: skip
@list_options
@option(
    "Output", "--order", type=Suggested(["docid", "rank"]), default="docid", show_default=True,
    help="Of a query's documents: by id, which tells an assessor nothing, or by best rank.",
)  # fmt: skip
@format_option(
    FORMATS,
    default="tsv",
    meaning="tsv: query, document, best rank, number of runs; qrels: lines to put grades in; json.",
)
@progress_option
@general_options
def command(**options: Any) -> None:  # noqa: ANN401
    """List the documents at the top of runs, for judging.

    The pool of a query holds the first K documents of every run, each once. With --judged, only those that nobody has
    judged yet.

    Examples:
      irevalcli pool --depth 10 bm25.run neural.run
      irevalcli pool --depth 20 bm25.run neural.run --judged qrels.txt --format qrels
      irevalcli pool --depth 5 bm25.run neural.run --judged qrels.txt --order rank --queries q07
    """
    from irevalcli.analysis.notes import counted  # noqa: PLC0415
    from irevalcli.analysis.pool import pool  # noqa: PLC0415  (numpy, which --help does without)
    from irevalcli.output.pool import render_json, render_qrels, render_tsv  # noqa: PLC0415

    console = Console.decide(options["color"], quiet=options["quiet"])
    stdout()
    others = [] if options["judged"] is None else [options["judged"]]
    runs = named_runs(options["runs"], *others)
    policy = policy_of({name: options[name] for name in LISTING})
    announce_typing(console, [*others, *(run.path for run in runs)])
    with Progress(wanted=options["progress"] and not console.quiet) as progress:
        found = pool(runs, options["depth"], options["judged"], options["order"], policy, progress)
    for note in found.notes:
        console.say(note_line(note, console))
    write_all({"tsv": render_tsv, "qrels": render_qrels, "json": render_json}[options["output_format"]](found))
    listed = sum(len(query.docids) for query in found.queries)
    judged = sum(query.judged for query in found.queries)
    known = f"; {counted(judged, 'other is', 'others are')} judged" if others else ""
    console.say(f"{counted(listed, 'document')} of {counted(len(found.queries), 'query', 'queries')} to judge{known}.")
