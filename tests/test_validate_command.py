"""``irevalcli validate`` on the command line: which files, which rules, which format, which exit status."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest
from calls import Call, call, put
from click.shell_completion import ShellComplete

from irevalcli.cli.main import irevalcli
from irevalcli.reading.rules import RULES, Rule

if TYPE_CHECKING:
    from pathlib import Path

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 c 2"
RUN = "q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq2 Q0 c 1 5 t"
BROKEN = "q1 Q0 a 1 1,4 t\nq1 Q0 b 2 2 t\nq2 Q0 c 1 5 t"
ODD = "q1 Q0 a 1 2 t\nq1 Q0 b 2 3 t\nq1 Q0 d 3 1 t\nq2 Q0 c 1 5 u"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with qrels, a run without faults, one with an error and one with warnings."""
    put(tmp_path, qrels=QRELS, good_run=RUN, broken_run=BROKEN, odd_run=ODD)
    return tmp_path


def files_of(ended: Call) -> list[dict[str, Any]]:
    files: list[dict[str, Any]] = json.loads(ended.out)["files"]
    return files


def codes_of(ended: Call) -> set[str]:
    return {count["rule"] for file in files_of(ended) for count in file["counts"]}


def test_without_faults_there_is_nothing_to_report(folder: Path) -> None:
    assert call(folder, "validate", "qrels", "good.run") == (0, "nothing to report in 2 files\n", "")


def test_an_error_ends_with_1_and_has_its_place(folder: Path) -> None:
    ended = call(folder, "validate", "--select", "RUN002", "qrels", "broken.run")
    assert ended.code == 1
    assert ended.out == (
        "broken.run:1:11: RUN002 error    score is not a number: '1,4'\n1 error in 2 files (RUN002 ×1)\n"
    )
    assert ended.err == ""


def test_warnings_fail_only_under_strict(folder: Path) -> None:
    assert call(folder, "validate", "--select", "RUN012", "qrels", "odd.run").code == 0
    assert call(folder, "validate", "--select", "RUN012", "--strict", "qrels", "odd.run").code == 1


def test_notes_never_fail(tmp_path: Path) -> None:
    put(tmp_path, run="q1 Q0 a 1 3 t\nq1 Q0 b 2 3 t\nq1 Q0 c 3 1 t")
    ended = call(tmp_path, "validate", "--select", "RUN019", "--strict", "run")
    assert (ended.code, ended.out.splitlines()[-1]) == (0, "1 note in 1 file (RUN019 ×1)")


def test_a_file_that_cannot_be_opened_ends_with_3_and_the_others_are_looked_at(folder: Path) -> None:
    ended = call(folder, "validate", "qrels", "nosuch.run", "broken.run")
    assert ended.code == 3
    assert "nosuch.run: INP001 error    No such file or directory\n" in ended.out
    assert "broken.run:1:11: RUN002 error" in ended.out


def test_a_file_alone_is_told_by_what_it_holds(folder: Path) -> None:
    for name, kind in (("qrels", "qrels"), ("good.run", "run")):
        assert [file["kind"] for file in files_of(call(folder, "validate", "-f", "json", name))] == [kind]


def test_if_the_first_file_is_a_run_all_are(folder: Path) -> None:
    ended = call(folder, "validate", "-f", "json", "good.run", "odd.run")
    assert [file["kind"] for file in files_of(ended)] == ["run", "run"]


@pytest.mark.parametrize(("option", "kind"), [("--qrels-only", "qrels"), ("--runs-only", "run")])
def test_all_files_can_be_said_to_be_of_one_kind(option: str, kind: str, folder: Path) -> None:
    ended = call(folder, "validate", option, "-f", "json", "good.run", "qrels")
    assert [file["kind"] for file in files_of(ended)] == [kind, kind]


def test_both_kinds_exclude_each_other(folder: Path) -> None:
    ended = call(folder, "validate", "--qrels-only", "--runs-only", "qrels")
    assert (ended.code, ended.err) == (2, "error: --qrels-only and --runs-only exclude each other\n")


def test_swapped_arguments_get_the_call_that_was_meant(folder: Path) -> None:
    ended = call(folder, "validate", "good.run", "qrels")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.splitlines()[0] == "error: the arguments look swapped"
    assert ended.err.splitlines()[-1] == "  try: irevalcli validate qrels good.run"


