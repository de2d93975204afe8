"""``irevalcli explain``: a number taken apart, rank by rank."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from calls import call, put
from plain import cut, judgments_in, opened
from worlds import world

from irevalcli.analysis.evaluate import NamedRun, evaluate
from irevalcli.analysis.explain import Explained, explain
from irevalcli.analysis.policy import Asked, Policy
from irevalcli.errors import UsageProblem
from irevalcli.index.document_list import read_documents
from irevalcli.index.order import TieRule
from irevalcli.index.scan import RunRules
from irevalcli.index.stream import read_run
from irevalcli.measures.spec import parse_measures
from irevalcli.output.explanation import render_table
from irevalcli.output.prose import Texts
from irevalcli.output.registry import Layout

if TYPE_CHECKING:
    from pathlib import Path

QRELS = """
    q1 0 a 3
    q1 0 b 0
    q1 0 c 1
    q1 0 d -1
    q1 0 z 2
    q2 0 a 1
"""
RUN = """
    q1 Q0 a 1 9 t
    q1 Q0 x 2 8 t
    q1 Q0 b 3 7 t
    q1 Q0 d 4 6 t
    q1 Q0 y 5 5 t
    q1 Q0 c 6 4 t
    q2 Q0 y 1 1 t
"""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with ``qrels.txt`` and ``a.run``."""
    put(tmp_path, qrels_txt=QRELS, a_run=RUN)
    return tmp_path


def explained(folder: Path, qid: bytes, *measures: str, top: int = 20, policy: Policy | None = None) -> Explained:
    asked = [Asked(spec, text) for text in measures for spec in parse_measures(text)]
    path = str(folder / "a.run")
    run = NamedRun("a", path, path)
    return explain(str(folder / "qrels.txt"), run, qid, asked, policy or Policy(), top)


# The documents of a query.


def lines_of_a_run() -> list[str]:
    """Documents of 40 queries with many ties, rank columns in no order, the lines of the queries mixed."""
    random = np.random.default_rng(7)
    ranks = iter(random.integers(1, 4, 2000).tolist())
    lines = [
        f"{qid} Q0 {docid} {next(ranks)} {score!r} t"
        for qid, scores in world("hits", 5).run.items()
        for docid, score in scores.items()
    ]
    lines += [f"{qid} Q0 {qid} 1 0.0 t" for qid in world("hits", 5).run]
    return list(random.permutation(lines))


RULES = [
    RunRules(),
    RunRules(TieRule(docid_descending=False)),
    RunRules(TieRule(by="rank")),
    RunRules(TieRule(by="file")),
    RunRules(TieRule(single_precision=True)),
    RunRules(exclude_self=True),
]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_list_of_documents_has_every_hit_at_its_rank_under_every_rule_for_ties(
    rules: RunRules,
) -> None:
    judgments = judgments_in("\n".join(world("hits", 5).qrels_lines()).encode() + b"\n")
    with opened("\n".join(lines_of_a_run()).encode() + b"\n") as source, cut(300):
        ranking = read_run(source, judgments, rules)[0]
        for query in range(judgments.num_queries):
            source.rewind()
            documents = read_documents(source, judgments, query, rules)
            assert len(documents) == ranking.retrieved[query]
            hits = ranking.query == query
            docids = judgments.docids(ranking.listed[hits])
            scores = ranking.score[hits].tolist()
            for rank, docid, score in zip(ranking.rank[hits].tolist(), docids, scores, strict=True):
                assert documents[rank - 1] == (docid, score)


# What is explained.


