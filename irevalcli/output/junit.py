"""JUnit's XML, which every CI service reads. Knows suites and cases, and nothing of what they stand for.

There is no published standard; these are the elements and attributes that Jenkins, GitLab, Azure and the actions of
GitHub share. No times and no dates are written, so that the same results are the same bytes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple
from xml.etree import ElementTree as ET

from irevalcli.output.id_text import spelt_out

if TYPE_CHECKING:
    from collections.abc import Sequence

Outcome = Literal["passed", "failed", "skipped"]

# Line ends and tabs are kept; of the rest, what XML 1.0 cannot hold at all or what a reader would change.
_NOT_FOR_XML = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


class Case(NamedTuple):
    """One test.

    Attributes:
        classname: what services group by, such as a measure or a file.
        name: of the test, unique among those of its class.
        outcome: ``passed``, ``failed`` or ``skipped``.
        message: why it failed or was skipped, in one line. Not shown of a test that passed.
        text: the same at length, in as many lines as it takes. Of a test that passed, what it wrote.
        file: path from the top of the repository, or "" if the test belongs to no file.
        line: from 1, or 0 for none.
    """

    classname: str
    name: str
    outcome: Outcome = "passed"
    message: str = ""
    text: str = ""
    file: str = ""
    line: int = 0


class Suite(NamedTuple):
    """Tests that belong together.

    Attributes:
        name: of the suite.
        cases: its tests.
        properties: names and values, such as hashes of the inputs.
        output: what else there is to say, in lines.
    """

    name: str
    cases: Sequence[Case]
    properties: Sequence[tuple[str, str]] = ()
    output: str = ""


def junit_xml(name: str, suites: Sequence[Suite], *, nothing: str) -> bytes:
    r"""The document: ``testsuites`` with a ``testsuite`` for each suite, UTF-8, indented.

    Characters that XML cannot hold, and bytes that were no UTF-8, are spelt out as ``\uXXXX``; all others can be read
    back.

    Args:
        name: of the whole.
        suites: in their order; without any, one suite with the name of the whole is written.
        nothing: name of the passing case that a suite without cases gets, because services take an empty report for
            a test run that broke down.
    """
    root = ET.Element("testsuites", {"name": _legal(name)})
    totals = dict.fromkeys(("tests", "failures", "errors", "skipped"), 0)
    for suite in suites or [Suite(name, ())]:
        element = _suite(suite if suite.cases else suite._replace(cases=[Case(suite.name, nothing)]))
        root.append(element)
        for key in totals:
            totals[key] += int(element.attrib[key])
    root.attrib |= {key: str(number) for key, number in totals.items()}
    ET.indent(root)
    document: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def _suite(suite: Suite) -> ET.Element:
    outcomes = [case.outcome for case in suite.cases]
    counts = {
        "tests": len(outcomes),
        "failures": outcomes.count("failed"),
        "errors": 0,
        "skipped": outcomes.count("skipped"),
    }
    element = ET.Element(
        "testsuite", {"name": _legal(suite.name), **{key: str(number) for key, number in counts.items()}}
    )
    if suite.properties:
        listed = ET.SubElement(element, "properties")
        for key, value in suite.properties:
            ET.SubElement(listed, "property", {"name": _legal(key), "value": _legal(value)})
    element.extend(map(_case, suite.cases))
    if suite.output:
        ET.SubElement(element, "system-out").text = _legal(suite.output)
    return element


def _case(case: Case) -> ET.Element:
    element = ET.Element("testcase", {"classname": _legal(case.classname), "name": _legal(case.name)})
    if case.file:
        element.set("file", _legal(case.file))
    if case.line:
        element.set("line", str(case.line))
    if case.outcome == "passed":
        if case.text:
            ET.SubElement(element, "system-out").text = _legal(case.text)
        return element
    reason = ET.SubElement(element, "failure" if case.outcome == "failed" else "skipped")
    reason.set("message", _legal(case.message))
    reason.text = _legal(case.text)
    return element


def _legal(text: str) -> str:
    return _NOT_FOR_XML.sub(spelt_out, text)