def test_a_run_comes_from_standard_input(folder: Path) -> None:
    ended = call(folder, "validate", "--select", "RUN002", "qrels", "-", stdin=BROKEN.encode())
    assert ended.code == 1
    assert ended.out.startswith("<stdin>:1:11: RUN002 error")


def test_no_file_is_a_wrong_call(folder: Path) -> None:
    ended = call(folder, "validate")
    assert ended.code == 2
    assert ended.err.startswith("error: [QRELS] RUN... is missing\n")


def test_select_and_ignore_take_codes_and_their_beginnings(folder: Path) -> None:
    def found(*options: str) -> set[str]:
        return codes_of(call(folder, "validate", "-f", "json", *options, "qrels", "odd.run"))

    every = found()
    assert {"RUN011", "RUN012"} <= every
    assert found("--select", "RUN012") == {"RUN012"}
    assert found("--select", "run01,QRL") == {code for code in every if code.startswith(("RUN01", "QRL"))}
    assert found("--select", "RUN011", "--select", "RUN012") == {"RUN011", "RUN012"}
    assert found("--ignore", "RUN011") == every - {"RUN011"}
    assert found("--select", "RUN01", "--ignore", "RUN011") == {code for code in every if code.startswith("RUN01")} - {
        "RUN011"
    }


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--select", "RUN11"), "error: --select: no rule has the code 'RUN11'; did you mean RUN011?"),
        (("--ignore", "RUN011,XYZ"), "error: --ignore: no rule has the code 'XYZ'"),
        (("--select", ","), "error: --select: no rule is named"),
        (("--select", "RUN", "--ignore", "RUN"), "error: --ignore leaves no rule of those selected"),
        (("--explain", "RUM011"), "error: no rule has the code 'RUM011'; did you mean RUN011?"),
        (("--rules", "--format", "junit"), "error: rules are not written as junit"),
        (("--max", "0"), "error: --max 0 is not in the range x>=1"),
        (("--preset", "clef"), "error: --preset 'clef' is none of trec"),
    ],
)
def test_what_is_asked_wrongly_is_said(options: tuple[str, ...], complaint: str, folder: Path) -> None:
    ended = call(folder, "validate", *options, "qrels", "good.run")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.splitlines()[0] == complaint


def test_max_limits_the_findings_of_a_rule_and_the_rest_is_counted(tmp_path: Path) -> None:
    put(tmp_path, run="\n".join(f"q1 Q0 d{place} 1 x{place} t" for place in range(9)))
    ended = call(tmp_path, "validate", "--select", "RUN002", "--max", "3", "run")
    assert ended.out.splitlines()[2:] == [
        "run:3:12: RUN002 error    score is not a number: 'x2'",
        "run: RUN002 error    6 more of RUN002 not shown (--max)",
        "9 errors in 1 file (RUN002 ×9)",
    ]


def test_statistics_replace_the_findings(folder: Path) -> None:
    ended = call(folder, "validate", "--statistics", "--select", "RUN002", "qrels", "broken.run")
    assert ended.out.splitlines()[0] == "1 RUN002 error     score is not a number"


def test_one_call_writes_several_formats(folder: Path) -> None:
    ended = call(folder, "validate", "-e", "a.json", "-e", "b.xml", "-e", "github:c", "qrels", "broken.run")
    assert ended.code == 1
    assert json.loads((folder / "a.json").read_bytes())["summary"]["errors"] == 1
    assert b"<testsuites" in (folder / "b.xml").read_bytes()
    assert b"::error file=broken.run,line=1" in (folder / "c").read_bytes()


def test_the_catalogue_is_listed_and_can_be_had_as_json(tmp_path: Path) -> None:
    listed = call(tmp_path, "validate", "--rules")
    assert (listed.code, listed.err) == (0, "")
    assert [line[:6] for line in listed.out.splitlines()[1:]] == list(RULES)
    some = call(tmp_path, "validate", "--rules", "--select", "PRF,POP", "--ignore", "PRF004")
    assert len(some.out.splitlines()) == 1 + 6
    whole = json.loads(call(tmp_path, "validate", "--rules", "--format", "json").out)
    assert [rule["code"] for rule in whole["rules"]] == list(RULES)


