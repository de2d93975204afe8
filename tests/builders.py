"""Rankings for tests, from grades alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.index.judgments import JudgmentRows, Judgments
from irevalcli.index.ranking import Ranking
from irevalcli.reading.tokens import Fields
from irevalcli.reading.words import PAD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.measures.registry import Example

    Query = tuple[list[int | None], list[int]]

EXAMPLE_101 = ("2 0 3 - 1 0 -1 2 - -", "1 0 1")
"""Query 101 of the worked examples, as text for `query_of`."""


def _fields(tokens: list[bytes]) -> tuple[bytes, Fields]:
    length = np.array([len(token) for token in tokens], np.int64)
    end = np.cumsum(length) + PAD
    return b"".join(tokens), Fields(end - length, end)


def ranking_of(queries: Sequence[Query]) -> Ranking:
    """The ranking of queries given as (grades in rank order, grades of the judged documents not retrieved).

    None in the first list is a document that the qrels do not have. Every query needs at least one grade, because the
    judgments know no other queries. A query with an empty first list is missing from the run. Scores fall by one from
    rank to rank, docids rise (retrieved ones first), qids rise.
    """
    qids: list[bytes] = []
    docids: list[bytes] = []
    grades: list[float] = []
    hits: list[tuple[int, int, int]] = []
    for query, (ranked, unretrieved) in enumerate(queries):
        if all(grade is None for grade in ranked) and not unretrieved:
            raise ValueError(f"query {query} has no judged document, so that it cannot be in the qrels")
        for position, grade in enumerate(ranked, 1):
            if grade is not None:
                hits.append((query, position, len(docids)))
                docids.append(b"r%06d" % position)
                grades.append(grade)
        docids += [b"u%06d" % place for place in range(len(unretrieved))]
        grades += unretrieved
        qids += [b"q%06d" % query] * (len(docids) - len(qids))
    qid_bytes, qid_fields = _fields(qids)
    docid_bytes, docid_fields = _fields(docids)
    docid_fields = Fields(docid_fields.start + len(qid_bytes), docid_fields.end + len(qid_bytes))
    data = np.frombuffer(bytes(PAD) + qid_bytes + docid_bytes + bytes(PAD), np.uint8)
    judgments = Judgments(JudgmentRows(data, qid_fields, docid_fields, np.array(grades, np.float64)))
    query_index, rank, listed = np.array(hits, np.int64).reshape(-1, 3).T.copy()
    retrieved = np.array([len(ranked) for ranked, _ in queries], np.int64)
    return Ranking(
        judgments,
        retrieved=retrieved,
        answered=retrieved > 0,
        query=query_index,
        rank=rank,
        listed=listed,
        grade=np.array(grades, np.float64)[listed],
        score=(retrieved[query_index] - rank + 1).astype(np.float64),
        tie_first=rank.copy(),
        tie_size=np.ones_like(rank),
    )


def query_of(ranking: str, unretrieved: str) -> Query:
    """A query written as in an `Example`: ``-`` stands for a document that the qrels do not have."""
    return [None if word == "-" else int(word) for word in ranking.split()], [int(word) for word in unretrieved.split()]


def example_ranking(example: Example) -> Ranking:
    """The ranking of a record's worked example, as its only query."""
    return ranking_of([query_of(example.ranking, example.unretrieved)])


def random_queries(
    seed: int,
    *,
    count: int = 200,
    longest: int = 30,
    grades: Sequence[int | None] = (None, None, None, -1, 0, 0, 0, 1, 1, 2, 3),
) -> list[Query]:
    """Random queries: up to `longest` ranks, some missing, some without relevant documents, all with some grade."""
    random = np.random.default_rng(seed)
    judged = [grade for grade in grades if grade is not None]

    def draw(choices: Sequence[int | None], size: int) -> list[int | None]:
        return [choices[place] for place in random.integers(len(choices), size=size)]

    queries: list[Query] = []
    for _ in range(count):
        some = judged if random.random() < 0.8 else [grade for grade in judged if grade <= 0] or judged
        ranked = draw([grade for grade in grades if grade is None or grade in some], int(random.integers(longest + 1)))
        rest = draw(some, int(random.integers(1, 8)))
        queries.append((ranked, [grade for grade in rest if grade is not None]))
    return queries
