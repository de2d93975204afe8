"""Runs that an option names by their labels."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from irevalcli.errors import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Sequence


def check_label(option: str, label: str, labels: Sequence[str]) -> None:
    """Nothing, if a run has the label that `option` was given.

    Raises:
        UsageProblem: none of `labels` is it.
    """
    if label in labels:
        return
    close = get_close_matches(label, labels, 1)
    meant = f"; did you mean {close[0]}?" if close else ""
    raise UsageProblem(f"{option} {label}: no run has this label{meant}", hints=(f"runs: {', '.join(labels)}",))
