"""The numbers of pyndeval (ndeval 4.5) on rankings without ties, which it would break in another way."""

from __future__ import annotations

from math import isnan

import pyndeval
import pytest
from worlds import world

from irevalcli.measures.spec import parse_measures

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
