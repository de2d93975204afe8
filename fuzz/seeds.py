"""Writes what the harnesses start from: ``python fuzz/seeds.py FOLDER [FILE_OR_FOLDER...]``.

Measure names and their dictionary come from the records; the other seeds are the beginnings of the files that are
named. Every seed has a first byte, which chooses options (see the harnesses).
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from hashlib import sha256
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

from irevalcli.measures.aliases import ALIASES, FOREIGN_PARAMETERS
from irevalcli.measures.families import all_measures
from irevalcli.measures.nicknames import SETS
from irevalcli.measures.presets import PRESETS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

LONGEST = 300
"""Bytes of a seed: long enough for several queries, short enough to be mutated well."""
COLUMNS = ((0, 1), (0, 1, 2), (0, 1, 3), (0, 1, 2, 3))
OPTIONS = (0, 1, 2, 5, 11, 28, 63, 130)

FILE_WORDS = (
    *(
        b"\n",
        b"\r\n",
        b"\t",
        b" ",
        b"\v",
        b"\f",
        b"\0",
        b"#",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"\x1c",
        b"\x85",
        b"\xc2\xa0",
    ),
    *(b"\x1f\x8b", b"BZh9", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"PK\3\4", b"PAR1", b"ustar"),
    *(b"nan", b"inf", b"-Infinity", b"1e308", b"1e999", b"-0.0", b"0x1p3", b"1_0", b"1,5", b"4.9e-324", b".5", b"5."),
    *(b"9007199254740993", b"18446744073709551616", b"0000000000000000000000001", b"123456789.12345678901", b"1E+5"),
    *(
        b"\nq1 Q0 d1 1 2.5 t\n",
        b"\nq1 0 d1 1\n",
        b"Q0",
        b"qid",
        b"query_id",
        b"query-id",
        b"query",
        b"docid",
        b"doc_id",
    ),
    *(b"docno", b"corpus-id", b"score", b"rank", b"grade", b"relevance", b"run", b"iteration", b"tag"),
    *(
        b'"',
        b'""',
        b",",
        b";",
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b'{"q1":{"d1":',
        b"\\u00e9",
        b"\\ud800",
        b"\\",
        b"null",
        b"true",
    ),
)


def main(folder: Path, sources: list[Path]) -> None:
    """Write the corpora and dictionaries below `folder`."""
    put(folder / "measure_names", (name.encode() for name in measure_names()))
    (folder / "measure_names.dict").write_text("".join(entry(word.encode()) for word in sorted(measure_words())))
    heads = list(file_heads(sources))
    put(folder / "files", heads)
    put(folder / "formats", (text for head in heads for text in other_formats(head)))
    (folder / "files.dict").write_text("".join(entry(word) for word in FILE_WORDS))


def entry(word: bytes) -> str:
    """A word as a dictionary of libFuzzer spells it: it knows printable ASCII and hexadecimal escapes."""
    plain = (chr(byte) if 32 <= byte < 127 and byte not in b'"\\\\' else f"\\x{byte:02x}" for byte in word)
    return '"' + "".join(plain) + '"\n'


def put(folder: Path, texts: Iterable[bytes]) -> None:
    """Write each text behind one of the options, under the name of its hash."""
    folder.mkdir(parents=True, exist_ok=True)
    for text, option in zip(texts, cycle(OPTIONS), strict=False):
        seed = bytes([option]) + text
        (folder / sha256(seed).hexdigest()[:20]).write_bytes(seed)


def file_heads(sources: list[Path]) -> Iterator[bytes]:
    """The whole lines at the beginning of every file."""
    for source in sources:
        for path in sorted(source.rglob("*")) if source.is_dir() else [source]:
            if path.is_file():
                with path.open("rb") as file:
                    head = file.read(LONGEST)
                yield head[: head.rfind(b"\n") + 1 or None]


def other_formats(head: bytes) -> Iterator[bytes]:
    """The beginning of a TREC run or of TREC qrels in every other format; nothing of other files."""
    lines = [line.split() for line in head.decode("utf-8", "replace").splitlines()]
    if len({len(line) for line in lines}) != 1 or len(lines[0]) not in {4, 6}:
        return
    rows = [(line[0], line[2], line[3], line[min(4, len(line) - 1)]) for line in lines]
    for separator in " \t,;":
        yield from (_joined(separator, [[row[place] for place in places] for row in rows]) for places in COLUMNS)
    for separator, names in (
        (",", "qid,docid,rank,score"),
        ("\t", "query-id,corpus-id,rank,score"),
        (";", "score;rank;docno;q"),
    ):
        header = names.split(separator)
        placed = [row if header[0] != "score" else row[::-1] for row in rows]
        yield _joined(separator, [header, *placed])
        yield _joined(separator, [header, *([f'"{field}"' for field in row] for row in placed)])
    nested: dict[str, dict[str, float]] = {}
    for qid, docid, _, number in rows:
        with suppress(ValueError):
            nested.setdefault(qid, {})[docid] = float(number)
    yield json.dumps(nested).encode()
    yield b"".join(json.dumps({qid: known}).encode() + b"\n" for qid, known in nested.items())
    yield b"".join(
        json.dumps({"qid": qid, "docid": docid, "rank": rank, "score": number}).encode() + b"\n"
        for qid, docid, rank, number in rows
    )


def _joined(separator: str, rows: Iterable[Sequence[str]]) -> bytes:
    return "".join(separator.join(row) + "\n" for row in rows).encode()


def measure_names() -> Iterator[str]:
    """The canonical and foreign spellings that the records and tables know."""
    for record in all_measures().values():
        yield from (record.name, *record.aliases, *(example.measure for example in record.examples))
        yield from (same.name for same in record.equivalents)
    for alias in ALIASES:
        yield from (alias.name, alias.target, f"{alias.name}.{alias.defaults or '5,10'}", f"{alias.name}_5")
    yield from SETS


def measure_words() -> set[str]:
    """Names, parameters, values and punctuation."""
    words = {*"()@,=._[]{}:'-+", "-l2", "_IA", "p=", "1e5", "None", "True", "False", "exp", "0.5", "preset="}
    words |= {"{1:1,2:3}", "[0.2,0.5]", "(judged_only=True)", "bound=low", "bound=width"}
    for record in all_measures().values():
        words |= {record.name, *record.aliases}
        for param in record.parameters:
            words |= {param.name + "=", *(str(choice) for choice in param.choices)}
    words |= {alias.name for alias in ALIASES} | {f"{row.parameter}=" for row in FOREIGN_PARAMETERS}
    return words | {preset.name for preset in PRESETS} | set(SETS)


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
