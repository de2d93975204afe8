"""References: every record's resolve, and come out as text and as BibTeX."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from irevalcli.measures.families import all_measures
from irevalcli.measures.literature import LITERATURE
from irevalcli.measures.references import Reference, bibtex_entries, cited, cited_text, known

if TYPE_CHECKING:
    from irevalcli.measures.registry import Measure

BIBTEX = r"""% P, R
@book{rijsbergen1979,
  author = {van Rijsbergen, C. J.},
  title = {{Information Retrieval}},
  edition = {2nd},
  publisher = {Butterworths},
  year = {1979},
}
% SetAP
@misc{trec_eval,
  author = {{NIST}},
  title = {{trec\_eval}},
  howpublished = {https://github.com/usnistgov/trec\_eval},
}
% RBP
@article{moffat2008,
  author = {Moffat, Alistair and Zobel, Justin},
  title = {{Rank-biased precision for measurement of retrieval effectiveness}},
  journal = {ACM Transactions on Information Systems},
  volume = {27},
  number = {1},
  year = {2008},
}
"""
RECORDS = list(all_measures().values())


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_every_reference_of_a_record_has_a_key(record: Measure) -> None:
    assert [reference for reference in record.references if known(reference) is None] == []
    assert len(set(record.references)) == len(record.references)


def test_nothing_is_in_the_table_that_no_record_cites() -> None:
    cited_keys = {found.key for record in RECORDS for found in map(known, record.references) if found}
    assert set(LITERATURE) - cited_keys == set()


@pytest.mark.parametrize("reference", LITERATURE.values(), ids=LITERATURE)
def test_a_reference_has_what_its_kind_needs(reference: Reference) -> None:
    assert reference.key in LITERATURE
    assert reference.title
    assert reference.authors
    if reference.kind == "misc":
        return
    assert re.fullmatch(r"(19|20)\d\d", reference.year)
    assert all(", " in author for author in reference.authors.split(" and "))
    assert {
        "article": bool(reference.issue and reference.where),
        "inproceedings": bool(reference.where),
        "incollection": bool(reference.publisher and reference.where),
        "book": bool(reference.publisher),
    }[reference.kind]
    if re.search(r"\d{4}$", reference.key):
        assert reference.key.endswith(reference.year)


def test_keys_are_in_order() -> None:
    assert list(LITERATURE) == sorted(LITERATURE)


def test_text_of_an_article_a_paper_a_book_a_chapter_and_a_program() -> None:
    texts = [
        cited_text(key)
        for key in ("moffat2008", "voorhees1999", "rijsbergen1979 (chapter 7)", "buckley2005", "trec_eval (set_map)")
    ]
    assert texts == [
        "Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 27(1), 2008",
        "Voorhees, The TREC-8 Question Answering Track Report, TREC-8, 1999",
        "van Rijsbergen, Information Retrieval, 2nd edition, Butterworths 1979 (chapter 7)",
        f"Buckley and Voorhees, Retrieval System Evaluation, in: {LITERATURE['buckley2005'].where}, MIT Press 2005",
        "trec_eval (set_map)",
    ]
    assert cited_text("clarke2009").startswith("Clarke, Kolla and Vechtomova, ")


def test_bibtex_has_every_reference_once_with_the_measures_that_cite_it() -> None:
    measures = all_measures()
    entries = bibtex_entries([measures["P"], measures["R"], measures["SetAP"], measures["RBP"]])
    assert "\n".join(entries) + "\n" == BIBTEX


def test_every_entry_is_well_formed_bibtex() -> None:
    for entry in bibtex_entries(RECORDS):
        _, _, body = entry.partition("\n")
        assert re.fullmatch(r"@[a-z]+\{[\w-]+,\n(  [a-z]+ = \{.+\},\n)+\}", body), entry
        assert body.count("{") == body.count("}")
        assert not re.search(r"(?<!\\)[&%#_$]", body.partition("\n")[2])


def test_free_text_is_cited_as_it_stands_and_becomes_an_entry_of_its_own() -> None:
    record = all_measures()["P"]._replace(name="Foo", references=("Somebody, Paper & more, 2025",))
    assert cited(record) == "Somebody, Paper & more, 2025"
    assert list(bibtex_entries([record])) == [
        "% Foo\n@misc{irevalcli-Foo,\n  note = {Somebody, Paper \\& more, 2025},\n}"
    ]
