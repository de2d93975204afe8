"""Texts as the fields of rows that are separated by tabs or by commas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.output.id_text import encoded, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_ENDS_A_FIELD = frozenset("\t\r\n")
_WANTS_QUOTES = frozenset(',"\r\n')


def tsv_field(text: str) -> str:
    """The text as it is, but with its odd characters spelt out if one of them would end the field or the row."""
    return text if _ENDS_A_FIELD.isdisjoint(text) else visible(text)


def csv_field(text: str) -> str:
    """The text, in quotes where RFC 4180 wants them."""
    return text if _WANTS_QUOTES.isdisjoint(text) else '"' + text.replace('"', '""') + '"'


def delimited(rows: Iterable[Sequence[str]], separator: str) -> Iterator[bytes]:
    """A line for each row; `separator` is a tab or a comma."""
    field = csv_field if separator == "," else tsv_field
    for row in rows:
        yield encoded(separator.join(map(field, row)) + "\n")
