"""A gate: the runs of suites evaluated, and a verdict for every rule and run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from irevalcli.analysis.evaluate import evaluate
from irevalcli.analysis.gate.baseline import StoredBaseline, check_same, is_stored, read_baseline, stored_measures
from irevalcli.analysis.gate.deciding import decide_bound, decide_missing, decide_query_drop
from irevalcli.analysis.gate.drops import decide_drop, drop_of
from irevalcli.analysis.gate.pairing import Pairing, Values
from irevalcli.analysis.gate.verdicts import RunVerdicts, SuiteReport
from irevalcli.analysis.notes import counted
from irevalcli.analysis.policy import DEFAULTS, Asked, Policy
from irevalcli.analysis.scores import Note
from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.stats.corrections import correct

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import date

    from irevalcli.analysis.evaluate import NamedRun
    from irevalcli.analysis.gate.rules import GateRule
    from irevalcli.analysis.gate.verdicts import Verdict
    from irevalcli.analysis.scores import Column, Evaluation, Scores
    from irevalcli.reading.opening import Source

DROPS = frozenset({"max-drop", "max-query-drop"})
"""The kinds of rules that compare with a baseline."""


class SuiteAsked(NamedTuple):
    """What is to be checked against one set of judgments.

    Attributes:
        name: of the suite, or "".
        qrels: the judgments, a path or ``-``.
        runs: what is checked.
        baseline: a run or the JSON of an evaluation, or None.
        rules: what must hold; those of level ``off`` are left out.
        measures: further measures that a new baseline shall hold.
        words: the options that decide numbers, as words of a call that is proposed.
    """

    name: str
    qrels: str
    runs: tuple[NamedRun, ...]
    baseline: NamedRun | None
    rules: tuple[GateRule, ...]
    measures: tuple[Asked, ...] = ()
    words: tuple[str, ...] = ()


class Checked(NamedTuple):
    """A suite that was checked.

    Attributes:
        report: the verdicts.
        evaluation: of the runs, without the baseline.
        stored: the baseline, if it is the JSON of an evaluation.
    """

    report: SuiteReport
    evaluation: Evaluation
    stored: StoredBaseline | None


def check_suite(
    asked: SuiteAsked,
    policy: Policy = DEFAULTS,
    *,
    today: date,
    digests: bool = False,
    renewing: bool = False,
    watch: Callable[[Source], None] | None = None,
) -> Checked:
    """The verdict of every rule for every run of a suite.

    Args:
        asked: the suite.
        policy: the options that decide numbers.
        today: for exceptions that end on a day.
        digests: also compute the SHA-256 of every input.
        renewing: the evaluation shall hold all that a new baseline must.
        watch: called whenever some of a run was read, or None.

    Raises:
        UsageProblem: there is no rule, a baseline is lacking, or the request does not fit the files.
        InputProblem: a file cannot be used, or the baseline does not fit the judgments, options or measures.
    """
    rules = tuple(rule for rule in asked.rules if rule.level != "off")
    check_rules_can_decide(asked, rules)
    stored = _stored(asked)
    measures = _measures(asked, rules, stored, policy, renewing=renewing)
    others = [asked.baseline] if asked.baseline is not None and stored is None else []
    found = evaluate(
        asked.qrels, [*asked.runs, *others], measures, policy, digests=digests or stored is not None or renewing,
        watch=watch,
    )  # fmt: skip
    evaluation = found._replace(runs=found.runs[: len(asked.runs)])
    compared: Mapping[str, Values] | None = None
    notes = list(found.notes)
    if stored is not None:
        check_same(stored, evaluation, _columns_of_drops(rules, measures, evaluation.runs[0]), asked.words)
        compared = stored.columns
    elif others:
        compared = _values_of(found.runs[-1])
        notes += found.runs[-1].notes
    runs = []
    for run in evaluation.runs:
        verdicts = _verdicts(rules, measures, run, compared, today)
        told = _notes(run, compared, verdicts)
        runs.append(RunVerdicts(run.label, run.path, run.sha256, verdicts, told, follow_up=""))
    report = SuiteReport(
        asked.name,
        asked.qrels,
        found.qrels_sha256,
        asked.baseline.path if asked.baseline else "",
        evaluation.runs[0].coverage.judged,
        tuple(runs),
        tuple(notes),
    )
    return Checked(report, evaluation, stored)


def check_rules_can_decide(asked: SuiteAsked, rules: Sequence[GateRule]) -> None:
    """Nothing, if there is something to decide and nothing lacks to decide it.

    Raises:
        UsageProblem: no rule, no run, or a rule that needs a baseline without one.
    """
    suite = f"suite {asked.name}: " if asked.name else ""
    if not rules:
        number = len(asked.rules)
        off = f": {'the only one is' if number == 1 else f'all {number} are'} off" if number else ""
        raise UsageProblem(
            f"{suite}there is no rule to check{off}",
            hints=(
                "such as --assert 'nDCG@10 >= 0.35', or --baseline OLD.run --max-drop nDCG@10=0.02",
                "in irevalcli.toml: [[check.rules]]  (irevalcli check --init writes some)",
            ),
        )
    needing = [rule for rule in rules if rule.kind in DROPS]
    if needing and asked.baseline is None:
        rule = needing[0]
        raise UsageProblem(
            f"{suite}{rule.origin}: '{rule.text}' compares with a baseline, and there is none",
            hints=("name one: --baseline OLD.run, or --baseline baseline.json of evaluate --export baseline.json",),
        )


def _stored(asked: SuiteAsked) -> StoredBaseline | None:
    """The baseline if it is the JSON of an evaluation."""
    if asked.baseline is None:
        return None
    try:
        return read_baseline(asked.baseline) if is_stored(asked.baseline.path) else None
    except InputProblem as error:
        if not error.findings or error.hints:
            raise
        error.hints = ("make a baseline: irevalcli evaluate QRELS RUN -m MEASURE --export baseline.json",)
        raise


def _measures(
    asked: SuiteAsked, rules: Sequence[GateRule], stored: StoredBaseline | None, policy: Policy, *, renewing: bool
) -> list[Asked]:
    """What has to be evaluated, each measure once."""
    wanted = [rule.measure for rule in rules if rule.measure is not None]
    if renewing:
        wanted += [*asked.measures, *(stored_measures(stored, policy.level) if stored else ())]
    found = {measure.spec.name: measure for measure in reversed(wanted)}
    ordered = list(dict.fromkeys(measure.spec.name for measure in wanted))
    # Coverage needs no measure, but an evaluation does.
    return [found[name] for name in ordered] or [_any_measure()]


def _any_measure() -> Asked:
    from irevalcli.measures.spec import parse_measures  # noqa: PLC0415  (rare)

    (spec,) = parse_measures("NumRet")
    return Asked(spec, spec.name)


def _values_of(run: Scores) -> dict[str, Values]:
    return {column.spec.name: Values.of(run, column) for column in run.columns}


def _column(rule: GateRule, measures: Sequence[Asked], run: Scores) -> Column:
    """The column of a rule's measure, whose name may have got what the judgments decide."""
    name = "" if rule.measure is None else rule.measure.spec.name
    place = next(place for place, measure in enumerate(measures) if measure.spec.name == name)
    return run.columns[place]


