from __future__ import annotations

import csv
import io
import json
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from irevalcli import __version__
from irevalcli.analysis.scores import Column, Coverage, Evaluation, Note, Scores
from irevalcli.errors import UsageProblem
from irevalcli.measures.families import all_measures
from irevalcli.measures.spec import parse_measures
from irevalcli.measures.trec_names import trec_name
from irevalcli.output.display_width import display_width
from irevalcli.output.registry import FORMATS, SUFFIXES, Layout, render

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.measures.registry import MeasureSpec

LONG = b"d" * 300
ODD_QIDS = (b'a"b', b"a,b", b"all", b"a|b_c*d`e<f\\g", b"bad\xff", "é世".encode(), b"\x1b[31m", LONG)
"""Ids that some format or other could take for its own."""

ALL = Layout(per_query=True)
IN_FULL = Layout(per_query=True, digits=None)


def spec_of(name: str) -> MeasureSpec:
    (spec,) = parse_measures(name)
    return spec


def column_of(name: str, values: Sequence[float] | list[str], aggregate: float | None, given: str = "") -> Column:
    spec = spec_of(name)
    kept = values if spec.measure.kind == "text" else np.array(values, np.float64)
    return Column(spec, given or name, kept, aggregate)  # type: ignore[arg-type]


def scores_of(label: str, qids: Sequence[bytes], *columns: Column, tag: bytes = b"tag") -> Scores:
    coverage = Coverage(len(qids) + 1, (b"q\xfe",), 2, 3)
    notes = (Note("warning", "1 judged query is missing", "--missing skip leaves it out"),)
    return Scores(label, f"runs/{label}", tag, "ab12", tuple(qids), columns, coverage, notes)


def evaluation_of(*runs: Scores) -> Evaluation:
    return Evaluation("x.qrels", "cd34", {"relevance": 2, "ties": "docid-desc"}, runs, (Note("note", "a note"),))


def output(evaluation: Evaluation, name: str, layout: Layout) -> bytes:
    return b"".join(render(evaluation, name, layout))


def lines(evaluation: Evaluation, name: str, layout: Layout) -> list[str]:
    text = output(evaluation, name, layout).decode()
    assert text.endswith("\n")
    return text[:-1].split("\n")


@pytest.fixture
def one_run() -> Evaluation:
    """A run with two queries and a measure of every kind."""
    return evaluation_of(
        scores_of(
            "bm25",
            (b"q1", b"q2"),
            column_of("AP", [0.25, -0.00001], 0.125, "map"),
            column_of("NumRelRet", [3, 10], 13),
            column_of("GMAP", [0.5, 0.5], 0.1, "gm_map"),
            column_of("relstring", ["2-0", ">.<"], None),
        )
    )


@pytest.fixture
def two_runs() -> Evaluation:
    """Two runs with values that tie, win and lose."""
    return evaluation_of(
        *(
            scores_of(
                label,
                (b"q1", b"q2"),
                column_of("AP", [value, 1], value),
                column_of("nDCG(gain=exp)@10", [value, 0.5], 0.5),
                column_of("Unjudged@10", [value, 0], value),
                column_of("NumRet", [10, 10], 10 + value),
            )
            for label, value in (("b", 0.12345), ("a", 0.5))
        )
    )


@pytest.fixture
def odd() -> Evaluation:
    """A run with odd ids, label and tag."""
    values = np.linspace(0, 1, len(ODD_QIDS)) / 3
    strings = [f"{place},-" for place in range(len(ODD_QIDS))]
    return evaluation_of(
        scores_of(
            'my "run", v|2',
            ODD_QIDS,
            column_of("AP(rel=2)", list(values), 1 / 7),
            column_of("RBP(p=0.9,gain=scaled)", list(values), 2 / 7),
            column_of("relstring", strings, None),
            tag=b"t\xff",
        )
    )


def test_the_table_has_a_row_per_run_and_a_column_per_measure(two_runs: Evaluation) -> None:
    assert lines(two_runs, "table", Layout()) == [
        "run       AP   nDCG(gain=exp)@10   Unjudged@10   NumRet",
        "b     0.1235              0.5000        0.1235       10",
        "a     0.5000              0.5000        0.5000       10",
    ]


