"""The page on the configuration file is true."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from calls import call

from irevalcli.config.configuration import load_configuration
from irevalcli.config.gate_suites import suites_of
from irevalcli.config.keys import TABLES

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs"))

from key_tables import with_key_tables  # noqa: E402  (a script beside the pages, in no package)

PAGE = (ROOT / "docs" / "config.md").read_text(encoding="utf-8")


def test_the_tables_of_keys_are_the_generated_ones_and_hold_every_key() -> None:
    assert with_key_tables(PAGE) == PAGE, "python docs/generate.py"
    for table in TABLES.values():
        for key in table.keys:
            assert f"\n| `{key.name}` | " in PAGE or f"[{key.name}" in PAGE


@pytest.mark.parametrize("name", ["irevalcli.toml", "pyproject.toml"])
def test_the_example_of_the_page_is_a_configuration(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (example,) = re.findall(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    if name == "pyproject.toml":
        example = "[tool.irevalcli]\n" + re.sub(r"^(\[+)(?=check)", r"\1tool.irevalcli.", example, flags=re.MULTILINE)
    (tmp_path / name).write_text(example, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    (suite,) = suites_of(load_configuration())
    assert suite[1:5] == ("eval/dl20.qrels", "eval/baseline.json", ("out/new.run",), ("nDCG@10", "AP(rel=2)"))
    assert [(rule.kind, rule.limit) for rule in suite.rules] == [("bound", 0.8), ("max-drop", 0.02)]


def test_the_configuration_is_shown_in_any_encoding_of_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "irevalcli.toml").write_text('sort = "value:é"', encoding="utf-8")
    result = call(tmp_path, "evaluate", "--show-config", env={"PYTHONIOENCODING": "ascii"})
    assert re.search(r"^--sort +value:é +irevalcli\.toml:1$", result.out, re.MULTILINE)
