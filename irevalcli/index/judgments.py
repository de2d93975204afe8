"""Judgments: the documents that a qrels file lists, query by query, with their grades."""

from __future__ import annotations

from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from irevalcli.index.lookup import Lookup
from irevalcli.reading.tokens import Fields
from irevalcli.reading.words import PAD, changes, sort_order, token_list

if TYPE_CHECKING:
    from typing import Self

    from irevalcli.reading.arrays import Bytes, Floats, Positions


class JudgmentRows(NamedTuple):
    """The lines of a qrels file as they stand in it.

    Attributes:
        data: buffer that holds the fields.
        qids, docids: per line.
        grades: per line, float64.
        groups: per line, sub-topic or judgment group, or None.
        subgroups: per line, or None.
    """

    data: Bytes
    qids: Fields
    docids: Fields
    grades: Floats
    groups: Fields | None = None
    subgroups: Fields | None = None


class GradedLists:
    """Queries with their judged documents, as far as measures need them.

    Attributes:
        num_queries: number of queries.
        query: per listed document, its query's index, ascending. int64[listed]
        grade: per listed document, float64[listed]; negative means pooled but unjudged.
        further_grades: what further qrels files say of the listed documents, by the name that the user gave the file:
            float64[listed]; negative means not judged there.
        views: what has been derived from the judgments alone and is shared by all runs, by a key of its own.
    """

    def __init__(self, num_queries: int, query: Positions, grade: Floats) -> None:
        self.num_queries = num_queries
        self.query = query
        self.grade = grade
        self.further_grades: dict[str, Floats] = {}
        self.views: dict[tuple[object, ...], Any] = {}
        self._num_relevant: dict[float, Positions] = {}

    def num_relevant(self, level: float) -> Positions:
        """Per query, how many listed documents have a grade of `level` or more, never counting negative grades."""
        if level not in self._num_relevant:
            chosen = self.query[self.grade >= max(level, 0)]
            self._num_relevant[level] = np.bincount(chosen, minlength=self.num_queries)
        return self._num_relevant[level]

    def set_grades(self, grade: Floats) -> None:
        """Put other grades in the place of the present ones. Only before a run is joined."""
        self.grade = grade
        self.views.clear()
        self._num_relevant.clear()

    def regraded(self, grade: Floats) -> Self:
        """The same documents with other grades; the present ones stay as they are. Groups keep their old grades."""
        other = copy(self)
        other.grade = grade
        # What has been derived from the present grades.
        vars(other).update(views={}, _num_relevant={})
        vars(other).pop("grades_descending", None)
        return other

    def num_judged_nonrelevant(self, level: float) -> Positions:
        """Per query, how many listed documents are judged non-relevant: 0 <= grade < level."""
        chosen = (self.grade >= 0) & (self.grade < level)
        return np.bincount(self.query[chosen], minlength=self.num_queries)

    @cached_property
    def grades_descending(self) -> tuple[Positions, Floats]:
        """Query and grade of every listed document with a positive grade, by query, highest grade first."""
        positive = np.flatnonzero(self.grade > 0)
        query, grade = self.query[positive], self.grade[positive]
        order = np.lexsort((-grade, query))
        return query[order], grade[order]


