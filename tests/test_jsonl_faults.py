"""JSONL on the command line: the numbers of TREC files, names of keys, and faults with their places."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from calls import call, put

if TYPE_CHECKING:
    from pathlib import Path

QRELS = "q1 0 a 2\nq1 0 b 0\nq1 0 c 1\nq2 0 a 1\nq2 0 x 1\n"
RUN = (
    "q1 Q0 b 1 9.5 t\nq1 Q0 a 2 8.25 t\nq1 Q0 z 3 8 t\nq1 Q0 c 4 -1e2 t\nq2 Q0 x 1 7 t\nq2 Q0 b 2 7 t\nq2 Q0 a 3 1 t\n"
)


@pytest.fixture(name="folder")
def folder_(tmp_path: Path) -> Path:
    """A folder with qrels and a run in TREC's formats."""
    put(tmp_path, qrels=QRELS, run=RUN)
    return tmp_path


def rows(text: str, numbers: tuple[int, ...], **columns: int) -> bytes:
    """An object for each line, with columns by key; some of them as numbers."""
    fields = [line.split() for line in text.splitlines()]
    entries = [
        {key: json.loads(row[at]) if at in numbers else row[at] for key, at in columns.items()} for row in fields
    ]
    return "".join(json.dumps(entry) + "\n" for entry in entries).encode()


def nested(text: str, number: int) -> bytes:
    """An object for each query."""
    queries: dict[str, dict[str, float]] = {}
    for line in text.splitlines():
        fields = line.split()
        queries.setdefault(fields[0], {})[fields[2]] = json.loads(fields[number])
    return "".join(json.dumps({qid: listed}) + "\n" for qid, listed in queries.items()).encode()


def evaluated(folder: Path, qrels: str, run: str) -> str:
    """The values of all queries; the run is called run."""
    done = call(folder, "evaluate", "-q", "-f", "tsv", "-m", "AP", "-m", "nDCG@3", qrels, f"run={run}")
    assert (done.code, "error" in done.err) == (0, False), done.err
    return done.out


RUN_FORMS = {
    "rows": rows(RUN, (3, 4), qid=0, docid=2, score=4, rank=3, tag=5),
    "rows-named-otherwise": rows(RUN, (4,), **{"similarity": 4, "corpus-id": 2, "Query_ID": 0}),
    "nested": nested(RUN, 4),
}
QRELS_FORMS = {
    "rows": rows(QRELS, (3,), query_id=0, doc_id=2, relevance=3),
    "rows-with-groups": rows(QRELS, (1, 3), qid=0, iteration=1, docid=2, grade=3),
    "nested": nested(QRELS, 3),
}


@pytest.mark.parametrize("form", list(RUN_FORMS))
def test_runs_are_recognised_and_give_the_numbers_of_the_trec_run(form: str, folder: Path) -> None:
    put(folder, other=RUN_FORMS[form])
    assert evaluated(folder, "qrels", "other") == evaluated(folder, "qrels", "run")


@pytest.mark.parametrize("form", list(QRELS_FORMS))
def test_qrels_are_recognised_and_give_the_numbers_of_the_trec_qrels(form: str, folder: Path) -> None:
    put(folder, other=QRELS_FORMS[form])
    assert evaluated(folder, "other", "run") == evaluated(folder, "qrels", "run")


def test_ids_with_escapes_match_those_that_are_written_out(folder: Path) -> None:
    put(
        folder,
        judged='{"qid": 7, "docid": "\\u00e9 \\"x\\"", "grade": 1}\n{"qid": 7, "docid": "\\udc80", "grade": 1}\n',
        other='qid,docid,score\n7,"é ""x""",2\n7,'.encode() + b"\x80,1\n",
    )
    assert evaluated(folder, "judged", "other").splitlines()[-1] == "run\tall\tnDCG@3\t1.0000"


def test_ranks_alone_put_the_smallest_first_and_a_note_says_so(folder: Path) -> None:
    put(folder, other='{"qid": "q1", "docid": "a", "rank": 10}\n{"qid": "q1", "docid": "b", "rank": 9}\n')
    done = call(folder, "evaluate", "-m", "RR", "-f", "tsv", "--missing", "skip", "qrels", "other")
    assert done.out.endswith("RR\t0.5000\n")
    assert "read as JSONL, with the columns qid docid rank; rank 1 stands first" in done.err


def test_keys_that_are_ignored_are_named(folder: Path) -> None:
    put(folder, other='{"qid": "q1", "docid": "a", "score": 1, "title": "tyres"}\n')
    assert "ignored: title" in call(folder, "evaluate", "-m", "RR", "qrels", "other").err


