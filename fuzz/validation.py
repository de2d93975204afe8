"""``validate`` and ``--fix``: no file stops them, ``evaluate`` sees the same errors, and a repair changes no score."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from campaign import fuzz
from findings import PROBLEMS, check_findings
from plain import described

from irevalcli.analysis.evaluate import NamedRun
from irevalcli.analysis.fixing import changes_of, repair_of
from irevalcli.analysis.inputs import load_qrels, load_run
from irevalcli.analysis.policy import Policy
from irevalcli.analysis.validate import Checks, validate
from irevalcli.errors import InputProblem
from irevalcli.output.validation_formats import FORMATS, ValidationLayout, render_validation
from irevalcli.reading.qrels_formats import QRELS_FORMATS
from irevalcli.reading.rules import RULES, RUN_DUPLICATE

if TYPE_CHECKING:
    from plain import Joined

    from irevalcli.analysis.validation import Validation

NAME = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else "auto"
QRELS = b"".join(
    b"%b 0 %b %d\n" % (q, d, len(d) % 3) for q in (b"1", b"q1", b"301") for d in (b"d1", b"d2", b"a", b"x")
)
RUN = b"".join(b"%b Q0 %b 1 %d t\n" % (q, d, d[0]) for q in (b"1", b"q1", b"301") for d in (b"d1", b"b", b"x"))
FIXABLE = [rule.code for rule in RULES.values() if rule.fixable]


def check(data: bytes) -> None:
    """The first byte chooses what the rest is: a run or qrels, alone or with the other; or a run to be put right."""
    option, text = data[0] if data else 0, data[1:]
    if option & 1 and NAME not in {"auto", *QRELS_FORMATS}:
        return
    with tempfile.TemporaryDirectory() as folder:
        qrels, run = Path(folder) / "qrels", Path(folder) / "run"
        qrels.write_bytes(text if option & 1 else QRELS)
        run.write_bytes(RUN if option & 1 else text)
        preset = "trec" if option & 4 else None
        formats = {"qrels_format" if option & 1 else "run_format": NAME}
        checks = Checks(most=1 + (option >> 3 & 7), preset=preset, **formats)
        beside = None if option & 2 and not option & 1 else str(qrels)
        runs = [] if option & 2 and option & 1 else [NamedRun(str(run), str(run), str(run))]
        try:
            found = validate(beside, runs, checks)
        except PROBLEMS as problem:
            if isinstance(problem, InputProblem):
                raise
            return
        for report in found.files:
            check_findings(
                report.findings, text if Path(report.path).name == ("qrels" if option & 1 else "run") else None
            )
        check_formats(found)
        if runs and beside and not preset:
            check_errors(found, qrels, run, Policy(**formats))
        if not option & 1:
            check_repair(run, qrels, Policy(**formats))


def check_formats(found: Validation) -> None:
    """Every format can show it; those for machines are well-formed."""
    shown = {name: b"".join(render_validation(found, name, ValidationLayout())) for name in FORMATS}
    json.loads(shown["json"])
    json.loads(shown["gitlab"])
    ET.fromstring(shown["junit"])  # noqa: S314  (our own)


def loaded(qrels: Path, run: Path, policy: Policy) -> Joined | InputProblem:
    """The joined run, or the problem of one of the files."""
    try:
        judgments = load_qrels(str(qrels), policy).judgments
        return described(load_run(str(run), judgments, policy).ranking, judgments)
    except InputProblem as problem:
        return problem


def check_errors(found: Validation, qrels: Path, run: Path, policy: Policy) -> None:
    """What evaluate refuses has an error of the same rule, and what it takes has none.

    But evaluate does not look for repeated documents in queries that have no judgments.
    """
    errors = {count.rule for report in found.files for count in report.counts if count.severity == "error"}
    answer = loaded(qrels, run, policy)
    if isinstance(answer, InputProblem):
        if answer.findings[0].rule not in errors:
            raise AssertionError(f"evaluate says {answer.findings[0]}, validate says {errors}")
    elif errors - {RUN_DUPLICATE.code}:
        raise AssertionError(f"validate says {errors}, evaluate says nothing")


def check_repair(run: Path, qrels: Path, policy: Policy) -> None:
    """A repaired run has the same hits, and nothing more to repair."""
    before = loaded(qrels, run, policy)
    repair = repair_of(str(run), "run", FIXABLE, policy.run_format)
    if not repair.counts:
        return
    run.write_bytes(b"".join(change.after for change in changes_of(repair)))
    after = loaded(qrels, run, policy)
    if not isinstance(before, InputProblem) and before != after:
        raise AssertionError(f"{before}\nbecame\n{after}")
    again = repair_of(str(run), "run", FIXABLE, policy.run_format)
    if again.counts:
        raise AssertionError(f"{repair}, and then {again}")


if __name__ == "__main__":
    fuzz(check)