@pytest.mark.parametrize("ties", ["docid-desc", "docid-asc", "rank", "file", "best", "worst"])
@pytest.mark.parametrize(
    "policy", [Policy(), Policy(judged_only=True), Policy(depth=4), Policy(negative="nonrelevant")]
)
def test_every_rank_has_its_document_with_its_grade_and_the_value_is_that_of_evaluate(
    policy: Policy, ties: str, tmp_path: Path
) -> None:
    policy = policy._replace(ties=ties)  # type: ignore[arg-type]
    files = world("hits", 5)
    put(tmp_path, qrels_txt="\n".join(files.qrels_lines()), a_run="\n".join(lines_of_a_run()))
    grades = {docid: grade for (qid, docid), grade in files.highest().items() if qid == "q08"}
    seen = explained(tmp_path, b"q08", "nDCG", "AP", "Bpref", top=1000, policy=policy)
    asked = [Asked(one.spec, "") for one in seen.explanations]
    path = str(tmp_path / "a.run")
    (scores,) = evaluate(str(tmp_path / "qrels.txt"), [NamedRun("a", path, path)], asked, policy).runs
    for one, column in zip(seen.explanations, scores.columns, strict=True):
        assert one.value == column.values[scores.qids.index(b"q08")]
        steps = [step for step in one.steps if step.docid is not None]
        assert [step.rank for step in steps] == list(range(1, seen.retrieved + 1))
        assert len({step.docid for step in steps}) == len(steps)
        numbers = [step.score or 0.0 for step in steps]
        assert numbers == sorted(numbers, reverse=True)
        for step in steps:
            grade = grades.get((step.docid or b"").decode())
            assert step.grade == (max(grade, 0) if grade is not None and policy.negative == "nonrelevant" else grade)
        assert steps[-1].value == pytest.approx(one.value, abs=1e-15)
        assert steps[-1].total == one.total.value


def test_alternatives_are_the_values_that_evaluate_gives_for_their_names(files: Path) -> None:
    (one,) = explained(files, b"q1", "nDCG@3").explanations
    found = {other.name: other for other in one.alternatives}
    assert {"nDCG", "nDCG(gain=exp)@3", "nDCG(discount=jk)@3", "nDCG(ideal=whole)@3"} <= set(found)
    assert "nDCG@3" not in found
    for name in ("nDCG", "nDCG(gain=exp)@3", "nDCG(discount=jk)@3", "nDCG(ideal=whole)@3"):
        path = str(files / "a.run")
        asked = [Asked(spec, "") for spec in parse_measures(name)]
        (scores,) = evaluate(str(files / "qrels.txt"), [NamedRun("a", path, path)], asked).runs
        assert found[name].value == scores.columns[0].values[0]
    assert "gdeval" in found["nDCG(gain=exp)@3"].why


def test_an_alternative_drops_what_means_nothing_with_it_and_needs_what_it_needs(files: Path) -> None:
    (one,) = explained(files, b"q1", "RBP(p=0.5,gain=scaled,max_rel=4)").explanations
    names = [other.name for other in one.alternatives]
    assert "RBP(gain=raw)" in names
    assert "RBP" in names
    (one,) = explained(files, b"q1", "AP@2").explanations
    assert "AP(denom=min)@2" in [other.name for other in one.alternatives]
    (one,) = explained(files, b"q1", "AP").explanations
    assert not [other.name for other in one.alternatives if "denom" in other.name]


def test_other_orders_of_ties_are_shown_where_they_matter(files: Path) -> None:
    (one,) = explained(files, b"q1", "AP").explanations
    assert not [other for other in one.alternatives if "ties" in other.name]
    put(files, a_run=RUN.replace(" 8 t", " 9 t"))
    (one,) = explained(files, b"q1", "RR").explanations
    assert {other.name: other.value for other in one.alternatives}["--ties best"] == 1.0
    assert one.value == 0.5


def test_the_ideal_ranking_goes_on_where_the_run_has_ended(files: Path) -> None:
    put(files, a_run="q1 Q0 c 1 1 t")
    (one,) = explained(files, b"q1", "nDCG@2").explanations
    assert [(step.rank, step.docid, step.ideal_gain) for step in one.steps] == [(1, b"c", 3.0), (2, None, 2.0)]
    assert one.divisor is not None
    assert one.steps[-1].ideal_total == one.divisor.value
    assert one.steps[-1].total == 1.0
    assert one.steps[-1].value == one.value


def test_below_the_top_only_documents_of_the_qrels_are_told_and_none_below_the_cutoff(files: Path) -> None:
    (whole, cut) = explained(files, b"q1", "AP", "AP@5", top=1).explanations
    assert [step.rank for step in whole.steps] == [1, 3, 4, 6]
    assert [step.rank for step in cut.steps] == [1, 3, 4]


# What is printed.


