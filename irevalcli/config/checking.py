"""The strict check of a configuration: every key is known, every value is of its kind, every fault has its line."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

from irevalcli.config.keys import DEMANDS, TABLES, WITHOUT_MEASURE
from irevalcli.config.kinds import KINDS, expected
from irevalcli.config.sections import Section, Setting

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from irevalcli.config.keys import Key
    from irevalcli.config.positions import Path


class Fault(NamedTuple):
    """What is wrong on a line, and what to do about it (or "")."""

    line: int
    text: str
    hint: str = ""


class Checker:
    """Goes through the tables of a file; `faults` holds what it met, in the file's order.

    Args:
        lines: where the keys stand.
        folder: of the file, which its paths are relative to.
    """

    def __init__(self, lines: Mapping[Path, int], folder: str) -> None:
        self.faults: list[Fault] = []
        self._lines = lines
        self._folder = folder

    def section(self, table: dict[str, Any], name: str, path: Path) -> Section:
        """The table at `path`, which `TABLES` describes under `name`; faulty keys are left out."""
        known, before = {key.name: key for key in TABLES[name].keys}, len(self.faults)
        settings = {}
        for written, value in table.items():
            here = (*path, written)
            key = known.get(written)
            if key is None:
                self._fault(here, f"unknown key '{written}'{_inside(name, path)}", _meant(written, known, name))
            elif not KINDS[key.kind].accepts(value, key):
                self._fault(here, f"{written} is {_shown(value)}; expected is {expected(key)}", _advice(key, value))
            else:
                settings[written] = Setting(self._value(key, value, here), self._line(here))
        line = self._line(path)
        if len(self.faults) == before:
            # Otherwise what seems to be missing may be what is wrongly written.
            self.faults += [Fault(line, text, hint) for text, hint in _incomplete(name, path, known, table)]
        return Section(settings, line)

    def _value(self, key: Key, value: Any, path: Path) -> Any:  # noqa: ANN401
        if not key.table:
            return KINDS[key.kind].converted(value, self._folder)
        if isinstance(value, list):
            return tuple(self.section(member, key.table, (*path, place)) for place, member in enumerate(value))
        section = self.section(value, key.table, path)
        return section if key.kind == "table" else (section,)

    def _fault(self, path: Path, text: str, hint: str) -> None:
        self.faults.append(Fault(self._line(path), text, hint))

    def _line(self, path: Path) -> int:
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 1)


def _inside(name: str, path: Path) -> str:
    heading = TABLES[name].heading
    if name == "rules" and "suite" in path:
        heading = "[[suite.rules]]"
    return f" in {heading}" if heading else ""


def _meant(written: str, known: Mapping[str, Key], name: str) -> str:
    """What was probably meant by an unknown key."""
    if not name and written == "tool":
        return "only pyproject.toml has tool.irevalcli; here its keys stand at the top"
    for other, table in TABLES.items():
        if other != name and any(key.name == written for key in table.keys):
            return f"it belongs into {table.heading}" if table.heading else "it belongs to the top of the file"
    close = get_close_matches(written.lower().replace("_", "-"), known, 1)
    return f"did you mean {close[0]}?" if close else f"known are {', '.join(known)}"


def _shown(value: object) -> str:
    """A value as TOML would write it, as far as it matters."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f"'{value}'"
    if isinstance(value, dict):
        return "a table"
    return f"[{', '.join(map(_shown, value))}]" if isinstance(value, list) else str(value)


def _advice(key: Key, value: object) -> str:
    if key.kind == "choice" and isinstance(value, str):
        close = get_close_matches(value.lower(), key.values, 1)
        return f"did you mean {close[0]}?" if close else ""
    if isinstance(value, str) and key.kind in {"texts", "paths", "runs"}:
        return f'write {key.name} = ["{value}"]'
    if isinstance(value, str) and key.kind in {"number", "count", "switch", "date"}:
        return "leave the quotes out"
    return ""


def _incomplete(name: str, path: Path, known: Mapping[str, Key], table: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What a table lacks, or has besides what it may have: text and hint."""
    for key in known.values():
        if key.required and key.name not in table:
            yield f"{key.name} is missing{_inside(name, path)}", f"add {key.name}: {key.meaning}"
    if name == "rules":
        yield from _contradictions(table)


def _contradictions(rule: dict[str, Any]) -> Iterator[tuple[str, str]]:
    demands = [key.name for key in DEMANDS if key.name in rule]
    if len(demands) != 1:
        names = ", ".join(key.name for key in DEMANDS)
        what = " and ".join(demands)
        yield (f"the rule has {what}", "make a rule of each") if demands else (
            "the rule demands nothing", f"add one of {names}"
        )  # fmt: skip
        return
    (demand,) = demands
    if demand in WITHOUT_MEASURE and "measure" in rule:
        yield f"measure says nothing about {demand}", "leave measure out"
    if demand not in WITHOUT_MEASURE and "measure" not in rule:
        yield f"measure is missing: what is {demand} about?", 'add such as measure = "nDCG@10"'
    for key in ("decide", "alpha"):
        if key in rule and demand != "max-drop":
            yield f"{key} says nothing about {demand}", f"leave {key} out; it is about max-drop"
    if "allow" in rule and demand != "max-query-drop":
        yield f"allow says nothing about {demand}", "it excepts single queries from max-query-drop"
