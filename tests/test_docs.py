"""The documentation is true: its commands do what it shows, and nothing of the program is left out."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from irevalcli.cli.exits import ExitCode
from irevalcli.cli.main import COMMANDS, irevalcli
from irevalcli.output.registry import FORMATS
from irevalcli.reading.rules import RULES

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs"))

import generate  # noqa: E402  (a script beside the pages, in no package)
import transcripts  # noqa: E402

PAGES = transcripts.pages()
LINKING = [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
HOW = "if the page is what is wrong: python docs/generate.py"


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(text: str) -> set[str]:
    """The anchors that a page's headings get on GitHub."""
    headings = re.findall(r"^#+ (.*)$", without_code(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_of_a_page_writes_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    found = transcripts.steps(page.read_text(encoding="utf-8"))
    transcripts.prepare(tmp_path)
    written = transcripts.outputs([step.command for step in found], tmp_path)
    for step, output in zip(found, written, strict=True):
        if not transcripts.agrees(step.shown, output):
            assert output == step.shown, f"{page.name}:{step.line}: {step.command} ({HOW})"


def test_the_readme_begins_with_the_two_commands_of_ci_and_has_no_others_that_do_not_run() -> None:
    fences = re.findall(r"^```(\w+)$", text_of("README.md"), re.MULTILINE)
    assert fences[:2] == ["sh", "sh"]
    assert set(fences[2:]) == {"console"}


def test_the_page_of_measures_is_the_generated_one() -> None:
    assert generate.MEASURES_PAGE.read_text(encoding="utf-8") == generate.measures_page(), HOW


def test_the_page_of_rules_is_the_generated_one() -> None:
    assert generate.RULES_PAGE.read_text(encoding="utf-8") == generate.rules_page(), HOW


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_examples_in_the_help_and_is_mentioned_in_the_documentation(name: str) -> None:
    command = import_module(f"irevalcli.cli.{COMMANDS[name].module}").command
    helps = [part.get_help(click.Context(part, info_name="irevalcli")) for part in (irevalcli, command)]
    assert re.search(rf"Examples:.*^ +irevalcli {name} ", "\n".join(helps), re.MULTILINE | re.DOTALL)
    assert any(f"irevalcli {name}" in page.read_text(encoding="utf-8") for page in PAGES)


@pytest.mark.parametrize("code", ExitCode, ids=lambda code: code.name)
def test_every_exit_code_is_documented(code: ExitCode) -> None:
    assert f"| {code.value} | {code.name} | " in text_of("docs/exit-codes.md")
    assert f"| {code.value} | " in text_of("README.md")


@pytest.mark.parametrize("name", FORMATS)
def test_every_output_format_is_documented_with_its_ending(name: str) -> None:
    suffix = FORMATS[name].suffix
    ending = f"`{suffix}` " if suffix else ""
    assert f"| `{name}` | {ending}| " in text_of("docs/evaluate.md")


def test_every_code_of_a_fault_is_documented_with_its_title() -> None:
    page = text_of("docs/rules.md")
    missing = [code for code, rule in RULES.items() if f"| [{code}](#{code.lower()}) | {rule.title} |" not in page]
    assert missing == []


@pytest.mark.parametrize("page", LINKING, ids=lambda page: page.name)
def test_every_link_to_a_file_or_heading_resolves(page: Path) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text(encoding="utf-8")))
    for link in links:
        path, _, anchor = link.partition("#")
        if path.startswith("https:"):
            continue
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert ROOT in target.parents, link
        if anchor:
            assert anchor in anchors(target.read_text(encoding="utf-8")), link


def test_an_elision_stands_for_any_lines_but_not_for_those_around_it() -> None:
    assert transcripts.agrees(["a", "…", "c"], ["a", "b", "b", "c"])
    assert transcripts.agrees(["a", "…"], ["a"])
    assert not transcripts.agrees(["a", "…", "c"], ["a", "b"])
    assert not transcripts.agrees(["a", "…", "a"], ["a"])
    assert not transcripts.agrees(["a"], ["a", "b"])


def test_rewriting_a_page_changes_outputs_alone_and_keeps_what_is_left_out() -> None:
    page = "text\n```console\n$ one\nold\n$ two\nx\n…\ny\n```\n$ no command\n"
    assert [step.command for step in transcripts.steps(page)] == ["one", "two"]
    new = transcripts.rewritten(page, [["new", "lines"], ["1", "2", "3", "4"]])
    assert new == "text\n```console\n$ one\nnew\nlines\n$ two\n1\n…\n4\n```\n$ no command\n"
    assert transcripts.rewritten(page, [["old"], ["x", "y"]]) == page


def test_the_status_of_a_command_is_known_to_the_next_one(tmp_path: Path) -> None:
    assert transcripts.outputs(["echo out; echo err >&2; exit 3", "echo $?"], tmp_path) == [["out", "err"], ["3"]]


def test_a_bug_does_not_get_into_a_page(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="sorry"):
        transcripts.outputs(["echo sorry; exit 70"], tmp_path)
