"""Writes what the harnesses start from: ``python fuzz/seeds.py FOLDER [FILE_OR_FOLDER...]``.

Measure names and their dictionary come from the records. The other seeds are the beginnings of the files that are named.
Every seed has a first byte that chooses options (see the harnesses), so each is written with several.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from irevalcli.measures.aliases import ALIASES, FOREIGN_PARAMETERS
from irevalcli.measures.families import all_measures
from irevalcli.measures.nicknames import SETS
from irevalcli.measures.presets import PRESETS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LONGEST = 600
"""Bytes of a seed: long enough for several queries, short enough to be mutated well."""
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
    put(folder / "files", file_heads(sources))
    (folder / "files.dict").write_text("".join(entry(word) for word in FILE_WORDS))


def entry(word: bytes) -> str:
    """A word as a dictionary of libFuzzer spells it: it knows printable ASCII and hexadecimal escapes."""
    plain = (chr(byte) if 32 <= byte < 127 and byte not in b'"\\\\' else f"\\x{byte:02x}" for byte in word)
    return '"' + "".join(plain) + '"\n'


def put(folder: Path, texts: Iterable[bytes]) -> None:
    """Write each text with each choice of options, under the name of its hash."""
    folder.mkdir(parents=True, exist_ok=True)
    for text in texts:
        for option in OPTIONS:
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
    words = {
        "(",
        ")",
        "@",
        ",",
        "=",
        ".",
        "_",
        "[",
        "]",
        "{",
        "}",
        ":",
        "'",
        "-",
        "+",
        "-l2",
        "_IA",
        "p=",
        "1e5",
        "None",
    }
    words |= {
        "True",
        "False",
        "exp",
        "0.5",
        "{1:1,2:3}",
        "[0.2,0.5]",
        "(judged_only=True)",
        "bound=low",
        "bound=width",
        "preset=",
    }
    for record in all_measures().values():
        words |= {record.name, *record.aliases}
        for param in record.parameters:
            words |= {param.name + "=", *(str(choice) for choice in param.choices)}
    words |= {alias.name for alias in ALIASES} | {f"{row.parameter}=" for row in FOREIGN_PARAMETERS}
    return words | {preset.name for preset in PRESETS} | set(SETS)


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