def test_the_table_per_query_ends_with_a_rule_and_the_aggregates(one_run: Evaluation) -> None:
    assert lines(one_run, "table", ALL) == [
        "query       AP   NumRelRet     GMAP   relstring",
        "q1      0.2500           3        –   2-0",
        "q2      0.0000          10        –   >.<",
        "───────────────────────────────────────────────",
        "all     0.1250          13   0.1000   –",
    ]


def test_a_table_for_ascii_has_nothing_else(one_run: Evaluation) -> None:
    assert lines(one_run, "table", ALL._replace(unicode=False))[3:] == [
        "-----------------------------------------------",
        "all     0.1250          13   0.1000   -",
    ]


def test_without_the_summary_measures_that_have_nothing_else_are_left_out(one_run: Evaluation) -> None:
    layout = Layout(per_query=True, summary=False)
    assert lines(one_run, "table", layout)[0].split() == ["query", "AP", "NumRelRet", "relstring"]
    assert lines(one_run, "tsv", layout) == [
        "run\tquery\tmeasure\tvalue",
        "bm25\tq1\tAP\t0.2500",
        "bm25\tq1\tNumRelRet\t3",
        "bm25\tq1\trelstring\t2-0",
        "bm25\tq2\tAP\t0.0000",
        "bm25\tq2\tNumRelRet\t10",
        "bm25\tq2\trelstring\t>.<",
    ]


def test_several_runs_per_query_are_tables_one_after_the_other(two_runs: Evaluation) -> None:
    text = lines(two_runs, "table", ALL)
    assert text[0].split()[:3] == ["run", "query", "AP"]
    assert [line.split()[:3] for line in text if line.startswith(("b ", "a "))] == [
        ["b", "q1", "0.1235"],
        ["b", "q2", "1.0000"],
        ["b", "all", "0.1235"],
        ["a", "q1", "0.5000"],
        ["a", "q2", "1.0000"],
        ["a", "all", "0.5000"],
    ]
    assert text[5] == ""


def test_bold_marks_the_best_run_unless_all_show_the_same() -> None:
    def bold(measure: str, *values: float, better: bool | None = True) -> list[bool]:
        spec = spec_of(measure)
        spec = spec._replace(measure=spec.measure._replace(higher_is_better=better))
        runs = [scores_of(str(value), (b"q",), Column(spec, measure, np.array([value]), value)) for value in values]
        heading, *rows = lines(evaluation_of(*runs), "table", Layout(colour=True))
        assert heading.startswith("\x1b[1mrun ")
        assert heading.endswith(f" {measure}\x1b[0m")
        assert [row.replace("\x1b[1m", "").replace("\x1b[0m", "") for row in rows] == (
            lines(evaluation_of(*runs), "table", Layout())[1:]
        )
        return [f"   \x1b[1m{value:.4f}\x1b[0m" in row for value, row in zip(values, rows, strict=True)]

    assert bold("AP", 0.1111, 0.3333, 0.2222) == [False, True, False]
    assert bold("AP", 0.1111, 0.3333, 0.2222, better=False) == [True, False, False]
    assert bold("AP", 0.1111, 0.3333, 0.2222, better=None) == [False, False, False]
    assert bold("AP", 0.33334, 0.1, 0.33333) == [True, False, True]
    assert bold("AP", 0.33334, 0.33333) == [False, False]


def test_one_run_alone_has_no_best(one_run: Evaluation) -> None:
    assert "\x1b" not in lines(one_run, "table", Layout(colour=True))[1]


@pytest.mark.parametrize("per_query", [False, True])
def test_a_narrow_terminal_breaks_between_columns_and_never_within_one(odd: Evaluation, *, per_query: bool) -> None:
    whole = lines(odd, "table", Layout(per_query=per_query))
    broken = lines(odd, "table", Layout(per_query=per_query, width=40))
    blocks = [[line.split("   ") for line in block.split("\n")] for block in "\n".join(broken).split("\n\n")]
    assert len(blocks) == 3
    assert [block[0][-1].strip() for block in blocks] == ["AP(rel=2)", "RBP(p=0.9,gain=scaled)", "relstring"]
    for heading in whole[0].split():
        assert any(heading in line.split() for line in broken)
    for line in whole[1:]:
        for word in line.split():
            assert any(word in other.split() for other in broken) or set(word) == {"─"}
    assert all(block[1][0] == blocks[0][1][0] for block in blocks)


