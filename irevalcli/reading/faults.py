"""The slow, exact reader: what is wrong with a piece that the fast reader turned down, with line and column.

It runs only after a fault was seen, on the piece that has it, so that the fast reader need not keep positions.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.errors import Finding
from irevalcli.reading.numbers import strict_grade, strict_score
from irevalcli.reading.qrels_rows import TREC_QRELS_SHAPE
from irevalcli.reading.rules import (
    BINARY,
    POPULARITY_COUNT,
    POPULARITY_DUPLICATE,
    POPULARITY_FIELDS,
    QRELS_FIELDS,
    QRELS_GRADE,
    RUN_FIELDS,
    RUN_HEADER,
    RUN_RANKS,
    RUN_SCORE,
    Rule,
)
from irevalcli.reading.run_rows import TREC_SHAPE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from irevalcli.reading.pieces import Piece
    from irevalcli.reading.qrels_rows import QrelsShape
    from irevalcli.reading.run_rows import RunShape, Wanted

MOST_FAULTS = 20
"""How many faults of a file are collected before reading it stops."""

MOST_PASSED_OVER = 2000
"""How many faults of a piece are passed over, since enough of their rule were found, in search of faults of others."""

_FIELD = re.compile(rb"[^ \t\n\v\f\r]+")
BLANK_IN_ID = "is there a blank inside an id? ids of a TREC run hold no blanks; see --run-format tsv"
_UNJUDGED = "a document that was not judged has no line in qrels"
LARGEST_COUNT = 2.0**53
"""Beyond this, 64-bit numbers do not count in steps of one."""


class Field(NamedTuple):
    """One field of a line: its bytes and the column (from 1) where it begins."""

    text: bytes
    column: int


class DataLine(NamedTuple):
    """A line that is neither blank nor a comment.

    Attributes:
        number: physical line, from 1.
        text: the line without its end.
        fields: its fields.
    """

    number: int
    text: bytes
    fields: list[Field]

    def finding(self, rule: Rule, message: str, path: str, *, at: Field | None = None, expected: str = "") -> Finding:
        """A finding about this line, or about one of its fields."""
        column, width = (at.column, len(at.text)) if at else (1, max(len(self.text), 1))
        return Finding(rule.code, message, path, self.number, column, width, self.text, expected, rule.help)


def data_lines(piece: Piece) -> Iterator[DataLine]:
    """The data lines of a piece, numbered from its first line."""
    for number, line in enumerate(piece.lines(), 1):
        fields = [Field(match.group(), match.start() + 1) for match in _FIELD.finditer(line)]
        if fields and not fields[0].text.startswith(b"#"):
            yield DataLine(number, line.rstrip(b"\r"), fields)


def quoted(token: bytes) -> str:
    """A token as it can be shown in a message: escaped where it is not printable text, shortened if long."""
    text = token.decode("utf-8", "backslashreplace")
    text = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
    return f"'{text[:40]}…'" if len(text) > 41 else f"'{text}'"


_NUMBER = rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_LOOKALIKES = str.maketrans("−–－０１２３４５６７８９", "---0123456789")
_NUMBERS_DRESSED_UP = (
    (re.compile(rb"[+-]?\d*,\d+(?:[eE][+-]?\d+)?"), lambda text: text.replace(",", "."), "decimal point, not comma"),
    (re.compile(rb"[+-]?\d{1,3}(?:[,']\d{3})+\.\d+"), lambda text: re.sub("[,']", "", text), "thousands not set apart"),
    (re.compile(rb"[+-]?\d+(?:_\d+)+(?:\.\d+)?"), lambda text: text.replace("_", ""), "no underscores"),
    (re.compile(_NUMBER + rb"%"), lambda text: text.rstrip("%"), "no percent sign"),
    (re.compile(rb"[+-]?[\d.]+[dD][+-]?\d+"), lambda text: re.sub("[dD]", "e", text), "e before the exponent, not d"),
    (
        re.compile(rb"[A-Za-z_.\d]*[(\[]" + _NUMBER + rb"[,)\]].*"),
        lambda text: re.sub(r".*[(\[]([^,)\]]*).*", r"\1", text),
        "the number alone",
    ),
)
"""What numbers are often written as, how they would be right, and what is wrong with them."""


def is_dressed_up(token: bytes) -> bool:
    """Whether a token is meant to be a number, though it is none: with a decimal comma, a percent sign or the like."""
    return any(pattern.fullmatch(token) for pattern, _, _ in _NUMBERS_DRESSED_UP)


def number_advice(token: bytes, missing: str = "a document without a score has no place in a ranking") -> str:
    """What should stand where a token does that is no number; `missing` says why something must."""
    for pattern, righted, why in _NUMBERS_DRESSED_UP:
        if pattern.fullmatch(token):
            return f"expected e.g. {righted(token.decode('ascii', 'replace'))} ({why})"
    if token.strip(b"\"'") != token:
        return "expected a number without quotes"
    if token.lstrip(b"+-").lower() in (b"", b"nan", b"none", b"null", b"na", b"n/a"):
        return f"expected a number: {missing}"
    if re.fullmatch(rb"[+-]?inf(inity)?|" + _NUMBER, token, re.IGNORECASE):
        return "expected a finite number"
    plain = token.decode("utf-8", "replace").translate(_LOOKALIKES).strip().encode()
    if re.fullmatch(_NUMBER, plain):
        return f"expected {plain.decode()}, in ASCII characters and without blanks"
    return "expected a decimal number"


def binary_faults(piece: Piece, path: str) -> list[Finding]:
    """A finding about the first NUL byte of a piece, if there is one."""
    for number, line in enumerate(piece.lines(), 1):
        if b"\x00" in line:
            column = line.index(b"\x00") + 1
            return [Finding(BINARY.code, BINARY.title, path, number, column, help=BINARY.help)]
    return []


def run_faults(piece: Piece, path: str, shape: RunShape, wanted: Wanted) -> list[Finding]:
    """Everything wrong with a piece of a run, as far as wanted; lines counted from the piece's first.

    Args:
        piece: lines of the run.
        path: the file's name.
        shape: which column holds what.
        wanted: whether the rank column must hold numbers, and how many faults are to be located.
    """
    return binary_faults(piece, path) or run_line_faults(
        data_lines(piece), path, shape, wanted, opens_file=piece.opens_file
    )


def run_line_faults(
    lines: Iterable[DataLine], path: str, shape: RunShape, wanted: Wanted, *, opens_file: bool
) -> list[Finding]:
    """The same for lines that were cut into fields, in whatever way; `opens_file` says that line 1 is the file's."""
    ranks = wanted.ranks == "needed"
    faults = (
        _run_line_faults(line, path, shape, ranks=ranks, opens_file=opens_file and line.number == 1) for line in lines
    )
    return collected(faults, wanted.of_each)


