"""Files that are no run and no qrels, or only almost: told by their first bytes, so that users read what they have.

Without this, a web page in place of a run would be reported as a line with two fields where six were expected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.errors import Finding, InputProblem
from irevalcli.reading.numbers import strict_score
from irevalcli.reading.qrels_rows import TREC_QRELS_SHAPE
from irevalcli.reading.rules import UNKNOWN_FORMAT
from irevalcli.reading.run_rows import TREC_SHAPE

if TYPE_CHECKING:
    from irevalcli.reading.faults import DataLine
    from irevalcli.reading.heads import Head

_BY_FIRST_BYTES = (
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it first"),
    (b"Rar!\x1a\x07", "a RAR archive", "unpack it first"),
    (b"\x1f\x9d", "compressed by compress (.Z)", "uncompress it first"),
    (b"\x04\x22\x4d\x18", "compressed by lz4", "unpack it first"),
    (b"]\x00\x00", "compressed as .lzma", "unpack it first: xz --format=lzma -d"),
    (b"\x1f\x8b", "compressed twice", "unpack it once"),
    (b"%PDF-", "a PDF document", ""),
    (b"\x89HDF", "an HDF5 file", "write it as one of the formats of irevalcli"),
    (b"SQLite format 3\x00", "an SQLite database", "write it as one of the formats of irevalcli"),
    (b"\x93NUMPY", "a NumPy array", "write it as one of the formats of irevalcli"),
    (b"\xd0\xcf\x11\xe0", "an old Office document", "write it as CSV"),
    (b"version https://git-lfs.github.com/", "a pointer of Git LFS, and not the file itself", "fetch it: git lfs pull"),
    (b"sep=", "CSV with a first line for Excel", "delete that line"),
)
_WEB_PAGE = (b"<!doctype html", b"<html", b"<?xml")
_FEWEST_SEPARATORS = 2
_PARTED_BY = ((b",", "commas"), (b";", "semicolons"), (b"|", "bars"))


def refuse_carriage_returns(head: Head) -> None:
    """Nothing, unless a carriage return alone ends the lines, so that the file would be one long line.

    Raises:
        InputProblem: it does.
    """
    text = head.text.rstrip(b"\r")
    other_kind = b"\0" in text or text.startswith(tuple(beginning for beginning, *_ in _BY_FIRST_BYTES))
    if b"\r" in text and b"\n" not in head.text and not other_kind:
        message = "lines end with a carriage return alone, as on old Macs"
        raise _problem(head, message, "end them with a line feed: tr '\\r' '\\n'")


def refuse_split_ids(head: Head, widths: tuple[int, ...], ids: int, kind: str) -> None:
    """Nothing, unless tabs part the first line into as many fields as one of these, and blanks its ids once more.

    Args:
        head: of the file.
        widths: numbers of fields that lines of the kind have.
        ids: how many fields at the beginning of a line hold no blanks, at least.
        kind: ``run`` or ``qrels``.

    Raises:
        InputProblem: they do.
    """
    line = head.first_line
    fields = [] if line is None else line.text.split(b"\t")
    if line is None or len(fields) not in widths:
        return
    # A header has no numbers, and its names may hold blanks.
    numbers = any(strict_score(field.strip()) is not None for field in fields[ids - 1 :])
    if numbers and any(len(field.split()) > 1 for field in fields[:ids]):
        message = "tabs part the fields, and there is a blank inside an id"
        raise _located(line, head, message, f"with --{kind}-format tsv, ids may hold blanks", kind)


def fields_of_first(head: Head) -> list[bytes]:
    """The fields of the first line: between tabs, if these part as many as a TREC format has; else between blanks."""
    line = head.first_line
    fields = [] if line is None else line.text.split(b"\t")
    return fields if len(fields) in (TREC_SHAPE.width, TREC_QRELS_SHAPE.width) else head.first


def refuse_other_kind(head: Head, kind: str) -> None:
    """Nothing, unless the first bytes are those of a file of another kind.

    Args:
        head: of the file.
        kind: ``run`` or ``qrels``, which it was taken for.

    Raises:
        InputProblem: they are.
    """
    for beginning, what, advice in _BY_FIRST_BYTES:
        if head.text.startswith(beginning):
            raise _problem(head, f"this is {what}", advice or f"name the {kind} instead")


def refuse_stranger(head: Head, kind: str) -> None:
    """Nothing, unless the file is known to be something else, or to be written almost in one of the formats.

    Args:
        head: of a file that no format fits.
        kind: ``run`` or ``qrels``, which it was taken for.

    Raises:
        InputProblem: it is.
    """
    start = head.text[:200].lstrip().lower()
    if start.startswith(_WEB_PAGE):
        raise _problem(head, "this is a web page or XML", f"name the {kind} instead; was a download refused?")
    if start.startswith(b"["):
        number = "score" if kind == "run" else "grade"
        advice = f"write an object on each line (JSONL), or {{qid: {{docid: {number}}}}}"
        raise _problem(head, "this looks like a JSON array", advice)
    if head.first_line is not None:
        _refuse_separators(head.first_line, head, kind)
        _refuse_blank_header(head.first_line, head, kind)


def _refuse_blank_header(line: DataLine, head: Head, kind: str) -> None:
    from irevalcli.reading.headers import QRELS_ROLES, RUN_ROLES, is_header  # noqa: PLC0415  (start-up: faults are rare)

    names = [field.text for field in line.fields]
    if kind == "run" and len(names) >= TREC_SHAPE.width:
        return  # a header where TREC runs have none: `RUN_HEADER`
    numbers = any(strict_score(name) is not None for name in names)
    if not numbers and is_header(names, RUN_ROLES if kind == "run" else QRELS_ROLES):
        expected = "with tabs or commas in their place, here and below, the file can be read"
        raise _located(line, head, "blanks part the names of a header", expected, kind)


def _refuse_separators(line: DataLine, head: Head, kind: str) -> None:
    for separator, name in _PARTED_BY:
        if len(line.fields) == 1 and line.text.count(separator) >= _FEWEST_SEPARATORS:
            message = f"{name} part the fields, and no header names them"
            advice = f"begin the file with such names as qid and docid; or say --{kind}-format csv"
            raise _located(line, head, message, advice, kind)


def _problem(head: Head, message: str, advice: str) -> InputProblem:
    return InputProblem.of(Finding(UNKNOWN_FORMAT.code, message, head.name, help=advice))


def _located(line: DataLine, head: Head, message: str, expected: str, kind: str) -> InputProblem:
    finding = line.finding(UNKNOWN_FORMAT, message, head.name, expected=expected)
    return InputProblem.of(finding._replace(help=f"name the format with --{kind}-format, or convert the file"))