def test_lines_of_a_broken_table_fit_where_key_and_value_do(two_runs: Evaluation) -> None:
    broken = lines(two_runs, "table", Layout(per_query=True, width=40))
    assert max(map(len, broken)) <= 40
    assert sum(line.startswith("run") for line in broken) == 4


def test_the_table_shows_what_would_act_on_a_terminal_as_text(odd: Evaluation) -> None:
    text = output(odd, "table", ALL)
    assert b"\x1b" not in text
    assert b"\\u001b[31m " in text
    assert b"bad\\udcff " in text
    assert LONG in text
    assert "é世".encode() in text


def test_wide_characters_count_two_columns_and_combining_marks_none() -> None:
    evaluation = evaluation_of(
        *(scores_of(label, (b"q",), column_of("AP", [1], 1)) for label in ("世界", "e\u0301a", "abcde"))
    )
    assert [display_width(line) for line in lines(evaluation, "table", Layout())] == [14] * 4


def test_trec_lines_are_those_of_trec_eval(one_run: Evaluation) -> None:
    assert lines(one_run, "trec", ALL) == [
        "map                   \tq1\t0.2500",
        "num_rel_ret           \tq1\t3",
        "relstring             \tq1\t'2-0'",
        "map                   \tq2\t0.0000",
        "num_rel_ret           \tq2\t10",
        "relstring             \tq2\t'>.<'",
        "runid                 \tall\ttag",
        "map                   \tall\t0.1250",
        "num_rel_ret           \tall\t13",
        "gm_map                \tall\t0.1000",
    ]


def test_trec_summaries_of_several_runs_follow_one_another(two_runs: Evaluation) -> None:
    assert [line.split()[0] for line in lines(two_runs, "trec", Layout())] == [
        *("runid", "map", "nDCG(gain=exp)@10", "unj_10", "num_ret"),
    ] * 2


def test_trec_values_are_padded_to_six_characters(one_run: Evaluation) -> None:
    assert lines(one_run, "trec", Layout(digits=2))[1] == "map                   \tall\t  0.12"


@pytest.mark.parametrize("name", ["trec", "tsv", "csv"])
def test_ids_are_written_byte_for_byte(odd: Evaluation, name: str) -> None:
    text = output(odd, name, ALL)
    for qid in (b"bad\xff", b"\x1b[31m", LONG, "é世".encode(), b"a|b_c*d`e<f\\g"):
        assert (b"," if name == "csv" else b"\t") + qid + (b"," if name == "csv" else b"\t") in text
    assert name != "trec" or b"\tall\tt\xff\n" in text


def rows_as_expected(evaluation: Evaluation) -> list[tuple[str, bytes, str, str]]:
    """What the long formats hold, in full precision."""
    rows = []
    for scores in evaluation.runs:
        for place, qid in enumerate(scores.qids):
            for column in scores.columns:
                value = column.values[place]
                rows.append(
                    (scores.label, qid, column.spec.name, value if isinstance(value, str) else repr(float(value)))
                )
        rows += [
            (scores.label, b"all", column.spec.name, repr(column.aggregate))
            for column in scores.columns
            if column.aggregate is not None
        ]
    return rows


def test_csv_reads_back_as_the_data(odd: Evaluation) -> None:
    text = output(odd, "csv", IN_FULL).decode("utf-8", "surrogateescape")
    header, *rows = csv.reader(io.StringIO(text, newline=""))
    assert header == ["run", "query", "measure", "value"]
    assert [(run, qid.encode("utf-8", "surrogateescape"), name, value) for run, qid, name, value in rows] == (
        rows_as_expected(odd)
    )


