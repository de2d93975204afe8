"""Measures of all kinds on small files: refused with a problem, or finite numbers in the range of the measure."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from atheris import FuzzedDataProvider
from campaign import fuzz
from findings import PROBLEMS
from measure_texts import made_up

from irevalcli.analysis.evaluate import NamedRun, evaluate
from irevalcli.analysis.policy import Asked, Policy
from irevalcli.measures.spec import parse_spelled

if TYPE_CHECKING:
    from irevalcli.analysis.scores import Column

GRADES = ["1", "0", "2", "3", "-1", "0.5", "4", "7", "1000", "1e300", "1e-300"]
SCORES = ["1", "2", "2", "0", "-1", "1e300", "5e-324", "inf", "-inf"]
TIES = ["docid-desc", "docid-desc", "docid-asc", "rank", "file", "average", "best", "worst"]
FORMATS = {"groups": "qrels_jg", "preferences": "qrels_prefs"}
MARGIN = 1e-9
CHANGING = {"report", "gain", "gains", "stop", "a", "b", "c", "d"}
"""Parameters that give a measure another range."""


def check(data: bytes) -> None:
    """All bytes are choices: of measures, of options, of the lines of qrels and run."""
    choose = FuzzedDataProvider(data)
    text = made_up(choose)
    policy = Policy(
        level=choose.PickValueInList([1, 1, 2, 0.5]),
        judged_only=choose.ConsumeIntInRange(0, 3) == 3,
        depth=choose.PickValueInList([None, None, 1, 3]),
        ties=choose.PickValueInList(TIES),
        missing=choose.PickValueInList(["zero", "skip"]),
        no_relevant=choose.PickValueInList(["zero", "skip"]),
        negative=choose.PickValueInList(["unjudged", "nonrelevant"]),
        collection_size=choose.PickValueInList([0, 1000]),
    )
    try:
        asked = [Asked(*spelled) for spelled in parse_spelled(text, level=policy.level)]
    except PROBLEMS:
        return
    needs = {one.spec.measure.needs for one in asked}
    policy = policy._replace(qrels_format=next((FORMATS[need] for need in FORMATS if need in needs), "qrels"))
    with tempfile.TemporaryDirectory() as folder:
        qrels, run = Path(folder) / "qrels", Path(folder) / "run"
        qrels.write_text("".join(qrels_lines(choose)), encoding="ascii")
        run.write_text("".join(run_lines(choose)), encoding="ascii")
        try:
            found = evaluate(str(qrels), [NamedRun("run", str(run), "run")], asked, policy)
        except PROBLEMS:
            return
    for column in found.runs[0].columns:
        check_column(column, f"{text!r} {policy}")


def qrels_lines(choose: FuzzedDataProvider) -> list[str]:
    """Judgments of three documents or more, each once in each of two groups."""
    lines = []
    for query in range(1 + choose.ConsumeIntInRange(0, 2)):
        for docid in range(3 + choose.ConsumeIntInRange(0, 4)):
            lines += [
                f"q{query} {group} d{docid} {choose.PickValueInList(GRADES)}\n"
                for group in range(1, 2 + choose.ConsumeBool())
            ]
    return lines


def run_lines(choose: FuzzedDataProvider) -> list[str]:
    """Rankings of up to eight documents for each query."""
    return [
        f"q{query} Q0 d{docid} {choose.ConsumeIntInRange(1, 9)} {choose.PickValueInList(SCORES)} t\n"
        for query in range(3)
        for docid in range(8)
        if not choose.ConsumeBool()
    ]


def check_column(column: Column, what: str) -> None:
    """The numbers of a measure are finite and, unless a bound is asked for, in its range."""
    values = [] if isinstance(column.values, list) else column.values.tolist()
    numbers = [*values, *([] if column.aggregate is None else [column.aggregate])]
    if not all(math.isfinite(number) for number in numbers):
        raise AssertionError(f"{column.spec.name} of {what}: {numbers}")
    record, given = column.spec.measure, column.spec.parameters
    chosen = any(given[param.name] != param.default for param in record.parameters if param.name in CHANGING)
    if column.spec.bound is not None or record.kind != "per_query" or chosen:
        return
    low, high = (-math.inf if record.low is None else record.low), (math.inf if record.high is None else record.high)
    if not all(low - MARGIN <= number <= high + MARGIN for number in values):
        raise AssertionError(f"{column.spec.name} is not from {low} to {high} in {what}: {values}")


if __name__ == "__main__":
    fuzz(check)
