"""A unified diff of files in which lines change and none comes or goes; the file is read twice and never held."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from irevalcli.output.id_text import encoded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from irevalcli.analysis.fixing import Change

_CONTEXT = 3


class _Span(NamedTuple):
    """Lines from `first` to `last`, counted from 1, both in it."""

    first: int
    last: int


def unified_diff(path: str, changes: Callable[[], Iterable[Change]]) -> Iterator[bytes]:
    """The lines of the diff, nothing if nothing changes. What the file holds is written byte for byte.

    Args:
        path: of the file, before and after.
        changes: gives all lines of the file, in order; it is called twice.
    """
    spans = _spans(changes())
    if not spans:
        return
    yield encoded(f"--- {path}\n+++ {path}\n")
    waiting = iter(spans)
    span = next(waiting, None)
    for number, before, after in _lines(changes(), spans):
        if span is None:
            return
        if number == span.first:
            extent = f"{span.first},{span.last - span.first + 1}"
            yield f"@@ -{extent} +{extent} @@\n".encode()
        if span.first <= number <= span.last:
            if before == after:
                yield _marked(b" ", before)
            else:
                yield _marked(b"-", before)
                yield _marked(b"+", after)
        if number == span.last:
            span = next(waiting, None)


def _marked(mark: bytes, line: bytes) -> bytes:
    return mark + line if line.endswith(b"\n") else mark + line + b"\n\\ No newline at end of file\n"


def _spans(changes: Iterable[Change]) -> list[_Span]:
    """The changed lines with a few around them; those whose surroundings touch are one."""
    spans: list[_Span] = []
    passed = 0
    for before, after in changes:
        lines = _cut(before)
        if before != after:
            for number, (one, other) in enumerate(zip(lines, _cut(after), strict=True), passed + 1):
                if one != other:
                    first = max(number - _CONTEXT, 1)
                    if spans and first <= spans[-1].last + 1:
                        first = spans.pop().first
                    spans.append(_Span(first, number + _CONTEXT))
        passed += len(lines)
    if spans:
        spans[-1] = spans[-1]._replace(last=min(spans[-1].last, passed))
    return spans


def _lines(changes: Iterable[Change], spans: list[_Span]) -> Iterator[tuple[int, bytes, bytes]]:
    """Number, text before and text after of every line of the changes that a span reaches into."""
    passed, place = 0, 0
    for before, after in changes:
        lines = _cut(before)
        while place < len(spans) and spans[place].last <= passed:
            place += 1
        if place < len(spans) and spans[place].first <= passed + len(lines):
            numbers = range(passed + 1, passed + len(lines) + 1)
            yield from zip(numbers, lines, _cut(after), strict=True)
        passed += len(lines)


def _cut(text: bytes) -> list[bytes]:
    """The lines with their ends."""
    *lines, last = text.split(b"\n")
    return [line + b"\n" for line in lines] + [last] * bool(last)