def test_csv_quotes_only_what_needs_it(odd: Evaluation) -> None:
    text = lines(evaluation_of(odd.runs[0]._replace(qids=(b'a"b',) * len(ODD_QIDS))), "csv", ALL)
    assert text[1] == '"my ""run"", v|2","a""b",AP(rel=2),0.0000'
    assert text[2] == '"my ""run"", v|2","a""b","RBP(p=0.9,gain=scaled)",0.0000'


def test_tsv_reads_back_as_the_data(odd: Evaluation) -> None:
    header, *rows = [line.split(b"\t") for line in output(odd, "tsv", IN_FULL)[:-1].split(b"\n")]
    assert header == [b"run", b"query", b"measure", b"value"]
    assert [(run.decode(), qid, name.decode(), value.decode()) for run, qid, name, value in rows] == (
        rows_as_expected(odd)
    )


def test_a_tab_in_a_label_does_not_make_another_column() -> None:
    evaluation = evaluation_of(scores_of("a\tb\nc", (b"q",), column_of("AP", [1], 1)))
    assert lines(evaluation, "tsv", Layout())[1] == "a\\u0009b\\u000ac\tall\tAP\t1.0000"


def test_json_lines_read_back_as_the_data_and_tell_the_query_all_from_the_aggregates(odd: Evaluation) -> None:
    rows = [json.loads(line) for line in lines(odd, "jsonl", ALL)]
    assert [
        (row["run"], row["query"].encode("utf-8", "surrogateescape"), row["measure"], as_text(row["value"]))
        for row in rows
    ] == rows_as_expected(odd)
    assert [row["aggregate"] for row in rows if "aggregate" in row] == [True, True]
    assert sum(row["query"] == "all" and "aggregate" not in row for row in rows) == 3


def as_text(value: object) -> str:
    return value if isinstance(value, str) else repr(value)


def test_json_lines_look_like_this(one_run: Evaluation) -> None:
    text = lines(one_run, "jsonl", ALL)
    assert text[:3] == [
        '{"run": "bm25", "query": "q1", "measure": "AP", "value": 0.25}',
        '{"run": "bm25", "query": "q1", "measure": "NumRelRet", "value": 3}',
        '{"run": "bm25", "query": "q1", "measure": "relstring", "value": "2-0"}',
    ]
    assert text[-1] == '{"run": "bm25", "query": "all", "measure": "GMAP", "value": 0.1, "aggregate": true}'


def parsed(evaluation: Evaluation, layout: Layout) -> dict[str, Any]:
    def refuse(word: str) -> None:
        raise ValueError(word)

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len({key for key, _ in pairs}) == len(pairs)
        return dict(pairs)

    text = output(evaluation, "json", layout)
    loaded: dict[str, Any] = json.loads(text, parse_constant=refuse, object_pairs_hook=once)
    return loaded


def test_json_holds_everything_in_full_precision(odd: Evaluation) -> None:
    loaded = parsed(odd, ALL)
    (run,) = odd.runs
    (shown,) = loaded["runs"]
    assert loaded["schema"] == 1
    assert loaded["tool"] == {"name": "irevalcli", "version": __version__}
    assert loaded["qrels"] == {"path": "x.qrels", "sha256": "cd34", "queries": len(ODD_QIDS) + 1}
    assert loaded["options"] == {"relevance": 2, "ties": "docid-desc"}
    assert loaded["notes"] == [{"severity": "note", "text": "a note", "hint": ""}]
    assert {key: shown[key] for key in ("label", "path", "tag", "sha256")} == {
        "label": run.label,
        "path": run.path,
        "tag": "t\udcff",
        "sha256": "ab12",
    }
    assert shown["coverage"] == {
        "judged": len(ODD_QIDS) + 1,
        "scored": len(ODD_QIDS),
        "missing": ["q\udcfe"],
        "unknown": 2,
        "without_relevant": 3,
    }
    assert shown["notes"][0]["hint"] == "--missing skip leaves it out"
    assert shown["aggregate"] == {"AP(rel=2)": 1 / 7, "RBP(p=0.9,gain=scaled)": 2 / 7, "relstring": None}
    assert [qid.encode("utf-8", "surrogateescape") for qid in shown["per_query"]] == list(ODD_QIDS)
    for place, values in enumerate(shown["per_query"].values()):
        assert values == {column.spec.name: column.values[place] for column in run.columns}


