"""What a gate demands: one record for each rule, wherever it was written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from datetime import date

    from irevalcli.analysis.policy import Asked

Kind = Literal["bound", "max-drop", "max-query-drop", "min-judged", "max-missing"]
Relation = Literal[">=", ">", "<=", "<"]
Decide = Literal["auto", "point", "no-significant-drop", "non-inferior"]
Undecided = Literal["pass", "warn", "fail"]
Level = Literal["error", "warn", "off"]

DEFAULT_ALPHA = 0.05


class Allowance(NamedTuple):
    """Queries that a rule on single queries passes over.

    Attributes:
        queries: their qids.
        reason: why; never empty.
        until: the last day on which it holds, or None.
    """

    queries: tuple[bytes, ...]
    reason: str
    until: date | None


class GateRule(NamedTuple):
    """One demand on every run of a suite.

    Attributes:
        kind: ``bound``: the aggregate of the measure against a limit; ``max-drop``: how far it may fall below the
            baseline; ``max-query-drop``: how far a single query may; ``min-judged``: lowest share of judged documents
            down to a cutoff; ``max-missing``: how many judged queries the run may lack.
        measure: what is measured; None for ``max-missing``.
        relation: of the value to the limit, for ``bound``.
        limit: not negative for drops. In units of the measure, or of the baseline's value if `relative`.
        relative: whether the limit is a share of the baseline's value (``2%`` is .02).
        decide: how a drop is decided.
        alpha: error rate of the decision.
        level: what a breach means: ``error`` fails the gate, ``warn`` is told, ``off`` is not looked at.
        allow: exceptions for single queries.
        text: the rule in words, such as ``nDCG@10 within 0.02 of baseline``.
        origin: where it was written, such as ``--max-drop`` or ``irevalcli.toml:12``.
    """

    kind: Kind
    measure: Asked | None
    relation: Relation
    limit: float
    relative: bool
    decide: Decide
    alpha: float
    level: Level
    allow: tuple[Allowance, ...]
    text: str
    origin: str
