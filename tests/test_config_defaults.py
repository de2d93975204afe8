"""What commands take from the configuration file and the environment, and what goes before what."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click
import pytest
from calls import Call, call, put
from drop_in import command as drop_in
from drop_in import environment

from irevalcli.cli.commands import Command, GroupedOption
from irevalcli.cli.main import COMMANDS
from irevalcli.config.keys import OF_OPTIONS, TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with ``qrels`` and two runs; ``b`` lacks query 2."""
    put(
        tmp_path,
        qrels="1 0 d 1\n1 0 e 0\n2 0 d 2",
        a="1 Q0 e 1 2 s\n1 Q0 d 2 1 s\n2 Q0 d 1 1 s",
        b="1 Q0 d 1 2 s\n1 Q0 e 2 1 s",
    )
    return tmp_path


def evaluate(folder: Path, *options: str, **variables: str) -> Call:
    result = call(folder, "evaluate", *options, "qrels", "b", env=variables)
    assert result.code == 0, result.err
    return result


def commands() -> Iterator[Command]:
    for entry in COMMANDS.values():
        command = import_module(f"irevalcli.cli.{entry.module}").command
        if isinstance(command, Command):
            yield command


def test_a_flag_goes_before_the_environment_that_before_the_file_and_that_before_the_default(place: Path) -> None:
    asked = ("-m", "AP")
    assert evaluate(place, *asked).values["all AP"] == "0.5000"
    put(place, irevalcli_toml="digits = 2")
    assert evaluate(place, *asked).values["all AP"] == "0.50"
    assert evaluate(place, *asked, IREVALCLI_DIGITS="3").values["all AP"] == "0.500"
    assert evaluate(place, *asked, "--digits", "1", IREVALCLI_DIGITS="3").values["all AP"] == "0.5"
    assert evaluate(place, *asked, "--isolated", IREVALCLI_DIGITS="3").values["all AP"] == "0.500"
    assert evaluate(place, *asked, IREVALCLI_DIGITS="").values["all AP"] == "0.50"


def test_every_presentation_key_has_its_effect_in_a_file_and_in_the_environment(place: Path) -> None:
    effects: dict[str, tuple[Any, Any]] = {
        "format": ("csv", lambda call: call.out.startswith("run,query,")),
        "digits": (1, lambda call: ",all,AP,0.5" in call.out or "\tall\tAP\t0.5\n" in call.out),
        "names": ("trec", lambda call: "\tmap\t" in call.out),
        "sort": ("measure", lambda call: call.out.index("AP") < call.out.index("RR")),
        "color": ("always", lambda call: call.code == 0),
        "quiet": (True, lambda call: call.err == ""),
        "progress": (False, lambda call: call.code == 0),
    }
    keys = {key.name: key for key in TABLES[""].keys if key.purpose == "presentation"}
    assert effects.keys() == keys.keys()
    for name, (value, shows) in effects.items():
        written = str(value).lower() if isinstance(value, bool | int) else f'"{value}"'
        put(place, irevalcli_toml=f"{name} = {written}")
        by_file = evaluate(place, "-m", "RR,AP")
        variables = {keys[name].variable: str(value)}
        by_variable = evaluate(place, "-m", "RR,AP", "--isolated", **variables)
        assert shows(by_file), name
        assert by_file == by_variable, name


def test_colour_of_a_file_gives_way_to_the_variables_of_all_programs(place: Path) -> None:
    put(place, irevalcli_toml='color = "always"\nformat = "table"\nquiet = true')
    asked = ("evaluate", "-m", "AP", "qrels", "a", "b")
    assert "\x1b[" in call(place, *asked).out
    assert "\x1b[" not in call(place, *asked, env={"NO_COLOR": "1"}).out
    assert "\x1b[" in call(place, *asked, env={"NO_COLOR": ""}).out
    assert "\x1b[" in call(place, *asked, env={"NO_COLOR": "1", "IREVALCLI_COLOR": "always"}).out
    # A file that a step of a CI job writes, as standard output is here, gets no colour from FORCE_COLOR.
    assert "\x1b[" not in call(place, *asked, env={"FORCE_COLOR": "1"}).out


