"""Agreement of rankings as a table, as tab-separated rows and as one JSON object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from irevalcli import __version__
from irevalcli.output.grid import ALL, Grid, GridColumn
from irevalcli.output.id_text import decoded, encoded, escaped, visible
from irevalcli.output.json_text import written
from irevalcli.output.shown import real_form
from irevalcli.output.table import grid_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.agreement import Agreement
    from irevalcli.analysis.correlate import Correlated, Pair
    from irevalcli.analysis.pool_bias import LeftOut, PoolBias
    from irevalcli.output.registry import Layout

SCHEMA = 1
"""Rises when a reader of the object would have to change."""

_BIAS = ("measure", "run", "score", "without own", "change", "place", "place without", "own", "own relevant")


def _text(value: float | None, layout: Layout, absent: str) -> str:
    return absent if value is None else real_form(layout.digits)(value)


def render_table(found: Correlated, bias: PoolBias | None, layout: Layout) -> Iterator[bytes]:
    """A row for each two rankings, or per query a table for each; before that, what leaving runs out of a pool does."""
    absent = "–" if layout.unicode else "-"
    if bias is not None:
        yield from _grid_bytes(_bias_grid(bias, layout), layout)
        yield b"\n"
    if not layout.per_query:
        keys = [
            GridColumn("first", [visible(pair.first) for pair in found.pairs]),
            GridColumn("second", [visible(pair.second) for pair in found.pairs]),
        ]
        counts = GridColumn(_items(found), [str(pair.items) for pair in found.pairs], right=True)
        columns = [
            GridColumn(name, [_text(pair.values[name], layout, absent) for pair in found.pairs], right=True)
            for name in found.wanted.statistics
        ]
        yield from _grid_bytes(Grid(keys, [counts, *columns]), layout)
        return
    for place, pair in enumerate(found.pairs):
        if place:
            yield b"\n"
        rows: list[tuple[str, Agreement]] = [(visible(decoded(qid)), values) for qid, values in pair.queries]
        rows.append((ALL, pair.values))
        keys = [
            GridColumn("first", [visible(pair.first)] * len(rows)),
            GridColumn("second", [visible(pair.second)] * len(rows)),
            GridColumn("query", [name for name, _ in rows]),
        ]
        columns = [
            GridColumn(name, [_text(values[name], layout, absent) for _, values in rows], right=True)
            for name in found.wanted.statistics
        ]
        yield from _grid_bytes(Grid(keys, columns, 1), layout)


def _items(found: Correlated) -> str:
    return "runs" if found.of == "systems" else "documents"


def _grid_bytes(grid: Grid, layout: Layout) -> Iterator[bytes]:
    for text in grid_text(grid, layout):
        yield text.encode()


def _bias_grid(bias: PoolBias, layout: Layout) -> Grid:
    cells = [_bias_cells(row, layout) for row in bias.rows]
    columns = list(zip(*cells, strict=True))
    keys = [GridColumn(name, [visible(cell) for cell in columns[place]]) for place, name in enumerate(_BIAS[:2])]
    values = [GridColumn(name, list(columns[place]), right=True) for place, name in enumerate(_BIAS) if place > 1]
    return Grid(keys, values)


def _bias_cells(row: LeftOut, layout: Layout) -> tuple[str, ...]:
    number = real_form(layout.digits)
    scores = number(row.score), number(row.without), number(row.without - row.score)
    counts = row.place, row.place_without, row.own, row.own_relevant
    return (row.measure, row.run, *scores, *map(str, counts))


def render_tsv(found: Correlated, bias: PoolBias | None, layout: Layout) -> Iterator[bytes]:
    """Rows of first, second, query, statistic and value, ``all`` for means; or of runs that are left out of a pool."""
    if bias is not None:
        yield encoded("\t".join(name.replace(" ", "_") for name in _BIAS) + "\n")
        for row in bias.rows:
            yield encoded("\t".join(map(visible, _bias_cells(row, layout))) + "\n")
        return
    yield b"first\tsecond\tquery\tstatistic\tvalue\n"
    for pair in found.pairs:
        names = f"{visible(pair.first)}\t{visible(pair.second)}"
        if layout.per_query:
            for qid, values in pair.queries:
                yield encoded(_tsv_rows(f"{names}\t{decoded(qid)}", values, layout))
        yield encoded(_tsv_rows(f"{names}\t{ALL}", pair.values, layout))


def _tsv_rows(before: str, values: Agreement, layout: Layout) -> str:
    return "".join(f"{before}\t{name}\t{_text(value, layout, '')}\n" for name, value in values.items())


def render_json(found: Correlated, bias: PoolBias | None, layout: Layout) -> Iterator[bytes]:
    """One object; what is not defined is null."""
    head: dict[str, Any] = {
        "schema": SCHEMA,
        "tool": {"name": "irevalcli", "version": __version__},
        "of": found.of,
        "rbo": {"p": found.wanted.p, "ties": found.wanted.ties},
        "notes": [note._asdict() for note in found.notes],
    }
    if bias is not None:
        head["pool"] = {"depth": bias.depth, "left_out": [row._asdict() for row in bias.rows]}
    yield escaped("{\n" + "".join(f"  {written(key)}: {written(value)},\n" for key, value in head.items()))
    yield b'  "pairs": ['
    for place, pair in enumerate(found.pairs):
        yield escaped("," * bool(place) + "\n    " + written(_record(pair, layout, found.of)))
    yield b"\n  ]\n}\n"


def _record(pair: Pair, layout: Layout, of: str) -> dict[str, Any]:
    record: dict[str, Any] = {"first": pair.first, "second": pair.second, "items": pair.items, "values": pair.values}
    if of == "documents":
        record["queries_defined"] = pair.defined
    if layout.per_query:
        record["per_query"] = {decoded(qid): values for qid, values in pair.queries}
    return record