def collected(faults: Iterable[Iterable[Finding]], of_each: int | None = None) -> list[Finding]:
    """The first faults: `MOST_FAULTS`, or so many of each rule, as far as these are not buried under others."""
    every = chain.from_iterable(faults)
    if of_each is None:
        return list(islice(every, MOST_FAULTS))
    found: list[Finding] = []
    counts: Counter[str] = Counter()
    for fault in every:
        counts[fault.rule] += 1
        if counts[fault.rule] <= of_each:
            found.append(fault)
        elif counts.total() - len(found) > MOST_PASSED_OVER:
            break
    return found


def _run_line_faults(line: DataLine, path: str, shape: RunShape, *, ranks: bool, opens_file: bool) -> Iterator[Finding]:
    count = len(line.fields)
    if count < shape.width or (count > shape.width and not shape.more):
        message = f"{counted_fields(count)}, {shape.width} expected"
        found = line.finding(RUN_FIELDS, message, path, expected=_missing(line, shape))
        yield found if shape is TREC_SHAPE else found._replace(help=f"a line is: {shape.words}")
        return
    if shape.more and has_split_id(line, shape):
        message = f"{counted_fields(count)}, {shape.width} expected"
        yield line.finding(RUN_FIELDS, message, path, expected=BLANK_IN_ID)
        return
    score = line.fields[shape.score]
    if strict_score(score.text) is None:
        what, place = ("rank" if shape.smaller_first else "score"), shape.score + 1
        rule, message = RUN_SCORE, f"{what} is not a number: {quoted(score.text)}"
        expected = number_advice(score.text)
        if opens_file and not any(_is_number(field.text) or is_dressed_up(field.text) for field in line.fields):
            rule = RUN_HEADER
            message = f"a header line: field {place} is {quoted(score.text)}, not a number"
            expected = "TREC runs have no header; delete this line or begin it with #"
        elif count > shape.width and any(_is_number(field.text) for field in line.fields[place:]):
            message = f"{counted_fields(count)}, and field {place} is {quoted(score.text)}, not a number"
            expected = BLANK_IN_ID
        yield line.finding(rule, message, path, at=score, expected=expected)
    if ranks and shape.rank is not None and strict_grade(line.fields[shape.rank].text) is None:
        rank = line.fields[shape.rank]
        message = f"rank is not a number: {quoted(rank.text)}"
        yield line.finding(RUN_RANKS, message, path, at=rank, expected="ties are to be broken by this column")


def qrels_faults(
    piece: Piece, path: str, shape: QrelsShape = TREC_QRELS_SHAPE, of_each: int | None = None
) -> list[Finding]:
    """Everything wrong with the lines of a qrels file, up to `MOST_FAULTS`, or up to so many faults of each rule."""
    return binary_faults(piece, path) or qrels_line_faults(data_lines(piece), path, shape, of_each)


