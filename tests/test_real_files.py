"""Real runs and judgments, and trec_eval's own regression suite: byte for byte what trec_eval 10 printed.

The files are third-party material and stay outside the project, in ``../shared/real``.
"""

from __future__ import annotations

import gzip
import shlex
from pathlib import Path

import pytest
from drop_in import Outcome, command

REAL = Path(__file__).parents[2] / "shared" / "real"

# Arguments and expected output, both relative to trec_eval's source folder, in the order of its own suite.
SUITE = [
    ("test/qrels.test test/results.test", "out.test"),
    ("test/qrels.test.with-comments test/results.test", "out.test"),
    ("test/qrels.comment.test test/results.comment.test", "out.comment.test"),
    ("-m all_trec test/qrels.test test/results.test", "out.test.a"),
    ("-m all_trec -q test/qrels.test test/results.test", "out.test.aq"),
    ("-m all_trec -q -c test/qrels.test test/results.trunc", "out.test.aqc"),
    ("-m all_trec -q -c -M100 test/qrels.test test/results.trunc", "out.test.aqcM"),
    ("-m all_trec -mrelstring.20 -q -l2 test/qrels.rel_level test/results.test", "out.test.aql"),
    ("-m all_prefs -q -R prefs test/prefs.test test/prefs.results.test", "out.test.prefs"),
    ("-m all_prefs -q -R prefs test/prefs.comment.test test/prefs.results.test", "out.test.prefs"),
    ("-m all_prefs -q -R qrels_prefs test/qrels.test test/results.test", "out.test.qrels_prefs"),
    ("-m qrels_jg -q -R qrels_jg test/qrels.123 test/results.test", "out.test.qrels_jg"),
    ("-m qrels_jg -q -R qrels_jg test/qrels.comments.123 test/results.test", "out.test.qrels_jg"),
    (
        (
            "-q -miprec_at_recall..10,.20,.25,.75,.50 -m P.5,7,3 -m recall.20,2000 -m Rprec_mult.5.0,0.2,0.35 "
            "-mutility.2,-1,0,0 -m 11pt_avg..25,.5,.75 -mndcg.1=3,2=9,4=4.5 -mndcg_cut.10,20,23.4 -msuccess.2,5,20 "
            "test/qrels.test test/results.test"
        ),
        "out.test.meas_params",
    ),
    ("-q -m all_trec -Z test/zscores_file test/qrels.test test/results.test", "out.test.aqZ"),
]
PAIRS = 33


def pairs() -> list[tuple[str, str, str, int]]:
    """Qrels, run, recorded output and exit code, from the table in the folder."""
    lines = (REAL / "pairs.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return [(qrels, run, output, int(code)) for qrels, run, output, code in rows]


if REAL.is_dir():

    def test_all_real_pairs_are_in_the_table() -> None:
        assert len(pairs()) == PAIRS

    @pytest.mark.parametrize(("argv", "output"), SUITE, ids=[f"suite-{number}" for number in range(1, len(SUITE) + 1)])
    def test_trec_evals_own_suite_passes(argv: str, output: str) -> None:
        folder = REAL / "trec_eval-test"
        names = [word.removeprefix("test/") for word in shlex.split(argv)]
        assert command(names, cwd=folder) == Outcome(0, (folder / output).read_bytes(), b"")

    @pytest.mark.parametrize(("qrels", "run", "output", "code"), pairs(), ids=[pair[1] for pair in pairs()])
    def test_a_real_run_gets_the_recorded_numbers(qrels: str, run: str, output: str, code: int) -> None:
        got = command(["-c", "-q", "-m", "all_trec", qrels, run], cwd=REAL)
        assert got == Outcome(code, gzip.decompress((REAL / output).read_bytes()), b"")

else:

    @pytest.mark.skip(reason=f"{len(SUITE) + PAIRS} tests of real files: there is no folder {REAL}")
    def test_real_files_get_the_recorded_numbers() -> None:
        raise FileNotFoundError(REAL)
