"""Measures of a user who reads from the top and stops once satisfied: ERR, nERR, iRBU."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.errors import InputProblem
from irevalcli.measures.arithmetic import powers, ratio, running_products
from irevalcli.measures.examples import query_101
from irevalcli.measures.gains import HIGHEST_EXPONENT, exponential, gained, highest_grade
from irevalcli.measures.registry import OPTIONAL_CUTOFF, Equivalent, Example, Param, measure

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Floats, Positions


class Satisfaction(NamedTuple):
    """How a grade becomes the chance that a user who reads the document is satisfied and stops.

    Attributes:
        stop: ``exp``, (2^grade - 1)/2^highest, or ``linear``, grade/(highest + 1).
        highest: the highest grade possible.
    """

    stop: str
    highest: float

    def of(self, grade: Floats) -> Floats:
        """The chance for each grade, below 1."""
        linear = self.stop == "linear"
        chance: Floats = grade / (self.highest + 1.0) if linear else exponential(grade) / 2.0**self.highest
        return chance


def stopping(chance: Floats, offsets: Positions) -> Floats:
    """Per document, the probability that the user gets there, past all documents above, and stops.

    Args:
        chance: per document, the chance that who reads it stops; 0 for documents that are left out.
        offsets: the first document of each query, and their number.
    """
    passed = np.ones(chance.size)
    passed[1:] = 1.0 - chance[:-1]
    passed[offsets[:-1][np.diff(offsets) > 0]] = 1.0
    return chance * running_products(passed, offsets)


def _down_to(cutoff: int | None, rank: Positions, terms: Floats) -> Floats:
    return terms if cutoff is None else np.where(rank <= cutoff, terms, 0.0)


def satisfaction_in(ranking: Ranking, measure: str, stop: str, max_rel: float | None) -> Satisfaction:
    """How the grades of a ranking become chances, if the highest is `max_rel`, or None for that of the qrels.

    Raises:
        InputProblem: a grade is above `max_rel`, or too high for ``stop=exp``; the message begins with the measure.
    """
    highest = highest_grade(ranking, measure, max_rel)
    if stop == "exp" and highest > HIGHEST_EXPONENT:
        raise InputProblem(
            f"{measure}: the grade {highest:g} is too high for stop=exp, which takes 2^grade up to {HIGHEST_EXPONENT}",
            hints=("use stop=linear",),
        )
    return Satisfaction(stop, highest)


STOP = Param(
    "stop",
    "str",
    "exp",
    "chance q to stop at a document of grade g: (2^g − 1)/2^max_rel, or g/(max_rel + 1)",
    choices=("exp", "linear"),
)
MAX_REL = Param(
    "max_rel",
    "float",
    4,
    "highest grade possible; none for the highest in the qrels",
    low=0,
    high=HIGHEST_EXPONENT,
    optional=True,
)
CHAPELLE = "chapelle2009"
CASCADE = "Σ over ranks i (≤ cutoff) of (1/i) · q_i · Π_{j<i} (1 − q_j)"
Q = "q_i = (2^g_i − 1)/2^max_rel, or g_i/(max_rel + 1) with stop=linear; g_i = grade at rank i"


@measure(
    "ERR",
    title="expected reciprocal rank",
    summary="The expected reciprocal of the rank at which a user, who reads from the top, is satisfied.",
    formula=f"{CASCADE}; {Q}",
    parameters=(OPTIONAL_CUTOFF, STOP, MAX_REL),
    at="cutoff",
    reference=CHAPELLE,
    examples=(
        query_101("ERR@5", ".3117", "gdeval, ir_measures"),
        query_101("ERR@10", ".32174", "gdeval, ir_measures"),
        query_101("ERR(max_rel=3)@10", ".562449", "by the formula"),
        query_101("ERR(stop=linear,max_rel=3)", ".637109", "NTCIREVAL"),
        Example("ERR(max_rel=3)", "2 3 0", "", "0.6484", "textbook: 3/8 + (1/2)(7/8)(5/8)"),
        Example("ERR(max_rel=8)", "8 4 4 4 4", "", "0.9964", "textbook, which prints 0.99"),
        Example("ERR(max_rel=8)", "4 4 4 4 8", "", "0.2722", "textbook: 0.1565 of it from the last document"),
    ),
    equivalents=(
        Equivalent("gdeval", "err@k (version 1.3)"),
        Equivalent("ir_measures", "ERR@k"),
        Equivalent("NTCIREVAL", "ERR (pyNTCIREVAL 0.0.3), for stop=linear and the highest grade in the qrels"),
    ),
    note=(
        "The highest grade is fixed at 4, whatever the qrels hold: that is the number of the TREC Web Track. A grade "
        "above max_rel is an error."
    ),
)
def expected_reciprocal_rank(
    ranking: Ranking, *, cutoff: int | None = None, stop: str = "exp", max_rel: float | None = 4
) -> Floats:
    """Per query, the expected reciprocal of the rank at which the user stops; 0 for one who never does.

    Raises:
        InputProblem: a grade is above `max_rel`, or too high for ``stop=exp``.
    """
    satisfaction = satisfaction_in(ranking, "ERR", stop, max_rel)
    gains = gained(ranking)
    terms = stopping(satisfaction.of(gains.gain), gains.offsets) / gains.rank
    return gains.total(_down_to(cutoff, gains.rank, terms))


@measure(
    "nERR",
    title="normalized expected reciprocal rank",
    summary="ERR as a share of the ERR of an ideal ranking.",
    formula=f"ERR(run)/ERR(ideal), both down to the cutoff; ERR = {CASCADE}; {Q}; ideal = judged documents, best first",
    parameters=(OPTIONAL_CUTOFF, STOP, MAX_REL),
    at="cutoff",
    reference=("ntcireval (nERR)", CHAPELLE),
    examples=(
        query_101("nERR(stop=linear,max_rel=3)@5", ".7519", "NTCIREVAL"),
        query_101("nERR(stop=linear,max_rel=3)@10", ".7575", "NTCIREVAL"),
        Example("nERR(max_rel=3)", "3 2 1", "", "1", "by definition: an ideal ranking"),
    ),
    equivalents=(
        Equivalent("NTCIREVAL", "nERR@k (pyNTCIREVAL 0.0.3), for stop=linear and the highest grade in the qrels"),
    ),
    note="C/W/L's NERR8 to NERR11 are other measures.",
)
def normalized_expected_reciprocal_rank(
    ranking: Ranking, *, cutoff: int | None = None, stop: str = "exp", max_rel: float | None = 4
) -> Floats:
    """Per query, its ERR divided by the ERR of an ideal ranking.

    Raises:
        InputProblem: a grade is above `max_rel`, or too high for ``stop=exp``.
    """
    satisfaction = satisfaction_in(ranking, "nERR", stop, max_rel)
    gains = gained(ranking)
    terms = stopping(satisfaction.of(gains.gain), gains.offsets) / gains.rank
    ideal_terms = stopping(satisfaction.of(gains.ideal_gain), gains.ideal_offsets) / gains.ideal_position
    return ratio(
        gains.total(_down_to(cutoff, gains.rank, terms)),
        gains.ideal_sum(_down_to(cutoff, gains.ideal_position, ideal_terms)),
    )


@measure(
    "iRBU",
    title="intentwise rank-biased utility",
    summary="The utility of the rank at which a user is satisfied, which falls slowly with the effort to get there.",
    formula=(
        "Σ over ranks i (≤ cutoff) of φ^i · q_i · Π_{j<i} (1 − q_j); q_i = g_i/(max_rel + 1), g_i = grade at rank i, "
        "φ = phi"
    ),
    parameters=(
        OPTIONAL_CUTOFF,
        Param("phi", "float", 0.99, "utility that is left after each document read", low=0, high=1),
        Param("max_rel", "float", None, "highest grade possible; that of the qrels if not given", low=0),
    ),
    at="cutoff",
    reference="sakai2020",
    examples=(query_101("iRBU", ".931834", "by the formula"),),
    note=(
        "ERR(stop=linear) with the utility φ^i in the place of 1/i. The first rank has the utility φ, not 1, so that "
        "no ranking reaches 1. In no other tool studied."
    ),
)
def intentwise_rank_biased_utility(
    ranking: Ranking, *, cutoff: int | None = None, phi: float = 0.99, max_rel: float | None = None
) -> Floats:
    """Per query, the expected utility of the rank at which the user stops; 0 for one who never does.

    Raises:
        InputProblem: a grade is above `max_rel`.
    """
    satisfaction = Satisfaction("linear", highest_grade(ranking, "iRBU", max_rel))
    gains = gained(ranking)
    utility = powers(phi, int(gains.rank.max(initial=0)) + 1)[gains.rank]
    terms = stopping(satisfaction.of(gains.gain), gains.offsets) * utility
    return gains.total(_down_to(cutoff, gains.rank, terms))
