"""The recorded behaviour of trec_eval, case by case: stdout, stderr and exit code of the drop-in."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import NamedTuple

import pytest
from drop_in import Outcome, command

from irevalcli.trec.help import USAGE

GOLDEN = Path(__file__).parent / "golden" / "trec_eval"
NONE = "-"


class Case(NamedTuple):
    """A recorded command; files are relative to the folder of golden data, None if not compared or not there."""

    name: str
    argv: list[str]
    stdout: str | None
    code: int
    stderr: str | None
    stdin: str | None


def recorded(table: str) -> list[Case]:
    cases = []
    for line in (GOLDEN / table).read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        name, argv, stdout, code, *rest = line.split("\t")
        stderr = rest.pop(0) if len(rest) == 3 else NONE
        stdin = rest[0]
        files = [None if file == NONE else file for file in (stdout, stderr, stdin)]
        cases.append(Case(name, shlex.split(argv), files[0], int(code), files[1], files[2]))
    return cases


def replay(case: Case, *options: str) -> Outcome:
    stdin = (GOLDEN / case.stdin).read_bytes() if case.stdin else b""
    return command([*options, *case.argv], cwd=GOLDEN, stdin=stdin)


def expected(file: str | None, otherwise: bytes) -> bytes:
    return otherwise if file is None else (GOLDEN / file).read_bytes()


CASES = recorded("cases.tsv")
OLDER = recorded("cases-9.0.8.tsv")
UNCHANGED = [case for case in CASES if case.name not in {older.name for older in OLDER}]
PROSE = {"cli_help", "cli_help_measure_format"}
GETOPT = {
    "cli_unknown_short": "trec_eval: invalid option -- 'X'\n",
    "cli_unknown_long": "trec_eval: unrecognized option '--nosuch'\n",
    "cli_missing_optarg": "trec_eval: option requires an argument -- 'm'\n",
}
USAGE_ONLY = {"cli_noargs", "cli_onearg"}


def test_all_recorded_cases_are_here() -> None:
    assert (len(CASES), len(OLDER), len(UNCHANGED)) == (201, 46, 155)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_recorded_command_does_what_trec_eval_10_did(case: Case) -> None:
    got = replay(case)
    if case.name not in PROSE:
        assert got.stdout == expected(case.stdout, b"")
    if case.name in GETOPT or case.name in USAGE_ONLY:
        assert got.stderr.decode() == GETOPT.get(case.name, "") + USAGE
    else:
        assert got.stderr == expected(case.stderr, b"")
    assert got.code == case.code


@pytest.mark.parametrize("case", OLDER, ids=lambda case: case.name)
def test_a_command_does_what_release_9_did_where_they_differ(case: Case) -> None:
    got = replay(case, "--compat", "9.0.8")
    assert (got.stdout, got.code) == (expected(case.stdout, b""), case.code)


@pytest.mark.parametrize("case", UNCHANGED, ids=lambda case: case.name)
def test_every_other_command_does_the_same_under_release_9(case: Case) -> None:
    got = replay(case, "--compat=9.0.8")
    if case.name not in PROSE:
        assert got.stdout == (b"" if case.stdout is None else expected(case.stdout, b""))
    assert got.code == case.code
    assert b"Traceback" not in got.stderr


@pytest.mark.parametrize("program", ["trec_eval", "irevalcli-trec", "irevalcli"])
def test_getopt_messages_begin_with_the_name_the_program_was_called_by(program: str) -> None:
    argv = ["trec", "-X"] if program == "irevalcli" else ["-X"]
    called = "irevalcli trec" if program == "irevalcli" else program
    assert command(argv, program=program).stderr.decode() == f"{called}: invalid option -- 'X'\n{USAGE}"


# What irevalcli does where trec_eval crashes or reads memory that it never wrote: (lines of stdout, stderr, exit code).
MISSING = "trec_eval: result qid '1' not found in qrels\n"
DIVERGENT: dict[str, tuple[list[str], str, int]] = {
    "ub_qrels_trailing_comment": (["map                   \tall\t1.0000"], "", 0),
    "ub_run_only_comments": ([], MISSING, 4),
    "ub_run_only_blank_c": (["runid                 \tall\t", "map                   \tall\t0.0000"], "", 0),
    "ub_stdin_empty": ([], MISSING, 4),
    "ub_M_negative": (["map                   \tall\t0.0000"], "", 0),
    "ub_rel_minus2_only": (["map                   \tall\t0.5000"], "", 0),
    "ub_rel_huge": (["map                   \tall\t1.0000"], "", 0),
    "ub_z_sorts_after": (
        ["Zsuccess_1             \t1\t-1000000.0000", "Zsuccess_1             \tall\t-1000000.0000"],
        "",
        0,
    ),
    "ub_z_reads_next_query": (
        [
            "ZP_5                   \t1\t-1000000.0000",
            "ZP_5                   \t2\t0.2000",
            "ZP_5                   \tall\t-499999.9000",
        ],
        "",
        0,
    ),
    "ub_dcg_params_then_ndcg": (["dcg_1=3               \tall\t3.8614", "ndcg                  \tall\t0.7075"], "", 0),
    "ub_dcg_then_ndcg_params": (["dcg                   \tall\t1.8614", "ndcg_1=3              \tall\t0.9060"], "", 0),
    "ub_rbp_with_ndcg": (["ndcg                  \tall\t0.4631", "rbp                   \tall\t0.1099"], "", 0),
    "ub_nul_byte": (
        [],
        "trec_eval.get_results: Malformed line 2\ntrec_eval: Quit in file 'in/ub.nul'\n",
        2,
    ),
}
# Refused with some message, or (several levels <= 0, which nothing specifies) evaluated somehow.
REFUSED = {"ub_prefs_inconsistent", "ub_prefs_nan"}
UNSPECIFIED = {"ub_prefs_negative_levels"}


def divergent() -> dict[str, list[str]]:
    lines = (GOLDEN / "divergent.tsv").read_text(encoding="utf-8").splitlines()
    return {name: shlex.split(argv) for name, argv, *_ in (line.split("\t") for line in lines if line[0] != "#")}


def test_every_divergent_case_has_an_expectation() -> None:
    assert set(divergent()) == DIVERGENT.keys() | REFUSED | UNSPECIFIED


@pytest.mark.parametrize("name", DIVERGENT)
def test_a_command_that_undoes_trec_eval_has_a_defined_result(name: str) -> None:
    lines, stderr, code = DIVERGENT[name]
    got = command(divergent()[name], cwd=GOLDEN)
    assert got == Outcome(code, "".join(f"{line}\n" for line in lines).encode(), stderr.encode())


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_preferences_that_crash_trec_eval_are_refused_with_a_message(name: str) -> None:
    got = command(divergent()[name], cwd=GOLDEN)
    assert got.code in (2, 4)
    assert got.stdout == b""
    assert got.stderr.startswith(b"trec_eval")
    assert b"Traceback" not in got.stderr


@pytest.mark.parametrize("name", sorted(UNSPECIFIED))
def test_a_command_whose_value_is_unspecified_still_has_one(name: str) -> None:
    got = command(divergent()[name], cwd=GOLDEN)
    assert (got.code, got.stderr) == (0, b"")
    values = [float(line.split(b"\t")[2]) for line in got.stdout.splitlines()]
    assert len(values) == 9
    assert all(0 <= value <= 1 for value in values)


def test_rbp_beside_another_measure_is_the_rbp_it_is_alone() -> None:
    alone = command(["-q", "-m", "rbp", "in/q.graded", "in/r.graded"], cwd=GOLDEN)
    beside = command(["-q", "-m", "ndcg", "-m", "rbp", "in/q.graded", "in/r.graded"], cwd=GOLDEN)
    kept = [line for line in beside.stdout.splitlines(keepends=True) if line.startswith(b"rbp")]
    assert (alone.code, alone.stdout) == (0, b"".join(kept))
