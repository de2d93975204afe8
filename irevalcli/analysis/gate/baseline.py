"""The baseline that ``evaluate --export baseline.json`` wrote: read, and held against what is evaluated now."""

from __future__ import annotations

import json
import math
import os
import re
import shlex
from typing import TYPE_CHECKING, Any, NamedTuple

from irevalcli.analysis.gate.pairing import Values
from irevalcli.analysis.notes import counted, some
from irevalcli.analysis.policy import Asked
from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.measures.spec import parse_spelled
from irevalcli.reading.opening import Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from irevalcli.analysis.evaluate import NamedRun
    from irevalcli.analysis.scores import Column, Evaluation

_SCHEMA = 1
_FIRST_KEY = re.compile(rb'\s*\{\s*"schema"')
_HEAD = 1 << 12
_ENDINGS = (".json", ".json.gz", ".json.bz2", ".json.xz")
_NO_NUMBERS = frozenset({"baseline"})
"""Options of an evaluation that say how runs are compared, not what their numbers are."""


class StoredBaseline(NamedTuple):
    """A run as a JSON of ``evaluate`` has it.

    Attributes:
        path: the file.
        label: what it calls the run.
        qrels_path: the judgments it was made with.
        qrels_sha256: of them.
        options: that decided the numbers.
        definitions: what it says of each measure, by canonical name.
        columns: the values of each measure, by canonical name.
        qids: the queries that it has rows of; none if it has aggregates alone.
        alone: whether the file holds no other run.
    """

    path: str
    label: str
    qrels_path: str
    qrels_sha256: str | None
    options: dict[str, Any]
    definitions: dict[str, dict[str, Any]]
    columns: dict[str, Values]
    qids: frozenset[bytes]
    alone: bool


def is_stored(path: str) -> bool:
    """Whether a baseline is the JSON of an evaluation, by its first key; otherwise it is a run, which may be JSON, too.

    Raises:
        InputProblem: the file cannot be read.
    """
    if not os.path.isfile(path):  # noqa: PTH113  (a pipe can be read only once)
        return path.lower().endswith(_ENDINGS)
    with Source(path) as source:
        return _FIRST_KEY.match(source.head(_HEAD)) is not None


def read_baseline(run: NamedRun) -> StoredBaseline:
    """The baseline in a file.

    Args:
        run: the file, and if it holds several runs, the label of one.

    Raises:
        InputProblem: it cannot be read, is no such JSON, or holds several runs and none of that label.
    """
    with Source(run.path) as source:
        raw = bytes(source.read_all())
    try:
        whole = json.loads(raw)
        schema, runs = whole["schema"], whole["runs"]
        labels = [str(each["label"]) for each in runs]
        chosen = runs[0] if len(runs) == 1 else next((each for each in runs if each["label"] == run.label), None)
        names = {str(each["name"]): str(each["canonical"]) for each in whole["measures"]}
        definitions = {str(each["canonical"]): dict(each) for each in whole["measures"]}
        qrels, options = dict(whole["qrels"]), dict(whole["options"])
        columns = {} if chosen is None else dict(_columns(chosen, names))
        qids = frozenset() if chosen is None else frozenset(map(_raw, chosen.get("per_query", {})))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputProblem(
            f"{run.path}: not what evaluate --export writes as JSON ({_fault(error)})",
            hints=("a baseline is a run, or made by: irevalcli evaluate QRELS RUN --export baseline.json",),
        ) from None
    if schema != _SCHEMA:
        raise InputProblem(f"{run.path}: its schema is {schema!r}; this version of irevalcli reads {_SCHEMA}")
    if chosen is None:
        raise InputProblem(
            f"{run.path} holds {len(labels)} runs: {', '.join(labels)}" if labels else f"{run.path} holds no run",
            hints=(f"choose one by its label: --baseline LABEL={run.path}",) if labels else (),
        )
    return StoredBaseline(
        run.path,
        str(chosen["label"]),
        str(qrels.get("path", "")),
        qrels.get("sha256"),
        options,
        definitions,
        columns,
        qids,
        alone=len(runs) == 1,
    )


def _fault(error: Exception) -> str:
    """What is wrong with the JSON."""
    if isinstance(error, KeyError):
        return f"{error} is missing"
    return str(error) if isinstance(error, ValueError) else "other structure"


def _columns(run: dict[str, Any], names: dict[str, str]) -> Iterator[tuple[str, Values]]:
    """The values of a run's measures by canonical name.

    Raises:
        ValueError: one is neither a finite number nor null, or not every query has it.
    """
    rows: dict[str, dict[str, Any]] = run.get("per_query", {})
    for name, canonical in names.items():
        lacking = [qid for qid, row in rows.items() if name not in row]
        if 0 < len(lacking) < len(rows):
            raise ValueError(f"query {lacking[0]} has no {name}")
        values = {qid: _value(row[name], f"{name} of query {qid}") for qid, row in rows.items() if name in row}
        by_query = {_raw(qid): value for qid, value in values.items() if value is not None}
        yield canonical, Values(_value(run.get("aggregate", {}).get(name), name), by_query or None)


