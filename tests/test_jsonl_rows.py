"""JSONL is read as Python's json module reads it, whether its lines are all alike or not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from format_rows import read_qrels, read_run
from hypothesis import given
from hypothesis import strategies as st
from plain import cut

from irevalcli.reading import jsonl_lines

if TYPE_CHECKING:
    from collections.abc import Callable

Row = dict[str, object]

plain_ids = st.text(st.sampled_from("ab7:,{} é€𝛼'"), min_size=1, max_size=12)
any_ids = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0\n\r"), min_size=1, max_size=8)
id_values = st.one_of(any_ids, st.integers(-(10**20), 10**20), st.sampled_from(['"', "\\", "\udc80b", "a\tb"]))
scores = st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.integers(-(10**20), 10**20))
ranks = st.integers(0, 10**6)


def as_bytes(value: object) -> bytes:
    """A value as ids are made of it."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "surrogateescape")


def expected(rows: list[Row]) -> list[tuple[bytes, ...]]:
    """The rows as the json module reads them back."""
    return [tuple(as_bytes(row[name]) for name in ("qid", "docid", "score", "rank", "tag")) for row in rows]


def lines(rows: list[Row], dump: Callable[[Row], str] = json.dumps, end: str = "\n") -> bytes:
    """A line for each row."""
    return "".join(dump(row) + end for row in rows).encode("utf-8", "surrogateescape")


def rows_of(ids: st.SearchStrategy[object]) -> st.SearchStrategy[list[Row]]:
    """Rows of a run."""
    return st.lists(
        st.fixed_dictionaries({"qid": ids, "docid": ids, "score": scores, "rank": ranks, "tag": plain_ids}), max_size=20
    )


@given(
    rows=rows_of(plain_ids), size=st.integers(1, 600), end=st.sampled_from(["\n", "\r\n", " \n"]), closed=st.booleans()
)
def test_lines_that_are_alike_are_read_back(rows: list[Row], size: int, end: str, closed: bool) -> None:
    def dump(row: Row) -> str:
        return json.dumps(row, ensure_ascii=False, separators=(",", ":") if closed else None)

    with cut(size):
        found = read_run(lines(rows, dump, end))
    assert found.rows == expected(rows)
    assert found.lines == list(range(1, len(rows) + 1))
    assert (found.malformed, found.faults) == (False, [])


@given(rows=rows_of(id_values), size=st.integers(1, 600), ascii_only=st.booleans())
def test_lines_of_any_kind_are_read_back(rows: list[Row], size: int, ascii_only: bool) -> None:
    def dump(row: Row) -> str:
        turned = dict(reversed(row.items())) if len(str(row)) % 2 else row
        return json.dumps(turned | {"more": [1, {"qid": None}]}, ensure_ascii=ascii_only)

    with cut(size):
        found = read_run(lines(rows, dump))
    assert found.rows == expected(rows)
    assert (found.malformed, found.faults) == (False, [])


@given(
    run=st.lists(st.tuples(any_ids, st.dictionaries(any_ids, scores, max_size=5)), min_size=2, max_size=8),
    size=st.integers(1, 300),
)
def test_a_line_may_be_a_query_with_all_its_documents(run: list[tuple[str, dict[str, float]]], size: int) -> None:
    with cut(size):
        found = read_run("".join(json.dumps({qid: listed}) + "\n" for qid, listed in run).encode())
    assert [row[:3] for row in found.rows] == [
        (qid.encode(), docid.encode(), json.dumps(score).encode())
        for qid, listed in run
        for docid, score in listed.items()
    ]
    assert found.lines == [number for number, (_, listed) in enumerate(run, 1) for _ in listed]
    assert (found.malformed, found.faults) == (False, [])


@given(st.lists(st.tuples(id_values, id_values, id_values, scores), min_size=1, max_size=20))
def test_qrels_are_read_back(rows: list[tuple[object, ...]]) -> None:
    keys = ("topic", "subtopic", "docno", "relevance")
    text = lines([dict(zip(keys, row, strict=True)) for row in rows])
    assert read_qrels(text) == [tuple(as_bytes(value) for value in row) for row in rows]


