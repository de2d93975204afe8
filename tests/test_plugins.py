"""Measures of others: found, loaded when needed, marked, and refused with one clear error where something is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from builders import query_of, random_queries, ranking_of
from calls import call, put
from drop_in import ROOT, environment
from plugin_files import HEAD, distribute, file_of, registered, without_traces

from irevalcli import plugins
from irevalcli.errors import UsageProblem
from irevalcli.measures.adapter import query_views
from irevalcli.measures.discovery import load_file
from irevalcli.measures.families import all_measures
from irevalcli.measures.registry import MeasureSpec
from irevalcli.measures.spec import find_measures, parse_measures

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EXAMPLE = ROOT / "docs" / "example_plugin"
ONE = "[1.0] * ranking.num_queries"
POOLED = {"kind": "'summary'", "aggregation": "'pooled'"}


@pytest.fixture(autouse=True)
def no_plugin_stays() -> Iterator[None]:
    yield from without_traces()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with files ``qrels`` and ``run`` of two queries."""
    put(tmp_path, qrels="1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 a 1\n", run="1 Q0 b 1 3 t\n1 Q0 a 2 2 t\n1 Q0 x 3 1 t\n")
    return tmp_path


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for distributions, on the path."""
    place = tmp_path / "site"
    place.mkdir()
    monkeypatch.syspath_prepend(str(place))
    return place


# The example package, installed as a user would.


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process in which the example package is installed."""
    target = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"]
    built = subprocess.run(
        [*pip, "--no-build-isolation", "--no-deps", "--target", str(target), str(EXAMPLE)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    variables = environment()
    return {**variables, "PYTHONPATH": f"{target}:{variables['PYTHONPATH']}"}


def irevalcli(variables: dict[str, str], folder: Path, *arguments: str, **more: str) -> str:
    """What a process with these variables prints."""
    done = subprocess.run(
        [sys.executable, "-m", "irevalcli", *arguments], cwd=folder, env=variables | more,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_measures_of_the_example_package_are_used_like_built_in_ones(
    installed: dict[str, str], folder: Path
) -> None:
    asked = "HighShare@2,FirstGap,highshare(high=1)@2"
    out = irevalcli(installed, folder, "evaluate", "-q", "-f", "tsv", "-m", asked, "qrels", "run")
    values = {tuple(line.split("\t")[1:3]): line.split("\t")[3] for line in out.splitlines()[1:]}
    assert values["1", "HighShare@2"] == "1.0000"
    assert values["1", "FirstGap"] == "1.0000"
    assert values["all", "HighShare(high=1)@2"] == "0.5000"
    shown = json.loads(irevalcli(installed, folder, "evaluate", "-f", "json", "-m", "AP,FirstGap", "qrels", "run"))
    assert [measure["plugin"] for measure in shown["measures"]] == [
        None, {"name": "irevalcli-example", "version": "1.2"},
    ]  # fmt: skip


def test_the_measures_of_the_example_package_are_listed_searched_shown_and_completed(
    installed: dict[str, str], tmp_path: Path
) -> None:
    assert "\nPlugin irevalcli-example 1.2 (irevalcli-example)\nHighShare@k " in irevalcli(
        installed, tmp_path, "measures"
    )
    assert "FirstGap" in irevalcli(installed, tmp_path, "measures", "--search", "skips before")
    shown = irevalcli(installed, tmp_path, "measures", "first_gap")
    assert "\n  plugin       irevalcli-example 1.2\n" in shown
    assert "since" not in shown
    (record,) = json.loads(irevalcli(installed, tmp_path, "measures", "HighShare", "-f", "json"))["measures"]
    assert record["plugin"] == {"name": "irevalcli-example", "version": "1.2"}
    assert "An example of a plugin" in irevalcli(installed, tmp_path, "measures", "HighShare", "-f", "bibtex")
    words = {"_IREVALCLI_COMPLETE": "bash_complete", "COMP_WORDS": "irevalcli evaluate -m High", "COMP_CWORD": "3"}
    assert irevalcli(installed, tmp_path, **words) == "plain,HighShare@\n"


def test_the_worked_examples_of_the_example_package_come_out() -> None:
    for path in EXAMPLE.glob("*.py"):
        load_file(str(path))
    for name in ("HighShare", "FirstGap"):
        (record,) = find_measures(name)
        for example in record.examples:
            (spec,) = parse_measures(example.measure)
            (value,) = spec.compute(ranking_of([query_of(example.ranking, example.unretrieved)]))
            assert f"{value:.{len(example.value.partition('.')[2])}f}" == example.value


# When plugins are loaded.


def test_entry_points_are_not_looked_for_while_built_in_names_are_enough(folder: Path) -> None:
    check = (
        "import sys; from irevalcli.cli.main import run; "
        "code = run(['evaluate', '-m', 'AP,ndcg_cut_10', 'qrels', 'run']); "
        "sys.exit(code or 'importlib.metadata' in sys.modules)"
    )
    python = [sys.executable, "-c", check]
    done = subprocess.run(python, cwd=folder, env=environment(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_only_the_plugin_that_is_named_is_loaded(folder: Path, site: Path) -> None:
    distribute(site, "good", "1", {"Good": "good_module"}, good_module=registered("Good", ONE))
    distribute(site, "bad", "2", {"Bad": "bad_module"}, bad_module="1/0")
    assert call(folder, "evaluate", "-m", "AP", "qrels", "run").code == 0
    assert call(folder, "evaluate", "-m", "good", "-f", "tsv", "qrels", "run").rows[0][2:] == ("Good", "1.0000")
    assert "bad_module" not in sys.modules
    assert call(folder, "measures", "Good").code == 0


def test_a_measure_is_found_by_its_alias_and_in_a_module_of_several(folder: Path, site: Path) -> None:
    several = registered("One", ONE) + registered("Two", ONE, aliases="('zwei',)")
    distribute(site, "numbers", "1", {"anything": "numbers_module"}, numbers_module=several)
    assert call(folder, "evaluate", "-m", "zwei,One", "-f", "tsv", "qrels", "run").code == 0
    assert [record.name for record in find_measures("zwei")] == ["Two"]


def test_a_plugin_that_the_user_imports_needs_no_entry_point(tmp_path: Path) -> None:
    exec(compile(registered("Own", ONE), "own.py", "exec"), {"__name__": "own_module"})  # noqa: S102
    (record,) = find_measures("Own")
    assert str(record.origin) == "own_module"
    del tmp_path


def test_a_file_can_be_loaded_again_after_a_change(tmp_path: Path) -> None:
    for number in (1, 2):
        load_file(file_of(tmp_path, registered("Again", f"[{number}] * ranking.num_queries")))
        (spec,) = parse_measures("Again")
        assert spec.compute(ranking_of([([1], [])])) == [number]
        assert parse_measures("Again_IA")[0].measure.origin == spec.measure.origin


def test_a_file_of_ones_own_is_given_to_every_command_that_names_measures(folder: Path) -> None:
    path = file_of(folder, registered("Mine", "query.num_retrieved", decorator="per_query_measure", high="None"))
    rows = call(folder, "evaluate", "--plugin", path, "-m", "Mine", "-q", "-f", "tsv", "qrels", "run").rows
    assert [row[1:] for row in rows] == [("1", "Mine", "3.0000"), ("2", "Mine", "0.0000"), ("all", "Mine", "1.5000")]
    assert f"plugin       {path}" in call(folder, "measures", "--plugin", path, "Mine").out
    assert f"Plugin {path} ({path})\nMine " in call(folder, "measures", "--plugin", path).out


def test_what_a_plugin_prints_does_not_get_into_the_data(folder: Path) -> None:
    source = "print('loading')\n" + registered("Loud", f"print('working') or {ONE}")
    done = call(folder, "evaluate", "--plugin", file_of(folder, source), "-m", "Loud", "-f", "json", "qrels", "run")
    json.loads(done.out)
    assert "loading\nworking\n" in done.err


# What goes wrong.


def refused(folder: Path, source: str, measure: str = "Mine") -> str:
    """What is said about a plugin file that cannot be used; one error, whatever it is."""
    path = file_of(folder, source)
    done = call(folder, "evaluate", "--plugin", path, "-m", measure, "qrels", "run")
    assert (done.code, done.out) == (2, "")
    first, *others = done.err.splitlines()
    assert first.startswith("error: ")
    assert path in first
    assert all(line.startswith("  ") for line in others)
    assert "Traceback" not in done.err
    return done.err


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("1/0", "cannot be loaded: ZeroDivisionError: division by zero"),
        ("def broken(:", "cannot be loaded: SyntaxError: "),
        ("import no_such_module", "cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'"),
        ("raise SystemExit(0)", "cannot be loaded: SystemExit: 0"),
        ("x = 1", "registers no measure"),
        (HEAD + "@measure('Mine')\ndef f(ranking): ...", "cannot be loaded: TypeError: measure() missing"),
        (registered("Mine", ONE, title="''"), "the record of Mine is incomplete: title is empty"),
        (registered("Mine", ONE, examples="()"), "the record of Mine is incomplete: there is no example"),
        (registered("AP", ONE), "the name AP is taken, it is irevalcli's own AP"),
        (registered("MAP", ONE), "the name MAP is taken, it is irevalcli's own AP"),
        (registered("Mine", ONE, aliases="('ndcg_cut',)"), "the name ndcg_cut is taken, it is irevalcli's own nDCG"),
        (registered("nDCG_IA", ONE), "the name nDCG_IA is taken"),
        (registered("Mine", ONE) + registered("mine", ONE), "the name mine is taken by Mine of "),
        (registered("Mine", "1/0"), "failed: ZeroDivisionError: division by zero"),
        (registered("Mine", "ranking.nothing"), "failed: AttributeError"),
        (registered("Mine", "exit()"), "failed: SystemExit"),
        (registered("Mine", "1.0"), "gave float where one number for each of the 2 queries was wanted"),
        (registered("Mine", "None"), "gave NoneType where one number"),
        (registered("Mine", "np.ones((2, 2))"), "gave ndarray of shape (2, 2) and type float64 where one number"),
        (registered("Mine", "['a', 'b']"), "gave list where one number"),
        (registered("Mine", "[1.0, float('nan')]"), "gave nan for query 2"),
        (registered("Mine", "[float('inf'), 1.0]"), "gave inf for query 1"),
        (
            registered("Mine", "[0.5, 1.0]", integer="True", aggregation="'sum'", high="None"),
            "gave numbers that are not whole",
        ),
        (registered("Mine", "[1, 2]", kind="'text'", aggregation="'none'"), "gave no list of 2 texts"),
        (
            registered("Mine", ONE, **POOLED, pool="lambda ranking, queries: float('nan')"),
            "gave nan for all queries together",
        ),
        (registered("Mine", ONE, **POOLED, pool="lambda ranking: 1.0"), "failed: TypeError"),
        (registered("Mine", "None", decorator="per_query_measure"), "the function returned None, which is no number"),
        (registered("Mine", "query.x", decorator="per_query_measure"), "failed: AttributeError"),
    ],
)  # fmt: skip
def test_a_broken_plugin_is_one_error_that_names_it(folder: Path, source: str, said: str) -> None:
    assert said in refused(folder, source)


def test_an_error_says_where_in_the_plugin_it_was_raised(folder: Path) -> None:
    assert f"raised at {folder / 'mine.py'}:" in refused(folder, registered("Mine", "1/0"))
    assert f"raised at {folder / 'mine.py'}:1, in <module>" in refused(folder, "1/0")


def test_a_file_that_is_not_there_is_named(folder: Path) -> None:
    done = call(folder, "measures", "--plugin", "nowhere.py")
    assert done.code == 2
    assert "error: plugin nowhere.py cannot be loaded: FileNotFoundError" in done.err


def test_a_plugin_may_refuse_its_input_in_its_own_words(folder: Path) -> None:
    source = HEAD + "def no():\n    raise InputProblem('no lengths')\n" + registered("Mine", "no()")
    done = call(folder, "evaluate", "--plugin", file_of(folder, source), "-m", "Mine", "qrels", "run")
    assert (done.code, done.err.splitlines()[0]) == (3, "error: no lengths")


def test_nothing_of_a_plugin_that_fails_half_way_stays(folder: Path) -> None:
    refused(folder, registered("Half", ONE) + "1/0")
    with pytest.raises(UsageProblem, match="unknown measure 'Half'"):
        parse_measures("Half")


def test_a_broken_installed_plugin_is_an_error_for_who_names_it_only(folder: Path, site: Path) -> None:
    distribute(site, "bad-one", "2.0", {"Bad": "bad_module"}, bad_module="import no_such_module")
    named = call(folder, "evaluate", "-m", "AP,Bad@5", "qrels", "run")
    assert named.code == 2
    assert named.err.splitlines()[0].startswith("error: plugin bad-one 2.0 cannot be loaded: ModuleNotFoundError")
    listed = call(folder, "measures")
    assert listed.code == 0
    assert "warning: plugin bad-one 2.0 cannot be loaded" in listed.err
    assert "nDCG" in listed.out
    unknown = call(folder, "evaluate", "-m", "Bda", "qrels", "run")
    assert unknown.code == 2
    assert unknown.err.startswith("error: unknown measure 'Bda'")
    assert "plugin bad-one 2.0 cannot be loaded" in unknown.err
    assert call(folder, "evaluate", "-m", "AP", "qrels", "run").code == 0


def test_two_plugins_with_the_same_name_are_told_apart_by_their_distributions(site: Path) -> None:
    distribute(site, "first", "1", {"Same": "first_module"}, first_module=registered("Same", ONE))
    distribute(site, "second", "2", {"Same": "second_module"}, second_module=registered("Same", ONE))
    with pytest.raises(UsageProblem, match=r"plugin (first 1|second 2): the name Same is taken by Same of (first|sec)"):
        parse_measures("Same")


def test_an_entry_point_without_a_measure_is_named(folder: Path, site: Path) -> None:
    distribute(site, "empty", "1", {"Void": "void_module"}, void_module="")
    assert "plugin empty 1 registers no measure" in call(folder, "measures", "Void").err
    distribute(site, "gone", "1", {"Gone": "gone_module:missing"}, gone_module="")
    assert call(folder, "measures", "Gone").code == 2


# One query at a time.


def test_a_query_shows_what_the_run_and_the_qrels_say_about_it() -> None:
    first, second = query_views(ranking_of([([2, None, 0, -1, 1, None], [3, -1]), ([], [0])]))
    assert first.grades == [2, None, 0, None, 1, None]
    assert (first.num_retrieved, first.ranks, first.rank_grades) == (6, (1, 3, 5), (2, 0, 1))
    assert first.judged == (3, 2, 1, 0)
    assert first.relevant_ranks() == [1, 5]
    assert first.relevant_ranks(2) == [1]
    assert (first.num_relevant(), first.num_relevant(2)) == (3, 2)
    assert (second.grades, second.ranks, second.judged, second.num_relevant()) == ([], (), (0,), 0)


def test_a_function_of_one_query_gives_the_numbers_of_one_over_all_queries(tmp_path: Path) -> None:
    source = HEAD + registered("PlainAP", "average(query, rel)", decorator="per_query_measure", parameters="(REL,)")
    source = source.replace("def function(query):", "def function(query, rel):") + (
        "def average(query, rel):\n"
        "    ranks = query.relevant_ranks(rel)\n"
        "    total = sum(place / rank for place, rank in enumerate(ranks, 1))\n"
        "    return total / query.num_relevant(rel) if ranks else 0.0\n"
    )
    load_file(file_of(tmp_path, source))
    ranking = ranking_of(random_queries(5))
    for level in (1, 2):
        (spec,) = parse_measures(f"PlainAP(rel={level})")
        expected = MeasureSpec.of(all_measures()["AP"], rel=level).compute(ranking)
        np.testing.assert_allclose(np.asarray(spec.compute(ranking)), np.asarray(expected), rtol=1e-14)


# The stable surface.


def test_every_name_for_authors_of_plugins_is_there_and_documented() -> None:
    page = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
    for name in plugins.__all__:
        assert getattr(plugins, name) is not None
        assert f"`{name}`" in page, name
