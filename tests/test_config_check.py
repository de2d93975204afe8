"""What ``check`` takes from a configuration file, and the file that ``check --init`` writes."""

from __future__ import annotations

import os
import tomllib
from typing import TYPE_CHECKING

import pytest
from calls import Call, call, put

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Six queries; ``good`` finds all at once, ``poor`` puts the document of query 6 at rank 2, ``gap`` lacks it."""
    qids = range(1, 7)
    good = "\n".join(f"{qid} Q0 d 1 2 s\n{qid} Q0 e 2 1 s" for qid in qids)
    put(
        tmp_path,
        qrels="\n".join(f"{qid} 0 d 2\n{qid} 0 e 0" for qid in qids),
        good_run=good,
        poor_run=good.replace("6 Q0 d 1 2 s\n6 Q0 e 2 1 s", "6 Q0 e 1 2 s\n6 Q0 d 2 1 s"),
        gap_run=good.replace("6 Q0 d 1 2 s\n6 Q0 e 2 1 s", ""),
    )
    return tmp_path


def check(folder: Path, *words: str, code: int = 0) -> Call:
    result = call(folder, "check", *words)
    assert result.code == code, result.out + result.err
    return result


WHOLE = """
qrels = "qrels"
[check]
runs = ["poor.run"]
baseline = "good.run"
[[check.rules]]
measure = "AP"
min = 0.9
[[check.rules]]
measure = "AP"
max-query-drop = 0.1
"""


def test_everything_may_stand_in_the_file_wherever_one_is(place: Path) -> None:
    put(place, irevalcli_toml=WHOLE)
    here = check(place, code=1)
    assert "PASS  AP ≥ 0.9" in here.out
    assert "FAIL  no query loses more than 0.1 AP" in here.out
    (place / "part").mkdir()
    assert check(place / "part", code=1).out.count("FAIL") == 1
    check(place, "--isolated", code=2)
    assert check(place, "qrels", "good.run").out.count("PASS") == 2
    assert check(place, "good.run").out.count("PASS") == 2
    assert check(place, "--baseline", "poor.run").out.count("PASS") == 2


def test_rules_of_the_command_line_are_added_and_named_for_what_they_are(place: Path) -> None:
    put(place, irevalcli_toml=WHOLE)
    assert check(place, "good.run", "--assert", "RR >= 0.99").out.count("PASS") == 3
    told = check(place, "--format", "json", code=1)
    assert '"irevalcli.toml:5"' in told.out
    assert '"irevalcli.toml:8"' in told.out


def test_what_changes_numbers_is_taken_from_the_file_and_not_from_the_environment(place: Path) -> None:
    put(place, irevalcli_toml='missing = "zero"\n[[check.rules]]\nmeasure = "AP"\nmin = 0.9')
    check(place, "qrels", "gap.run", code=1)
    check(place, "qrels", "gap.run", "--missing", "skip")
    assert call(place, "check", "qrels", "gap.run", env={"IREVALCLI_MISSING": "skip"}).code == 1
    put(place, irevalcli_toml='missing = "skip"\n[[check.rules]]\nmeasure = "AP"\nmin = 0.9')
    assert "does not apply" not in check(place, "qrels", "gap.run").err
    check(place, "qrels", "gap.run", "--missing", "zero", code=1)
    put(place, irevalcli_toml='relevance = 3\n[[check.rules]]\nmeasure = "AP"\nmin = 0.9')
    assert "AP(rel=3)" in check(place, "qrels", "good.run", code=1).out
    put(place, irevalcli_toml='queries = "1,2"\n[[check.rules]]\nmeasure = "AP"\nmin = 0.9')
    check(place, "qrels", "gap.run")


def test_the_command_line_decides_before_a_rule_and_a_rule_before_its_table(place: Path) -> None:
    rule = '[[check.rules]]\nmeasure = "AP"\nmax-drop = 0.2'
    put(place, irevalcli_toml=f'[check]\ndecide = "point"\n{rule}\ndecide = "no-significant-drop"')
    asked = ("qrels", "poor.run", "--baseline", "good.run", "-f", "json")
    assert '"decided_by": "no-significant-drop"' in check(place, *asked).out
    assert '"decided_by": "non-inferior"' in check(place, *asked, "--decide", "non-inferior").out
    put(place, irevalcli_toml=f'[check]\ndecide = "point"\n{rule}')
    assert '"decided_by": "point"' in check(place, *asked).out


def test_a_suite_of_its_own_keeps_its_baseline_unless_the_command_line_names_one(place: Path) -> None:
    rule = '[[check.rules]]\nmeasure = "AP"\nmax-query-drop = 0.1'
    suite = '[[suite]]\nname = "one"\nbaseline = "poor.run"'
    put(place, irevalcli_toml=f'qrels = "qrels"\n[check]\nruns = ["poor.run"]\nbaseline = "good.run"\n{rule}\n{suite}')
    check(place)
    check(place, "--baseline", "good.run", code=1)


def test_several_suites_are_all_checked_and_the_worst_decides(place: Path) -> None:
    head = 'qrels = "qrels"\n[[check.rules]]\nmeasure = "AP"\nmin = 0.95'
    suites = [f'[[suite]]\nname = "{name}"\nruns = ["{name}.run"]' for name in ("good", "poor")]
    put(place, irevalcli_toml="\n".join([head, *suites]))
    told = check(place, code=1)
    assert (told.out.count("PASS"), told.out.count("FAIL")) == (1, 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[check.rules]]\nmeasure = "APP"\nmin = 0.9', "irevalcli.toml:1: unknown measure 'APP'"),
        ('[[check.rules]]\nmesure = "AP"\nmin = 0.9', "irevalcli.toml:2: unknown key 'mesure' in [[check.rules]]"),
        ('[[check.rules]]\nmeasure = "AP"\nmax-drop = 0.1', "irevalcli.toml:1: 'AP within 0.1 of baseline' compares"),
        ("[check]\nalpha = 0.1", "there is no rule to check"),
        ('[[check.rules]]\nmeasure = "AP"\nmin = 0.1\nlevel = "off"', "there is no rule to check: the only one is off"),
    ],
)
def test_a_file_by_which_nothing_can_be_decided_never_passes(text: str, said: str, place: Path) -> None:
    put(place, irevalcli_toml=text)
    assert said in check(place, "qrels", "good.run", code=2).err


def test_exceptions_hold_until_their_day(place: Path) -> None:
    allow = 'allow = {queries = ["6"], reason = "ambiguous", until = '
    put(place, irevalcli_toml=f"{WHOLE}\n{allow}2999-12-31}}")
    assert "ambiguous" in check(place).out
    put(place, irevalcli_toml=f"{WHOLE}\n{allow}2001-01-01}}")
    assert "ended on 2001-01-01" in check(place, code=1).out


def test_plugins_of_the_file_are_loaded_relative_to_it(place: Path) -> None:
    put(
        place,
        mine_py=(
            b"from irevalcli import measure\n\n\n"
            b'@measure("Mine", title="m", summary="s", formula="1", range=(0, 1))\n'
            b"def mine(ranking):\n    return ranking.retrieved * 0.0 + 1\n"
        ),
        irevalcli_toml='plugins = ["missing.py"]\n[[check.rules]]\nmeasure = "AP"\nmin = 0.9',
    )
    assert "missing.py" in check(place, "qrels", "good.run", code=2).err
    assert "does not apply plugins" in call(place, "evaluate", "-m", "AP", "qrels", "good.run").err


def test_init_writes_a_file_and_a_baseline_that_pass_and_catch_a_worse_run(place: Path) -> None:
    told = check(place, "--init", "qrels", "new=good.run")
    assert "wrote irevalcli.toml and baseline.json" in told.err
    assert told.out == ""
    written = tomllib.loads((place / "irevalcli.toml").read_text("utf-8"))
    assert written["measures"] == ["nDCG@10", "AP"]
    assert written["check"]["runs"] == ["new=good.run"]
    check(place)
    (place / "poor.run").replace(place / "good.run")
    failed = check(place, "--decide", "point", code=1)
    assert "FAIL  AP within 2% of baseline" in failed.out


def test_init_rounds_limits_to_the_side_that_is_kept(place: Path) -> None:
    check(place, "--init", "qrels", "poor.run", "-m", "AP,RBPResid(p=0.8),P@1", "-m", "Judged@10")
    written = tomllib.loads((place / "irevalcli.toml").read_text("utf-8"))
    limits = {rule["measure"]: rule for rule in written["check"]["rules"] if "min" in rule or "max" in rule}
    assert {name: (rule.get("min"), rule.get("max")) for name, rule in limits.items()} == {
        "AP": (0.91, None),
        "RBPResid": (None, 0.65),
        "P@1": (0.83, None),
    }
    assert {"min-judged": "10=1"} in written["check"]["rules"]
    assert {"max-missing": 0} in written["check"]["rules"]
    check(place)


def test_init_keeps_the_options_that_decide_numbers(place: Path) -> None:
    check(place, "--init", "qrels", "gap.run", "--missing", "skip", "-l", "2", "--queries", "1,2,6", "-J")
    written = tomllib.loads((place / "irevalcli.toml").read_text("utf-8"))
    kept = {name: value for name, value in written.items() if name not in {"qrels", "measures", "check"}}
    assert kept == {"missing": "skip", "relevance": 2, "queries": "1,2,6", "judged-only": True}
    assert written["measures"] == ["nDCG@10", "AP(rel=2)"]
    assert written["check"]["rules"][-1] == {"max-missing": 1}
    check(place)


def test_init_keeps_what_the_file_until_now_says_of_numbers_but_not_its_baseline(place: Path) -> None:
    put(place, irevalcli_toml='relevance = 2\nmissing = "skip"\n[check]\nbaseline = "poor.run"')
    (place / "part").mkdir()
    for folder, up in ((place / "part", "../"), (place, "")):
        told = check(folder, "--init", "--force", f"{up}qrels", f"{up}gap.run", "-m", "AP")
        assert "wrote irevalcli.toml and baseline.json" in told.err
        written = tomllib.loads((folder / "irevalcli.toml").read_text("utf-8"))
        assert (written["relevance"], written["missing"]) == (2, "skip")
        assert written["check"]["baseline"] == "baseline.json"
        check(folder)


def test_init_with_a_baseline_writes_none(place: Path) -> None:
    told = check(place, "--init", "qrels", "good.run", "--baseline", "poor.run")
    assert "wrote irevalcli.toml;" in told.err
    assert not (place / "baseline.json").exists()
    check(place)


def test_init_overwrites_nothing_and_hides_nothing_unless_forced(place: Path) -> None:
    put(place, baseline_json="mine")
    assert "baseline.json is there already" in check(place, "--init", "qrels", "good.run", code=2).err
    assert not (place / "irevalcli.toml").exists()
    assert (place / "baseline.json").read_text("utf-8") == "mine\n"
    check(place, "--init", "--force", "qrels", "good.run")
    check(place)
    (place / "irevalcli.toml").unlink()
    put(place, pyproject_toml="[tool.irevalcli]\ndigits = 2")
    assert (
        "pyproject.toml:1 is the configuration already"
        in check(place, "--init", "--force", "qrels", "good.run", code=2).err
    )


def test_init_that_fails_leaves_no_file(place: Path) -> None:
    assert "name the judgments and a run" in check(place, "--init", code=2).err
    check(place, "--init", "qrels", "none.run", code=3)
    check(place, "--init", "qrels", "good.run", "-m", "nope", code=2)
    assert not (place / "irevalcli.toml").exists()
    assert not (place / "baseline.json").exists()


def test_init_can_write_any_path_that_is_text(place: Path) -> None:
    name = 'a "b" \\ é\x7f.run'
    (place / name).write_bytes((place / "good.run").read_bytes())
    check(place, "--init", "qrels", name)
    check(place)
    other = os.fsdecode(b"caf\xe9.run")
    (place / other).write_bytes((place / "good.run").read_bytes())
    assert "is not UTF-8" in check(place, "--init", "--force", "qrels", other, code=2).err
    check(place)
