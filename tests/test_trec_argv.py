"""The drop-in's command line, as GNU getopt_long and trec_eval read it."""

from __future__ import annotations

import os

import pytest

from irevalcli.trec.argv import Stop, TrecOptions, parse
from irevalcli.trec.help import USAGE, help_text

LONG_NAMES = [
    "help",
    "version",
    "query_eval_wanted",
    "measure",
    "complete_rel_info_wanted",
    "level_for_rel",
    "nosummary",
    "Debug_level",
    "Judged_docs_only",
    "Number_docs_in_coll",
    "Max_retrieved_per_topic",
    "Rel_info_format",
    "Results_format",
    "Output_old_results_format",
    "Zscore",
]


@pytest.fixture(autouse=True)
def _gnu_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("POSIXLY_CORRECT", raising=False)


def only_known(measure: str, _compat: str) -> None:
    """Refuses the measure ``nosuch``."""
    if measure == "nosuch":
        raise Stop(1, stderr="trec_eval: illegal measure 'nosuch'\n")


def options(*argv: str) -> TrecOptions:
    return parse(argv, program="PROG", check_measure=only_known)


def stopped(*argv: str) -> Stop:
    with pytest.raises(Stop) as caught:
        options(*argv)
    return caught.value


FILES = ("q", "r")
PLAIN = TrecOptions(qrels="q", run="r")


def test_without_options_everything_has_trec_evals_default() -> None:
    assert options("q", "r") == TrecOptions(
        qrels="q",
        run="r",
        per_query=False,
        summary=True,
        complete=False,
        measures=(),
        level=1,
        collection_size=0,
        depth=2147483647,
        judged_only=False,
        rel_format="qrels",
        results_format="trec_results",
        zscores=None,
        only_query=None,
        help=False,
        compat="10.0",
    )


@pytest.mark.parametrize(
    ("argv", "changes"),
    [
        # every option, short and long
        ("-q", {"per_query": True}),
        ("--query_eval_wanted", {"per_query": True}),
        ("-n", {"summary": False}),
        ("--nosummary", {"summary": False}),
        ("-c", {"complete": True}),
        ("--complete_rel_info_wanted", {"complete": True}),
        ("-J", {"judged_only": True}),
        ("--Judged_docs_only", {"judged_only": True}),
        ("-m map", {"measures": ("map",)}),
        ("--measure map", {"measures": ("map",)}),
        ("-l 2", {"level": 2}),
        ("--level_for_rel 2", {"level": 2}),
        ("-N 1000", {"collection_size": 1000}),
        ("--Number_docs_in_coll 1000", {"collection_size": 1000}),
        ("-M 10", {"depth": 10}),
        ("--Max_retrieved_per_topic 10", {"depth": 10}),
        ("-R prefs", {"rel_format": "prefs"}),
        ("--Rel_info_format prefs", {"rel_format": "prefs"}),
        ("-T any", {"results_format": "any"}),
        ("--Results_format any", {"results_format": "any"}),
        ("-Z z", {"zscores": "z"}),
        ("--Zscore z", {"zscores": "z"}),
        ("-D 0.q10", {"only_query": b"q10"}),
        ("--Debug_level 0.q10", {"only_query": b"q10"}),
        ("-D 3", {}),
        ("-o", {}),
        ("--Output_old_results_format x", {}),
        ("--Output_old_results_format=x", {}),
        # values: attached, separate, with an equals sign, beginning with a dash
        ("-mP.5", {"measures": ("P.5",)}),
        ("-M100", {"depth": 100}),
        ("-l=2", {"level": 0}),
        ("--level_for_rel=2", {"level": 2}),
        ("--measure=", {"measures": ("",)}),
        ("--measure=a=b", {"measures": ("a=b",)}),
        ("-m -q", {"measures": ("-q",)}),
        ("-m --", {"measures": ("--",)}),
        ("--measure --nosummary", {"measures": ("--nosummary",)}),
        ("--Output_old_results_format -q", {}),
        ("-l -1", {"level": -1}),
        # clusters
        ("-qnc", {"per_query": True, "summary": False, "complete": True}),
        ("-qnmP.5", {"per_query": True, "summary": False, "measures": ("P.5",)}),
        ("-qm map", {"per_query": True, "measures": ("map",)}),
        ("-oq", {"per_query": True}),
        ("-mqn", {"measures": ("qn",)}),
        # long names cut short
        ("--q", {"per_query": True}),
        ("--meas=map", {"measures": ("map",)}),
        ("--lev 2", {"level": 2}),
        ("--n", {"summary": False}),
        ("--N 5", {"collection_size": 5}),
        ("--O -q", {}),
        ("--comp", {"complete": True}),
        ("--Rel prefs --Res any", {"rel_format": "prefs", "results_format": "any"}),
        # repeated options
        ("-q -q -qq", {"per_query": True}),
        ("-l 2 -l 3", {"level": 3}),
        ("-R prefs -R qrels", {}),
        ("-Z a --Zscore b", {"zscores": "b"}),
        ("-m map -m P.5 -m map", {"measures": ("map", "P.5", "map")}),
        ("-D 1.q1 -D 2", {"only_query": b"q1"}),
        ("-D 1.q1 -D 2.q2", {"only_query": b"q2"}),
        ("-D 1.q.1", {"only_query": b"q.1"}),
        ("-D 1.", {"only_query": b""}),
    ],
)
def test_an_option_changes_just_its_own_settings(argv: str, changes: dict[str, object]) -> None:
    assert options(*argv.split(), *FILES) == PLAIN._replace(**changes)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2", 2),
        ("+2", 2),
        ("-2", -2),
        ("007", 7),
        ("1.9", 1),
        ("1e3", 1),
        ("2x", 2),
        (" \t\n\v\f\r 12 3", 12),
        ("", 0),
        ("x", 0),
        ("abc", 0),
        ("+-3", 0),
        ("- 3", 0),
        ("1_0", 1),
        ("٣", 0),
        ("\u00a05", 0),
        ("\udcff", 0),
        ("9223372036854775807", 2**63 - 1),
        ("9223372036854775808", 2**63 - 1),
        ("-9223372036854775809", -(2**63)),
    ],
)
@pytest.mark.parametrize(("option", "field"), [("-l", "level"), ("-M", "depth"), ("-N", "collection_size")])
def test_integers_are_read_as_c_does(option: str, field: str, text: str, value: int) -> None:
    assert options(option, text, *FILES) == PLAIN._replace(**{field: value})


