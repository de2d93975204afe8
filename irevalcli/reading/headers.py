"""Names of columns and of JSON keys: which of them is the query, the document, the score."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.errors import InputProblem
from irevalcli.reading.faults import quoted
from irevalcli.reading.qrels_rows import QrelsShape
from irevalcli.reading.rules import UNKNOWN_FORMAT
from irevalcli.reading.run_rows import RunShape

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from irevalcli.reading.faults import DataLine


class Role(NamedTuple):
    """What a column can hold.

    Attributes:
        name: short, as formats are described.
        words: in messages.
        names: how the column may be called, folded (see `folded`). If several columns of a file have the role, the one
            with a name of the earliest group counts: a file with ``qid`` and ``query`` has the text of queries, too.
    """

    name: str
    words: str
    names: tuple[tuple[str, ...], ...]


QID = Role("qid", "the query", (("qid", "queryid", "topicid"), ("query", "topic")))
DOCID = Role("docid", "the document", (("docno", "corpusid"), ("docid", "documentid"), ("doc", "document")))
SCORE = Role("score", "the score", (("score",), ("similarity",)))
RANK = Role("rank", "the rank", (("rank",),))
TAG = Role("tag", "the run tag", (("tag", "runid"), ("run", "system")))
GRADE = Role("grade", "the grade", (("grade", "rel", "relevance", "label", "qrel"), ("score",)))
GROUP = Role("group", "the sub-topic", (("subtopic", "subtopicid", "group"), ("iteration", "iter")))

GRADE_ALONE = GRADE._replace(names=GRADE.names[:1])
"""Without the name that runs have, too."""

RUN_ROLES = (QID, DOCID, SCORE, RANK, TAG)
QRELS_ROLES = (QID, DOCID, GRADE, GROUP)
UNUSED = frozenset({"q0", "iteration", "iter"})
"""Columns of runs that no one misses."""

SHOWN = 5
"""How many ignored columns a note names."""

_BEIR = {"queryid", "corpusid", "score"}
FEWEST_KNOWN = 2
"""A line with so many known names is a header."""


def folded(name: bytes) -> str:
    """A name without case, hyphens, underscores, blanks and byte order mark."""
    return re.sub(r"[\s_\ufeff-]", "", name.decode("utf-8", "replace")).lower()


def known_roles(names: Iterable[bytes], roles: Sequence[Role]) -> set[str]:
    """The roles that occur among names."""
    texts = {folded(name) for name in names}
    return {role.name for role in roles if any(not texts.isdisjoint(group) for group in role.names)}


def is_header(names: Sequence[bytes], roles: Sequence[Role]) -> bool:
    """Whether these are the names of columns."""
    return len(known_roles(names, roles)) >= FEWEST_KNOWN


def names_judgments(names: Sequence[bytes]) -> bool | None:
    """Whether names of columns are those of qrels rather than those of a run; None if they may be either."""
    texts = {folded(name) for name in names}
    if texts == _BEIR or not texts.isdisjoint(GRADE.names[0]):
        return True
    return False if known_roles(names, (SCORE, RANK)) else None


class Columns(NamedTuple):
    """Which column has which role, by its number from 0, and the names of the others."""

    places: dict[str, int]
    ignored: list[bytes]


def run_columns(header: DataLine, path: str) -> Columns:
    """The columns of a run.

    Args:
        header: line that has their names, or keys, as its fields.
        path: the file's name.

    Raises:
        InputProblem: a column is missing, or two have the same role.
    """
    found = _columns(header, RUN_ROLES, path)
    if SCORE.name not in found.places and RANK.name not in found.places:
        raise _missing(header, SCORE, found, path)
    return found._replace(ignored=[name for name in found.ignored if folded(name) not in UNUSED])


def qrels_columns(header: DataLine, path: str) -> Columns:
    """The columns of qrels, otherwise as `run_columns`; where there are but qid and docid, no grade is missed."""
    found = _columns(header, QRELS_ROLES, path)
    if GRADE.name not in found.places and found.ignored:
        raise _missing(header, GRADE, found, path)
    names = [field.text for field in header.fields]
    if known_roles(names, RUN_ROLES) >= {SCORE.name, RANK.name} and not known_roles(names, (GRADE_ALONE,)):
        raise _problem(header, 0, "these are the columns of a run", path, "expected a column for the grade")
    return found


def _columns(header: DataLine, roles: Sequence[Role], path: str) -> Columns:
    names = [folded(field.text) for field in header.fields]
    places: dict[str, int] = {}
    for role in roles:
        for group in role.names:
            found = [place for place, name in enumerate(names) if name in group]
            if found:
                places[role.name] = found[0]
            if len(found) > 1:
                first, second = (quoted(header.fields[place].text) for place in found[:2])
                message = f"two columns for {role.words}: {first} and {second}"
                raise _problem(header, found[1], message, path, "expected one of them")
            if found:
                break
    used = set(places.values())
    columns = Columns(places, [field.text for place, field in enumerate(header.fields) if place not in used])
    for role in (QID, DOCID):
        if role.name not in places:
            raise _missing(header, role, columns, path)
    return columns


def _missing(header: DataLine, role: Role, found: Columns, path: str) -> InputProblem:
    from difflib import get_close_matches  # noqa: PLC0415  (start-up: only for errors)

    known = [name for group in role.names for name in group]
    used = set(found.places.values())
    message = f"no column for {role.words}"
    for place, field in enumerate(header.fields):
        close = [] if place in used else get_close_matches(folded(field.text), known, 1)
        if close:
            return _problem(header, place, message, path, f"did you mean {close[0]}?")
    return _problem(header, None, message, path, f"expected one of {', '.join(known)}")


def _problem(header: DataLine, place: int | None, message: str, path: str, expected: str) -> InputProblem:
    at = None if place is None else header.fields[place]
    finding = header.finding(UNKNOWN_FORMAT, message, path, at=at, expected=expected)
    return InputProblem.of(finding._replace(help="rename the columns, or convert the file"))


def run_shape(columns: Columns, width: int) -> RunShape:
    """The shape of a run with these columns; without a score, smaller ranks stand first."""
    places = columns.places
    ranked = SCORE.name not in places
    return RunShape(
        width,
        places[QID.name],
        places[DOCID.name],
        places[RANK.name if ranked else SCORE.name],
        None if ranked else places.get(RANK.name),
        places.get(TAG.name),
        _in_words(places),
        smaller_first=ranked,
    )


def qrels_shape(columns: Columns, width: int) -> QrelsShape:
    """The shape of qrels with these columns."""
    places = columns.places
    group = places.get(GROUP.name)
    grade = places.get(GRADE.name)
    return QrelsShape(width, places[QID.name], places[DOCID.name], grade, group, None, _in_words(places))


def _in_words(places: dict[str, int]) -> str:
    return " ".join(sorted(places, key=places.__getitem__))


def run_note(title: str, columns: Columns) -> str:
    """What users should know about the columns of a run, or ""."""
    ranked = SCORE.name not in columns.places
    return _note(title, columns, "rank 1 stands first" if ranked else "")


def qrels_note(title: str, columns: Columns) -> str:
    """What users should know about the columns of qrels, or ""."""
    graded = GRADE.name in columns.places
    return _note(title, columns, "" if graded else "each document listed is relevant, with grade 1")


def _note(title: str, columns: Columns, meaning: str) -> str:
    names = [quoted(name)[1:-1] or "a column without a name" for name in columns.ignored]
    more = ", …" if len(names) > SHOWN else ""
    ignored = f"ignored: {', '.join(names[:SHOWN])}{more}" if names else ""
    said = [part for part in (meaning, ignored) if part]
    return "; ".join([f"{title}, with the columns {_in_words(columns.places)}", *said]) if said else ""
