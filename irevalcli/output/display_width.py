"""How many columns of a terminal a text takes, and padding by that measure."""

from __future__ import annotations

from unicodedata import category, east_asian_width

_NO_WIDTH = frozenset({"Mn", "Me", "Cf"})


def display_width(text: str) -> int:
    """Columns that `text`, free of control characters, takes: two for wide characters, none for combining marks."""
    if text.isascii():
        return len(text)
    return sum(
        0 if category(character) in _NO_WIDTH else 2 if east_asian_width(character) in "WF" else 1 for character in text
    )


def padded(texts: list[str], *, right: bool) -> list[str]:
    """The texts filled with blanks to the width of the widest, in front if they are aligned to the right."""
    widths = list(map(display_width, texts))
    widest = max(widths, default=0)
    if right:
        return [" " * (widest - width) + text for text, width in zip(texts, widths, strict=True)]
    return [text + " " * (widest - width) for text, width in zip(texts, widths, strict=True)]
