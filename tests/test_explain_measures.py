"""``irevalcli explain`` of measures that look at more than grades, and of those that ranks cannot explain."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from calls import Call, call, put

from irevalcli.analysis.explainable import require_terms
from irevalcli.errors import UsageProblem
from irevalcli.measures.families import all_measures
from irevalcli.measures.registry import MeasureSpec

if TYPE_CHECKING:
    from pathlib import Path

QRELS = """
    q1 0 a 3
    q1 0 b 0
    q1 0 c 1
    q1 0 d -1
    q1 0 z 2
"""
SUBTOPICS = """
    q1 s1 a 1
    q1 s2 a 1
    q1 s1 b 1
    q1 s3 c 1
    q1 s3 d 0
    q1 s2 z 1
"""
RUN = """
    q1 Q0 a 1 9 t
    q1 Q0 x 2 8 t
    q1 Q0 b 3 7 t
    q1 Q0 d 4 6 t
    q1 Q0 y 5 5 t
    q1 Q0 c 6 4 t
"""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with ``qrels``, ``subtopics``, ``clear``, and ``a.run``."""
    put(tmp_path, qrels=QRELS, subtopics=SUBTOPICS, a_run=RUN, clear="q1 0 a 2\nq1 0 c 1\nq1 0 b 3")
    return tmp_path


def explained(folder: Path, qrels: str, measure: str, *options: str) -> Call:
    return call(folder, "explain", qrels, "a.run", "--query", "q1", "-m", measure, "-f", "table", *options)


def test_novelty_is_shown_beside_the_greedy_ideal(files: Path) -> None:
    lines = explained(files, "subtopics", "alpha_nDCG@4").out.splitlines()
    head = "sub-topics new ones novelty gain 1/log2(rank + 1) contribution total ideal gain ideal total"
    assert [" ".join(line.split()) for line in lines[3:8]] == [
        f"rank document grade {head}",
        "1 a 1 2 2 2.0000 1.0000 2.0000 2.0000 2.0000 2.0000",
        "2 x – 0 0 0.0000 0.6309 0.0000 2.0000 1.0000 2.6309",
        "3 b 1 1 0 0.5000 0.5000 0.2500 2.2500 0.5000 2.8809",
        "4 d 0 0 0 0.0000 0.4307 0.0000 2.2500 0.5000 3.0963",
    ]
    last = "discounted novelty gains 2.2500 ÷ 3.0963 (that of the ideal ranking) = alpha_nDCG@4 0.7267"
    assert lines[9] == last


@pytest.mark.parametrize("measure", ["AP_IA", "nDCG_IA@5", "P_IA@5", "StRecall@3", "ERR_IA", "NRBP"])
def test_what_is_explained_over_sub_topics_is_what_evaluate_has(measure: str, files: Path) -> None:
    found = json.loads(explained(files, "subtopics", measure, "-f", "json").out)["explanations"][0]
    (row,) = call(files, "evaluate", "subtopics", "a.run", "-m", measure, "--digits", "full").rows
    assert found["value"] == float(row[3])
    assert found["ranks"][-1]["value"] == pytest.approx(found["value"], rel=1e-14)


def test_sub_topics_and_plain_relevance_go_together(files: Path) -> None:
    made = explained(files, "subtopics", "AP,StRecall@3")
    assert "sum of precision 2.1667 ÷ 4 (R, the relevant documents in the qrels) = AP 0.5417" in made.out
    assert "sub-topics found 2 ÷ 3 (M, the sub-topics with a relevant document) = StRecall@3 0.6667" in made.out
    assert "2 documents judged for several sub-topics" in made.err or "1 document judged" in made.err


def test_judgment_groups_have_their_mean_explained(files: Path) -> None:
    made = explained(files, "subtopics", "P_avgjg@3", "--qrels-format", "qrels_jg")
    assert "sum over groups 1 ÷ 3 (judgment groups) = P_avgjg@3 0.3333" in made.out


