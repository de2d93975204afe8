"""Makes a run and its qrels of any size: the input of run.py.

    python benchmarks/generate.py FOLDER --queries 6980 --depth 1000

writes FOLDER/qrels and FOLDER/run. The defaults resemble the MS MARCO passage dev set: seven-digit docids,
qids of six or seven digits, 1.07 judged documents a query, most of them retrieved somewhere, early ranks more
likely than late ones. The same options and seed give the same bytes. 7 million lines take a few seconds.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    Bytes = npt.NDArray[np.uint8]
    Whole = npt.NDArray[np.int64]

VARIANTS = {
    "clean": "one blank between fields, six decimals, queries in order, no ties",
    "crlf": "lines end in CR LF, in both files",
    "tabs": "fields separated by tabs, in both files",
    "tied": "one score for all documents",
    "coarse": "scores cut to one decimal: many ties",
    "unsorted": "the run's documents in random order within their query",
    "shuffled": "the lines of both files in random order",
    "repr": "scores with 16 or 17 significant digits",
    "exponent": "scores in exponent notation (1.234567e+01)",
}
BLOCK = 128  # queries drawn from one random stream; part of what makes the bytes reproducible
LINES = 250_000  # lines rendered at a time
FIRST_DOC, FIRST_UNRETRIEVED, LAST_DOC = 1_000_000, 8_800_000, 8_841_823
RETRIEVED = 0.86  # share of the judged documents that the run holds
MICRO = 1_000_000
GRADE_ODDS = (0.55, 0.25, 0.12, 0.08)


class Plan(NamedTuple):
    """What to make: number of queries, documents a query, mean judged a query, highest grade, variant, seed."""

    queries: int
    depth: int
    judged: float
    grades: int
    variant: str
    seed: int


class Block(NamedTuple):
    """Some queries: run columns, shape (queries, depth), and judgment columns, shape (judgments,).

    Scores are whole millionths, descending along a row.
    """

    docids: Whole
    scores: Whole
    judged_query: Whole
    judged_doc: Whole
    grade: Whole


def draw_qids(plan: Plan) -> Whole:
    """Distinct qids of six or seven digits in ascending order, shape (queries,)."""
    rng = np.random.default_rng([plan.seed, 0])
    return np.sort(rng.choice(max(1_100_000, 2 * plan.queries), plan.queries, replace=False)) + 100_000


def draw_block(plan: Plan, first: int) -> Block:
    """The block of queries that starts at query number first."""
    rng = np.random.default_rng([plan.seed, 1, first])
    n = min(BLOCK, plan.queries - first)
    room = FIRST_UNRETRIEVED - FIRST_DOC
    docids = np.stack([rng.choice(room, plan.depth, replace=False) for _ in range(n)]) + FIRST_DOC
    # At least one millionth apart, the last one above zero.
    gaps = 1 + rng.exponential(15.0 / plan.depth * MICRO, (n, plan.depth)).astype(np.int64)
    scores = np.ascontiguousarray(np.cumsum(gaps, axis=1)[:, ::-1])
    queries, docs = [], []
    for q in range(n):
        found, lost = draw_judged(plan, rng)
        docs.append(np.concatenate([docids[q, found], lost]))
        queries.append(np.full(docs[-1].size, first + q))
    doc = np.concatenate(docs)
    odds = np.array(GRADE_ODDS[: plan.grades + 1])
    grade = rng.choice(len(odds), doc.size, p=odds / odds.sum()) if plan.grades > 1 else np.ones(doc.size)
    return Block(docids, scores, np.concatenate(queries), doc, grade.astype(np.int64))


def draw_judged(plan: Plan, rng: np.random.Generator) -> tuple[Whole, Whole]:
    """Ranks (from 0) of one query's judged documents that the run holds, and the docids of those it lacks."""
    count = rng.poisson(plan.judged - 1) + 1 if plan.judged < 10 else int(plan.judged * rng.uniform(0.5, 1.5))
    held = int(rng.binomial(count, RETRIEVED))
    # log-uniform: every tenfold range of ranks is as likely as the next
    ranks = np.unique((plan.depth ** rng.random(held)).astype(np.int64) - 1)
    lost = rng.choice(LAST_DOC - FIRST_UNRETRIEVED, max(count - ranks.size, 0), replace=False) + FIRST_UNRETRIEVED
    return ranks, lost


def text(word: str, lines: int) -> Bytes:
    """The same word on every line, shape (lines, length)."""
    return np.broadcast_to(np.frombuffer(word.encode(), np.uint8), (lines, len(word)))


def digits(values: Whole, width: int, *, pad: bool = False) -> Bytes:
    """Decimal digits, shape (lines, width); leading zeros are NUL (left out later) unless pad."""
    out = np.empty((values.size, width), np.uint8)
    rest = values
    for column in range(width - 1, -1, -1):
        rest, out[:, column] = np.divmod(rest, 10)
    out += ord("0")
    if not pad:
        below = 10 ** np.arange(width - 1, 0, -1)
        out[:, :-1][values[:, None] < below] = 0
    return out


