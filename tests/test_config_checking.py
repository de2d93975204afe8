"""What is wrong in a configuration file is told with its line and what was meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from calls import call, put
from hypothesis import given
from hypothesis import strategies as st

from irevalcli.config.keys import TABLES
from irevalcli.config.kinds import KINDS
from irevalcli.config.positions import lines_of_keys

if TYPE_CHECKING:
    from pathlib import Path


def complaint(folder: Path, text: str) -> list[str]:
    """What is said about a file with this text, line by line."""
    put(folder, irevalcli_toml=text)
    result = call(folder, "measures", "AP")
    assert result.code == 2, result.err
    assert result.out == ""
    return result.err.splitlines()


RULE = "[[check.rules]]\n"
SUITE = "[[suite]]\nname = 'one'\n[[suite.rules]]\n"
DROP = "measure = 'AP'\nmax-query-drop = 0.1"


@pytest.mark.parametrize(
    ("text", "line", "said", "hint"),
    [
        ("digits = 2\ndigitz = 3", 2, "unknown key 'digitz'", "did you mean digits?"),
        ("[chek]\nalpha = 0.1", 1, "unknown key 'chek'", "did you mean check?"),
        ("[check]\n\nundecide = 'fail'", 3, "unknown key 'undecide' in [check]", "did you mean undecided?"),
        ("digits = 2\nundecided = 'fail'", 2, "unknown key 'undecided'", "it belongs into [check]"),
        ("[check]\nmeasures = ['AP']", 2, "unknown key 'measures' in [check]", "it belongs to the top of the file"),
        (f"{RULE}measure = 'AP'\nmax_drop = 1", 3, "unknown key 'max_drop' in [[check", "did you mean max-drop?"),
        (f"{SUITE}measure = 'AP'\nmni = 1", 5, "unknown key 'mni' in [[suite.rules]]", "did you mean min?"),
        ("[tool.irevalcli]\ndigits = 2", 1, "unknown key 'tool'", "here its keys stand at the top"),
        ("zebra = 1", 1, "unknown key 'zebra'", "known are format, digits"),
    ],
)  # fmt: skip
def test_an_unknown_key_is_named_with_its_line_and_what_was_meant(
    text: str, line: int, said: str, hint: str, tmp_path: Path
) -> None:
    first, second = complaint(tmp_path, text)[:2]
    assert first.startswith(f"error: irevalcli.toml:{line}: {said}")
    assert hint in f"{first}\n{second}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("quiet = 1", "quiet is 1; expected is true or false"),
        ("quiet = 'yes'", "quiet is 'yes'; expected is true or false"),
        ("digits = true", 'digits is true; expected is a whole number from 0 to 17, or "full"'),
        ("digits = 18", "digits is 18; expected"),
        ("digits = 2.0", "digits is 2.0; expected"),
        ("color = 'red'", "color is 'red'; expected is one of auto, always, never"),
        ("sort = 'name'", "sort is 'name'; expected is one of run, measure, query, value, value:MEASURE"),
        ("sort = 'run:AP'", "sort is 'run:AP'; expected is one of"),
        ("measures = 'AP'", "measures is 'AP'; expected is a list of texts in quotes"),
        ("measures = []", "measures is []; expected is a list of texts in quotes"),
        ("measures = ['AP', 1]", "measures is ['AP', 1]; expected is a list of texts in quotes"),
        ("relevance = '2'", "relevance is '2'; expected is a number"),
        ("relevance = true", "relevance is true; expected is a number"),
        ("relevance = nan", "relevance is nan; expected is a number"),
        ("depth = 0", "depth is 0; expected is a whole number ≥ 1"),
        ("depth = 1.5", "depth is 1.5; expected is a whole number ≥ 1"),
        ("qrels = ''", "qrels is ''; expected is a path in quotes"),
        ('qrels = "a\\u0000b"', "qrels is 'a\\x00b'; expected is a path in quotes"),
        ("qrels = {a = 1}", "qrels is a table; expected is a path in quotes"),
        ("check = 3", "check is 3; expected is a table"),
        ("[[check]]\nalpha = 0.1", "check is [a table]; expected is a table"),
        ("[check]\nrules = 3", "rules is 3; expected is a list of tables"),
        ("[check.rules]\nmin = 3", "rules is a table; expected is a list of tables"),
        ("[check]\nalpha = 0.5", "alpha is 0.5; expected is a number > 0 and < 0.5"),
        ("[check]\nalpha = 0", "alpha is 0; expected is a number > 0 and < 0.5"),
        (f"{RULE}measure = 'AP'\nmax-drop = '2'", "max-drop is '2'; expected is a number, or a share such as \"2%\""),
        (f"{RULE}measure = 'AP'\nmin = inf", "min is inf; expected is a number"),
        (f"{RULE}max-missing = -1", "max-missing is -1; expected is a whole number ≥ 0"),
    ],
)
def test_a_value_of_another_kind_is_shown_beside_what_was_expected(text: str, said: str, tmp_path: Path) -> None:
    first, *_ = complaint(tmp_path, text)
    assert first.startswith(f"error: irevalcli.toml:{text.count(chr(10)) + 1}: {said}") or said in first


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("missing = 'Skip'", "did you mean skip?"),
        ("measures = 'AP'", 'write measures = ["AP"]'),
        ("relevance = '2'", "leave the quotes out"),
        (f"{RULE}{DROP}\nallow={{queries=['q'], reason='x', until='2027-03-01'}}", "leave the quotes out"),
    ],
    ids=["choice", "list", "number", "date"],
)  # fmt: skip
def test_advice_says_how_the_value_is_written(text: str, hint: str, tmp_path: Path) -> None:
    assert complaint(tmp_path, text)[1:] == [f"  {hint}"]


@pytest.mark.parametrize(
    ("rule", "said", "hint"),
    [
        ("measure = 'AP'", "the rule demands nothing", "add one of min, max, max-drop"),
        ("measure = 'AP'\nmin = 0.1\nmax = 0.2", "the rule has min and max", "make a rule of each"),
        ("min = 0.1", "measure is missing: what is min about?", 'add such as measure = "nDCG@10"'),
        ("measure = 'AP'\nmax-missing = 0", "measure says nothing about max-missing", "leave measure out"),
        ("measure = 'AP'\nmin = 0.1\nalpha = 0.1", "alpha says nothing about min", "leave alpha out"),
        ("measure = 'AP'\nmin = 0\nallow = {queries = ['q'], reason = 'x'}", "allow says nothing about min", "it ex"),
        (f"{DROP}\nallow = {{queries = ['q']}}", "reason is missing in allow", "add reason: Why."),
        (f"{DROP}\nallow = {{queries = [7], reason = 'x'}}", "queries is [7]; expected", ""),
        (f"{DROP}\nallow = {{queries = ['q'], reason = ' '}}", "reason is ' '; expected", ""),
        (
            f"{DROP}\nallow = {{queries = ['q'], reason = 'x', until = 2027-03-01T10:00:00}}",
            "until is 2027-03-01 10:00:00; expected is a date such as 2027-03-01",
            "",
        ),
    ],
)  # fmt: skip
def test_a_rule_that_says_nothing_or_contradicts_itself_is_an_error(
    rule: str, said: str, hint: str, tmp_path: Path
) -> None:
    text = "\n".join(complaint(tmp_path, f"digits = 2\n{RULE}{rule}"))
    assert said in text
    assert hint in text


def test_all_faults_are_told_together_in_the_order_of_the_file(tmp_path: Path) -> None:
    said = complaint(tmp_path, f"digitz = 2\n[check]\nalpha = 2\n{RULE}min = 0.1\n[[suite]]\nqrels = 'q'")
    assert said == [
        "error: irevalcli.toml has 4 faults",
        "  irevalcli.toml:1: unknown key 'digitz'; did you mean digits?",
        "  irevalcli.toml:3: alpha is 2; expected is a number > 0 and < 0.5",
        '  irevalcli.toml:4: measure is missing: what is min about?; add such as measure = "nDCG@10"',
        "  irevalcli.toml:6: name is missing in [[suite]]; add name: How it is called in reports.",
    ]


def test_of_many_faults_twenty_are_told(tmp_path: Path) -> None:
    said = complaint(tmp_path, "\n".join(f"wrong{number} = 1" for number in range(30)))
    assert len(said) == 22
    assert said[-1] == "  … and 10 more"


@pytest.mark.parametrize(
    ("text", "line", "excerpt"),
    [
        ("digits = 2\n[check\nalpha = 0.1", 2, "[check"),
        ("digits = 2\ndigits = 3", 2, "digits = 3"),
        ("measures = ['AP',\n\n# end", 3, "# end"),
        ("digits = 02", 1, "digits = 02"),
        ("[check]\nalpha = 0,05", 2, "alpha = 0,05"),
    ],
)
def test_what_is_no_toml_is_an_error_with_its_line(text: str, line: int, excerpt: str, tmp_path: Path) -> None:
    first, second = complaint(tmp_path, text)
    assert first.startswith(f"error: irevalcli.toml:{line}: no valid TOML: ")
    assert second == f"  the line is: {excerpt}"


def test_control_characters_of_a_file_do_not_reach_the_terminal(tmp_path: Path) -> None:
    assert "\x1b" not in "\n".join(complaint(tmp_path, '"\\u001b[31m" = 1'))


def test_keys_have_lines_wherever_they_stand() -> None:
    lines = lines_of_keys(
        "# a = 1 [b]\n"
        'text = """\nfake = 1\n[fake]\n""""\n'
        "raw = '''\n'fake' = 1'''\n"
        'a."b c".d = 1 # ]\n'
        "list = [\n  1,\n  {x = 1, y = [\n 2 ] },\n]\n"
        "[t.u]\n"
        "k = 2027-03-01 10:00:00\n"
        "[[t.r]]\n"
        "m = '=[{#'\n"
        "[[t.r]]\n"
        "n = 1\n"
        "[t.r.deep]\n"
        "o = 1"
    )
    wanted = {
        ("text",): 2, ("raw",): 6, ("a", "b c", "d"): 8, ("list", 0): 10, ("list", 1, "x"): 11, ("list", 1, "y", 0): 12,
        ("t", "u"): 14, ("t", "u", "k"): 15, ("t", "r", 0): 16, ("t", "r", 0, "m"): 17, ("t", "r", 1): 18,
        ("t", "r", 1, "n"): 19, ("t", "r", 1, "deep"): 20, ("t", "r", 1, "deep", "o"): 21,
    }  # fmt: skip
    assert {path: lines.get(path) for path in wanted} == wanted
    assert not any("fake" in path for path in lines)


VALUES = (
    "1",
    "-1.5e3",
    "true",
    '"#=]"',
    "'[x]'",
    '"""\n[y]\nz = 1\n"""',
    "'''\n# '' '''",
    "[\n1, 2,\n]",
    "{b = 1}",
    "1979-05-27",
)


@given(st.lists(st.tuples(st.sampled_from(VALUES), st.sampled_from(["", " # c = 1", "\n", "\n# [d]"])), max_size=8))
def test_the_line_of_a_key_is_right_after_any_values_and_comments(statements: list[tuple[str, str]]) -> None:
    text, wanted = "", {}
    for number, (value, rest) in enumerate(statements):
        heading = f"[[t]]\nk{number} = "
        wanted["t", number] = text.count("\n") + 1
        wanted["t", number, f"k{number}"] = text.count("\n") + 2
        text += f"{heading}{value}{rest}\n"
    lines = lines_of_keys(text)
    assert {path: lines.get(path) for path in wanted} == wanted


def test_every_key_has_a_kind_and_says_what_it_means() -> None:
    for table in TABLES.values():
        for key in table.keys:
            assert key.kind in KINDS
            assert key.meaning.endswith(".")
            assert not key.table or key.table in TABLES
            assert bool(key.values) == (key.kind == "choice")
            assert key.default is None or KINDS[key.kind].accepts(key.default, key)
