"""Plugins for tests: files, and distributions that offer them, without building anything."""

from __future__ import annotations

import sys
from textwrap import dedent
from typing import TYPE_CHECKING

from irevalcli.measures import discovery, plugged
from irevalcli.measures.registry import PLUGGED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RECORD = """
    title="words", summary="One line.", formula="f", reference="Somebody, Something, 2025",
    examples=(Example("{name}", "1", "", "1"),), note="None.",
"""
HEAD = """
import numpy as np
from irevalcli.plugins import *
"""


def registered(name: str, returned: str, *, decorator: str = "measure", **fields: str) -> str:
    """The source of a measure whose function returns what `returned` says; `fields` replace those of its record."""
    taken = "query" if decorator == "per_query_measure" else "ranking"
    given = "".join(f", {field}={value}" for field, value in fields.items())
    record = dedent(f"dict({RECORD.format(name=name)})")
    return dedent(f"""
{HEAD}
record = {record} | dict(name={name!r}{given})
@{decorator}(**record)
def function({taken}):
    "What it says."
    return {returned}
""")


def file_of(folder: Path, source: str, name: str = "mine.py") -> str:
    """The path of a plugin file."""
    path = folder / name
    path.write_text(source, encoding="utf-8")
    return str(path)


def distribute(folder: Path, name: str, version: str, entries: dict[str, str], **modules: str) -> None:
    """Put a distribution into a folder that is, or will be, on the path: metadata, entry points, modules."""
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    lines = [f"[{discovery.GROUP}]", *(f"{entry} = {value}" for entry, value in entries.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for module, source in modules.items():
        (folder / f"{module}.py").write_text(source, encoding="utf-8")


def without_traces() -> Iterator[None]:
    """A stretch of a test after which no plugin is left in this process."""
    before, modules = dict(PLUGGED), set(sys.modules)
    yield
    plugged.unplug(set(PLUGGED))
    PLUGGED.update(before)
    discovery._tried.clear()
    discovery._installed.cache_clear()
    for name in set(sys.modules) - modules:
        if not name.startswith("irevalcli."):
            del sys.modules[name]