@given(st.data())
def test_the_fast_and_the_exact_reader_find_the_same_lines_malformed(data: st.DataObject) -> None:
    good = ['{"qid": "1", "docid": "a", "score": 1.5}', '{"qid": 12, "docid": "b", "score": 7}', "", "# comment"]
    tokens = ['"', "{", "}", ":", ",", "1", "1.5", "0", "-", "e", ".", "null", "NaN", "a", "\\", "[", " ", "\t", "qid"]
    changes = st.tuples(st.integers(0, 40), st.integers(0, 2), st.sampled_from(tokens))

    def spoilt(line: str, change: tuple[int, int, str]) -> str:
        place, gone, token = change
        return line[:place] + token + line[place + gone :]

    first = good[data.draw(st.integers(0, 1))]
    drawn = data.draw(st.lists(st.tuples(st.sampled_from(good), st.none() | changes), max_size=4))
    every = [first, *(line if change is None else spoilt(line, change) for line, change in drawn)]
    text = "".join(line + "\n" for line in every).encode()
    found = read_run(text, "jsonl")
    skipped = read_run(text, "jsonl", skip=True)
    wrong = {fault.line for fault in found.faults}
    right = [number for number, line in enumerate(every, 1) if line.strip() and line.lstrip()[0] != "#"]
    assert found.malformed == bool(wrong)
    assert skipped.lines == [number for number in right if number not in wrong]
    assert found.lines == [number for number in skipped.lines if number < min(wrong, default=1 << 30)]
    for number in skipped.lines:
        row = json.loads(every[number - 1])
        assert {"qid", "docid", "score"} <= row.keys()


def test_lines_that_are_alike_are_not_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(jsonl_lines, "one_by_one", refuse)
    row = '{"query_id": %d, "doc_id": "d.e%d", "rank": %d, "similarity": %s, "note": "é", "tag": "x"}\n'
    text = "".join(row % (i, i * 7, i, i / 8) for i in range(1000)).encode()
    assert len(read_run(text).rows) == 1000


@pytest.mark.parametrize(
    "number",
    [
        "+1",
        "01",
        "1.",
        ".5",
        "-",
        "1.e5",
        "1e",
        "--1",
        "0x1",
        "1_0",
        "-01",
        "inf",
        "+Infinity",
        "infinity",
        "NaN",
        '"1"',
    ],
)
@pytest.mark.parametrize("others", [0, 3])
def test_only_numbers_of_json_are_scores(number: str, others: int) -> None:
    good = '{"qid": "1", "docid": "a", "score": 1.5}\n'
    found = read_run((good * others + good.replace("1.5", number)).encode(), "jsonl")
    assert found.malformed
    assert [fault.line for fault in found.faults] == [others + 1]


def test_a_single_object_of_queries_is_json_and_several_are_jsonl() -> None:
    nested = b'{"q1": {"a": 2, "b": 1.50}}\n'
    assert [row[:3] for row in read_run(nested, "jsonl").rows] == [(b"q1", b"a", b"2"), (b"q1", b"b", b"1.50")]
    assert [row[:2] for row in read_run(nested).rows] == [(b"q1", b"a"), (b"q1", b"b")]
    assert [row[2] for row in read_run(nested * 2).rows] == [b"2", b"1.50"] * 2


@pytest.mark.parametrize("size", [1, 60, 100_000])
def test_queries_stay_whole_in_a_piece(size: int) -> None:
    row = '{"score": %d, "docid": "d%d", "qid": "q%d"}\n'
    with cut(size, 100_000):
        found = read_run("".join(row % (100 - i, i, i // 25) for i in range(100)).encode())
    assert len(found.rows) == 100
    assert found.pieces == (1 if size == 100_000 else 4)


def test_a_second_line_that_is_not_seen_whole_still_makes_it_jsonl() -> None:
    line = json.dumps({"q1": {f"d{i}": i for i in range(3000)}})
    assert 1 << 15 < len(line) < 1 << 16
    found = read_run(f"{line}\n{line.replace('q1', 'q2')}\n".encode())
    assert [len(found.rows), found.lines[0], found.lines[-1]] == [6000, 1, 2]
