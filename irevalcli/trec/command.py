"""``irevalcli trec``: the command line of trec_eval, from argument list to exit code."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from irevalcli.trec.argv import Stop, TrecOptions, parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from irevalcli.trec.table import Column, Marked, Setting

INPUT_ERROR, CANNOT_CALCULATE, NOTHING_EVALUATED = 2, 4, 7


def run(arguments: Sequence[str], *, program: str) -> int:
    """Do what trec_eval does with these arguments, on standard output and standard error.

    Args:
        arguments: without the program's name.
        program: the name that getopt's messages begin with.

    Returns:
        The exit code.
    """
    try:
        for chunk in _output(arguments, program):
            sys.stdout.buffer.write(chunk)
    except Stop as stop:
        sys.stdout.buffer.write(stop.stdout.encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()
        sys.stderr.buffer.write(stop.stderr.encode("utf-8", "surrogateescape"))
        sys.stderr.buffer.flush()
        return stop.code
    return 0


def _output(arguments: Sequence[str], program: str) -> Iterator[bytes]:
    """Standard output in pieces.

    Raises:
        Stop: the program ends before its natural end.
    """
    options = parse(arguments, program=program, check_measure=_check_measure)
    # -v and usage errors need no numpy.
    from irevalcli.trec import table  # noqa: PLC0415

    asked = table.marked(options.measures, release_10=options.release_10)
    if options.help:
        yield _help(options, asked)
        return
    yield from _evaluation(options, asked or table.marked(("official",), release_10=options.release_10))


def _check_measure(argument: str, compat: str) -> None:
    from irevalcli.trec import table  # noqa: PLC0415

    table.check(argument, release_10=TrecOptions(compat=compat).release_10)


def _help(options: TrecOptions, asked: list[Marked]) -> bytes:
    from irevalcli.measures.families import measure_named  # noqa: PLC0415
    from irevalcli.trec.help import help_text  # noqa: PLC0415

    described = []
    for row, _ in asked:
        record = measure_named(row.measure) if row.measure else None
        described.append((row.name, f"{record.summary}\n{record.formula}" if record else "The tag of the run."))
    return help_text(described, options.rel_format, options.results_format).encode("utf-8", "surrogateescape")


def _evaluation(options: TrecOptions, asked: list[Marked]) -> Iterator[bytes]:
    from irevalcli.trec import evaluation, files, printer, table  # noqa: PLC0415

    judgments, qrels_report = files.read_qrels_file(options)
    run, run_report = files.read_run_file(options, judgments)
    zscores = None if options.zscores is None else files.read_zscores_file(options.zscores)
    columns = _columns(asked, table.Setting(options.level, options.collection_size, options.release_10))
    ranking = evaluation.prepared(run, options)
    obstacles = evaluation.find_obstacles(options, judgments, ranking, run_report, qrels_report)
    result = evaluation.evaluate(options, asked, columns, ranking, obstacles)
    if zscores is not None:
        result = evaluation.standardised(result, zscores)
    z = zscores is not None
    if options.per_query:
        yield from printer.query_lines(result.qids, result.columns, z=z)
    if result.failure is not None:
        raise Stop(CANNOT_CALCULATE, stderr=result.failure.message.decode("utf-8", "surrogateescape"))
    if not result.qids:
        raise Stop(NOTHING_EVALUATED, stderr="trec_eval: No queries with both results and relevance info\n")
    if options.summary:
        yield from printer.summary_lines(asked, result, run_report.tags[-1] if run_report.tags else b"", z=z)


def _columns(asked: list[Marked], setting: Setting) -> list[Column]:
    """The printed names of all measures.

    Raises:
        Stop: parameters cannot be read.
    """
    from irevalcli.trec import table  # noqa: PLC0415
    from irevalcli.trec.parameters import BadParameters  # noqa: PLC0415

    found: list[Column] = []
    for measure in asked:
        try:
            found += table.columns(measure, setting)
        except BadParameters as error:
            said = f"{error}\ntrec_eval: Cannot initialize measure '{measure.row.name}'\n"
            raise Stop(INPUT_ERROR, stderr=said) from None
    return found
