"""A chapter arranged for its reader: mathematics first, code folded under what it made, statements, figures.

Everything is done with native ``<details>``, so that it folds without scripts.  A cell with the tag ``open``
stays visible.
"""

from __future__ import annotations

import re
from itertools import groupby, takewhile
from math import ceil

from docutils import nodes

from proofread.sphinx.directives import placeholder
from proofread.sphinx.folds import details, fold
from softmaxnotes.notebook import letters
from tools import chapters, folds, formulas, head, ledger

# --- Cells -----------------------------------------------------------------------------

UNANSWERED = re.compile(r"(?P<stub>.*\n)?\w+\.check\((?(stub)\w+|\.\.\.)\)\s*", re.DOTALL)


def arrange_cell(cell: nodes.container) -> list[nodes.Node]:
    """What a reader sees in place of a cell: its outputs, and its code folded where it belongs."""
    inputs, outputs = ([part for part in cell.children if part.get("nb_element") == name]
                       for name in ("cell_code_source", "cell_code_output"))
    shown = [node for output in outputs for node in output.children]
    if not inputs or cell["cell_metadata"].get("jupyter", {}).get("source_hidden"):  # it would tell an answer
        return shown
    (code,) = inputs[0].children
    if asked := UNANSWERED.fullmatch(code.astext()):  # something to do in the notebook, not on the site
        words = "Answer in the notebook, which tells right from wrong; or open the solution."
        return [*([code] if asked["stub"] else []), nodes.paragraph("", words, classes=["answer"])]
    if "open" in cell["cell_metadata"].get("tags", []):
        return open_cell(code, shown)
    if not shown:
        return [folds.code(code)]
    if code.astext().strip().splitlines()[-1:] == ["report()"]:
        return [fold("Each equation, what shows it, and how many wrong versions were rejected",
                     *shown, classes=["report"])]
    if is_kind(shown, "symbols"):
        table = nodes.container("", *shown, ids=[head.SYMBOLS])  # a link into a fold opens it
        return [fold("What the symbols mean", table, folds.code(code), classes=["declared"])]
    if is_kind(shown, "said"):
        return [fold("The relations in the sentences, and what each is", *shown, folds.code(code),
                     classes=["declared"])]
    if is_kind(shown, "erratum"):
        of = next(node["of"] for node in shown if node.get("kind") == "erratum")
        link = ledger.erratum_reference(of=of)
        words = nodes.Text("One source prints this differently: "), link, nodes.Text(".")
        return [nodes.paragraph("", "", *words, classes=["erratum"])]
    equations = [n for node in shown for n in node.findall(formulas.equation) if n.evidence()]
    if equations:
        equations[-1].evidence().insert(-1, folds.code(code))  # before the link to the ledger
        return shown
    if any(is_figure(node) for node in shown):
        return [*shown, folds.code(code, "How this figure is made")]
    if any(True for node in shown for _ in node.findall(nodes.table)):
        return [*shown, folds.code(code, "How this table is made")]
    if is_kind(shown, "exercise"):
        return [solved(shown, code)]
    if all("kind" in node for node in shown):  # a sentence that a check has written
        return [nodes.container("", *shown, folds.code(code), classes=["tested"])]
    return [folds.code(code), *shown]


def open_cell(code, shown):
    """Code that teaches, and what it prints, in one box."""
    texts = [node for node in shown if isinstance(node, nodes.literal_block)]
    return [nodes.container("", code, *texts, classes=["listing"]), *(n for n in shown if n not in texts)]


def solved(shown, code):
    """The answer of an exercise, formulas or a program, apart from what the check says of it."""
    answers = [math for node in shown for math in node.findall(nodes.math)]
    for paragraph in {math.parent: None for math in answers}:
        for text in [child for child in paragraph.children if isinstance(child, nodes.Text)]:
            if text.strip() != ",":
                paragraph.replace(text, nodes.inline("", text, classes=["verdict"]))
    kind = "formula" if answers else "program"
    return nodes.container("", *shown, folds.code(code), classes=["tested", kind])


def is_kind(shown, kind):
    return any(isinstance(node, nodes.Element) and node.get("kind") == kind for node in shown)


def is_figure(node):
    return isinstance(node, nodes.raw) and "<figure" in node.astext()


def keep_code(app, doctree):
    """What is to be folded is folded here: MyST-NB would wrap the code of cells with `hide-input`."""
    for cell in doctree.findall(nodes.container):
        cell.attributes.pop("hide_mode", None)


def arrange_cells(doctree):
    for cell in list(doctree.findall(nodes.container)):
        if cell.get("nb_element") == "cell_code":
            swap(cell, arrange_cell(cell))
    join_code(doctree)


