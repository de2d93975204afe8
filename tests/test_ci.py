"""What a CI service is told beside the output: detection, annotations, the summary of a job."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest
from gate_reports import all_passed, example, many, output

from irevalcli.cli.ci import SUMMARY_LIMIT, announce, service_of
from irevalcli.cli.console import Console
from irevalcli.output.registry import Layout

if TYPE_CHECKING:
    from pathlib import Path

    from irevalcli.analysis.gate.verdicts import GateReport
    from irevalcli.cli.ci import Service, Wish

VARIABLES = ("GITHUB_ACTIONS", "GITLAB_CI", "GITHUB_STEP_SUMMARY", "CI")


@pytest.fixture(autouse=True)
def _no_service(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


def told(
    report: GateReport, service: Service, *, chosen: str = "table", exported: tuple[str, ...] = (), quiet: bool = False
) -> str:
    """What is written to standard error."""
    kept, sys.stderr = sys.stderr, io.TextIOWrapper(io.BytesIO(), "utf-8")
    try:
        announce(report, service, Layout(), Console.decide(quiet=quiet), chosen=chosen, exported=exported)
        sys.stderr.flush()
        written: Any = sys.stderr.buffer
        return str(written.getvalue().decode())
    finally:
        sys.stderr = kept


@pytest.mark.parametrize(
    ("wish", "variables", "service"),
    [
        ("auto", {}, "none"),
        ("auto", {"CI": "true"}, "none"),
        ("auto", {"GITHUB_ACTIONS": "true"}, "github"),
        ("auto", {"GITHUB_ACTIONS": "false", "GITLAB_CI": ""}, "none"),
        ("auto", {"GITLAB_CI": "true"}, "gitlab"),
        ("none", {"GITHUB_ACTIONS": "true"}, "none"),
        ("gitlab", {"GITHUB_ACTIONS": "true"}, "gitlab"),
        ("github", {}, "github"),
    ],
)
def test_the_service_is_the_one_that_is_wished_or_else_the_one_around(
    wish: Wish, variables: dict[str, str], service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert service_of(wish) == service


def test_github_gets_annotations_and_a_summary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert told(example(), "github").encode() == output(example(), "github")
    assert summary.read_bytes() == output(example(), "markdown")


def test_annotations_that_are_the_output_anyway_are_not_told_twice() -> None:
    assert told(example(), "github", chosen="github") == ""
    assert told(example(), "github", chosen="json", exported=("github",)) != ""


def test_a_further_summary_is_added_below_an_empty_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("# before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    told(all_passed(), "github")
    assert summary.read_bytes() == b"# before\n\n" + output(all_passed(), "markdown")


@pytest.mark.parametrize("before", [0, 1000, SUMMARY_LIMIT - 200])
def test_a_summary_stays_below_the_limit_and_says_that_it_was_cut(
    before: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "summary.md"
    summary.write_bytes(b"x" * before)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    report = many(600, "x" * 2000)
    assert len(output(report, "markdown")) > SUMMARY_LIMIT
    told(report, "github")
    text = summary.read_text()
    assert before + 100 < len(text.encode()) < SUMMARY_LIMIT
    assert text.endswith("`--export gate.md` writes all of it._\n")
    assert text.count("```") % 2 == 0
    assert text.count("<details>") == text.count("</details>")
    if before < SUMMARY_LIMIT // 2:
        assert "**The retrieval gate failed:** 600 failed" in text
        assert "| **fail** | P@300 ≥ 0.5 |" in text


@pytest.mark.parametrize("size", [SUMMARY_LIMIT - 1, SUMMARY_LIMIT, 2 * SUMMARY_LIMIT])
def test_a_summary_that_is_full_stays_as_it_is(size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = tmp_path / "summary.md"
    summary.write_bytes(b"x" * size)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    told(example(), "github")
    assert summary.stat().st_size == size


@pytest.mark.parametrize("path", ["missing/summary.md", "."])
def test_a_summary_that_cannot_be_written_is_a_warning(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / path))
    last = told(example(), "github").splitlines()[-1]
    assert last.startswith(f"warning: $GITHUB_STEP_SUMMARY {tmp_path / path}: ")
    assert last.endswith("; the job gets no summary")


def test_gitlab_is_told_of_reports_only_if_none_is_kept() -> None:
    assert told(example(), "gitlab").startswith("note:    GitLab shows reports that a job keeps: --export junit:")
    assert told(example(), "gitlab", exported=("junit",)) == ""
    assert told(example(), "gitlab", quiet=True) == ""


def test_no_service_is_told_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    assert told(example(), "none") == ""
    assert os.listdir(tmp_path) == []  # noqa: PTH208  (names are enough)
