"""The numbers of pyNTCIREVAL, on rankings in the order in which they are given to it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from evaluated import qrels_of, values_of
from pyNTCIREVAL import Labeler
from pyNTCIREVAL.metrics import (
    AP,
    ERR,
    RBP,
    RR,
    Hit,
    MSnDCG,
    NCUguBR,
    NCUguP,
    NCUrbBR,
    NCUrbP,
    OMeasure,
    PMeasure,
    PPlusMeasure,
    Precision,
    QMeasure,
    nDCG,
    nERR,
)
from worlds import in_rank_order, world

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from worlds import World

    Model = Callable[[list[int], list[int]], Any]

SEEDS = (1, 2, 3)
JUDGED = (0, 0, 0, 1, 1, 2, 3)
HIGHEST = 3
LINEAR = [1, 2, 3]
EXPONENTIAL = [1, 3, 7]
NEAR = 1e-12


def without_grades(metric: Callable[..., Any], *values: float) -> Model:
    return lambda _counts, _gains: metric(*values)


def graded(metric: Callable[..., Any], *values: float) -> Model:
    return lambda counts, gains: metric(counts, gains, *values)


def stopping(metric: Callable[..., Any], *values: float) -> Model:
    return lambda counts, gains: metric(counts, gains, gains, *values)


WHOLE: dict[str, Model] = {
    "RR": without_grades(RR),
    "AP": graded(AP),
    "O": graded(OMeasure, 1.0),
    "O-measure": graded(OMeasure, 1.0),
    "O(beta=2)": graded(OMeasure, 2.0),
    "P-measure": graded(PMeasure, 1.0),
    "PMeasure(beta=2)": graded(PMeasure, 2.0),
    "P-plus": graded(PPlusMeasure, 1.0),
    "PPlus(beta=0.5)": graded(PPlusMeasure, 0.5),
    "Q": graded(QMeasure, 1.0),
    "Q(beta=10)": graded(QMeasure, 10.0),
    "NCU": stopping(NCUguP),
    "NCU(utility=BR)": stopping(NCUguBR, 1.0),
    "NCU(utility=BR,beta=3)": stopping(NCUguBR, 3.0),
    "NCU(stop=rb)": graded(NCUrbP, 0.95),
    "NCU(stop=rb,gamma=0.5)": graded(NCUrbP, 0.5),
    "NCU(stop=rb,utility=BR)": graded(NCUrbBR, 0.95, 1.0),
    "RBP(preset=ntcir)": graded(RBP, 0.95),
    "RBP(preset=ntcir,p=0.5)": graded(RBP, 0.5),
    "ERR(preset=ntcir)": graded(ERR),
}

CUT: dict[str, Callable[[int], Model]] = {
    "AP(preset=ntcir)": partial(graded, AP),
    "Q": partial(graded, QMeasure, 1.0),
    "nDCG(preset=ntcir)": partial(graded, nDCG, 2.0),
    "nDCG(discount=jk,base=5)": partial(graded, nDCG, 5.0),
    "nDCG": partial(graded, MSnDCG),
    "P": partial(without_grades, Precision),
    "nERR(preset=ntcir)": partial(graded, nERR),
    "Success": partial(without_grades, Hit),
}

WITH_EXPONENTIAL_GAINS: dict[str, Model] = {
    "O(gain=exp)": graded(OMeasure, 1.0),
    "PMeasure(gain=exp)": graded(PMeasure, 1.0),
    "PPlus(gain=exp)": graded(PPlusMeasure, 1.0),
    "Q(gain=exp)": graded(QMeasure, 1.0),
    "Q(gain=exp)@5": graded(QMeasure, 1.0, 5),
    "NCU(gain=exp)": stopping(NCUguP),
    "NCU(utility=BR,gain=exp)": stopping(NCUguBR, 1.0),
    "NCU(stop=rb,utility=BR,gain=exp)": graded(NCUrbBR, 0.95, 1.0),
    "nDCG(discount=jk,gain=exp)@10": graded(nDCG, 2.0, 10),
    "nDCG(gain=exp)@10": graded(MSnDCG, 10),
}

COMPARED = (
    [(name, model, LINEAR) for name, model in WHOLE.items()]
    + [(f"{name}@{cutoff}", model(cutoff), LINEAR) for name, model in CUT.items() for cutoff in (1, 3, 10, 100)]
    + [(name, model, EXPONENTIAL) for name, model in WITH_EXPONENTIAL_GAINS.items()]
)


def theirs(files: World, model: Model, gains: list[int], *, condensed: bool) -> dict[str, float]:
    """Its values, for queries with a relevant document; it refuses the others."""
    qrels = qrels_of(files)
    values = {}
    for qid, scores in files.run.items():
        labeler = Labeler(qrels[qid], is_condensed=condensed)
        labelled = labeler.label(in_rank_order(scores))
        if labeler.compute_rel_num() and labelled:
            values[qid] = float(model(labeler.compute_per_level_doc_num(HIGHEST + 1), gains).compute(labelled))
    return values


@pytest.mark.parametrize("condensed", [False, True])
@pytest.mark.parametrize(("measure", "model", "gains"), COMPARED, ids=[name for name, _, _ in COMPARED])
def test_pyntcireval_has_the_same_values(
    tmp_path: Path, measure: str, model: Model, gains: list[int], *, condensed: bool
) -> None:
    for seed in SEEDS:
        files = world("hits", seed, ties=False, grades=JUDGED)
        wanted = theirs(files, model, gains, condensed=condensed)
        found = values_of(tmp_path, files, measure, judged_only=condensed)
        assert len(wanted) > 20
        assert {qid: found[qid] for qid in wanted} == pytest.approx(wanted, rel=NEAR, abs=NEAR)
        assert {found[qid] for qid in found if qid not in wanted} == {0}
