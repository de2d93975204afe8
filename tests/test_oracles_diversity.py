"""The numbers of pyndeval (ndeval 4.5), by its own names and by those of ir_measures."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

import ir_measures
import pyndeval
import pytest
from evaluated import values_of
from worlds import world

from irevalcli.measures.spec import parse_measures

if TYPE_CHECKING:
    from pathlib import Path

NAMES = {
    "ERR-IA": "ERR_IA",
    "nERR-IA": "nERR_IA",
    "alpha-DCG": "alpha_DCG",
    "alpha-nDCG": "alpha_nDCG",
    "P-IA": "P_IA",
    "strec": "StRecall",
}
WHOLE = {"NRBP": "NRBP", "nNRBP": "nNRBP", "MAP-IA": "AP_IA"}
WITHOUT_DENOMINATOR_AT_1 = ("ERR-IA@1", "alpha-DCG@1")
GRADES = (-2, 0, 0, 1, 1, 2, 3)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(
    ("alpha", "beta", "rel"), [(0.5, 0.5, 1), (0.5, 0.5, 2), (0.2, 0.8, 1), (0, 0.5, 1), (1, 0.3, 1)]
)
def test_pyndeval_has_the_same_numbers(seed: int, alpha: float, beta: float, rel: int) -> None:
    files = world("subtopics", seed, ties=False, grades=GRADES)
    theirs = [f"{name}@{cutoff}" for name in NAMES for cutoff in (1, 2, 5, 10, 20)] + list(WHOLE)
    oracle = pyndeval.RelevanceEvaluator(
        [pyndeval.SubtopicQrel(row.qid, row.group[1:], row.docid, int(row.level)) for row in files.judged],
        measures=theirs,
        relevance_level=rel,
        alpha=alpha,
        beta=beta,
    )
    expected = oracle.evaluate(
        [(qid, docid, score) for qid, scores in files.run.items() for docid, score in scores.items()]
    )
    ranking = files.ranking()
    qids = [qid.decode() for qid in ranking.judgments.qids]
    for name in theirs:
        ours = WHOLE.get(name) or f"{NAMES[name.split('@')[0]]}@{name.split('@')[1]}"
        (spec,) = parse_measures(ours, level=rel)
        given = {key: value for key, value in (("alpha", alpha), ("beta", beta)) if spec.measure.parameter(key)}
        found = dict(
            zip(qids, type(spec).of(spec.measure, **{**spec.parameters, **given}).compute(ranking), strict=True)
        )
        same = {qid: found[qid] for qid in expected}
        # It divides 0 by 0 for queries without relevant documents.
        wanted = {qid: 0.0 if isnan(values[name]) else values[name] for qid, values in expected.items()}
        if name in WITHOUT_DENOMINATOR_AT_1:
            assert same != wanted
        else:
            assert same == pytest.approx(wanted, rel=1e-12, abs=1e-12)


IR_MEASURES = [
    "ERR_IA@5", "ERR_IA(rel=2)@20", "nERR_IA@5", "nERR_IA@10", "alpha_DCG@5", "alpha_DCG(alpha=0.2)@10", "alpha_nDCG@5",
    "alpha_nDCG(alpha=0.8)@20", "NRBP", "NRBP(beta=0.8)", "nNRBP", "nNRBP(alpha=0.2,beta=0.8)", "AP_IA", "AP_IA(rel=2)",
    "P_IA@5", "P_IA(rel=2)@10", "StRecall@5", "StRecall(rel=2)@20",
]  # fmt: skip


@pytest.mark.parametrize("text", IR_MEASURES)
def test_ir_measures_has_the_same_values_under_its_own_names(tmp_path: Path, text: str) -> None:
    for seed in (4, 5):
        files = world("subtopics", seed, grades=GRADES)
        # Among equal scores pyndeval has the lower docid first.
        found = values_of(tmp_path, files, text, ties="docid-asc")
        judged = [ir_measures.Qrel(row.qid, row.docid, int(row.level), row.group) for row in files.judged]
        metrics = ir_measures.iter_calc([ir_measures.parse_measure(text)], judged, files.run)
        wanted = {metric.query_id: 0.0 if isnan(metric.value) else metric.value for metric in metrics}
        assert found == pytest.approx({qid: wanted[qid] for qid in found}, rel=1e-12, abs=1e-12)
