"""Rankings for tests of measures that look at judgment groups and sub-groups, from judgments and lists of docids."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.index.judgments import JudgmentRows, Judgments
from irevalcli.index.ranking import Ranking
from irevalcli.reading.tokens import Fields
from irevalcli.reading.words import PAD

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from irevalcli.measures.registry import Example


class Judged(NamedTuple):
    """One line of judgments."""

    qid: str
    group: str
    subgroup: str
    docid: str
    level: float


def judged_lines(text: str, *, subgroups: bool = True) -> list[Judged]:
    """Judgments written as in a prefs file, or as in a qrels file whose second column is the group."""
    rows = [line.split() for line in text.strip().splitlines()]
    if not subgroups:
        rows = [[qid, group, "0", docid, level] for qid, group, docid, level in rows]
    return [Judged(qid, group, subgroup, docid, float(level)) for qid, group, subgroup, docid, level in rows]


def ranking_with_groups(judged: Sequence[Judged], ranked: Mapping[str, Sequence[str]]) -> Ranking:
    """The ranking of docid lists, by qid, joined with the judgments."""
    data = bytearray(PAD)

    def column(words: Sequence[str]) -> Fields:
        places = []
        for word in words:
            places.append((len(data), len(data) + len(word)))
            data.extend(word.encode() + b" ")
        start, end = np.array(places, np.int64).T.copy()
        return Fields(start, end)

    qids, groups, subgroups, docids = (
        column([row[place] for row in judged]) for place in range(len(Judged._fields) - 1)
    )
    levels = np.array([row.level for row in judged])
    data.extend(bytes(PAD))
    buffer = np.frombuffer(bytes(data), np.uint8)
    judgments = Judgments(JudgmentRows(buffer, qids, docids, levels, groups, subgroups))
    listed = judgments.docids(np.arange(judgments.num_listed))
    place = {pair: index for index, pair in enumerate(zip(judgments.query.tolist(), listed, strict=True))}
    hits = [
        (query, rank, place[query, docid.encode()])
        for query, qid in enumerate(judgments.qids)
        for rank, docid in enumerate(ranked.get(qid.decode(), ()), 1)
        if (query, docid.encode()) in place
    ]
    query, rank, hit = np.array(hits, np.int64).reshape(-1, 3).T.copy()
    retrieved = np.array([len(ranked.get(qid.decode(), ())) for qid in judgments.qids], np.int64)
    return Ranking(
        judgments,
        retrieved=retrieved,
        answered=retrieved > 0,
        query=query,
        rank=rank,
        listed=hit,
        grade=judgments.grade[hit],
        score=-rank.astype(np.float64),
        tie_first=rank.copy(),
        tie_size=np.ones_like(rank),
    )


def example_with_groups(example: Example) -> Ranking:
    """The ranking of one that has a list of levels for each group, the same documents in each: ``2 0 - | 1 - 0``."""
    judged = []
    for group, lists in enumerate(zip(example.ranking.split("|"), example.unretrieved.split("|"), strict=True)):
        for kind, levels in zip("ru", lists, strict=True):
            judged += [
                Judged("101", f"g{group}", "0", f"{kind}{place:03}", float(level))
                for place, level in enumerate(levels.split())
                if level != "-"
            ]
    depth = len(example.ranking.split("|", maxsplit=1)[0].split())
    return ranking_with_groups(judged, {"101": [f"r{place:03}" for place in range(depth)]})


def random_subtopics(
    seed: int, *, levels: Sequence[int] = (-1, 0, 1, 2, 3)
) -> tuple[list[Judged], dict[str, list[str]]]:
    """Queries with one to six sub-topics and some of 20 documents judged for each, and rankings of some of 30."""
    random = np.random.default_rng(seed)
    pool = [f"d{place:02}" for place in range(30)]
    judged, ranked = [], {}
    for query in range(40):
        qid = f"q{query:02}"
        for subtopic in range(int(random.integers(1, 7))):
            docids = random.permutation(pool[:20])[: random.integers(1, 15)].tolist()
            grades = [0] if query % 8 == 0 else levels
            judged += [Judged(qid, f"t{subtopic}", "0", docid, float(random.choice(grades))) for docid in docids]
        ranked[qid] = random.permutation(pool)[: random.integers(0, 31)].tolist() if query % 7 else []
    return judged, ranked
