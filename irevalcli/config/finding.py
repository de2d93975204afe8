"""Where the configuration is: the nearest file upward, to the root of the repository or of the file system."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.config.toml_text import parsed, read_toml
from irevalcli.errors import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

FILE = "irevalcli.toml"
PROJECT_FILE = "pyproject.toml"
TABLE = ("tool", "irevalcli")
"""Where the configuration stands in a `PROJECT_FILE`."""

_MENTIONED = rb"""irevalcli["']?\s*[].=]"""
"""How our table may be written: a cheap test that spares most project files their parsing."""


class Found(NamedTuple):
    """A configuration file, parsed but not checked.

    Attributes:
        path: as it is shown and opened, relative to the working directory unless the user named it.
        text: what it holds.
        table: the keys of irevalcli.
        prefix: where in the file they stand: () or `TABLE`.
    """

    path: str
    text: str
    table: dict[str, Any]
    prefix: tuple[str, ...]


def found_upward() -> Found | None:
    """The nearest `FILE`, else the nearest `PROJECT_FILE` that has our table; None if there is neither.

    Raises:
        UsageProblem: it cannot be read, or is no TOML.
    """
    folders = list(_upward())
    for folder in folders:
        path = os.path.join(folder, FILE)  # noqa: PTH118  (start-up: pathlib is not needed)
        if os.path.isfile(path):  # noqa: PTH113
            text = read_toml(path)
            return Found(path, text, parsed(text, path), ())
    for folder in folders:
        path = os.path.join(folder, PROJECT_FILE)  # noqa: PTH118
        if os.path.isfile(path) and (found := _in_project(path)) is not None:  # noqa: PTH113
            return found
    return None


def _upward() -> Iterator[str]:
    """The working directory and those above it, as they are seen from it ("", "..", "../..")."""
    try:
        here = os.getcwd()  # noqa: PTH109
    except OSError:
        # It has been deleted: nothing is in it, and nothing is above it.
        return
    shown = ""
    while True:
        yield shown
        above = os.path.dirname(here)  # noqa: PTH120
        if above == here or os.path.exists(os.path.join(here, ".git")):  # noqa: PTH110, PTH118
            return
        here, shown = above, os.path.join(shown, os.pardir)  # noqa: PTH118


def _in_project(path: str) -> Found | None:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            if not re.search(_MENTIONED, file.read()):
                return None
    except OSError:
        # Whether it is meant for us is unknown, and most are not.
        return None
    text = read_toml(path)
    table: Any = parsed(text, path)
    for name in TABLE:
        table = table.get(name) if isinstance(table, dict) else None
    if table is None:
        return None
    if not isinstance(table, dict):
        raise UsageProblem(f"{path}: {'.'.join(TABLE)} is not a table", hints=(f"write [{'.'.join(TABLE)}]",))
    return Found(path, text, table, TABLE)


def found_at(path: str) -> Found:
    """The file that the user named; a `PROJECT_FILE` must have our table.

    Raises:
        UsageProblem: it cannot be read, is no TOML, or has no such table.
    """
    text = read_toml(path)
    if os.path.basename(path) != PROJECT_FILE:  # noqa: PTH119
        return Found(path, text, parsed(text, path), ())
    found = _in_project(path)
    if found is None:
        raise UsageProblem(f"--config {path}: has no table [{'.'.join(TABLE)}]")
    return found
