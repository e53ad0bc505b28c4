"""Entries as nodes: sentences, formulas, tables, cards, and references to equations."""

import re

from docutils import nodes
from sphinx.util.nodes import make_refnode

from proofread.ledger import Entry

from . import entries as ledger


class label_reference(nodes.inline):
    """The number of an equation, or the ``text`` if there is one, linked.

    If it is to be the ``row``, it leads to that of the equation in the ledger.
    """


# --- References -------------------------------------------------------------------


def equation_link(builder, label: str, docname: str) -> nodes.reference | None:
    """A reference such as (1.3), or None where there is no such equation."""
    domain = builder.env.get_domain("math")
    return domain.resolve_xref(builder.env, docname, builder, "eq", label, None, None)


def href(link: nodes.reference) -> str:
    return link.get("refuri") or f"#{link['refid']}"


def anchor(label: str) -> str:
    return f"ledger-{label}"


def erratum_anchor(label: str) -> str:
    """Of the errata of an equation, the first of which has it."""
    return f"erratum-{label}"


def row_uri(app, label: str, docname: str) -> str | None:
    """The address of the row of an equation in the ledger, seen from a page; None if no page lists it."""
    chapters = [name for name, entry in ledger.of_book(app.env) if entry.label == label]
    lists = [page for page, folders in app.env.proofread["ledgers"].items()
             if chapters and listed(chapters[0], folders)]
    return f"{app.builder.get_relative_uri(docname, lists[0])}#{anchor(label)}" if lists else None


def listed(page: str, folders: list[str]) -> bool:
    """Whether a page is one of those named, or in a folder that is; if none is named, all are."""
    return not folders or any(page == name or page.startswith(f"{name}/") for name in folders)


def fill(app, tree, docname: str) -> None:
    """Put links in the places of references."""
    for node in list(tree.findall(label_reference)):
        label, text = node["label"], node.get("text")
        link = equation_link(app.builder, label, docname)
        if uri := row_uri(app, label, docname) if node.get("row") else None:
            link = nodes.reference("", link.astext() if link else label, refuri=uri, internal=True)
        elif text:
            link = _text_link(app, label, text, docname)
        node.replace_self(link or nodes.Text(text or label))


def _text_link(app, label: str, text: str, docname: str) -> nodes.reference | None:
    """A link to what has the label, whatever it is."""
    page, ident = app.env.get_domain("std").anonlabels.get(label, ("", ""))
    page, ident = app.env.get_domain("math").equations.get(label, (page,))[0], ident or f"equation-{label}"
    return make_refnode(app.builder, docname, page, ident, nodes.Text(text)) if page else None


# --- Sentences and formulas -------------------------------------------------------

_MARKED = re.compile(r"\$([^$]+)\$|`([^`]+)`|\[([^]]*)\]\(#([^)]*)\)|\*([^*]+)\*")


def inline(text: str) -> list[nodes.Node]:
    """The little Markdown of which findings and conditions are made."""
    made, end = [], 0
    for found in _MARKED.finditer(text):
        math, literal, link, label, emphasis = found.groups()
        made.append(nodes.Text(text[end:found.start()]))
        made.append(nodes.math(math, math) if math else nodes.literal("", literal) if literal
                    else nodes.emphasis("", emphasis) if emphasis
                    else label_reference(label=label, text=link))
        end = found.end()
    return [*made, nodes.Text(text[end:])]


def paragraph(*parts: str | nodes.Node, **attributes) -> nodes.paragraph:
    made = nodes.paragraph(**attributes)
    for part in parts:
        made += inline(part) if isinstance(part, str) else part
    return made


def formula(tex: str, **attributes) -> nodes.math_block:
    """An unnumbered formula that an entry vouches for."""
    return nodes.math_block(tex, tex, nowrap=False, number=None, checked=True, **attributes)


def conditions(entry: Entry) -> list[nodes.paragraph]:
    text = ", ".join(entry.conditions)
    return [paragraph(text, classes=["conditions"])] if text else []