def test_the_user_model_shows_who_goes_on(files: Path) -> None:
    lines = explained(files, "qrels", "NERR8@4").out.splitlines()
    assert [" ".join(line.split()) for line in lines[3:8]] == [
        "rank document grade gain chance to examine chance to go on contribution total",
        "1 a 3 1 1 0 1 1",
        "2 x – 0 0 1 0 1",
        "3 b 0 0 0 1 0 1",
        "4 d pooled 0 0 0 0 1",
    ]
    assert "gain seen 1 ÷ 1 (documents examined) = NERR8(max_rel=3)@4 1.0000" in lines
    refused = explained(files, "qrels", "INST(report=ED)")
    assert (refused.code, "INST(report=ED) is no sum over documents" in refused.err) == (2, True)


def test_a_player_who_grows_patient_is_followed_beyond_the_cutoff(files: Path) -> None:
    put(files, a_run="q1 Q0 a 1 9 t\nq1 Q0 z 2 8 t\nq1 Q0 c 3 7 t\nq1 Q0 b 4 6 t")
    made = explained(files, "qrels", "BPM(T=9,dynamic=True,hc=9)@2", "--top", "0")
    ranks = [line.split()[0] for line in made.out.splitlines() if line[:4].strip().isdigit()]
    assert ranks == ["1", "2", "3"]
    assert "gain seen 2.0000 ÷ 5 (documents examined)" in made.out


def test_what_stands_at_no_rank_is_added_at_last(files: Path) -> None:
    made = explained(files, "qrels", "RBPResid(p=0.5)")
    last = "0.0156 (p^n, for the ranks below the end) = RBPResid(p=0.5) 0.3594"
    assert f"sum over unjudged ranks 0.6875 × 0.5000 (1 - p) + {last}" in made.out
    found = json.loads(explained(files, "qrels", "RBPResid(p=0.5)", "-f", "json").out)["explanations"][0]
    assert found["addend"] == {"name": "p^n, for the ranks below the end", "value": 0.5**6}
    assert found["ranks"][0]["value"] == 0.5**6
    assert found["ranks"][-1]["value"] == found["value"]
    assert json.loads(explained(files, "qrels", "AP", "-f", "json").out)["explanations"][0]["addend"] is None


def test_further_grades_are_shown_and_asked_for(files: Path) -> None:
    made = explained(files, "qrels", "uRBP(p=0.5)", "--qrels", "clear=clear")
    rows = [line.split() for line in made.out.splitlines() if line[:4].strip().isdigit()]
    assert [row[1:5] for row in rows] == [
        ["a", "3", "2", "2"],
        ["x", "–", "-1", "0"],
        ["b", "0", "3", "0"],
        ["d", "pooled", "-1", "0"],
        ["y", "–", "-1", "0"],
        ["c", "1", "1", "1"],
    ]
    assert "sum of weighted gains 2.0312 × 0.5000 (1 - p) = uRBP(p=0.5,grades=clear) 1.0156" in made.out
    assert "2 documents of qrels without a grade called clear" in made.err
    refused = explained(files, "qrels", "uRBP")
    assert (refused.code, "give them by --qrels NAME=FILE" in refused.err) == (2, True)
    idle = explained(files, "qrels", "AP", "--qrels", "clear=clear")
    assert (idle.code, "no measure looks at further grades" in idle.err) == (2, True)


@pytest.mark.parametrize(
    ("measure", "reason"),
    [
        ("GMAP", "it is the logarithm of AP, which can be explained"),
        ("SetF", "it is a mean of SetP and SetR"),
        ("ndcg_rel", "it is a mean of nDCG at many ranks"),
        ("IDCG", "it is a property of the qrels"),
        ("IPrec_IA@0.5", "it is the highest precision from some rank on"),
        ("prefs_simp", "it counts pairs of documents"),
        ("coverage@5", "it is about the documents of all queries together"),
        ("URisk", "it compares runs over all queries"),
    ],
)
def test_a_measure_that_is_no_sum_over_ranks_is_refused_with_the_reason(measure: str, reason: str, files: Path) -> None:
    made = explained(files, "subtopics", measure)
    assert (made.code, made.out) == (2, "")
    assert f"{measure.partition('(')[0]} is no sum over the documents of a ranking" in made.err
    assert reason in made.err
    assert "measures that can be explained: AP, RR, P" in made.err


def test_every_other_measure_has_a_reason() -> None:
    for record in all_measures().values():
        if record.terms is None:
            with pytest.raises(UsageProblem) as caught:
                require_terms(MeasureSpec.of(record))
            assert len(caught.value.hints) == 2, record.name