@pytest.mark.parametrize("argv", ["-q q r", "q -q r", "q r -q", "-- q r", "q -- r", "q r --", "q -q -- r"])
def test_options_may_stand_anywhere(argv: str) -> None:
    assert options(*argv.split())._replace(per_query=False) == PLAIN


def test_after_two_dashes_everything_is_a_file_name() -> None:
    assert options("-c", "--", "-q", "-") == TrecOptions(qrels="-q", run="-", complete=True)
    assert options("--", "--", "--compat") == TrecOptions(qrels="--", run="--compat")


def test_a_single_dash_and_an_empty_argument_are_file_names() -> None:
    assert options("q", "-", "-q") == TrecOptions(qrels="q", run="-", per_query=True)
    assert options("", "r") == TrecOptions(qrels="", run="r")


@pytest.mark.parametrize("value", ["", "1"])
def test_posixly_correct_ends_the_options_at_the_first_file_name(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("POSIXLY_CORRECT", value)
    assert options("-m", "map", "q", "-q") == TrecOptions(qrels="q", run="-q", measures=("map",))
    assert stopped("q", "--", "r").stderr == USAGE


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ("-X", "invalid option -- 'X'"),
        ("-O", "invalid option -- 'O'"),
        ("-qXn", "invalid option -- 'X'"),
        ("-q-", "invalid option -- '-'"),
        ("-:", "invalid option -- ':'"),
        ("-é", "invalid option -- '\udcc3'"),
        ("-\udcff", "invalid option -- '\udcff'"),
        ("--bogus", "unrecognized option '--bogus'"),
        ("--bogus=1", "unrecognized option '--bogus=1'"),
        ("--Help", "unrecognized option '--Help'"),
        ("--helpx", "unrecognized option '--helpx'"),
        ("--Max-retrieved", "unrecognized option '--Max-retrieved'"),
        ("-m", "option requires an argument -- 'm'"),
        ("-qm", "option requires an argument -- 'm'"),
        ("--measure", "option '--measure' requires an argument"),
        ("--meas", "option '--measure' requires an argument"),
        ("--Output_old_results_format", "option '--Output_old_results_format' requires an argument"),
        ("--help=1", "option '--help' doesn't allow an argument"),
        ("--he=", "option '--help' doesn't allow an argument"),
        ("--Re", "option '--Re' is ambiguous; possibilities: '--Rel_info_format' '--Results_format'"),
        ("--R=x", "option '--R=x' is ambiguous; possibilities: '--Rel_info_format' '--Results_format'"),
        (
            "--=x",
            "option '--=x' is ambiguous; possibilities: " + " ".join(f"'--{name}'" for name in LONG_NAMES),
        ),
    ],
)
def test_getopt_faults_are_named_in_glibcs_words(argv: str, message: str) -> None:
    stop = stopped(*FILES, *argv.split())
    assert (stop.code, stop.stdout, stop.stderr) == (1, "", f"PROG: {message}\n{USAGE}")


@pytest.mark.parametrize("argv", ["", "q", "q r x", "-q", "q r -- x", "-m map q", "-o x q r"])
def test_any_number_of_files_but_two_gives_the_usage_lines(argv: str) -> None:
    stop = stopped(*argv.split())
    assert (stop.code, stop.stdout, stop.stderr) == (1, "", USAGE)


@pytest.mark.parametrize("argv", ["-v", "--version", "--v", "-qv", "q r x -v", "-v --bogus", "-hv", "-vm"])
def test_version_ends_the_program_when_it_is_met(argv: str) -> None:
    stop = stopped(*argv.split())
    assert (stop.code, stop.stdout, stop.stderr) == (0, "", "trec_eval version 10.0-rc3\n")


