"""The index of every name that a measure answers to: ours, the records' aliases, other tools' spellings."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

from irevalcli.measures.aliases import ALIASES, Alias
from irevalcli.measures.intent_aware import SUFFIX, has_intent_aware_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from irevalcli.measures.registry import Measure

_WORD = re.compile(r"\w[\w-]*")
_EQUIVALENT_WORD = re.compile(r"(\w[\w-]*)(@k)?")
_TOOLS = frozenset({"trec_eval", "ir_measures", "ranx"})
_SIMILAR = 0.6


class Names:
    """Finds measures by any name.

    Names are looked up as written first; then in any case, if all the measures so found are one and the same.

    Attributes:
        measures: the records by canonical name.
    """

    def __init__(self, measures: Mapping[str, Measure]) -> None:
        self.measures = measures
        self._rows = [row for row in ALIASES if row.measure in measures]
        self._takers = [row for row in self._rows if row.values or row.pairs]
        self._aliases = {name: Alias(name, name) for name in measures}
        for row in self._rows:
            self._aliases.setdefault(row.name, row)
        for record in measures.values():
            for name in (*record.aliases, *_equivalent_words(record)):
                self._aliases.setdefault(name, Alias(name, record.name))
        self._folded: dict[str, list[Alias]] = {}
        for name, alias in self._aliases.items():
            self._folded.setdefault(name.casefold(), []).append(alias)

    def find(self, name: str) -> Alias | None:
        """What `name` stands for when no values follow a dot or underscore, or None."""
        return self._aliases.get(name) or self._in_any_case(name) or self._intent_aware(name)

    def family(self, name: str) -> Alias | None:
        """What trec_eval's `name` stands for inside a set: the row with default values, if there is one."""
        return next((row for row in self._rows if row.name == name and row.defaults), None) or self.find(name)

    def parametrised(self, text: str) -> tuple[Alias, str] | None:
        """The name and the values of text such as ``P_5``, ``ndcg_cut.5,10``, ``rbp.p=0.8``; None for others."""
        folded = text.casefold()
        rows = [row for row in self._takers if text.startswith((f"{row.name}.", f"{row.name}_"))] or [
            row
            for row in self._takers
            if folded.startswith((f"{row.name.casefold()}.", f"{row.name.casefold()}_")) and self._in_any_case(row.name)
        ]
        if not rows:
            return None
        length = max(len(row.name) for row in rows)
        values = text[length + 1 :]
        longest = [row for row in rows if len(row.name) == length]
        fitting = [row for row in longest if bool(row.pairs) == ("=" in values)]
        return (fitting or longest)[0], values

    def starts(self, text: str) -> bool:
        """Whether a known name stands at the beginning of `text`."""
        word = _WORD.match(text)
        return (word is not None and self.find(word[0]) is not None) or self.parametrised(text) is not None

    def similar(self, name: str, *, with_values: bool) -> list[Alias]:
        """What up to three known names that look like `name` stand for, the likeliest first.

        Args:
            name: an unknown name.
            with_values: only names that take values behind a dot or underscore.
        """
        known = self._folded
        if with_values:
            known = {row.name.casefold(): [row] for row in self._takers}
        return [known[close][0] for close in get_close_matches(name.casefold(), known, n=3, cutoff=_SIMILAR)]

    def _intent_aware(self, name: str) -> Alias | None:
        """What ``X_IA`` stands for if `X` is a measure that can be averaged over sub-topics, or None."""
        averaged, suffix = name[: -len(SUFFIX)], name[-len(SUFFIX) :]
        base = self.find(averaged) if suffix.casefold() == SUFFIX.casefold() else None
        if base is None or base.measure not in self.measures or not has_intent_aware_mean(self.measures[base.measure]):
            return None
        return Alias(name, base.measure + SUFFIX + base.target[len(base.measure) :])

    def _in_any_case(self, name: str) -> Alias | None:
        """What all names that differ from `name` in case only stand for, or None if they disagree."""
        same = self._folded.get(name.casefold(), [])
        return same[0] if len({alias.target for alias in same}) == 1 else None


def _equivalent_words(record: Measure) -> list[str]:
    """Names of the same number in other tools that are one word, alone or with ``@k``."""
    matches = [_EQUIVALENT_WORD.fullmatch(same.name) for same in record.equivalents if same.tool in _TOOLS]
    return [match[1] for match in matches if match]
