"""What a gate found, as people read it: the table and Markdown."""

from __future__ import annotations

import html
import re

import pytest
from gate_reports import (
    FOLLOW_UP,
    LOST,
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
)

from irevalcli.output.display_width import display_width
from irevalcli.output.gate_formats import FORMATS, SUFFIXES
from irevalcli.output.id_text import decoded, visible
from irevalcli.output.registry import Layout

TABLE = f"""\
PASS  nDCG@10 ≥ 0.80                          found 0.8352
PASS  AP(rel=2) within 0.02 of baseline       Δ +0.0241, worst plausible −0.0062 (95%)
????  nDCG@10 within 0.02 of baseline         Δ −0.0009, worst plausible −0.0265: cannot rule out a loss > 0.02
                                              54 queries, s.d. 0.112; ≈195 queries would decide it
FAIL  no query loses more than 0.25 nDCG@10   135802 −0.2627 (0.7492 → 0.4865)
                                              lost most: query 135802 −0.2627, 169208 −0.2478 (allowed), 332593 −0.1665
WARN  Judged@10 ≥ 0.95                        found 0.9333: new documents are not judged, scores may be too low
PASS  coverage = 100%                         54 of 54

1 failed, 1 undecided, 1 warning, 3 passed            details: {FOLLOW_UP}
Undecided rules are warnings and do not fail (--undecided warn).
"""


def cells(markdown: str) -> list[list[str]]:
    """The rows of all tables as GitHub cuts them: at bars that no backslash is in front of."""
    rows = [line for line in markdown.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]


def shown_code(cell: str) -> str:
    """What GitHub shows of a piece of code."""
    if cell.startswith("<code>"):
        return html.unescape(cell.removeprefix("<code>").removesuffix("</code>"))
    assert cell.count("`") == 2
    return cell[1:-1]


def test_the_table_has_the_shape_of_the_design() -> None:
    assert output(example(), "table").decode() == TABLE


def test_colour_adds_nothing_but_escapes_and_none_are_there_without_it() -> None:
    coloured = output(example(), "table", Layout(colour=True)).decode()
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == TABLE
    assert "\x1b[1;31mFAIL\x1b[0m" in coloured


def test_a_terminal_without_unicode_gets_ascii_alone() -> None:
    text = output(example(), "table", Layout(unicode=False)).decode()
    assert text.isascii()
    assert "nDCG@10 >= 0.80" in text
    assert "135802 -0.2627 (0.7492 -> 0.4865)" in text


@pytest.mark.parametrize("width", [40, 60, 80, 100, 200])
def test_a_table_fits_the_terminal_and_loses_no_word(width: int) -> None:
    text = output(example(), "table", Layout(width=width)).decode()
    lines = text.splitlines()
    assert all(display_width(line) <= width for line in lines if FOLLOW_UP not in line)
    assert FOLLOW_UP in text
    assert text.split() == TABLE.split()


@pytest.mark.parametrize("width", range(40, 121, 4))
@pytest.mark.parametrize("unicode", [True, False], ids=["signs", "ascii"])
def test_no_line_begins_with_a_change_that_belongs_to_the_word_before(width: int, *, unicode: bool) -> None:
    text = output(example(), "table", Layout(width=width, unicode=unicode)).decode()
    assert not re.search(r"^ *[−+-][0-9]", text, re.MULTILINE)


def test_several_runs_stand_under_their_names_with_one_sum_for_all() -> None:
    first = example().suites[0]
    report = report_of(first._replace(name="dl20"), all_passed().suites[0]._replace(name="dl19"))
    lines = output(report, "table").decode().splitlines()
    assert lines[0] == "dl20: colbert"
    assert "dl19: colbert" in lines
    assert f"      details: {FOLLOW_UP}" in lines
    assert lines[-2] == "1 failed, 1 undecided, 1 warning, 4 passed"


@pytest.mark.parametrize(("policy", "words"), [("pass", "count as passed"), ("warn", "warnings"), ("fail", "fail ")])
@pytest.mark.parametrize("name", ["table", "markdown"])
def test_what_becomes_of_an_undecided_rule_is_said(name: str, policy: str, words: str) -> None:
    text = output(example(undecided=policy), name).decode()  # type: ignore[arg-type]
    assert f"Undecided rules {words}" in re.sub(r"are (?=warn)", "", text)
    assert f"--undecided {policy}" in text
    assert "ndecided" not in output(all_passed(), name).decode()