def _raw(qid: str) -> bytes:
    return qid.encode("utf-8", "surrogateescape")


def _value(written: object, what: str) -> float | None:
    """The number that is written; None for null.

    Raises:
        ValueError: it is something else.
    """
    if written is None:
        return None
    if isinstance(written, bool) or not isinstance(written, int | float) or not math.isfinite(written):
        raise ValueError(f"{what} is {written!r}")
    return float(written)


def stored_measures(stored: StoredBaseline, level: float) -> list[Asked]:
    """The measures of a baseline, for making it anew; those that are no longer known are left out."""
    found = []
    for name in stored.columns:
        try:
            found += [Asked(spec, given) for spec, given in parse_spelled(name, level=level)]
        except UsageProblem:
            continue
    return found


def check_same(
    stored: StoredBaseline, evaluation: Evaluation, columns: Sequence[Column], words: Sequence[str] = ()
) -> None:
    """Nothing, if the baseline was made with the judgments, options and measures of this evaluation.

    Args:
        stored: the baseline.
        evaluation: of the runs that are checked, with hashes.
        columns: the measures that rules compare with the baseline.
        words: the options of the call, for the call that makes the baseline anew.

    Raises:
        InputProblem: something differs; it says what it is here and there.
    """
    renew = _renewal(stored, evaluation, columns, words)
    if stored.qrels_sha256 != evaluation.qrels_sha256:
        raise InputProblem(
            f"{stored.path} was made with other judgments, so that its values cannot be compared",
            hints=(
                f"baseline: sha256 {stored.qrels_sha256 or 'not known'}  {stored.qrels_path}",
                f"now:      sha256 {evaluation.qrels_sha256}  {evaluation.qrels_path}",
                renew,
            ),
        )
    differing = list(_differing_options(stored.options, evaluation.options))
    if differing:
        raise InputProblem(f"{stored.path} was made with other options", hints=(*differing, renew))
    lacking = [column.spec.name for column in columns if column.spec.name not in stored.columns]
    if lacking:
        has = f"it has {', '.join(stored.columns) or 'none'}"
        raise InputProblem(f"{stored.path} has no values of {', '.join(lacking)}", hints=(has, renew))
    for column in columns:
        _check_definition(stored, column, renew)
    if stored.qids and evaluation.options["missing"] != "skip":
        qids = set(evaluation.runs[0].qids)
        for others, what in ((stored.qids - qids, "of it not judged now"), (qids - stored.qids, "not in it")):
            if others:
                number = counted(len(others), "query", "queries")
                raise InputProblem(
                    f"{stored.path} was made with other queries: {number} {what} ({some(sorted(others))})",
                    hints=("see --queries", renew),
                )


def _differing_options(then: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    """The options that decide numbers and are not the same, with both values."""
    present: dict[str, Any] = json.loads(json.dumps(now))
    for name in sorted(then.keys() - present.keys() - _NO_NUMBERS):
        if then[name] not in (None, False, {}):
            yield f"{name}: {_option_text(then[name])} in the baseline; this version of irevalcli has no such option"
    for name, value in present.items():
        if name not in _NO_NUMBERS and then.get(name, value) != value:
            shown = f"--{name.replace('_', '-')}" if name != "level" else "--relevance"
            yield f"{shown}: {_option_text(then[name])} in the baseline, {_option_text(value)} now"


def _option_text(value: object) -> str:
    return "not given" if value is None or value == {} else str(value)


def _check_definition(stored: StoredBaseline, column: Column, renew: str) -> None:
    """Nothing, if the measure means what it meant."""
    record = column.spec.measure
    then = stored.definitions[column.spec.name]
    origin = None if record.origin is None else record.origin._asdict()
    now = {
        "definition": record.formula,
        "aggregation": record.aggregation,
        "higher_is_better": column.spec.higher_is_better,
        "plugin": origin,
    }
    for key, value in now.items():
        if then.get(key, value) != value:
            raise InputProblem(
                f"{stored.path}: {column.spec.name} is defined otherwise there",
                hints=(f"baseline: {key} {then[key]}", f"now:      {key} {value}", renew),
            )


def _renewal(stored: StoredBaseline, evaluation: Evaluation, columns: Sequence[Column], options: Sequence[str]) -> str:
    """The call that makes the baseline anew."""
    specs = [*(asked.spec for asked in stored_measures(stored, level=1)), *(column.spec for column in columns)]
    measures = [word for name in dict.fromkeys(spec.name for spec in specs) for word in ("-m", name)]
    words = ["irevalcli", "evaluate", evaluation.qrels_path, "RUN", *measures, *options, "--export", stored.path]
    return f"make it anew from the run it stands for: {shlex.join(words)}"
