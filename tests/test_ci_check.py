"""The command as a pipeline calls it: every format from one call, odd ids from file to report, GitHub's variables."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from calls import call
from gate_reports import ODD_IDS
from junitparser import JUnitXml
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from test_process import process

from irevalcli.output.gate_formats import FORMATS
from irevalcli.output.id_text import decoded, encoded, visible

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

QIDS = tuple(identifier for identifier in ODD_IDS if not identifier.startswith(b"#"))
"""A line that begins with # is a comment."""
RULE = ("--max-query-drop", "AP=0.5", "--quiet")


def put_files(folder: Path, qids: Sequence[bytes]) -> None:
    """Judgments, a run before and a run after, in which every query but a first one loses all that it had."""
    plain = b"q0 Q0 d1 1 5 tag\n"
    (folder / "qrels.txt").write_bytes(b"q0 0 d1 1\n" + b"".join(b"%b 0 d1 1\n%b 0 d2 0\n" % (q, q) for q in qids))
    for name, docids in (("before", (b"d1", b"d2")), ("after", (b"d2", b"d3"))):
        lines = (
            b"%b Q0 %b %d %d tag\n" % (qid, docid, rank, -rank) for qid in qids for rank, docid in enumerate(docids, 1)
        )
        (folder / f"{name}.run").write_bytes(plain + b"".join(lines))


@pytest.fixture
def odd_files(tmp_path: Path) -> Path:
    """A folder with files of odd queries."""
    put_files(tmp_path, QIDS)
    return tmp_path


@pytest.mark.parametrize("identifier", QIDS, ids=repr)
def test_an_odd_id_comes_from_the_files_into_every_format(identifier: bytes, tmp_path: Path) -> None:
    put_files(tmp_path, [identifier])
    exports = [part for name in FORMATS for part in ("--export", f"{name}:{name}.out")]
    done = call(tmp_path, "check", "qrels.txt", "after.run", "--baseline", "before.run", *RULE, *exports)
    assert (done.code, done.err) == (1, "")
    shown = visible(decoded(identifier))
    read = {name: (tmp_path / f"{name}.out").read_text(encoding="utf-8") for name in FORMATS}
    found = f"{shown} −1.0000 (1.0000 → 0.0000)"
    assert f"FAIL  no query loses more than 0.5 AP   {found}\n" in done.out
    assert done.out == read["table"]
    (rule,) = json.loads(read["json"])["suites"][0]["runs"][0]["rules"]
    assert encoded(rule["worst"][0]["query"]) == identifier
    (suite,) = JUnitXml.fromstring(read["junit"].encode())
    (case,) = suite
    assert case.result[0].message == f"fail: {found}"
    assert f": fail, {found}\n" in read["markdown"]
    assert shown.replace("%", "%25") in read["github"]
    assert json.loads(read["gitlab"])[0]["description"].endswith(f"fail: {found}")
    assert list(text_string_to_metric_families(read["openmetrics"]))


def test_on_github_the_job_gets_annotations_and_a_summary_and_standard_output_stays_what_it_is(odd_files: Path) -> None:
    github = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(odd_files / "summary.md")}
    arguments = ("check", "qrels.txt", "after.run", "--baseline", "before.run", *RULE, "--format", "json")
    there, elsewhere = (call(odd_files, *arguments, env=env) for env in (github, {}))
    assert (there.code, there.out) == (1, elsewhere.out)
    assert there.err.startswith("::error title=after%3A no query loses more than 0.5 AP::fail: ")
    assert (odd_files / "summary.md").read_text().startswith("**The retrieval gate failed:** 1 failed\n")
    none = call(odd_files, *arguments, "--ci", "none", env=github | {"GITHUB_STEP_SUMMARY": "untouched.md"})
    assert (none.err, (odd_files / "untouched.md").exists()) == ("", False)


@pytest.mark.parametrize(("assertion", "code"), [("AP >= 0.5", 1), ("AP >= 0.01", 0)])
def test_a_summary_that_cannot_be_written_changes_no_verdict(assertion: str, code: int, odd_files: Path) -> None:
    env = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "missing/summary.md"}
    done = call(odd_files, "check", "qrels.txt", "after.run", "--assert", assertion, env=env)
    assert done.code == code
    assert "warning: $GITHUB_STEP_SUMMARY missing/summary.md: No such file or directory" in done.err


def test_annotations_are_spelt_in_ascii_where_standard_error_has_nothing_else(odd_files: Path) -> None:
    files = [str(odd_files / name) for name in ("qrels.txt", "after.run", "before.run")]
    drop = ["--max-drop", "AP=0.1", "--decide", "point"]
    words = ["check", "--isolated", "--quiet", "--ci", "github", *files[:2], "--baseline", files[2], *drop]
    done = process(words, PYTHONIOENCODING="cp1252")
    assert done.returncode == 1
    said = done.stderr.decode("cp1252")
    assert said.startswith("::error title=")
    assert "diff -" in said
    assert not any(f"\\u{ord(sign):04x}" in said for sign in "Δ−→")


def test_a_file_gets_no_colour_where_a_job_forces_it(odd_files: Path) -> None:
    arguments = ("check", "qrels.txt", "after.run", "--assert", "AP >= 0.5", "--export", "report.txt")
    done = call(odd_files, *arguments, env={"FORCE_COLOR": "1", "CI": "true"})
    assert "\x1b" not in done.out
    assert "\x1b" not in (odd_files / "report.txt").read_text()
    assert "\x1b[1;31mFAIL\x1b[0m" in call(odd_files, *arguments, "--color", "always").out


def test_an_unknown_service_is_refused_with_a_suggestion(odd_files: Path) -> None:
    done = call(odd_files, "check", "qrels.txt", "after.run", "--assert", "AP >= 0.1", "--ci", "githib")
    assert done.code == 2
    assert "github" in done.err
