"""What a format is in which runs or qrels can be written, and what such formats write alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from irevalcli.output.fields import csv_field
from irevalcli.output.id_text import decoded, escaped
from irevalcli.output.json_text import written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from irevalcli.analysis.conversion import Room

C = TypeVar("C")

BLANKS = b" \t\n\v\f\r"


class Writer(NamedTuple, Generic[C]):
    """A format.

    Attributes:
        room: its name, and what it has room for.
        write: a run, or qrels, as bytes, in parts.
        endings: of file names that choose it.
    """

    room: Room
    write: Callable[[C], Iterator[bytes]]
    endings: tuple[str, ...] = ()


def tsv_id(text: str) -> str:
    """The id, in quotes only if it begins with one: readers take such a field for a quoted one."""
    return '"' + text.replace('"', '""') + '"' if text.startswith('"') else text


def csv_id(text: str) -> str:
    """The id, in quotes where RFC 4180 wants them, or where a line would look like a comment."""
    return f'"{text}"' if text.startswith("#") and '"' not in text else csv_field(text)


def nested_json(queries: Iterable[tuple[bytes, Mapping[str, float]]]) -> Iterator[bytes]:
    """One object of what each query lists, a query on each line."""
    before = "{"
    for qid, numbers in queries:
        yield escaped(f"{before}\n{written(decoded(qid))}: {written(numbers)}")
        before = ","
    yield b"\n}\n"