def join_code(doctree):
    """Code of cells with nothing between them is one fold, which is copied at once."""
    alone = [node for node in doctree.findall(details) if is_code(node)]
    for parent in {id(node.parent): node.parent for node in alone}.values():
        made = []
        for folded, run in groupby(parent.children, is_code):
            run = list(run)
            made += [joined(run)] if folded and len(run) > 1 else run
        parent.clear()
        parent.extend(made)


def is_code(node):
    """Whether it is code folded by itself, not under what it made."""
    return isinstance(node, details) and node["classes"] == ["code"] and node[0].astext().startswith("Code ")


def joined(run):
    text = "\n\n".join(fold[1].astext().strip("\n") for fold in run)
    return folds.code(nodes.literal_block(text, text, **run[0][1].attributes))


def swap(node, made):
    """Replace a node, its classes and all."""
    parent, place = node.parent, node.parent.index(node)
    parent.remove(node)
    parent.insert(place, made)


# --- Statements, exercises, solutions --------------------------------------------------


def arrange_statements(app, doctree, docname):
    """Theorems and exercises get a heading in the line, solutions fold; and a chain that follows proves."""
    numbers = app.env.toc_fignumbers.get(docname, {})
    for node in list(doctree.findall(nodes.Element)):
        kind = type(node).__name__
        if kind in ("exercise_node", "exercise_enumerable_node"):
            replace(node, nodes.container(classes=["exercise"]), "Exercise", numbers.get("exercise", {}))
        elif kind == "solution_node":
            body = [part for child in node.children[1:] for part in unwrapped(child)]
            solution = fold("Solution", *body, classes=["solution"])
            solution["ids"] = node["ids"]
            swap(node, [solution])
        elif kind == "proof_node":
            announce(node)
        elif "realtype" in node:
            word = node["realtype"].title()
            box = nodes.container(classes=["statement", node["realtype"]])
            replace(node, box, word, numbers.get(node.get("countertype"), {}))
            if node.get("label") in app.env.metadata[docname]["proved"]:
                announce_proof(box)


def announce(node):
    """A proof begins with the word, in italics."""
    (box,) = node.children  # Sphinx has put the word before the text, and gives all proofs the same id
    first = next(iter(box.findall(nodes.Text)))
    rest = nodes.Text(first.astext().removeprefix("Proof."))
    first.parent.replace(first, [nodes.emphasis("", "Proof."), rest])
    swap(node, [nodes.container("", *box.children, classes=["proof"])])


def unwrapped(child):
    return child.children if isinstance(child, nodes.section) else [child]


def replace(node, box, word, numbers):
    """The node's children in a box, after a heading such as "**Theorem 1.1** (Shift invariance)"."""
    title, *children = node.children
    number = ".".join(map(str, next((numbers[i] for i in node["ids"] if i in numbers), ())))
    head = nodes.paragraph(classes=["head"])
    head += nodes.strong("", f"{word} {number}".strip())
    given = title.astext().strip()
    if given.startswith("("):
        head += [nodes.Text(" "), nodes.inline("", "", *title.children, classes=["name"])]
    box["ids"] = node["ids"] if node.get("label") else []  # proofs without a label share one
    box += [head, *(part for child in children for part in unwrapped(child))]
    swap(node, [box])


def announce_proof(box):
    """*Proof.* after a theorem that what follows it proves."""
    lead, following = nodes.emphasis("", "Proof."), box.parent.children[box.parent.index(box) + 1:]
    after = next(node for node in following if not isinstance(node, nodes.target))
    if isinstance(after, nodes.paragraph):
        after[:0] = [lead, nodes.Text(" ")]
    else:
        box.parent.insert(box.parent.index(after), nodes.paragraph("", "", lead, classes=["proof-lead"]))


def note_proofs(app, doctree):
    """Note the theorems after which, in their section, the chain comes that ends in what they state."""
    proved = app.env.metadata[app.env.docname]["proved"] = set()
    for theorem in doctree.findall(lambda node: isinstance(node, nodes.Element) and "realtype" in node):
        stated = {node["arguments"][0] for node in theorem.findall(placeholder)}
        following = theorem.parent.children[theorem.parent.index(theorem) + 1:]
        here = takewhile(lambda node: not (isinstance(node, nodes.section) or "realtype" in node), following)
        if any(block.get("label") in stated for node in here for block in node.findall(nodes.math_block)):
            proved.add(theorem.get("label"))


# --- Figures and tables -----------------------------------------------------------------


TWO_PANELS = 7  # inches that the text column holds
_CAPTION = re.compile("<figcaption>.*</figcaption>", re.DOTALL)
_LINES = re.compile(r'(?<= d=)"[^"]*"')  # Matplotlib gives each point of a path a line
_ELL = re.compile(r"font-family:KaTeX_Math,serif;font-style:italic(?=[^<>]*>ℓ<)")  # of Main, and upright
_SVG = re.compile(r'<svg [^>]*style="width: calc\(([\d.]+) \*.*?</svg>', re.DOTALL)
_SIZE = re.compile(r'<text [^>]*font-size:([\d.]+)px')
READ = 9  # pixels of the smallest label; a screen on which it would have fewer scrolls the panel