def test_a_table_has_every_rank_its_sum_and_what_becomes_of_it(files: Path) -> None:
    made = call(files, "explain", "qrels.txt", "a.run", "--query", "q1", "-m", "AP", "-f", "table", "--top", "3")
    assert made.code == 0
    lines = made.out.splitlines()
    assert lines[0] == "AP = 0.4444 for query q1 of a"
    assert lines[1].startswith("average precision: (1/R) · Σ over relevant ranks i")
    assert lines[3:12] == [
        "rank   document    grade   relevant so far   precision   contribution    total",
        "   1   a               3                 1      1.0000         1.0000   1.0000",
        "   2   x               –                 1      0.5000         0.0000   1.0000",
        "   3   b               0                 1      0.3333         0.0000   1.0000",
        "   4   d          pooled                 1      0.2500         0.0000   1.0000",
        "   …",
        "   6   c               1                 2      0.3333         0.3333   1.3333",
        "",
        "sum of precision 1.3333 ÷ 3 (R, the relevant documents in the qrels) = AP 0.4444",
    ]
    assert made.err == ""


def test_everything_fits_a_terminal_of_80_columns(files: Path) -> None:
    layout = Layout(width=80)
    text = b"".join(render_table(explained(files, b"q1", "nDCG(gain=exp)@10"), layout, Texts({}, {}))).decode()
    assert "other definitions" in text
    assert max(map(len, text.splitlines())) <= 80


def test_what_contributes_is_bold_and_nothing_else_is_different(files: Path) -> None:
    arguments = ("explain", "qrels.txt", "a.run", "--query", "q1", "-m", "AP", "-f", "table")
    plain, bold = call(files, *arguments).out, call(files, *arguments, "--color", "always").out
    assert bold.replace("\x1b[1m", "").replace("\x1b[0m", "") == plain
    marked = [
        line.split()[1] for line in plain.splitlines() if f"\x1b[1m{line[:4]}" in bold and line[:4].strip().isdigit()
    ]
    assert marked == ["a", "c"]


def test_data_in_a_pipe_is_one_row_for_each_rank(files: Path) -> None:
    made = call(files, "explain", "qrels.txt", "a.run", "--query", "q1", "-m", "nDCG@2,RR")
    rows = [line.split("\t") for line in made.out.splitlines()]
    assert rows[0] == [
        "run", "query", "measure", "rank", "document", "score", "grade", "gain", "log2(rank + 1)", "1/rank",
        "contribution", "total", "value", "ideal_gain", "ideal_contribution", "ideal_total",
    ]  # fmt: skip
    assert rows[1] == [
        "a", "q1", "nDCG@2", "1", "a", "9.0", "3", "3", "1.0000", "", "3", "3", "0.7039", "3", "3.0000", "3.0000",
    ]  # fmt: skip
    assert rows[2][:9] == ["a", "q1", "nDCG@2", "2", "x", "8.0", "", "0", "1.5850"]
    assert rows[3][2:11] == ["RR", "1", "a", "9.0", "3", "", "", "1.0000", "1"]
    assert {len(row) for row in rows} == {16}
    assert len(rows) == 1 + 2 + 6


def test_json_holds_all_that_is_known_in_full(files: Path) -> None:
    made = call(files, "explain", "qrels.txt", "a.run", "--query", "q1", "-m", "nDCG@2", "-f", "json")
    found = json.loads(made.out)
    assert (found["schema"], found["query"], found["run"]["label"], found["retrieved"]) == (1, "q1", "a", 6)
    (one,) = found["explanations"]
    assert one["measure"]["name"] == "nDCG@2"
    assert one["total"] == {"name": "DCG", "value": 3.0}
    assert one["divisor"]["value"] == one["ranks"][-1]["ideal_total"]
    assert one["value"] == one["ranks"][-1]["value"] == 3.0 / one["divisor"]["value"]
    assert one["ranks"][1] | {"ideal_contribution": 0, "ideal_total": 0} == {
        "rank": 2, "document": "x", "score": 8.0, "grade": None,
        "quantities": {"gain": 0.0, "log2(rank + 1)": np.log2(3)},
        "contribution": 0.0, "total": 3.0, "value": one["value"], "ideal_gain": 2.0, "ideal_contribution": 0,
        "ideal_total": 0,
    }  # fmt: skip
    assert one["alternatives"][0].keys() == {"measure", "value", "why"}


