"""The literature of the records: papers, books, reports and programs, each under a key, as text and as BibTeX.

A record cites by key, with a remark in brackets if it likes: ``moffat2008``, ``trec_eval (set_map)``. What begins with
no key stands for itself, so that the record of a plugin may cite in free text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from irevalcli.measures.registry import Measure

_AND = " and "
_JOURNALS = {
    "TOIS": "ACM Transactions on Information Systems",
    "IP&M": "Information Processing & Management",
    "PNAS": "Proceedings of the National Academy of Sciences",
}


class Reference(NamedTuple):
    """Where a measure was defined.

    Attributes:
        key: names it in records and in BibTeX.
        kind: the type of the BibTeX entry.
        authors: ``Family, Given``, separated by ``and``; a name without a comma is that of an organisation.
        title: as published.
        where: a conference or journal by its usual short name, a book, or the address of a program.
        year: of publication, or "".
        issue: volume of a journal, and number in brackets if there is one.
        publisher: of a book.
        edition: of a book.
    """

    key: str
    kind: str
    authors: str
    title: str
    where: str = ""
    year: str = ""
    issue: str = ""
    publisher: str = ""
    edition: str = ""

    @property
    def text(self) -> str:
        """One line: ``Moffat and Zobel, Rank-biased precision for …, TOIS 27(1), 2008``; of a program its name."""
        if self.kind == "misc":
            return self.title
        families = [author.partition(",")[0] for author in self.authors.split(_AND)]
        names = _AND.join(filter(None, (", ".join(families[:-1]), families[-1])))
        edition = f"{self.edition} edition" if self.edition else ""
        if self.issue:
            place = f"{self.where} {self.issue}, {self.year}"
        elif self.publisher:
            book = f"in: {self.where}, " if self.where else ""
            place = f"{book}{self.publisher} {self.year}"
        else:
            place = f"{self.where} {self.year}"
        return ", ".join(filter(None, (names, self.title, edition, place)))

    @property
    def bibtex(self) -> str:
        """The entry of a BibTeX file. The title stands in two pairs of braces, so that styles leave its capitals."""
        volume, _, number = self.issue.rstrip(")").partition("(")
        journal = self.kind == "article"
        fields = {
            "author": self.authors,
            "title": f"{{{self.title}}}",
            "journal": _JOURNALS.get(self.where, self.where) if journal else "",
            "booktitle": self._booktitle,
            "howpublished": self.where if self.kind == "misc" else "",
            "volume": volume,
            "number": number,
            "edition": self.edition,
            "publisher": self.publisher,
            "year": self.year,
        }
        return _entry(self.kind, self.key, fields)

    @property
    def _booktitle(self) -> str:
        if self.kind == "inproceedings":
            return f"Proceedings of {self.where} {self.year}"
        return self.where if self.kind == "incollection" else ""


def cited(record: Measure) -> str:
    """The references of a record as one line."""
    return "; ".join(cited_text(reference) for reference in record.references)


def cited_text(reference: str) -> str:
    """One of the references of a record in words."""
    found = known(reference)
    return reference if found is None else found.text + reference[len(found.key) :]


def known(reference: str) -> Reference | None:
    """What the key means with which one of a record's references begins; None if it begins with none."""
    return _by_key().get(reference.partition(" (")[0])


def bibtex_entries(records: Iterable[Measure]) -> Iterator[str]:
    """An entry for everything that the records cite, each once, with a line above that says by which measures.

    References in free text are entries of the kind ``misc`` with the text as a note.
    """
    citing: dict[str, list[str]] = {}
    for record in records:
        for reference in record.references:
            found = known(reference)
            free = _entry("misc", f"irevalcli-{record.name}", {"note": reference})
            citing.setdefault(free if found is None else found.bibtex, []).append(record.name)
    for entry, names in citing.items():
        yield f"% {', '.join(dict.fromkeys(names))}\n{entry}"


def _entry(kind: str, key: str, fields: dict[str, str]) -> str:
    lines = [f"  {name} = {{{_escaped(value)}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])


def _escaped(value: str) -> str:
    for sign in "&%#_$":
        value = value.replace(sign, "\\" + sign)
    return value


def _by_key() -> dict[str, Reference]:
    # The table stands in a module of its own, and nothing but this needs it: not the drop-in either.
    from irevalcli.measures.literature import LITERATURE  # noqa: PLC0415

    return LITERATURE
