from __future__ import annotations

import math
import re
import subprocess
import sys
from collections import defaultdict
from itertools import combinations, pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "benchmarks" / "make_samples.py"
RUNS = ["bm25", "tfidf", "ql", "chargram"]


def texts(name: str) -> dict[str, str]:
    lines = (ROOT / "benchmarks" / "samples" / name).read_text(encoding="utf-8").splitlines()
    pairs = [line.split("\t") for line in lines]
    assert all(len(pair) == 2 for pair in pairs)
    assert all(re.fullmatch(r"[a-z0-9-]+", name) and text == text.strip() and text for name, text in pairs)
    result = dict(pairs)
    assert len(result) == len(lines)
    return result


def rows(folder: str, name: str, columns: int) -> list[list[str]]:
    content = (ROOT / folder / name).read_bytes()
    assert content.endswith(b"\n")
    assert b"\r" not in content
    result = [line.split(" ") for line in content.decode("ascii").splitlines()]
    assert {len(row) for row in result} == {columns}
    return result


def grades() -> dict[str, dict[str, int]]:
    result: dict[str, dict[str, int]] = defaultdict(dict)
    for qid, _, docid, grade in rows("sample_qrels", "sample.qrels", 4):
        result[qid][docid] = int(grade)
    return result


def test_the_script_reproduces_the_sample_runs_byte_for_byte(tmp_path: Path) -> None:
    subprocess.run([sys.executable, SCRIPT, "--output", tmp_path], check=True)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    kept = {path.name: path.read_bytes() for path in (ROOT / "sample_runs").glob("*.run")}
    assert made == kept
    assert sorted(made) == sorted(f"{name}.run" for name in RUNS)


def test_every_pooled_document_is_judged() -> None:
    shown = subprocess.run([sys.executable, SCRIPT, "--pool"], check=True, capture_output=True, encoding="utf-8").stdout
    judged = re.findall(r"^  ([0-3-])  \S+  ", shown, flags=re.MULTILINE)
    assert len(judged) == sum(len(of_query) for of_query in grades().values())
    assert "-" not in judged


def test_the_corpus_is_small_and_the_queries_are_enough() -> None:
    assert 140 <= len(texts("corpus.tsv")) <= 180
    assert len(texts("queries.tsv")) >= 15


@pytest.mark.parametrize("name", RUNS)
def test_a_run_lists_each_query_by_falling_score(name: str) -> None:
    corpus, queries = texts("corpus.tsv"), texts("queries.tsv")
    lists: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for qid, q0, docid, rank, score, tag in rows("sample_runs", f"{name}.run", 6):
        assert (q0, tag) == ("Q0", name)
        assert docid in corpus
        assert re.fullmatch(r"-?\d+\.\d{6}", score)
        lists[qid].append((float(score), docid))
        assert int(rank) == len(lists[qid])
    assert list(lists) == list(queries)
    for ranked in lists.values():
        assert len(ranked) <= 50
        assert len({docid for _, docid in ranked}) == len(ranked)
        assert all(above > below for above, below in pairwise(ranked))


def test_the_runs_differ_in_length_and_hold_ties_and_unjudged_documents() -> None:
    judged = grades()
    lengths, ties, unjudged = {}, 0, {}
    for name in RUNS:
        run = rows("sample_runs", f"{name}.run", 6)
        lengths[name] = len(run)
        ties += sum((a[0], a[4]) == (b[0], b[4]) for a, b in pairwise(run))
        unjudged[name] = sum(row[2] not in judged[row[0]] for row in run)
    assert lengths["tfidf"] < lengths["bm25"] < lengths["ql"] == lengths["chargram"]
    assert ties > 0
    assert min(unjudged.values()) > 0


def test_every_query_has_relevant_and_non_relevant_judgments() -> None:
    corpus, judged = texts("corpus.tsv"), grades()
    assert list(judged) == list(texts("queries.tsv"))
    assert len(rows("sample_qrels", "sample.qrels", 4)) == sum(len(of_query) for of_query in judged.values())
    for of_query in judged.values():
        assert of_query.keys() <= corpus.keys()
        assert set(of_query.values()) <= {0, 1, 2, 3}
        assert sum(grade > 0 for grade in of_query.values()) >= 2
        assert sum(grade == 0 for grade in of_query.values()) >= 5


def test_subtopic_judgments_agree_with_the_grades_of_whole_queries() -> None:
    judged = grades()
    subtopics: dict[str, set[str]] = defaultdict(set)
    seen = set()
    for qid, subtopic, docid, grade in rows("sample_qrels", "subtopics.qrels", 4):
        assert grade in {"0", "1", "2", "3"}
        assert (int(grade) == 0) or judged[qid][docid] > 0
        assert docid in texts("corpus.tsv")
        seen.add((qid, subtopic, docid))
        subtopics[qid].add(subtopic)
    assert len(seen) == len(rows("sample_qrels", "subtopics.qrels", 4))
    assert len(subtopics) >= 6
    for of_query in subtopics.values():
        assert 2 <= len(of_query) <= 4
        assert of_query == {str(number) for number in range(1, len(of_query) + 1)}


def test_preferences_come_from_two_assessors_who_never_contradict_themselves() -> None:
    judged = grades()
    groups: dict[str, dict[str, dict[str, dict[str, float]]]] = defaultdict(lambda: defaultdict(dict))
    for qid, group, subgroup, docid, level in rows("sample_qrels", "preferences.prefs", 5):
        assert docid in judged[qid]
        levels = groups[qid][group].setdefault(subgroup, {})
        assert docid not in levels
        levels[docid] = float(level)
        assert levels[docid] >= 0
    assert len(groups) >= 4
    for of_query in groups.values():
        assert len(of_query) == 2
        for of_group in of_query.values():
            order: dict[tuple[str, str], float] = {}
            for levels in of_group.values():
                for one, other in combinations(sorted(levels), 2):
                    sign = math.copysign(1, levels[one] - levels[other]) * (levels[one] != levels[other])
                    assert order.setdefault((one, other), sign) == sign
            zeros = {docid for levels in of_group.values() for docid, level in levels.items() if level == 0}
            rest = {docid for levels in of_group.values() for docid, level in levels.items() if level > 0}
            assert not zeros & rest