@pytest.mark.parametrize("identifier", ODD_IDS, ids=repr)
def test_ids_stand_in_the_table_as_they_are(identifier: bytes) -> None:
    text = output(odd(identifier), "table").decode()
    assert f"FAIL  no query loses more than 0.2 nDCG@10   {visible(decoded(identifier))} −0.2500" in text
    assert "\x1b" not in text
    assert all(not line.lstrip().startswith("::") for line in text.splitlines())


def test_markdown_begins_with_the_verdict_and_ends_with_the_command() -> None:
    text = output(example(), "markdown").decode()
    assert text.startswith("**The retrieval gate failed:** 1 failed, 1 undecided, 1 warning, 3 passed\n")
    assert text.endswith("```sh\nirevalcli check dl20.qrels colbert.run --baseline splade.run\n```\n")
    assert output(all_passed(), "markdown").startswith(b"**The retrieval gate passed:** 1 passed\n")


def test_markdown_has_a_row_for_each_rule_and_each_of_the_worst_queries() -> None:
    rows = cells(output(example(), "markdown").decode())
    assert rows[1] == ["pass", "nDCG@10 ≥ 0.80", "`found 0.8352`"]
    assert [row[0] for row in rows[1:7]] == ["pass", "pass", "**undecided**", "**fail**", "**warn**", "pass"]
    assert rows[7:] == [
        ["query", "baseline", "now", "change", "allowed"],
        ["`135802`", "0.7492", "0.4865", "−0.2627", ""],
        ["`169208`", "0.8465", "0.5987", "−0.2478", "ambiguous topic, ISSUE-12"],
        ["`332593`", "0.5588", "0.3923", "−0.1665", ""],
    ]


@pytest.mark.parametrize("identifier", ODD_IDS, ids=repr)
def test_ids_keep_their_cell_in_markdown_and_are_code_so_that_github_reads_nothing_into_them(identifier: bytes) -> None:
    text = output(odd(identifier), "markdown").decode()
    shown = visible(decoded(identifier))
    rows = cells(text)
    assert [len(row) for row in rows] == [3, 3, 3, 5, 5]
    assert shown_code(rows[1][2]) == f"{shown} −0.2500 (0.75 → 0.5)"
    assert shown_code(rows[4][0]) == shown
    # Outside of code, every character that begins something has a backslash or is spelt out.
    outside = re.sub(r"^(`{3,})\w+\n.*?^\1$|`[^`\n]*`|<code>.*?</code>", "", text, flags=re.MULTILINE | re.DOTALL)
    assert re.findall(r"(?<!\\)</?[^>]*>", outside) == ["<details>", "<summary>", "</summary>", "</details>"]


def test_a_fence_is_longer_than_any_row_of_backticks_in_it() -> None:
    text = output(odd(b"x````y"), "markdown").decode()
    assert "`````sh\nirevalcli check 'x````y'\n`````\n" in text


def test_markdown_can_be_cut_after_any_piece_and_leaves_nothing_open() -> None:
    from irevalcli.output.gate_formats import render_report  # noqa: PLC0415

    pieces = [piece.decode() for piece in render_report(odd(b"a|b"), "markdown", Layout())]
    for number in range(1, len(pieces) + 1):
        text = "".join(pieces[:number])
        assert text.count("```") % 2 == 0
        assert text.count("<details>") == text.count("</details>")


def test_every_format_says_the_same_outcome_in_the_same_word() -> None:
    for name in ("json", "junit", "markdown", "github", "gitlab", "openmetrics"):
        text = output(example(), name).decode()
        assert all(word in text for word in ("fail", "undecided", "warn")), name


def test_every_format_takes_a_report_without_rules_and_one_with_hundreds() -> None:
    for name in FORMATS:
        output(report_of(), name)
        output(report_of(suite_of()), name)
        output(many(400), name)


def test_endings_choose_formats() -> None:
    chosen = {".txt": "table", ".json": "json", ".xml": "junit", ".md": "markdown", ".prom": "openmetrics"}
    assert chosen == SUFFIXES


def test_the_odd_ids_are_what_must_survive() -> None:
    assert len(set(ODD_TEXTS)) == len(ODD_IDS)


def test_queries_that_two_rules_on_a_measure_would_list_stand_there_once() -> None:
    verdicts = example().verdicts
    twice = [verdicts[2]._replace(worst=LOST), verdicts[3]]
    report = report_of(suite_of(run_of(*twice)))
    for name in ("table", "markdown"):
        assert output(report, name).decode().count("lost most: query 135802") == 1
    for name in ("junit", "github"):
        assert output(report, name).decode().count("lost most: query 135802") == 2
