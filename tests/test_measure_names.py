"""Measure names: our grammar, other tools' spellings, lists and sets, and what is said about mistakes."""

from __future__ import annotations

import pytest

from irevalcli.errors import UsageProblem
from irevalcli.measures.families import all_measures
from irevalcli.measures.names import Names
from irevalcli.measures.nicknames import NO_MEASURE, SETS
from irevalcli.measures.spec import parse_measures, suggest, with_level

MEASURES = all_measures()
CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)


def names_of(text: str, level: float | None = None) -> list[str]:
    return [spec.name for spec in parse_measures(text, level=level)]


def at(name: str, *values: float) -> list[str]:
    return [f"{name}@{value}" for value in values]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("AP", "AP"),
        ("AP@100", "AP@100"),
        ("AP(cutoff=100)", "AP@100"),
        ("AP(rel=2)@100", "AP(rel=2)@100"),
        ("AP(rel=2.0)", "AP(rel=2)"),
        ("AP(rel=1)", "AP"),
        ("AP()", "AP"),
        ("AP(denom='min', rel=2)@10", "AP(rel=2,denom=min)@10"),
        ("AP( rel = 2 ) @10", "AP(rel=2)@10"),
        ("R(capped=True)@10", "R(capped=True)@10"),
        ("R(capped=true)@10", "R(capped=True)@10"),
        ("R(capped=False)@10", "R@10"),
        ("RBP(p=.5)", "RBP(p=0.5)"),
        ("RBP(p=5e-1)", "RBP(p=0.5)"),
        ("nDCG(gain=exp,discount='jk',base=3)@10", "nDCG(gain=exp,discount=jk,base=3)@10"),
        ('nDCG(gain="exp")', "nDCG(gain=exp)"),
        ("nDCG(gains={2:3,1:1})@10", "nDCG(gains={1:1,2:3})@10"),
        ("nDCG(gain={1: 1, 2: 3.5})@10", "nDCG(gains={1:1,2:3.5})@10"),
        ("nDCG(rel=None)", "nDCG"),
        ("IPrec@0.1", "IPrec@0.1"),
        ("IPrec(recall=1)", "IPrec@1"),
        ("11ptAvg(points=[0.25,.5])", "11ptAvg(points=[0.25,0.5])"),
        ("11ptAvg(points=(0.25,0.5))", "11ptAvg(points=[0.25,0.5])"),
    ],
)
def test_our_grammar_is_read_and_printed_canonically(text: str, name: str) -> None:
    assert names_of(text) == [name]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("map", "AP"),
        ("map_cut.10", "AP@10"),
        ("gm_map", "GMAP"),
        ("Rprec", "Rprec"),
        ("bpref", "Bpref"),
        ("gm_bpref", "GMBpref"),
        ("infAP", "infAP"),
        ("recip_rank", "RR"),
        ("P_5", "P@5"),
        ("P.5", "P@5"),
        ("recall_1000", "R@1000"),
        ("recall.5", "R@5"),
        ("relative_P_10", "R(capped=True)@10"),
        ("success.1", "Success@1"),
        ("ndcg_cut_10", "nDCG@10"),
        ("iprec_at_recall.0.1", "IPrec@0.1"),
        ("iprec_at_recall_0.10", "IPrec@0.1"),
        ("Rprec_mult.0.2", "Rprec_mult@0.2"),
        ("Rprec_mult_0.20", "Rprec_mult@0.2"),
        ("11pt_avg", "11ptAvg"),
        ("11pt_avg..25,.5", "11ptAvg(points=[0.25,0.5])"),
        ("11pt_avg_.25,.5,.75", "11ptAvg(points=[0.25,0.5,0.75])"),
        ("utility", "Utility"),
        ("utility.1,-1,0,0", "Utility"),
        ("utility_2,-1,0,.5", "Utility(a=2,d=0.5)"),
        ("set_P", "SetP"),
        ("set_recall", "SetR"),
        ("set_relative_P", "SetRelP"),
        ("set_map", "SetAP"),
        ("set_F", "SetF"),
        ("set_F.0.5", "SetF(x=0.5)"),
        ("num_q", "NumQ"),
        ("num_ret", "NumRet"),
        ("num_rel", "NumRel"),
        ("num_rel_ret", "NumRelRet"),
        ("num_nonrel_judged_ret", "NumJudgedNonRelRet"),
        ("unj.5", "Unjudged@5"),
        ("unj_5", "Unjudged@5"),
        ("relstring", "relstring"),
        ("relstring.20", "relstring(length=20)"),
        ("binG", "binG"),
        ("yaap", "yaap"),
        ("dcg", "DCG"),
        ("ideal_dcg", "IDCG"),
        ("ndcg", "nDCG"),
        ("ndcg.1=3.5,2=9", "nDCG(gains={1:3.5,2:9})"),
        ("ndcg_2=9,1=3", "nDCG(gains={1:3,2:9})"),
        ("ndcg_rel", "ndcg_rel"),
        ("ndcg_rel.1=3", "ndcg_rel(gains={1:3})"),
        ("Rndcg", "Rndcg"),
        ("G", "G"),
        ("G.-1=0,1=3", "G(gains={-1:0,1:3})"),
        ("rbp", "RBP(p=0.9,gain=scaled,scale=query)"),
        ("rbp.p=0.8", "RBP(gain=scaled,scale=query)"),
        ("rbp_p=0.85", "RBP(p=0.85,gain=scaled,scale=query)"),
        ("rbp(p=0.85)", "RBP(p=0.85,gain=scaled,scale=query)"),
        ("rbp_resid", "RBPResid(p=0.9)"),
        ("rbp_resid.p=0.8", "RBPResid"),
        ("map_avgjg", "AP_avgjg"),
        ("P_avgjg.5", "P_avgjg@5"),
        ("Rprec_mult_avgjg_0.20", "Rprec_mult_avgjg@0.2"),
        ("prefs_simp_ret", "prefs_simp_ret"),
    ],
)
def test_trec_eval_names_are_understood_with_dot_or_underscore(text: str, name: str) -> None:
    assert names_of(text) == [name]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ndcg@10", "nDCG@10"),
        ("ndcg@10-l2", "nDCG(rel=2)@10"),
        ("ndcg_burges@10", "nDCG(gain=exp)@10"),
        ("dcg@5", "DCG@5"),
        ("dcg_burges", "DCG(gain=exp)"),
        ("map@100-l2", "AP(rel=2)@100"),
        ("mrr@10", "RR@10"),
        ("rbp.95", "RBP(p=0.95,gain=raw)"),
        ("rbp.8", "RBP(gain=raw)"),
        ("r-precision", "Rprec"),
        ("hit_rate@10", "Success@10"),
        ("hits", "NumRelRet"),
        ("hits-l2", "NumRelRet(rel=2)"),
        ("f1", "SetF"),
        ("precision", "SetP"),
        ("precision@5", "P@5"),
        ("recall@20-l3", "R(rel=3)@20"),
        ("bpref-l2", "Bpref(rel=2)"),
    ],
)
def test_ranx_names_are_understood(text: str, name: str) -> None:
    assert names_of(text) == [name]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("MAP", "AP"),
        ("MRR@10", "RR@10"),
        ("NDCG@10", "nDCG@10"),
        ("Precision@5", "P@5"),
        ("Recall@5", "R@5"),
        ("BPref", "Bpref"),
        ("RPrec(rel=2)", "Rprec(rel=2)"),
        ("NumRet(rel=1)", "NumRelRet"),
        ("NumRet(rel=2)", "NumRelRet(rel=2)"),
        ("SetP(relative=True)", "SetRelP"),
        ("SetP(rel=2,relative=True)", "SetRelP(rel=2)"),
        ("SetP(relative=False)", "SetP"),
        ("SetF(beta=0.5)", "SetF(x=0.5)"),
        ("nDCG(dcg='exp-log2')@10", "nDCG(gain=exp)@10"),
        ("nDCG(dcg=log2)@10", "nDCG@10"),
        ("RBP(p=0.8,rel=1)", "RBP"),
        ("AP(judged_only=False)", "AP"),
        ("AP(judged_only=True)", "AP(judged_only=True)"),
        ("nDCG(judged_only=True,dcg='exp-log2')@10", "nDCG(gain=exp,judged_only=True)@10"),
        ("SetP(judged_only=True,relative=True)", "SetRelP(judged_only=True)"),
        ("RBP(bound='width')", "RBP(bound=width)"),
        ("precision(bound=high,rel=2)@5", "P(rel=2,bound=high)@5"),
    ],
)
def test_ir_measures_names_and_parameters_are_understood(text: str, name: str) -> None:
    assert names_of(text) == [name]


