"""The page on CI does what it says: its pipelines are those that are shipped, its formats those that there are."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from irevalcli.output.gate_formats import FORMATS

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
BLOCKS = [yaml.safe_load(text) for text in re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


def test_the_page_shows_the_job_for_gitlab_that_is_shipped() -> None:
    assert f"```yaml\n{(ROOT / 'docs' / 'gitlab-ci.yml').read_text(encoding='utf-8')}```" in PAGE


def test_what_the_page_gives_to_the_action_are_inputs_of_it() -> None:
    (workflow,) = (block for block in BLOCKS if "jobs" in block)
    (job,) = workflow["jobs"].values()
    assert [set(step) for step in job["steps"]] == [{"uses"}, {"run"}, {"uses"}]
    (step,) = next(block for block in BLOCKS if isinstance(block, list))
    assert set(step["with"]) <= set(ACTION["inputs"])
    assert all(f"`{name}`" in PAGE or name in step["with"] for name in ACTION["inputs"])
    assert all(f"`{name}`" in PAGE for name in ACTION["outputs"])


def test_the_hooks_of_the_page_are_those_that_are_shipped() -> None:
    (block,) = (block for block in BLOCKS if "repos" in block)
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert [entry["id"] for entry in block["repos"][0]["hooks"]] == [hook["id"] for hook in hooks]


def test_every_format_of_the_gate_is_on_the_page_with_its_ending() -> None:
    for name, record in FORMATS.items():
        assert f"| `{name}` | {f'`{record.suffix}` ' if record.suffix else ''}| " in PAGE
