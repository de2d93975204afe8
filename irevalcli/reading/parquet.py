"""Parquet files, some rows at a time: columns of text and of numbers, by what they hold. Needs pyarrow."""

from __future__ import annotations

from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from irevalcli.errors import Finding, InputProblem, MissingExtra
from irevalcli.reading.faults import DataLine, Field
from irevalcli.reading.headers import SCORE
from irevalcli.reading.numbers import strict_grade, strict_score
from irevalcli.reading.rules import DAMAGED, UNKNOWN_FORMAT
from irevalcli.reading.tokens import Fields
from irevalcli.reading.words import PAD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from irevalcli.reading.arrays import Bools, Bytes, Floats
    from irevalcli.reading.headers import Columns, Role
    from irevalcli.reading.rules import Rule

MAGIC = b"PAR1"
BATCH_ROWS = 1 << 16
LARGEST_BATCH = 16 << 20
"""Bytes of ids that are decoded at a time; repeated ids take next to no room in a file."""
LONGEST_QUERY = 1 << 20
"""Rows up to which a query is kept together."""


class Values(NamedTuple):
    """Some rows.

    Attributes:
        data: buffer that holds the texts, with slack on either side.
        columns: texts or numbers, by the name of the role.
        faults: what was wrong with other rows.
        dropped: how many these are.
    """

    data: Bytes
    columns: dict[str, Fields | Floats]
    faults: list[Finding]
    dropped: int

    def texts(self, role: str) -> Fields:
        """The texts of a role."""
        column = self.columns[role]
        if not isinstance(column, Fields):
            raise TypeError("a column of texts was read as numbers")
        return column

    def numbers(self, role: str) -> Floats:
        """The numbers of a role."""
        column = self.columns[role]
        if isinstance(column, Fields):
            raise TypeError("a column of numbers was read as texts")
        return column


class ParquetColumns(NamedTuple):
    """The columns of a file that are read.

    Attributes:
        name: of the file.
        places: which column has which role.
        numbers: the roles that are numbers, and the rule that is broken where there is none.
    """

    name: str
    places: dict[str, int]
    numbers: dict[str, Rule]

    def values(self, content: bytes | bytearray, *, whole_queries: bool) -> Iterator[Values]:
        """The rows of a file, some at a time.

        Args:
            content: of the file.
            whole_queries: keep rows that follow each other and have one query together.

        Raises:
            InputProblem: the file is damaged, or a column holds neither texts nor numbers.
        """
        first_row = 0
        held: Any = None
        for batch in _batches(content, self):
            held = batch if held is None else _arrow().concat_batches([held, batch])
            ready = _whole(held) if whole_queries else held.num_rows
            if ready:
                yield self._values(held.slice(0, ready), first_row)
                first_row += ready
            held = held.slice(ready)
        if held is not None and held.num_rows:
            yield self._values(held, first_row)

    def _values(self, batch: Any, first_row: int) -> Values:  # noqa: ANN401
        good = np.ones(batch.num_rows, np.bool_)
        faults: list[Finding] = []
        numbers: dict[str, Floats] = {}
        texts: dict[str, Any] = {}
        for place, role in enumerate(self.places):
            column = batch.column(place)
            wrong = np.asarray(column.is_null())
            if role in self.numbers:
                numbers[role] = _written_numbers(column, role) if _is_text(column) else _numbers(column)
                legal = ~np.isnan(numbers[role]) if role == SCORE.name else np.isfinite(numbers[role])
                wrong = wrong | ~legal
                rule, what = self.numbers[role], "no number"
            else:
                texts[role] = _text(column)
                wrong = wrong | _unusable(texts[role])
                rule, what = UNKNOWN_FORMAT, "no text, or one that is empty or holds a line break or NUL"
            faults += [self._finding(rule, role, what, first_row + row) for row in np.flatnonzero(wrong)[:20].tolist()]
            good &= ~wrong
        return _packed(texts, numbers, good, faults)

    def _finding(self, rule: Rule, role: str, what: str, row: int) -> Finding:
        return Finding(rule.code, f"row {row + 1}: {what} in the column of the {role}", self.name, help=rule.help)


