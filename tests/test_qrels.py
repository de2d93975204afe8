"""Reading judgments: the documents of every query with their grades, and everything wrong with a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import LENIENT_QRELS, data_lines, grades_of, judgments_in, qrels_in

from irevalcli.index.qrels import QrelsRules
from irevalcli.reading.blank_qrels import PREFS, QRELS_JG, QRELS_PREFS, TREC_QRELS, BlankQrels

if TYPE_CHECKING:
    from irevalcli.index.judgments import Judgments

FILES = st.lists(
    st.tuples(
        st.sampled_from([b"q1", b"q10", b"q2", b"\xc3\xa9", b"a-long-query-name", b"a-long-query-name-too"]),
        st.sampled_from([b"0", b"1", b"Q0"]),
        st.sampled_from([b"a", b"b", b"aaaaaaaa", b"aaaaaaaab", b"\xff", b"d" * 300]),
        st.sampled_from([b"0", b"1", b"2", b"-1", b"0.5", b"1e0"]),
    ),
    max_size=30,
)
Lines = list[tuple[bytes, bytes, bytes, bytes]]


def text_of(lines: Lines) -> bytes:
    return b"".join(b" ".join(line) + b"\n" for line in lines)


def listed(judgments: Judgments) -> list[tuple[bytes, bytes, float]]:
    """Query, document and grade of every listed document."""
    docids = judgments.docids(np.arange(judgments.num_listed))
    qids = [judgments.qids[query] for query in judgments.query.tolist()]
    return list(zip(qids, docids, judgments.grade.tolist(), strict=True))


def rows_of(judgments: Judgments) -> list[tuple[bytes, int, int, bytes, float]]:
    """Query, index of group and of sub-group, document and grade of every judgment row."""
    return list(
        zip(
            [judgments.qids[query] for query in judgments.query[judgments.row_listed].tolist()],
            judgments.row_group.tolist(),
            judgments.row_subgroup.tolist(),
            judgments.docids(judgments.row_listed),
            judgments.row_grade.tolist(),
            strict=True,
        )
    )


def conflicts_of(lines: Lines) -> list[int]:
    """Numbers of the lines that judge a document for a sub-topic otherwise than the judgment before."""
    last: dict[tuple[bytes, bytes, bytes], float] = {}
    found = []
    for number, (qid, group, docid, grade) in enumerate(lines, 1):
        if last.get((qid, group, docid), float(grade)) != float(grade):
            found.append(number)
        last[qid, group, docid] = float(grade)
    return found


@settings(max_examples=400, deadline=None)
@given(lines=FILES)
def test_strict_judgments_are_those_of_a_dictionary_or_conflicts_with_their_lines(lines: Lines) -> None:
    judgments, report = qrels_in(text_of(lines))
    conflicts = conflicts_of(lines)
    assert [(fault.rule, fault.line) for fault in report.faults] == [("QRL011", number) for number in conflicts]
    assert report.rows == len(lines)
    if conflicts:
        assert judgments is None
        return
    assert judgments is not None
    grades = grades_of(text_of(lines))
    assert judgments.qids == sorted(grades)
    assert listed(judgments) == [
        (qid, docid, grade) for qid in sorted(grades) for docid, grade in sorted(grades[qid].items())
    ]
    assert judgments.offsets.tolist() == np.cumsum([0, *(len(grades[qid]) for qid in sorted(grades))]).tolist()
    distinct = {line[:3] for line in lines}
    assert report.repeated == len(lines) - len(distinct)
    topics = [(qid, docid) for qid, _, docid in distinct]
    assert report.subtopics == len({pair for pair in topics if topics.count(pair) > 1})


@settings(max_examples=200, deadline=None)
@given(lines=FILES, level=st.sampled_from([-1, 0, 0.5, 1, 2]))
def test_documents_are_counted_by_their_grade(lines: Lines, level: float) -> None:
    lines = [line for number, line in enumerate(lines, 1) if number not in conflicts_of(lines)]
    if conflicts_of(lines):
        return
    judgments = judgments_in(text_of(lines))
    grades = [list(known.values()) for _, known in sorted(grades_of(text_of(lines)).items())]
    assert judgments.num_relevant(level).tolist() == [
        sum(grade >= max(level, 0) for grade in known) for known in grades
    ]
    assert judgments.num_judged_nonrelevant(level).tolist() == [
        sum(0 <= grade < level for grade in known) for known in grades
    ]
    query, descending = judgments.grades_descending
    expected = [
        (index, grade) for index, known in enumerate(grades) for grade in sorted(known, reverse=True) if grade > 0
    ]
    assert list(zip(query.tolist(), descending.tolist(), strict=True)) == expected


FORMATS = [QRELS_JG, QRELS_PREFS, PREFS]


@settings(max_examples=300, deadline=None)
@given(lines=FILES, layout=st.sampled_from(FORMATS), subgroups=st.lists(st.sampled_from([b"x", b"y"]), min_size=30))
def test_lenient_rows_stand_in_order_of_query_group_subgroup_and_document(
    lines: Lines, layout: BlankQrels, subgroups: list[bytes]
) -> None:
    rows = [
        (qid, group, subgroup if layout is PREFS else b"", docid, grade)
        for (qid, group, docid, grade), subgroup in zip(lines, subgroups, strict=False)
    ]
    text = b"".join(b" ".join(filter(None, row)) + b"\n" for row in rows)
    judgments = judgments_in(text, QrelsRules(layout, strict=False))
    groups = sorted({row[1] for row in rows})
    names = sorted({row[2] for row in rows})

    def number(grade: bytes) -> float:
        if layout.real_grades:
            return float(grade)
        return -2.0 if grade == b"-1" else float(grade.split(b".")[0].split(b"e")[0])

    ordered = sorted(rows, key=lambda row: row[:4])
    assert rows_of(judgments) == [
        (qid, groups.index(group), names.index(subgroup), docid, number(grade))
        for qid, group, subgroup, docid, grade in ordered
    ]
    assert [rows[line] for line in judgments.row_line.tolist()] == ordered


@settings(max_examples=200, deadline=None)
@given(lines=FILES, layout=st.sampled_from(list(TREC_QRELS.values())))
def test_every_format_is_read_strictly_with_repetitions_dropped_and_conflicts_found(
    lines: Lines, layout: BlankQrels
) -> None:
    middle = b" s " if layout is PREFS else b" "
    text = b"".join(b"%s %s%s%s %s\n" % (line[0], line[1], middle, line[2], line[3]) for line in lines)
    judgments, report = qrels_in(text, QrelsRules(layout))
    assert [fault.line for fault in report.faults] == conflicts_of(lines)
    if judgments is not None:
        assert report.repeated == len(lines) - len({line[:3] for line in lines})
        if layout.grouped:
            assert len(rows_of(judgments)) == len({line[:3] for line in lines})


def test_lenient_duplicates_are_named_by_query_group_and_document() -> None:
    text = b"q2 1 d 1\nq2 0 d 1\nq1 0 b 1\nq1 0 b 2\nq1 1 a 1\nq1 0 a 1\nq1 0 a 1\n"
    _, report = qrels_in(text, LENIENT_QRELS)
    assert report.duplicates == [(0, b"a"), (0, b"a"), (0, b"b"), (1, b"d")]
    _, report = qrels_in(text, QrelsRules(QRELS_JG, strict=False))
    assert report.duplicates == [(0, b"a"), (0, b"b")]


@pytest.mark.parametrize(
    ("text", "grade"),
    [
        (b"1.9", 1),
        (b"1e3", 1),
        (b"+2", 2),
        (b"007", 7),
        (b"0x5", 0),
        (b"yes", 0),
        (b"2x", 2),
        (b"-1", -2),
        (b"-7x", -2),
        (b"-0", 0),
        (b"99999999999999999999999", 2.0**63),
        (b"-", 0),
    ],
)
def test_lenient_grades_are_read_as_c_reads_integers(text: bytes, grade: float) -> None:
    assert judgments_in(b"q 0 d %s\n" % text, LENIENT_QRELS).grade.tolist() == [grade]


@pytest.mark.parametrize(
    ("text", "level"), [(b"1.9", 1.9), (b"1e3", 1000), (b"0x10", 16), (b"high", 0), (b"-1.5z", -1.5), (b"inf", np.inf)]
)
def test_lenient_preference_levels_are_read_as_c_reads_reals(text: bytes, level: float) -> None:
    assert judgments_in(b"q 0 d %s\n" % text, QrelsRules(QRELS_PREFS, strict=False)).grade.tolist() == [level]


@pytest.mark.parametrize(
    "grade", [b"nan", b"inf", b"1e999", b"0x10", b"1_0", b"yes", b"1,5", b"-", b'"1"', b"\xd9\xa3"]
)
def test_strict_grades_are_finite_decimal_numbers(grade: bytes) -> None:
    judgments, report = qrels_in(b"q 0 d 1\n\n  q 0 e " + grade + b" \r\n")
    assert judgments is None
    (fault,) = report.faults
    assert (fault.rule, fault.line, fault.column, fault.width) == ("QRL002", 3, 9, len(grade))
    assert fault.excerpt == b"  q 0 e " + grade + b" "


MIXED = st.lists(
    st.sampled_from(
        [
            b"q 0 d 1",
            b"q 0 d",
            b"q 0 d 1 2",
            b"",
            b"# comment",
            b"  #",
            b"\tq 0 e x",
            b"q\t0  f  nan",
            b"q 0 g 2\r",
            b"z",
        ]
    ),
    max_size=40,
)


@settings(max_examples=300, deadline=None)
@given(lines=MIXED, newline=st.booleans())
def test_faults_have_their_line_and_column_up_to_twenty(lines: list[bytes], newline: bool) -> None:
    text = b"\n".join(lines) + b"\n" * newline
    expected = []
    for number, line in enumerate(text.split(b"\n"), 1):
        fields = line.split()
        if fields and not fields[0].startswith(b"#"):
            if len(fields) != 4:
                expected.append(("QRL001", number, 1, len(line)))
            elif fields[3] in (b"x", b"nan"):
                expected.append(("QRL002", number, line.rindex(fields[3]) + 1, len(fields[3])))
    judgments, report = qrels_in(text)
    assert [(fault.rule, fault.line, fault.column, fault.width) for fault in report.faults] == expected[:20]
    assert (judgments is None) == bool(expected)


@settings(max_examples=200, deadline=None)
@given(lines=MIXED)
def test_a_lenient_reader_counts_the_lines_it_took_before_the_malformed_one(lines: list[bytes]) -> None:
    text = b"\n".join(lines)
    taken, malformed, skipped = 0, False, False
    for line in text.removesuffix(b"\n").split(b"\n") if text else []:
        skipped = line.startswith(b"#") and not skipped
        if skipped:
            continue
        if len(line.split()) != 4:
            malformed = True
            break
        taken += 1
    judgments, report = qrels_in(text, LENIENT_QRELS)
    assert (report.rows, report.malformed) == (taken, taken if malformed else None)
    assert (judgments is None) == malformed
    assert report.faults == []


@pytest.mark.parametrize("text", [b"", b"\n", b"# nothing\n", b" \r\n\t\n"])
def test_strict_qrels_without_data_have_no_queries(text: bytes) -> None:
    judgments, report = qrels_in(text)
    assert judgments is not None
    assert (judgments.qids, judgments.num_listed, report.rows, data_lines(text)) == ([], 0, 0, [])


def test_ids_are_compared_byte_for_byte_and_kept_as_they_are() -> None:
    text = "007 0 é 1\n7 0 e\u0301 1\n7 0 É 1\n7 0 \u00a0 1\n".encode()
    assert listed(judgments_in(text)) == [
        (b"007", "é".encode(), 1),
        (b"7", "e\u0301".encode(), 1),
        (b"7", "\u00a0".encode(), 1),
        (b"7", "É".encode(), 1),
    ]
