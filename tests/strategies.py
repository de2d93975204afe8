"""What hypothesis makes up for tests of measures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import ranking_of
from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np

    from irevalcli.index.ranking import Ranking

    Query = tuple[list[float | None], list[float]]

GRADES = (-1, 0, 0.5, 1, 2, 3)


def queries(grades: Sequence[float] = GRADES) -> st.SearchStrategy[list[Query]]:
    """Up to four queries, each with up to 15 ranked documents, judged or not, and one to six judged ones besides."""
    judged = st.sampled_from(grades)
    query = st.tuples(st.lists(st.none() | judged, max_size=15), st.lists(judged, min_size=1, max_size=6))
    return st.lists(query, min_size=1, max_size=4)


def gain_of(grade: float | None) -> float:
    """The grade as a gain: what is unjudged gains nothing."""
    return max(grade or 0.0, 0.0)


def ideal_of(query: Query) -> list[float]:
    """The positive grades of all judged documents, highest first."""
    return sorted((grade for grade in query[0] + query[1] if grade and grade > 0), reverse=True)


def share(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else 0.0


def assert_defined(
    compute: Callable[[Ranking], np.ndarray], define: Callable[[Query], float], given: list[Query]
) -> None:
    """The measure has the value that its definition gives for each query by itself."""
    values = compute(ranking_of(given))  # type: ignore[arg-type]
    assert values.tolist() == pytest.approx([define(query) for query in given], rel=1e-12, abs=1e-14)
