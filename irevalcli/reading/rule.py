"""What a rule is: a fault or an oddity of input files, under a code that is never reused."""

from __future__ import annotations

from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "note"]


class Rule(NamedTuple):
    """What a code stands for, in words that ``irevalcli validate --explain`` shows.

    Attributes:
        code: three letters and three digits.
        title: what is wrong, in a clause without a final stop.
        help: what to do about it, in the imperative and without a final stop.
        severity: an error makes a file unusable, a warning means that numbers may not be what they seem, and a note
            never makes `validate` fail.
        why: why it matters; sentences.
        found: how it is found; sentences.
        example: a file that breaks the rule (bytes that are no UTF-8 as surrogates), or a command behind ``$ ``.
        better: the same without the fault.
        beside: the qrels that the run of the example is checked against, for rules about both.
        fixable: ``validate --fix`` puts it right, and nothing is lost.
        preset_trec: the severity under ``--preset trec``, if it differs.
        limited: it is looked for only under an option, which this names.
    """

    code: str
    title: str
    help: str
    severity: Severity
    why: str
    found: str
    example: str
    better: str
    beside: str = ""
    fixable: bool = False
    preset_trec: Severity | None = None
    limited: str = ""
