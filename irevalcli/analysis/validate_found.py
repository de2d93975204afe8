"""Findings about one file, as they are noticed: counted, chosen, and in the end shown with their lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.analysis.validation import Count, FileReport
from irevalcli.errors import Finding
from irevalcli.reading.blank_qrels import BlankQrels
from irevalcli.reading.places import in_its_file, line_texts
from irevalcli.reading.rules import RULES
from irevalcli.reading.trec import BlankRun

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    from irevalcli.analysis.validation import Severity
    from irevalcli.errors import InputProblem
    from irevalcli.reading.opening import Source
    from irevalcli.reading.qrels_format import QrelsFormat
    from irevalcli.reading.rules import Rule
    from irevalcli.reading.run_format import RunFormat

_FIELD = re.compile(rb"[^ \t\v\f\r]+")


TREC_LIMIT = 1000
"""Documents for a query that TREC tracks accept, unless they say otherwise."""


class Checks(NamedTuple):
    """What is looked for.

    Attributes:
        select: the only codes that are reported; all if empty.
        ignore: codes that are not.
        most: how many findings of a rule are located in each file.
        cutoffs: ranks across which ties are looked at.
        judged_at: rank down to which documents should be judged.
        limit: most documents for a query; None for the preset's, if it has one.
        preset: whose rules of submission are applied: ``trec``, or None.
        run_format, qrels_format: names of formats, or ``auto``.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    most: int = 10
    cutoffs: tuple[int, ...] = (10,)
    judged_at: int = 10
    limit: int | None = None
    preset: str | None = None
    run_format: str = "auto"
    qrels_format: str = "auto"

    @property
    def most_documents(self) -> int | None:
        """Most documents for a query, or None."""
        return self.limit or (TREC_LIMIT if self.preset == "trec" else None)

    def wanted(self, code: str) -> bool:
        """Whether findings under this code are reported."""
        return (not self.select or code in self.select) and code not in self.ignore

    def severity(self, rule: Rule) -> Severity:
        """How serious a breach of the rule is."""
        return rule.preset_trec or rule.severity if self.preset == "trec" else rule.severity


def here(line: int, words: str = ", here first") -> str:
    """The words, if there is a line (from 0) that they speak of; else ""."""
    return words if line >= 0 else ""


class _Noticed(NamedTuple):
    """A finding whose line is still to be fetched, if it has one.

    Attributes:
        finding: without column and excerpt.
        field: of the line, such as ``score``; "" for the whole line.
    """

    finding: Finding
    field: str


class Found:
    """What is found in a file.

    Args:
        path: what messages call the file.
        kind: what it is read as.
        checks: what is reported.
    """

    def __init__(self, path: str, kind: Literal["qrels", "run"], checks: Checks) -> None:
        self._path = path
        self._kind: Literal["qrels", "run"] = kind
        self._checks = checks
        self._noticed: list[_Noticed] = []
        self._located: list[Finding] = []
        self._counts: dict[tuple[str, Severity], int] = {}

    def note(
        self,
        rule: Rule,
        message: str,
        line: int = 0,
        field: str = "",
        *,
        expected: str = "",
        severity: Severity | None = None,
    ) -> None:
        """A finding.

        Args:
            rule: what is broken.
            message: what was found.
            line: where, from 1; 0 or less if that is the whole file.
            field: of the line, such as ``score``; "" for the whole line.
            expected: what should stand there.
            severity: if it is not the rule's.
        """
        serious = severity or self._checks.severity(rule)
        found = Finding(
            rule.code, message, self._path, max(line, 0), expected=expected, help=rule.help, severity=serious
        )
        if self.count(rule.code, serious):
            self._noticed.append(_Noticed(found, field))

    def add(self, findings: Iterable[Finding]) -> None:
        """Findings of readers, complete with their lines."""
        for finding in findings:
            serious = self._checks.severity(RULES[finding.rule])
            if self.count(finding.rule, serious):
                self._located.append(finding._replace(severity=serious))

    def count(self, code: str, severity: Severity, number: int = 1) -> bool:
        """Count findings, and say whether one of them is to be shown."""
        if number <= 0 or not self._checks.wanted(code):
            return False
        before = self._counts.get((code, severity), 0)
        self._counts[code, severity] = before + number
        return before < self._checks.most

    def count_more(self, rule: Rule, number: int) -> None:
        """Count findings that are not shown."""
        self.count(rule.code, self._checks.severity(rule), number)

    def report(self, source: Source, layout: RunFormat | QrelsFormat, *, rows: int, queries: int) -> FileReport:
        """The report, with the lines of findings, for which the source is read again as far as needed.

        Raises:
            InputProblem: the source cannot be read to its end.
        """
        texts = line_texts(source, {each.finding.line for each in self._noticed} - {0})
        shown = [_placed(each, texts, layout) for each in self._noticed]
        shown += self._located
        shown.sort(key=lambda finding: (not finding.line, finding.line, finding.column, finding.rule))
        return self._report([in_its_file(finding, source) for finding in shown], rows, queries)

    def unreadable(self, problem: InputProblem) -> FileReport:
        """The report on a file that cannot be read."""
        more = "; ".join(problem.hints)
        self.add(finding._replace(help=more or finding.help) for finding in problem.findings)
        return self._report(self._located, 0, 0)

    def _report(self, findings: list[Finding], rows: int, queries: int) -> FileReport:
        counts = tuple(Count(code, severity, number) for (code, severity), number in sorted(self._counts.items()))
        return FileReport(self._path, self._kind, rows, queries, tuple(findings), counts)


def _placed(noticed: _Noticed, texts: dict[int, bytes], layout: RunFormat | QrelsFormat) -> Finding:
    """The finding with the text of its line, and the field in it where fields are separated by blanks."""
    finding = noticed.finding
    text = texts.get(finding.line)
    if text is None:
        return finding
    text = text.rstrip(b"\r")
    place = getattr(layout.shape, noticed.field, None) if isinstance(layout, BlankRun | BlankQrels) else None
    fields = list(_FIELD.finditer(text))
    if place is None or place >= len(fields):
        return finding._replace(column=1, width=max(len(text), 1), excerpt=text)
    start, end = fields[place].span()
    return finding._replace(column=start + 1, width=end - start, excerpt=text)
