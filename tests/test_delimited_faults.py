"""CSV and TSV on the command line: the numbers of TREC files, names of columns, and faults with their places."""

from __future__ import annotations

from pathlib import Path

import pytest
from calls import call, put

from irevalcli.reading.headers import DOCID, GRADE, GROUP, QID, RANK, SCORE, TAG, folded

QRELS = "q1 0 a 2\nq1 0 b 0\nq1 0 c 1\nq2 0 a 1\nq2 0 x 1\n"
RUN = (
    "q1 Q0 b 1 9.5 t\nq1 Q0 a 2 8.25 t\nq1 Q0 z 3 8 t\nq1 Q0 c 4 -1e2 t\nq2 Q0 x 1 7 t\nq2 Q0 b 2 7 t\nq2 Q0 a 3 1 t\n"
)


@pytest.fixture(name="folder")
def folder_(tmp_path: Path) -> Path:
    """A folder with qrels and a run in TREC's formats."""
    put(tmp_path, qrels=QRELS, run=RUN)
    return tmp_path


def delimited(text: str, columns: tuple[int, ...], separator: str, *, header: str = "") -> bytes:
    """The columns of lines, with another separator."""
    rows = [line.split() for line in text.splitlines()]
    lines = [*([header] if header else []), *(separator.join(row[column] for column in columns) for row in rows)]
    return "".join(line + "\n" for line in lines).encode()


def evaluated(folder: Path, *arguments: str) -> str:
    """The values of all queries; the run is called run."""
    done = call(folder, "evaluate", "-q", "-f", "tsv", "-m", "AP", "-m", "nDCG@3", *arguments)
    assert (done.code, "error" in done.err) == (0, False), done.err
    return done.out


def refused(folder: Path, *arguments: str) -> str:
    """What is said about files that cannot be used."""
    done = call(folder, "evaluate", "-m", "AP", *arguments)
    assert (done.code, done.out) == (3, "")
    return done.err


RUN_FORMS = {
    "csv": delimited(RUN, (0, 2, 3, 4, 5), ",", header="qid,docid,rank,score,tag"),
    "csv-semicolon": delimited(RUN, (4, 2, 0), ";", header="Score;Doc_No;Query-ID"),
    "csv-bar": delimited(RUN, (0, 2, 4), "|", header="topic | document | similarity"),
    "csv-quoted": delimited(RUN, (0, 2, 4), ",", header='"qid","docid","score"'),
    "tsv": delimited(RUN, (5, 0, 2, 4), "\t", header="system\tq_id\tdoc_id\tscore"),
    "tsv-beir": delimited(RUN, (0, 2, 4), "\t", header="query-id\tcorpus-id\tscore"),
    "marked": b"\xef\xbb\xbf" + delimited(RUN, (0, 2, 4), ",", header="qid,docid,score"),
    "utf-16": delimited(RUN, (0, 2, 4), ",", header="qid,docid,score").decode().encode("utf-16"),
}
QRELS_FORMS = {
    "beir": delimited(QRELS, (0, 2, 3), "\t", header="query-id\tcorpus-id\tscore"),
    "csv": delimited(QRELS, (3, 2, 0), ",", header="relevance,docno,topic"),
    "csv-four": delimited(QRELS, (0, 1, 2, 3), ",", header="qid,iteration,docid,grade"),
    "tsv-four": delimited(QRELS, (0, 1, 2, 3), "\t", header="query_id\tQ0\tdoc_id\tlabel"),
}


@pytest.mark.parametrize("form", list(RUN_FORMS))
def test_runs_are_recognised_and_give_the_numbers_of_the_trec_run(form: str, folder: Path) -> None:
    expected = evaluated(folder, "qrels", "run=run")
    put(folder, other=RUN_FORMS[form])
    assert evaluated(folder, "qrels", "run=other") == expected


@pytest.mark.parametrize("form", list(QRELS_FORMS))
def test_qrels_are_recognised_and_give_the_numbers_of_the_trec_qrels(form: str, folder: Path) -> None:
    expected = evaluated(folder, "qrels", "run=run")
    put(folder, other=QRELS_FORMS[form])
    assert evaluated(folder, "other", "run=run") == expected


def test_ranks_alone_put_the_smallest_first_and_a_note_says_so(folder: Path) -> None:
    put(folder, ranked="rank,docid,qid\n10,a,q1\n9,b,q1\n1,x,q2", scored="qid,docid,score\nq1,a,1\nq1,b,2\nq2,x,1")
    done = call(folder, "evaluate", "-q", "-f", "tsv", "-m", "AP", "-m", "nDCG@3", "qrels", "run=ranked")
    assert done.out == evaluated(folder, "qrels", "run=scored")
    assert "read as CSV, with the columns rank docid qid; rank 1 stands first" in done.err