def test_a_rule_is_explained_whatever_the_case_of_its_code(tmp_path: Path) -> None:
    ended = call(tmp_path, "validate", "--explain", "run013")
    assert ended.code == 0
    assert ended.out.startswith("RUN013 — the lines of a query do not stand together\n  severity     warning\n")
    (rule,) = json.loads(call(tmp_path, "validate", "--explain", "RUN013", "-f", "json").out)["rules"]
    assert rule["code"] == "RUN013"


def test_fixing_comes_first_and_what_was_fixed_is_not_reported(folder: Path) -> None:
    before = call(folder, "validate", "--select", "RUN011", "odd.run")
    assert "RUN011 warning" in before.out
    assert before.err == "note:    --fix would put right what it can of RUN011; --diff shows it\n"
    after = call(folder, "validate", "--fix", "--select", "RUN011", "odd.run")
    assert (after.code, after.out) == (0, "nothing to report in 1 file\n")
    assert after.err == "note:    changed odd.run (RUN011 ×1)\n"
    assert (folder / "odd.run").read_bytes().split(b"\n")[0] == b"q1 Q0 a 2 2 t"


def test_only_what_is_selected_is_fixed(folder: Path) -> None:
    call(folder, "validate", "--fix", "--ignore", "RUN011", "odd.run")
    assert (folder / "odd.run").read_bytes() == ODD.encode() + b"\n"


def test_why_a_file_is_not_fixed_is_said(folder: Path) -> None:
    (folder / "odd.run.gz").write_bytes(gzip.compress(ODD.encode() + b"\n"))
    ended = call(folder, "validate", "--fix", "odd.run.gz")
    assert "RUN011 warning" in ended.out
    assert ended.err == "note:    odd.run.gz is not fixed: it is compressed or an archive: unpack it first\n"


def test_codes_are_completed_at_the_end_of_a_list() -> None:
    completion = ShellComplete(irevalcli, {}, "irevalcli", "_IREVALCLI_COMPLETE")
    words = completion.get_completions(["validate", "--ignore"], "INP001,qrl00")
    assert [word.value for word in words][:2] == ["INP001,QRL001", "INP001,QRL002"]


@pytest.mark.parametrize("command", ["validate", "evaluate"])
def test_a_fault_has_the_same_code_in_every_command(command: str, folder: Path) -> None:
    ended = call(folder, command, "qrels", "broken.run")
    assert "RUN002" in ended.out + ended.err


def test_an_error_of_another_command_says_how_it_is_explained(folder: Path) -> None:
    ended = call(folder, "evaluate", "qrels", "broken.run")
    assert ended.err.splitlines()[-2:] == [
        "      = help: write scores as decimal numbers such as 14.2 or 1.42e1",
        "      = help: irevalcli validate --explain RUN002",
    ]


def found_in(folder: Path, rule: Rule, text: str) -> set[str]:
    """The codes that validation finds in a text of the catalogue."""
    (folder / "text").write_bytes(text.encode("utf-8", "surrogateescape"))
    (folder / "beside").write_bytes(rule.beside.encode())
    options = {
        "INP013": ["--run-format", "json"],
        "RUN016": ["--cutoff", "2"],
        "RUN017": ["--limit", "2"],
        "RUN026": ["--preset", "trec"],
    }.get(rule.code, [])
    if rule.code.startswith("PRF"):
        options = ["--qrels-format", "prefs"]
    alone = "--qrels-only" if rule.code[:3] in ("QRL", "PRF") else "--runs-only"
    files = ["beside", "text"] if rule.beside else [alone, "text"]
    return codes_of(call(folder, "validate", "--format", "json", *options, *files))


# Of popularity files, and of levels that only the drop-in reads: NaN is no number elsewhere.
ELSEWHERE = ("POP001", "POP002", "POP010", "PRF004")
SHOWN = [rule for rule in RULES.values() if not rule.example.startswith("$ ") and rule.code not in ELSEWHERE]


def test_few_rules_have_a_command_as_their_example() -> None:
    commands = [code for code, rule in RULES.items() if rule.example.startswith("$ ")]
    assert commands == ["INP001", "INP002", "INP003", "INP012"]


@pytest.mark.parametrize("rule", SHOWN, ids=lambda rule: rule.code)
def test_the_example_of_a_rule_breaks_it_and_the_better_one_does_not(rule: Rule, tmp_path: Path) -> None:
    assert rule.code in found_in(tmp_path, rule, rule.example)
    assert rule.code not in found_in(tmp_path, rule, rule.better)