def test_json_describes_the_measures(odd: Evaluation) -> None:
    first, second, _ = parsed(odd, Layout())["measures"]
    record = all_measures()["AP"]
    assert (first["name"], first["trec_eval"], first["definition"]) == ("AP(rel=2)", "map", record.formula)
    assert first["parameters"] == {"cutoff": None, "rel": 2, "denom": "R"}
    assert (first["range"], first["higher_is_better"]) == ([0, 1], True)
    assert second["trec_eval"] is None


def test_json_writes_parameters_that_are_maps_or_lists() -> None:
    run = scores_of(
        "a", (b"q",), column_of("nDCG(gains={1:3,2:9})", [1], 1), column_of("11ptAvg(points=[0.5,1])", [1], 1)
    )
    first, second = parsed(evaluation_of(run), Layout())["measures"]
    assert first["parameters"]["gains"] == {"1": 3, "2": 9}
    assert second["parameters"]["points"] == [0.5, 1]


def test_json_has_a_line_per_query(one_run: Evaluation) -> None:
    text = lines(one_run, "json", ALL)
    assert text[:4] == [
        "{",
        '  "schema": 1,',
        f'  "tool": {{"name": "irevalcli", "version": "{__version__}"}},',
        '  "qrels": {"path": "x.qrels", "sha256": "cd34", "queries": 3},',
    ]
    assert text[-8:] == [
        '      "aggregate": {"AP": 0.125, "NumRelRet": 13, "GMAP": 0.1, "relstring": null},',
        '      "per_query": {',
        '        "q1": {"AP": 0.25, "NumRelRet": 3, "relstring": "2-0"},',
        '        "q2": {"AP": -1e-05, "NumRelRet": 10, "relstring": ">.<"}',
        "      }",
        "    }",
        "  ]",
        "}",
    ]


def test_json_leaves_out_what_was_not_asked_for(one_run: Evaluation) -> None:
    (run,) = parsed(one_run, Layout(per_query=True, summary=False))["runs"]
    assert "aggregate" not in run
    (run,) = parsed(one_run, Layout())["runs"]
    assert "per_query" not in run


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("layout", [ALL, IN_FULL, Layout(per_query=True, digits=0)])
def test_a_negative_zero_is_never_written(name: str, layout: Layout) -> None:
    run = scores_of("a", (b"q1", b"q2"), column_of("AP", [-0.0, 0], -0.0), column_of("NumRet", [-0.0, 0], -0.0))
    assert b"-0" not in output(evaluation_of(run), name, layout)


@pytest.mark.parametrize("name", ["json", "jsonl"])
def test_json_has_null_for_what_is_no_number(name: str) -> None:
    run = scores_of("a", (b"q1", b"q2"), column_of("AP", [np.nan, np.inf], np.nan))
    text = output(evaluation_of(run), name, ALL)
    assert text.count(b"null") >= 3
    assert b"NaN" not in text
    assert b"Infinity" not in text


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("per_query", [False, True])
def test_nothing_to_show_is_no_fault(name: str, *, per_query: bool) -> None:
    layout = Layout(per_query=per_query)
    output(evaluation_of(), name, layout)
    output(evaluation_of(scores_of("a", (b"q",))), name, layout)
    empty = evaluation_of(scores_of("a", (), column_of("AP", [], None), column_of("relstring", [], None)))
    output(empty, name, layout)
    assert name != "json" or parsed(empty, layout)["runs"][0]["aggregate"] == {"AP": None, "relstring": None}
    assert name != "json" or parsed(evaluation_of(), layout)["runs"] == []


def test_markdown_marks_the_best_run(two_runs: Evaluation) -> None:
    assert lines(two_runs, "markdown", Layout())[:2] == [
        "| run | AP | nDCG(gain=exp)@10 | Unjudged@10 | NumRet |",
        "|:---|---:|---:|---:|---:|",
    ]
    assert lines(two_runs, "markdown", Layout())[3].startswith("| a | **0.5000** | 0.5000 |")


