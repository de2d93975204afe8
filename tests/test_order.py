"""The ranking order, against a plain sort."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import STRICT, buffer_of, judgments_in, merge_ranked, ranked, run_in, single

from irevalcli.index.order import Ranks, Rows, TieRule, rank_hits
from irevalcli.index.scan import RunRules

Row = tuple[bytes, float]

# Docids that share 7, 8, 15, 16, 17 or 24 bytes, or begin one another; high bytes tell unsigned order from signed.
STEMS = [b"a" * length for length in (0, 1, 7, 8, 15, 16, 17, 24)] + [b"\xff" * 8, b"a" * 8 + b"\xff" * 8]
ENDS = [b"a", b"b", b"B", b"9", b"\x01", b"\xff", b"\xc3\xa9"]
DOCIDS = st.builds(bytes.__add__, st.sampled_from(STEMS), st.sampled_from(ENDS))
# Few values, so that most scores tie; pairs that are one float32; both zeros; infinities.
SCORES = st.sampled_from([0.0, -0.0, 1.0, 1.0 + 2**-52, 1.0 + 2**-24, -1.5, 1e308, 1e-320, math.inf, -math.inf])
QUERY = st.dictionaries(DOCIDS, SCORES, min_size=1, max_size=20).map(lambda query: list(query.items()))
RULES = st.builds(TieRule, docid_descending=st.booleans(), single_precision=st.booleans())


def ranks_of(queries: list[list[Row]], hits: list[int], rule: TieRule) -> Ranks:
    rows = [row for query in queries for row in query]
    data, docids = buffer_of([docid for docid, _ in rows])
    ends = np.cumsum([len(query) for query in queries])
    starts = ends - [len(query) for query in queries]
    scores = np.array([score for _, score in rows], np.float64)
    return rank_hits(Rows(data, docids, scores, starts, ends), np.array(hits, np.int64), rule)


def expected(queries: list[list[Row]], rule: TieRule) -> list[tuple[int, int, int]]:
    """Per row: rank, rank of the first row with its score, number of these."""
    found = []
    for query in queries:
        compared = [(docid, single(score) if rule.single_precision else score) for docid, score in query]
        order = ranked(compared, descending=rule.docid_descending)
        scores = [score for _, score in order]
        found += [(order.index(row) + 1, scores.index(row[1]) + 1, scores.count(row[1])) for row in compared]
    return found


def found_in(ranks: Ranks) -> list[tuple[int, int, int]]:
    return list(zip(ranks.rank.tolist(), ranks.tie_first.tolist(), ranks.tie_size.tolist(), strict=True))


@settings(max_examples=250, deadline=None)
@given(queries=st.lists(QUERY, min_size=1, max_size=5), rule=RULES, chosen=st.randoms(use_true_random=False))
def test_hits_have_the_ranks_that_a_plain_sort_gives(
    queries: list[list[Row]], rule: TieRule, chosen: random.Random
) -> None:
    every = expected(queries, rule)
    hits = [row for row in range(len(every)) if chosen.random() < 0.6]
    assert found_in(ranks_of(queries, hits, rule)) == [every[row] for row in hits]


@settings(max_examples=200, deadline=None)
@given(queries=st.lists(QUERY, min_size=1, max_size=5), rule=RULES)
def test_tied_rows_are_those_with_the_score_of_the_row_above(queries: list[list[Row]], rule: TieRule) -> None:
    ties = sum(len(query) for query in queries) - sum(
        len({single(score) if rule.single_precision else score for _, score in query}) for query in queries
    )
    assert ranks_of(queries, [], rule).tied_rows == ties


@pytest.mark.parametrize("seed", range(4))
def test_large_ties_with_docids_of_common_prefixes_are_ranked_as_by_a_plain_sort(seed: int) -> None:
    choose = random.Random(seed)
    stems = [b"clueweb12-0000wb-", b"clueweb12-00", b"x" * 32, b""]
    queries = []
    for _ in range(8):
        docids = {choose.choice(stems) + b"%d" % choose.randrange(10**6) for _ in range(choose.randrange(1, 1500))}
        levels = choose.choice([1, 3, 10**9])
        names = sorted(docids)
        choose.shuffle(names)
        queries.append([(docid, float(choose.randrange(levels))) for docid in names])
    rule = TieRule(docid_descending=seed % 2 == 0)
    hits = sorted(choose.sample(range(sum(map(len, queries))), 500))
    fast = []
    for query in queries:
        order = {row: rank for rank, row in enumerate(ranked(query, descending=rule.docid_descending), 1)}
        fast += [order[row] for row in query]
    assert ranks_of(queries, hits, rule).rank.tolist() == [fast[row] for row in hits]


@settings(max_examples=300, deadline=None)
@given(
    queries=st.lists(
        st.dictionaries(DOCIDS, st.one_of(SCORES, st.just(math.nan)), min_size=1, max_size=20).map(
            lambda query: list(query.items())
        ),
        min_size=1,
        max_size=3,
    ),
    descending=st.booleans(),
)
def test_rows_without_a_number_are_ordered_as_by_a_merge_sort(queries: list[list[Row]], descending: bool) -> None:
    ranks = []
    for query in queries:
        order = [docid for docid, _ in merge_ranked(query, descending=descending)]
        ranks += [order.index(docid) + 1 for docid, _ in query]
    found = ranks_of(queries, list(range(len(ranks))), TieRule(docid_descending=descending))
    assert found.rank.tolist() == ranks


def test_a_merge_with_nan_depends_on_where_the_halves_meet() -> None:
    # By hand: halves of the docids a b | c d. Left: a=1 b=nan (nan ties, docid descending) -> b a. Right: d=3 c=2.
    # Merge: b(nan) against d: tied, d first; b against c: tied, c first; then b, a.
    rows = [(b"a", 1.0), (b"b", math.nan), (b"c", 2.0), (b"d", 3.0)]
    assert ranks_of([rows], [0, 1, 2, 3], TieRule()).rank.tolist() == [4, 3, 2, 1]


def order_in_run(lines: bytes, docids: list[bytes], rules: RunRules = STRICT) -> list[bytes]:
    judgments = judgments_in(b"".join(b"q 0 %s 1\n" % docid for docid in docids))
    ranking, _ = run_in(lines, judgments, rules)
    return judgments.docids(ranking.listed)


def test_ties_go_to_the_later_docid_in_bytes() -> None:
    docids = [b"a", b"a1", b"a10", b"a2", b"B", b"\xc3\xa9", b"z"]
    run = b"".join(b"q Q0 %s 1 7 t\n" % docid for docid in docids)
    assert order_in_run(run, docids) == [b"\xc3\xa9", b"z", b"a2", b"a10", b"a1", b"a", b"B"]


def test_the_rank_column_and_the_order_of_lines_are_ignored() -> None:
    run = b"q Q0 low 1 1 t\nq Q0 high 3 9 t\nq Q0 middle 2 5 t\n"
    assert order_in_run(run, [b"low", b"high", b"middle"]) == [b"high", b"middle", b"low"]


def test_scores_that_are_one_float32_tie_only_in_single_precision() -> None:
    run = b"q Q0 z 1 1.00000001 t\nq Q0 a 2 1.00000002 t\n"
    assert order_in_run(run, [b"a", b"z"]) == [b"a", b"z"]
    assert order_in_run(run, [b"a", b"z"], RunRules(TieRule(single_precision=True))) == [b"z", b"a"]


def test_negative_zero_ties_with_zero() -> None:
    assert order_in_run(b"q Q0 a 1 0.0 t\nq Q0 b 2 -0.0 t\nq Q0 c 3 0 t\n", [b"a", b"b", b"c"]) == [b"c", b"b", b"a"]


def test_infinite_scores_stand_first_and_last() -> None:
    run = b"q Q0 a 1 -inf t\nq Q0 b 2 1e308 t\nq Q0 c 3 Infinity t\nq Q0 d 4 -1e308 t\n"
    assert order_in_run(run, [b"a", b"b", b"c", b"d"]) == [b"c", b"b", b"d", b"a"]
