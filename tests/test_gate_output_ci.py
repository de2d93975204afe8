"""What a gate found, as pipelines read it: JSON, JUnit, annotations, code quality, OpenMetrics."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from gate_reports import (
    COMMAND,
    FOLLOW_UP,
    ODD_IDS,
    ODD_TEXTS,
    all_passed,
    example,
    many,
    odd,
    output,
    report_of,
    run_of,
    suite_of,
    verdict_of,
)
from junitparser import Failure, JUnitXml, Skipped
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from irevalcli import __version__
from irevalcli.analysis.gate import parsing
from irevalcli.output.github import Annotation, annotation_lines
from irevalcli.output.gitlab import Issue, code_quality
from irevalcli.output.id_text import decoded, encoded, visible
from irevalcli.output.junit import Case, Suite, junit_xml

if TYPE_CHECKING:
    from pathlib import Path

    from irevalcli.analysis.gate.rules import Undecided
    from irevalcli.analysis.gate.verdicts import GateReport


def strict(text: bytes) -> Any:  # noqa: ANN401  (JSON)
    def refuse(constant: str) -> None:
        raise ValueError(constant)

    return json.loads(text.decode("utf-8", "strict"), parse_constant=refuse)


def junit(report: GateReport) -> JUnitXml:
    return JUnitXml.fromstring(output(report, "junit"))


def samples(report: GateReport) -> dict[tuple[str, ...], float]:
    text = output(report, "openmetrics").decode()
    assert text.endswith("# EOF\n")
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def unescaped(line: str) -> tuple[str, dict[str, str], str]:
    """A workflow command as the runner takes it apart: the kind, its properties, the message."""
    found = re.fullmatch(r"::(error|warning|notice)(?: ([^:\r\n]*(?:[^:\r\n]|%3A)*?))?::(.*)", line)
    assert found, line
    properties = dict(part.split("=", 1) for part in (found[2] or "").split(",") if part)
    kept = {key: value.replace("%2C", ",").replace("%3A", ":") for key, value in properties.items()}
    return found[1], {key: plain(value) for key, value in kept.items()}, plain(found[3])


def plain(text: str) -> str:
    return text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")


def annotations(report: GateReport) -> list[tuple[str, dict[str, str], str]]:
    return [unescaped(line) for line in output(report, "github").decode().splitlines()]


# JSON


def test_json_holds_everything_in_full() -> None:
    found = strict(output(example(), "json"))
    assert {key: found[key] for key in ("schema", "tool", "command", "verdict", "passed", "undecided")} == {
        "schema": 1,
        "tool": {"name": "irevalcli", "version": __version__},
        "command": COMMAND,
        "verdict": "failed",
        "passed": False,
        "undecided": "warn",
    }
    assert found["counts"] == {"pass": 3, "fail": 1, "undecided": 1, "warn": 1}
    (suite,) = found["suites"]
    assert suite["qrels"] == {"path": "dl20.qrels", "sha256": "cd" * 32, "queries": 54}
    (run,) = suite["runs"]
    assert (run["sha256"], run["follow_up"], len(run["rules"])) == ("ab" * 32, FOLLOW_UP, 6)
    undecided = run["rules"][2]
    assert undecided["queries_to_decide"] == 195
    assert undecided["worst_plausible"] == -0.0265
    assert run["rules"][3]["worst"][1]["allowed"] == "ambiguous topic, ISSUE-12"
    assert [measure["name"] for measure in found["measures"]] == ["nDCG@10", "AP(rel=2)", "Judged@10"]


def test_json_has_no_negative_zero_and_null_for_what_is_not_finite() -> None:
    rule = parsing.max_drop_rule("AP=0.02", "--max-drop")
    verdict = verdict_of(rule, "pass", "", difference=-0.0, deviation=float("nan"), worst_plausible=float("-inf"))
    text = output(report_of(suite_of(run_of(verdict))), "json")
    (found,) = strict(text)["suites"][0]["runs"][0]["rules"]
    assert (found["difference"], found["deviation"], found["worst_plausible"]) == (0, None, None)
    assert b"-0.0," not in text


@pytest.mark.parametrize("identifier", ODD_IDS, ids=repr)
def test_ids_come_out_of_json_as_they_are(identifier: bytes) -> None:
    text = output(odd(identifier), "json")
    (suite,) = strict(text)["suites"]
    # What is no UTF-8 is an escape in JSON, too, and so becomes the same bytes again.
    assert encoded(suite["name"]) == identifier
    assert encoded(suite["runs"][0]["rules"][0]["worst"][0]["query"]) == identifier


# JUnit


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("pass", [None, None, None, Failure, Skipped, None]),
        ("warn", [None, None, Skipped, Failure, Skipped, None]),
        ("fail", [None, None, Failure, Failure, Skipped, None]),
    ],
)
def test_junit_has_a_suite_for_a_run_and_a_case_for_a_rule(policy: Undecided, expected: list[type | None]) -> None:
    xml = junit(example(undecided=policy))
    (suite,) = xml
    cases = list(suite)
    assert suite.name == "colbert"
    assert [type(case.result[0]) if case.result else None for case in cases] == expected
    assert (suite.tests, suite.failures, suite.skipped) == (6, expected.count(Failure), expected.count(Skipped))
    assert (xml.tests, xml.failures, xml.skipped) == (suite.tests, suite.failures, suite.skipped)
    classes = ["nDCG@10", "AP(rel=2)", "nDCG@10", "nDCG@10", "Judged@10", "coverage"]
    assert [case.classname for case in cases] == classes
    assert cases[0].name == "nDCG@10 ≥ 0.80"


def test_a_failure_of_junit_says_found_expected_and_why() -> None:
    (suite,) = junit(example())
    (failure,) = list(suite)[3].result
    assert failure.message == "fail: 135802 −0.2627 (0.7492 → 0.4865)"
    assert failure.text.splitlines() == [
        "found: 135802 −0.2627 (0.7492 → 0.4865)",
        "expected: no query loses more than 0.25 nDCG@10",
        "why: lost most: query 135802 −0.2627, 169208 −0.2478 (allowed), 332593 −0.1665",
        "rule from: irevalcli.toml:20",
    ]
    (skipped,) = list(suite)[2].result
    assert skipped.message.startswith("undecided: Δ −0.0009")
    assert {entry.name: entry.value for entry in suite.properties()}["qrels.sha256"] == "cd" * 32


def test_junit_has_a_passing_case_if_there_is_nothing_to_tell() -> None:
    for report in (report_of(), report_of(suite_of(run_of()))):
        (suite,) = junit(report)
        (case,) = suite
        assert (case.name, case.result) == ("no rules", [])


@pytest.mark.parametrize("identifier", ODD_IDS, ids=repr)
def test_ids_come_out_of_junit_with_only_what_xml_cannot_hold_spelt_out(identifier: bytes) -> None:
    (suite,) = junit(odd(identifier))
    (failure,) = next(iter(suite)).result
    shown = visible(decoded(identifier))
    assert suite.name == f"{shown}: {shown}"
    assert failure.text.startswith(f"found: {shown} −0.2500")


def test_junit_keeps_line_ends_and_drops_no_character_silently() -> None:
    text = "a\tb\nc\x00\x0b\x1b\x85\ud800\uffff"
    (suite,) = JUnitXml.fromstring(junit_xml("x", [Suite("s", [Case("c", text, "failed", text, text)])], nothing="n"))
    (case,) = suite
    spelt = "a\tb\nc\\u0000\\u000b\\u001b\\u0085\\ud800\\uffff"
    assert (case.name, case.result[0].message, case.result[0].text) == (spelt, spelt, spelt)


def test_rules_with_the_same_text_are_told_apart() -> None:
    rule = parsing.bound_rule("AP >= 0.5", "--assert")
    same = [verdict_of(rule, "fail", "found 0.4", value=0.4), verdict_of(rule, "pass", "found 0.6", value=0.6)]
    report = report_of(suite_of(run_of(*same)))
    (suite,) = junit(report)
    assert [case.name for case in suite] == ["AP ≥ 0.5", "AP ≥ 0.5 (2)"]
    assert samples(report)["irevalcli_check_outcome", "colbert", "AP ≥ 0.5 (2)", "pass"] == 1


# GitHub


def test_annotations_are_for_rules_that_do_not_hold_and_point_to_where_they_are_written() -> None:
    found = annotations(example())
    assert [(kind, properties["title"]) for kind, properties, _ in found] == [
        ("error", "colbert: no query loses more than 0.25 nDCG@10"),
        ("warning", "colbert: nDCG@10 within 0.02 of baseline"),
        ("warning", "colbert: Judged@10 ≥ 0.95"),
    ]
    assert (found[0][1]["file"], found[0][1]["line"]) == ("irevalcli.toml", "20")
    assert "file" not in found[1][1]
    assert found[0][2].startswith("fail: 135802 −0.2627 (0.7492 → 0.4865)\nlost most: ")
    assert output(all_passed(), "github") == b""


@pytest.mark.parametrize(("policy", "kind"), [("pass", "notice"), ("warn", "warning"), ("fail", "error")])
def test_how_loud_an_undecided_rule_is_follows_the_policy(policy: Undecided, kind: str) -> None:
    (found,) = [one for one in annotations(example(undecided=policy)) if one[2].startswith("undecided")]
    assert found[0] == kind


@pytest.mark.parametrize(("number", "more"), [(10, ""), (11, "… and 1 more"), (17, "… and 7 more")])
def test_there_are_no_more_than_ten_annotations_of_a_kind_and_the_last_says_how_many_more(
    number: int, more: str
) -> None:
    found = annotations(many(number))
    assert len(found) == 10
    assert found[-1][2].splitlines()[1:] == ([more] if more else [])
    assert not any("more" in message for _, _, message in found[:-1])


def test_every_kind_of_annotation_has_ten_of_its_own() -> None:
    given = [Annotation(kind, "x") for kind in ("warning", "error") for _ in range(12)]  # type: ignore[arg-type]
    kinds = [unescaped(line)[0] for line in annotation_lines(given)]
    assert kinds == ["error"] * 10 + ["warning"] * 10


@pytest.mark.parametrize("identifier", ODD_IDS, ids=repr)
def test_ids_stay_inside_their_annotation(identifier: bytes) -> None:
    text = visible(decoded(identifier))
    error, warning = annotations(odd(identifier))
    assert error[1] == {
        "file": f"{text}.toml",
        "line": "3",
        "title": f"{text}: {text}: no query loses more than 0.2 nDCG@10",
    }
    assert error[2].startswith(f"fail: {text} −0.2500")
    assert warning[2] == f"undecided: Δ of {text}"


def test_annotations_escape_what_github_says() -> None:
    (line,) = annotation_lines([Annotation("notice", "5%\r\nx:y,z", "a%:b,c\n", "d,e:f", 3, 7)])
    assert line == "::notice file=d%2Ce%3Af,line=3,col=7,title=a%25%3Ab%2Cc%0A::5%25%0D%0Ax:y,z"
    assert list(annotation_lines([Annotation("error", "")])) == ["::error::"]


# GitLab


def test_code_quality_has_what_gitlab_demands() -> None:
    found = strict(output(example(), "gitlab"))
    assert [issue["severity"] for issue in found] == ["minor", "major", "minor"]
    assert [issue["location"] for issue in found] == [
        {"path": "runs/colbert.run", "lines": {"begin": 1}},
        {"path": "irevalcli.toml", "lines": {"begin": 20}},
        {"path": "runs/colbert.run", "lines": {"begin": 1}},
    ]
    assert found[1]["check_name"] == "irevalcli/max-query-drop"
    assert found[1]["description"].endswith("nDCG@10: fail: 135802 −0.2627 (0.7492 → 0.4865)")
    assert strict(output(all_passed(), "gitlab")) == []


def test_fingerprints_are_unique_and_stay_when_values_change() -> None:
    prints = [issue["fingerprint"] for issue in strict(output(many(300), "gitlab"))]
    assert len(set(prints)) == 300
    assert all(re.fullmatch("[0-9a-f]{64}", one) for one in prints)
    rule = parsing.bound_rule("AP >= 0.5", "--assert")
    once, again = (
        strict(output(report_of(suite_of(run_of(verdict_of(rule._replace(origin=origin), "fail", found)))), "gitlab"))
        for origin, found in (("--assert", "found 0.4"), ("irevalcli.toml:3", "found 0.3"))
    )
    assert once[0]["fingerprint"] == again[0]["fingerprint"]


def test_issues_with_one_identity_still_have_fingerprints_of_their_own() -> None:
    identities = [("a", "b"), ("a", "b"), ("ab",), ("a", "b", "2"), ("a", "2"), ("a",), ("a",), ("2", "a")]
    issues = [Issue("check", "text", "info", "file", 0, identity) for identity in identities]
    found = strict(code_quality(issues))
    assert len({issue["fingerprint"] for issue in found}) == len(issues)
    assert strict(code_quality(issues)) == found


@pytest.mark.parametrize("variable", ["CI_PROJECT_DIR", "GITHUB_WORKSPACE"])
def test_paths_start_at_the_top_of_the_repository(
    variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "search" / "runs").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "search")
    monkeypatch.delenv("CI_PROJECT_DIR", raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    found = strict(output(example(), "gitlab"))
    assert [issue["location"]["path"] for issue in found[:2]] == ["search/runs/colbert.run", "search/irevalcli.toml"]
    assert annotations(example())[0][1]["file"] == "search/irevalcli.toml"
    outside = suite_of(run_of(*example().verdicts[2:3], path="/elsewhere/x.run"))
    assert strict(output(report_of(outside), "gitlab"))[0]["location"]["path"] == "/elsewhere/x.run"


@pytest.mark.parametrize("identifier", ODD_IDS, ids=repr)
def test_ids_come_out_of_the_code_quality_report(identifier: bytes) -> None:
    first, second = strict(output(odd(identifier), "gitlab"))
    text = visible(decoded(identifier))
    assert first["description"].endswith(f"fail: {text} −0.2500 (0.75 → 0.5)")
    assert second["location"]["path"] == f"runs/{text}"


# OpenMetrics


def test_openmetrics_is_read_by_its_own_parser() -> None:
    found = samples(example())
    assert found["irevalcli_check_passed",] == 0
    assert found["irevalcli_check_rules", "pass"] == 3
    assert found["irevalcli_check_score", "colbert", "nDCG@10"] == 0.8352
    assert found["irevalcli_check_baseline_score", "colbert", "AP(rel=2)"] == 0.6868
    assert found["irevalcli_check_worst_plausible_difference", "colbert", "nDCG@10 within 0.02 of baseline"] == -0.0265
    assert found["irevalcli_check_outcome", "colbert", "nDCG@10 within 0.02 of baseline", "undecided"] == 1
    assert found["irevalcli_check_missing_queries", "colbert"] == 0
    assert samples(all_passed())["irevalcli_check_passed",] == 1


def test_values_of_openmetrics_have_fixed_decimals_and_no_negative_zero() -> None:
    text = output(odd(b"q"), "openmetrics").decode() + output(example(), "openmetrics").decode()
    values = [line.rpartition(" ")[2] for line in text.splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"-?\d+(\.\d{6})?", value) for value in values)
    assert "-0.000000" not in values


@pytest.mark.parametrize("text", ODD_TEXTS, ids=ascii)
def test_ids_come_out_of_openmetrics_labels(text: str) -> None:
    found = samples(odd(encoded(text)))
    shown = visible(text)
    assert found["irevalcli_check_outcome", shown, shown, "no query loses more than 0.2 nDCG@10", "fail"] == 1
