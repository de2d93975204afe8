"""The terminal, decided once: is there one, how wide is it, does it take colour and more than ASCII."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

_DEFAULT_WIDTH = 80


class Console(NamedTuple):
    """What output may look like, and where talk goes.

    Attributes:
        terminal: standard output is a terminal.
        colour: escape sequences may be written to standard output.
        colour_errors: likewise to standard error.
        unicode: characters beyond ASCII can be shown.
        width: columns of the terminal; None if there is none.
        quiet: only errors are said.
    """

    terminal: bool
    colour: bool
    colour_errors: bool
    unicode: bool
    width: int | None
    quiet: bool

    @classmethod
    def decide(cls, colour: str = "auto", *, quiet: bool = False) -> Console:
        """The console of this process; `colour` is ``auto``, ``always`` or ``never``."""
        terminal = _is_terminal(1)
        encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
        return cls(
            terminal,
            _colour(colour, terminal=terminal),
            _colour(colour, terminal=_is_terminal(2)),
            encoding.startswith("utf"),
            _width() if terminal else None,
            quiet,
        )

    def say(self, text: str) -> None:
        """A line of talk on standard error, unless quiet."""
        if not self.quiet:
            complain(text)


def _is_terminal(descriptor: int) -> bool:
    try:
        return os.isatty(descriptor)
    except OSError:
        return False


def _colour(wish: str, *, terminal: bool) -> bool:
    """The flag decides, then NO_COLOR, then FORCE_COLOR, then whether it is a terminal."""
    if wish != "auto":
        return wish == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return terminal
    return terminal and os.environ.get("TERM") != "dumb"


def _width() -> int:
    columns = os.environ.get("COLUMNS", "")
    if columns.isdigit() and int(columns) > 0:
        return int(columns)
    try:
        return os.get_terminal_size(1).columns or _DEFAULT_WIDTH
    except OSError:
        return _DEFAULT_WIDTH


def complain(text: str) -> None:
    """A line on standard error, whatever its encoding; silence if there is no standard error."""
    if sys.stderr is None:
        return
    encoding = sys.stderr.encoding or "ascii"
    sys.stderr.buffer.write(text.encode(encoding, "backslashreplace") + b"\n")
    sys.stderr.flush()


def stdout() -> BinaryIO:
    """Standard output for bytes.

    Raises:
        BrokenPipeError: it is closed.
    """
    if sys.stdout is None:
        raise BrokenPipeError
    return sys.stdout.buffer


def write_all(chunks: Iterable[bytes]) -> None:
    """Write to standard output and flush.

    Raises:
        BrokenPipeError: the reader went away.
    """
    out = stdout()
    for chunk in chunks:
        out.write(chunk)
    out.flush()