@pytest.mark.parametrize(
    ("text", "name"),
    [("Ndcg@10", "nDCG@10"), ("p@5", "P@5"), ("p_5", "P@5"), ("RPREC", "Rprec"), ("NDCG_CUT.10", "nDCG@10")],
)
def test_case_is_forgiven_where_only_one_measure_can_be_meant(text: str, name: str) -> None:
    assert names_of(text) == [name]


def test_a_name_in_the_wrong_case_that_could_be_two_measures_is_refused() -> None:
    assert names_of("RBP") != names_of("rbp")
    with pytest.raises(UsageProblem, match="unknown measure 'Rbp'"):
        parse_measures("Rbp")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("P.5,10", ["P@5", "P@10"]),
        ("nDCG@10,AP", ["nDCG@10", "AP"]),
        ("nDCG@5,10 , AP", ["nDCG@5", "nDCG@10", "AP"]),
        ("AP(rel=2,denom=min)@5,nDCG(gains={1:1,2:3})", ["AP(rel=2,denom=min)@5", "nDCG(gains={1:1,2:3})"]),
        ("ndcg.1=3,2=9,map", ["nDCG(gains={1:3,2:9})", "AP"]),
        ("iprec_at_recall..10,.20,P_5", ["IPrec@0.1", "IPrec@0.2", "P@5"]),
        ("utility.1,-1,+0,0,map", ["Utility", "AP"]),
        ("map,11pt_avg,11ptAvg", ["AP", "11ptAvg", "11ptAvg"]),
        ("map,11pt_avg..25,.5", ["AP", "11ptAvg(points=[0.25,0.5])"]),
        ("AP,AP", ["AP", "AP"]),
    ],
)
def test_lists_are_split_at_commas_that_do_not_belong_to_a_value(text: str, names: list[str]) -> None:
    assert names_of(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("ndcg_cut", at("nDCG", *CUTOFFS)),
        ("recall", at("R", *CUTOFFS)),
        ("map_cut", at("AP", *CUTOFFS)),
        ("success", at("Success", 1, 5, 10)),
        ("unj", at("Unjudged", 5, 10, 20)),
        ("iprec_at_recall", at("IPrec", 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1)),
    ],
)
def test_a_trec_eval_family_without_values_has_its_default_values(text: str, names: list[str]) -> None:
    assert names_of(text) == names


