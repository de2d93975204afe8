"""``validate --fix``: what is put right, that nothing else changes, and what is left alone."""

from __future__ import annotations

import gzip
import os
import re
from typing import TYPE_CHECKING

import pytest
from calls import call
from hypothesis import given
from hypothesis import strategies as st

from irevalcli.analysis.fixing import changes_of, repair_of
from irevalcli.output.line_diff import unified_diff
from irevalcli.reading.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

RANKS = ("RUN011", "RUN018")
FIXABLE = tuple(rule.code for rule in RULES.values() if rule.fixable)


def fixed(folder: Path, raw: bytes, codes: Collection[str] = FIXABLE, kind: str = "run") -> bytes:
    """What a file that holds these bytes would hold."""
    path = folder / "file"
    path.write_bytes(raw)
    repair = repair_of(str(path), "run" if kind == "run" else "qrels", codes)
    changes = list(changes_of(repair)) if repair.counts else []
    assert not changes or b"".join(change.before for change in changes) == raw
    return b"".join(change.after for change in changes) if changes else raw


def counts(folder: Path, raw: bytes, codes: Collection[str] = FIXABLE) -> dict[str, int]:
    path = folder / "file"
    path.write_bytes(raw)
    return repair_of(str(path), "run", codes).counts


def test_exactly_the_fixable_rules_of_the_catalogue_are_known() -> None:
    assert set(FIXABLE) == {"INP006", "INP007", "INP008", *RANKS}


def test_a_byte_order_mark_goes(tmp_path: Path) -> None:
    raw = b"\xef\xbb\xbfq 0 d 1\n"
    assert fixed(tmp_path, raw, kind="qrels") == b"q 0 d 1\n"
    assert counts(tmp_path, raw) == {"INP006": 1}


def test_carriage_returns_go_from_line_ends_and_from_nowhere_else(tmp_path: Path) -> None:
    raw = b"q 0 d 1\r\n\r\nq\r0 e 1\r\r\n"
    assert fixed(tmp_path, raw, kind="qrels") == b"q 0 d 1\n\nq\r0 e 1\n"
    assert counts(tmp_path, raw) == {"INP007": 3}


def test_a_missing_line_end_is_supplied(tmp_path: Path) -> None:
    assert fixed(tmp_path, b"q 0 d 1\nq 0 e 1", kind="qrels") == b"q 0 d 1\nq 0 e 1\n"
    assert counts(tmp_path, b"q 0 d 1") == {"INP008": 1}


def test_the_supplied_line_end_is_that_of_the_other_lines(tmp_path: Path) -> None:
    raw = b"q 0 d 1\r\nq 0 e 1"
    assert fixed(tmp_path, raw, ["INP008"], "qrels") == raw + b"\r\n"
    assert fixed(tmp_path, raw + b"\r", ["INP008"], "qrels") == raw + b"\r\n"
    assert fixed(tmp_path, raw, ["INP007"], "qrels") == b"q 0 d 1\nq 0 e 1"


def test_ranks_are_renumbered_by_score_and_nothing_else_moves(tmp_path: Path) -> None:
    raw = b"# bm25\nq Q0  a 1 3.5 t\n\nq Q0\tb   2  9 t \nq Q0 c 10 4 t \nr Q0 a 1 1 t\n"
    assert fixed(tmp_path, raw) == b"# bm25\nq Q0  a 3 3.5 t\n\nq Q0\tb   1  9 t \nq Q0 c 2 4 t \nr Q0 a 1 1 t\n"
    assert counts(tmp_path, raw) == {"RUN011": 1}


def test_ties_are_renumbered_by_document_descending(tmp_path: Path) -> None:
    raw = b"q Q0 a 0 3 t\nq Q0 b 0 3 t\nq Q0 c 0 1 t\nq Q0 d 0 3 t\n"
    assert fixed(tmp_path, raw) == b"q Q0 a 3 3 t\nq Q0 b 2 3 t\nq Q0 c 4 1 t\nq Q0 d 1 3 t\n"


def test_ranks_that_order_ties_in_their_own_way_stay(tmp_path: Path) -> None:
    assert counts(tmp_path, b"q Q0 a 1 3 t\nq Q0 b 2 3 t\nq Q0 c 3 1 t\n") == {}