@pytest.mark.parametrize(
    ("third", "value"), [(("10", "9"), "0.5000"), (("2", "1.5"), "1.0000"), (("2", "2"), "0.5000")]
)
def test_the_third_of_three_columns_is_a_rank_if_it_can_be_one(
    third: tuple[str, str], value: str, folder: Path
) -> None:
    put(folder, other=f"q1,a,{third[0]}\nq1,b,{third[1]}\n")
    asked = ("evaluate", "-m", "RR", "-f", "tsv", "--missing", "skip", "--run-format", "csv")
    done = call(folder, *asked, "qrels", "other")
    assert done.out.endswith(f"RR\t{value}\n")
    assert ("rank 1 stands first" in done.err) == (third == ("10", "9"))


def test_columns_that_are_ignored_are_named(folder: Path) -> None:
    put(folder, frame=",qid,docid,docno,rank,score,query\n0,q1,77,a,0,3.5,tyres and chains\n1,q2,78,x,0,2.5,more")
    done = call(folder, "evaluate", "-m", "RR", "-f", "tsv", "qrels", "frame")
    assert done.out.endswith("RR\t1.0000\n")
    assert "ignored: a column without a name, docid, query" in done.err


def test_qrels_of_two_columns_with_a_header_list_relevant_documents(folder: Path) -> None:
    put(folder, pairs="qid,docid\nq1,z\nq2,a")
    done = call(folder, "evaluate", "-m", "RR", "-f", "tsv", "pairs", "run")
    assert done.out.endswith("RR\t0.3333\n")
    assert "each document listed is relevant, with grade 1" in done.err


HEADERS = {
    "misspelt": (
        "qid,docid,scroe\nq1,a,1",
        ["other:1:11", "no column for the score", "^^^^^ did you mean score?"],
    ),
    "missing": (
        "qid,docno,grade\nq1,a,1",
        ["other:1:1", "no column for the score", "expected one of score, similarity"],
    ),
    "twice": (
        "qid,score,doc_id,query_id,DocID\nq1,1,a,q1,a",
        ["other:1:18", "two columns for the query: 'qid' and 'query_id'", "^^^^^^^^ expected one of them"],
    ),
    "no-document": ("qid\ttext\tscore\nq1\ta\t1", ["no column for the document", "expected one of docno"]),
}


@pytest.mark.parametrize("kind", list(HEADERS))
def test_a_header_that_does_not_do_is_refused_with_its_place(kind: str, folder: Path) -> None:
    text, said = HEADERS[kind]
    put(folder, other=text)
    message = refused(folder, "qrels", "other")
    assert "error[INP011]" in message
    for words in said:
        assert words in message


def test_a_run_in_the_place_of_qrels_is_recognised_by_its_columns(folder: Path) -> None:
    put(folder, other="qid,docid,rank,score\nq1,a,1,2.5")
    assert "these are the columns of a run" in refused(folder, "other", "run")


def test_a_trec_run_with_a_header_stays_an_error(folder: Path) -> None:
    put(folder, other="TOPIC_ID INTERACTION PID RANK SCORE RUN_ID\nq1 Q0 a 1 2 sys")
    assert "other:1:31" in refused(folder, "qrels", "other")


FAULTS = {
    "fields": ("q1,a,1,x", "RUN001", "2:1", "4 fields, 3 expected"),
    "unclosed": ('q1,"a,1', "RUN001", "2:4", "a quote is not closed"),
    "line-break": ('q1,"a\nb",1', "RUN001", "2:4", "fields hold no line breaks"),
    "behind-a-quote": ('q1,"a"b,1', "RUN001", "2:7", "a quote inside a field"),
    "inside": ('q1,a"b",1', "RUN001", "2:5", 'quotes around the whole field, and "" inside it'),
    "no-docid": ("q1,,1", "RUN001", "2:4", "the document is empty"),
    "no-qid": ('"",a,1', "RUN001", "2:2", "the query is empty"),
    "no-score": ("q1,a,", "RUN002", "2:6", "a document without a score has no place"),
    "nan": ("q1,a,NaN", "RUN002", "2:6", "score is not a number: 'NaN'"),
    "blank-before": ("q1,a, 1", "RUN002", "2:6", "score is not a number: ' 1'"),
    "quoted-comma": ('q1,a,"2,5"', "RUN002", "2:7", "expected e.g. 2.5 (decimal point, not comma)"),
    "nul": ("q1,a\0,1", "INP005", "2:5", "NUL"),
}


