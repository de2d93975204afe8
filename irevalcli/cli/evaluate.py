"""``irevalcli evaluate``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from irevalcli.cli.console import Console, stdout, write_all
from irevalcli.cli.exports import Exports, parse_export
from irevalcli.cli.options import Digits, MeasureType, Suggested, presentation_options
from irevalcli.cli.problems import note_line
from irevalcli.errors import UsageProblem
from irevalcli.output.registry import FORMATS, SUFFIXES, Layout, render

if TYPE_CHECKING:
    from irevalcli.analysis.evaluate import Asked, NamedRun, Policy
    from irevalcli.analysis.scores import Evaluation

DEFAULT_MEASURES = ("AP", "nDCG@10", "P@10", "RR", "R@1000", "Judged@10")
HASHING_FORMATS = {"json"}
SORT_KINDS = ("run", "measure", "query", "value")
_ZERO_OR_SKIP = ["zero", "skip"]


@click.command("evaluate")
@click.argument("qrels")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    "-m", "--measure", "measures", multiple=True, type=MeasureType(), metavar="MEASURE",
    help=f"Measure, or a list of them; repeatable.  [default: {' '.join(DEFAULT_MEASURES)}]",
)
@click.option("-q", "--per-query", is_flag=True, help="Also print every query.")
@click.option("--no-summary", is_flag=True, help="Leave the means out; with -q.")
@click.option(
    "-l", "--relevance", "level", type=float, default=1.0, show_default="1", metavar="N",
    help="Lowest grade that counts as relevant. Does not act on nDCG and other graded measures.",
)
@click.option("-J", "--judged-only", is_flag=True, help="Leave unjudged documents out of the rankings.")
@click.option("-M", "--depth", type=click.IntRange(min=1), metavar="K", help="Keep the first K ranks of every ranking.")
@click.option(
    "--missing", type=Suggested([*_ZERO_OR_SKIP, "error"]), default="zero", show_default=True,
    help="A judged query that the run lacks counts as 0, is left out, or is an error.",
)
@click.option(
    "--no-relevant", type=Suggested(_ZERO_OR_SKIP), default="zero", show_default=True,
    help="A query without relevant documents counts as 0, or is left out.",
)
@click.option(
    "--negative", type=Suggested(["unjudged", "nonrelevant"]), default="unjudged", show_default=True,
    help="What a negative grade means; unjudged as in trec_eval. -J drops the unjudged ones.",
)
@click.option("--exclude-self", is_flag=True, help="Leave out documents whose id is that of the query.")
@click.option("--collection-size", type=click.IntRange(min=0), default=0, metavar="N", help="Documents in the collection.")
@click.option("--queries", metavar="LIST|@FILE", help="Only these queries: separated by commas, or one a line in FILE.")
@click.option(
    "--qrels-format", type=Suggested(["qrels", "qrels_jg", "prefs", "qrels_prefs"]), default="qrels", show_default=True,
    help="Columns of the qrels, as trec_eval's -R has them.",
)
@click.option(
    "-f", "--format", "output_format", type=Suggested(["auto", *FORMATS]), default="auto", show_default=True,
    envvar="IREVALCLI_FORMAT", help="Output format; auto: table on a terminal, tsv in a pipe.",
)
@click.option(
    "-e", "--export", "exports", multiple=True, metavar="[FORMAT:]PATH",
    help="Also write the results to a file; repeatable. The ending tells the format.",
)
@click.option(
    "--digits", type=Digits(), default=4, show_default=True, envvar="IREVALCLI_DIGITS", help="Decimals, or full."
)
@click.option(
    "--names", type=Suggested(["canonical", "trec", "given"]), default=None,
    help="Measure names: ours, trec_eval's, or as you wrote them.  [default: canonical; trec with --format trec]",
)
@click.option(
    "--sort", metavar="run|measure|query|value[:MEASURE]",
    help="Order by run label, measure name, query, or the value of a measure, best first.",
)
@presentation_options
def command(**options: Any) -> None:  # noqa: ANN401
    """Score runs against relevance judgments.

    A RUN is a path or LABEL=PATH; - is standard input. Compressed files and pipes work as they are.

    \b
    Examples:
      irevalcli evaluate qrels.txt bm25.run
      irevalcli evaluate qrels.txt bm25.run neural=out/run17.gz -m nDCG@10,AP -m 'P(rel=2)@10'
      irevalcli evaluate -q --sort value:AP -m AP qrels.txt bm25.run
      irevalcli evaluate --format json --export scores.csv qrels.txt bm25.run
      zcat bm25.run.gz | irevalcli evaluate qrels.txt -

    \b
    Exit status: 0 done, 2 usage, 3 unusable input.
    """
    console = Console.decide(options["color"], quiet=options["quiet"])
    stdout()
    destinations = [parse_export(text, FORMATS, SUFFIXES) for text in options["exports"]]
    chosen = options["output_format"]
    if chosen == "auto":
        chosen = "table" if console.terminal else "tsv"
    layout = _layout(options, console)
    from irevalcli.analysis.evaluate import evaluate  # noqa: PLC0415  (numpy, which --help does without)

    digests = bool(HASHING_FORMATS & {chosen, *(destination.format for destination in destinations)})
    with Exports(destinations) as files:
        evaluation = evaluate(
            options["qrels"],
            _named_runs(options["runs"]),
            _asked(options["measures"] or DEFAULT_MEASURES, options["level"]),
            _policy(options),
            digests=digests,
        )
        for note in (*evaluation.notes, *(note for run in evaluation.runs for note in run.notes)):
            console.say(note_line(note, console))
        write_all(render(evaluation, chosen, layout))
        for index, destination in enumerate(destinations):
            plain = layout._replace(width=None, colour=False, unicode=True)
            files.write(index, render(evaluation, destination.format, plain))
    for line in _coverage(evaluation):
        console.say(line)


def _layout(options: dict[str, Any], console: Console) -> Layout:
    kind, _, measure = (options["sort"] or "").partition(":")
    if kind not in ("", *SORT_KINDS):
        raise UsageProblem(f"--sort {options['sort']}: choose {', '.join(SORT_KINDS)} or value:MEASURE")
    return Layout(
        per_query=options["per_query"],
        summary=not options["no_summary"],
        digits=options["digits"],
        names=options["names"],
        sort=(kind, measure) if kind else None,
        width=console.width,
        colour=console.colour,
        unicode=console.unicode,
    )


def _named_runs(arguments: tuple[str, ...]) -> list[NamedRun]:
    """The runs with their labels: given, or the file's stem; the whole path where stems clash.

    Raises:
        UsageProblem: two runs would have one label, or standard input is named twice.
    """
    from irevalcli.analysis.evaluate import NamedRun  # noqa: PLC0415

    split = [("", text) if text == "-" or os.path.exists(text) else _labelled(text) for text in arguments]  # noqa: PTH110
    if sum(path == "-" for _, path in split) > 1:
        raise UsageProblem("standard input (-) can be read once only")
    stems = [label or _stem(path) for label, path in split]
    runs = []
    for (label, path), stem in zip(split, stems, strict=True):
        runs.append(NamedRun(stem if label or stems.count(stem) == 1 else path, path))
    labels = [run.label for run in runs]
    for label in labels:
        if labels.count(label) > 1:
            raise UsageProblem(f"two runs are called {label}", hints=("give them labels: LABEL=PATH",))
    return runs


def _labelled(text: str) -> tuple[str, str]:
    label, equals, path = text.partition("=")
    return (label, path) if equals and label and path else ("", text)


def _stem(path: str) -> str:
    if path == "-":
        return "stdin"
    name = Path(path).name
    for suffix in (".gz", ".bz2", ".xz", ".zst"):
        name = name.removesuffix(suffix)
    return Path(name).stem if Path(name).suffix in (".run", ".txt", ".trec", ".res", ".tsv") else name


def _asked(texts: tuple[str, ...], level: float) -> list[Asked]:
    """The measures in order, each once.

    Raises:
        UsageProblem: a measure is unknown or wrongly written.
    """
    from irevalcli.analysis.evaluate import Asked  # noqa: PLC0415
    from irevalcli.measures.spec import parse_measures  # noqa: PLC0415

    found: dict[str, Asked] = {}
    for text in texts:
        specs = parse_measures(text, level=level)
        for spec in specs:
            found.setdefault(spec.name, Asked(spec, text if len(specs) == 1 else spec.name))
    return list(found.values())


def _policy(options: dict[str, Any]) -> Policy:
    from irevalcli.analysis.evaluate import Policy  # noqa: PLC0415

    shared = {name: options[name] for name in Policy._fields if name in options and name != "queries"}
    return Policy(**shared, queries=_queries(options["queries"]))


def _queries(text: str | None) -> tuple[bytes, ...] | None:
    if text is None:
        return None
    if text.startswith("@"):
        try:
            listed = Path(text[1:]).read_bytes().split()
        except OSError as error:
            raise UsageProblem(f"--queries {text}: {os.strerror(error.errno or 0)}") from None
    else:
        listed = [os.fsencode(qid) for qid in text.split(",") if qid]
    if not listed:
        raise UsageProblem("--queries names no query")
    return tuple(dict.fromkeys(listed))


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
