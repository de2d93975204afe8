"""Writes what is generated in the documentation: pages of measures and rules, tables of keys and formats, outputs.

    python docs/generate.py            # write
    python docs/generate.py --check    # write nothing; name the pages that are out of date, and exit 1 if there are any

The pages are README.md and all that lie in docs.
"""
# ruff: noqa: INP001  (a folder of pages and the scripts that make them, no package)

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from format_tables import with_format_tables
from key_tables import with_key_tables
from transcripts import ROOT, outputs, pages, prepare, rewritten, steps

from irevalcli.measures.families import families
from irevalcli.output.records import records_markdown
from irevalcli.output.rule_text import rules_markdown
from irevalcli.reading.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

MEASURES_PAGE = ROOT / "docs" / "measures.md"
RULES_PAGE = ROOT / "docs" / "rules.md"

_BEFORE_THE_INDEX = """\
# Measures

Every measure of irevalcli. `docs/generate.py` writes this page from the records in `irevalcli/measures`, the same that
`irevalcli measures` shows. To change it, change them.

A measure is written `Name(parameter=value,…)@x`. What stands behind `@` is the cutoff, or the recall level of `IPrec`.
Parameters that are left out have their defaults. The names of trec_eval, ir_measures and ranx are accepted too; what is
printed is the name on this page. How to ask for measures on the command line: [evaluate.md](evaluate.md#measures).

In the examples a ranking is a line of grades in rank order, with `-` for a document that the qrels do not have. The
grades of the documents that were not retrieved follow.
"""


_BEFORE_THE_RULES = """\
# Rules

Every fault and oddity of input files that irevalcli reports, in all commands. `docs/generate.py` writes this page from
the records in `irevalcli/reading/rules*.py`, the same that `irevalcli validate --explain CODE` shows. To change it,
change them.

A code never changes its meaning and is never used again. An error makes a file unusable: commands that measure stop at
it. A warning means that numbers may not be what they seem; `validate --strict` fails. A note never fails. How to look
for all of them: [validate.md](validate.md).
"""


def rules_page() -> str:
    """The page of rules."""
    return "\n".join([_BEFORE_THE_RULES, *rules_markdown(list(RULES.values()))])


def measures_page() -> str:
    """The page of measures: an index by family, then every record in full."""
    return "\n".join([_BEFORE_THE_INDEX, *_index(), *_sections()])


def _index() -> Iterator[str]:
    for family in families():
        yield f"**{family.title}**"
        yield ""
        yield "| measure | trec_eval | what it answers |"
        yield "|:---|:---|:---|"
        for record in family.measures:
            names = [_code(other.name) for other in record.equivalents if other.tool == "trec_eval"]
            summary = record.summary.replace("|", "\\|")
            yield f"| [{record.name}](#{record.name.lower()}) | {', '.join(names)} | {summary} |"
        yield ""


def _code(name: str) -> str:
    """The name of an equivalent as code, and the condition behind it as text."""
    name, comma, condition = name.partition(", ")
    return f"`{name}`{' ' * bool(comma)}{condition}"


def _sections() -> Iterator[str]:
    for family in families():
        yield f"## {family.title}"
        yield ""
        for line in records_markdown(family.measures):
            yield f"#{line}" if line.startswith("## ") else line


def renewed_page(path: Path) -> str:
    """The text that a page should have."""
    text = with_format_tables(with_key_tables(path.read_text(encoding="utf-8")))
    commands = [step.command for step in steps(text)]
    with tempfile.TemporaryDirectory() as place:
        prepare(Path(place))
        return rewritten(text, outputs(commands, Path(place)))


def main() -> int:
    """Run the command line; the exit status."""
    parser = argparse.ArgumentParser(description="Write the generated parts of the documentation.")
    parser.add_argument("--check", action="store_true", help="only name what is out of date, and exit 1")
    checking = parser.parse_args().check
    stale = []
    written = {MEASURES_PAGE: measures_page, RULES_PAGE: rules_page}
    for path in dict.fromkeys([*written, *pages()]):
        wanted = written[path]() if path in written else renewed_page(path)
        if not path.exists() or path.read_text(encoding="utf-8") != wanted:
            stale.append(path)
            if not checking:
                path.write_text(wanted, encoding="utf-8")
    for path in stale:
        sys.stdout.write(f"{'out of date' if checking else 'written'}: {path.relative_to(ROOT)}\n")
    return int(checking and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
