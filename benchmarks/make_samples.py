"""Makes the sample runs: four retrieval models search `samples/corpus.tsv` for `samples/queries.tsv`.

    python benchmarks/make_samples.py                     # writes sample_runs/*.run
    python benchmarks/make_samples.py --output DIR        # writes them somewhere else
    python benchmarks/make_samples.py --pool              # prints the pool with its judgments

Running it again gives the same files byte for byte. It therefore needs nothing but the standard library: a
matrix product or an SVD may differ in its last bits from one machine to the next, `math.fsum` does not.
"""

from __future__ import annotations

import argparse
import math
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "benchmarks" / "samples"
QRELS = ROOT / "sample_qrels" / "sample.qrels"

RUN_DEPTH = 50
POOL_DEPTHS = {"bm25": 12, "tfidf": 12, "ql": 12, "chargram": 5}

STOPWORDS = frozenset(
    re.findall(
        r"\w+",
        """
        a an and are as at be but by for from has if in is it its not of on or
        so that the then there they this to when with you your
        """,
    )
)


class Model(Protocol):
    """A retrieval model that has seen the corpus."""

    def scores(self, query: str) -> dict[str, float]:
        """Scores by docid, higher is better; documents that the model does not retrieve are absent."""


class Row(NamedTuple):
    """One line of a run."""

    qid: str
    docid: str
    rank: int
    score: str


def read_texts(path: Path) -> dict[str, str]:
    """Texts by id, in file order, from lines of `id TAB text`."""
    with path.open(encoding="utf-8") as lines:
        return dict(line.rstrip("\n").split("\t") for line in lines)


def words(text: str) -> list[str]:
    """Lower-case words of the text without stopwords."""
    return [word for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in STOPWORDS]


def singulars(text: str) -> list[str]:
    """Words without a plural s."""
    return [re.sub(r"(?<=..[^s])s$", "", word) for word in words(text)]


def stems(text: str) -> list[str]:
    """Words without a common English ending, so that `braking`, `brakes` and `brake` meet in `brak`."""
    return [stem(word) for word in words(text)]


def stem(word: str) -> str:
    """The word less one ending, and less a doubled letter before it, if three letters with a vowel remain."""
    match = re.fullmatch(r"(.{3,}?)(?:ing|ed|es|s|e)", word)
    if match is None or word.endswith("ss") or not re.search(r"[aeiouy]", match[1]):
        return word
    return re.sub(r"([bdgklmnprt])\1$", r"\1", match[1])


def character_grams(text: str) -> list[str]:
    """All runs of four characters of the text, whose words are joined and surrounded by single blanks."""
    padded = f" {' '.join(re.findall(r'[a-z0-9]+', text.lower()))} "
    return [padded[start : start + 4] for start in range(len(padded) - 3)]


class Bm25:
    """Okapi BM25 (Robertson and Zaragoza, 2009) over stems, with an idf that cannot become negative."""

    k1 = 1.2
    b = 0.75

    def __init__(self, corpus: Mapping[str, str]) -> None:
        self._counts = {docid: Counter(stems(text)) for docid, text in corpus.items()}
        self._frequency = document_frequency(self._counts.values())
        self._mean_length = sum(counts.total() for counts in self._counts.values()) / len(self._counts)

    def scores(self, query: str) -> dict[str, float]:
        """Scores of the documents that share a stem with the query, all above 0."""
        terms = sorted(set(stems(query)))
        retrieved = {}
        for docid, counts in self._counts.items():
            norm = self.k1 * (1 - self.b + self.b * counts.total() / self._mean_length)
            parts = [
                self._idf(term) * counts[term] * (self.k1 + 1) / (counts[term] + norm)
                for term in terms
                if term in counts
            ]
            if parts:
                retrieved[docid] = math.fsum(parts)
        return retrieved

    def _idf(self, term: str) -> float:
        frequency = self._frequency[term]
        return math.log(1 + (len(self._counts) - frequency + 0.5) / (frequency + 0.5))


class Cosine:
    """Cosine of tf-idf vectors, weight (1 + ln tf) ln(N / df), over the units that `split` returns."""

    def __init__(self, corpus: Mapping[str, str], split: Callable[[str], list[str]]) -> None:
        self._split = split
        counts = {docid: Counter(split(text)) for docid, text in corpus.items()}
        self._size = len(counts)
        self._frequency = document_frequency(counts.values())
        self._vectors = {docid: self._vector(units) for docid, units in counts.items()}

    def scores(self, query: str) -> dict[str, float]:
        """Cosines in (0, 1] of the documents that share a unit with the query."""
        wanted = self._vector(Counter(self._split(query)))
        retrieved = {}
        for docid, vector in self._vectors.items():
            parts = [weight * vector[unit] for unit, weight in wanted.items() if unit in vector]
            if parts:
                retrieved[docid] = math.fsum(parts)
        return retrieved

    def _vector(self, counts: Counter[str]) -> dict[str, float]:
        """Weights by unit, of Euclidean length 1; units that the corpus lacks are left out."""
        weights = {
            unit: (1 + math.log(count)) * math.log(self._size / self._frequency[unit])
            for unit, count in counts.items()
            if unit in self._frequency
        }
        length = math.sqrt(math.fsum(weight * weight for weight in weights.values()))
        return {unit: weight / length for unit, weight in weights.items()}


