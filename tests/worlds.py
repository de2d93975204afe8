"""Judgments and runs made up from a seed, as the text of files, for properties that hold for every measure."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import numpy as np
from further_examples import with_popularity
from judged_groups import Judged
from plain import STRICT, judgments_in, run_in

from irevalcli.index.qrels import QrelsRules
from irevalcli.reading.blank_qrels import PREFS, QRELS, QRELS_JG

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from irevalcli.index.ranking import Ranking

FORMATS = dict.fromkeys(("any", "hits", "further_grades", "document_lists"), QRELS) | {
    "groups": QRELS_JG,
    "subtopics": QRELS_JG,
    "preferences": PREFS,
}
GRADES = (-1, 0, 0, 0.5, 1, 1, 2, 3)
LEVELS = (0, 0, 1, 2, 3)
POOL = tuple(f"d{place:02}" for place in range(25))

Run = dict[str, dict[str, float]]


class World(NamedTuple):
    """Judgments and a run.

    Attributes:
        needs: what measures are offered: ``hits``, ``groups``, ``subtopics``, ``preferences``, ``further_grades`` or
            ``document_lists``.
        judged: the lines of the judgments.
        run: scores by docid, by qid.
    """

    needs: str
    judged: tuple[Judged, ...]
    run: Run

    def qrels_lines(self) -> list[str]:
        """The lines of the qrels file."""
        if self.needs == "preferences":
            return [f"{row.qid} {row.group} {row.subgroup} {row.docid} {row.level!r}" for row in self.judged]
        return [f"{row.qid} {row.group} {row.docid} {row.level!r}" for row in self.judged]

    def run_lines(self) -> list[str]:
        """The lines of the run file."""
        return [
            f"{qid} Q0 {docid} 0 {score!r} t" for qid, scores in self.run.items() for docid, score in scores.items()
        ]

    def highest(self) -> dict[tuple[str, str], float]:
        """The highest grade of every judged document, by qid and docid."""
        grades: dict[tuple[str, str], float] = {}
        for row in self.judged:
            grades[row.qid, row.docid] = max(row.level, grades.get((row.qid, row.docid), row.level))
        return grades

    def scored_by(self, rescore: Callable[[float], float]) -> World:
        """The same with other scores."""
        run = {qid: {docid: rescore(score) for docid, score in scores.items()} for qid, scores in self.run.items()}
        return self._replace(run=run)

    def with_unjudged_at_the_end(self, number: int) -> World:
        """The same with so many more documents after those of every query that the run answers."""
        run = {
            qid: scores | {f"z{place}": min(scores.values()) - 1.0 - place for place in range(number)}
            for qid, scores in self.run.items()
        }
        return self._replace(run=run)

    def ranking(self) -> Ranking:
        """What the engine makes of the two files."""
        return ranking_from(self.needs, self.qrels_lines(), self.run_lines())


def ranking_from(needs: str, qrels_lines: list[str], run_lines: list[str]) -> Ranking:
    """What the engine makes of the lines of two files."""
    judgments = judgments_in("\n".join(qrels_lines).encode() + b"\n", QrelsRules(FORMATS[needs]))
    if needs == "further_grades":
        listed = judgments.docids(np.arange(judgments.num_listed))
        judgments.further_grades["other"] = np.array([float(crc32(docid) % 5 - 1) for docid in listed])
    kept = STRICT._replace(top=len(POOL) if needs == "document_lists" else 0)
    ranking = run_in("\n".join(run_lines).encode() + b"\n", judgments, kept)[0]
    if needs == "document_lists":
        shown = (*POOL, "z0", "z1", "z2")
        ranking = with_popularity(ranking, {docid: 1.0 + crc32(docid.encode()) % 9 for docid in shown})
    return ranking


@cache
def world(needs: str, seed: int, *, ties: bool = True, grades: tuple[float, ...] = ()) -> World:
    """A world of 40 queries: every seventh is missing from the run, every fifth has no relevant document.

    Args:
        needs: what the judgments must offer.
        seed: of the random numbers.
        ties: whether documents may have equal scores.
        grades: what grades are drawn from; by default what suits the judgments.
    """
    random = np.random.default_rng(seed)
    judged: list[Judged] = []
    run: Run = {}
    for number in range(40):
        qid = f"q{number:02}"
        choices = grades or (LEVELS if needs == "preferences" else GRADES)
        some = [grade for grade in choices if grade <= 0] if number % 5 == 0 else list(choices)
        judged += _judged(random, needs, qid, some)
        retrieved = random.permutation(POOL)[: random.integers(1, len(POOL) + 1)].tolist()
        scores = random.integers(-6, 7, len(retrieved)) / 2 if ties else random.permutation(len(retrieved)) / 2
        if number % 7:
            run[qid] = dict(zip(retrieved, scores.tolist(), strict=True))
    return World(needs, tuple(judged), run)


def _judged(random: np.random.Generator, needs: str, qid: str, grades: list[float]) -> list[Judged]:
    """Judgments of one query. Within a group a document has one grade, so that preferences never contradict."""
    judged = []
    for group in range(1 if FORMATS[needs] is QRELS else int(random.integers(1, 4))):
        grade = {docid: float(random.choice(grades)) for docid in POOL[:18]}
        for subgroup in range(int(random.integers(1, 3)) if needs == "preferences" else 1):
            docids = random.permutation(POOL[:18])[: random.integers(1, 19)].tolist()
            judged += [Judged(qid, f"g{group}", f"s{subgroup}", docid, grade[docid]) for docid in docids]
    return judged


def in_rank_order(scores: Mapping[str, float]) -> list[str]:
    """The docids of a query, best first; no scores are equal."""
    return sorted(scores, key=lambda docid: -scores[docid])
