"""Runs and qrels as they are written in another format: what they hold, and what that format has no place for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.analysis.inputs import load_qrels
from irevalcli.analysis.lists import load_lists
from irevalcli.analysis.notes import counted
from irevalcli.analysis.policy import has_grades
from irevalcli.errors import UsageProblem
from irevalcli.reading.faults import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from irevalcli.analysis.evaluate import NamedRun
    from irevalcli.analysis.policy import Policy
    from irevalcli.analysis.scores import Note
    from irevalcli.index.judgments import Judgments
    from irevalcli.index.ranked_lists import RankedLists
    from irevalcli.reading.arrays import Bytes
    from irevalcli.reading.opening import Source


class RunQuery(NamedTuple):
    """What a run lists for a query, in rank order."""

    qid: bytes
    docids: list[bytes]
    scores: list[float]


class RunContent(NamedTuple):
    """A run, to be written.

    Attributes:
        lists: its ranked documents.
        tag: its run tag.
        notes: what its reader should know.
    """

    lists: RankedLists
    tag: bytes
    notes: tuple[Note, ...]

    def queries(self) -> Iterator[RunQuery]:
        """The queries in byte order."""
        for index, qid in enumerate(self.lists.qids):
            documents, _ = self.lists.of_queries(np.array([index]))
            start, end = self.lists.docids(documents)
            held = self.lists.data[start[0] : end[-1]].tobytes()
            bounds = (end - start[0]).tolist()
            docids = [held[begin:stop] for begin, stop in zip([0, *bounds[:-1]], bounds, strict=True)]
            yield RunQuery(qid, docids, self.lists.scores[documents].tolist())

    @property
    def is_utf8(self) -> bool:
        """Whether all ids and the tag are UTF-8."""
        return are_utf8([*self.lists.qids, self.tag]) and all(are_utf8(query.docids) for query in self.queries())


def are_utf8(ids: Iterable[bytes]) -> bool:
    """Whether each of the ids is UTF-8."""
    try:
        for each in ids:
            each.decode()
    except UnicodeDecodeError:
        return False
    return True


class Judgment(NamedTuple):
    """One judgment; the group is that of column 2, ``0`` if there is none."""

    qid: bytes
    group: bytes
    docid: bytes
    grade: float


class QrelsContent(NamedTuple):
    """Judgments, to be written."""

    judgments: Judgments
    notes: tuple[Note, ...]

    def rows(self) -> Iterator[Judgment]:
        """Every judgment, those of a query together; queries in byte order, judgments in that of the file."""
        judged = self.judgments
        order = np.lexsort((judged.row_line, judged.query[judged.row_listed]))
        listed = judged.row_listed[order]
        groups = [judged.groups[group] if judged.groups else b"0" for group in judged.row_group[order].tolist()]
        qids = [judged.qids[query] for query in judged.query[listed].tolist()]
        yield from map(Judgment, qids, groups, judged.docids(listed), judged.row_grade[order].tolist())

    def merged(self) -> Iterator[Judgment]:
        """The same with the highest grade of each document, by document, and no groups."""
        judged = self.judgments
        listed = np.arange(judged.num_listed)
        qids = [judged.qids[query] for query in judged.query.tolist()]
        groups = [b"0"] * judged.num_listed
        yield from map(Judgment, qids, groups, judged.docids(listed), judged.grade.tolist())

    @property
    def has_subtopics(self) -> bool:
        """Whether some document is judged more than once."""
        return self.judgments.row_listed.size > self.judgments.num_listed

    @property
    def is_utf8(self) -> bool:
        """Whether all ids are UTF-8."""
        judged = self.judgments
        return are_utf8([*judged.qids, *judged.groups, *judged.docids(np.arange(judged.num_listed))])

    @property
    def has_groups(self) -> bool:
        """Whether column 2 says anything."""
        return len(self.judgments.groups) > 1


def load_run_content(
    run: NamedRun, policy: Policy, *, tag: str, watch: Callable[[Source], None] | None = None
) -> RunContent:
    """A run, whatever its format.

    Args:
        run: the file and its name.
        policy: how it is read, and how ties are broken.
        tag: the run tag to write; the file's own if empty, or the run's name if it has none.
        watch: called whenever some of the run was read, or None.

    Raises:
        InputProblem: the file cannot be used.
    """
    loaded = load_lists(run, policy, watch=watch)
    own = loaded.tags[-1] if loaded.tags else b"_".join(run.label.encode("utf-8", "surrogateescape").split())
    return RunContent(loaded.lists, tag.encode("utf-8", "surrogateescape") or own, loaded.notes)


def load_qrels_content(path: str, policy: Policy) -> QrelsContent:
    """Judgments, whatever their format.

    Raises:
        InputProblem: the file cannot be used.
        UsageProblem: it holds preferences.
    """
    if not has_grades(policy.qrels_format):
        raise UsageProblem("preferences cannot be converted: only trec_eval's own formats have them")
    loaded = load_qrels(path, policy, subtopics=True, merged=False)
    return QrelsContent(loaded.judgments, loaded.notes)


class Room(NamedTuple):
    """What a format has room for.

    Attributes:
        name: of the format.
        scores: for scores beside the order of documents.
        tag: for the run tag.
        grades: for grades; without, for relevant documents alone.
        groups: for column 2 of qrels.
        infinite: for infinite scores.
        separators: bytes that no id may hold.
        comments: for lines that begin with #, so that no qid may.
    """

    name: str
    scores: bool = True
    tag: bool = True
    grades: bool = True
    groups: bool = True
    infinite: bool = True
    separators: bytes = b""
    comments: bool = False


def run_losses(content: RunContent, room: Room) -> list[str]:
    """What of a run is not written, in clauses.

    Raises:
        UsageProblem: the format cannot hold the run at all.
    """
    lists = content.lists
    if not room.infinite and np.isinf(lists.scores).any():
        raise UsageProblem(f"{room.name} has no infinite scores", hints=("csv, tsv, parquet and trec have",))
    check_ids(lists.qids, lists.data, room)
    lost = ["the scores (the order of documents stays)"] if not room.scores else []
    return lost if room.tag else [*lost, "the run tag"]


def qrels_losses(content: QrelsContent, room: Room) -> list[str]:
    """What of qrels is not written, in clauses; otherwise as `run_losses`."""
    judged, lost = content.judgments, []
    check_ids(judged.qids, np.frombuffer(b"".join(judged.docids(np.arange(judged.num_listed))), np.uint8), room)
    if not room.groups and content.has_subtopics:
        lost.append("sub-topics (the highest grade of each document stays)")
    elif not room.groups and content.has_groups:
        lost.append("column 2")
    if not room.grades:
        irrelevant = int(np.count_nonzero(judged.grade < 1))
        if irrelevant:
            lost.append(counted(irrelevant, "judgment") + " with a grade below 1")
        if (judged.grade > 1).any():
            lost.append("grades above 1 (they become 1)")
    return lost


def check_ids(qids: list[bytes], docids: Bytes, room: Room) -> None:
    """Nothing, if the format can hold the ids.

    Args:
        qids: of the queries.
        docids: the bytes of all docids.
        room: of the format.

    Raises:
        UsageProblem: it cannot.
    """
    separators = set(room.separators)
    odd = next((qid for qid in qids if separators & set(qid) or (room.comments and qid.startswith(b"#"))), None)
    if odd is not None:
        raise _no_room(f"query {quoted(odd)}", room)
    if any((docids == separator).any() for separator in separators):
        raise _no_room("docids that hold a blank", room)


def _no_room(what: str, room: Room) -> UsageProblem:
    hints = ("csv, json, jsonl and parquet have room for every id",)
    return UsageProblem(f"{room.name} has no room for {what}", hints=hints)