def found(entries: list[Entry]) -> list[nodes.Node]:
    """What the checks of an equation found, and how many wrong versions they rejected."""
    sentences = [text[:1].upper() + text[1:] + "." * (text[-1:] != "…")
                 for entry in entries for text in entry.findings]
    if any(entry.kind in ("agreement", "enumeration") for entry in entries):  # their errors are told in u
        sentences.append(ROUNDOFF)
    if rejected := ledger.rejected(entries):
        how = ", ".join(f"{number} {by}" for by, number in rejected.items())
        sentences.append(f"Wrong versions of it that were rejected: {how}.")
    items = [nodes.list_item("", paragraph(text)) for text in sentences]
    return [nodes.bullet_list("", *items)] if items else []


ROUNDOFF = "Here u is the unit roundoff of double precision, $2^{-53}$."


# --- Tables and cards -------------------------------------------------------------


def table(head: list[str], rows: list[list], classes=()) -> nodes.table:
    group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in head), cols=len(head))
    group += nodes.thead("", _row(head))
    group += nodes.tbody("", *map(_row, rows))
    return nodes.table("", group, classes=list(classes))


def _row(cells: list) -> nodes.row:
    texts = (cell if isinstance(cell, nodes.Node) else str(cell) for cell in cells)
    return nodes.row("", *(nodes.entry("", paragraph(text)) for text in texts))


def card(env, entry: Entry) -> nodes.container:
    """A row of the ledger: the equation, or what else was checked, how, and on what it rests."""
    label = entry.label
    made = nodes.container(classes=["ledger-entry"], ids=[anchor(label)] if label else [])
    number = label_reference(label=label) if label else nodes.Text("")
    status = nodes.inline("", ledger.word(env, entry), classes=["status"])
    made += paragraph(number, " ", entry.title, " ", status, classes=["ledger-title"])
    if entry.tex and not label:  # an equation is shown by its number, and is one step away
        made += [formula(entry.tex), *conditions(entry)]
    made += found(ledger.of_equation(env, label) if label else [entry])
    known = {other.label for _, other in ledger.of_book(env)}
    if below := [other for other in entry.rests_on if other in known]:
        argued = set(ledger.argued_below(env, label))
        made += paragraph("Rests on ", *(
            part for other in below for part in (label_reference(label=other, row=True),
                                                 nodes.Text(" (argued) " if other in argued else " "))))
    return made


def errata(env, found: list[tuple[Entry, str]]) -> list[nodes.container]:
    """Notes, each with the title of its page; links to those of an equation lead to the first of them."""
    made = [erratum(env, entry, where) for entry, where in found]
    first = {entry.of: note for (entry, _), note in reversed(list(zip(found, made)))}
    for of, note in first.items():
        note["ids"] = [erratum_anchor(of)]
    return made


def erratum(env, entry: Entry, where: str) -> nodes.container:
    """What a source prints, what is right, and what refutes it; ``where`` says which page has it."""
    told = {"says": "prints", "conclusion": False, "instead": "", **entry.erratum}
    made = nodes.container(classes=["ledger-entry", "erratum"])
    made += paragraph(f"{told['source']} — *{where}*", classes=["ledger-title"])
    made += paragraph("Printed:" if told["says"] == "prints" else f"The source {told['says']}")
    made += formula(told["printed"], refuted=True)
    if label := told["correct_label"]:
        right = label_reference(label=label)
        made += (paragraph("Right is what ", right, " shows:") if told["conclusion"]
                 else paragraph("Instead these pages have ", right, ":"))
        made += [formula(e.tex) for e in ledger.of_equation(env, label)[:1] if e.tex]
    words = (told[what] for what in ("instead", "witness", "consequence"))
    made += [paragraph(text) for text in words if text]
    return made


def symbols(env, pages: list[str], title) -> nodes.table | None:
    """Symbols, declared or defined; pages that give one the same meaning share its row.

    ``title`` gives that of a page.
    """
    declared, defined = {}, []
    for page in pages:
        for entry in ledger.of_page(env, page):
            for tex, meaning in entry.symbols.items():
                if entry.label:
                    defined.append([nodes.math(tex, tex), meaning, label_reference(label=entry.label)])
                else:
                    declared.setdefault((tex, meaning), []).append(page)
    rows = [[nodes.math(tex, tex), meaning, ", ".join(map(title, found))]
            for (tex, meaning), found in declared.items()]
    return table(["symbol", "meaning", "where"], rows + defined) if rows + defined else None
