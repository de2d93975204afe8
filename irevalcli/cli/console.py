"""The terminal, decided once: is there one, how wide is it, does it take colour and more than ASCII."""

from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from irevalcli.errors import IrevalError
from irevalcli.output.ascii_text import IN_ASCII

if TYPE_CHECKING:
    from collections.abc import Iterable

_DEFAULT_WIDTH = 80


class OutputProblem(IrevalError):
    """Results cannot be written where they should go."""

    exit_code = 3


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
        return cls(
            terminal,
            _colour(colour, descriptor=1),
            _colour(colour, descriptor=2),
            _is_unicode(getattr(sys.stdout, "encoding", None)),
            _width() if terminal else None,
            quiet,
        )

    def format_for(self, wanted: str) -> str:
        """The format that is wanted; of ``auto``, a table for a terminal and tsv for anything else."""
        if wanted != "auto":
            return wanted
        return "table" if self.terminal else "tsv"

    def say(self, text: str) -> None:
        """A line of talk on standard error, unless quiet."""
        if not self.quiet:
            complain(text)


def _is_terminal(descriptor: int) -> bool:
    try:
        return os.isatty(descriptor)
    except OSError:
        return False


def _is_file(descriptor: int) -> bool:
    try:
        return stat.S_ISREG(os.fstat(descriptor).st_mode)
    except OSError:
        return False


def _is_unicode(encoding: str | None) -> bool:
    return (encoding or "ascii").lower().startswith("utf")


def _colour(wish: str, *, descriptor: int) -> bool:
    """The flag decides, then NO_COLOR, then FORCE_COLOR, then whether it is a terminal.

    FORCE_COLOR is set for whole CI jobs, where a log takes escape sequences but a file that a step writes does not.
    """
    if wish != "auto":
        return wish == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return not _is_file(descriptor)
    return _is_terminal(descriptor) and os.environ.get("TERM") != "dumb"


def _width() -> int:
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdecimal() and int(columns) > 0:
        return int(columns)
    try:
        return os.get_terminal_size(1).columns or _DEFAULT_WIDTH
    except OSError:
        return _DEFAULT_WIDTH


def complain(text: str) -> None:
    """A line on standard error, whatever its encoding; silence if nothing can be written there."""
    if sys.stderr is None:
        return
    encoding = sys.stderr.encoding or "ascii"
    if not _is_unicode(encoding):
        text = text.translate(IN_ASCII)
    try:
        sys.stderr.buffer.write(text.encode(encoding, "backslashreplace") + b"\n")
        sys.stderr.flush()
    except OSError:
        return


def stdout() -> BinaryIO:
    """Standard output for bytes.

    Raises:
        BrokenPipeError: it is closed.
    """
    if sys.stdout is None:
        raise BrokenPipeError
    return sys.stdout.buffer


def cannot_write(error: OSError) -> OutputProblem:
    """The problem that standard output refuses what is written to it."""
    return OutputProblem(f"cannot write to standard output: {os.strerror(error.errno or 0)}")


def write_all(chunks: Iterable[bytes]) -> None:
    """Write to standard output and flush.

    Raises:
        BrokenPipeError: the reader went away.
        OutputProblem: the device is full, or fails.
    """
    out = stdout()
    try:
        out.writelines(chunks)
        out.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise cannot_write(error) from None