def test_sets_hold_trec_evals_measures_in_its_order_without_the_run_tag() -> None:
    official = names_of("official")
    assert official[:6] == ["NumQ", "NumRet", "NumRel", "NumRelRet", "AP", "GMAP"]
    assert official[-9:] == at("P", *CUTOFFS)
    assert len(official) == 29
    assert names_of("set,AP")[-2:] == ["SetF", "AP"]


@pytest.mark.parametrize(("name", "lines"), [("official", 30), ("set", 11), ("all_trec", 99), ("qrels_jg", 22)])
def test_a_set_has_as_many_measures_as_trec_eval_prints_summary_lines(name: str, lines: int) -> None:
    specs = parse_measures(name)
    without_summary = sum(spec.measure.kind == "text" for spec in specs)
    assert len(specs) - without_summary + 1 == lines


@pytest.mark.parametrize("name", SETS)
def test_every_member_of_a_set_is_a_measure(name: str) -> None:
    names = Names(MEASURES)
    assert [member for member in SETS[name] if member != NO_MEASURE and names.family(member) is None] == []


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("ndgc@10", "unknown measure 'ndgc@10'", "did you mean nDCG@10?  (all names: irevalcli measures)"),
        ("ndgc_cut.10", "unknown measure 'ndgc_cut.10'", "did you mean ndcg_cut.10?  (all names: irevalcli measures)"),
        ("map.5", "unknown measure 'map.5'", "did you mean map_cut.5?  (all names: irevalcli measures)"),
        ("xyzzy", "unknown measure 'xyzzy'", "all names: irevalcli measures"),
        ("AP nDCG", "unknown measure 'AP nDCG'", "the measures of a list are separated by commas"),
        (
            "AP(relevance=2)",
            "AP has no parameter 'relevance' (it has: cutoff, rel, denom, judged_only); did you mean rel?",
            "",
        ),
        ("NumRet(foo=1)", "NumRet has no parameter 'foo' (it has: judged_only)", ""),
        ("P", "P needs a cutoff, such as P@10", "all of trec_eval's: P.5,10,15,20,30,100,200,500,1000"),
        ("Judged", "Judged needs a cutoff, such as Judged@10", ""),
        ("IPrec", "IPrec needs a recall, such as IPrec@0.2", None),
        (
            "Rprec_mult",
            "Rprec_mult needs a multiple, such as Rprec_mult@1",
            "all of trec_eval's: Rprec_mult.0.2,0.4,0.6,0.8,1,1.2,1.4,1.6,1.8,2",
        ),
        ("Rprec_mult_avgjg", "Rprec_mult_avgjg needs a multiple, such as Rprec_mult_avgjg@1", None),
        ("Bpref@10", "Bpref takes nothing behind @ (it has: rel, judged_only)", ""),
        ("P@0", "P: cutoff must be at least 1, not 0", ""),
        ("P@2.5", "P: cutoff must be a whole number, not '2.5'", ""),
        ("P@ten", "P: cutoff must be a whole number, not 'ten'", ""),
        ("P@1_0", "P: cutoff must be a whole number, not '1_0'", ""),
        ("P@99999999999999999999", "P: cutoff must be a whole number, not '99999999999999999999'", ""),
        ("P@5@6", "P: cutoff must be a whole number, not '5@6'", ""),
        ("P(cutoff=5)@5", "P: cutoff is given twice", ""),
        ("P.5,x", "unknown measure 'x'", None),
        ("P.", "values are missing at the end of 'P.'", ""),
        ("AP(rel=nan)", "AP: rel must be a number, not 'nan'", ""),
        ("AP(2)", "AP: parameters are written as name=value, not '2'", ""),
        ("AP(rel=2", ") is missing in 'AP(rel=2'", ""),
        ("AP)", "')' without an opening bracket in 'AP)'", ""),
        ("AP(rel=2)x", "'AP(rel=2)x' is not written as Name(parameter=value,...)@cutoff", ""),
        ("R(capped=maybe)@5", "R: capped must be True or False, not 'maybe'", ""),
        ("RBP(p=1.5)", "RBP: p must be between 0 and 1, not 1.5", ""),
        ("nDCG(discount=lgo2)", "nDCG: discount must be log2 or jk, not 'lgo2'; did you mean log2?", ""),
        ("nDCG(dcg=foo)", "nDCG: dcg must be log2 or exp-log2, not 'foo'", ""),
        (
            "nDCG(gains={1:})",
            "nDCG: gains must be a map from grades to gains such as {1:1,2:3}, not '{1:}'",
            "",
        ),
        ("11ptAvg(points=1)", "11ptAvg: points must be a list of numbers such as [0.2,0.5], not '1'", ""),
        ("rbp.95-l2", "RBP: rel means nothing with gain=raw", ""),
        ("ndcg.1", "ndcg takes pairs such as ndcg.1=3,2=9, not '1'", ""),
        ("rbp.q=1", "rbp takes pairs such as rbp.p=0.8, not 'q=1'", ""),
        ("utility.1,2", "utility takes 4 values (a,b,c,d), not '1,2'", ""),
        ("set_F.1,2", "set_F takes one value (x), not '1,2'", ""),
        ("official.5", "official is a set of measures and takes no parameters", ""),
        ("AP,,RR", "a measure is missing in 'AP,,RR'", "all names: irevalcli measures"),
        ("", "a measure is missing in ''", "all names: irevalcli measures"),
        ("NumQ(foo=1)", "NumQ has no parameter 'foo' (it has none)", ""),
        ("AP(judged_only=True,judged_only=True)", "AP: judged_only is given twice", ""),
        ("AP(judged_only=1)", "AP: judged_only must be True or False, not '1'", ""),
    ],
)
def test_mistakes_are_named_with_what_would_be_right(text: str, message: str, hint: str | None) -> None:
    with pytest.raises(UsageProblem) as problem:
        parse_measures(text)
    assert problem.value.message == message
    if hint is not None:
        assert problem.value.hints == ((hint,) if hint else ())


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("ndgc@10", "nDCG@10"),
        ("Perf@5", "Bpref"),
        ("recal@20", "R@20"),
        ("mapp", "AP"),
        ("succes_5", "success_5"),
        ("ndcg_brges@3", "ndcg_burges@3"),
        ("nDGC(gain=exp)@10", "nDCG(gain=exp)@10"),
    ],
)
def test_suggestions_keep_the_cutoff_and_prefer_our_names(text: str, first: str) -> None:
    assert suggest(text)[0] == first


def test_there_are_no_suggestions_for_what_resembles_nothing() -> None:
    assert suggest("@@@") == []
    assert suggest("quux-frob") == []


def test_a_level_applies_to_measures_of_relevant_documents_that_name_none() -> None:
    text = "AP,AP(rel=1),P.5,map-l3,NumRet,nDCG@10,rbp,RBP"
    assert names_of(text, level=2) == [
        "AP(rel=2)", "AP", "P(rel=2)@5", "AP(rel=3)", "NumRet", "nDCG@10", "RBP(p=0.9,gain=scaled,scale=query)",
        "RBP(rel=2)",
    ]  # fmt: skip
    assert names_of(text, level=1) == names_of(text)


def test_with_level_leaves_graded_measures_alone() -> None:
    ap, ndcg = parse_measures("AP@10,nDCG@10")
    assert with_level(ap, 2).name == "AP(rel=2)@10"
    assert with_level(ndcg, 2) == ndcg
