"""A measure that is a plain function from one query to one number."""

from __future__ import annotations

from functools import cached_property, wraps
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import numpy as np

from irevalcli.measures.registry import measure

if TYPE_CHECKING:
    from collections.abc import Callable

    from irevalcli.index.ranking import Ranking
    from irevalcli.measures.registry import Compute
    from irevalcli.reading.arrays import Floats, Positions

Function = TypeVar("Function", bound="Callable[..., float]")
Fields = ParamSpec("Fields")


class QueryView:
    """One query: what was retrieved for it, and what the qrels say.

    A document that the qrels do not have and one with a negative grade, which means pooled but unjudged, are both
    unjudged here.

    Attributes:
        num_retrieved: the number of ranked documents; 0 if the run lacks the query.
        ranks: the ranks of the judged documents that were retrieved, from 1, ascending.
        rank_grades: their grades, in the same order.
        judged: the grades of all judged documents, retrieved or not, highest first.
    """

    def __init__(
        self, num_retrieved: int, ranks: tuple[int, ...], rank_grades: tuple[float, ...], judged: tuple[float, ...]
    ) -> None:
        self.num_retrieved = num_retrieved
        self.ranks = ranks
        self.rank_grades = rank_grades
        self.judged = judged

    @cached_property
    def grades(self) -> list[float | None]:
        """The grade at every rank from the first to the last, None where the document is unjudged."""
        grades: list[float | None] = [None] * self.num_retrieved
        for rank, grade in zip(self.ranks, self.rank_grades, strict=True):
            grades[rank - 1] = grade
        return grades

    def relevant_ranks(self, level: float = 1) -> list[int]:
        """The ranks of the documents with a grade of `level` or more, ascending."""
        return [rank for rank, grade in zip(self.ranks, self.rank_grades, strict=True) if grade >= level]

    def num_relevant(self, level: float = 1) -> int:
        """How many documents of the qrels have a grade of `level` or more."""
        return sum(grade >= level for grade in self.judged)


def _adapted(
    register: Callable[Fields, Callable[[Compute], Compute]],
) -> Callable[Fields, Callable[[Function], Function]]:
    """A decorator with the arguments of `register` for functions of one query."""

    def decorator(*args: Fields.args, **kwargs: Fields.kwargs) -> Callable[[Function], Function]:
        def adapt(function: Function) -> Function:
            register(*args, **kwargs)(over_queries(function))
            return function

        return adapt

    return decorator


per_query_measure = _adapted(measure)
"""A decorator that registers a function from a `QueryView` and parameters to a float; its arguments are the fields of
the record, as for `measure`."""


def over_queries(function: Callable[..., float]) -> Callable[..., Floats]:
    """The function of a measure that calls `function` with a `QueryView` and the parameters, query by query."""

    @wraps(function)
    def compute(ranking: Ranking, **parameters: Any) -> Floats:  # noqa: ANN401
        return np.array([_number(function(query, **parameters)) for query in query_views(ranking)], np.float64)

    return compute


def query_views(ranking: Ranking) -> list[QueryView]:
    """Every query of a ranking, in order."""
    key = ("query views",)
    if key not in ranking.views:
        ranking.views[key] = _query_views(ranking)
    views: list[QueryView] = ranking.views[key]
    return views


def _query_views(ranking: Ranking) -> list[QueryView]:
    judgments = ranking.judgments
    hits, listed = ranking.grade >= 0, judgments.grade >= 0
    ranks = _by_query(ranking.query[hits], ranking.rank[hits], ranking.num_queries)
    rank_grades = _by_query(ranking.query[hits], ranking.grade[hits], ranking.num_queries)
    query, grade = judgments.query[listed], judgments.grade[listed]
    order = np.lexsort((-grade, query))
    judged = _by_query(query[order], grade[order], ranking.num_queries)
    return [QueryView(*facts) for facts in zip(ranking.retrieved.tolist(), ranks, rank_grades, judged, strict=True)]


def _by_query(query: Positions, values: Floats | Positions, num_queries: int) -> list[tuple[Any, ...]]:
    """The values of each query, for values in order of query."""
    bounds = np.searchsorted(query, np.arange(num_queries + 1)).tolist()
    listed = values.tolist()
    return [tuple(listed[first:last]) for first, last in pairwise(bounds)]


def _number(value: object) -> float:
    if isinstance(value, float | int | np.floating | np.integer | np.bool_):
        return float(value)
    raise TypeError(f"the function returned {value!r}, which is no number")
