"""The command line of irevalcli: options, exit codes, messages. What needs a process of its own: test_process.py."""

from __future__ import annotations

import csv
import io
import json
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import mock

import pytest
from calls import Call, call, put

from irevalcli.errors import IrevalError
from irevalcli.output.registry import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[1]
QRELS = str(ROOT / "sample_qrels" / "sample.qrels")
BM25, TFIDF, QL = (str(ROOT / "sample_runs" / f"{name}.run") for name in ("bm25", "tfidf", "ql"))


def evaluate(*arguments: str, folder: Path = ROOT, code: int = 0, **variables: str) -> Call:
    result = call(folder, "evaluate", *arguments, env=variables)
    assert result.code == code, result.err
    assert code == 0 or result.out == ""
    return result


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A folder with qrels of three queries and two runs; `a` lacks query 3, query 2 has nothing relevant."""
    put(
        tmp_path,
        qrels="1 0 d1 2\n1 0 d2 1\n2 0 d1 0\n3 0 d3 1",
        a_run="1 Q0 d2 1 3 A\n1 Q0 d1 2 2 A\n2 Q0 d1 1 3 A",
        b_run="1 Q0 d1 1 3 B\n2 Q0 d1 1 3 B\n3 Q0 d9 1 3 B\n3 Q0 d3 2 2 B",
    )
    return tmp_path


def test_standard_output_is_data_and_standard_error_is_talk(small: Path) -> None:
    result = evaluate("-m", "AP", "qrels", "a.run", folder=small)
    assert result.out == "run\tquery\tmeasure\tvalue\na\tall\tAP\t0.3333\n"
    assert result.err.splitlines() == [
        "note:    qrels: 1 query has no relevant document; it counts as 0  [--no-relevant skip to leave it out]",
        "warning: a: 1 judged query is missing from the run (3); it counts as 0  [--missing skip to leave it out]",
        "3 of 3 judged queries scored.",
    ]
    quiet = evaluate("--quiet", "-m", "AP", "qrels", "a.run", folder=small)
    assert quiet == (0, result.out, "")


def test_notes_call_runs_by_their_labels_and_what_concerns_the_qrels_is_said_once(small: Path) -> None:
    result = evaluate("-m", "AP", "qrels", "first=a.run", "second=a.run", "b.run", folder=small)
    assert result.err.count("no relevant document") == 1
    assert "warning: first: 1 judged query" in result.err
    assert "warning: second: 1 judged query" in result.err
    assert "a.run" not in result.err


def test_coverage_is_said_for_each_run_where_it_differs(small: Path) -> None:
    result = evaluate("-m", "AP", "--missing", "skip", "qrels", "a.run", "b.run", folder=small)
    assert result.err.endswith("a: 2 of 3 judged queries scored.\nb: 3 of 3 judged queries scored.\n")


def test_per_query_adds_queries_and_no_summary_takes_the_means_away(small: Path) -> None:
    both = evaluate("-q", "-m", "P@1", "qrels", "b.run", folder=small)
    assert both.values == {"1 P@1": "1.0000", "2 P@1": "0.0000", "3 P@1": "0.0000", "all P@1": "0.3333"}
    queries = evaluate("-q", "--no-summary", "-m", "P@1", "qrels", "b.run", folder=small)
    assert queries.rows == both.rows[:-1]


def test_measures_are_a_list_or_repeated_and_keep_their_order() -> None:
    result = evaluate("-m", "nDCG@10,AP", "-m", "P.5,10", "-m", "map", "-m", "AP(rel=2)", QRELS, BM25)
    assert [measure for _, _, measure, _ in result.rows] == ["nDCG@10", "AP", "P@5", "P@10", "AP(rel=2)"]


def test_the_level_shows_in_the_names_of_binary_measures_only() -> None:
    result = evaluate("-l", "2", "-m", "AP,nDCG@10,P(rel=1)@5", QRELS, BM25)
    assert [measure for _, _, measure, _ in result.rows] == ["AP(rel=2)", "nDCG@10", "P@5"]
    assert result.values["all AP(rel=2)"] == evaluate("-m", "AP(rel=2)", QRELS, BM25).values["all AP(rel=2)"]


def test_a_missing_query_is_zero_or_skipped_or_an_error(small: Path) -> None:
    asked = ("-m", "AP", "qrels", "a.run")
    assert evaluate(*asked, folder=small).values["all AP"] == "0.3333"
    assert evaluate("--missing", "skip", *asked, folder=small).values["all AP"] == "0.5000"
    said = evaluate("--missing", "error", *asked, folder=small, code=3).err
    assert "error: a.run: 1 of 3 judged queries are missing (3)\n" in said


def test_queries_without_relevant_documents_can_be_left_out(small: Path) -> None:
    result = evaluate("--no-relevant", "skip", "-q", "-m", "AP", "qrels", "b.run", folder=small)
    assert set(result.values) == {"1 AP", "3 AP", "all AP"}
    assert "qrels: 1 query has no relevant document and was left out" in result.err
    said = evaluate("-l", "9", "--no-relevant", "skip", "-m", "AP", "qrels", "b.run", folder=small, code=3).err
    assert "b.run: no query is left to evaluate\n  see --no-relevant skip with --relevance 9\n" in said


def test_only_the_named_queries_count(small: Path) -> None:
    put(small, list_txt="3\n1\n3", none="")
    for given in ("3,1", "1, 3", "@list.txt"):
        result = evaluate("-q", "-m", "AP", "--queries", given, "qrels", "b.run", folder=small)
        assert list(result.values) == ["1 AP", "3 AP", "all AP"]
        assert "2 of 2 judged queries scored." in result.err
    assert "--queries: 2 queries are not in qrels: 4, 5" in evaluate(
        "--queries", "1,4,5", "qrels", "b.run", folder=small, code=2
    ).err  # fmt: skip
    for given, reason in (("@absent", "No such file or directory"), ("@none", "no query is named"), ("", "no query")):
        assert reason in evaluate("--queries", given, "qrels", "b.run", folder=small, code=2).err


def test_digits_are_decimals_or_full_precision(small: Path) -> None:
    asked = ("-m", "AP,NumRet", "qrels", "b.run")
    assert evaluate("--digits", "2", *asked, folder=small).values == {"all AP": "0.33", "all NumRet": "4"}
    assert evaluate("--digits", "full", *asked, folder=small).values["all AP"] == repr((0.5 + 0.5) / 3)
    assert "--digits '18' is neither" in evaluate("--digits", "18", *asked, folder=small, code=2).err


def test_names_are_canonical_or_those_of_trec_eval_or_as_given() -> None:
    asked = ("-m", "ndcg_cut_10", "-m", "map", QRELS, BM25)
    for names, expected in (
        ("canonical", ["nDCG@10", "AP"]),
        ("trec", ["ndcg_cut_10", "map"]),
        ("given", ["ndcg_cut_10", "map"]),
    ):
        assert [row[2] for row in evaluate("--names", names, *asked).rows] == expected
    assert evaluate("-f", "trec", "-m", "AP", QRELS, BM25).out.splitlines()[-1].split()[0] == "map"


def test_results_are_sorted_by_label_measure_query_or_value() -> None:
    runs = (QL, BM25, TFIDF)
    by_run = evaluate("--sort", "run", "-m", "AP", QRELS, *runs)
    assert [row[0] for row in by_run.rows] == ["bm25", "ql", "tfidf"]
    by_value = evaluate("--sort", "value", "-m", "AP", QRELS, *runs)
    values = [float(row[3]) for row in by_value.rows]
    assert values == sorted(values, reverse=True)
    by_measure = evaluate("--sort", "measure", "-m", "RR,AP", QRELS, BM25)
    assert [row[2] for row in by_measure.rows] == ["AP", "RR"]
    queries = evaluate("-q", "--no-summary", "--sort", "value:RR", "-m", "AP,RR", QRELS, BM25)
    reciprocal = [float(row[3]) for row in queries.rows if row[2] == "RR"]
    assert reciprocal == sorted(reciprocal, reverse=True)
    assert "did you mean value?" in evaluate("--sort", "vale", QRELS, BM25, code=2).err
    assert "only value takes a measure" in evaluate("--sort", "run:AP", QRELS, BM25, code=2).err
    assert "cannot sort by P@3" in evaluate("--sort", "value:P@3", "-m", "AP", QRELS, BM25, code=2).err


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_holds_the_same_value(name: str) -> None:
    result = evaluate("-f", name, "--names", "canonical", "-m", "AP", QRELS, BM25)
    readers: dict[str, Callable[[str], object]] = {
        "table": lambda text: text.splitlines()[1].split()[1],
        "trec": lambda text: text.splitlines()[-1].split()[2],
        "tsv": lambda text: text.splitlines()[1].split("\t")[3],
        "csv": lambda text: next(csv.DictReader(io.StringIO(text)))["value"],
        "json": lambda text: f"{json.loads(text)['runs'][0]['aggregate']['AP']:.4f}",
        "jsonl": lambda text: f"{json.loads(text)['value']:.4f}",
        "markdown": lambda text: text.splitlines()[2].split("|")[2].strip(),
    }
    assert readers[name](result.out) == evaluate("-m", "AP", QRELS, BM25).values["all AP"]


def test_exports_are_written_beside_standard_output(tmp_path: Path) -> None:
    exports = [part for path in ("a.json", "b.csv", "markdown:c", "B.TSV", "x:y.jsonl") for part in ("-e", path)]
    result = evaluate(*exports, "-f", "table", "-m", "AP", QRELS, BM25, folder=tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["B.TSV", "a.json", "b.csv", "c", "x:y.jsonl"]
    assert result.out.startswith("run")
    report = json.loads((tmp_path / "a.json").read_text("utf-8"))
    assert len(report["qrels"]["sha256"]) == len(report["runs"][0]["sha256"]) == 64
    assert (tmp_path / "b.csv").read_text("utf-8").startswith("run,query,measure,value\nbm25,all,AP,")
    assert (tmp_path / "c").read_text("utf-8").startswith("|")


@pytest.mark.parametrize(
    ("export", "reason"),
    [
        ("missing/a.json", "No such file or directory"),
        ("json:folder", "is a directory"),
        ("a.json/b.csv", "Not a directory"),
        ("scores", "its ending tells no format"),
        ("jsn:scores", "did you mean json?"),
        ("json:", "no file is named"),
        ("-", "standard output has --format"),
    ],
)
def test_an_export_that_cannot_be_written_is_refused_before_any_work(tmp_path: Path, export: str, reason: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "a.json").write_text("old", "utf-8")
    with mock.patch("irevalcli.analysis.evaluate.evaluate", side_effect=RuntimeError("work was done")):
        said = evaluate("-e", "good.csv", "-e", export, QRELS, BM25, folder=tmp_path, code=2).err
    assert said.startswith(f"error: --export {export.removeprefix('json:') if reason.startswith('is a') else export}: ")
    assert reason in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.json", "folder"]


def test_a_failed_evaluation_leaves_exports_as_they_were(tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_text("old", "utf-8")
    evaluate("-e", "old.csv", "-e", "new.json", QRELS, "absent", folder=tmp_path, code=3)
    evaluate("-e", "old.csv", "-e", "new.json", "--sort", "value:P@7", QRELS, BM25, folder=tmp_path, code=2)
    assert [path.name for path in tmp_path.iterdir()] == ["old.csv"]
    assert (tmp_path / "old.csv").read_text("utf-8") == "old"
    assert "named twice" in evaluate("-e", "a.csv", "-e", "tsv:./a.csv", QRELS, BM25, folder=tmp_path, code=2).err


def test_an_export_keeps_links_permissions_and_devices(tmp_path: Path) -> None:
    target = tmp_path / "target.csv"
    target.write_text("old", "utf-8")
    target.chmod(0o640)
    (tmp_path / "link.csv").symlink_to(target)
    evaluate("-e", "link.csv", "-e", "csv:/dev/null", QRELS, BM25, folder=tmp_path)
    assert (tmp_path / "link.csv").is_symlink()
    assert target.read_text("utf-8").startswith("run,")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert not Path("/dev/null").is_file()
    assert "--export /dev/full: No space left" in call(tmp_path, "evaluate", "-e", "csv:/dev/full", QRELS, BM25).err


def test_a_label_is_given_or_the_stem_or_the_run_tag(small: Path) -> None:
    (small / "one").mkdir()
    (small / "two").mkdir()
    for folder, name in (("one", "a.run"), ("two", "b.run")):
        (small / folder / "x.run.gz").write_bytes((small / name).read_bytes())
    (small / "k=v").write_bytes((small / "a.run").read_bytes())

    def labels(*runs: str) -> list[str]:
        return [row[0] for row in evaluate("-m", "AP", "qrels", *runs, folder=small).rows]

    assert labels("a.run", "mine=b.run", "k=v", "l=k=v") == ["a", "mine", "k=v", "l"]
    assert labels("one/x.run.gz") == ["x"]
    assert labels("one/x.run.gz", "two/x.run.gz") == ["A", "B"]
    said = evaluate("qrels", "one/x.run.gz", "one/x.run.gz", folder=small, code=2).err
    assert said == (
        "error: 2 runs are called A: one/x.run.gz, one/x.run.gz\n  give each a label of its own: LABEL=PATH\n"
    )
    assert "2 runs are called z: a.run, b.run" in evaluate("qrels", "z=a.run", "z=b.run", folder=small, code=2).err


def test_a_dash_is_standard_input_once(small: Path) -> None:
    run = (small / "b.run").read_bytes()
    result = call(small, "evaluate", "-m", "AP", "qrels", "-", "x=b.run", stdin=run)
    assert [row[0] for row in result.rows] == ["stdin", "x"]
    assert result.rows[0][1:] == result.rows[1][1:]
    assert [row[0] for row in call(small, "evaluate", "-m", "AP", "qrels", "mine=-", stdin=run).rows] == ["mine"]
    for arguments in (("-", "-"), ("qrels", "-", "x=-")):
        assert "standard input (-) can be read once only" in evaluate(*arguments, folder=small, code=2).err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("evalute q r", "unknown command 'evalute'; did you mean evaluate?"),
        ("evaluate --mesure AP q r", "unknown option --mesure; did you mean --measure?"),
        ("evaluate -m ndgc@10 q r", "did you mean nDCG@10?"),
        ("measures ndgc", "did you mean nDCG?"),
        ("evaluate -f jsn q r", "did you mean json?"),
        ("evaluate --missing zer q r", "did you mean zero?"),
        ("evaluate --color alway q r", "did you mean always?"),
        ("completion bahs", "did you mean bash?"),
        ("--verson", "did you mean --version?"),
        ("evaluate -m AP(relevance=2) q r", "AP has no parameter 'relevance'"),
        ("evaluate -l two q r", "--relevance 'two' is not a number"),
        ("evaluate -l nan q r", "--relevance 'nan' is not a number"),
        ("evaluate -M 0 q r", "--depth 0 is not in the range"),
        ("evaluate q", "RUN... is missing"),
        ("evaluate", "QRELS is missing"),
    ],
)
def test_a_wrong_call_is_exit_2_and_says_what_was_probably_meant(tmp_path: Path, arguments: str, said: str) -> None:
    result = call(tmp_path, *arguments.split())
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("error: ")
    assert said in result.err
    assert len(result.err.splitlines()) <= 3


def test_a_forgotten_command_is_put_in_front(small: Path) -> None:
    for arguments in (["-m", "map", "qrels", "a.run"], ["qrels", "a.run"]):
        result = call(small, *arguments)
        assert result.code == 2
        assert f"  try: irevalcli evaluate {' '.join(arguments)}\n" in result.err


def test_bare_irevalcli_shows_its_help_as_an_error(tmp_path: Path) -> None:
    result = call(tmp_path)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("Usage: irevalcli [OPTIONS] COMMAND")


def test_a_bug_is_exit_70_with_one_line_and_a_traceback_only_if_wanted() -> None:
    with mock.patch("irevalcli.analysis.evaluate.evaluate", side_effect=ValueError("two\nlines")):
        plain = evaluate(QRELS, BM25, code=70).err
        debug = evaluate("--debug", QRELS, BM25, code=70).err
    assert plain.startswith("error: this is a bug in irevalcli, sorry (ValueError: two lines; cli/evaluate.py:")
    assert plain.count("\n") == 1
    assert "Traceback" in debug
    assert debug.endswith(plain)


@pytest.mark.parametrize(
    ("raised", "code", "said"),
    [
        (KeyboardInterrupt(), 130, ""),
        (BrokenPipeError(), 141, ""),
        (MemoryError(), 3, "error: out of memory\n"),
        (PermissionError(13, "?", "some/file"), 3, "error: some/file: Permission denied\n"),
        (IrevalError("words"), 70, "error: words\n"),
    ],
)
def test_whatever_ends_the_work_has_its_exit_code(raised: BaseException, code: int, said: str) -> None:
    with mock.patch("irevalcli.analysis.evaluate.evaluate", side_effect=raised):
        assert evaluate(QRELS, BM25, code=code).err == said


def test_presentation_options_have_variables_that_the_call_overrides() -> None:
    asked = ("-m", "AP,RR", QRELS, BM25)
    result = evaluate(*asked, IREVALCLI_FORMAT="csv", IREVALCLI_DIGITS="1", IREVALCLI_QUIET="1", IREVALCLI_NAMES="trec")
    assert result == (0, "run,query,measure,value\nbm25,all,map,0.6\nbm25,all,recip_rank,0.9\n", "")
    assert evaluate(*asked, "-f", "tsv", IREVALCLI_FORMAT="json").rows
    assert "IREVALCLI_DIGITS: 'x' is neither" in evaluate(*asked, IREVALCLI_DIGITS="x", code=2).err


def test_the_version_is_printed_and_the_list_of_measures(tmp_path: Path) -> None:
    assert call(tmp_path, "--version") == (0, "irevalcli 0.1.0\n", "")
    listed = call(tmp_path, "measures")
    assert (listed.code, listed.err) == (0, "One in full: irevalcli measures NAME\n")
    shown = call(tmp_path, "measures", "ndcg_cut", "map", "nDCG@10")
    assert [line.split(" ")[0].split("(")[0] for line in shown.out.split("\n\n")] == ["nDCG", "AP"]
    names = [entry["name"] for entry in json.loads(call(tmp_path, "measures", "-f", "json").out)["measures"]]
    assert names == sorted(set(names), key=names.index)
    assert {name for name in names if name in listed.out} == set(names)


def test_colour_follows_flag_then_no_color_then_force_color(tmp_path: Path) -> None:
    asked = ("evaluate", "-f", "table", "-m", "AP", QRELS, BM25, TFIDF)
    escape = "\x1b["
    assert escape not in call(tmp_path, *asked).out
    assert escape in call(tmp_path, *asked, "--color", "always", env={"NO_COLOR": "1"}).out
    assert escape not in call(tmp_path, *asked, env={"FORCE_COLOR": "1"}).out, "standard output is a file here"
    assert escape in call(tmp_path, *asked, env={"IREVALCLI_COLOR": "always"}).out
    assert escape not in call(tmp_path, *asked, "--color", "never", env={"FORCE_COLOR": "1"}).out
    for name in set(FORMATS) - {"table"}:
        assert escape not in call(tmp_path, *asked, "-f", name, "--color", "always").out


def test_help_has_the_examples_first_and_options_in_groups(tmp_path: Path) -> None:
    long = call(tmp_path, "evaluate", "--help").out
    heads = ["Usage:", "Examples:", "Input:", "Measures:", "Output:", "General:", "Exit status:"]
    assert [long.index(head) for head in heads] == sorted(long.index(head) for head in heads)
    short = call(tmp_path, "evaluate", "-h").out
    assert len(short.splitlines()) <= 24
    assert "irevalcli evaluate --help" in short
    for name in ("evaluate", "trec", "measures", "completion"):
        assert f"  {name} " in call(tmp_path, "--help").out


def test_notes_stay_in_one_line_whatever_ids_hold(tmp_path: Path) -> None:
    put(tmp_path, qrels=b"a\x1b[31m 0 d 1\n1 0 d 1\n", run="1 Q0 d 1 1 s")
    said = evaluate("qrels", "run", folder=tmp_path).err
    assert "(a\\x1b[31m)" in said
    assert "\x1b" not in said


def test_a_file_name_that_is_no_utf_8_can_be_used_and_named(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.run")
    (tmp_path / name).write_bytes(Path(BM25).read_bytes())
    assert evaluate("-m", "AP", QRELS, name, folder=tmp_path).rows[0][0] == os.fsdecode(b"caf\xe9")
    assert "nope\\udce9" in evaluate(QRELS, f"nope{name[3]}", folder=tmp_path, code=3).err