def test_markdown_takes_nothing_in_an_id_for_markup(odd: Evaluation) -> None:
    text = lines(odd, "markdown", ALL)
    assert text[1] == "|:---|---:|---:|:---|"
    assert text[5] == r"| a\|b\_c\*d\`e\<f\\g | 0.1429 | 0.1429 | 3,- |"
    assert text[6].startswith(r"| bad\\udcff |")
    assert text[8].startswith(r"| \\u001b\[31m |")
    assert text[-1] == "| all | 0.1429 | 0.2857 | – |"
    assert len(text) == 2 + len(ODD_QIDS) + 1


def test_markdown_per_query_is_one_table(two_runs: Evaluation) -> None:
    text = lines(two_runs, "markdown", ALL)
    assert text[0].startswith("| run | query | AP |")
    assert [line.split(" | ")[:2] for line in text[2:]] == [
        [f"| {run}", query] for run in "ba" for query in ("q1", "q2", "all")
    ]


def test_measures_are_named_as_asked(one_run: Evaluation) -> None:
    def headings(names: str) -> list[str]:
        return lines(one_run, "table", Layout(names=names))[0].split()  # type: ignore[arg-type]

    assert headings("canonical") == ["run", "AP", "NumRelRet", "GMAP", "relstring"]
    assert headings("given") == ["run", "map", "NumRelRet", "gm_map", "relstring"]
    assert headings("trec") == ["run", "map", "num_rel_ret", "gm_map", "relstring"]
    assert "AP " in output(one_run, "trec", Layout(names="canonical")).decode()


def test_measures_that_would_share_a_name_keep_their_own() -> None:
    run = scores_of("a", (b"q",), *(column_of(name, [1], 1) for name in ("AP", "AP(rel=2)", "P@5")))
    text = lines(evaluation_of(run), "trec", Layout())
    assert [line.split()[0] for line in text] == ["runid", "AP", "AP(rel=2)", "P_5"]


@pytest.mark.parametrize(
    ("measure", "name"),
    [
        ("AP", "map"),
        ("AP@5", "map_cut_5"),
        ("AP(rel=2)@5", "map_cut_5"),
        ("AP(denom=min)@5", None),
        ("RR", "recip_rank"),
        ("RR@10", None),
        ("P@10", "P_10"),
        ("R@1000", "recall_1000"),
        ("R(capped=True)@5", "relative_P_5"),
        ("Success@1", "success_1"),
        ("Rprec_mult@1", "Rprec_mult_1.00"),
        ("IPrec@0.1", "iprec_at_recall_0.10"),
        ("11ptAvg", "11pt_avg"),
        ("nDCG", "ndcg"),
        ("nDCG@10", "ndcg_cut_10"),
        ("nDCG(gain=exp)@10", None),
        ("nDCG(rel=2)", None),
        ("nDCG(gains={1:3,2:9.5})", "ndcg_1=3,2=9.5"),
        ("RBP(p=0.9,gain=scaled,scale=query)", "rbp"),
        ("RBP(p=0.8,gain=scaled,scale=query)", "rbp_p=0.8"),
        ("RBP", None),
        ("SetF", "set_F"),
        ("SetF(x=2)", "set_F_2"),
        ("Utility(a=2)", "utility_2,-1,0,0"),
        ("relstring(length=20)", "relstring_20"),
        ("Unjudged@5", "unj_5"),
        ("Judged@5", None),
    ],
)
def test_trec_eval_s_name_is_known_where_it_has_the_measure(measure: str, name: str | None) -> None:
    assert trec_name(spec_of(measure)) == name


@pytest.mark.parametrize(
    "spelling",
    ["official", "set", "all_trec", "all_prefs", "qrels_jg", "rbp.p=0.5", "ndcg.1=3,2=9", "utility.1,0,0,0"],
)
def test_a_measure_asked_for_by_trec_eval_s_name_shows_it_and_it_reads_back(spelling: str) -> None:
    for spec in parse_measures(spelling):
        name = trec_name(spec)
        assert name is not None
        assert parse_measures(name) == [spec]


def labels(evaluation: Evaluation, sort: tuple[str, str]) -> list[str]:
    return [line.split()[0] for line in lines(evaluation, "table", Layout(sort=sort))[1:]]


