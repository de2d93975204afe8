"""What is imported, by whom and when; and what the source files may hold."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest
from drop_in import ROOT, environment

import irevalcli

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PACKAGE = ROOT / "irevalcli"
SOURCES = sorted(PACKAGE.rglob("*.py"))
NAMES = [str(path.relative_to(PACKAGE)) for path in SOURCES]

# A process that writes the names of its modules when it ends, which may be through os._exit.
SPY = """
import os, sys
names, leave = sys.argv[1], os._exit
def spy(code):
    with open(names, "w") as file:
        file.write(" ".join(sys.modules))
    leave(code)
os._exit = spy
sys.argv[:2] = ["irevalcli"]
from irevalcli.__main__ import main
try:
    main()
except SystemExit as end:
    spy(end.code or 0)
"""


def imported(folder: Path, *argv: str) -> set[str]:
    """The top-level modules that a command has imported when it ends."""
    names = folder / "modules"
    command = [sys.executable, "-c", SPY, str(names), *argv]
    ended = subprocess.run(command, capture_output=True, cwd=folder, env=environment(), check=False)
    assert b"Traceback" not in ended.stderr
    return {name.partition(".")[0] for name in names.read_text(encoding="utf-8").split()}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with small files ``qrels`` and ``run``."""
    (tmp_path / "qrels").write_bytes(b"q 0 d 1\nq 0 e 0\n")
    (tmp_path / "run").write_bytes(b"q Q0 d 1 2 t\nq Q0 e 2 1 t\n")
    return tmp_path


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_need_click_only(option: str, files: Path) -> None:
    modules = imported(files, option)
    assert "click" in modules
    assert modules.isdisjoint({"numpy", "rich", "scipy"})


@pytest.mark.parametrize("argv", [["-v"], ["-X"], ["qrels"], []])
def test_the_drop_in_answers_without_numpy_where_it_reads_no_file(argv: list[str], files: Path) -> None:
    assert imported(files, "trec", *argv).isdisjoint({"numpy", "click", "rich", "scipy"})


@pytest.mark.parametrize(
    "argv", [[], ["-q", "-m", "all_trec"], ["-c", "-M", "1", "-J", "-l", "2"], ["--compat", "9.0.8"]]
)
def test_the_drop_in_starts_without_whatever_it_does_not_need(argv: list[str], files: Path) -> None:
    modules = imported(files, "trec", *argv, "qrels", "run")
    assert "numpy" in modules
    slow = {"click", "rich", "scipy", "dataclasses", "logging", "argparse", "tempfile", "concurrent", "gzip", "hashlib"}
    assert modules.isdisjoint(slow)


def test_an_evaluation_into_a_pipe_needs_neither_scipy_nor_rich(files: Path) -> None:
    assert imported(files, "evaluate", "qrels", "run").isdisjoint({"scipy", "rich"})


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_a_module_is_short_enough_to_be_about_one_thing(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < 400


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_a_module_checks_input_without_assert_and_leaves_exiting_to_the_command_line(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Assert)]
    if path.parent.name != "cli" and path.name != "__main__.py":
        names = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        assert names.isdisjoint({"sys.exit", "os._exit", "exit", "quit", "print"})


def layers() -> list[set[str]]:
    """The layers of the package from the highest to the lowest, as the project's settings have them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = [entry for entry in settings["tool"]["importlinter"]["contracts"] if entry["type"] == "layers"]
    return [{name.strip() for name in layer.split("|")} for layer in contract["layers"]]


def imports_of(path: Path) -> Iterator[str]:
    """Every module that a source file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)


def layer_of(module: str) -> tuple[int, str] | None:
    """Number from the top and name of the layer that a module belongs to."""
    for number, names in enumerate(layers()):
        for name in names:
            if f"{module}.".startswith(f"{name}."):
                return number, name
    return None


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_imports_point_down(path: Path) -> None:
    here = layer_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
    for module in imports_of(path):
        there = layer_of(module)
        if here is not None and there is not None and here != there:
            assert here[0] < there[0], f"{path.name} imports {module}"


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_only_the_command_line_and_output_know_the_terminal(path: Path) -> None:
    if path.parent.name not in ("cli", "output"):
        assert {module.partition(".")[0] for module in imports_of(path)}.isdisjoint({"click", "rich"})


def test_every_public_name_is_there_and_sorted() -> None:
    public = getattr(irevalcli, "__all__", ["__version__"])
    assert public
    assert all(getattr(irevalcli, name) is not None for name in public)
    assert len(set(public)) == len(public)
