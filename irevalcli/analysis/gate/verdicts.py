"""What came of a gate: a verdict for each rule and run. Renderers consume this and compute nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

if TYPE_CHECKING:
    from irevalcli.analysis.gate.rules import GateRule, Undecided
    from irevalcli.analysis.scores import Note

Outcome = Literal["pass", "fail", "undecided", "warn"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


class QueryDrop(NamedTuple):
    """A query that lost.

    Attributes:
        qid: the query.
        before: the baseline's value.
        now: the run's value.
        drop: by how much it is worse, positive whatever the measure's direction.
        allowed: the reason why the rule passes over it, or "".
    """

    qid: bytes
    before: float
    now: float
    drop: float
    allowed: str = ""


class Verdict(NamedTuple):
    """Whether one rule holds for one run.

    Attributes:
        rule: the rule.
        outcome: ``pass``; ``fail`` for a breach at level error; ``warn`` for a breach at level warn; ``undecided`` if
            the queries decide neither.
        measure: canonical name of the measure, or "".
        value: what was measured: the aggregate, the number of missing queries; None where only drops count.
        baseline: the baseline's aggregate, or None.
        difference: run − baseline, or None.
        worst_plausible: the one-sided bound of the difference at 1 − alpha on its bad side, or None.
        margin: the greatest drop that is allowed, in units of the measure, or None.
        queries: number of queries that the decision rests on.
        deviation: standard deviation of the paired differences, or None.
        queries_to_decide: about how many queries would decide it, or None.
        p: of the test behind ``no-significant-drop``, corrected; or None.
        decided_by: ``point``, ``no-significant-drop`` or ``non-inferior``; "" for rules that compare no runs.
        found: what was found, in words, with enough digits that it agrees with the outcome.
        details: further lines in words: what would decide it, which exceptions applied or expired.
        worst: the queries that lost most, worst first, at most `MOST_WORST`.
    """

    rule: GateRule
    outcome: Outcome
    measure: str
    value: float | None
    baseline: float | None
    difference: float | None
    worst_plausible: float | None
    margin: float | None
    queries: int
    deviation: float | None
    queries_to_decide: int | None
    p: float | None
    decided_by: str
    found: str
    details: tuple[str, ...]
    worst: tuple[QueryDrop, ...]


MOST_WORST = 5


class RunVerdicts(NamedTuple):
    """All rules for one run.

    Attributes:
        label: the run's name.
        path: its file.
        sha256: of the file, or None.
        verdicts: in the order of the rules.
        notes: what should be known about the run.
        follow_up: a command line that shows the details, or "".
    """

    label: str
    path: str
    sha256: str | None
    verdicts: tuple[Verdict, ...]
    notes: tuple[Note, ...]
    follow_up: str


class SuiteReport(NamedTuple):
    """One set of judgments with its runs.

    Attributes:
        name: of the suite, or "" if there is but one.
        qrels: path of the judgments.
        qrels_sha256: of the file, or None.
        baseline: path of the baseline, or "".
        queries: number of judged queries.
        runs: each with its verdicts.
        notes: what should be known about the judgments and the baseline.
    """

    name: str
    qrels: str
    qrels_sha256: str | None
    baseline: str
    queries: int
    runs: tuple[RunVerdicts, ...]
    notes: tuple[Note, ...]


class GateReport(NamedTuple):
    """What the gate found, all suites together.

    Attributes:
        suites: in the order of the configuration.
        undecided: what an undecided rule at level error means.
        command: the command line, for reproducing it.
    """

    suites: tuple[SuiteReport, ...]
    undecided: Undecided
    command: str

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Every verdict in order."""
        return tuple(verdict for suite in self.suites for run in suite.runs for verdict in run.verdicts)

    def count(self, outcome: Outcome) -> int:
        """How many verdicts have this outcome."""
        return sum(verdict.outcome == outcome for verdict in self.verdicts)

    def stops(self, verdict: Verdict) -> bool:
        """Whether the change may not ship for this verdict alone."""
        undecided = verdict.outcome == "undecided" and verdict.rule.level == "error"
        return verdict.outcome == "fail" or (undecided and self.undecided == "fail")

    @property
    def passed(self) -> bool:
        """Whether the change may ship: nothing failed, and nothing undecided counts as a failure."""
        return not any(map(self.stops, self.verdicts))
