"""Files that are no run and no qrels, or only almost: told by their first bytes, so that users read what they have.

Without this, a web page in place of a run would be reported as a line with two fields where six were expected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.errors import InputProblem
from irevalcli.reading.rules import UNKNOWN_FORMAT

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
    (b"\xff\xfe\x00\x00", "UTF-32", "convert it to UTF-8"),
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
    if b"\r" in text and b"\n" not in head.text:
        raise head.problem(
            UNKNOWN_FORMAT,
            "lines end with a carriage return alone, as on old Macs",
            "end them with a line feed: tr '\\r' '\\n'",
        )


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
    if line is None or b"\t" not in line.text:
        return
    fields = line.text.split(b"\t")
    if len(fields) in widths and any(len(field.split()) > 1 for field in fields[:ids]):
        message = "tabs part the fields, and there is a blank inside an id"
        raise _located(line, head, message, f"with --{kind}-format tsv, ids may hold blanks", kind)


def refuse_stranger(head: Head, kind: str) -> None:
    """Nothing, unless the file is known to be something else, or to be written almost in one of the formats.

    Args:
        head: of a file that no format fits.
        kind: ``run`` or ``qrels``, which it was taken for.

    Raises:
        InputProblem: it is.
    """
    for beginning, what, advice in _BY_FIRST_BYTES:
        if head.text.startswith(beginning):
            raise head.problem(UNKNOWN_FORMAT, f"this is {what}", advice or f"it holds no {kind}")
    start = head.text[:200].lstrip().lower()
    if start.startswith(_WEB_PAGE):
        raise head.problem(UNKNOWN_FORMAT, "this is a web page or XML", "was a download refused?")
    if start.startswith(b"["):
        number = "score" if kind == "run" else "grade"
        raise head.problem(
            UNKNOWN_FORMAT,
            "this looks like a JSON array",
            f"write an object for each line (JSONL), or {{qid: {{docid: {number}}}}}",
        )
    if head.first_line is not None:
        _refuse_separators(head.first_line, head, kind)


def _refuse_separators(line: DataLine, head: Head, kind: str) -> None:
    for separator, name in _PARTED_BY:
        if len(line.fields) == 1 and line.text.count(separator) >= _FEWEST_SEPARATORS:
            message = f"{name} part the fields, and no header names them"
            advice = f"begin the file with such names as qid and docid; or say --{kind}-format csv"
            raise _located(line, head, message, advice, kind)


def _located(line: DataLine, head: Head, message: str, expected: str, kind: str) -> InputProblem:
    finding = line.finding(UNKNOWN_FORMAT, message, head.name, expected=expected)
    return InputProblem.of(finding._replace(help=f"name the format with --{kind}-format, or convert the file"))
