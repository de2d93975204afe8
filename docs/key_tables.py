"""The tables of keys on docs/config.md, from the records that the program reads."""
# ruff: noqa: INP001  (a folder of pages and the scripts that make them, no package)

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from irevalcli.config.keys import TABLES
from irevalcli.config.kinds import expected

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.config.keys import Key

_PLACE = re.compile(r"(?<=<!-- keys of )(?P<name>[a-z]+) -->.*?(?=<!-- end -->)", re.DOTALL)


def with_key_tables(text: str) -> str:
    """The page with every table of keys between ``<!-- keys of NAME -->`` and ``<!-- end -->``."""
    return _PLACE.sub(lambda part: "\n".join([f"{part['name']} -->", "", *_rows(part["name"]), "", ""]), text)


def _keys(name: str) -> tuple[Key, ...]:
    """The keys of a table in the file, or those at the top that are about one thing."""
    top = TABLES[""].keys
    if name in {"presentation", "numbers"}:
        return tuple(key for key in top if key.purpose == name)
    return TABLES[name].keys


def _rows(name: str) -> Iterator[str]:
    yield "| key | value | default | meaning |"
    yield "|:---|:---|:---|:---|"
    for key in _keys(name):
        default = "required" if key.required else "" if key.default is None else f"`{json.dumps(key.default)}`"
        meaning = key.meaning.replace("|", "\\|")
        yield f"| `{key.name}` | {expected(key)} | {default} | {meaning}{_stand_ins(key)} |"


def _stand_ins(key: Key) -> str:
    """What else says the same."""
    names = [f"`{name}`" for name in (key.option, key.variable) if name]
    return f" {', '.join(names)}." if names else ""