@pytest.mark.parametrize(
    "name", ["missing", "measures", "relevance", "depth", "config", "isolated", "queries", "alpha"]
)
def test_no_variable_changes_a_number(name: str, place: Path) -> None:
    plain = evaluate(place)
    assert evaluate(place, **{f"IREVALCLI_{name.upper()}": "1"}) == plain
    assert evaluate(place, **{f"IREVALCLI_{name.upper()}": "skip"}) == plain


def test_what_changes_numbers_is_not_taken_from_the_file_and_that_is_said_once(place: Path) -> None:
    plain = evaluate(place)
    put(
        place,
        irevalcli_toml="""
            digits = 4
            missing = "skip"
            measures = ["P@1"]
            relevance = 2
            judged-only = false
            qrels = "other"
            [check]
            alpha = 0.1""",
    )
    result = evaluate(place)
    assert result.out == plain.out
    note = (
        "note:    irevalcli.toml:2: irevalcli evaluate does not apply missing, measures, relevance: "
        "only check takes from a file what changes numbers\n"
    )
    assert result.err == note + plain.err
    assert "not apply measures, relevance:" in evaluate(place, "--missing", "zero").err
    assert evaluate(place, "--quiet").err == ""
    assert "does not apply" not in call(place, "measures", "AP").err


@pytest.mark.parametrize("name", ["evaluate", "compare", "diff"])
def test_every_command_that_measures_says_so(name: str, place: Path) -> None:
    put(place, irevalcli_toml='relevance = 2\nformat = "json"')
    with_file, without = (
        call(place, name, *more, "-m", "AP", "-f", "tsv", "qrels", "a", "a2=b") for more in ([], ["--isolated"])
    )
    assert f"irevalcli.toml:1: irevalcli {name} does not apply relevance" in with_file.err
    assert with_file.out == without.out != ""


def test_a_format_that_a_command_has_not_leaves_it_its_own_and_is_told(place: Path) -> None:
    put(place, irevalcli_toml='format = "trec"')
    assert evaluate(place, "-m", "AP").out.startswith("runid")
    result = call(place, "compare", "-m", "AP", "qrels", "a", "b")
    assert result.out.startswith("measure\trun\t")
    assert "note:    irevalcli compare has no format trec, which irevalcli.toml:1 asks for\n" in result.err
    again = call(place, "compare", "-m", "AP", "qrels", "a", "b", env={"IREVALCLI_FORMAT": "jsonl"})
    assert "irevalcli compare has no format jsonl, which IREVALCLI_FORMAT asks for" in again.err
    assert "has no format" not in call(place, "compare", "-f", "json", "-m", "AP", "qrels", "a", "b").err
    assert call(place, "measures", "AP").out.startswith("AP(")


def test_a_format_that_no_command_has_is_an_error_everywhere(place: Path) -> None:
    result = call(place, "evaluate", "qrels", "b", env={"IREVALCLI_FORMAT": "xml"})
    assert result.code == 2
    assert "IREVALCLI_FORMAT: 'xml' is none of auto, table" in result.err
    assert "--format 'xml' is none of auto, table" in call(place, "evaluate", "qrels", "b", "-f", "xml").err


def test_formats_of_the_file_are_those_that_commands_have(place: Path) -> None:
    del place
    later = {"junit", "github", "gitlab", "openmetrics"}  # of check
    offered = {
        choice
        for command in commands()
        for param in command.params
        if "--format" in param.opts and isinstance(param.type, click.Choice) and "auto" in param.type.choices
        for choice in param.type.choices
    }
    assert offered | later == set(OF_OPTIONS["--format"].values)


def test_a_default_of_the_file_is_the_default_of_the_option_and_its_values_are_those_of_the_option() -> None:
    for command in commands():
        for param in command.params:
            if isinstance(param, GroupedOption) and param.key is not None:
                if isinstance(param.type, click.Choice):
                    assert set(param.type.choices) <= set(param.key.values), (command.name, param.name)
                assert param.opts[-1] in OF_OPTIONS or param.opts[0] in OF_OPTIONS