def header_of(content: bytes | bytearray, name: str) -> DataLine:
    """The names of the columns, as a line.

    Raises:
        InputProblem: the file is damaged.
        MissingExtra: pyarrow is not installed.
    """
    with _Reading(name):
        names = _file(content).schema_arrow.names
    fields = [Field(each.encode("utf-8", "surrogatepass"), 0) for each in names]
    return DataLine(0, b"", fields)


def _arrow() -> Any:  # noqa: ANN401
    try:
        import_module("pyarrow.parquet")
        import_module("pyarrow.compute")
        return import_module("pyarrow")
    except ImportError:
        raise MissingExtra("reading and writing parquet", "parquet") from None


class _Reading:
    """What pyarrow raises on broken files, which is of many kinds, becomes one InputProblem."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        del trace
        if error is None or isinstance(error, (InputProblem, MissingExtra)) or not isinstance(error, Exception):
            return
        reason = " ".join(str(error).split())[:200]
        finding = Finding(DAMAGED.code, f"cannot be read as parquet: {reason}", self._name, help=DAMAGED.help)
        raise InputProblem.of(finding) from None


def _file(content: bytes | bytearray, dictionaries: Sequence[str] = ()) -> Any:  # noqa: ANN401
    pa = _arrow()
    return pa.parquet.ParquetFile(pa.BufferReader(pa.py_buffer(content)), read_dictionary=list(dictionaries))


def _batches(content: bytes | bytearray, columns: ParquetColumns) -> Iterator[Any]:
    """Batches with the columns of the roles, in the order of `places`, small enough to be decoded.

    Raises:
        InputProblem: the file is damaged, or a column of ids holds neither texts nor integers.
    """
    with _Reading(columns.name):
        schema = _file(content).schema_arrow
        wanted = [schema.names[place] for place in columns.places.values()]
        for role, name in zip(columns.places, wanted, strict=True):
            _check_kind(schema.field(name), role, columns)
        texts = [name for name in wanted if _is_text(schema.field(name))]
        file = _file(content, texts)
        batches = file.iter_batches(BATCH_ROWS, columns=wanted)
    while True:
        with _Reading(columns.name):
            batch = next(batches, None)
            if batch is None:
                return
            parts = list(_portions(batch.select(wanted)))
        yield from parts


def _portions(batch: Any) -> Iterator[Any]:  # noqa: ANN401
    """The batch, or parts of it whose texts take up no more than `LARGEST_BATCH` bytes once they are decoded."""
    pa = _arrow()
    sizes = np.zeros(batch.num_rows, np.int64)
    for column in batch.columns:
        if pa.types.is_dictionary(column.type):
            lengths = np.asarray(pa.compute.binary_length(column.dictionary).fill_null(0), np.int64)
            index = np.asarray(column.indices.fill_null(0), np.int64)
            sizes += lengths[index] if lengths.size else 0
    portion = np.cumsum(sizes) // LARGEST_BATCH
    bounds = [0, *(np.flatnonzero(np.diff(portion)) + 1).tolist(), batch.num_rows]
    for begin, end in pairwise(bounds):
        part = batch.slice(begin, end - begin)
        plain = [_decoded(column) for column in part.columns]
        yield pa.RecordBatch.from_arrays(plain, names=part.schema.names)


def _decoded(column: Any) -> Any:  # noqa: ANN401
    pa = _arrow()
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def _whole(batch: Any) -> int:  # noqa: ANN401
    """How many rows come before those of the last query; its column is the first."""
    qids = batch.column(0)
    if batch.num_rows > LONGEST_QUERY:
        return int(batch.num_rows)
    others = np.flatnonzero(np.asarray(_arrow().compute.not_equal(qids, qids[-1]).fill_null(True)))  # noqa: FBT003
    return int(others[-1]) + 1 if others.size else 0


def _check_kind(field: Any, role: str, columns: ParquetColumns) -> None:  # noqa: ANN401
    """Nothing, if a field of the schema can have the role.

    Raises:
        InputProblem: it cannot.
    """
    types, kind = _arrow().types, field.type
    if types.is_dictionary(kind):
        kind = kind.value_type
    if role not in columns.numbers and not types.is_integer(kind) and not _is_text(field.with_type(kind)):
        message = f"the column of the {role} holds {kind}, neither texts nor integers"
        raise InputProblem.of(Finding(UNKNOWN_FORMAT.code, message, columns.name, help="write ids as texts"))


def _is_text(column: Any) -> bool:  # noqa: ANN401
    """Whether a column, or a field of a schema, holds texts."""
    types = _arrow().types
    return any(
        test(column.type) for test in (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
    )


def _numbers(column: Any) -> Floats:  # noqa: ANN401
    """The numbers as float64, NaN where there is none."""
    pa = _arrow()
    types = pa.types
    if not (types.is_integer(column.type) or types.is_floating(column.type) or types.is_decimal(column.type)):
        return np.full(len(column), np.nan)
    return np.asarray(column.cast(pa.float64(), safe=False).fill_null(np.nan), np.float64)


def _written_numbers(column: Any, role: str) -> Floats:  # noqa: ANN401
    """The numbers that texts say, NaN where one says none."""
    legal = strict_score if role == SCORE.name else strict_grade
    tokens = column.cast(_arrow().binary()).to_pylist()
    read = [None if token is None else legal(token) for token in tokens]
    return np.array([np.nan if value is None else value for value in read], np.float64)


def _text(column: Any) -> Any:  # noqa: ANN401
    """The column as large binary; integers become their digits."""
    pa = _arrow()
    if pa.types.is_integer(column.type):
        column = column.cast(pa.large_string())
    return column.cast(pa.large_binary())


def _unusable(column: Any) -> Bools:  # noqa: ANN401
    """Which texts are empty, or hold NUL or the end of a line."""
    compute = _arrow().compute
    wrong: Bools = np.asarray(compute.equal(compute.binary_length(column), 0).fill_null(True))  # noqa: FBT003
    for sign in (b"\0", b"\n", b"\r"):
        wrong = wrong | np.asarray(compute.match_substring(column, sign.decode("latin-1")).fill_null(False))  # noqa: FBT003
    return wrong


def _packed(texts: dict[str, Any], numbers: dict[str, Floats], good: Bools, faults: list[Finding]) -> Values:
    """The good rows, their texts in one buffer."""
    kept = np.flatnonzero(good)
    blocks, columns = [np.zeros(PAD, np.uint8)], {}
    filled = PAD
    for role, column in texts.items():
        _, offsets_buffer, data_buffer = column.buffers()
        offsets = np.frombuffer(offsets_buffer, np.int64)[column.offset : column.offset + len(column) + 1]
        data = np.frombuffer(data_buffer or b"", np.uint8)[offsets[0] : offsets[-1]]
        fields = Fields(offsets[:-1] - offsets[0] + filled, offsets[1:] - offsets[0] + filled)
        columns[role] = fields.at(kept)
        blocks.append(data)
        filled += data.size
    blocks.append(np.zeros(PAD, np.uint8))
    found: dict[str, Fields | Floats] = {**columns, **{role: values[kept] for role, values in numbers.items()}}
    return Values(np.concatenate(blocks), found, faults, int(good.size - kept.size))


def columns_of(found: Columns, roles: Sequence[Role], numbers: dict[str, Rule], name: str) -> ParquetColumns:
    """The columns of a file that have one of the roles, the query's first."""
    places = {role.name: found.places[role.name] for role in roles if role.name in found.places}
    return ParquetColumns(name, places, numbers)
