"""The tables of formats on docs/input-files.md, from the records that the program reads."""
# ruff: noqa: INP001  (a folder of pages and the scripts that make them, no package)

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from irevalcli.output.qrels_writers import QRELS_WRITERS
from irevalcli.output.run_writers import RUN_WRITERS
from irevalcli.reading.qrels_formats import QRELS_FORMATS
from irevalcli.reading.run_formats import RUN_FORMATS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from irevalcli.reading.formats import FormatEntry

_PLACE = re.compile(r"(?<=<!-- formats of )(?P<name>[a-z]+) -->.*?(?=<!-- end -->)", re.DOTALL)
_SEEN = ("trec", "qrels")
"""Formats that are seen before any other is asked for."""


def with_format_tables(text: str) -> str:
    """The page with every table of formats between ``<!-- formats of NAME -->`` and ``<!-- end -->``."""
    tables = {"runs": (RUN_FORMATS, RUN_WRITERS), "qrels": (QRELS_FORMATS, QRELS_WRITERS)}
    return _PLACE.sub(lambda part: "\n".join([f"{part['name']} -->", "", *_rows(*tables[part["name"]]), "", ""]), text)


def _rows(entries: Mapping[str, FormatEntry[object]], written: Collection[str]) -> Iterator[str]:
    yield "| name | what it is | a line, or an entry | recognised | written by `convert` |"
    yield "|:---|:---|:---|:---:|:---:|"
    for name, entry in entries.items():
        recognised = "yes" if entry.recognised or name in _SEEN else ""
        yield f"| `{name}` | {entry.title} | `{entry.columns}` | {recognised} | {'yes' if name in written else ''} |"
