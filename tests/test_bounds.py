"""Bounds from unjudged documents, and measures of judged documents only."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from builders import EXAMPLE_101, query_of, random_queries, ranking_of
from calls import call, put
from worlds import world

from irevalcli.analysis.evaluate import NamedRun, evaluate
from irevalcli.analysis.policy import Asked, Policy
from irevalcli.errors import UsageProblem
from irevalcli.index import filled as filling
from irevalcli.measures.families import all_measures
from irevalcli.measures.registry import REQUIRED, MeasureSpec
from irevalcli.measures.spec import parse_measures
from irevalcli.measures.trec_names import trec_name

if TYPE_CHECKING:
    from pathlib import Path

    from builders import Query

    from irevalcli.index.ranking import Ranking

BOUNDED = [record for record in all_measures().values() if record.has_bounds]
EXAMPLE = ranking_of([query_of(*EXAMPLE_101)])


def spec_of(name: str, **options: Any) -> MeasureSpec:  # noqa: ANN401
    (spec,) = parse_measures(name)
    return spec._replace(**options)


def values_of(spec: MeasureSpec, ranking: Ranking) -> list[float]:
    return [float(value) for value in spec.compute(ranking)]


# Bounds: numbers.

PRINTED = {0.3226, 0.5565, 0.451863, 0.774464}
"""Values that are rounded."""


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        # trec_eval 10, rbp_resid.p=0.8 and rbp_resid
        ("RBP(bound=width)", 0.3226),
        ("RBP(p=0.9,bound=width)", 0.5565),
        ("RBP(p=0.9,gain=scaled,scale=query,bound=width)", 0.5565),
        # Ranks 4, 7, 9 and 10 are unjudged, and there is nothing beyond rank 10.
        ("RBP(bound=low)", 0.451863),
        ("RBP(bound=high)", 0.774464),
        ("RBP(bound=width)@10", 0.2 * (0.8**3 + 0.8**6 + 0.8**8 + 0.8**9)),
        ("RBP(bound=width)@12", 0.2 * (0.8**3 + 0.8**6 + 0.8**8 + 0.8**9 + 0.8**10 + 0.8**11)),
        ("RBP(gain=raw,bound=width)@5", 0.2 * 0.8**3 * 3),
        ("P(bound=low)@5", 0.6),
        ("P(bound=high)@5", 0.8),
        ("P(bound=width)@5", 0.2),
        ("P(bound=width)@20", 14 / 20),
        ("P(rel=2,bound=high)@10", 7 / 10),
        ("Success(rel=3,bound=high)@2", 0),
        ("Success(rel=4,bound=high)@4", 1),
        ("Success(rel=4,bound=low)@4", 0),
        ("RR(rel=3,bound=high)", 1 / 3),
        ("RR(rel=4,bound=high)", 1 / 4),
        ("RR(rel=4,bound=high)@3", 0),
        ("CG(bound=high)@5", 6 + 3),
        ("CG(gain=exp,bound=width)@5", 7),
        ("CG(gains={1:9},bound=width)@5", 9),
        ("CG(bound=width)@12", 3 * 6),
        ("DCG(bound=width)@5", 3 / np.log2(5)),
        ("SDCG(max_rel=3,bound=width)@5", 1 / np.log2(5) / sum(1 / np.log2(rank + 1) for rank in range(1, 6))),
        ("ERR(bound=high)@1", 3 / 16),
        ("ERR(bound=width)@4", 15 / 16 / 4 * (13 / 16) * (9 / 16)),
        ("CWL_P(max_rel=3,bound=width)@5", 1 / 5),
        ("NERR8(max_rel=3,report=ETU,bound=high)@4", 1),
    ],
)
def test_bounds_of_query_101(measure: str, value: float) -> None:
    (spec,) = parse_measures(measure)
    assert spec.name == measure
    assert values_of(spec, EXAMPLE) == pytest.approx([value], abs=6e-5 if value in PRINTED else 1e-12)


def test_the_width_of_rbp_is_its_residual() -> None:
    ranking = ranking_of(random_queries(5))
    for p in (0, 0.3, 0.8, 0.95):
        width = values_of(spec_of(f"RBP(p={p})", bound="width"), ranking)
        assert width == pytest.approx(values_of(spec_of(f"RBPResid(p={p})"), ranking), abs=1e-15)


def test_an_endless_list_is_the_limit_of_long_cutoffs_for_rbp() -> None:
    ranking = ranking_of(random_queries(6, count=50))
    for gain in ("binary", "scaled", "raw", "scaled,scale=query"):
        whole = values_of(spec_of(f"RBP(gain={gain})", bound="high"), ranking)
        assert values_of(spec_of(f"RBP(gain={gain})@300", bound="high"), ranking) == pytest.approx(whole, abs=1e-14)


# Bounds: what they mean.

FORMS = [
    MeasureSpec.of(record, **{param.name: 4 for param in record.parameters if param.name == "cutoff"})
    for record in BOUNDED
]
every_form = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)


@every_form
def test_no_grades_of_the_unjudged_documents_lead_out_of_the_bounds(form: MeasureSpec) -> None:
    if "depth" in form.parameters:
        form = MeasureSpec.of(form.measure, **{**form.parameters, "depth": 4})
    query: Query = ([0, None, 2, -1], [3, 4])
    before = ranking_of([query])
    low, high, width = (values_of(form._replace(bound=bound), before)[0] for bound in ("low", "high", "width"))
    cases: list[Query] = [([0, first, 2, second], [3, 4]) for first, second in product(range(5), repeat=2)]
    values = values_of(form, ranking_of(cases))
    assert low == pytest.approx(min(values), abs=1e-12)
    assert width == pytest.approx(high - low)
    if form.measure.name == "RBP":
        assert high == pytest.approx(max(values))
    else:
        assert high == pytest.approx(max(values), abs=1e-12)
    assert high > low or form.measure.name == "Success"


@every_form
def test_what_lies_beyond_the_end_of_a_list_is_unjudged_too(form: MeasureSpec) -> None:
    short, long = ranking_of([([1, 0], [2])]), ranking_of([([1, 0, None, None], [2])])
    for bound in ("low", "high", "width"):
        spec = form._replace(bound=bound)
        assert values_of(spec, short) == pytest.approx(values_of(spec, long), abs=1e-15)


@every_form
def test_where_every_rank_is_judged_nothing_is_open(form: MeasureSpec) -> None:
    if form.parameters.get("depth"):
        form = MeasureSpec.of(form.measure, **{**form.parameters, "depth": 4})
    ranking = ranking_of([([1, 0, 2, 1, None], [2]), ([0, 0, 0, 0], [1])])
    assert values_of(form._replace(bound="width"), ranking) == [0.0, 0.0]


@every_form
def test_the_value_is_the_lower_bound(form: MeasureSpec) -> None:
    ranking = world("hits", 4).ranking()
    low, high = (np.asarray(form._replace(bound=bound).compute(ranking)) for bound in ("low", "high"))
    assert list(low) == list(form.compute(ranking))
    assert (high >= low - 1e-12).all()
    assert (high[~ranking.answered] > 0).all()


@every_form
def test_further_gain_never_lowers_a_measure_with_bounds(form: MeasureSpec) -> None:
    random = np.random.default_rng(7)
    for report in ("EU", "ETU") if "report" in form.parameters else ("",):
        chosen = MeasureSpec.of(form.measure, **{**form.parameters, "report": report}) if report else form
        worse: list[Query] = []
        better: list[Query] = []
        for _ in range(300):
            grades = random.integers(0, 4, int(random.integers(1, 9))).tolist()
            place = int(random.integers(len(grades)))
            better.append((grades, [4]))
            worse.append(([*grades[:place], int(random.integers(grades[place] + 1)), *grades[place + 1 :]], [4]))
        before, after = (np.asarray(chosen.compute(ranking_of(queries))) for queries in (worse, better))
        assert (before <= after + 1e-12).all()


def test_many_queries_are_filled_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    ranking = ranking_of(random_queries(9))
    specs = [form._replace(bound="high") for form in FORMS]
    whole = [values_of(spec, ranking) for spec in specs]
    monkeypatch.setattr(filling, "_BLOCK", 40)
    assert [values_of(spec, ranking) for spec in specs] == whole


def test_negative_grades_are_unjudged() -> None:
    for form in FORMS:
        pooled, absent = ranking_of([([1, -1, -2], [2])]), ranking_of([([1, None, None], [2])])
        spec = form._replace(bound="width")
        assert values_of(spec, pooled) == values_of(spec, absent)


def test_a_query_without_positive_grades_has_bounds_too() -> None:
    ranking = ranking_of([([0, None, 0], [0])])
    assert values_of(spec_of("CWL_P@3", bound="high"), ranking) == pytest.approx([1 / 3])
    assert values_of(spec_of("RBP(gain=scaled)@3", bound="high"), ranking) == pytest.approx([0.2 * 0.8])
    assert values_of(spec_of("DCG@3", bound="high"), ranking) == [0.0]


# Bounds: names.


def test_the_names_of_bounds_are_read_back() -> None:
    for form in FORMS:
        for bound in ("low", "high", "width"):
            spec = form._replace(bound=bound)
            assert f"bound={bound}" in spec.name
            assert parse_measures(spec.name) == [spec]
            assert trec_name(spec) is None
    assert spec_of("P@5", bound="width").higher_is_better is False
    assert spec_of("P@5", bound="high").higher_is_better is True


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("AP(bound=high)", "AP: no bounds are known: what it is divided by depends on the judgments"),
        ("nDCG(bound=low)@10", "nDCG: no bounds are known"),
        ("BPM(bound=width)", "BPM: no bounds are known"),
        ("DCG(bound=high)", r"DCG: bound= needs a cutoff, such as DCG\(bound=high\)@10"),
        ("ERR(bound=low)", "ERR: bound= needs a cutoff"),
        ("NERR8(report=ED,bound=high)@5", "NERR8: bound= is for report=EU and report=ETU, not ED"),
        ("P(bound=hihg)@5", "P: bound must be low or high or width, not 'hihg'; did you mean high"),
        ("P(bound=low,bound=low)@5", "P: bound is given twice"),
        ("P(bound=low,judged_only=True)@5", "P: with judged_only=True there is nothing unjudged that bound= is about"),
        ("P(bond=low)@5", r"P has no parameter 'bond' \(it has: cutoff, rel, judged_only, bound\); did you mean bound"),
    ],
)
def test_bounds_that_do_not_exist_are_refused(text: str, message: str) -> None:
    with pytest.raises(UsageProblem, match=message) as problem:
        parse_measures(text)
    if "known" in message:
        assert problem.value.hints[0].startswith("bound= is for RR, P, Success,")


def test_a_bound_made_by_hand_is_refused_likewise() -> None:
    with pytest.raises(UsageProblem, match="AP: no bounds are known"):
        spec_of("AP", bound="high").compute(EXAMPLE)


# Judged documents only.


@pytest.mark.parametrize(
    ("measure", "value"),
    # ir_measures
    [("AP(judged_only=True)", ".5139"), ("nDCG(judged_only=True)@5", ".6466"), ("Judged(judged_only=True)@10", "1.0")],
)
def test_judged_documents_only_in_query_101(measure: str, value: str) -> None:
    (spec,) = parse_measures(measure)
    assert spec.name == measure
    assert f"{values_of(spec, EXAMPLE)[0]:.4f}" == f"{float(value):.4f}"


@pytest.mark.parametrize("needs", ["hits", "subtopics"])
def test_judged_only_is_the_measure_of_a_ranking_without_unjudged_documents(needs: str) -> None:
    ranking = world(needs, 2).ranking()
    condensed = ranking.judged_only()
    changed = set()
    for record in all_measures().values():
        if record.needs != needs:
            continue
        required = {
            param.name: 0.5 if param.name == "recall" else 4 for param in record.parameters if param.default == REQUIRED
        }
        spec = MeasureSpec.of(record, **required)
        found = list(spec._replace(judged_only=True).compute(ranking))
        assert found == list(spec.compute(condensed))
        changed |= {record.name} if found != list(spec.compute(ranking)) else set()
    assert len(changed) > (40 if needs == "hits" else 5)


def test_measures_share_the_ranking_without_unjudged_documents() -> None:
    ranking = world("hits", 2).ranking()
    assert spec_of("AP", judged_only=True).seen(ranking) is spec_of("P@5", judged_only=True).seen(ranking)
    assert spec_of("AP").seen(ranking) is ranking


@pytest.mark.parametrize("text", ["AP(judged_only=True)", "map(judged_only='true')", "AP( judged_only = True )"])
def test_judged_only_is_read_as_ir_measures_writes_it(text: str) -> None:
    (spec,) = parse_measures(text)
    assert spec == spec_of("AP", judged_only=True)
    assert trec_name(spec) is None


def test_judged_only_goes_with_other_parameters_and_levels() -> None:
    assert [
        spec.name for spec in parse_measures("SetP(judged_only=True,relative=True),P(judged_only=True)@5", level=2)
    ] == [
        "SetRelP(rel=2,judged_only=True)",
        "P(rel=2,judged_only=True)@5",
    ]


@pytest.mark.parametrize("name", ["prefs_simp", "AP_avgjg", "NumQ"])
def test_judged_only_is_refused_where_single_documents_are_not_judged(name: str) -> None:
    with pytest.raises(UsageProblem, match=f"{name}: judged_only is not for measures of "):
        parse_measures(f"{name}(judged_only=True)")


# From files.


def evaluated(folder: Path, measures: str, **policy: Any) -> dict[str, float | None]:  # noqa: ANN401
    (folder / "qrels").write_text("1 0 a 1\n1 0 b 0\n1 0 c 3\n1 0 d -1\n")
    (folder / "run").write_text("1 Q0 x 1 9 t\n1 Q0 a 2 8 t\n1 Q0 d 3 7 t\n1 Q0 b 4 6 t\n1 Q0 c 5 5 t\n")
    asked = [Asked(spec, spec.name) for spec in parse_measures(measures)]
    path = str(folder / "run")
    (scores,) = evaluate(str(folder / "qrels"), [NamedRun("r", path, path)], asked, Policy(**policy)).runs
    return {column.spec.name: column.aggregate for column in scores.columns}


def test_an_evaluation_shows_the_options_of_a_measure_in_its_name(tmp_path: Path) -> None:
    assert evaluated(tmp_path, "AP(judged_only=True),AP,P(bound=high)@4,CWL_P(bound=high)@2") == pytest.approx(
        {
            "AP(judged_only=True)": (1 + 2 / 3) / 2,
            "AP": (1 / 2 + 2 / 5) / 2,
            "P(bound=high)@4": 3 / 4,
            "CWL_P(max_rel=3,bound=high)@2": (1 + 1 / 3) / 2,
        }
    )
    assert evaluated(tmp_path, "P(bound=high)@4", negative="nonrelevant") == {"P(bound=high)@4": 2 / 4}


def test_bounds_make_no_sense_of_rankings_without_unjudged_documents(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match="with --judged-only there is nothing unjudged"):
        evaluated(tmp_path, "P(bound=high)@4", judged_only=True)


def test_a_bound_at_an_absurd_cutoff_is_refused_instead_of_filling_the_memory(tmp_path: Path) -> None:
    put(tmp_path, qrels="1 0 a 1", run="1 Q0 a 1 1 t")
    refused = call(tmp_path, "evaluate", "-m", "P(bound=high)@100000000", "qrels", "run")
    assert (refused.code, refused.out) == (2, "")
    assert "down to rank 1000000 at most" in refused.err
