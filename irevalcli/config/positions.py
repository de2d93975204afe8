"""On which line each key of a TOML text stands, which tomllib does not tell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

Path = tuple[str | int, ...]
"""Keys from the top, and for members of a list their numbers from 0."""

_TOKEN = re.compile(
    r'''"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?'{3,5}|"(?:\\.|[^"\\])*"|'[^']*'|\#[^\n]*|\n|[\[\]{}=,]|[^\s\[\]{}=,"'\#]+''',
    re.DOTALL,
)
_CLOSING = ("]", "}", ",", "\n")


class _Token(NamedTuple):
    text: str
    line: int


def lines_of_keys(text: str) -> Mapping[Path, int]:
    """The line, from 1, of every key, table and member of a list in `text`, which is valid TOML."""
    return _Scan(text).lines


class _Scan:
    """One pass over the tokens. As the text is known to be valid, what is not looked for is passed over."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {}
        self._tables: dict[Path, int] = {}
        self._tokens = _tokens(text)
        self._place = 0
        table: Path = ()
        while self._place < len(self._tokens):
            if self._next.text == "\n":
                self._place += 1
            elif self._next.text == "[":
                table = self._header()
            else:
                self._pair(table)

    @property
    def _next(self) -> _Token:
        return self._tokens[self._place]

    def _take(self) -> _Token:
        self._place += 1
        return self._tokens[self._place - 1]

    def _header(self) -> Path:
        """The path of the table that a heading opens."""
        line = self._take().line
        member = self._next.text == "["
        if member:
            self._take()
        names = self._key()
        while self._next.text == "]":
            self._take()
        path: Path = ()
        for depth, name in enumerate(names, 1):
            path = (*path, name)
            self.lines.setdefault(path, line)
            if member and depth == len(names):
                self._tables[path] = self._tables.get(path, -1) + 1
            if path in self._tables:
                path = (*path, self._tables[path])
                self.lines.setdefault(path, line)
        return path

    def _key(self) -> list[str]:
        """The parts of a key up to the sign behind it."""
        parts: list[str] = []
        while self._next.text not in ("=", "]"):
            text = self._take().text
            parts += [_unquoted(text)] if text[0] in "\"'" else [part for part in text.split(".") if part]
        return parts

    def _pair(self, table: Path) -> None:
        line, path = self._next.line, table
        for name in self._key():
            path = (*path, name)
            self.lines.setdefault(path, line)
        self._take()
        self._value(path)

    def _value(self, path: Path) -> None:
        if self._next.text == "[":
            self._take()
            number = 0
            while self._next.text != "]":
                if self._next.text in {",", "\n"}:
                    self._take()
                    continue
                self.lines[*path, number] = self._next.line
                self._value((*path, number))
                number += 1
            self._take()
        elif self._next.text == "{":
            self._take()
            while self._next.text != "}":
                if self._next.text in {",", "\n"}:
                    self._take()
                else:
                    self._pair(path)
            self._take()
        else:
            while self._next.text not in _CLOSING:
                self._take()


def _tokens(text: str) -> list[_Token]:
    """The tokens without comments, ended by a line's end."""
    found, line, counted = [], 1, 0
    for match in _TOKEN.finditer(text + "\n"):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        if match[0][0] != "#":
            found.append(_Token(match[0], line))
    return found


def _unquoted(text: str) -> str:
    if text[0] == "'":
        return text[1:-1]
    import tomllib  # noqa: PLC0415  (start-up: needed only if there is a file)

    (name,) = tomllib.loads(f"{text} = 0")
    return name