def _columns_of_drops(rules: Sequence[GateRule], measures: Sequence[Asked], run: Scores) -> list[Column]:
    found = {rule.measure.spec.name: rule for rule in rules if rule.kind in DROPS and rule.measure is not None}
    return [_column(rule, measures, run) for rule in found.values()]


def _verdicts(
    rules: Sequence[GateRule],
    measures: Sequence[Asked],
    run: Scores,
    compared: Mapping[str, Values] | None,
    today: date,
) -> tuple[Verdict, ...]:
    """All verdicts of a run, held against the baseline's values by canonical name of the measure.

    Tests for no significant drop are corrected together.
    """
    drops = {}
    for place, rule in enumerate(rules):
        if rule.kind == "max-drop" and compared is not None:
            column = _column(rule, measures, run)
            drops[place] = drop_of(rule, column.spec, Values.of(run, column), compared[column.spec.name])
    places = [place for place, drop in drops.items() if drop.decided_by == "no-significant-drop"]
    corrected = correct([drops[place].p for place in places], "holm")
    adjusted = dict(zip(places, corrected.adjusted, strict=True))
    verdicts = []
    for place, rule in enumerate(rules):
        if place in drops:
            verdicts.append(decide_drop(drops[place], adjusted.get(place), corrected.family))
        elif rule.kind == "max-missing":
            verdicts.append(decide_missing(rule, run.coverage))
        else:
            verdicts.append(_verdict(rule, _column(rule, measures, run), run, compared, today))
    return tuple(verdicts)


def _verdict(
    rule: GateRule, column: Column, run: Scores, compared: Mapping[str, Values] | None, today: date
) -> Verdict:
    """Of a bound, or of a rule on single queries."""
    name = column.spec.name
    if rule.kind != "max-query-drop" or compared is None:
        record = column.spec.measure
        whole = record.integer and record.aggregation == "sum"
        return decide_bound(rule, name, column.aggregate, len(run.qids), whole=whole)
    now, before = Values.of(run, column), compared[name]
    pairing = Pairing.of(now, before, rising=column.spec.higher_is_better is not False)
    if pairing is None or not pairing.qids:
        raise InputProblem(f"{rule.origin}: run and baseline have no query with {name} in common")
    return decide_query_drop(rule, name, pairing, today)


def _notes(run: Scores, compared: Mapping[str, Values] | None, verdicts: Sequence[Verdict]) -> tuple[Note, ...]:
    """What is noted about the run; also that only some of its queries were compared, if so."""
    fewest = min((verdict.queries for verdict in verdicts if verdict.rule.kind in DROPS and verdict.queries), default=0)
    if compared is None or not fewest or fewest == len(run.qids):
        return run.notes
    of = counted(len(run.qids), "query", "queries")
    text = f"{run.label}: {fewest} of {of} compared with the baseline, which has no values of the others"
    return (*run.notes, Note("warning", text))