def legible(found) -> str:
    """A panel that says how wide it must be for its labels to be read."""
    sizes = [float(size) for size in _SIZE.findall(found[0])]
    if not sizes:
        return found[0]
    least = ceil(float(found[1]) * 72 * READ / min(sizes))  # 72 units to the inch
    return found[0].replace('style="', f'style="--least: {least}px; ', 1)


# What a caption tells those to do who have the knobs: a sentence, or what follows a semicolon.
_ASKED = re.compile(r"(?<=[.>] )(?:Turn|Move|Draw|Narrow|Try)\b.*?\.(?= |</figcaption>)|"
                    r"; (?:turn|try)\b[^.;]*(?=\.</figcaption>)", re.DOTALL)


def live(caption) -> str:
    """A caption in which that is marked, for paper leaves it out."""
    return _ASKED.sub(r'<span class="live">\g<0></span>', caption[0])


def number_figures(app, doctree, docname):
    """The number of a figure stands before its caption; what is wider than the text goes into the margin."""
    chapter = chapters.number(app.env, docname)
    figures = [node for node in doctree.findall(nodes.raw) if is_figure(node)]
    for number, node in enumerate(figures, 1):
        html = node.astext()
        if chapter:
            html = html.replace("<figcaption>", f"<figcaption><b>Figure {chapter}.{number}</b> ", 1)
        html = _CAPTION.sub(live, html) if 'interactive" data-module=' in html else html
        html = _LINES.sub(lambda found: " ".join(found[0].split()), html)
        html = re.sub(r"\n\s+<", "\n<", html)
        html = _ELL.sub("font-family:KaTeX_Main,serif", html)
        if sum(map(float, _SVG.findall(html))) > TWO_PANELS:
            html = html.replace('class="softmaxnotes', 'class="wide softmaxnotes', 1)
        html = _SVG.sub(legible, html)
        node.children, node.rawsource, node["classes"] = [nodes.Text(html)], html, []  # no box around it


def note_figures(app, doctree):
    """A figure can be referred to from any page, as ``[words](#fig-name)``."""
    labels = app.env.get_domain("std").anonlabels
    for node in doctree.findall(nodes.raw):
        for name in re.findall(r'<figure id="(fig-[\w-]+)"', node.astext()):
            labels[name] = app.env.docname, name


_NAME = re.compile(r'<figure id="fig-([\w-]+)".*?<b>(Figure [\d.]+)</b>', re.DOTALL)


def name_figures(doctree):
    """In the report of a chapter a figure has its number, and not the name that its cell gives it."""
    drawn = "".join(node.astext() for node in doctree.findall(nodes.raw) if is_figure(node))
    numbers = {name.capitalize(): (name, number) for name, number in _NAME.findall(drawn)}
    for report in doctree.findall(lambda node: isinstance(node, details) and "report" in node["classes"]):
        for row in report.findall(nodes.row):
            cell = row.children[0]
            if cell.astext() in numbers:
                name, number = numbers[cell.astext()]
                link = nodes.reference("", number, refid=f"fig-{name}", internal=True)
                cell.children[0].children = [link]
                link.parent = cell.children[0]


# --- Inline formulas ---------------------------------------------------------------------


def glue(doctree):
    """No comma alone on a line: a short formula and the sign after it stay together."""
    for math in list(doctree.findall(nodes.math)):
        index = math.parent.index(math)
        after = math.parent.children[index + 1] if index + 1 < len(math.parent.children) else None
        sign = re.match(r"[,.;:?!)’]+|-\w+", after) if isinstance(after, nodes.Text) else None
        if sign and letters(math.astext()) < formulas.HELD:
            parent, rest = math.parent, nodes.Text(after[sign.end():])
            kept = nodes.inline("", "", math, nodes.Text(sign[0]), classes=["nb"])
            parent.children[index:index + 2] = [kept, rest]  # remove() takes the first equal text
            kept.parent = rest.parent = parent


# --- All of it ----------------------------------------------------------------------------


def arrange(app, doctree, docname):
    formulas.arrange(app, doctree, docname)
    arrange_cells(doctree)
    arrange_statements(app, doctree, docname)
    number_figures(app, doctree, docname)
    name_figures(doctree)
    head.write(app, doctree, docname)
    glue(doctree)


def setup(app):
    app.connect("doctree-read", keep_code)
    app.connect("doctree-read", note_proofs)
    app.connect("doctree-read", note_figures)
    app.connect("doctree-resolved", arrange, priority=600)  # after the ledger's links