def test_ranks_stay_that_say_the_opposite_of_the_scores_in_every_query(tmp_path: Path) -> None:
    raw = b"q Q0 a 1 0.1 t\nq Q0 b 2 0.2 t\nr Q0 a 1 0.3 t\nr Q0 b 2 0.5 t\ns Q0 a 1 0.3 t\n"
    path = tmp_path / "run"
    path.write_bytes(raw)
    repair = repair_of(str(path), "run", FIXABLE)
    assert (repair.counts, repair.left) == (
        {},
        ("ranks stay: they say the opposite of the scores, which may be distances",),
    )
    assert counts(tmp_path, raw + b"t Q0 a 1 2 t\nt Q0 b 2 1 t\n") == {"RUN011": 2}


def test_each_rule_is_followed_only_if_it_is_selected(tmp_path: Path) -> None:
    raw = b"q Q0 a 0 3 t\nq Q0 b 1 2 t\nr Q0 a 2 3 t\nr Q0 b 1 4 t\ns Q0 a 2 3 t\ns Q0 b 1 2 t\n"
    assert counts(tmp_path, raw, ["RUN018"]) == {"RUN018": 1}
    assert counts(tmp_path, raw, ["RUN011"]) == {"RUN011": 1}
    assert counts(tmp_path, raw, ["INP007", "RUN010"]) == {}
    assert fixed(tmp_path, raw, ["RUN018"]) == raw.replace(b"a 0 3", b"a 1 3").replace(b"b 1 2 t\nr", b"b 2 2 t\nr")


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"q Q0 a 0 1,4 t\n", "some scores are no numbers"),
        (b"q Q0 a 0 3 t\nq Q0 b\n", "some lines have a wrong number of fields"),
        (b"q Q0 a 0 3 t more\n", "some lines have more fields than a run has, so that the fourth may not be the rank"),
        (b"q Q0 a 0 3 t\nr Q0 b 0 1 t\nq Q0 b 0 1 t\n", "the lines of a query do not stand together"),
    ],
)
def test_ranks_stay_where_they_cannot_be_told_and_the_rest_is_put_right(
    raw: bytes, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "run"
    path.write_bytes(raw.replace(b"\n", b"\r\n"))
    repair = repair_of(str(path), "run", FIXABLE)
    assert repair.left == (f"ranks stay: {reason}",)
    assert set(repair.counts) == {"INP007"}
    assert fixed(tmp_path, raw.replace(b"\n", b"\r\n")) == raw


def test_ranks_that_are_no_integers_stay(tmp_path: Path) -> None:
    assert counts(tmp_path, b"q Q0 a first 3 t\nq Q0 b 0 4 t\nr Q0 a 0 1 t\n") == {"RUN018": 1}
    left = repair_of(str(tmp_path / "file"), "run", FIXABLE).left
    assert left == ("ranks that are no integers stay, those of 1 query",)


@pytest.mark.parametrize("raw", [b"q 0 d 1\n", b"", b"q 0 d 1\n\xff\xfe"])
def test_qrels_and_empty_files_have_no_ranks(raw: bytes, tmp_path: Path) -> None:
    assert fixed(tmp_path, raw, RANKS, "qrels") == raw


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (gzip.compress(b"q Q0 a 0 3 t\r\n"), "it is compressed or an archive: unpack it first"),
        ("q Q0 a 0 3 t\r\n".encode("utf-16"), "it is UTF-16: convert it to UTF-8 first"),
        (b"q Q0 a 0\x00 3 t\r\n", "it is no text file"),
    ],
    ids=["gzip", "utf-16", "nul"],
)
def test_what_is_no_plain_text_is_left_as_it_is(raw: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "run"
    path.write_bytes(raw)
    assert repair_of(str(path), "run", FIXABLE) == (str(path), {}, (reason,), *repair_of("x", "run", ())[3:])


def test_what_is_no_regular_file_is_left_as_it_is(tmp_path: Path) -> None:
    for path in ("-", str(tmp_path), str(tmp_path / "none")):
        assert repair_of(path, "run", FIXABLE).left == ("only regular files are",)


LINES = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "c", "dd", "é"]),
        st.sampled_from(["0", "1", "2", "3", "10", "007", "-1"]),
        st.sampled_from(["1", "2.5", "-3", "1e1", "inf", "2.50"]),
    ),
    min_size=1, max_size=6, unique_by=lambda line: line[0],
)  # fmt: skip


