"""The numbers of the real tools for the worked examples, under the names and with the digits that the tools print.

Those that a tool gets wrong are in test_known_faults.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from four_queries import plain, scored, shown, written

if TYPE_CHECKING:
    from pathlib import Path

Row = tuple[str, str]

BINARY: list[Row] = [
    ("map", ".4611"),
    ("AP", ".4611"),
    ("AP(rel=2)", ".6806"),
    ("map-l2", ".6806"),
    ("AP(judged_only=True)", ".5139"),
    ("map_cut.5", ".3778"),
    ("AP@5", ".3778"),
    ("AP(preset=ntcir)@5", ".4533"),
    ("recip_rank", "1.0"),
    ("mrr", "1.0"),
    ("RR@10", "1.0"),
    ("RR(rel=3)", ".3333"),
    ("P.5", ".6"),
    ("precision@10", ".4"),
    ("P(rel=2)@5", ".4"),
    ("recall.5", ".5"),
    ("R@10", ".6667"),
    ("R(rel=2)@5", ".6667"),
    ("relative_P.5", ".6"),
    ("relative_P_10", ".6667"),
    ("f1@5", ".5455"),
    ("success.1", "1"),
    ("hit_rate@1", "1"),
    ("hits", "4"),
    ("hits@5", "3"),
    ("Rprec", ".5"),
    ("r-precision", ".5"),
    ("Rprec(rel=2)", ".6667"),
    ("Rprec_mult.0.2", ".5"),
    ("Rprec_mult.0.4", ".6667"),
    ("Rprec_mult.0.6", ".5"),
    ("Rprec_mult.0.8", ".6"),
    ("Rprec_mult.1.0", ".5"),
    ("Rprec_mult.1.2", ".5"),
    ("Rprec_mult.1.4", ".4444"),
    ("Rprec_mult.1.6", ".4"),
    ("Rprec_mult.1.8", ".3636"),
    ("Rprec_mult.2.0", ".3333"),
    ("iprec_at_recall.0.2", "1.0"),
    ("iprec_at_recall.0.4", ".6667"),
    ("iprec_at_recall.0.5", ".6"),
    ("iprec_at_recall.0.7", ".5"),
    ("IPrec(rounding=up)@0.2", ".6667"),
    ("IPrec(rounding=up)@0.4", ".6"),
    ("IPrec(rounding=up)@0.5", ".6"),
    ("IPrec(rounding=up)@0.7", "0"),
    ("11pt_avg", ".5394"),
    ("11ptAvg(rounding=up)", ".4576"),
    ("bpref", ".4444"),
    ("Bpref(rel=2)", ".5556"),
    ("infAP", ".4736"),
    ("infAP(rel=2)", ".6972"),
    ("binG", ".4196"),
    ("G", ".3966"),
    ("yaap", "-.1168"),
    ("utility", "-2"),
    ("utility.1,-1,0,0", "-2"),
    ("relstring", "203-10.2--"),
    ("Accuracy", ".7083"),
    ("Accuracy@5", ".5"),
    ("Compat", ".4939"),
    ("Compat(p=0.8)", ".4310"),
    ("Compat(p=0.8,normalize=False)", ".4118"),
    ("set_P", ".4"),
    ("set_recall", ".6667"),
    ("set_relative_P", ".6667"),
    ("SetP(relative=True)", ".6667"),
    ("set_map", ".2667"),
    ("set_F", ".5"),
    ("set_F.2", ".5455"),
    ("set_F.0.5", ".4615"),
    ("SetF(beta=2.0)", ".5455"),
    ("F(beta=2)", ".5882"),
    ("num_ret", "10"),
    ("num_rel", "6"),
    ("num_rel_ret", "4"),
    ("num_nonrel_judged_ret", "2"),
    ("Judged@5", ".8"),
    ("unj.5", ".2"),
    ("unj_10", ".4"),
    ("unj.20", ".2"),
]

GRADED: list[Row] = [
    ("ndcg", ".7020"),
    ("ndcg_cut.5", ".6393"),
    ("nDCG@5", ".6393"),
    ("ndcg@5", ".6393"),
    ("nDCG(dcg='exp-log2')@5", ".6143"),
    ("ndcg_burges@5", ".6143"),
    ("nDCG(preset=gdeval)@5", ".6143"),
    ("nDCG(preset=gdeval)@20", ".6772"),
    ("ndcg_burges", ".6772"),
    ("ndcg.1=1,2=3,3=7", ".6772"),
    ("nDCG(gains={1:1,2:3,3:7})@5", ".6143"),
    ("nDCG(preset=ntcir)@5", ".6011"),
    ("nDCG(preset=ntcir)@10", ".6584"),
    ("nDCG(judged_only=True)@5", ".6466"),
    ("dcg", "4.5178"),
    ("ideal_dcg", "6.4356"),
    ("dcg@5", "3.8869"),
    ("dcg_burges", "7.8332"),
    ("dcg_burges@5", "6.8869"),
    ("Rndcg", ".6594"),
    ("ndcg_rel", ".6795"),
    ("ndcg@5-l2", ".6652"),
    ("dcg@5-l2", "3.5"),
    ("SDCG@5", ".4394"),
    ("SDCG@10", ".3314"),
    ("SDCG(max_rel=3)@10", ".3314"),
    ("ERR@5", ".3117"),
    ("ERR@10", ".32174"),
    ("ERR(preset=gdeval)@10", ".32174"),
    ("ERR(max_rel=3)@10", ".562449"),
    ("ERR(preset=ntcir)", ".637109"),
    ("nERR(preset=ntcir)@5", ".7519"),
    ("nERR(preset=ntcir)@10", ".7575"),
    ("RBP(rel=1)", ".451863"),
    ("RBP(rel=1,p=0.9)", ".29444"),
    ("rbp.80", ".949806"),
    ("rbp.50", "1.414"),
    ("RBP(preset=ntcir)", ".115311"),
    ("RBP(preset=ntcir,p=0.8)", ".316602"),
    ("rbp", ".2014"),
    ("rbp.p=0.8", ".3166"),
    ("RBP(preset=trec_eval)", ".2014"),
    ("rbp_resid", ".5565"),
    ("rbp_resid.p=0.8", ".3226"),
    ("RBP(p=0.9,bound=width)", ".5565"),
    ("RBP(bound=width)", ".3226"),
]

NTCIR: list[Row] = [
    ("O", ".75"),
    ("O-measure", ".75"),
    ("PMeasure", ".7"),
    ("P-measure", ".7"),
    ("PPlus", ".725"),
    ("P-plus", ".725"),
    ("Q", ".459921"),
    ("Q-measure", ".459921"),
    ("Q@5", ".418571"),
    ("NCU", ".56"),
    ("NCU(utility=BR)", ".557619"),
    ("NCU(stop=rb)", ".491401"),
    ("NCU(stop=rb,utility=BR)", ".484463"),
    ("Q(judged_only=True)", ".4917"),
    ("ERR(preset=ntcir,judged_only=True)", ".6406"),
    ("RBP(preset=ntcir,judged_only=True)", ".1185"),
    ("iRBU", ".9318"),
]

USERS: list[Row] = [
    ("CWL_P@5", ".4"),
    ("CWL_P(report=ETU)@5", "2.0"),
    ("CWL_RR", ".6667"),
    ("CWL_AP", ".5083"),
    ("CWL_RBP", ".3166"),
    ("CWL_RBP(p=0.9)", ".2014"),
    ("CWL_SDCG@5", ".4394"),
    ("CWL_SDCG@10", ".3314"),
    ("INST", ".482869"),
    ("INST(T=2)", ".347468"),
    ("INSQ", ".383045"),
    ("INSQ(T=2)", ".283433"),
    ("BPM@10", ".555556"),
    ("BPM(dynamic=True)@10", ".5556"),
    ("NERR8@10", ".6"),
    ("NERR9@10", ".608696"),
    ("NERR10", ".596603"),
    ("NERR10(p=0.8)", ".594595"),
    ("NERR11", ".609023"),
    ("NPV", ".187535"),
    ("SET@10", ".314947"),
    ("U(L=10)", ".339394"),
    ("TBG(h=22)", ".075497"),
    ("IFT(kind=C1)", ".362367"),
    ("IFT(kind=C2)", ".292197"),
    ("IFT", ".370379"),
    ("TrAP", ".225926"),
    ("TrAP(report=EC)", "2.673"),
]

DIVERSE: list[Row] = [
    ("ERR_IA@5", ".387292"),
    ("ERR_IA@10", ".422339"),
    ("nERR_IA@5", ".51752"),
    ("nERR_IA@10", ".568059"),
    ("alpha_DCG@5", ".426617"),
    ("alpha_DCG@10", ".506329"),
    ("alpha_nDCG@5", ".553928"),
    ("alpha_nDCG@10", ".666323"),
    ("alpha_nDCG(alpha=0.8)@5", ".566923"),
    ("NRBP", ".354004"),
    ("NRBP(beta=0.8)", ".485389"),
    ("nNRBP", ".479497"),
    ("AP_IA", ".421759"),
    ("P_IA@5", ".266667"),
    ("P_IA@10", ".2"),
    ("StRecall@1", ".3333"),
    ("StRecall@5", ".6667"),
    ("StRecall@10", "1.0"),
]

GROUPED: list[Row] = [("map_avgjg", ".5694"), ("P_avgjg.5", ".4"), ("Rprec_mult_avgjg.1.0", ".5833")]

PREFERRED: list[Row] = [
    ("prefs_num_prefs_poss", "9"),
    ("prefs_num_prefs_ful", "5"),
    ("prefs_num_prefs_ful_ret", "1"),
    ("prefs_simp", ".5556"),
    ("prefs_simp_ret", ".25"),
    ("prefs_simp_imp", ".5556"),
    ("prefs_pair", ".5625"),
    ("prefs_pair_ret", ".1667"),
    ("prefs_pair_imp", ".5625"),
    ("prefs_avgjg", ".5833"),
    ("prefs_avgjg_ret", ".1667"),
    ("prefs_avgjg_imp", ".5833"),
    ("prefs_avgjg_Rnonrel", ".6917"),
    ("prefs_avgjg_Rnonrel_ret", ".65"),
]

OF_101 = [
    (name, *row)
    for name, rows in {
        "qrels": BINARY + GRADED + NTCIR + USERS,
        "subtopics": DIVERSE,
        "qrels_jg": GROUPED,
        "prefs": PREFERRED,
    }.items()
    for row in rows
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("four"))


def value_of(folder: Path, measure: str, query: str, qrels: str = "qrels", **policy: Any) -> float | str:  # noqa: ANN401
    (value,) = scored(folder, measure, qrels, **policy).per_query[query].values()
    return value


@pytest.mark.parametrize(("qrels", "measure", "wanted"), OF_101)
def test_query_101_has_the_number_of_the_tools(folder: Path, qrels: str, measure: str, wanted: str) -> None:
    assert shown(value_of(folder, measure, "101", qrels), wanted) == plain(wanted)


BY_DOCID: dict[str, Any] = {"ties": "docid-asc"}
BY_RANK: dict[str, Any] = {"ties": "rank"}
AS_LISTED: dict[str, Any] = {"ties": "file"}


@pytest.mark.parametrize(
    ("measure", "policy", "wanted"),
    [
        ("recip_rank", {}, ".5"),
        ("RR", BY_DOCID, "1.0"),
        ("RR", BY_RANK, "1.0"),
        ("RR@10", BY_DOCID, "1.0"),
        ("map", {}, ".5"),
        ("map", BY_RANK, ".8333"),
        ("ndcg", {}, ".6509"),
        ("ndcg", BY_DOCID, ".9197"),
        ("success.1", {}, "0"),
        ("hit_rate@1", AS_LISTED, "1"),
        ("ERR@10", {}, ".0459"),
        ("G", {}, ".5655"),
        ("BPM(dynamic=True)@10", AS_LISTED, ".2222"),
    ],
)
def test_the_order_of_ties_decides_about_query_102(
    folder: Path, measure: str, policy: dict[str, Any], wanted: str
) -> None:
    assert shown(value_of(folder, measure, "102", **policy), wanted) == plain(wanted)


@pytest.mark.parametrize(("policy", "wanted"), [({}, ".6509"), (BY_RANK, ".9197")])
def test_ndeval_trusts_the_rank_column_unless_it_is_told_to_be_traditional(
    folder: Path, policy: dict[str, Any], wanted: str
) -> None:
    assert shown(value_of(folder, "alpha_nDCG@5", "102", "subtopics", **policy), wanted) == plain(wanted)


@pytest.mark.parametrize(
    "measure", ["AP", "RR", "P@5", "R@10", "nDCG", "ERR@10", "RBP", "Bpref", "Q", "INST", "Compat"]
)
def test_queries_without_a_find_count_as_nothing(folder: Path, measure: str) -> None:
    assert value_of(folder, measure, "103") == value_of(folder, measure, "104") == 0


@pytest.mark.parametrize(
    ("measure", "policy", "wanted"),
    [
        ("map", {"missing": "skip"}, ".3204"),
        ("map", {}, ".2403"),
        ("gm_map", {}, ".0022"),
        ("gm_bpref", {}, ".0001"),
        ("Judged@5", {}, ".5125"),
        ("Judged@5", {"missing": "skip"}, ".6833"),
        ("num_q", {}, "4"),
        ("num_ret", {}, "16"),
        ("num_rel", {}, "10"),
    ],
)
def test_the_queries_that_count_decide_about_the_mean(
    folder: Path, measure: str, policy: dict[str, Any], wanted: str
) -> None:
    (aggregate,) = scored(folder, measure, **policy).aggregate.values()
    assert shown(aggregate, wanted) == plain(wanted)


@pytest.mark.parametrize(
    ("level", "measure", "wanted"),
    [
        (2, "map", ".6806"),
        (3, "recip_rank", ".3333"),
        (2, "bpref", ".5556"),
        (2, "infAP", ".6972"),
        (2, "ndcg", ".7020"),
    ],
)
def test_the_level_is_that_of_l(folder: Path, level: float, measure: str, wanted: str) -> None:
    assert shown(value_of(folder, measure, "101", level=level), wanted) == plain(wanted)


@pytest.mark.parametrize(
    ("measure", "wanted"),
    [("uRBP(grades=same)", ".949806"), ("uBpref(grades=same)", ".888889"), ("alpha_uRBP(grades=same)", "36.9266")],
)
def test_the_qrels_may_be_their_own_second_dimension(folder: Path, measure: str, wanted: str) -> None:
    value = value_of(folder, measure, "101", grades={"same": "qrels"})
    assert shown(value, wanted) == plain(wanted)
