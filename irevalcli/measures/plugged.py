"""Measures of others: what they must be like to be taken in, and what their functions must give."""

from __future__ import annotations

import sys
from contextlib import contextmanager, redirect_stdout
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from irevalcli.errors import InputProblem, MissingExtra, UsageProblem
from irevalcli.index.judgments import Judgments
from irevalcli.measures.completeness import faults
from irevalcli.measures.families import all_measures
from irevalcli.measures.intent_aware import intent_aware
from irevalcli.measures.names import Names
from irevalcli.measures.registry import PLUGGED, Measure, Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Bools, Floats

Result = TypeVar("Result")

_loading: list[Origin] = []
"""The plugins that are being loaded, the innermost last."""


class PluginProblem(UsageProblem):
    """A plugin cannot be used."""


def plug(record: Measure) -> None:
    """Take in a measure that is not built in.

    Raises:
        PluginProblem: its record is incomplete, or a name of it is taken.
    """
    origin = _loading[-1] if _loading else Origin(record.compute.__module__)
    if record.kind == "comparison":
        raise PluginProblem(f"plugin {origin}: {record.name} compares runs, which plugins cannot")
    found = faults(record)
    if found:
        raise PluginProblem(f"plugin {origin}: the record of {record.name} is incomplete: {'; '.join(found)}")
    _refuse_clash(record, origin)
    pool = record.pool
    PLUGGED[record.name] = record._replace(
        compute=_checked(record, origin),
        pool=None if pool is None else _checked_pool(record, pool, origin),
        origin=origin,
        since="",
    )
    intent_aware.cache_clear()


@contextmanager
def plugging(origin: Origin) -> Iterator[None]:
    """What is registered in this context belongs to `origin`; if the context fails, none of it stays.

    What a plugin prints meanwhile goes to standard error: standard output is for data.

    Raises:
        PluginProblem: whatever the plugin raised.
    """
    before = dict(PLUGGED)
    _loading.append(origin)
    try:
        with redirect_stdout(sys.stderr):
            yield
    except BaseException as error:
        unplug(PLUGGED.keys() - before.keys())
        PLUGGED.update(before)
        if isinstance(error, PluginProblem | KeyboardInterrupt | MemoryError):
            raise
        raise PluginProblem(f"plugin {origin} cannot be loaded: {_told(error)}", hints=_place(error)) from error
    finally:
        _loading.pop()


def unplug(names: set[str]) -> None:
    """Forget measures of plugins."""
    for name in names:
        PLUGGED.pop(name, None)
    intent_aware.cache_clear()


def _refuse_clash(record: Measure, origin: Origin) -> None:
    built_in, plugged = Names(all_measures()), Names(PLUGGED)
    for name in (record.name, *record.aliases):
        own = built_in.find(name)
        if own is not None:
            raise PluginProblem(f"plugin {origin}: the name {name} is taken, it is irevalcli's own {own.target}")
        other = plugged.find(name)
        if other is not None:
            owner = PLUGGED[other.measure].origin
            raise PluginProblem(f"plugin {origin}: the name {name} is taken by {other.measure} of {owner}")


def _checked(record: Measure, origin: Origin) -> Callable[..., Floats | list[str]]:
    """The function of a measure; whatever is wrong with what it does or gives is a `PluginProblem`."""
    compute = record.compute

    @wraps(compute)
    def checked(ranking: Ranking, **parameters: Any) -> Floats | list[str]:  # noqa: ANN401
        values: Any = _run(record, origin, lambda: compute(ranking, **parameters))
        if record.kind == "text":
            return _texts(record, origin, values, ranking.num_queries)
        numbers = _numbers(record, origin, values, ranking.num_queries)
        wrong = np.flatnonzero(~np.isfinite(numbers))
        if wrong.size:
            raise PluginProblem(
                f"{_of(record, origin)} gave {numbers[wrong[0]]} for {_query(ranking, int(wrong[0]))}",
                hints=("a measure gives a finite number for every query, such as 0 where there is nothing to measure",),
            )
        if record.integer and (numbers != np.floor(numbers)).any():
            raise PluginProblem(f"{_of(record, origin)} gave numbers that are not whole; its record says integer=True")
        return numbers

    return checked


def _checked_pool(record: Measure, pool: Callable[..., float], origin: Origin) -> Callable[..., float]:
    @wraps(pool)
    def checked(ranking: Ranking, queries: Bools, **parameters: Any) -> float:  # noqa: ANN401
        value = _run(record, origin, lambda: float(pool(ranking, queries, **parameters)))
        if not np.isfinite(value):
            raise PluginProblem(f"{_of(record, origin)} gave {value} for all queries together")
        return value

    return checked


def _run(record: Measure, origin: Origin, work: Callable[[], Result]) -> Result:
    try:
        with redirect_stdout(sys.stderr):
            return work()
    except (UsageProblem, InputProblem, MissingExtra, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        raise PluginProblem(f"{_of(record, origin)} failed: {_told(error)}", hints=_place(error)) from error


def _numbers(record: Measure, origin: Origin, values: Any, num_queries: int) -> Floats:  # noqa: ANN401
    array = _run(record, origin, lambda: np.asarray(values))
    if array.dtype.kind not in "fiub" or array.shape != (num_queries,):
        raise PluginProblem(
            f"{_of(record, origin)} gave {_described(values, array)} where one number for each of the {num_queries} "
            "queries was wanted"
        )
    return array.astype(np.float64, copy=False)


def _texts(record: Measure, origin: Origin, values: Any, num_queries: int) -> list[str]:  # noqa: ANN401
    fits = isinstance(values, list) and all(isinstance(value, str) for value in values)
    if not fits or len(values) != num_queries:
        raise PluginProblem(f"{_of(record, origin)} gave no list of {num_queries} texts, one for each query")
    return list(values)


def _described(values: Any, array: np.ndarray[Any, Any]) -> str:  # noqa: ANN401
    kind = type(values).__name__
    return f"{kind} of shape {array.shape} and type {array.dtype}" if isinstance(values, np.ndarray) else kind


def _query(ranking: Ranking, index: int) -> str:
    judgments = ranking.judgments
    if isinstance(judgments, Judgments):
        return f"query {judgments.qids[index].decode('utf-8', 'backslashreplace')}"
    return "a sub-topic of a query"


def _of(record: Measure, origin: Origin) -> str:
    return f"measure {record.name} of plugin {origin}"


def _told(error: BaseException) -> str:
    """Type and message of an error in one line."""
    said = " ".join(str(error).split())
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _place(error: BaseException) -> tuple[str, ...]:
    """A hint with the innermost line of Python that the error came from; of a syntax error its message has it."""
    trace = error.__traceback__
    place: tuple[str, ...] = ()
    while trace is not None:
        code = trace.tb_frame.f_code
        place = (f"raised at {code.co_filename}:{trace.tb_lineno}, in {code.co_name}",)
        trace = trace.tb_next
    return () if isinstance(error, SyntaxError) else place
