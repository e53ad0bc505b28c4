"""The works that a page cites, at its end: on paper a link to the references leads nowhere."""

from __future__ import annotations

from docutils import nodes
from pybtex.plugin import find_plugin, register_plugin
from sphinxcontrib.bibtex.nodes import bibliography

from proofread.sphinx.shown import href


def append(app, doctree, docname):
    """List what is cited after the text, in the order of the references, and let the links lead there."""
    if docname == app.env.config.root_doc or any(True for _ in doctree.findall(bibliography)):
        return  # the first page, which is to stay small; the references themselves
    domain = app.env.get_domain("cite")
    works = {address(app, citation, docname): citation for citation in domain.citations}
    links = [link for link in doctree.findall(nodes.reference)
             if (link.get("refuri") or link.get("refid")) and href(link) in works]
    cited = {href(link) for link in links}
    for link in links:
        link["refid"] = ident(works[href(link)])
        for name in ("refuri", "reftitle"):  # what a link shows stands on the page
            link.attributes.pop(name, None)
    text = next(iter(doctree.findall(nodes.section)), None)
    if cited and text is not None:
        items = [item(citation, domain) for uri, citation in works.items() if uri in cited]
        text += nodes.container("", nodes.rubric("", "References"), *items, classes=["cited"])


def address(app, citation, docname) -> str:
    """Where the references have a work, seen from a page."""
    page = app.builder.get_relative_uri(docname, citation.bibliography_key.docname)
    return f"{page}#{citation.citation_id}"


def ident(citation) -> str:
    return f"cited-{nodes.make_id(citation.key)}"


def item(citation, domain) -> nodes.container:
    text = domain.backend.paragraph(citation.formatted_entry)
    return nodes.container("", text, ids=[ident(citation)], classes=["citation"])


def setup(app):
    for name in ("docutils", "plaintext"):  # found once, not for each citation among all that is installed
        register_plugin("pybtex.backends", name, find_plugin("pybtex.backends", name), force=True)
    app.connect("doctree-resolved", append, priority=550)  # after the references, before the cells
