"""Findings about the text of a file, whatever it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.analysis.notes import counted
from irevalcli.reading.rules import BYTE_ORDER_MARK, CRLF, NO_FINAL_NEWLINE, NON_ASCII, NOT_UTF8

if TYPE_CHECKING:
    from irevalcli.analysis.validate_found import Found
    from irevalcli.index.inspection import TextFacts
    from irevalcli.reading.opening import Source


def note_encoding(found: Found, source: Source) -> None:
    """What was done about a byte order mark when the source was read."""
    if source.encoding_note:
        found.note(BYTE_ORDER_MARK, f"the file {source.encoding_note}")


def note_text(found: Found, facts: TextFacts, lines_before: int) -> None:
    """What the text is like, of which so many lines come before the one where its counts begin."""

    def line(number: int) -> int:
        return lines_before + number + 1

    returns, beyond = facts.carriage_returns, facts.non_ascii
    if returns.number:
        lines = counted(returns.number, "line ends", "lines end")
        found.note(CRLF, f"{lines} as on Windows (CR LF), here first", line(returns.first))
    if facts.not_utf8 >= 0:
        found.note(NOT_UTF8, "not valid UTF-8; ids are compared byte for byte", line(facts.not_utf8))
    elif beyond.number and beyond.first < 0:
        found.note(NON_ASCII, "ids hold characters beyond ASCII")
    elif beyond.number:
        lines = counted(beyond.number, "line has", "lines have")
        found.note(NON_ASCII, f"{lines} characters beyond ASCII, here first", line(beyond.first))
    if facts.unended >= 0:
        found.note(NO_FINAL_NEWLINE, "the last line has no line end", line(facts.unended))