def test_markdown_is_a_table_that_needs_no_terminal(files: Path) -> None:
    made = call(files, "explain", "qrels.txt", "a.run", "--query", "q1", "-m", "P@3", "-f", "markdown")
    assert made.out.startswith("### P@3 = 0.3333 for query q1 of a\n")
    assert (
        "| rank | document | grade | contribution | total |\n|---:|:---|---:|---:|---:|\n| **1** | **a** |" in made.out
    )
    assert "relevant documents found 1 ÷ 3 (k, the cutoff) = P@3 0.3333\n" in made.out


def test_several_measures_have_a_table_each_and_none_means_the_usual_ones(files: Path) -> None:
    made = call(files, "explain", "qrels.txt", "a.run", "--query", "q1", "-f", "table")
    titles = [line.split()[0] for line in made.out.splitlines() if line.endswith("for query q1 of a")]
    assert titles == ["AP", "nDCG@10", "P@10", "RR", "R@1000", "Judged@10"]


def test_texts_of_query_and_documents_are_shown_as_far_as_there_is_room(files: Path) -> None:
    put(files, queries_tsv="q0\tother\nq1\twhat is it", docs_tsv=f"a\tThe answer. {'word ' * 30}\nx\tNothing")
    arguments = ("explain", "qrels.txt", "a.run", "--query", "q1", "-m", "RR@2")
    texts = ("--query-text", "queries.tsv", "--doc-text", "docs.tsv")
    made = call(files, *arguments, *texts, "-f", "table")
    assert made.out.splitlines()[1] == "what is it"
    assert "The answer. word word" in made.out
    rows = [line.split("\t") for line in call(files, *arguments, *texts).out.splitlines()]
    assert (rows[0][-1], rows[2][-1]) == ("text", "Nothing")
    assert json.loads(call(files, *arguments, *texts, "-f", "json").out)["query_text"] == "what is it"
    refused = call(files, *arguments, "--doc-text", "queries.tsv")
    assert (refused.code, "no text of any document shown" in refused.err) == (2, True)


def test_the_run_may_come_through_a_pipe(files: Path) -> None:
    direct = call(files, "explain", "qrels.txt", "stdin=a.run", "--query", "q1", "-m", "AP")
    piped = call(files, "explain", "qrels.txt", "-", "--query", "q1", "-m", "AP", stdin=(files / "a.run").read_bytes())
    assert piped.out == direct.out


# What cannot be explained.


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--query", "q11", "-m", "AP"), ("qrels.txt has no judgments for query 'q11'", "did you mean q1?")),
        (("--query", "zzz", "-m", "AP"), ("no judgments for query 'zzz'", "queries there: q1, q2")),
        (("--query", "q1", "-m", "GMAP"), ("GMAP is no sum over the documents", "can be explained: AP, RR, P")),
        (("--query", "q1", "-m", "ndgc@10"), ("unknown measure", "did you mean nDCG@10?")),
        (("--query", "q1", "--ties", "average"), ("--ties average puts documents in no single order",)),
        (("--query", "q1", "-m", "P(bound=low)@5"), ("a bound is no sum",)),
        (("-m", "AP"), ("--query is missing",)),
    ],
)
def test_what_cannot_be_explained_is_refused_with_what_can(
    arguments: tuple[str, ...], words: tuple[str, ...], files: Path
) -> None:
    made = call(files, "explain", "qrels.txt", "a.run", *arguments)
    assert (made.code, made.out) == (2, "")
    for word in words:
        assert word in made.err


def test_a_query_that_the_run_lacks_is_refused_with_what_evaluate_makes_of_it(files: Path) -> None:
    put(files, a_run="q2 Q0 a 1 1 t")
    with pytest.raises(UsageProblem, match="a has no document for query 'q1'") as caught:
        explained(files, b"q1", "AP")
    assert "counts such a query as 0" in caught.value.hints[0]


def test_swapped_arguments_are_recognised(files: Path) -> None:
    made = call(files, "explain", "a.run", "qrels.txt", "--query", "q1")
    assert made.code == 2
    assert "the arguments look swapped" in made.err
    assert "irevalcli explain qrels.txt a.run" in made.err


def test_a_query_of_which_options_leave_nothing_is_worth_nothing(files: Path) -> None:
    (one,) = explained(files, b"q2", "AP", policy=Policy(judged_only=True)).explanations
    assert (one.steps, one.value, one.total.value) == ((), 0.0, 0.0)
