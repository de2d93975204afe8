"""Queries that a rule passes over, with a reason and until a day."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from irevalcli.analysis.gate.wording import id_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import date

    from irevalcli.analysis.gate.rules import Allowance


class Exceptions(NamedTuple):
    """The exceptions of a rule on a day.

    Attributes:
        reasons: why a query is passed over, by its qid.
        expired: those that hold no longer.
        ends: the last day on which a query is passed over, if there is one.
    """

    reasons: dict[bytes, str]
    expired: tuple[Allowance, ...]
    ends: dict[bytes, date]

    @classmethod
    def on(cls, today: date, allowances: Collection[Allowance]) -> Exceptions:
        """Those of `allowances` that hold, and those that no longer do."""
        held = [allowance for allowance in allowances if allowance.until is None or today <= allowance.until]
        return cls(
            {qid: allowance.reason for allowance in held for qid in allowance.queries},
            tuple(allowance for allowance in allowances if allowance not in held),
            {qid: allowance.until for allowance in held if allowance.until for qid in allowance.queries},
        )

    def told(self, used: Collection[bytes], judged: Collection[bytes]) -> Iterator[str]:
        """What is to be said about them, in lines.

        Args:
            used: the queries that would break the rule and are passed over.
            judged: all queries.
        """
        for qid in used:
            until = f", until {self.ends[qid].isoformat()}" if qid in self.ends else ""
            yield f"query {id_text(qid)} is passed over{until}: {self.reasons[qid]}"
        for allowance in self.expired:
            ended = "" if allowance.until is None else f" ended on {allowance.until.isoformat()} and"
            yield f"the exception for {_listed(allowance.queries)}{ended} holds no longer: {allowance.reason}"
        unknown = [qid for qid in self.reasons if qid not in judged]
        if unknown:
            yield f"an exception names {_listed(unknown)}, not among the judged queries"


def _listed(qids: Collection[bytes]) -> str:
    return f"{'query' if len(qids) == 1 else 'queries'} {', '.join(map(id_text, qids))}"
