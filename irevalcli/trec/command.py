"""``irevalcli trec``: the command line of trec_eval, from argument list to exit code."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NoReturn

from irevalcli.errors import InputProblem
from irevalcli.trec.argv import Stop, TrecOptions, parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from irevalcli.index.judgments import Judgments
    from irevalcli.index.qrels import QrelsReport
    from irevalcli.index.ranking import Ranking
    from irevalcli.index.stream import RunReport
    from irevalcli.trec.table import Column, Marked
    from irevalcli.trec.zscores import Zscores

USAGE_ERROR, INPUT_ERROR, CANNOT_CALCULATE, NOTHING_EVALUATED, BAD_ZSCORES = 1, 2, 4, 7, 255
RELEASE_9 = "9.0.8"


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


def _stop(code: int, message: str | bytes) -> NoReturn:
    text = message.decode("utf-8", "surrogateescape") if isinstance(message, bytes) else message
    raise Stop(code, stderr=text)


def _output(arguments: Sequence[str], program: str) -> Iterator[bytes]:
    options = parse(arguments, program=program, check_measure=_check_measure)
    from irevalcli.trec import table  # noqa: PLC0415  (-v and usage errors need no numpy)

    release_10 = options.compat != RELEASE_9
    asked = table.marked(options.measures, release_10=release_10)
    if options.help:
        yield _help(options, asked)
        return
    asked = asked or table.marked(("official",), release_10=release_10)
    judgments, qrels_report = _read_qrels(options)
    ranking, run_report = _read_run(options, judgments)
    zscores = _read_zscores(options.zscores) if options.zscores is not None else None
    columns = _columns(asked, table.Setting(options.level, options.collection_size, release_10))
    yield from _evaluated(options, asked, columns, judgments, qrels_report, ranking, run_report, zscores)


def _check_measure(argument: str, compat: str) -> None:
    from irevalcli.trec import table  # noqa: PLC0415

    table.check(argument, release_10=compat != RELEASE_9)


def _help(options: TrecOptions, asked: list[Marked]) -> bytes:
    from irevalcli.measures.families import all_measures  # noqa: PLC0415
    from irevalcli.trec.help import help_text  # noqa: PLC0415

    records = all_measures()
    described = [
        (row.name, f"{records[row.measure].summary}\n{records[row.measure].formula}" if row.measure else "tag of the run")
        for row, _ in asked
    ]
    return help_text(described, options.rel_format, options.results_format).encode("utf-8", "surrogateescape")


def _columns(asked: list[Marked], setting: object) -> list[Column]:
    from irevalcli.trec import table  # noqa: PLC0415
    from irevalcli.trec.parameters import BadParameters  # noqa: PLC0415

    found: list[Column] = []
    for measure in asked:
        try:
            found += table.columns(measure, setting)  # type: ignore[arg-type]
        except BadParameters as error:
            _stop(INPUT_ERROR, f"{error}\ntrec_eval: Cannot initialize measure '{measure.row.name}'\n")
    return found


def _cannot_read(reader: str, what: str, path: str) -> NoReturn:
    _stop(INPUT_ERROR, f"trec_eval.{reader}: Cannot read {what} file '{path}'\ntrec_eval: Quit in file '{path}'\n")


def _malformed(reader: str, line: int, path: str) -> NoReturn:
    _stop(INPUT_ERROR, f"trec_eval.{reader}: Malformed line {line}\ntrec_eval: Quit in file '{path}'\n")


def _read_qrels(options: TrecOptions) -> tuple[Judgments, QrelsReport]:
    from irevalcli.index.qrels import QRELS_FORMATS, QrelsRules, read_qrels  # noqa: PLC0415
    from irevalcli.reading.opening import Source  # noqa: PLC0415

    name, path = options.rel_format, options.qrels
    if name not in QRELS_FORMATS:
        _stop(INPUT_ERROR, f"trec_eval: Illegal rel_format '{name}'\n")
    unreadable = ("get_prefs", "prefs") if name in ("prefs", "qrels_prefs") else (f"get_{name}", "qrels")
    try:
        source = Source(path, marks=False, stdin=False)
        if source.size == 0:
            _cannot_read(*unreadable, path)
        rules = QrelsRules(QRELS_FORMATS[name], strict=False, comments=options.compat != RELEASE_9)
        judgments, report = read_qrels(source, rules)
    except InputProblem:
        _cannot_read(*unreadable, path)
    if judgments is None:
        _malformed(f"get_{name}", (report.malformed or 0) + 1, path)
    if name == "qrels_jg" and report.duplicates:
        docid = report.duplicates[0][1]
        quit_line = b"\ntrec_eval: Quit in file '%s'\n" % os.fsencode(path)
        _stop(INPUT_ERROR, b"trec_eval.get_qrels: duplicate docs " + docid + quit_line)
    return judgments, report


def _read_run(options: TrecOptions, judgments: Judgments) -> tuple[Ranking, RunReport]:
    from irevalcli.index.order import TieRule  # noqa: PLC0415
    from irevalcli.index.scan import RunRules  # noqa: PLC0415
    from irevalcli.index.stream import read_run  # noqa: PLC0415
    from irevalcli.reading.opening import STDIN, Source  # noqa: PLC0415

    path = options.run
    if options.results_format != "trec_results":
        _stop(INPUT_ERROR, f"trec_eval: Illegal retrieval results format '{options.results_format}'\n")
    release_10 = options.compat != RELEASE_9
    rules = RunRules(
        TieRule(docid_descending=options.rel_format not in ("prefs", "qrels_prefs"), single_precision=not release_10),
        strict=False,
        comments=release_10,
    )
    try:
        piped = release_10 and path.startswith(STDIN)
        source = Source(STDIN if piped else path, marks=False, stdin=piped)
        if source.size == 0 and not piped:
            _cannot_read("get_results", "results", path)
        ranking, report = read_run(source, judgments, rules)
    except InputProblem:
        _cannot_read("get_results", "results", path)
    if report.malformed:
        _malformed("get_results", report.rows + 1, path)
    return ranking, report


def _read_zscores(path: str) -> Zscores:
    from irevalcli.reading.opening import Source  # noqa: PLC0415
    from irevalcli.trec.zscores import MalformedZscores, Zscores  # noqa: PLC0415

    unreadable = f"trec_eval.get_zscores: Cannot read zscores file '{path}'\n"
    try:
        text = bytes(Source(path, marks=False, stdin=False).read_all())
    except InputProblem:
        _stop(BAD_ZSCORES, unreadable)
    if not text:
        _stop(BAD_ZSCORES, unreadable)
    try:
        return Zscores(text)
    except MalformedZscores as error:
        _stop(BAD_ZSCORES, f"trec_eval.get_zscores: Malformed line {error.line}\n")


def _evaluated(
    options: TrecOptions,
    asked: list[Marked],
    columns: list[Column],
    judgments: Judgments,
    qrels_report: QrelsReport,
    ranking: Ranking,
    run_report: RunReport,
    zscores: Zscores | None,
) -> Iterator[bytes]:
    import numpy as np  # noqa: PLC0415

    from irevalcli.trec import evaluation, printer  # noqa: PLC0415

    obstacles = evaluation.find_obstacles(options, judgments, ranking, run_report, qrels_report.duplicates)
    result = evaluation.evaluate(options, asked, columns, judgments, ranking, obstacles)
    if zscores is not None:
        result = result._replace(
            columns=[
                column
                if isinstance(column.values, list)
                else column._replace(
                    values=zscores.convert(os.fsencode(column.name), result.qids, column.values)
                )
                for column in result.columns
            ]
        )
    z = zscores is not None
    if options.per_query:
        yield from printer.query_lines(result.qids, result.columns, z=z)
    if result.failure is not None:
        _stop(CANNOT_CALCULATE, result.failure.message)
    if not result.qids:
        _stop(NOTHING_EVALUATED, "trec_eval: No queries with both results and relevance info\n")
    if not options.summary:
        return
    values = {column.name: column for column in result.columns}
    for row, _ in asked:
        if row.name == "runid":
            tag = run_report.tags[-1] if run_report.tags else b""
            yield b"%-22s\tall\t%s\n" % (b"runid", tag)
        elif row.name == "num_q":
            yield printer.summary_line("num_q", result.denominator, integer=True, z=z)
        elif row.name == "num_rel" and options.complete:
            total = int(np.count_nonzero(judgments.row_grade > 0))
            yield printer.summary_line("num_rel", total, integer=True, z=z)
        elif row.in_summary:
            for column in result.columns:
                if column.row is row and not isinstance(column.values, list):
                    value = printer.summary_value(row, column.values, result.denominator)
                    yield printer.summary_line(column.name, value, integer=row.integer, z=z)
