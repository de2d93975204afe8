"""``irevalcli correlate``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from irevalcli.cli.argument_types import FileType, Suggested
from irevalcli.cli.arguments import named_runs
from irevalcli.cli.asking import announce_typing, asked_measures, policy_of, suggesting_order
from irevalcli.cli.commands import Command, option
from irevalcli.cli.console import Console, stdout, write_all
from irevalcli.cli.options import general_options, input_options, measure_options_with
from irevalcli.cli.problems import note_line
from irevalcli.cli.progress import Progress
from irevalcli.cli.single_options import digits_option, format_option, progress_option
from irevalcli.errors import UsageProblem
from irevalcli.output.registry import Layout

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.agreement import Wanted
    from irevalcli.analysis.correlate import Correlated
    from irevalcli.analysis.evaluate import NamedRun
    from irevalcli.analysis.policy import Asked, Policy
    from irevalcli.analysis.pool_bias import PoolBias

STATISTICS = (
    "tau", "tau_b", "tau_ap", "tau_ap_b", "spearman", "pearson", "tau_weighted", "rbo", "rbo_min", "rbo_res",
)  # fmt: skip
DEFAULT_STATISTICS = STATISTICS[:8]
DEFAULT_MEASURES = ("AP", "nDCG@10")
FORMATS = ("auto", "table", "tsv", "json")


@click.command("correlate", cls=Command, epilog="Exit status: 0 done, 2 usage, 3 unusable input.")
@click.argument("files", nargs=-1, required=True, metavar="[QRELS] RUN RUN...", type=FileType())
@option(
    "Method", "--of", type=Suggested(["documents", "systems"]),
    help="Rankings of documents by runs, or of runs by measures.  [default: systems if there are QRELS]",
)  # fmt: skip
@option(
    "Method", "-s", "--statistic", "statistics", multiple=True, type=Suggested([*STATISTICS, "all"]),
    metavar="NAME", help=f"What to compute; repeatable: {', '.join(STATISTICS)}, all.  [default: all but the last two]",
)  # fmt: skip
@option(
    "Method", "--p", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.9, show_default=True,
    metavar="P", help="Persistence of RBO.",
)  # fmt: skip
@option(
    "Method", "--rbo-ties", type=Suggested(["a", "b", "w", "none"]), default="a", show_default=True,
    help="Ties in RBO: a, the mean over all orders; b, that corrected for ties; w, one rank for all; none, broken.",
)  # fmt: skip
@option(
    "Method", "--qrels2", type=FileType(), metavar="FILE",
    help="Compare the ranking of runs by QRELS with that by these qrels.",
)  # fmt: skip
@option(
    "Method", "--leave-one-out", is_flag=True,
    help="Pool bias: score each run without the judgments that only this run brought into the pool.",
)  # fmt: skip
@option(
    "Method", "--pool-depth", type=click.IntRange(min=1), default=100, show_default=True, metavar="K",
    help="To which depth the pool was judged, for --leave-one-out.",
)  # fmt: skip
@input_options
@partial(measure_options_with, defaults=DEFAULT_MEASURES)
@option("Output", "-q", "--per-query", is_flag=True, help="Also print every query.")
@format_option(FORMATS)
@digits_option()
@progress_option
@general_options
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:  # noqa: ANN401
    """Show how much rankings agree, of documents or of runs.

    Without QRELS: the documents of every two runs, query by query, and the mean. With QRELS: the runs, as two measures
    rank them, or one measure under two qrels.

    Examples:
      irevalcli correlate bm25.run neural.run
      irevalcli correlate bm25.run neural.run -q -s rbo -s tau_ap_b --depth 100
      irevalcli correlate qrels.txt bm25.run neural.run ql.run -m AP -m nDCG@10
      irevalcli correlate qrels.txt bm25.run neural.run ql.run -m AP --qrels2 other.qrels
      irevalcli correlate qrels.txt bm25.run neural.run ql.run -m AP --leave-one-out --pool-depth 20
    """
    from irevalcli.analysis.agreement import Wanted  # noqa: PLC0415  (numpy, which --help does without)
    from irevalcli.analysis.swapped import is_qrels  # noqa: PLC0415

    console = Console.decide(options["color"], quiet=options["quiet"])
    stdout()
    files: tuple[str, ...] = options["files"]
    policy = policy_of(options)
    names = options["statistics"] or DEFAULT_STATISTICS
    wanted = Wanted(STATISTICS if "all" in names else tuple(dict.fromkeys(names)), options["p"], options["rbo_ties"])
    about_systems = options["qrels2"] is not None or options["leave_one_out"] or bool(options["measures"])
    judged = about_systems or options["of"] == "systems" or is_qrels(files[0])
    of = options["of"] or ("systems" if judged else "documents")
    if of == "documents" and about_systems:
        raise UsageProblem("-m, --qrels2 and --leave-one-out are about rankings of runs, not of documents")
    qrels = files[0] if judged else None
    others = [path for path in (qrels, options["qrels2"]) if path is not None]
    runs = named_runs(files[1:] if judged else files, *others)
    if len(runs) < 2:
        taken = f"{files[0]} was taken for QRELS, which -m, --qrels2 and --leave-one-out need"
        hints = (taken,) if about_systems else ()
        raise UsageProblem("correlate needs two runs or more", hints=hints)
    announce_typing(console, [*others, *(run.path for run in runs)])
    with Progress(wanted=options["progress"] and not console.quiet) as progress, suggesting_order(ctx):
        if of == "documents" or qrels is None:
            found, bias = _documents(runs, qrels, policy, wanted, progress), None
        else:
            measures = asked_measures(options["measures"] or DEFAULT_MEASURES, options["level"])
            found, bias = _systems(others, runs, measures, policy, wanted, options, progress)
    for note in found.notes:
        console.say(note_line(note, console))
    _write(found, bias, options, console)


def _documents(
    runs: list[NamedRun], qrels: str | None, policy: Policy, wanted: Wanted, progress: Progress
) -> Correlated:
    """The agreement of runs on documents.

    Raises:
        UsageProblem: an option needs judgments.
    """
    from irevalcli.analysis.correlate import correlate_documents  # noqa: PLC0415

    if policy.ties in {"best", "worst", "average"}:
        raise UsageProblem(f"--ties {policy.ties} looks at grades; rankings of documents have none")
    if policy.judged_only:
        raise UsageProblem("--judged-only is about rankings of runs; see --of systems")
    return correlate_documents(runs, qrels, policy, wanted, progress)


def _systems(  # noqa: PLR0917  (the files, the question, the options)
    qrels: list[str],
    runs: list[NamedRun],
    measures: list[Asked],
    policy: Policy,
    wanted: Wanted,
    options: dict[str, Any],
    progress: Progress,
) -> tuple[Correlated, PoolBias | None]:
    """The agreement of measures or qrels on runs, or that of scores with and without a run's own judgments."""
    if not options["leave_one_out"]:
        from irevalcli.analysis.correlate import correlate_systems  # noqa: PLC0415

        return correlate_systems(qrels, runs, measures, policy, wanted, progress), None
    from irevalcli.analysis.pool_bias import pool_bias  # noqa: PLC0415

    if options["qrels2"] is not None:
        raise UsageProblem("--leave-one-out makes its own second qrels; leave --qrels2 out")
    bias = pool_bias(qrels[0], runs, measures, policy, options["pool_depth"], wanted, progress)
    return bias.correlated, bias


def _write(found: Correlated, bias: PoolBias | None, options: dict[str, Any], console: Console) -> None:
    from irevalcli.output import correlation  # noqa: PLC0415

    layout = Layout(
        per_query=options["per_query"] and found.of == "documents",
        digits=options["digits"],
        width=console.width,
        colour=console.colour,
        unicode=console.unicode,
    )
    chosen = console.format_for(options["output_format"])
    render = {"table": correlation.render_table, "tsv": correlation.render_tsv, "json": correlation.render_json}
    write_all(render[chosen](found, bias, layout))
    for line in _undefined(found):
        console.say(line)


def _undefined(found: Correlated) -> Iterator[str]:
    """A line for each two runs of which some statistic is not defined in every query."""
    if found.of == "systems":
        return
    for pair in found.pairs:
        for queries in sorted(set(pair.defined.values()) - {len(pair.queries)}):
            names = ", ".join(name for name, defined in pair.defined.items() if defined == queries)
            verb = "are" if "," in names else "is"
            where = f"{pair.first}, {pair.second}: {names} {verb} not defined in {len(pair.queries) - queries} of"
            yield f"note:    {where} {len(pair.queries)} queries; the mean leaves these out"
