"""The configuration file that ``check --init`` writes: limits are what is scored now."""

from __future__ import annotations

import json
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.analysis.gate.parsing import is_mean_of_queries
from irevalcli.config.finding import FILE
from irevalcli.errors import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from irevalcli.analysis.scores import Column, Evaluation, Scores

JUDGED = "Judged@10"
"""What the starter file says about judged documents comes from this measure."""
DROP = "2%"
_DIGITS = 2
"""Significant digits of limits."""

_HEAD = """\
# What irevalcli check holds runs to. Every key is explained in docs/config.md.
# The limits are what was scored when this file was made, rounded to the side that is easier to keep.
"""
_EXAMPLE = """\
# One query may lose more than others, for a reason and until a day:
#
# [[check.rules]]
# measure = "nDCG@10"
# max-query-drop = 0.5
# allow = { queries = ["17"], reason = "ambiguous topic", until = 2030-12-31 }
"""


class Starter(NamedTuple):
    """What a starter file is made from.

    Attributes:
        evaluation: of the runs, with `JUDGED` as the last measure.
        runs: as on the command line; the limits are those of the first.
        baseline: path of the baseline.
        settings: what else was given that decides numbers, by key.
    """

    evaluation: Evaluation
    runs: Sequence[str]
    baseline: str
    settings: Mapping[str, object]


def starter_text(starter: Starter) -> str:
    """The text of the file.

    Raises:
        UsageProblem: a path is not UTF-8, which TOML cannot hold.
    """
    run = starter.evaluation.runs[0]
    measured = run.columns[:-1]
    top = {"qrels": starter.evaluation.qrels_path, "measures": [column.spec.name for column in measured]}
    check = {"runs": list(starter.runs), "baseline": starter.baseline, "undecided": "warn"}
    blocks = [
        _HEAD + _pairs(top | dict(starter.settings)),
        "[check]\n" + _pairs(check),
        *(_rule(pairs, comment) for pairs, comment in _rules(run, measured)),
        _EXAMPLE,
    ]
    return "\n".join(blocks)


def _rules(run: Scores, measured: Sequence[Column]) -> Iterator[tuple[dict[str, object], str]]:
    """The keys of each rule, and what is said beside them."""
    for column in measured:
        spec, value = column.spec, column.aggregate
        if value is None or spec.higher_is_better is None:
            continue
        demand, limit = ("min", _below(value)) if spec.higher_is_better else ("max", _above(value))
        if limit not in {spec.measure.low, spec.measure.high}:
            yield {"measure": spec.name, demand: limit}, f"now {value:.4f}"
        if is_mean_of_queries(spec):
            yield {"measure": spec.name, "max-drop": DROP}, "of the baseline's value"
    judged = run.columns[-1].aggregate
    if judged:
        yield {"min-judged": f"{JUDGED.partition('@')[2]}={_below(judged):g}"}, f"now {judged:.4f}"
    yield {"max-missing": len(run.coverage.missing)}, ""


def _below(value: float) -> float:
    return _rounded(value, ROUND_FLOOR)


def _above(value: float) -> float:
    return _rounded(value, ROUND_CEILING)


def _rounded(value: float, side: str) -> float:
    exact = Decimal(repr(float(value)))
    return float(exact.quantize(Decimal(1).scaleb(exact.adjusted() - _DIGITS + 1), side)) + 0.0


def _rule(pairs: Mapping[str, object], comment: str) -> str:
    text = "[[check.rules]]\n" + _pairs(pairs)
    return f"{text[:-1]}  # {comment}\n" if comment else text


def _pairs(pairs: Mapping[str, object]) -> str:
    return "".join(f"{name} = {_toml(value)}\n" for name, value in pairs.items())


def _toml(value: object) -> str:
    """A value as TOML, whose texts may be written as those of JSON."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        shown = str(value).encode("utf-8", "backslashreplace").decode()
        raise UsageProblem(f"{shown} is not UTF-8, and {FILE} can hold nothing else") from None
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
