"""Ids, which are bytes, as text."""

from __future__ import annotations

import re

# Beside the control characters: line separators, marks that reverse the direction of writing, and undecodable bytes.
_NOT_FOR_EYES = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def decoded(identifier: bytes) -> str:
    """The id as text, from which `encoded` makes the same bytes again. What is no UTF-8 becomes surrogates."""
    return identifier.decode("utf-8", "surrogateescape")


def encoded(text: str) -> bytes:
    """The bytes that `decoded` was given, or those of any other text."""
    return text.encode("utf-8", "surrogateescape")


def escaped(text: str) -> bytes:
    r"""UTF-8, with ``\udcXX`` spelt out for the bytes that were none."""
    return text.encode("utf-8", "backslashreplace")


def visible(text: str) -> str:
    r"""The text with characters that would act on a terminal, or show nothing there, spelt out as ``\uXXXX``."""
    return text if text.isascii() and text.isprintable() else _NOT_FOR_EYES.sub(spelt_out, text)


def spelt_out(match: re.Match[str]) -> str:
    r"""The one character that a pattern found, as ``\uXXXX``."""
    return f"\\u{ord(match[0]):04x}"