def score_text(micro: Whole, variant: str) -> list[Bytes]:
    """Scores as columns of bytes."""
    n = micro.size
    if variant == "repr":
        # A third of a millionth more makes the fraction endless, hence 16 or 17 digits.
        words = ((micro + 1 / 3) / MICRO).astype("S25")
        return [words.view(np.uint8).reshape(n, 25)]
    if variant == "exponent":
        power = sum((micro >= 10**k).astype(np.int64) for k in range(1, 10))
        lead, fraction = np.divmod(micro * 10 ** (9 - power) // 1000, MICRO)
        exponent = power - 6
        sign = np.where(exponent < 0, ord("-"), ord("+")).astype(np.uint8)[:, None]
        tail = [sign, digits(np.abs(exponent), 2, pad=True)]
        return [digits(lead, 1), text(".", n), digits(fraction, 6, pad=True), text("e", n), *tail]
    step = {"tied": 10**10, "coarse": 100_000}.get(variant, 1)
    whole, fraction = np.divmod(micro // step * step, MICRO)
    return [digits(whole, 4), text(".", n), digits(fraction, 6, pad=True)]


def lines_of(fields: list[list[Bytes]], variant: str) -> bytes:
    """Lines from fields, each a list of byte columns."""
    n = len(fields[0][0])
    between = text("\t" if variant == "tabs" else " ", n)
    columns = [column for field in fields for column in (*field, between)]
    columns[-1] = text("\r\n" if variant == "crlf" else "\n", n)
    table: Bytes = np.concatenate(columns, axis=1).ravel()
    kept: Bytes = table[table != 0]
    return kept.tobytes()


def run_columns(plan: Plan, blocks: Iterator[Block]) -> Iterator[tuple[Whole, Whole, Whole, Whole]]:
    """Query number, docid, rank and score of run lines, block by block, or all at once when they are shuffled."""
    first = 0
    kept = []
    for block in blocks:
        n = len(block.docids)
        query = np.repeat(np.arange(first, first + n), plan.depth)
        rank = np.tile(np.arange(1, plan.depth + 1), n)
        first += n
        columns = (query, block.docids.ravel(), rank, block.scores.ravel())
        if plan.variant == "unsorted":
            within = np.random.default_rng([plan.seed, 4, first]).random(block.docids.shape).argsort(axis=1)
            order = (within + np.arange(n)[:, None] * plan.depth).ravel()
            columns = (query, columns[1][order], columns[2][order], columns[3][order])
        if plan.variant == "shuffled":
            kept.append(columns)
        else:
            yield columns
    if kept:
        order = np.random.default_rng([plan.seed, 2]).permutation(plan.queries * plan.depth)
        query, doc, rank, score = (np.concatenate(part)[order] for part in zip(*kept, strict=True))
        yield query, doc, rank, score


def write_run(plan: Plan, qids: Whole, blocks: Iterator[Block], path: Path) -> None:
    """Writes the run: qid Q0 docid rank score tag."""
    rank_width = max(1, len(str(plan.depth)))
    with path.open("wb") as out:
        for query, doc, rank, score in run_columns(plan, blocks):
            for at in range(0, query.size, LINES):
                part = slice(at, at + LINES)
                n = query[part].size
                fields = [
                    [digits(qids[query[part]], 8)],
                    [text("Q0", n)],
                    [digits(doc[part], 7)],
                    [digits(rank[part], rank_width)],
                    score_text(score[part], plan.variant),
                    [text("bench", n)],
                ]
                out.write(lines_of(fields, plan.variant))


def write_qrels(plan: Plan, qids: Whole, blocks: list[Block], path: Path) -> None:
    """Writes the qrels: qid 0 docid grade."""
    query, doc, grade = (np.concatenate([block[k] for block in blocks]) for k in (2, 3, 4))
    if plan.variant == "shuffled":
        order = np.random.default_rng([plan.seed, 3]).permutation(query.size)
        query, doc, grade = query[order], doc[order], grade[order]
    fields = [[digits(qids[query], 8)], [text("0", query.size)], [digits(doc, 7)], [digits(grade, 2)]]
    path.write_bytes(lines_of(fields, plan.variant))


def generate(plan: Plan, folder: Path) -> None:
    """Writes folder/qrels and folder/run."""
    folder.mkdir(parents=True, exist_ok=True)
    qids = draw_qids(plan)
    judgments: list[Block] = []
    empty = np.empty(0, np.int64)

    def blocks() -> Iterator[Block]:
        for first in range(0, plan.queries, BLOCK):
            block = draw_block(plan, first)
            # Only the judgments are kept: the run may be larger than memory.
            judgments.append(block._replace(docids=empty, scores=empty))
            yield block

    write_run(plan, qids, blocks(), folder / "run")
    write_qrels(plan, qids, judgments, folder / "qrels")


def parser() -> argparse.ArgumentParser:
    """The command line."""
    listing = "variants:\n" + "\n".join(f"  {name:10}{what}" for name, what in VARIANTS.items())
    made = argparse.ArgumentParser(
        description=__doc__, epilog=listing, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("folder", type=Path, help="where qrels and run go; made if missing")
    made.add_argument("--queries", type=int, default=6980, metavar="N", help="number of queries (6980)")
    made.add_argument("--depth", type=int, default=1000, metavar="N", help="documents a query (1000)")
    made.add_argument("--judged", type=float, default=1.07, metavar="X", help="mean judged a query (1.07)")
    made.add_argument("--grades", type=int, default=1, metavar="G", choices=(1, 2, 3), help="highest grade (1)")
    made.add_argument("--variant", default="clean", choices=VARIANTS, help="how the files are written (clean)")
    made.add_argument("--seed", type=int, default=1, metavar="N", help="seed of the random numbers (1)")
    return made


def main() -> None:
    """Runs the command line."""
    options = parser().parse_args()
    plan = Plan(options.queries, options.depth, options.judged, options.grades, options.variant, options.seed)
    if not (plan.queries >= 1 and 1 <= plan.depth <= MICRO and math.isfinite(plan.judged) and plan.judged >= 1):
        parser().error("--queries, --depth (at most 1000000) and --judged must be 1 or more")
    generate(plan, options.folder)
    for name in ("qrels", "run"):
        path = options.folder / name
        print(f"{path}  {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