def test_runs_sort_by_label_and_by_value(two_runs: Evaluation) -> None:
    assert labels(two_runs, ("run", "")) == ["a", "b"]
    assert labels(two_runs, ("value", "AP")) == ["a", "b"]
    assert labels(two_runs, ("value", "map")) == ["a", "b"]
    assert labels(two_runs, ("value", "nDCG(gain=exp)@10")) == ["b", "a"]


def test_queries_sort_by_value_with_the_best_first_and_by_qid() -> None:
    run = scores_of(
        "a", (b"q2", b"q1", b"q3"), column_of("AP", [0.5, 0.25, 1], 0.5), column_of("relstring", ["b", "c", "a"], None)
    )
    evaluation = evaluation_of(run)

    def order(*sort: str) -> list[str]:
        text = lines(evaluation, "tsv", Layout(per_query=True, summary=False, sort=(sort[0], sort[1])))
        return [line.split("\t")[1] for line in text[1::2]]

    assert order("value", "") == ["q3", "q2", "q1"]
    assert order("value", "relstring") == ["q3", "q2", "q1"]
    assert order("query", "") == ["q1", "q2", "q3"]
    text = lines(evaluation, "tsv", Layout(per_query=True, sort=("value", "AP")))
    assert text[1:3] == ["a\tq3\tAP\t1.0000", "a\tq3\trelstring\ta"]


def test_measures_sort_by_name(two_runs: Evaluation) -> None:
    heading = lines(two_runs, "table", Layout(sort=("measure", "")))[0]
    assert heading.split() == ["run", "AP", "nDCG(gain=exp)@10", "NumRet", "Unjudged@10"]


@pytest.mark.parametrize(
    ("name", "sort", "message", "hint"),
    [
        ("tabel", None, "unknown format 'tabel'", "did you mean table?"),
        ("tsv", ("value", "RR"), "cannot sort by RR, which was not evaluated", "evaluated: AP, "),
        ("tsv", ("size", ""), "cannot sort by 'size'", "choose one of run, measure, value, query"),
    ],
)
def test_what_cannot_be_shown_is_refused_before_anything_is_written(
    two_runs: Evaluation, name: str, sort: tuple[str, str] | None, message: str, hint: str
) -> None:
    with pytest.raises(UsageProblem) as caught:
        render(two_runs, name, Layout(sort=sort))
    assert caught.value.message == message
    assert caught.value.hints[0].startswith(hint)


def test_suffixes_stand_for_formats() -> None:
    assert SUFFIXES == {
        ".txt": "table",
        ".tsv": "tsv",
        ".csv": "csv",
        ".json": "json",
        ".jsonl": "jsonl",
        ".md": "markdown",
    }


@pytest.mark.parametrize("name", FORMATS)
def test_seven_thousand_queries_are_written_in_full_and_in_less_than_a_second(name: str) -> None:
    qids = [b"%d" % number for number in range(7000)]
    random = np.random.default_rng(1)
    specs = [f"P@{cutoff}" for cutoff in range(1, 21)]
    columns = [column_of(spec, list(random.random(7000)), 0.5) for spec in specs]
    evaluation = evaluation_of(scores_of("a", qids, *columns))
    started = time.process_time()
    text = output(evaluation, name, ALL)
    assert time.process_time() - started < 1
    for place in (0, 511, 512, 513, 1024, 6999):
        value = columns[19].values[place]
        shown = repr(value) if name.startswith("json") else f"{value:.4f}"
        assert shown.removeprefix("np.float64(").removesuffix(")").encode() in text
    assert text.count(b"\n") >= 7000


def test_many_runs_and_measures_are_written_on_a_narrow_terminal() -> None:
    specs = [f"P@{cutoff}" for cutoff in range(1, 21)]
    runs = [scores_of(f"run{n}", (b"q",), *(column_of(spec, [1], n / 100) for spec in specs)) for n in range(100)]
    text = lines(evaluation_of(*runs), "table", Layout(width=80))
    assert max(map(len, text)) <= 80
    assert sum(line.count("0.9900") for line in text) == 20
