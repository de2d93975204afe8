"""How often each rule was broken: a line for each, the most frequent first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.output.validation_concise import line_of, summary
from irevalcli.reading.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.validation import Validation
    from irevalcli.output.validation_formats import ValidationLayout


def render(validation: Validation, layout: ValidationLayout) -> Iterator[bytes]:
    """Number, code, severity, ``*`` if it can be fixed, the number of files, and the title."""
    found: dict[tuple[str, str], list[int]] = {}
    for count in (count for file in validation.files for count in file.counts):
        found.setdefault((count.rule, count.severity), []).append(count.number)
    width = max((len(str(sum(numbers))) for numbers in found.values()), default=0)
    for (code, severity), numbers in sorted(found.items(), key=lambda entry: (-sum(entry[1]), entry[0])):
        rule = RULES[code]
        files = f" (in {len(numbers)} files)" if len(numbers) > 1 else ""
        mark = "*" if rule.fixable else " "
        yield line_of(f"{sum(numbers):>{width}} {code} {severity:<7} {mark} {rule.title}{files}", layout)
    if any(RULES[code].fixable for code, _ in found):
        yield line_of("* can be put right by --fix", layout)
    yield line_of(summary(validation), layout)
