"""Reading trec_eval's files: what cannot be read ends the program with its message and exit code."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NoReturn

from irevalcli.errors import InputProblem
from irevalcli.index.order import TieRule
from irevalcli.index.qrels import QrelsRules, read_qrels
from irevalcli.index.scan import RunRules
from irevalcli.index.stream import read_run
from irevalcli.reading.blank_qrels import TREC_QRELS
from irevalcli.reading.opening import STDIN, Source
from irevalcli.reading.trec import AS_RELEASE_9, AS_RELEASE_10
from irevalcli.trec.argv import Stop
from irevalcli.trec.zscores import MalformedZscores, Zscores

if TYPE_CHECKING:
    from irevalcli.index.judgments import Judgments
    from irevalcli.index.qrels import QrelsReport
    from irevalcli.index.ranking import Ranking
    from irevalcli.index.stream import RunReport
    from irevalcli.trec.argv import TrecOptions

INPUT_ERROR, BAD_ZSCORES = 2, 255
PREFERENCE_FORMATS = ("prefs", "qrels_prefs")


def _unreadable(reader: str, what: str, path: str) -> NoReturn:
    said = f"trec_eval.{reader}: Cannot read {what} file '{path}'\n"
    raise Stop(INPUT_ERROR, stderr=f"{said}trec_eval: Quit in file '{path}'\n")


def _malformed(reader: str, line: int, path: str) -> NoReturn:
    said = f"trec_eval.{reader}: Malformed line {line}\n"
    raise Stop(INPUT_ERROR, stderr=f"{said}trec_eval: Quit in file '{path}'\n")


def read_qrels_file(options: TrecOptions) -> tuple[Judgments, QrelsReport]:
    """The judgments, and what was noticed.

    Raises:
        Stop: the format is unknown, the file cannot be read, is empty, malformed, or repeats itself within a group.
    """
    name, path = options.rel_format, options.qrels
    if name not in TREC_QRELS:
        raise Stop(INPUT_ERROR, stderr=f"trec_eval: Illegal rel_format '{name}'\n")
    reader, what = ("get_prefs", "prefs") if name in PREFERENCE_FORMATS else (f"get_{name}", "qrels")
    rules = QrelsRules(TREC_QRELS[name], strict=False, comments=options.release_10)
    try:
        source = Source(path, marks=False, stdin=False, parts=False)
        if source.size == 0:
            _unreadable(reader, what, path)
        judgments, report = read_qrels(source, rules)
    except InputProblem:
        _unreadable(reader, what, path)
    if judgments is None:
        _malformed(f"get_{name}", (report.malformed or 0) + 1, path)
    if name == "qrels_jg" and report.duplicates:
        said = f"trec_eval.get_qrels: duplicate docs {os.fsdecode(report.duplicates[0][1])}\n"
        raise Stop(INPUT_ERROR, stderr=f"{said}trec_eval: Quit in file '{path}'\n")
    return judgments, report


def read_run_file(options: TrecOptions, judgments: Judgments) -> tuple[Ranking, RunReport]:
    """The run joined with the judgments, and what was noticed.

    Raises:
        Stop: the format is unknown, the file cannot be read, is empty or malformed.
    """
    path = options.run
    if options.results_format != "trec_results":
        raise Stop(INPUT_ERROR, stderr=f"trec_eval: Illegal retrieval results format '{options.results_format}'\n")
    ties = TieRule(
        docid_descending=options.rel_format not in PREFERENCE_FORMATS, single_precision=not options.release_10
    )
    piped = options.release_10 and path.startswith(STDIN)
    try:
        source = Source(STDIN if piped else path, marks=False, stdin=piped, parts=False)
        if source.size == 0 and not piped:
            _unreadable("get_results", "results", path)
        layout = AS_RELEASE_10 if options.release_10 else AS_RELEASE_9
        ranking, report = read_run(source, judgments, RunRules(ties, strict=False, format=layout))
    except InputProblem:
        _unreadable("get_results", "results", path)
    if report.malformed:
        _malformed("get_results", report.rows + 1, path)
    return ranking, report


def read_zscores_file(path: str) -> Zscores:
    """The z-scores.

    Raises:
        Stop: the file cannot be read, is empty or malformed.
    """
    text = b""
    try:
        text = bytes(Source(path, marks=False, stdin=False, parts=False).read_all())
        return Zscores(text)
    except InputProblem:
        said = f"Cannot read zscores file '{path}'"
    except MalformedZscores as error:
        said = f"Malformed line {error.line}" if text else f"Cannot read zscores file '{path}'"
    raise Stop(BAD_ZSCORES, stderr=f"trec_eval.get_zscores: {said}\n")