def qrels_line_faults(
    lines: Iterable[DataLine], path: str, shape: QrelsShape, of_each: int | None = None
) -> list[Finding]:
    """The same for lines that were cut into fields, in whatever way."""
    return collected((_qrels_line_faults(line, path, shape) for line in lines), of_each)


def _qrels_line_faults(line: DataLine, path: str, shape: QrelsShape) -> Iterator[Finding]:
    count = len(line.fields)
    if count != shape.width:
        message = f"{counted_fields(count)}, {shape.width} expected"
        found = line.finding(QRELS_FIELDS, message, path, expected=_qrels_shape(line, shape))
        yield found if shape is TREC_QRELS_SHAPE else found._replace(help=f"a line is: {shape.words}")
    elif shape.grade is not None and strict_grade(line.fields[shape.grade].text) is None:
        grade = line.fields[shape.grade]
        message = f"grade is not a number: {quoted(grade.text)}"
        yield line.finding(QRELS_GRADE, message, path, at=grade, expected=number_advice(grade.text, _UNJUDGED))


def popularity_faults(piece: Piece, path: str) -> list[Finding]:
    """Everything wrong with the lines of a popularity file, up to `MOST_FAULTS`."""
    first: dict[bytes, int] = {}
    return binary_faults(piece, path) or collected(
        _popularity_line_faults(line, path, first) for line in data_lines(piece)
    )


def _popularity_line_faults(line: DataLine, path: str, first: dict[bytes, int]) -> Iterator[Finding]:
    """The faults of a line; `first` has the lines on which documents stood before, and gets this one's."""
    docid, *counts = line.fields
    if len(counts) != 1:
        yield line.finding(POPULARITY_FIELDS, f"{counted_fields(len(line.fields))}, 2 expected", path)
        return
    count = strict_grade(counts[0].text)
    if count is None or not 0 <= count <= LARGEST_COUNT:
        message = f"count is not a number of 0 or more: {quoted(counts[0].text)}"
        yield line.finding(POPULARITY_COUNT, message, path, at=counts[0], expected="expected a number such as 17")
    before = first.setdefault(docid.text, line.number)
    if before != line.number:
        message = f"document {quoted(docid.text)} is counted twice"
        yield line.finding(POPULARITY_DUPLICATE, message, path, at=docid, expected=f"first at line {before}")


def has_split_id(line: DataLine, shape: RunShape) -> bool:
    """Whether a line has a score, but more fields than its format because a blank parts an id: tabs or rank show it."""
    texts = [field.text for field in line.fields]
    if len(texts) <= shape.width or shape.rank is None or not re.fullmatch(_NUMBER, texts[shape.score]):
        return False
    if line.text.count(b"\t") == shape.width - 1:
        first, last = line.fields[0].column - 1, line.fields[shape.width - 1].column - 1
        return line.text.count(b"\t", first, last) < shape.width - 1
    return not re.fullmatch(_NUMBER, texts[shape.rank]) and re.fullmatch(_NUMBER, texts[shape.width - 1]) is not None


def _is_number(token: bytes) -> bool:
    return strict_score(token) is not None


def counted_fields(count: int) -> str:
    """``1 field``, ``2 fields``."""
    return f"{count} field" if count == 1 else f"{count} fields"


def _missing(line: DataLine, shape: RunShape) -> str:
    words = f"expected {shape.words}"
    texts = [field.text for field in line.fields]
    odd_blank = _odd_blank(line)
    if odd_blank or shape is not TREC_SHAPE:
        return odd_blank or words
    if len(texts) == shape.width - 1:
        if _is_number(texts[3]) and not _is_number(texts[4]):
            return "a column is missing: Q0 (field 2) or the rank (field 4)"
        if _is_number(texts[3]) and _is_number(texts[4]):
            return f"the run tag (field 6) is missing; {words}"
        return f"a column is missing; {words}"
    if looks_like_qrels(texts):
        return f"this looks like relevance judgments; {words}"
    return words


def _odd_blank(line: DataLine) -> str:
    """What is said of a line with a blank that does not part fields, or ""."""
    return "a no-break space (U+00A0) parts no fields; write a blank" if b"\xc2\xa0" in line.text else ""


def _qrels_shape(line: DataLine, shape: QrelsShape) -> str:
    words = f"expected {shape.words}"
    looks_so = shape is TREC_QRELS_SHAPE and looks_like_run([field.text for field in line.fields])
    return _odd_blank(line) or (f"this looks like a run; {words}" if looks_so else words)


def looks_like_run(fields: list[bytes]) -> bool:
    """Whether a line has the shape of a run's."""
    return len(fields) >= TREC_SHAPE.width and _is_number(fields[TREC_SHAPE.score])


def looks_like_qrels(fields: list[bytes]) -> bool:
    """Whether a line has the shape of qrels'."""
    return len(fields) == TREC_QRELS_SHAPE.width and re.fullmatch(rb"[+-]?\d+", fields[-1]) is not None
