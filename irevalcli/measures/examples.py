"""The worked example that most records share: query 101, with values that the named tools printed for it."""

from __future__ import annotations

from irevalcli.measures.registry import Example

RANKING = "2 0 3 - 1 0 -1 2 - -"
UNRETRIEVED = "1 0 1"


def query_101(measure: str, value: str, source: str) -> Example:
    """The example that a measure has this value for query 101."""
    return Example(measure, RANKING, UNRETRIEVED, value, source)
