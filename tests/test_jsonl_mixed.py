"""JSONL whose lines are written in several ways is read as Python's json module reads it, and most of it at once."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from calls import call, put
from format_rows import read_qrels, read_run
from hypothesis import given
from hypothesis import strategies as st
from plain import cut

from irevalcli.reading import jsonl_lines, jsonl_singles

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAMES = ("qid", "docid", "score", "rank", "tag")

ids = st.one_of(
    st.text(st.sampled_from('ab7:,{}[] é€𝛼"\\/\t'), min_size=1, max_size=8),
    st.sampled_from(["\udc80b", "\\", '\\"', '"', "e.e5"]),
    st.integers(-(10**20), 10**20),
)
scores = st.one_of(st.floats(allow_nan=False), st.integers(-(10**20), 10**20), st.sampled_from([1e-7, 1e22, -0.0]))
further = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(0, 9),
    st.sampled_from(["", 'a "b"', "two\nlines", "\0"]),
    st.lists(st.sampled_from([1, 2.5, "x", None, [], {"qid": '"'}]), max_size=3),
    st.dictionaries(st.sampled_from(["qid", "a", '"']), st.integers(0, 9), max_size=2),
)
rows = st.fixed_dictionaries(
    {"qid": ids, "docid": ids, "score": scores, "rank": st.integers(0, 99) | st.none(), "tag": st.sampled_from("ab")},
    optional={"more": further, "title": further},
)


@st.composite
def lines(draw: st.DrawFn) -> tuple[str, tuple[bytes, ...] | None]:
    """A line, and the values of its row; or a line that is passed over."""
    if draw(st.integers(0, 9)) == 0:
        return draw(st.sampled_from(["", "  ", "# comment", ' \t# "qid": "1"', "\r"])), None
    row = draw(rows)
    order = draw(st.sampled_from([list(row), list(row)[::-1], sorted(row)]) | st.permutations(list(row)))
    separators = draw(st.sampled_from([(", ", ": "), (",", ":"), (" ,\t", " :  ")]))
    text = json.dumps({key: row[key] for key in order}, ensure_ascii=draw(st.booleans()), separators=separators)
    blanks = st.sampled_from(["", "", " ", "\t ", "\r"])
    values = [row[name] for name in NAMES]
    return f"{draw(blanks)}{text}{draw(blanks)}", tuple(as_bytes(value) for value in values)


def as_bytes(value: object) -> bytes:
    """What is read of a value: its text, that of a number as written, nothing of None."""
    text = value if isinstance(value, str) else "" if value is None else json.dumps(value)
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half of a pair
        return text.encode("utf-8", "surrogatepass")


@contextmanager
def many_templates() -> Iterator[None]:
    """Another template is tried for the last line, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl_lines, "FEW_LINES", 1)
        patch.setattr(jsonl_lines, "MOST_MISSES", -1)
        yield


FIRST = '{"qid": "1", "docid": "a", "score": 1.5, "rank": 3, "tag": "b"}'
FIRST_ROW = (b"1", b"a", b"1.5", b"3", b"b")


@given(drawn=st.lists(lines(), max_size=25), size=st.integers(1, 900))
def test_lines_written_in_many_ways_are_read_in_their_order(
    drawn: list[tuple[str, tuple[bytes, ...] | None]], size: int
) -> None:
    every = [(FIRST, FIRST_ROW), *drawn, *drawn]
    text = "".join(line + "\n" for line, _ in every).encode("utf-8", "surrogateescape")
    with cut(size), many_templates():
        found = read_run(text, "jsonl")
    assert found.rows == [row for _, row in every if row is not None]
    assert found.lines == [number for number, (_, row) in enumerate(every, 1) if row is not None]
    assert (found.malformed, found.faults) == (False, [])


@given(data=st.data())
def test_one_spoilt_byte_is_judged_as_the_json_module_judges_it(data: st.DataObject) -> None:
    line, _ = data.draw(lines().filter(lambda drawn: drawn[1] is not None))
    place = data.draw(st.integers(0, len(line)))
    gone = data.draw(st.integers(0, 2))
    token = data.draw(st.sampled_from(['"', "\\", "{", "}", "[", "]", ",", ":", "0", ".", "e", "-", "\t", " ", "x"]))
    spoilt = line[:place] + token + line[place + gone :]
    # The neighbours give the templates: the line as it was before, and another one.
    text = "".join(each + "\n" for each in (FIRST, line, spoilt, line, FIRST, line)).encode("utf-8", "surrogateescape")
    with many_templates():
        found = read_run(text, "jsonl", skip=True)
    try:
        pairs = json.loads(spoilt, object_pairs_hook=list)
    except ValueError:
        pairs = []
    if 3 not in found.lines:
        assert [fault.line for fault in found.faults][:1] == [3]
    else:
        assert found.faults == []
        row = dict(pairs)
        assert len(row) == len(pairs)
        read = found.rows[found.lines.index(3)]
        assert read[:2] == tuple(as_bytes(row[name]) for name in NAMES[:2])
        assert float(read[2]) == row["score"]
    assert [number for number in found.lines if number != 3] == [1, 2, 4, 5, 6]


