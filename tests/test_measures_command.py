"""``irevalcli measures``: by family, searched, in full, as JSON, Markdown and BibTeX."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from calls import Call, call

from irevalcli.measures.families import all_measures, families
from irevalcli.measures.presets import PRESETS, Preset
from irevalcli.measures.search import search

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def names(done: Call) -> list[str]:
    """The names in a list, without heads and headings."""
    rows = [line for line in done.out.splitlines()[1:] if line and not line.endswith(")")]
    return [row.split(" ")[0].split("@")[0].removesuffix("[") for row in rows]


def test_all_measures_are_listed_below_the_headings_of_their_families(folder: Path) -> None:
    done = call(folder, "measures")
    assert (done.code, done.err) == (0, "One in full: irevalcli measures NAME\n")
    assert names(done) == [record.name for family in families() for record in family.measures]
    headings = [line for line in done.out.splitlines() if line.endswith(")")]
    assert headings == [f"{family.title} ({family.name})" for family in families()]


def test_every_measure_is_in_one_family_and_every_family_has_a_title_of_its_own() -> None:
    members = [record.name for family in families() for record in family.measures]
    assert sorted(members) == sorted(all_measures())
    titles = [family.title for family in families()]
    assert len(set(titles)) == len(titles)
    assert all(title[0].isupper() for title in titles)


def test_a_family_is_chosen_by_its_name(folder: Path) -> None:
    assert names(call(folder, "measures", "--family", "Preferences"))[0] == "prefs_num_prefs_poss"
    both = call(folder, "measures", "--family", "rbp", "--family", "gap", "--family", "rbp", "-f", "json")
    assert [(entry["name"], entry["family"]) for entry in json.loads(both.out)["measures"]] == [
        ("RBP", "rbp"), ("RBPResid", "rbp"), ("GAP", "gap"),
    ]  # fmt: skip


def test_an_unknown_family_is_refused_with_the_known_ones(folder: Path) -> None:
    done = call(folder, "measures", "--family", "diverity")
    assert done.code == 2
    assert "unknown family 'diverity'; did you mean diversity?" in done.err
    assert "families: binary, " in done.err
    assert "unknown family" in call(folder, "measures", "--family", "zzzzzz").err
    assert call(folder, "measures", "AP", "--family", "binary").code == 2


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("nDCG", "nDCG"),
        ("ndcg", "nDCG"),
        ("recip_rank", "RR"),
        ("reciprocal rank", "RR"),
        ("MRR", "RR"),
        ("average precision", "AP"),
        ("err", "ERR"),
        ("hit_rate", "Success"),
    ],
)
def test_the_best_match_of_a_search_comes_first(folder: Path, text: str, first: str) -> None:
    assert names(call(folder, "measures", "--search", text))[0] == first


def test_all_words_of_a_search_must_occur() -> None:
    found = [record.name for record in search("sub-topic reciprocal", all_measures().values())]
    assert "ERR_IA" in found
    assert "RR" not in found


def test_a_search_in_a_family_and_among_names(folder: Path) -> None:
    assert names(call(folder, "measures", "--family", "cascade", "--search", "rank")) == ["ERR", "nERR", "iRBU"]
    assert names(call(folder, "measures", "ERR", "AP", "--search", "reciprocal")) == ["ERR"]


def test_a_search_that_finds_nothing_says_so(folder: Path) -> None:
    said = "note:    no measure has 'xyzzy' in its names, title or summary\n"
    assert call(folder, "measures", "--search", "xyzzy") == (0, "", said)
    assert json.loads(call(folder, "measures", "--search", "xyzzy", "-f", "json").out)["measures"] == []


def test_a_blank_search_finds_everything() -> None:
    assert len(search(" ", all_measures().values())) == len(all_measures())


def test_bibtex_has_what_was_used(folder: Path) -> None:
    done = call(folder, "measures", "nDCG@10", "ndcg_cut_5", "map", "--format", "bibtex")
    assert (done.code, done.err) == (0, "")
    assert [line for line in done.out.splitlines() if line.startswith("@")] == [
        "@article{jarvelin2002,", "@inproceedings{burges2005,", "@incollection{buckley2005,",
    ]  # fmt: skip
    assert "% nDCG\n@article" in done.out


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.written)
def test_a_preset_is_shown_with_the_record_of_its_measure(folder: Path, preset: Preset) -> None:
    shown = call(folder, "measures", preset.measure).out
    assert f"{preset.written} is {preset.target}: {preset.prints} of {preset.tool}" in shown
    (record,) = json.loads(call(folder, "measures", preset.measure, "-f", "json").out)["measures"]
    assert preset._asdict() in record["presets"]
    assert f"- Preset: {preset.written} is " in call(folder, "measures", preset.measure, "-f", "markdown").out


def test_json_has_the_references_in_parts(folder: Path) -> None:
    (record,) = json.loads(call(folder, "measures", "SetAP", "-f", "json").out)["measures"]
    assert record["reference"] == "trec_eval (set_map)"
    assert record["references"][0]["key"] == "trec_eval"
    assert record["plugin"] is None