def test_show_config_tells_value_and_origin_of_each_option_and_needs_no_argument(place: Path) -> None:
    put(place, irevalcli_toml='digits = 2\nnames = "trec"\nmissing = "skip"')
    result = call(
        place,
        "evaluate",
        "--show-config",
        "--sort",
        "value:AP",
        "-m",
        "AP",
        "-m",
        "RR",
        env={"IREVALCLI_FORMAT": "csv"},
    )
    assert (result.code, result.err) == (0, "")
    rows = {line.split()[0]: line.split(maxsplit=1)[1] for line in result.out.splitlines()}
    shown = {name: " ".join(rest.split()) for name, rest in rows.items()}
    assert shown["file"] == "irevalcli.toml"
    assert shown["--digits"] == "2 irevalcli.toml:1"
    assert shown["--names"] == "trec irevalcli.toml:2"
    assert shown["--missing"] == "zero default (irevalcli.toml:3 is for check)"
    assert shown["--format"] == "csv IREVALCLI_FORMAT"
    assert shown["--sort"] == "value:AP command line"
    assert shown["--measure"] == "AP, RR command line"
    assert shown["--color"] == "auto default"
    assert shown["--depth"] == "default"


@pytest.mark.parametrize("command", list(commands()), ids=lambda command: command.name)
def test_every_command_shows_its_configuration_without_arguments(command: Command, tmp_path: Path) -> None:
    result = call(tmp_path, str(command.name), "--show-config")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("file ")
    assert "--quiet " in result.out
    assert "--show-config" not in result.out


def test_show_config_takes_the_arguments_of_a_whole_call_and_says_where_no_file_is(place: Path) -> None:
    result = call(place, "evaluate", "qrels", "b", "--show-config")
    assert result.out.splitlines()[0].split() == ["file", "none"]
    put(place, irevalcli_toml='color = "never"\nformat = "latex"')
    shown = call(place, "evaluate", "--show-config", env={"NO_COLOR": "1"}).out
    assert "default (NO_COLOR goes before irevalcli.toml:1)" in shown
    assert "default (evaluate has no latex, irevalcli.toml:2)" in shown


def test_places_in_a_file_above_are_seen_from_here(place: Path) -> None:
    (place / "part").mkdir()
    put(place, irevalcli_toml="digits = 2")
    assert "../irevalcli.toml:1" in call(place / "part", "evaluate", "--show-config").out


BROKEN = "digits = 2\nthis is no TOML"


MAIN = "import sys; from irevalcli.__main__ import main; sys.argv = sys.argv[1:]; main()"
GROUP = "import sys; from irevalcli.cli.main import run; sys.exit(run(sys.argv[2:]))"


@pytest.mark.parametrize("text", [BROKEN, 'format = "json"\ndigits = 1\nrelevance = 2'], ids=["broken", "whole"])
@pytest.mark.parametrize(
    ("code", "words"),
    [(MAIN, ["irevalcli", "trec"]), (MAIN, ["trec_eval"]), (GROUP, ["irevalcli", "trec"])],
    ids=["command", "name", "group"],
)
def test_the_drop_in_reads_neither_file_nor_environment(code: str, words: list[str], text: str, place: Path) -> None:
    spoilt = {key.variable: "nonsense" for key in TABLES[""].keys if key.variable}
    outcomes = []
    for variables in ({}, {**spoilt, "FORCE_COLOR": "1"}):
        done = subprocess.run(
            [sys.executable, "-c", code, *words, "-q", "-m", "map", "qrels", "a"],
            cwd=place, env=environment() | variables, capture_output=True, check=False,
        )  # fmt: skip
        outcomes.append((done.returncode, done.stdout, done.stderr))
        put(place, irevalcli_toml=text, pyproject_toml=f"[tool.irevalcli]\n{text}")
    assert outcomes[0] == outcomes[1]
    assert outcomes[0][::2] == (0, b"")


@pytest.mark.parametrize("option", ["--config", "--isolated", "--show-config"])
def test_the_drop_in_has_no_such_option(option: str, place: Path) -> None:
    done = drop_in([option, "qrels", "b"], cwd=place)
    assert done.code != 0
    assert done.stdout == b""


def test_completion_of_a_word_is_not_spoilt_by_a_file(place: Path) -> None:
    put(place, irevalcli_toml=BROKEN)
    words = {"_IREVALCLI_COMPLETE": "bash_complete", "COMP_WORDS": "irevalcli evaluate --miss", "COMP_CWORD": "2"}
    assert call(place, env=words).out == "plain,--missing\n"