@pytest.mark.parametrize("kind", list(FAULTS))
def test_faults_of_csv_have_their_exact_place(kind: str, folder: Path) -> None:
    line, code, place, words = FAULTS[kind]
    put(folder, other=f"qid,docid,score\n{line}\nq1,c,1\n".encode())
    message = refused(folder, "qrels", "other")
    assert f"error[{code}]" in message
    assert f"other:{place}\n" in message
    assert words in message


def test_a_header_with_a_nul_byte_is_refused(folder: Path) -> None:
    put(folder, other=b"qid,docid,score,t\0xt\nq1,a,1,x\n")
    message = refused(folder, "qrels", "other")
    assert "error[INP005]" in message
    assert "other:1:18" in message


def test_a_decimal_comma_among_semicolons_gets_the_usual_advice(folder: Path) -> None:
    put(folder, other="qid;docid;score\nq1;a;2,5\n")
    message = refused(folder, "qrels", "other")
    assert "other:2:6" in message
    assert "^^^ expected e.g. 2.5 (decimal point, not comma)" in message


def test_faults_of_qrels_have_their_exact_place(folder: Path) -> None:
    put(folder, other="query-id\tcorpus-id\tscore\nq1\ta\tone\nq1\t\t1\nq1\tb\n")
    message = refused(folder, "other", "run")
    for code, place in (("QRL002", "2:6"), ("QRL001", "3:4"), ("QRL001", "4:1")):
        assert f"error[{code}]" in message
        assert f"other:{place}\n" in message


def test_two_grades_for_one_document_are_found_behind_quotes(folder: Path) -> None:
    put(folder, other='qid,docid,rel\nq1,"a ""b""",1\n"q1","c",2\nq1,"a ""b""",3\n')
    message = refused(folder, "other", "run")
    assert "error[QRL011]" in message
    assert "other:4" in message
    assert "has grade 3 here and 1 in line 2" in message


def test_duplicates_of_a_run_are_named_with_both_lines(folder: Path) -> None:
    put(folder, other='qid,docid,score\nq1,a,3\nq1,"a",2\n')
    message = refused(folder, "qrels", "other")
    assert "error[RUN010]" in message
    assert "line 2" in message


def test_faulty_lines_can_be_left_out(folder: Path) -> None:
    put(folder, other='qid,docid,score\nq1,a,3\nq1,"b,2\nq1,c,x\nq2,x,1\n')
    done = call(folder, "evaluate", "-m", "NumRet", "-f", "tsv", "--on-error", "skip", "qrels", "other")
    assert (done.code, done.out.splitlines()[-1].split("\t")[-1]) == (0, "2")
    assert "2 faulty lines were left out" in done.err


def test_ids_with_blanks_need_tsv_to_be_named(folder: Path) -> None:
    put(folder, other="q1\tQ0\ta b c\t1\t9\tmy run\n", judged="q1\t0\ta b c\t1\n")
    assert "with --run-format tsv" in refused(folder, "qrels", "other")
    done = call(
        folder, "evaluate", "-m", "AP", "-f", "tsv", "--run-format", "tsv", "--qrels-format", "tsv", "judged", "other"
    )
    assert done.out.endswith("AP\t1.0000\n")


@pytest.mark.parametrize(
    ("text", "name"), [("q1,a\n", "csv"), ("q1\tQ0\ta\t1\t2.5\n", "tsv"), ("Q;D;S\nq1;a;1", "csv")]
)
def test_a_file_that_is_said_to_be_delimited_and_has_unknown_columns_is_refused(
    text: str, name: str, folder: Path
) -> None:
    put(folder, other=text)
    assert "error[INP011]" in refused(folder, "--run-format", name, "qrels", "other")


def test_the_documentation_lists_the_names_of_columns() -> None:
    page = (Path(__file__).parents[1] / "docs" / "input-files.md").read_text("utf-8")
    rows = [row.split("|")[2] for row in page.partition("| column | names |")[2].split("\n\n")[0].splitlines()[2:]]
    listed = [[{folded(name.encode()) for name in group.split(",")} for group in row.split(";")] for row in rows]
    known = [QID, DOCID, SCORE, RANK, TAG, GRADE, GROUP]
    assert listed == [[set(group) for group in role.names] for role in known]
