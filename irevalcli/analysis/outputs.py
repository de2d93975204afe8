"""What evaluations wrote, read again: the JSON of ``evaluate`` and the lines of trec_eval."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from irevalcli.errors import Finding, InputProblem, UsageProblem
from irevalcli.measures.spec import parse_measures
from irevalcli.reading.faults import looks_like_qrels, quoted
from irevalcli.reading.rules import NO_DATA

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.measures.registry import MeasureSpec
    from irevalcli.reading.opening import Source

Kind = Literal["json", "trec", "qrels", "run"]

_HEAD = 1 << 16
_ALL = b"all"
# trec_eval fills a measure's name up to 22 columns.
_TREC_LINE = re.compile(rb"(?P<name>[A-Za-z]\S*) *\t\S+\t\S*[ \t\r]*")
_TREC_NAME_WIDTH = 22


class Measured(NamedTuple):
    """A measure in an output.

    Attributes:
        name: its canonical name if it is known, else as the output has it.
        spec: the measure, or None if the name says nothing to us.
        higher_is_better: None if neither direction is better, or if nothing is known.
        values: by query; only finite numbers.
    """

    name: str
    spec: MeasureSpec | None
    higher_is_better: bool | None
    values: dict[bytes, float]


class Output(NamedTuple):
    """The per-query values of a run in an output.

    Attributes:
        label: what the output calls the run, or "".
        measures: in the order of the output.
        qrels: SHA-256 of the qrels, if the output says.
        options: the options that decided the numbers, if the output says.
    """

    label: str
    measures: tuple[Measured, ...]
    qrels: str | None = None
    options: dict[str, Any] | None = None


def kind_of(source: Source) -> Kind:
    """What a source seems to hold; it is at its first byte before and after. What looks like nothing is a run.

    Raises:
        InputProblem: the source cannot be read.
    """
    held = bytearray(_HEAD)
    filled = 0
    with memoryview(held) as view:
        while filled < _HEAD:
            read = source.readinto(view[filled:])
            if not read:
                break
            filled += read
    source.rewind()
    lines = [line for line in bytes(held[:filled]).split(b"\n") if line.strip() and not line.startswith(b"#")]
    if not lines:
        return "run"
    if lines[0].lstrip().startswith(b"{"):
        return "json"
    match = _TREC_LINE.fullmatch(lines[0])
    if match and (lines[0].index(b"\t") >= _TREC_NAME_WIDTH or _spec(match["name"].decode()) is not None):
        return "trec"
    return "qrels" if looks_like_qrels(lines[0].split()) else "run"


def _spec(name: str) -> MeasureSpec | None:
    try:
        specs = parse_measures(name)
    except UsageProblem:
        return None
    return specs[0] if len(specs) == 1 else None


def read_trec(source: Source) -> Output:
    """The per-query lines of trec_eval's output. Summaries are left out, and so is what is no number.

    Raises:
        InputProblem: the source cannot be read, or has no per-query values.
    """
    values: dict[str, dict[bytes, float]] = {}
    label = ""
    for fields in map(bytes.split, bytes(source.read_all()).split(b"\n")):
        if len(fields) == 3 and fields[0] == b"runid":
            label = fields[2].decode("utf-8", "surrogateescape")
        elif len(fields) == 3 and fields[1] != _ALL:
            number = _finite(fields[2])
            if number is not None:
                values.setdefault(fields[0].decode("utf-8", "replace"), {})[fields[1]] = number
    if not values:
        raise _without_queries(source, "trec_eval writes them with -q")
    measures = []
    for name, found in values.items():
        spec = _spec(name)
        known = name if spec is None else spec.name
        measures.append(Measured(known, spec, True if spec is None else spec.higher_is_better, found))
    return Output(label, tuple(measures))


def _finite(text: object) -> float | None:
    """The number, or None if there is none."""
    if not isinstance(text, (bytes, int, float)) or isinstance(text, bool):
        return None
    try:
        number = float(text)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _without_queries(source: Source, advice: str) -> InputProblem:
    return InputProblem.of(Finding(NO_DATA.code, "no values of single queries in the file", source.name, help=advice))


def read_json(source: Source, label: str = "") -> Output:
    """The per-query values of a run in the JSON of ``evaluate``.

    Args:
        source: the output.
        label: which run, if there are several; "" for the only one.

    Raises:
        InputProblem: it is no such output, has no per-query values, or several runs of which none is called `label`.
    """
    try:
        whole = json.loads(bytes(source.read_all()))
        runs = {str(run["label"]): run for run in whole["runs"]}
        measures = {str(measure["name"]): measure for measure in whole["measures"]}
        qrels, options = whole["qrels"]["sha256"], whole["options"]
        chosen = runs.get(label, next(iter(runs.values())) if len(runs) == 1 else None)
        per_query: dict[str, dict[str, Any]] = {} if chosen is None else chosen.get("per_query", {})
        found = {name: _column(per_query, name) for name in measures}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise InputProblem.of(
            Finding(
                NO_DATA.code,
                f"not what evaluate --format json writes ({reason})",
                source.name,
                help="irevalcli evaluate -q --format json QRELS RUN",
            )
        ) from None
    if chosen is None:
        names = ", ".join(runs) or "none"
        raise InputProblem(
            f"{source.name} has {len(runs)} runs: {names}", hints=(f"choose one by its label: LABEL={source.name}",)
        )
    if not any(found.values()):
        raise _without_queries(source, "irevalcli evaluate -q --format json writes them")
    return Output(str(chosen["label"]), tuple(_known(measures, found)), qrels, options)


def _column(per_query: dict[str, dict[str, Any]], name: str) -> dict[bytes, float]:
    """The finite numbers of a measure by query."""
    found = {}
    for qid, row in per_query.items():
        number = _finite(row.get(name))
        if number is not None:
            found[qid.encode("utf-8", "surrogateescape")] = number
    return found


def _known(measures: dict[str, dict[str, Any]], found: dict[str, dict[bytes, float]]) -> Iterator[Measured]:
    for name, values in found.items():
        if values:
            canonical = str(measures[name].get("canonical", name))
            yield Measured(canonical, _spec(canonical), measures[name].get("higher_is_better"), values)


def check_same_origin(first: Output, second: Output) -> list[str]:
    """What makes the values of two outputs hard to compare, in sentences."""
    found = []
    if first.qrels and second.qrels and first.qrels != second.qrels:
        found.append("the values come from different qrels (SHA-256 differs); differences are not those of the runs")
    if first.options and second.options:
        differing = [
            name for name in first.options if name in second.options and first.options[name] != second.options[name]
        ]
        if differing:
            found.append(f"the values were computed with different options: {', '.join(sorted(differing))}")
    return found


def missing_measure(name: str, output: Output, path: str) -> UsageProblem:
    """The problem that an output lacks a measure."""
    names = ", ".join(measured.name for measured in output.measures)
    return UsageProblem(f"{path} has no values of {quoted(name.encode())[1:-1]}", hints=(f"it has {names}",))
