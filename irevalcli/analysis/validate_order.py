"""Findings about the ranks and the scores of a run, and the order of its lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.analysis.notes import RISING_RANKS, RISING_SCORES, counted
from irevalcli.analysis.validate_found import here
from irevalcli.reading.rules import (
    RUN_ASCENDING,
    RUN_FIRST_RANK,
    RUN_INFINITE,
    RUN_RANK_ORDER,
    RUN_RANKS,
    RUN_SINGLE_PRECISION,
    RUN_TIES,
    RUN_UNSORTED,
)

if TYPE_CHECKING:
    from irevalcli.analysis.validate_found import Found
    from irevalcli.analysis.validate_seen import SeenRun

FEWEST_RISES = 2
"""So many rising scores, and no falling one, make a direction."""


def note_ranks(found: Found, run: SeenRun) -> None:
    """What is odd about the rank column."""
    odd, unordered, not_from_one = run.spots("odd_ranks"), run.spots("unordered"), run.spots("not_from_one")
    if odd.number:
        ranks = counted(odd.number, "rank is no number", "ranks are no numbers")
        them = "it" if odd.number == 1 else "them"
        found.note(RUN_RANKS, f"{ranks}; evaluators do not read {them}", odd.first + 1, "rank", severity="warning")
    if unordered.number:
        place = here(unordered.first, " from here")
        message = f"rank order disagrees with scores{place} ({_queries(unordered.number)}); evaluators use the score"
        found.note(RUN_RANK_ORDER, message, unordered.first + 1, "rank")
    # Where lines with faults are missing, rank 1 may be among them.
    if not_from_one.number and not (run.dropped and run.smallest_rank > 1):
        smallest = f"the smallest rank is {run.smallest_rank:g}{here(not_from_one.first, ' here')}, not 1"
        found.note(RUN_FIRST_RANK, f"{smallest} ({_queries(not_from_one.number)})", not_from_one.first + 1, "rank")


def note_scores(found: Found, run: SeenRun) -> None:
    """What is odd about the scores, and their order in the file."""
    infinite, unsorted = run.spots("infinite"), run.spots("unsorted")
    if infinite.number:
        message = f"{counted(infinite.number, 'infinite score')}, ranked first (inf) or last (-inf)"
        found.note(RUN_INFINITE, message, infinite.first + 1, "score")
    if unsorted.number and unsorted.first >= 0:
        what = "rank is smaller" if run.smaller_first else "score is higher"
        message = f"the {what} than on the line above ({_queries(unsorted.number)})"
        found.note(RUN_UNSORTED, message, unsorted.first + 1, "score")
    tied, single = run.spots("tied"), run.spots("single")
    if tied.number:
        documents = counted(run.tied_documents, "document has", "documents have")
        message = f"{documents} the score of another one{here(tied.first)} ({_queries(tied.number)})"
        found.note(RUN_TIES, message, tied.first + 1, "score")
    if single.number:
        message = f"scores differ, but are equal in single precision{here(single.first)} ({_queries(single.number)})"
        found.note(RUN_SINGLE_PRECISION, message, single.first + 1, "score")
    direction = run.direction
    if 0 < direction.told == direction.rising and direction.rises >= FEWEST_RISES:
        found.note(RUN_ASCENDING, RISING_RANKS if run.smaller_first else RISING_SCORES)


def _queries(number: int) -> str:
    return counted(number, "query", "queries")
