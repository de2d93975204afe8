"""`validate` on real files finds what the table beside them says of each, and no other oddity of those kinds.

The files are third-party material and stay outside the project, in ``../shared/real``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from findings import codes, number_of

from irevalcli.analysis.evaluate import NamedRun
from irevalcli.analysis.validate import Checks, validate

if TYPE_CHECKING:
    from irevalcli.analysis.validation import FileReport

REAL = Path(__file__).parents[2] / "shared" / "real"
RUNS, QRELS = 41, 33

# What the table says of a file, and the rules of which one is broken by it.
KINDS_OF_RUNS = {
    "lines with wrong column count": ("RUN001",),
    "9 cols x2": ("RUN003",),
    "run tags": ("RUN012",),
    "queries interleaved": ("RUN013",),
    "CRLF": ("INP007",),
    "no final newline": ("INP008",),
    "rank column disagrees with score": ("RUN011",),
    "rank starts at 0": ("RUN018",),
    "score increases somewhere down the file": ("RUN028",),
    "tied scores": ("RUN019",),
    "tied as float32": ("RUN029",),
    "repeated (query, doc)": ("RUN010",),
    "non-ASCII": ("INP010",),
}
KINDS_OF_QRELS = {
    "lines with wrong column count": ("QRL001",),
    "queries interleaved": ("QRL006",),
    "CRLF": ("INP007",),
    "no final newline": ("INP008",),
    "repeated (query, doc)": ("QRL010", "QRL011", "QRL012"),
    "non-integer grades": ("QRL002", "QRL005"),
    "50:3": ("QRL003",),
    "queries without a relevant doc": ("QRL004",),
    "non-ASCII": ("INP010",),
}
NUMBERED = {
    "rank column disagrees with score": "RUN011",
    "score increases somewhere down the file": "RUN028",
    "tied scores": "RUN019",
    "tied as float32": "RUN029",
}
SMALLEST_RANK = {"RUN018"}
"""The table names files whose ranks start at 0; other ranks than 1 are found, too."""
MORE_FIELDS_AS_TAG = {"trec_eval-test/results.trunc"}
"""The table takes what stands behind the tag for a part of it."""
COMMENTED = {"trec_eval-test/qrels.comments.123", "trec_eval-test/qrels.test.with-comments"}
"""The table takes their comments for data."""
FIVE_COLUMNS = {
    "trec_eval-test/prefs.test",
    "trec_eval-test/prefs.comment.test",
    "qrels-only/qrels-sample-abstracts.2018.txt",
}
NO_QRELS = {"trec_eval-test/zscores_file"}
"""Scores of measures in the shape of qrels: their values are odd grades."""


class Row(NamedTuple):
    """A row of the table.

    Attributes:
        name: of the file.
        qrels: of a run, those that belong to it, or "-".
        told: everything that is said about the file.
    """

    name: str
    qrels: str
    told: str


def table(cells: int) -> list[Row]:
    """The rows of the table for runs, which have 9 cells, or for qrels, which have 7."""
    lines = (REAL / "README.md").read_text(encoding="utf-8").splitlines()
    found = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines if line.startswith("| ")]
    rows = [row for row in found if len(row) == cells and " : " in row[1]]
    return [Row(row[0], row[6] if cells == 9 else "-", " ".join(row[5:])) for row in rows]


def of_run(row: Row) -> FileReport:
    path = REAL / row.name
    return validate(None, [NamedRun(row.name, str(path), str(path))], Checks()).files[-1]


def of_qrels(row: Row) -> FileReport:
    # Two columns would be read as pairs of query and document.
    layout = "qrels" if row.name.endswith("sample.rel") else "auto"
    return validate(str(REAL / row.name), [], Checks(qrels_format=layout)).files[0]


def check(found: FileReport, row: Row, kinds: dict[str, tuple[str, ...]], besides: set[str]) -> None:
    got = set(codes(found))
    expected = [set(some) for said, some in kinds.items() if said in row.told]
    for some in expected:
        assert got & some, (row, found.findings)
    assert got & {code for some in kinds.values() for code in some} <= set().union(besides, *expected), row


if REAL.is_dir():

    def test_the_table_is_read_whole() -> None:
        assert (len(table(9)), len(table(7))) == (RUNS, QRELS)

    @pytest.mark.parametrize("row", table(9), ids=lambda row: row.name)
    def test_a_real_run_shows_what_the_table_says(row: Row) -> None:
        found = of_run(row)
        told = row.told.replace("run tags", "") if row.name in MORE_FIELDS_AS_TAG else row.told
        check(found, row._replace(told=told), KINDS_OF_RUNS, SMALLEST_RANK)
        for said, code in NUMBERED.items():
            if number := re.search(rf"{said} in (\d+) queries", row.told):
                (finding,) = [each for each in found.findings if each.rule == code]
                assert f"({number[1]} quer" in finding.message

    @pytest.mark.parametrize("row", [row for row in table(7) if row.name not in COMMENTED], ids=lambda row: row.name)
    def test_real_qrels_show_what_the_table_says(row: Row) -> None:
        found = of_qrels(row)
        if row.name in FIVE_COLUMNS:
            assert codes(found) == ["INP011"]
            return
        check(found, row, KINDS_OF_QRELS, {"QRL003"} if row.name in NO_QRELS else set())
        if number := re.search(r"(\d+) queries without a relevant doc", row.told):
            assert number_of(found, "QRL004") == int(number[1])

    @pytest.mark.parametrize("row", [*table(9), *table(7)], ids=lambda row: row.name)
    def test_nothing_is_said_about_files_without_oddities(row: Row) -> None:
        if "nothing unusual" not in row.told or row.name in FIVE_COLUMNS:
            return
        found = of_run(row) if row.qrels != "-" else of_qrels(row)
        # The table lists the grades and does not count negative ones among the oddities.
        assert codes(found) == (["QRL007"] if re.search(r"-\d+:", row.told) else [])

    @pytest.mark.parametrize("name", sorted(COMMENTED))
    def test_comments_of_real_qrels_are_no_data(name: str) -> None:
        found = of_qrels(Row(name, "-", ""))
        assert not {"QRL001", "QRL002", "QRL004"} & set(codes(found))

    def test_runs_of_preferences_and_their_qrels_meet() -> None:
        path = REAL / "trec_eval-test" / "prefs.results.test"
        judged = str(REAL / "trec_eval-test" / "prefs.test")
        found = validate(judged, [NamedRun("run", str(path), str(path))], Checks(qrels_format="prefs")).files
        assert [codes(each) for each in found] == [[], ["RUN018"]]

else:

    @pytest.mark.skip(reason=f"{RUNS + QRELS} files to validate: there is no folder {REAL}")
    def test_real_files_show_what_the_table_says() -> None:
        raise FileNotFoundError(REAL)
