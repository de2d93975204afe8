"""Rules as they are named on the command line: a code, or the beginning of several."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from irevalcli.errors import UsageProblem
from irevalcli.reading.rules import RULES

if TYPE_CHECKING:
    from irevalcli.reading.rules import Rule


class RuleType(click.ParamType[str]):
    """A code, or codes and beginnings of codes separated by commas; completes to codes."""

    name = "rule"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The codes that begin so."""
        del ctx, param
        before, comma, last = incomplete.rpartition(",")
        return [
            CompletionItem(before + comma + rule.code, help=rule.title)
            for rule in RULES.values()
            if rule.code.startswith(last.upper())
        ]


def rule_called(code: str) -> Rule:
    """The rule with this code.

    Raises:
        UsageProblem: there is none.
    """
    rule = RULES.get(code.strip().upper())
    if rule is None:
        raise _unknown(code)
    return rule


def codes_of(option: str, texts: tuple[str, ...]) -> tuple[str, ...]:
    """The codes that lists of codes and of their beginnings stand for, each once, in the order of the catalogue.

    Args:
        option: the option that the lists belong to.
        texts: such as ``RUN,QRL01``.

    Raises:
        UsageProblem: a list is empty, or no code begins as it says.
    """
    found: set[str] = set()
    for text in texts:
        words = [word.strip() for word in text.split(",") if word.strip()]
        if not words:
            raise UsageProblem(f"{option}: no rule is named", hints=("write codes or their beginnings: RUN,QRL003",))
        for word in words:
            codes = [code for code in RULES if code.startswith(word.upper())]
            if not codes:
                raise _unknown(word, option)
            found.update(codes)
    return tuple(code for code in RULES if code in found)


def _unknown(word: str, option: str = "") -> UsageProblem:
    close = get_close_matches(word.upper(), RULES, 1)
    like = f"; did you mean {close[0]}?" if close else ""
    place = f"{option}: " if option else ""
    return UsageProblem(f"{place}no rule has the code '{word}'{like}", hints=("all rules: irevalcli validate --rules",))