class Judgments(GradedLists):
    """The listed documents of every query, in byte order of qid and docid.

    A qrels file may judge a document several times (for sub-topics, by several assessors): the *rows* keep that, the
    listed documents are distinct and carry the highest grade.

    Attributes:
        qids: the queries, distinct, in byte order; a query's index is its place here.
        offsets: first listed document of each query, and the total. int64[queries + 1]
        row_listed: per judgment row, its listed document; rows stand in order of query, group, subgroup, docid.
        row_grade: per judgment row, float64.
        groups: the file's distinct groups in byte order; none if it was read without them.
        row_group: per judgment row, the index of its group.
        row_subgroup: likewise for sub-groups.
        row_line: per judgment row, which line of the input it was.
    """

    def __init__(self, rows: JudgmentRows) -> None:
        query, self.qids = _dense(rows.data, rows.qids)
        order = sort_order(rows.data, rows.docids.start, rows.docids.end, query)
        docids, query = rows.docids.at(order), query[order]
        new = np.zeros(order.size, np.bool_)
        new[changes(rows.data, docids.start, docids.end)] = True
        new[1:] |= query[1:] != query[:-1]
        new[:1] = True
        first = np.flatnonzero(new)
        listed = np.cumsum(new) - 1
        grade = rows.grades[order]
        highest = np.maximum.reduceat(grade, first) if first.size else grade
        super().__init__(len(self.qids), query[first], highest)
        self._data = rows.data
        self._docids = docids.at(first)
        self.offsets = np.searchsorted(self.query, np.arange(self.num_queries + 1))
        self._arrange_rows(rows, order, listed, grade)

    def _arrange_rows(self, rows: JudgmentRows, order: Positions, listed: Positions, grade: Floats) -> None:
        group, self.groups = _indices(rows.data, rows.groups, order)
        subgroup, _ = _indices(rows.data, rows.subgroups, order)
        by_group = np.lexsort((listed, subgroup, group, self.query[listed])) if group.any() or subgroup.any() else None
        arranged = order if by_group is None else order[by_group]
        self.row_listed = listed if by_group is None else listed[by_group]
        self.row_grade = grade if by_group is None else grade[by_group]
        self.row_group = group if by_group is None else group[by_group]
        self.row_subgroup = subgroup if by_group is None else subgroup[by_group]
        self.row_line = arranged

    @classmethod
    def of_queries(cls, qids: list[bytes]) -> Judgments:
        """Judgments that know the queries and judge nothing, for runs that are read without qrels.

        A query has to list something: its own id, pooled and unjudged.
        """
        data, tokens = _packed(qids)
        return cls(JudgmentRows(data, tokens, tokens, np.full(len(qids), -1.0)))

    @property
    def num_listed(self) -> int:
        """Number of listed documents."""
        return self.query.size

    def repeated_rows(self) -> Positions:
        """The judgment rows that judge the same document for the same group and sub-group as the row before them."""
        same = self.row_listed[1:] == self.row_listed[:-1]
        same &= self.row_group[1:] == self.row_group[:-1]
        same &= self.row_subgroup[1:] == self.row_subgroup[:-1]
        return np.flatnonzero(same) + 1

    @cached_property
    def query_lookup(self) -> Lookup:
        """Finds a query's index by its qid."""
        held, fields = _packed(self.qids)
        return Lookup(held, fields, np.zeros(len(self.qids), np.int64))

    @cached_property
    def listed_lookup(self) -> Lookup:
        """Finds a listed document by its query's index and docid."""
        return Lookup(self._data, self._docids, self.query)

    @property
    def listed_docids(self) -> tuple[Bytes, Fields]:
        """A buffer, and in it the docid of every listed document."""
        return self._data, self._docids

    def docids(self, listed: Positions) -> list[bytes]:
        """The docids of some listed documents."""
        return token_list(self._data, self._docids.start[listed], self._docids.end[listed])


def _dense(data: Bytes, tokens: Fields) -> tuple[Positions, list[bytes]]:
    """Per row the index of its token among the distinct tokens in byte order, and these."""
    if not tokens.start.size:
        return np.empty(0, np.int64), []
    first = np.concatenate(([0], changes(data, tokens.start, tokens.end)))
    heads = tokens.at(first)
    order = sort_order(data, heads.start, heads.end)
    ordered = heads.at(order)
    new = np.zeros(order.size, np.int64)
    new[changes(data, ordered.start, ordered.end)] = 1
    index = np.empty(order.size, np.int64)
    index[order] = np.cumsum(new)
    distinct = ordered.at(np.concatenate(([0], np.flatnonzero(new))))
    lengths = np.diff(np.append(first, tokens.start.size))
    return np.repeat(index, lengths), token_list(data, distinct.start, distinct.end)


def _indices(data: Bytes, tokens: Fields | None, order: Positions) -> tuple[Positions, list[bytes]]:
    if tokens is None:
        return np.zeros(order.size, np.int64), []
    index, distinct = _dense(data, tokens)
    return index[order], distinct


def _packed(tokens: list[bytes]) -> tuple[Bytes, Fields]:
    """A buffer that holds the tokens, with slack, and where they stand in it."""
    held = np.frombuffer(bytes(PAD) + b"".join(tokens) + bytes(PAD), np.uint8)
    length = np.fromiter((len(token) for token in tokens), np.int64, len(tokens))
    end = np.cumsum(length) + PAD
    return held, Fields(end - length, end)
