"""Finding measures by words in their records."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from irevalcli.measures.registry import Measure

_WHOLE, _START, _INSIDE = 0, 1, 2
_NOWHERE = 99


def search(text: str, records: Iterable[Measure]) -> list[Measure]:
    """The measures in whose names, title, summary, aliases and equivalents every word of `text` occurs, best first.

    A name counts more than a word of the title, that more than one of the summary; within each the whole more than a
    beginning, and that more than any other part. Case does not count. Measures that are equally good keep their order.
    """
    words = text.casefold().split()
    found = []
    for record in records:
        places = [min(_ranks(word, record), default=_NOWHERE) for word in words]
        if _NOWHERE not in places:
            found.append((sum(places), record))
    return [record for _, record in sorted(found, key=lambda pair: pair[0])]


def _ranks(word: str, record: Measure) -> Iterator[int]:
    """How good each occurrence of the word is; small is good."""
    names = [record.name, *record.aliases, *(same.name for same in record.equivalents)]
    fields = (names, record.title.split(), record.summary.split(), [record.title, record.summary])
    for weight, texts in enumerate(fields):
        for text in texts:
            place = text.casefold().strip(".,;:()")
            if word in place:
                yield 3 * weight + (_WHOLE if place == word else _START if place.startswith(word) else _INSIDE)
