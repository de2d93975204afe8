"""Judgments of standard collections: asked for by a prefix only, through a package that may be missing.

The package itself would download; a module of the same shape stands in for it.
"""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, NamedTuple

import pytest
from calls import call, put

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RUN = "1 Q0 b 1 2.5 t\n1 Q0 a 2 1.5 t\n2 Q0 c 1 9 t"


class Judgment(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    iteration: str


class Dataset:
    """A collection; that of ``broken`` cannot be had."""

    def __init__(self, name: str) -> None:
        self._name = name

    def has_qrels(self) -> bool:
        return self._name != "documents"

    def qrels_iter(self) -> Iterator[Judgment]:
        yield Judgment("1", "a", 1, "0")
        if self._name == "broken":
            raise RuntimeError("All download sources failed")
        yield Judgment("2", "c", 2, "0")


def load(name: str) -> Dataset:
    if name not in {"vaswani", "documents", "broken"}:
        raise KeyError(name)
    return Dataset(name)


@pytest.fixture
def datasets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_datasets", SimpleNamespace(load=load))


@pytest.mark.usefixtures("datasets")
def test_judgments_of_a_collection_are_read_like_a_file(tmp_path: Path) -> None:
    put(tmp_path, run=RUN)
    found = call(tmp_path, "evaluate", "-q", "-m", "RR", "irds:vaswani", "run")
    assert (found.values["1 RR"], found.values["2 RR"]) == ("0.5000", "1.0000")


@pytest.mark.usefixtures("datasets")
@pytest.mark.parametrize(
    ("name", "said"),
    [("nosuch", "knows no collection 'nosuch'"), ("documents", "has no judgments"), ("broken", "download sources")],
)
def test_what_cannot_be_had_is_said_in_a_line(tmp_path: Path, name: str, said: str) -> None:
    put(tmp_path, run=RUN)
    refused = call(tmp_path, "evaluate", f"irds:{name}", "run")
    assert (refused.code, refused.out) == (3, "")
    assert said in refused.err


def test_a_missing_package_is_named_with_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, run=RUN)
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    refused = call(tmp_path, "evaluate", "irds:vaswani", "run")
    assert (refused.code, refused.out) == (2, "")
    assert "pip install 'irevalcli[datasets]'" in refused.err


@pytest.mark.usefixtures("datasets")
def test_only_the_prefix_asks_for_a_collection(tmp_path: Path) -> None:
    put(tmp_path, run=RUN)
    assert "No such file" in call(tmp_path, "evaluate", "vaswani", "run").err
