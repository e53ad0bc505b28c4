"""How to cite the book and its chapters, from ``CITATION.cff``: for readers, BibTeX and search engines."""

from __future__ import annotations

from functools import cache

import yaml
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from tools import chapters, settings

CFF = settings.ROOT / "CITATION.cff"
LICENCES = {"CC-BY-4.0": ("CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"),
            "MIT": ("MIT", "https://opensource.org/license/mit")}


def told() -> dict:
    """What the file says, with the names of the authors and the year of the release."""
    return _told(CFF.read_text("utf8"))


@cache
def _told(text: str) -> dict:
    told = yaml.safe_load(text)
    names = [author.get("name") or f"{author['family-names']}, {author['given-names']}"
             for author in told["authors"]]
    return {**told, "names": names, "year": str(told["date-released"])[:4]}


def book(config) -> str:
    """The book as an entry for BibTeX."""
    facts = told()
    address = config.html_baseurl or config.softmaxnotes_repository
    return bibtex("misc", "softmaxnotes", {"title": facts["title"], **_common(facts), "url": address})


def chapter(app, docname: str) -> str:
    """A chapter of it."""
    facts, base = told(), app.config.html_baseurl.rstrip("/")
    fields = {"title": app.env.titles[docname].astext(), "booktitle": facts["title"],
              "chapter": chapters.number(app.env, docname), **_common(facts),
              "url": base and f"{base}/{docname}.html"}
    return bibtex("incollection", f"softmaxnotes:{docname.rpartition('/')[2]}", fields)


def _common(facts):
    return {"author": " and ".join(facts["names"]), "year": facts["year"], "version": facts["version"]}


def bibtex(kind: str, key: str, fields: dict[str, str]) -> str:
    """An entry, without the fields that are empty."""
    body = "".join(f",\n  {name:9} = {{{value}}}" for name, value in fields.items() if value)
    return f"@{kind}{{{key}{body}\n}}"


def metadata(app, docname: str, address: str, changed: str | None) -> dict:
    """A page as search engines read it, https://schema.org, with the day of its last change."""
    facts = told()
    book = {"@type": "Book", "name": facts["title"], "version": facts["version"],
            "datePublished": str(facts["date-released"])}
    page = {"@context": "https://schema.org", "@type": "Chapter", "name": app.env.titles[docname].astext(),
            "description": chapters.front(docname).description, "isPartOf": book,
            "author": [{"@type": "Organization", "name": name} for name in facts["names"]],
            "dateModified": changed, "license": LICENCES["CC-BY-4.0"][1], "url": address}
    return {name: value for name, value in page.items() if value}


class Citation(SphinxDirective):
    """``{citation}``: how to cite the book."""

    def run(self):
        self.env.note_dependency(str(CFF))
        facts, text = told(), book(self.config)
        names = " and ".join(facts["names"])
        sentence = f"{names} ({facts['year']}). {facts['title']}. Version {facts['version']}."
        return [nodes.paragraph("", sentence), nodes.literal_block(text, text, language="text")]


def setup(app):
    app.add_directive("citation", Citation)
