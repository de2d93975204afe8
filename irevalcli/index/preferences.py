"""Preferences among judged documents, as the levels of their groups and sub-groups state them, and a ranking's answer.

Inside one sub-group a document is preferred to every document with a lower level. Several sub-groups of a group state
preferences in turn, and what follows from them holds as well.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from irevalcli.errors import Finding
from irevalcli.index.grouping import judgments_of, stretches
from irevalcli.index.preference_closure import (
    Contradiction,
    arrange,
    closed_preferences,
    count_documents,
    count_edges,
    mixed_levels,
)
from irevalcli.index.preference_counts import Table, before, count_levels
from irevalcli.index.preference_pairs import Opinions, disputed, settle, undisputed
from irevalcli.reading.rules import (
    PREFERENCE_CYCLE,
    PREFERENCE_NAN,
    PREFERENCE_TWO_LEVELS,
    PREFERENCE_ZERO_AND_MORE,
)

if TYPE_CHECKING:
    from irevalcli.index.preference_pairs import PairAgreement
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Floats, Positions

Kind = Literal["not a number", "two levels", "zero and more", "contradiction"]
_RULES = {
    "not a number": PREFERENCE_NAN,
    "two levels": PREFERENCE_TWO_LEVELS,
    "zero and more": PREFERENCE_ZERO_AND_MORE,
    "contradiction": PREFERENCE_CYCLE,
}
_KINDS = list(_RULES)


class Problem(NamedTuple):
    """Why the preferences of a query cannot be counted: the first reason, in order of group.

    Attributes:
        query: index of the query.
        kind: ``not a number`` (a level is NaN), ``two levels`` (of a document within the only sub-group of a group),
            ``zero and more`` (a document of a group with several sub-groups has level 0 and a level above),
            ``contradiction`` (of two documents each is preferred to the other in such a group).
        documents: the documents concerned (two for a contradiction), numbered from 0: retrieved ones in rank order,
            then the others by docid.
        docids: their docids.
    """

    query: int
    kind: Kind
    documents: tuple[int, ...]
    docids: tuple[bytes, ...]

    def finding(self, qid: bytes, path: str) -> Finding:
        """The problem as a finding about a file as a whole."""
        rule = _RULES[self.kind]
        names = " and ".join(docid.decode("utf-8", "backslashreplace") for docid in self.docids)
        return Finding(
            rule.code, f"{rule.title}: {names} of query {qid.decode('utf-8', 'backslashreplace')}", path, help=rule.help
        )


class _Candidate(NamedTuple):
    """A problem before the first one of each query is chosen: group, its listed documents, kind."""

    group: int
    listed: tuple[int, ...]
    kind: Kind


class Preferences:
    """The preferences of every query, joined with a ranking. Numbers of queries with a problem mean nothing.

    Attributes:
        group_query: per group, the index of its query; groups in order of query, then byte order.
        problems: at most one per query, in order of query.
        counts: per group, preferences stated and fulfilled.
    """

    def __init__(self, ranking: Ranking) -> None:
        self._judgments = judgments = judgments_of(ranking)
        self._num_queries = ranking.num_queries
        self._number, self._num_retrieved = _document_numbers(ranking)
        row_query = judgments.query[judgments.row_listed]
        new = stretches(row_query, judgments.row_group)
        self._row_group = np.cumsum(new) - 1
        self.group_query = row_query[new]
        several = np.zeros(self.group_query.size, np.bool_)
        changed = (judgments.row_subgroup[1:] != judgments.row_subgroup[:-1]) & ~new[1:]
        several[self._row_group[1:][changed]] = True
        nan = np.isnan(judgments.row_grade)
        self._level = np.where(nan, 0.0, judgments.row_grade)
        self._candidates = [
            _Candidate(-1, (int(judgments.row_listed[row]),), "not a number") for row in np.flatnonzero(nan).tolist()
        ]
        in_several = several[self._row_group]
        self._ranked, ranked_rows = self._table(np.flatnonzero(~in_several))
        self._check_ranked(ranked_rows)
        self.counts = count_levels(self._ranked, self.group_query.size)
        self._shared: list[tuple[Positions, Positions, Positions]] = []
        if in_several.any():
            self._close(np.flatnonzero(in_several))
        self.problems = self._first_problems()

    @cached_property
    def pairs(self) -> PairAgreement:
        """Per query, pairs of documents and their scores."""
        ranked, num_queries = self._ranked, self._num_queries
        num_groups = np.bincount(self.group_query, minlength=num_queries)
        repeated = np.zeros(ranked.group.size, np.bool_)
        repeated[1:] = (ranked.group[1:] == ranked.group[:-1]) & (ranked.document[1:] == ranked.document[:-1])
        agreement = undisputed(self.counts, self.group_query, num_queries)
        chosen = np.flatnonzero(disputed(self.group_query[ranked.group], repeated, num_groups))
        if chosen.size:
            settle(agreement, chosen, self._opinions(), np.diff(self._judgments.offsets), self._num_retrieved)
        return agreement

    def group_mean(self, values: Floats) -> Floats:
        """Per query, the mean of one value per group over all groups, added in order of group."""
        total = np.bincount(self.group_query, weights=values, minlength=self._num_queries)
        mean: Floats = total / np.bincount(self.group_query, minlength=self._num_queries)
        return mean

    def total(self, counted: Positions) -> Positions:
        """Per query, the sum of one count per group."""
        return np.bincount(self.group_query, weights=counted, minlength=self._num_queries).astype(np.int64)

    def _table(self, rows: Positions) -> tuple[Table, Positions]:
        """Judgment rows in order of group, then document, and which rows they are."""
        judgments = self._judgments
        rows = rows[np.lexsort((self._number[judgments.row_listed[rows]], self._row_group[rows]))]
        group, document = self._row_group[rows], self._number[judgments.row_listed[rows]]
        retrieved = document < self._num_retrieved[self.group_query[group]]
        return Table(group, document, self._level[rows], retrieved), rows

    def _check_ranked(self, rows: Positions) -> None:
        """Note documents with two levels: of each group the one at the highest pair of levels, the first of them."""
        table = self._ranked
        if not table.group.size:
            return
        order = np.lexsort((-table.level, table.document, table.group))
        group, document, level = table.group[order], table.document[order], table.level[order]
        twice = (group[1:] == group[:-1]) & (document[1:] == document[:-1]) & (level[1:] != level[:-1])
        first = np.flatnonzero(twice)
        first = first[np.lexsort((document[first], -level[first + 1], -level[first], group[first]))]
        kept = np.ones(first.size, np.bool_)
        kept[1:] = group[first[1:]] != group[first[:-1]]
        for place in first[kept].tolist():
            listed = int(self._judgments.row_listed[rows[order[place]]])
            self._candidates.append(_Candidate(int(group[place]), (listed,), "two levels"))

    def _close(self, rows: Positions) -> None:
        """Count the groups with several sub-groups, and keep the preferences of those that share their query."""
        table, rows = self._table(rows)
        num_groups = self.group_query.size
        subgroup, listed = self._judgments.row_subgroup[rows], self._judgments.row_listed[rows]
        documents, stated = arrange(table, subgroup, listed, num_groups)

        def note(places: tuple[int, ...], kind: Kind) -> None:
            group = int(documents.table.group[places[0]])
            self._candidates.append(_Candidate(group, tuple(documents.listed[list(places)].tolist()), kind))

        for place in mixed_levels(documents, stated).tolist():
            note((place,), "zero and more")
        alone = np.bincount(self.group_query, minlength=self._num_queries) == 1
        self.counts = self.counts.plus(count_documents(documents, num_groups))
        for portion in closed_preferences(documents, stated):
            if isinstance(portion, Contradiction):
                note(portion, "contradiction")
                continue
            self.counts = self.counts.plus(count_edges(documents, portion, num_groups))
            query = self.group_query[documents.table.group[portion.above]]
            kept = ~alone[query]
            above, below = (documents.table.document[places[kept]] for places in portion)
            self._shared.append((query[kept], above, below))

    def _first_problems(self) -> list[Problem]:
        judgments = self._judgments
        first: dict[int, Problem] = {}
        for _, listed, kind in sorted(self._candidates, key=lambda found: (found.group, _KINDS.index(found.kind))):
            query = int(judgments.query[listed[0]])
            documents = tuple(self._number[list(listed)].tolist())
            docids = tuple(judgments.docids(np.array(listed)))
            first.setdefault(query, Problem(query, kind, documents, docids))
        return [first[query] for query in sorted(first)]

    def _opinions(self) -> Opinions:
        table = self._ranked
        first_group = np.searchsorted(self.group_query, self.group_query)
        none = np.empty(0, np.int64)
        stated = (np.concatenate([none, *columns]) for columns in zip(*self._shared, (none,) * 3, strict=True))
        return Opinions(
            self.group_query[table.group],
            table.group - first_group[table.group],
            table.document,
            table.level,
            *stated,
        )


def _document_numbers(ranking: Ranking) -> tuple[Positions, Positions]:
    """Per listed document its number in its query, and per query how many listed documents were retrieved.

    Retrieved documents have the numbers from 0 in rank order, the others the numbers after them in order of docid.
    """
    judgments = judgments_of(ranking)
    # A document that a faulty run lists twice is taken once, so that the numbers stay dense.
    listed, first = np.unique(ranking.listed, return_index=True)
    hit = np.sort(first[listed >= 0])
    number = np.full(judgments.num_listed, -1)
    retrieved = np.bincount(ranking.query[hit], minlength=ranking.num_queries)
    number[ranking.listed[hit]] = before(np.ones_like(hit), ranking.query[hit])
    rest = np.flatnonzero(number < 0)
    query = judgments.query[rest]
    number[rest] = retrieved[query] + before(np.ones_like(rest), query)
    return number, retrieved
