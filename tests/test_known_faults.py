"""Numbers of other tools that are wrong, or not what their names promise, beside the right ones, and why.

They are those of the worked examples. Tools that the tests install are asked again, so that a row can go once its fault
is mended. Where a measure and options of this program give the other tool's number, the row says which.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import pytrec_eval
from builders import query_of, ranking_of
from four_queries import plain, scored, shown, written

from irevalcli.errors import InputProblem
from irevalcli.measures.spec import parse_measures

# cwl-eval's BibTeX strings have backslashes that Python warns of when it compiles them.
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import cwl.cwl_eval  # noqa: F401
    import ir_measures

if TYPE_CHECKING:
    from pathlib import Path


class Fault(NamedTuple):
    """A number of a tool that is not the one its name promises.

    Attributes:
        tool: whose number it is, with the version.
        prints: the tool's name of it.
        theirs: what the tool prints.
        measure: ours, and what it comes to.
        ours: what that comes to.
        why: how the tool comes to its number.
        query: whose number, or "mean" over all queries (or the sum, for counts).
        qrels: name of the judgments.
        same: a measure and options with which the tool's number comes out here; no measure if there are none.
    """

    tool: str
    prints: str
    theirs: str
    measure: str
    ours: str
    why: str
    query: str = "101"
    qrels: str = "qrels"
    same: tuple[str, dict[str, Any]] = ("", {})


NDEVAL, CWL, IR_MEASURES = "ndeval 4.5, pyndeval 0.0.8", "cwl-eval 1.0.12", "ir_measures 0.4.3"
TREC_EVAL, RANX, TRECTOOLS = "trec_eval 10.0-rc3", "ranx 0.3.21", "trectools 0.0.50"
NO_SCALE = (
    "the lowest and the highest gain are not initialised, and so depend on the build and on other measures asked for"
)
FIRST_CUT = "the first cutoff is not normalised"

FAULTS = [
    Fault(NDEVAL, "ERR-IA@1", "1.0", "ERR_IA@1", ".3333", FIRST_CUT, qrels="subtopics"),
    Fault(NDEVAL, "alpha-DCG@1", "1.0", "alpha_DCG@1", ".3333", FIRST_CUT, qrels="subtopics"),
    Fault(CWL, "BPM T=2", ".333333", "BPM(T=2)@10", ".4", "⅔ + 1 + ⅓ comes out just below 2, so it stops a rank late"),
    Fault(CWL, "RBP p=.9, residual", ".5034", "RBP(p=0.9,bound=width)", ".5565", "a gain file has no negative grades"),
    Fault(CWL, "AP", ".5083", "AP", ".4611", "divides by the gain that was retrieved", same=("CWL_AP", {})),
    Fault(TREC_EVAL, "rbp", ".1511", "RBP(preset=trec_eval)", ".2014", NO_SCALE),
    Fault(TREC_EVAL, "rbp", ".4435", "RBP(preset=trec_eval)", ".2014", NO_SCALE),
    Fault(
        TREC_EVAL, "set_F.2", ".5455", "F(beta=2)", ".5882",
        "F with β = 2 has β² in its formula, trec_eval what is written", same=("SetF(x=2)", {}),
    ),
    Fault(
        "trec_eval 9, pytrec_eval, ir_measures", "11pt_avg", ".4576", "11ptAvg", ".5394",
        "rounds the number of documents at a recall level up", same=("11ptAvg(rounding=up)", {}),
    ),
    Fault(
        "trec_eval 9, pytrec_eval, ir_measures", "iprec_at_recall_0.70", "0.0", "IPrec@0.7", ".5",
        "rounds the number of documents at a recall level up", same=("IPrec(rounding=up)@0.7", {}),
    ),
    Fault(
        RANX, "bpref", ".4583", "Bpref", ".4444", "what is in the pool but not judged counts as not relevant",
        same=("Bpref", {"negative": "nonrelevant"}),
    ),
    Fault(RANX, "rbp.50", "1.414", "RBP(p=0.5)", ".660", "takes grades for probabilities", same=("rbp.50", {})),
    Fault(TRECTOOLS, "graded RBP", ".949806", "RBP", ".451863", "takes grades for probabilities", same=("rbp.80", {})),
    Fault(TRECTOOLS, "RBP, residual", ".2152", "RBP(bound=width)", ".3226", "leaves out what is below the last rank"),
    Fault(TRECTOOLS, "graded RBP, residual", "-.2827", "RBP(bound=width)", ".3226", "a residual below zero"),
    Fault(
        TRECTOOLS, "RBP, residual, ties averaged", ".3173", "RBP(bound=width)", ".3226",
        "averages over documents of two queries, of which the first ends with the score with which the second begins",
    ),
    Fault(
        TRECTOOLS, "RBP", ".244148", "RBP", ".262400", "averages over documents of two queries; here, of one: .295200",
        query="102",
    ),
    Fault(TRECTOOLS, "GMAP", "nan", "GMAP", ".0022", "has no lowest value, and so the logarithm of 0", query="mean"),
    Fault(TRECTOOLS, "RR", "none", "RR", "0", "queries without a find have no value", query="103"),
    Fault(TRECTOOLS, "nDCG", "nan", "nDCG", "0", "divides 0 by 0 in queries without a find", query="103"),
    Fault(
        IR_MEASURES, "RR@10", "1.0", "RR@10", ".5",
        "its RR has the higher docid first and its RR@10 the lower", query="102", same=("RR@10", {"ties": "docid-asc"}),
    ),
    Fault(
        IR_MEASURES, "Judged@10", ".7", "Judged@10", ".6", "what is in the pool but not judged counts as judged",
        same=("Judged@10", {"negative": "nonrelevant"}),
    ),
    Fault(
        IR_MEASURES, "NumQ", "3", "NumQ", "4", "leaves out a query that the run lacks, but divides by 4 for every mean",
        query="mean", same=("NumQ", {"missing": "skip"}),
    ),
    Fault(
        IR_MEASURES, "NumRel", "9", "NumRel", "10", "leaves out the relevant documents of a query that the run lacks",
        query="mean", same=("NumRel", {"missing": "skip"}),
    ),
    Fault(
        IR_MEASURES, "Accuracy", ".7292", "Accuracy", ".2396", "leaves out queries in which nothing relevant was found",
        query="mean", same=("Accuracy", {"ties": "file", "queries": (b"101", b"102")}),
    ),
    Fault(
        "pytrec_eval 0.5.11", "map, averaged", ".3204", "AP", ".2403", "silently leaves out a query that the run lacks",
        query="mean", same=("AP", {"missing": "skip"}),
    ),
    Fault(
        "measure_judged", "Judged@5", ".6833", "Judged@5", ".5125", "leaves out a query that the run lacks",
        query="mean", same=("Judged@5", {"missing": "skip"}),
    ),
    Fault(
        "ndeval 4.5", "alpha-nDCG@5", ".9197", "alpha_nDCG@5", ".6509", "trusts the rank column unless -traditional",
        query="102", qrels="subtopics", same=("alpha_nDCG@5", {"ties": "rank"}),
    ),
    Fault("pyNTCIREVAL 0.0.3", "GAP (--gap)", "nothing", "GAP", ".514167", "accepts the option, but computes nothing"),
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("four"))


def number(folder: Path, fault: Fault, measure: str, **policy: Any) -> float | str | None:  # noqa: ANN401
    result = scored(folder, measure, fault.qrels, **policy)
    values = result.aggregate if fault.query == "mean" else result.per_query[fault.query]
    (value,) = values.values()
    return value


every_fault = pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.tool}: {fault.prints} {fault.theirs}")


@every_fault
def test_the_number_is_the_right_one(folder: Path, fault: Fault) -> None:
    value = number(folder, fault, fault.measure)
    assert shown(value, fault.ours) == plain(fault.ours)
    assert shown(value, fault.theirs) != plain(fault.theirs)


@pytest.mark.parametrize(
    "fault", [fault for fault in FAULTS if fault.same[0]], ids=lambda fault: f"{fault.tool}: {fault.prints}"
)
def test_the_number_of_the_tool_comes_out_with_its_choices(folder: Path, fault: Fault) -> None:
    measure, policy = fault.same
    assert shown(number(folder, fault, measure, **policy), fault.theirs) == plain(fault.theirs)


@pytest.mark.parametrize(
    ("spelled", "prints"),
    [
        ("ERR_IA@1", "ERR-IA@1"),
        ("alpha_DCG@1", "alpha-DCG@1"),
        ("BPM(T=2.0,max_rel=3)@10", "BPM T=2"),
        ("SetF(beta=2.0)", "set_F.2"),
        ("IPrec@0.7", "iprec_at_recall_0.70"),
        ("RR@10", "RR@10"),
        ("Judged@10", "Judged@10"),
        ("NumQ", "NumQ"),
        ("NumRel", "NumRel"),
        ("Accuracy", "Accuracy"),
    ],
)
def test_ir_measures_and_what_it_calls_still_have_the_fault(folder: Path, spelled: str, prints: str) -> None:
    (fault,) = [fault for fault in FAULTS if fault.prints == prints]
    measure = ir_measures.parse_measure(spelled)
    qrels = list(ir_measures.read_trec_qrels(str(folder / fault.qrels)))
    run = list(ir_measures.read_trec_run(str(folder / "run")))
    value = ir_measures.calc_aggregate([measure], qrels, run)[measure]
    if fault.query != "mean":
        values = {metric.query_id: metric.value for metric in ir_measures.iter_calc([measure], qrels, run)}
        value = values[fault.query]
    assert shown(float(value), fault.theirs) == plain(fault.theirs)


# Faults on input of their own.


def one_value(measure: str, ranking: str, unretrieved: str) -> float:
    (spec,) = parse_measures(measure)
    return float(spec.compute(ranking_of([query_of(ranking, unretrieved)]))[0])


def test_trec_eval_has_no_rbp_residual_if_all_that_was_retrieved_is_judged() -> None:
    # It prints 0, but the documents below the last rank are as unknown as ever; its drop-in here prints 0, too.
    assert one_value("RBPResid(p=0.9)", "1 0 1 0 1 0 1 0 1 0", "") == pytest.approx(0.9**10, rel=1e-12)


def test_ranx_has_no_bpref_if_nothing_is_judged_non_relevant() -> None:
    # It divides 0 by 0; a relevant document with nothing bad above it is worth all of its share.
    assert one_value("Bpref", "1 - -", "1") == 1 / 2


def test_cwl_eval_does_not_shorten_the_patience_of_a_dynamic_player() -> None:
    # cwl-eval 1.0.12 prints .5 here; test_oracle_cwl.py asks it.
    assert one_value("BPM(T=3,dynamic=True)@4", "0 - 1 1", "") == pytest.approx(1 / 3, rel=1e-12)


def test_a_document_that_is_listed_twice_is_an_error(tmp_path: Path) -> None:
    # gdeval 1.3 and cwl-eval count it twice, so that gdeval has an nDCG of 1.63093 here; pytrec_eval and ranx keep the
    # last of the two.
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "run").write_text("1 Q0 a 1 3 t\n1 Q0 a 2 2 t\n")
    with pytest.raises(InputProblem):
        scored(tmp_path, "nDCG(preset=gdeval)@10")


def test_pytrec_eval_ties_scores_that_single_precision_cannot_tell_apart(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "run").write_text("1 Q0 a 1 16777217 t\n1 Q0 b 2 16777216 t\n")
    assert scored(tmp_path, "RR").per_query["1"] == {"RR": 1.0}
    evaluator = pytrec_eval.RelevanceEvaluator({"1": {"a": 1, "b": 0}}, {"recip_rank"})
    assert evaluator.evaluate({"1": {"a": 16777217.0, "b": 16777216.0}}) == {"1": {"recip_rank": 0.5}}
