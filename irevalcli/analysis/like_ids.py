"""Ids that look alike and are not the same: 007 and 7, D1 and d1, q12 and 12."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-:.#"
_SEPARATOR = re.compile(rb"[-_.:#/@]")


class Likeness(NamedTuple):
    """An id of one file and one of another that look alike.

    Attributes:
        ours: the id in the first file.
        theirs: the id in the second.
        words: what they differ by.
        number: how many ids of the first file have one in the second that differs by the same.
    """

    ours: bytes
    theirs: bytes
    words: str
    number: int


def likeness(ours: Sequence[bytes], theirs: Collection[bytes]) -> Likeness | None:
    """The way in which most of our ids look like one of theirs, or None if none does.

    Args:
        ours: ids that are not among theirs.
        theirs: other ids.
    """
    found = [_by_key(ours, theirs, key) for key, _ in _KEYS]
    found.append(_by_suffix(ours, theirs))
    best = max((each for each in found if each is not None), key=lambda each: each.number, default=None)
    if best is None:
        return None
    # The narrowest words for the pair that is shown: 007 and 7 are also two ways to write a number.
    same = (words for key, words in _KEYS if key(best.ours) == key(best.theirs) != b"")
    return best._replace(words=next(same, "what stands behind"))


def _by_key(ours: Sequence[bytes], theirs: Collection[bytes], key: Callable[[bytes], bytes]) -> Likeness | None:
    mates = {key(token): token for token in theirs}
    return _first(ours, {token: mates.get(key(token)) for token in ours if key(token)})


def _by_suffix(ours: Sequence[bytes], theirs: Collection[bytes]) -> Likeness | None:
    """Ids of which one is the other and more, behind a separator."""
    whole = set(theirs)
    shortened = {beginning: token for token in theirs for beginning in _beginnings(token)}
    mates = {
        token: shortened.get(token) or next((each for each in _beginnings(token) if each in whole), None)
        for token in ours
    }
    return _first(ours, mates)


def _beginnings(token: bytes) -> list[bytes]:
    return [token[: found.start()] for found in _SEPARATOR.finditer(token) if found.start()]


def _first(ours: Sequence[bytes], mates: dict[bytes, bytes | None]) -> Likeness | None:
    pairs = [(token, mate) for token in ours if (mate := mates.get(token)) is not None and mate != token]
    return Likeness(*pairs[0], "", len(pairs)) if pairs else None


def _number(token: bytes) -> bytes:
    try:
        return repr(float(token)).encode()
    except ValueError:
        return token


def _composed(token: bytes) -> bytes:
    """The id with every character in its composed form (NFC)."""
    if token.isascii():
        return token
    import unicodedata  # noqa: PLC0415  (start-up: only ids beyond ASCII need it)

    try:
        return unicodedata.normalize("NFC", token.decode()).encode()
    except UnicodeDecodeError:
        return token


_KEYS: tuple[tuple[Callable[[bytes], bytes], str], ...] = (
    (lambda token: token.lstrip(b"0"), "leading zeros"),
    (bytes.lower, "upper and lower case"),
    (_number, "how a number is written"),
    (lambda token: token.strip(b"\"'"), "quotes"),
    (_composed, "the form of Unicode (NFC or NFD)"),
    (lambda token: token.lstrip(_LETTERS), "what stands in front"),
)