class QueryLikelihood:
    """Log-likelihood of the query's words in each document, Dirichlet-smoothed (Zhai and Lafferty, 2001)."""

    mu = 100.0  # a few times the length of a document here; the 2,000 usual for news would drown the text

    def __init__(self, corpus: Mapping[str, str]) -> None:
        self._counts = {docid: Counter(singulars(text)) for docid, text in corpus.items()}
        self._collection: Counter[str] = Counter()
        for counts in self._counts.values():
            self._collection.update(counts)

    def scores(self, query: str) -> dict[str, float]:
        """Scores below 0 for every document: one without any query word has the background's likelihood."""
        terms = [term for term in singulars(query) if term in self._collection]
        total = self._collection.total()
        return {
            docid: math.fsum(
                math.log((counts[term] + self.mu * self._collection[term] / total) / (counts.total() + self.mu))
                for term in terms
            )
            for docid, counts in self._counts.items()
        }


def document_frequency(documents: Iterable[Counter[str]]) -> Counter[str]:
    """In how many documents each unit occurs."""
    frequency: Counter[str] = Counter()
    for counts in documents:
        frequency.update(counts.keys())
    return frequency


def models(corpus: Mapping[str, str]) -> dict[str, Model]:
    """The four models by run name, each trained on the corpus."""
    return {
        "bm25": Bm25(corpus),
        "tfidf": Cosine(corpus, words),
        "ql": QueryLikelihood(corpus),
        "chargram": Cosine(corpus, character_grams),
    }


def search(model: Model, queries: Mapping[str, str]) -> list[Row]:
    """The best documents for each query, at most `RUN_DEPTH`, ranks from 1.

    They are sorted as trec_eval sorts them, by the printed score and then by descending docid, so that the
    rank column says what an evaluation will see.
    """
    rows = []
    for qid, text in queries.items():
        printed = [(round(score, 6), docid) for docid, score in model.scores(text).items()]
        printed.sort(reverse=True)
        rows += [
            Row(qid, docid, rank, f"{score:.6f}") for rank, (score, docid) in enumerate(printed[:RUN_DEPTH], start=1)
        ]
    return rows


def run_text(rows: Sequence[Row], tag: str) -> str:
    """The run as a file in TREC's six columns."""
    return "".join(f"{row.qid} Q0 {row.docid} {row.rank} {row.score} {tag}\n" for row in rows)


def pool_text(runs: Mapping[str, Sequence[Row]], queries: Mapping[str, str], corpus: Mapping[str, str]) -> str:
    """The pool for a human to read: pooled and judged documents with their grades, `-` for a missing one."""
    grades: dict[tuple[str, str], str] = {}
    if QRELS.exists():
        for line in QRELS.read_text(encoding="utf-8").splitlines():
            qid, _, docid, grade = line.split()
            grades[qid, docid] = grade
    pool = {(row.qid, row.docid) for name, rows in runs.items() for row in rows if row.rank <= POOL_DEPTHS[name]}
    lines = []
    for qid, query in queries.items():
        lines.append(f"{qid}  {query}")
        lines += [
            f"  {grades.get((qid, docid), '-')}  {docid}  {text}"
            for docid, text in corpus.items()
            if (qid, docid) in pool or (qid, docid) in grades
        ]
    return "\n".join(lines)


def main() -> None:
    """Writes the runs, or prints the pool."""
    parser = argparse.ArgumentParser(description="Make the sample runs from the sample corpus and queries.")
    parser.add_argument("--output", type=Path, default=ROOT / "sample_runs", help="folder for the four runs")
    parser.add_argument("--pool", action="store_true", help="print the pool with its judgments, write nothing")
    options = parser.parse_args()

    corpus = read_texts(SAMPLES / "corpus.tsv")
    queries = read_texts(SAMPLES / "queries.tsv")
    runs = {name: search(model, queries) for name, model in models(corpus).items()}
    if options.pool:
        print(pool_text(runs, queries, corpus))
        return
    for name, rows in runs.items():
        (options.output / f"{name}.run").write_text(run_text(rows, name), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