MIXTURES = {
    "orders": ['{"qid": "1", "docid": "d%d", "score": 2}', '{"score": 1.5, "docid": "d%d", "qid": "1"}'],
    "blanks": ['{"qid": "1", "docid": "d%d", "score": 2}', '{"qid":"1","docid":"d%d","score":2}'],
    "escapes": ['{"qid": "1", "docid": "d%d", "score": 2}', r'{"qid": "1", "docid": "\u00e9\"%d", "score": 2}'],
    "kinds-of-ids": ['{"qid": "1", "docid": "d%d", "score": 2}', '{"qid": 1, "docid": %d, "score": 2}'],
    "further-keys": [
        '{"qid": "1", "docid": "d%d", "score": 2}',
        r'{"qid": "1", "docid": "d%d", "score": 2, "title": "a \"b\"\nc", "ok": true, "more": {"x": [1, null, 2.5]}}',
    ],
    "comments": ["# comment", '{"qid": "1", "docid": "d%d", "score": 2}'],
}


@pytest.mark.parametrize("kind", list(MIXTURES))
def test_lines_of_two_writers_are_not_read_one_by_one(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    one_by_one = jsonl_singles.members_of

    def noted(text: str) -> object:
        read.append(text)
        return one_by_one(text)

    monkeypatch.setattr(jsonl_singles, "members_of", noted)
    every = [line % i if "%d" in line else line for i in range(200) for line in MIXTURES[kind]]
    found = read_run("\n".join(every).encode(), "jsonl")
    assert [row[1] for row in found.rows] == [
        as_bytes(json.loads(line)["docid"]) for line in every if not line.startswith("#")
    ]
    assert not any(line.startswith("{") for line in read)


def test_only_the_lines_that_are_unlike_all_others_are_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    one_by_one = jsonl_singles.members_of

    def noted(text: str) -> object:
        read.append(text)
        return one_by_one(text)

    monkeypatch.setattr(jsonl_singles, "members_of", noted)
    every = [f'{{"qid": "1", "docid": "d{i}", "score": {i}}}' for i in range(1000)]
    odd = {17: r'{"\u0071id": "1", "docid": "x", "score": 1}', 400: '{"score": 2, "qid": "1", "docid": "y"}'}
    found = read_run("\n".join(odd.get(i, line) for i, line in enumerate(every)).encode())
    assert [found.rows[i][1] for i in (16, 17, 18, 400, 999)] == [b"d16", b"x", b"d18", b"y", b"d999"]
    assert read == list(odd.values())


@pytest.mark.parametrize("skip", [False, True])
def test_a_fault_between_mixed_lines_keeps_its_place(skip: bool) -> None:
    every = [line % i for i in range(100) for line in MIXTURES["orders"]]
    every[101] = '{"score": 1.5, "docid": "d50", "qid": 1.0}'
    found = read_run("\n".join(every).encode(), skip=skip)
    assert [(fault.line, fault.column) for fault in found.faults] == [(102, 39)]
    assert found.malformed != skip
    assert found.lines == [number for number in range(1, 201) if number < 102 or (skip and number > 102)]


def test_infinities_that_python_writes_are_scores_and_said(tmp_path: Path) -> None:
    row = '{"qid": "1", "docid": "%s", "score": %s}'
    put(tmp_path, qrels="1 0 a 1", run="\n".join(row % pair for pair in (("b", 1), ("a", "Infinity"), ("c", 0.5))))
    put(tmp_path, nested='{"1": {"b": 1, "a": Infinity, "c": -Infinity}}\n{"2": {"b": 1}}')
    for run, said in (("run", "1 infinite score"), ("nested", "2 infinite scores")):
        found = call(tmp_path, "evaluate", "-q", "-f", "tsv", "-m", "RR,NumRet", "qrels", run)
        assert (found.values["1 RR"], found.values["1 NumRet"]) == ("1.0000", "3")
        assert said in found.err


@pytest.mark.parametrize("word", ["Infinity", "-Infinity", "NaN", "1e999"])
def test_no_infinity_is_a_grade(word: str, tmp_path: Path) -> None:
    put(tmp_path, qrels=f'{{"qid": "1", "docid": "a", "grade": {word}}}', run="1 Q0 a 1 2 t")
    found = call(tmp_path, "evaluate", "-m", "AP", "--qrels-format", "jsonl", "qrels", "run")
    assert found.code == 3
    assert "error[QRL002]" in found.err
    assert "qrels:1:37\n" in found.err


LONG = {f"document-{i:020}": i for i in range(2000)}


@pytest.mark.parametrize("before", ["", "# comment\n", "\n"])
@pytest.mark.parametrize("between", ["", "\n", "# comment\n", " # comment { \n\n"])
def test_queries_on_lines_longer_than_what_is_looked_at_are_read(before: str, between: str) -> None:
    text = before + between.join(json.dumps({qid: LONG}) + "\n" for qid in ("q1", "q2", "q3"))
    found = read_run(text.encode())
    assert [row[:2] for row in found.rows] == [(b"q%d" % q, docid.encode()) for q in (1, 2, 3) for docid in LONG]
    assert not found.malformed
    grades = read_qrels(text.encode())
    assert [row[0] for row in grades[:: len(LONG)]] == [b"q1", b"q2", b"q3"]


def test_a_row_longer_than_what_is_looked_at_makes_it_jsonl() -> None:
    every = [{"qid": "1", "docid": name, "score": 2, "text": name * 70_000} for name in "ab"]
    found = read_run("".join(json.dumps(row) + "\n" for row in every).encode())
    assert [row[:3] for row in found.rows] == [(b"1", b"a", b"2"), (b"1", b"b", b"2")]