GOOD = '{"qid": "q1", "docid": "b", "score": 2}'
FAULTS = {
    "text": ('{"qid": "q1", "docid": "a", "score": "1.5"}', "RUN002", 38, "expected a number without quotes"),
    "null": ('{"qid": "q1", "docid": "a", "score": null}', "RUN002", 38, "a document without a score has no place"),
    "true": ('{"qid": "q1", "docid": "a", "score": true}', "RUN002", 38, "score is not a number: 'true'"),
    "nan": ('{"qid": "q1", "docid": "é", "score": NaN}', "RUN002", 39, "score is not a number: 'NaN'"),
    "infinity": ('{"qid": "q1", "docid": "a", "score": "Infinity"}', "RUN002", 38, "expected a number without quotes"),
    "too-large": ('{"qid": "q1", "docid": "a", "score": 1e999}', "RUN002", 38, "expected a finite number"),
    "plus": ('{"qid": "q1", "docid": "a", "score": +1}', "RUN001", 38, "not JSON"),
    "cut-off": ('{"qid": "q1", "docid": "a", "sc', "RUN001", 29, "not JSON: Unterminated string"),
    "two": (GOOD + GOOD, "RUN001", len(GOOD) + 1, "not JSON: Extra data"),
    "list": ('["q1", "a", 1]', "RUN001", 1, "no JSON object"),
    "no-score": ('{"qid": "q1", "docid": "a"}', "RUN001", 1, "no key 'score'"),
    "twice": ('{"qid": "q1", "docid": "a", "score": 1, "qid": "q2"}', "RUN001", 41, "'qid' stands here twice"),
    "empty": ('{"qid": "q1", "docid": "", "score": 1}', "RUN001", 24, "the document is empty"),
    "float-id": ('{"qid": 1.0, "docid": "a", "score": 1}', "RUN001", 9, "neither a string nor an integer: '1.0'"),
    "null-id": ('{"qid": "q1", "docid": null, "score": 1}', "RUN001", 24, "neither a string nor an integer: 'null'"),
    "line-break": (
        '{"qid": "q1", "docid": "a\\nb", "score": 1}',
        "RUN001",
        24,
        "the document holds a line break or NUL",
    ),
    "deep": ('{"qid": ' + "[" * 100_000, "RUN001", 1, "too deep to read"),
}


@pytest.mark.parametrize("kind", list(FAULTS))
def test_faults_have_their_exact_place(kind: str, folder: Path) -> None:
    line, code, column, words = FAULTS[kind]
    put(folder, other=f"{GOOD}\n{line}\n".encode())
    done = call(folder, "evaluate", "-m", "AP", "qrels", "other")
    assert (done.code, done.out) == (3, "")
    assert f"error[{code}]" in done.err
    assert f"other:2:{column}\n" in done.err
    assert words in done.err


NESTED_FAULTS = {
    "number": ('{"q2": {"a": 1, "b": "2"}}', "RUN002", 22, "expected a number without quotes"),
    "no-list": ('{"q2": ["a"]}', "RUN001", 8, "what query 'q2' lists is no object"),
    "empty": ('{"q2": {"": 1}}', "RUN001", 9, "the document is empty"),
    "no-query": ('{"": {"a": 1}}', "RUN001", 2, "the query is empty"),
}


@pytest.mark.parametrize("kind", list(NESTED_FAULTS))
def test_faults_of_nested_lines_have_their_exact_place(kind: str, folder: Path) -> None:
    line, code, column, words = NESTED_FAULTS[kind]
    put(folder, other=f'{{"q1": {{"a": 1}}}}\n{line}\n'.encode())
    done = call(folder, "evaluate", "-m", "AP", "--run-format", "jsonl", "qrels", "other")
    assert done.code == 3
    assert f"error[{code}]" in done.err
    assert f"other:2:{column}\n" in done.err
    assert words in done.err


def test_faults_of_qrels_have_their_exact_place(folder: Path) -> None:
    lines = ['{"qid": 1, "docid": "a", "grade": 1}', '{"qid": 1, "docid": "b", "grade": "1"}', '{"qid": 1}']
    put(folder, other="\n".join(lines))
    done = call(folder, "evaluate", "-m", "AP", "other", "run")
    assert done.code == 3
    assert "other:2:35\n" in done.err
    assert "error[QRL002]: grade is not a number" in done.err
    assert "error[QRL001]: no key 'docid'" in done.err


def test_a_missing_key_of_the_first_line_gets_a_suggestion(folder: Path) -> None:
    put(folder, other='{"qid": "q1", "dcoid": "a", "score": 1}\n' * 2)
    done = call(folder, "evaluate", "-m", "AP", "qrels", "other")
    assert done.code == 3
    assert "error[INP011]: no column for the document\n     --> other:1:16" in done.err
    assert "^^^^^ did you mean docid?" in done.err


def test_a_document_that_a_query_lists_twice_is_found(folder: Path) -> None:
    put(folder, other='{"q1": {"a": 3, "b": 2, "a": 1}}\n{"q2": {"a": 3}}\n')
    done = call(folder, "evaluate", "-m", "AP", "qrels", "other")
    assert done.code == 3
    assert "error[RUN010]" in done.err


def test_ranks_must_be_numbers_where_they_break_ties(folder: Path) -> None:
    put(folder, other='{"qid": "q1", "docid": "a", "score": 1, "rank": "x"}\n{"qid": "q1", "docid": "b", "score": 1}\n')
    assert call(folder, "evaluate", "-m", "AP", "qrels", "other").code == 0
    done = call(folder, "evaluate", "-m", "AP", "--ties", "rank", "qrels", "other")
    assert done.code == 3
    assert "error[RUN005]: rank is not a number: '\"x\"'\n     --> other:1:49" in done.err
    assert "error[RUN005]: no rank\n     --> other:2:1\n" in done.err


def test_faulty_lines_can_be_left_out(folder: Path) -> None:
    put(folder, other=f'{GOOD}\n{{"qid": "q1"}}\n{GOOD.replace("b", "c")}\nq1\n')
    done = call(folder, "evaluate", "-m", "NumRet", "-f", "tsv", "--on-error", "skip", "qrels", "other")
    assert (done.code, done.out.splitlines()[-1].split("\t")[-1]) == (0, "2")
    assert "2 faulty lines were left out" in done.err
