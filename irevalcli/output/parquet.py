"""Rows as a parquet file, some at a time. Needs pyarrow."""

from __future__ import annotations

from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from irevalcli.errors import MissingExtra

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Kind = Literal["text", "int64", "float64"]

ROWS_OF_GROUP = 1 << 17


class _Sink:
    """A file that hands on what is written into it."""

    closed = False

    def __init__(self) -> None:
        self._held: list[bytes] = []
        self._written = 0

    def write(self, data: Any) -> int:  # noqa: ANN401
        piece = bytes(data)
        self._held.append(piece)
        self._written += len(piece)
        return len(piece)

    def tell(self) -> int:
        return self._written

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        """Nothing has to be closed."""

    def taken(self) -> bytes:
        """What was written since the last time."""
        held, self._held = self._held, []
        return b"".join(held)


def parquet(rows: Iterator[Sequence[Any]], columns: dict[str, Kind], *, utf8: bool) -> Iterator[bytes]:
    """The rows as a parquet file, in parts.

    Args:
        rows: a value for each column; texts are bytes.
        columns: name and kind of each.
        utf8: all texts are UTF-8; otherwise their columns hold bytes.

    Raises:
        MissingExtra: pyarrow is not installed.
    """
    try:
        pa, pq = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtra("reading and writing parquet", "parquet") from None
    text = pa.string() if utf8 else pa.binary()
    types = {name: text if kind == "text" else getattr(pa, kind)() for name, kind in columns.items()}
    schema = pa.schema(list(types.items()))
    sink = _Sink()
    with pq.ParquetWriter(pa.PythonFile(sink, mode="w"), schema, compression="zstd") as writer:
        while group := list(islice(rows, ROWS_OF_GROUP)):
            values = zip(*group, strict=True)
            arrays = [pa.array(column, type=kind) for column, kind in zip(values, types.values(), strict=True)]
            writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=schema))
            yield sink.taken()
    yield sink.taken()
