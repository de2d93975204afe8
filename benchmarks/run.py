"""Times irevalcli-trec against other evaluators on the same files, in one run on one machine.

    python benchmarks/run.py                            # small, medium and large
    python benchmarks/run.py -w small -w large          # only these
    python benchmarks/run.py --trec-eval ~/trec_eval/trec_eval

Peers are taken if present: trec_eval (on PATH or --trec-eval), and pytrec-eval-terrier, ir-measures and ranx if
this Python has them installed. Every tool is a whole process: start, read, evaluate, print. In each round the
tools take turns; the table shows medians over the rounds. A ratio divides irevalcli's figure by the peer's of the
same round (below 1: irevalcli needs less). Files are made by generate.py once and read before the first round, so
that all find them in the page cache. Where trec_eval is present, its output is compared with ours byte for byte; a
difference is reported and exits 1.

trec_eval, pytrec-eval and irevalcli compute all their measures; ir-measures and ranx a few (they have no "all").
Peak memory is never shown below that of this script itself (some 20 MB).
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
OURS, REFERENCE = "irevalcli-trec", "trec_eval"


class Workload(NamedTuple):
    """What generate.py is to make, and how many rounds are worth their time."""

    queries: int
    depth: int
    judged: float
    grades: int
    variant: str
    rounds: int


MARCO = ("clean", "unsorted", "crlf", "tabs", "tied", "coarse", "shuffled", "repr", "exponent")
WORKLOADS = {
    "small": Workload(50, 1000, 100, 3, "clean", 11),
    "medium": Workload(200, 1000, 200, 3, "clean", 7),
    **{
        "large" if variant == "clean" else f"large-{variant}": Workload(6980, 1000, 1.07, 1, variant, 3)
        for variant in MARCO
    },
    "huge": Workload(30_000, 1000, 1.07, 1, "clean", 1),
}
DEFAULT = ("small", "medium", "large")

PYTREC_EVAL = """
import sys, pytrec_eval
with open(sys.argv[1]) as f: qrels = pytrec_eval.parse_qrel(f)
with open(sys.argv[2]) as f: run = pytrec_eval.parse_run(f)
scores = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures).evaluate(run)
for measure in sorted(next(iter(scores.values()))):
    print(measure, pytrec_eval.compute_aggregated_measure(measure, [q[measure] for q in scores.values()]))