def test_version_follows_the_release_asked_for() -> None:
    assert stopped("-v", "--compat", "9.0.8").stderr == "trec_eval version 9.0.7\n"


@pytest.mark.parametrize("argv", ["-h", "q -h", "a b c -h -q", "--he", "-h -h"])
def test_help_needs_no_files(argv: str) -> None:
    assert options(*argv.split()).help


def test_help_keeps_what_it_has_to_explain() -> None:
    asked = options("-h", "-m", "map", "-R", "prefs", "-T", "any")
    assert (asked.measures, asked.rel_format, asked.results_format) == (("map",), "prefs", "any")


@pytest.mark.parametrize(
    ("argv", "begins"),
    [
        ("-m nosuch --bogus", "trec_eval: illegal measure"),
        ("--bogus -m nosuch", "PROG: unrecognized"),
        ("-m nosuch -v", "trec_eval: illegal measure"),
        ("-v -m nosuch", "trec_eval version"),
        ("-h -m map -mnosuch", "trec_eval: illegal measure"),
        ("-h --bogus", "PROG: unrecognized"),
        ("q r x -qm nosuch", "trec_eval: illegal measure"),
    ],
)
def test_the_first_fault_from_the_left_is_reported(argv: str, begins: str) -> None:
    assert stopped(*argv.split()).stderr.startswith(begins)


@pytest.mark.parametrize(
    "argv",
    [
        "--compat 9.0.8 q r",
        "--compat=9.0.8 q r",
        "q r --compat 9.0.8",
        "q --compat=9.0.8 r",
        "--compat 10.0 --compat 9.0.8 q r",
    ],
)
def test_compat_may_stand_anywhere(argv: str) -> None:
    assert options(*argv.split()) == PLAIN._replace(compat="9.0.8")


def test_compat_is_recognised_even_where_files_end_the_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSIXLY_CORRECT", "1")
    assert options("q", "r", "--compat", "9.0.8") == PLAIN._replace(compat="9.0.8")


@pytest.mark.parametrize(
    ("argv", "found"),
    [
        ("--compat 9", "'9'"),
        ("--compat=", "''"),
        ("q r --compat", "nothing"),
        ("--bogus --compat x", "'x'"),
        ("--compat x --compat 10.0", "'x'"),
    ],
)
def test_an_unknown_release_is_refused_in_one_line(argv: str, found: str) -> None:
    stop = stopped(*argv.split())
    assert (stop.code, stop.stdout) == (1, "")
    assert stop.stderr == f"PROG: --compat takes 10.0 or 9.0.8, not {found}\n"


def test_compat_cannot_be_cut_short() -> None:
    assert stopped("--compa", "9.0.8", *FILES).stderr.startswith("PROG: unrecognized option '--compa'")
    assert stopped("--compatible", *FILES).stderr.startswith("PROG: unrecognized option '--compatible'")


def test_bytes_that_are_not_text_survive() -> None:
    qid = b"q\xff\xc3\xa9"
    asked = options("-D", "0." + os.fsdecode(qid), os.fsdecode(b"\xfe.qrels"), os.fsdecode(b"\xfd.run"))
    assert asked.only_query == qid
    assert [os.fsencode(asked.qrels), os.fsencode(asked.run)] == [b"\xfe.qrels", b"\xfd.run"]


RULE = "-" * 23


def sections(text: str) -> list[str]:
    return text.split(f"{RULE}\n")


def test_usage_is_five_lines() -> None:
    assert USAGE.count("\n") == 5
    assert USAGE.endswith("\n")


def test_help_names_every_option() -> None:
    general = sections(help_text([], "qrels", "trec_results"))[0]
    for name in [*LONG_NAMES, "compat"]:
        assert f"--{name}" in general
    for letter in "hvqmclnDJNMRToZ":
        assert f"  -{letter}, --" in general


@pytest.mark.parametrize("rel_format", ["qrels", "qrels_jg", "prefs", "qrels_prefs"])
def test_help_describes_both_formats_run_first(rel_format: str) -> None:
    _, run, qrels, measures = sections(help_text([], rel_format, "trec_results"))
    assert run.startswith("trec_results: ")
    assert qrels.startswith(f"{rel_format}: ")
    assert "-m NAME" in measures


def test_help_leaves_out_unknown_formats() -> None:
    assert len(sections(help_text([], "nosuch", "trec_results"))) == 3
    assert len(sections(help_text([], "nosuch", "nosuch"))) == 2


def test_help_ends_with_the_measures_asked_for() -> None:
    text = help_text([("map", "first line\nsecond line\n"), ("P", "cutoffs")], "qrels", "trec_results")
    heading, *rest = sections(text)[-1].splitlines()
    assert heading.strip()
    assert rest == ["map", "    first line", "    second line", "P", "    cutoffs"]
    assert text.endswith("\n")


def test_help_fits_eighty_columns() -> None:
    texts = [
        USAGE,
        *(help_text([], name, "trec_results") for name in ("qrels", "qrels_jg", "prefs", "qrels_prefs")),
    ]
    assert max(len(line) for text in texts for line in text.splitlines()) <= 80
