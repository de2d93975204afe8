"""How findings are written: concise, full, statistics, JSON, JUnit, GitHub, GitLab."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from irevalcli.analysis.validation import Count, FileReport, Validation
from irevalcli.errors import Finding
from irevalcli.output.rule_text import list_lines, rule_lines, rules_json
from irevalcli.output.validation_formats import FORMATS, ValidationLayout, render_validation
from irevalcli.reading.rules import RULES

if TYPE_CHECKING:
    from pathlib import Path

LINE = b"1037798 Q0 8760869 12 1,4.2 splade"


def finding(rule: str, message: str, path: str, line: int = 0, **more: Any) -> Finding:  # noqa: ANN401
    return Finding(rule, message, path, line, help=RULES[rule].help, severity=RULES[rule].severity, **more)


DUPLICATE = finding("RUN010", "duplicate document 'd1' (first at line 3)", "bm25.run", 17, column=1, excerpt=b"q d1")
SCORE = finding(
    "RUN002", "score is not a number: '1,4.2'", "splade.run", 10423,
    column=23, width=5, excerpt=LINE, expected="expected e.g. 14.2",
)  # fmt: skip
NO_COMMON = finding("RUN020", "no query in common with dl20.qrels", "splade.run")
GRADE = finding("QRL003", "grade 7 occurs once; other grades are 0–3", "dl20.qrels", 88, column=4, width=1)
TIES = finding("RUN019", "118 documents have the score of another one", "bm25.run")

FOUND = Validation(
    (
        FileReport("dl20.qrels", "qrels", 9, 3, (GRADE,), (Count("QRL003", "warning", 1),)),
        FileReport(
            "bm25.run", "run", 20, 3, (DUPLICATE, TIES), (Count("RUN010", "error", 41), Count("RUN019", "note", 1))
        ),
        FileReport(
            "splade.run", "run", 0, 0, (SCORE, NO_COMMON), (Count("RUN002", "error", 1), Count("RUN020", "error", 1))
        ),
    )
)
NOTHING = Validation((FileReport("a.run", "run", 5, 1, (), ()), FileReport("b.run", "run", 5, 1, (), ())))


def text_of(validation: Validation, name: str, *, statistics: bool = False, **layout: Any) -> str:  # noqa: ANN401
    return b"".join(
        render_validation(validation, name, ValidationLayout(**layout), statistics=statistics)
    ).decode("utf-8", "surrogateescape")  # fmt: skip


def test_concise_is_a_line_for_each_finding_and_a_summary() -> None:
    assert text_of(FOUND, "concise").splitlines() == [
        "dl20.qrels:88:4: QRL003 warning  grade 7 occurs once; other grades are 0–3",
        "bm25.run:17:1: RUN010 error    duplicate document 'd1' (first at line 3)",
        "bm25.run: RUN019 note     118 documents have the score of another one",
        "bm25.run: RUN010 error    40 more of RUN010 not shown (--max)",
        "splade.run:10423:23: RUN002 error    score is not a number: '1,4.2'",
        "splade.run: RUN020 error    no query in common with dl20.qrels",
        "43 errors, 1 warning, 1 note in 3 files (QRL003 ×1, RUN010 ×41, RUN019 ×1, RUN002 ×1, RUN020 ×1)",
    ]


def test_nothing_found_is_said() -> None:
    assert text_of(NOTHING, "concise") == text_of(NOTHING, "full") == "nothing to report in 2 files\n"


def test_ascii_alone_where_no_more_can_be_shown() -> None:
    assert text_of(FOUND, "concise", unicode=False).splitlines()[-1].endswith("RUN002 x1, RUN020 x1)")
    assert text_of(FOUND, "full", unicode=False).isascii()


def test_full_shows_the_line_with_a_caret_and_what_to_do() -> None:
    shown = text_of(FOUND, "full")
    assert (
        "error[RUN002]: score is not a number: '1,4.2'\n"
        "     --> splade.run:10423:23\n"
        "      |\n"
        "10423 | 1037798 Q0 8760869 12 1,4.2 splade\n"
        "      |                       ^^^^^ expected e.g. 14.2\n"
        "      = help: write scores as decimal numbers such as 14.2 or 1.42e1\n"
        "      = help: irevalcli validate --explain RUN002\n"
    ) in shown
    assert "error[RUN020]: splade.run: no query in common with dl20.qrels\n" in shown
    assert "bm25.run: RUN010 error    40 more of RUN010 not shown (--max)\n" in shown
    assert shown.splitlines()[-1] == text_of(FOUND, "concise").splitlines()[-1]


def test_full_says_once_for_each_rule_what_to_do() -> None:
    findings = tuple(DUPLICATE._replace(line=line) for line in range(1, 9))
    file = FileReport("bm25.run", "run", 9, 1, findings, (Count("RUN010", "error", 8),))
    shown = text_of(Validation((file,)), "full")
    assert shown.count("= help: irevalcli validate --explain RUN010") == 1
    assert shown.count(" --> bm25.run:") == 8


@pytest.mark.parametrize("name", ["concise", "full"])
def test_colour_adds_nothing_but_escapes(name: str) -> None:
    painted = text_of(FOUND, name, colour=True)
    plain = painted
    for code in ("\x1b[1;31m", "\x1b[1;33m", "\x1b[1;36m", "\x1b[0m"):
        assert code in painted
        plain = plain.replace(code, "")
    assert plain == text_of(FOUND, name)


def test_statistics_are_a_line_for_each_rule_the_most_frequent_first() -> None:
    files = (*FOUND.files, FOUND.files[0]._replace(path="other.qrels"))
    assert text_of(Validation(files), "full", statistics=True).splitlines() == [
        "41 RUN010 error     duplicate document",
        " 2 QRL003 warning   a grade far from the rest (in 2 files)",
        " 1 RUN002 error     score is not a number",
        " 1 RUN019 note      documents with equal scores",
        " 1 RUN020 error     no query in common with the qrels",
        "43 errors, 2 warnings, 1 note in 4 files (QRL003 ×2, RUN010 ×41, RUN019 ×1, RUN002 ×1, RUN020 ×1)",
    ]


def test_statistics_mark_what_can_be_put_right() -> None:
    file = FileReport("a.run", "run", 5, 1, (), (Count("RUN011", "warning", 3),))
    assert text_of(Validation((file,)), "concise", statistics=True).splitlines()[:2] == [
        "3 RUN011 warning * rank disagrees with score",
        "* can be put right by --fix",
    ]


def test_json_holds_everything() -> None:
    whole = json.loads(text_of(FOUND, "json", strict=True))
    assert whole["schema"] == 1
    assert whole["strict"] is True
    assert whole["summary"] == {"errors": 43, "warnings": 1, "notes": 1}
    assert [(file["path"], file["kind"], file["rows"], file["queries"]) for file in whole["files"]] == [
        ("dl20.qrels", "qrels", 9, 3), ("bm25.run", "run", 20, 3), ("splade.run", "run", 0, 0),
    ]  # fmt: skip
    assert whole["files"][1]["counts"] == [
        {"rule": "RUN010", "severity": "error", "number": 41, "fixable": False},
        {"rule": "RUN019", "severity": "note", "number": 1, "fixable": False},
    ]
    assert whole["files"][2]["findings"][0] == {
        "rule": "RUN002", "message": "score is not a number: '1,4.2'", "line": 10423, "column": 23, "width": 5,
        "excerpt": LINE.decode(), "expected": "expected e.g. 14.2", "help": RULES["RUN002"].help, "severity": "error",
    }  # fmt: skip
    assert whole["files"][2]["findings"][1]["line"] is None
    assert json.loads(text_of(NOTHING, "json"))["files"][0]["findings"] == []
    assert json.loads(text_of(Validation(()), "json"))["files"] == []


def test_junit_has_a_suite_for_each_file_and_fails_for_errors() -> None:
    root = ET.fromstring(text_of(FOUND, "junit"))  # noqa: S314  (our own)
    assert (root.get("tests"), root.get("failures")) == ("5", "3")
    assert [suite.get("name") for suite in root] == ["dl20.qrels", "bm25.run", "splade.run"]
    (case,) = root.findall(".//testcase[@name='RUN010: duplicate document']")
    failure = case.find("failure")
    assert failure is not None
    assert failure.get("message") == f"error: {DUPLICATE.message}"
    assert (failure.text or "").splitlines()[-1] == "40 more, not shown"
    assert (case.get("file"), case.get("line")) == ("bm25.run", "17")


def test_in_junit_warnings_fail_when_they_fail_and_notes_never_do() -> None:
    root = ET.fromstring(text_of(FOUND, "junit", strict=True))  # noqa: S314  (our own)
    assert root.get("failures") == "4"
    (note,) = root.findall(".//testcase[@name='RUN019: documents with equal scores']")
    assert note.find("failure") is None
    assert TIES.message in (note.findtext("system-out") or "")


def test_github_gets_annotations_at_the_place_errors_first() -> None:
    lines = text_of(FOUND, "github").splitlines()
    assert [line.partition(" ")[0] for line in lines[:-1]] == ["::error"] * 3 + ["::warning", "::notice"]
    assert lines[1].startswith("::error file=splade.run,line=10423,col=23,title=RUN002%3A score is not a number::")
    assert lines[1].endswith(f"'1,4.2'%0A{RULES['RUN002'].help}")
    assert lines[-1].startswith("43 errors, 1 warning, 1 note in 3 files")


def test_gitlab_gets_issues_whose_fingerprints_stay_when_lines_move() -> None:
    before = json.loads(text_of(FOUND, "gitlab"))
    assert [issue["check_name"] for issue in before] == ["QRL003", "RUN010", "RUN019", "RUN002", "RUN020"]
    assert [issue["severity"] for issue in before] == ["minor", "critical", "info", "critical", "critical"]
    moved = DUPLICATE._replace(line=18, message="duplicate document 'd1' (first at line 4)")
    file = FOUND.files[1]._replace(findings=(moved,))
    (after,) = json.loads(text_of(Validation((file,)), "gitlab"))
    assert after["fingerprint"] == before[1]["fingerprint"]
    assert after["location"] == {"path": "bm25.run", "lines": {"begin": 18}}
    assert json.loads(text_of(NOTHING, "gitlab")) == []


@pytest.mark.parametrize("name", ["junit", "github", "gitlab"])
def test_services_get_paths_from_the_top_of_the_repository(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "runs").mkdir()
    monkeypatch.chdir(tmp_path / "runs")
    monkeypatch.delenv("CI_PROJECT_DIR", raising=False)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    written = text_of(FOUND, name)
    assert {"junit": 'file="runs/bm25.run"', "github": "file=runs/bm25.run,", "gitlab": '"runs/bm25.run"'}[
        name
    ] in written


@pytest.mark.parametrize("name", FORMATS)
def test_hostile_bytes_and_names_stay_data_in_every_format(name: str) -> None:
    path = "a\x1b[2J\n::error::x\udcff<&>.run"
    odd = finding(
        "RUN001", "5 fields\r\n, 6 expected", path, 2, column=1, width=3, excerpt=b"\x1b[31m\xff::error]]>\x00"
    )
    file = FileReport(path, "run", 5, 1, (odd,), (Count("RUN001", "error", 2),))
    written = text_of(Validation((file,)), name)
    assert "\x1b" not in written
    assert "\x00" not in written
    assert not any(line.startswith("::error::x") for line in written.splitlines())
    if name == "junit":
        ET.fromstring(written)  # noqa: S314  (our own)
    elif name in ("json", "gitlab"):
        json.loads(written)


def test_a_rule_in_full_says_why_how_and_what_to_do() -> None:
    lines = list(rule_lines(RULES["RUN021"], None))
    assert lines[0] == "RUN021 — judged queries are missing from the run"
    assert lines[1] == "  severity     warning; error under --preset trec"
    labels = [line[2:14].strip() for line in lines[1:] if line[2] != " "]
    assert labels == ["severity", "why", "how found", "example", "better", "beside qrels", "what to do"]


def test_a_rule_in_full_keeps_to_the_width_but_not_its_examples() -> None:
    lines = list(rule_lines(RULES["RUN011"], 60))
    assert max(map(len, lines)) <= 60
    assert any("q01 Q0 tyre-01 1 13.1 rerank" in line for line in lines)


def test_examples_show_what_cannot_be_seen() -> None:
    shown = {
        code: "\n".join(rule_lines(RULES[code], None)) for code in ("INP005", "INP006", "INP007", "INP008", "INP009")
    }
    assert "tyre-04\\x00 1" in shown["INP005"]
    assert "\\ufeffq01" in shown["INP006"]
    assert "bm25\\r\n" in shown["INP007"]
    assert "bm25   (and no line end)\n" in shown["INP008"]
    assert "caf\\xe9" in shown["INP009"]


def test_the_list_of_rules_has_a_line_for_each() -> None:
    lines = list(list_lines(list(RULES.values())))
    assert [line[:6] for line in lines[1:]] == list(RULES)
    assert "RUN011  warning   yes  rank disagrees with score" in lines


def test_the_catalogue_as_json_is_the_records() -> None:
    whole = json.loads(rules_json(RULES.values()))
    assert whole["schema"] == 1
    assert [rule["code"] for rule in whole["rules"]] == list(RULES)
    assert whole["rules"][0]["title"] == "file cannot be opened"
    assert {"why", "found", "example", "better", "fixable", "severity", "help"} <= set(whole["rules"][0])