"""
RANX = """
import sys, ranx
qrels = ranx.Qrels.from_file(sys.argv[1], kind="trec")
run = ranx.Run.from_file(sys.argv[2], kind="trec")
print(ranx.evaluate(qrels, run, ["map", "mrr", "ndcg", "ndcg@10", "precision@10", "recall@1000"]))
"""
IR_MEASURES = "AP RR nDCG nDCG@10 P@10 R@1000"


class Tool(NamedTuple):
    """A contender: its name and its command without the two files, and what follows them."""

    name: str
    command: tuple[str, ...]
    after: tuple[str, ...] = ()

    def line(self, qrels: Path, run: Path) -> list[str]:
        """The whole command."""
        return [*self.command, str(qrels), str(run), *self.after]


class Cost(NamedTuple):
    """One run of a tool: seconds of wall and CPU time, peak resident memory in MB."""

    wall: float
    cpu: float
    peak: float


def find_tools(reference: str | None, chosen: list[str] | None, options: list[str]) -> list[Tool]:
    """The contenders that are present, ours first."""
    beside = Path(sys.executable).with_name(OURS)
    paths = {
        OURS: str(beside) if beside.exists() else shutil.which(OURS),
        REFERENCE: reference or shutil.which(REFERENCE),
    }
    tools = [Tool(name, (path, *options)) for name, path in paths.items() if path]
    peers = [
        ("pytrec_eval", Tool("pytrec-eval-terrier", (sys.executable, "-c", PYTREC_EVAL))),
        ("ir_measures", Tool("ir-measures", (sys.executable, "-m", "ir_measures"), (IR_MEASURES,))),
        ("ranx", Tool("ranx", (sys.executable, "-c", RANX))),
    ]
    tools += [tool for module, tool in peers if importlib.util.find_spec(module)]
    return [tool for tool in tools if not chosen or tool.name in (OURS, *chosen)]


def measure(command: list[str], output: Path) -> Cost:
    """Runs a command to its end, its standard output to a file; raises CalledProcessError unless it exits 0."""
    with output.open("wb") as out:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE)
        complaint = process.stderr.read() if process.stderr else b""
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
    code = process.returncode = os.waitstatus_to_exitcode(status)
    if code:
        raise subprocess.CalledProcessError(code, command, stderr=complaint)
    unit = 1 if platform.system() == "Darwin" else 1024  # getrusage counts bytes there, KiB elsewhere
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit / 1e6)


def prepare(workload: Workload, data: Path) -> tuple[Path, Path]:
    """Paths of qrels and run, made unless they are there, and read once."""
    name = "-".join(str(part) for part in workload[:-1])
    folder = data / name
    qrels, run = folder / "qrels", folder / "run"
    if not qrels.exists():  # written last, so it stands for a complete folder
        options = [f"--{key}={getattr(workload, key)}" for key in ("queries", "depth", "judged", "grades", "variant")]
        subprocess.run(
            [sys.executable, str(HERE / "generate.py"), str(folder), *options], check=True, stdout=sys.stderr
        )
    for path in (qrels, run):
        with path.open("rb") as file:
            while file.read(1 << 22):
                pass
    return qrels, run


def compete(
    tools: list[Tool], files: tuple[Path, Path], rounds: int, data: Path
) -> tuple[dict[str, list[Cost]], bool | None]:
    """Costs of each tool by round, and whether ours and trec_eval print the same bytes (None without either).

    A tool that fails is reported on stderr and left out.
    """
    outputs = {tool.name: data / f"output-{tool.name}" for tool in tools}
    costs: dict[str, list[Cost]] = {tool.name: [] for tool in tools}
    for number in range(rounds + 1):
        for tool in tools:
            if tool.name not in costs:
                continue
            try:
                cost = measure(tool.line(*files), outputs[tool.name])
            except (OSError, subprocess.CalledProcessError) as problem:
                detail = (getattr(problem, "stderr", b"") or b"").decode(errors="replace").strip()
                print(f"{tool.name} failed: {problem} {detail[-500:]}", file=sys.stderr)
                del costs[tool.name]
                continue
            if number:  # round 0 warms up: compiled Python files, numba's cache
                costs[tool.name].append(cost)
    same = None
    if OURS in costs and REFERENCE in costs:
        same = outputs[OURS].read_bytes() == outputs[REFERENCE].read_bytes()
    for path in outputs.values():
        path.unlink(missing_ok=True)
    return costs, same


def report(name: str, workload: Workload, costs: dict[str, list[Cost]], *, same: bool | None, size: int) -> None:
    """Prints one workload's table in Markdown."""
    shape = f"{workload.queries:,} queries × {workload.depth:,} documents"
    print(f"\n### {name}: {shape}, {size / 1e6:,.1f} MB, {workload.variant}\n")
    print("| tool | wall s | CPU s | peak MB | wall ratio | CPU ratio | memory ratio |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    ours = costs.get(OURS)
    for tool, rounds in costs.items():
        middle = [median(values) for values in zip(*rounds, strict=True)]
        cells = [f"{middle[0]:.3f}", f"{middle[1]:.3f}", f"{middle[2]:.0f}", "", "", ""]
        if ours and tool != OURS:
            pairs = zip(ours, rounds, strict=True)
            ratios = zip(*((a / b for a, b in zip(mine, theirs, strict=True)) for mine, theirs in pairs), strict=True)
            cells[3:] = [f"{median(values):.3f}" for values in ratios]
        print("| " + " | ".join([tool, *cells]) + " |")
    if same is not None:
        print(f"\nOutput of {OURS} and {REFERENCE}: " + ("byte-identical." if same else "DIFFERENT."))
    sys.stdout.flush()


def machine() -> str:
    """One line on what this was measured with."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        model = next(
            (s.split(":")[1].strip() for s in info.read_text().splitlines() if s.startswith("model name")), model
        )
    versions = [f"Python {platform.python_version()}"]
    for package in ("irevalcli", "numpy", "pytrec-eval-terrier", "ir-measures", "ranx"):
        try:
            versions.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return f"{model}, {os.cpu_count()} cores, {platform.system()}; " + ", ".join(versions)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    listing = "workloads:\n" + "\n".join(
        f"  {name:16}{w.queries:6,} × {w.depth:,}, {w.variant}, {w.rounds} rounds" for name, w in WORKLOADS.items()
    )
    made = argparse.ArgumentParser(
        description=__doc__, epilog=listing, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument(
        "-w",
        "--workload",
        action="append",
        choices=WORKLOADS,
        help="repeatable; default: " + " ".join(DEFAULT),
        metavar="NAME",
    )
    made.add_argument("--all-variants", action="store_true", help="the large workload in all its variants too")
    made.add_argument("--trec-eval", metavar="PATH", help="the reference binary (default: trec_eval on PATH)")
    made.add_argument(
        "--peer",
        action="append",
        metavar="TOOL",
        help="only these peers: trec_eval, pytrec-eval-terrier, ir-measures, ranx",
    )
    made.add_argument("-m", "--measure", action="append", metavar="NAME", help="for trec_eval and ours (all_trec)")
    made.add_argument("-q", "--per-query", action="store_true", help="trec_eval and ours print every query")
    made.add_argument("--rounds", type=int, metavar="N", help="rounds of every workload")
    made.add_argument(
        "--data",
        type=Path,
        default=Path(tempfile.gettempdir()) / "irevalcli-bench",
        metavar="DIR",
        help="where the files are kept (irevalcli-bench in the folder for temporary files)",
    )
    return made


def main() -> int:
    """Runs the command line; 0, or 1 if an output differs from trec_eval's."""
    options = parser().parse_args()
    arguments = [word for name in options.measure or ["all_trec"] for word in ("-m", name)]
    if options.per_query:
        arguments.append("-q")
    tools = find_tools(options.trec_eval, options.peer, arguments)
    if not tools:
        parser().error(f"neither {OURS} nor any peer is installed")
    names = list(options.workload or DEFAULT)
    if options.all_variants:
        names += [name for name in WORKLOADS if name.startswith("large") and name not in names]
    missing = [name for name in (OURS, REFERENCE) if name not in [tool.name for tool in tools]]
    print(machine())
    if missing:
        print("not found: " + ", ".join(missing), file=sys.stderr)
    different = False
    options.data.mkdir(parents=True, exist_ok=True)
    for name in names:
        workload = WORKLOADS[name]
        files = prepare(workload, options.data)
        costs, same = compete(tools, files, max(1, options.rounds or workload.rounds), options.data)
        report(name, workload, costs, same=same, size=files[1].stat().st_size)
        different |= same is False
    return int(different)


if __name__ == "__main__":
    sys.exit(main())