@given(queries=st.lists(LINES, min_size=1, max_size=4), ending=st.sampled_from(["\n", "\r\n"]), ended=st.booleans())
def test_after_fixing_there_is_nothing_left_to_fix_and_only_ranks_and_ends_have_changed(
    queries: list[list[tuple[str, str, str]]], ending: str, ended: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()
    # Ranks that say the opposite of the scores in every query stay; here they do not in the first one.
    lines = ["straight Q0 a 1\t2 t", "straight Q0 b 2\t1 t"]
    lines += [
        f"q{place} Q0 {docid} {rank}\t{score} t" for place, query in enumerate(queries) for docid, rank, score in query
    ]
    raw = (ending.join(lines) + ending * ended).encode()
    new = fixed(folder, raw)
    assert fixed(folder, new) == new
    assert counts(folder, new) == {}

    def others(text: bytes) -> list[list[bytes]]:
        return [[*fields[:3], *fields[4:]] for fields in map(bytes.split, text.splitlines())]

    assert others(new) == others(raw)
    ranked: dict[bytes, list[tuple[float, int]]] = {}
    for qid, _, _, rank, score, _ in map(bytes.split, new.splitlines()):
        ranked.setdefault(qid, []).append((float(score), int(rank)))
    for rows in ranked.values():
        assert min(rank for _, rank in rows) == 1
        assert all(one[1] < other[1] for one in rows for other in rows if one[0] > other[0])


def patched(before: bytes, diff: bytes) -> bytes:
    """What `patch` makes of a file, by a unified diff."""
    lines, out, at = before.splitlines(keepends=True), [], 0
    _, *parts = re.split(rb"(?m)^@@ -(\d+),.* @@\n", diff)
    for first, hunk in zip(parts[::2], parts[1::2], strict=True):
        out += lines[at : int(first) - 1]
        at = int(first) - 1
        for line in hunk.splitlines(keepends=True):
            if line[:1] in b" -":
                assert lines[at] == line[1:]
                at += 1
            if line[:1] in b" +":
                out.append(line[1:])
    return b"".join(out + lines[at:])


@given(ranks=st.lists(st.sampled_from([0, 1, 1, 1, 1, 1, 1]), max_size=60))
def test_the_diff_makes_the_fixed_file_out_of_the_old_one(
    ranks: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()
    raw = b"".join(b"q%d Q0 d %d 1 t\n" % (place, rank) for place, rank in enumerate(ranks))
    new = fixed(folder, raw)
    repair = repair_of(str(folder / "file"), "run", FIXABLE)
    diff = b"".join(unified_diff("file", lambda: changes_of(repair)))
    assert patched(raw, diff) == new
    assert (diff == b"") == (raw == new)


def test_the_diff_echoes_bytes_and_marks_a_missing_line_end(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_bytes(b"\xffq Q0 a 0 1 t")
    shown = call(tmp_path, "validate", "--diff", "a.run")
    assert shown.code == 1
    assert shown.out.encode("utf-8", "surrogateescape") == (
        b"--- a.run\n+++ a.run\n@@ -1,1 +1,1 @@\n-\xffq Q0 a 0 1 t\n\\ No newline at end of file\n+\xffq Q0 a 1 1 t\n"
    )
    assert shown.err == "note:    --fix would change a.run (INP008 ×1, RUN018 ×1)\n"
    assert (tmp_path / "a.run").read_bytes() == b"\xffq Q0 a 0 1 t"


def test_a_diff_of_nothing_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_bytes(b"q Q0 a 1 1 t\n")
    assert call(tmp_path, "validate", "--diff", "a.run") == (0, "", "")


def test_the_fixed_file_keeps_its_permissions_and_leaves_no_other_behind(tmp_path: Path) -> None:
    run = tmp_path / "a.run"
    run.write_bytes(b"q Q0 a 0 1 t\n")
    run.chmod(0o640)
    (tmp_path / "link.run").symlink_to(run)
    ended = call(tmp_path, "validate", "--fix", "link.run")
    assert ended.err == "note:    changed link.run (RUN018 ×1)\n"
    assert run.read_bytes() == b"q Q0 a 1 1 t\n"
    assert run.stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "link.run").is_symlink()
    assert sorted(os.listdir(tmp_path)) == ["a.run", "link.run"]  # noqa: PTH208
