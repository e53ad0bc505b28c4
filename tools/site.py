"""The site around the pages: markup, the one style sheet, contents, search, what other sites are told.

The theme is ``tools/theme``: a layout, a style sheet, a script, and the faces that it is set in.
"""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode, b85encode
from collections import Counter
from datetime import date
from html import escape
from pathlib import Path
from zlib import compress, crc32

from docutils import nodes
from sphinx import addnodes
from sphinx.errors import ConfigError
from sphinx.search.en import js_porter_stemmer
from sphinx.writers.html5 import HTML5Translator

from tools import chapters, citation, formulas, head, ledger, report, settings

THEME = Path(__file__).parent / "theme"
FONTS = THEME / "fonts"
GITHUB = "https://github.com/"
KATEX = settings.ROOT / "book/_assets/katex"


# --- The style sheet -----------------------------------------------------------------

# family in the style sheet, descriptors; KaTeX's own families are read off its sheet
TEXTS = {"text": ("Text", "font-weight:400 650"), "text-italic": ("Text", "font-style:italic"),
         "code": ("Code", "")}


def style_sheet(texts: dict[str, tuple[str, str]] = TEXTS) -> str:
    """One sheet for everything, with the faces in it: they are there at the first paint, also from a disk."""
    own = (THEME / "book.css").read_text("utf8")
    own = re.sub(r"/\*.*?\*/|(?<=[{;}])\s+", "", own, flags=re.DOTALL)
    return faces(texts) + katex_rules() + own


def faces(texts: dict[str, tuple[str, str]]) -> str:
    """The cut faces as data; of KaTeX's the whole ones as well, if they have glyphs that were cut away."""
    notes = json.loads((FONTS / "fonts.json").read_text("utf8"))
    kept = notes["kept"]
    rules = [face(family, how, data(name)) for name, (family, how) in texts.items()]
    sheet = (KATEX / "katex.min.css").read_text("utf8")
    for rule in re.findall(r"@font-face\{([^}]*)\}", sheet):
        family, style, weight = (re.search(rf"font-{what}:\"?(\w+)", rule)[1]
                                 for what in ("family", "style", "weight"))
        name = re.search(r"fonts/([\w-]+)\.woff2", rule)[1]
        how = f"font-style:{style};font-weight:{weight}"
        if len(kept.get(name, ())) < notes["whole"][name]:
            rules.append(face(family, how, f"url(katex/fonts/{name}.woff2)"))
        if name in kept:
            rules.append(face(family, f"{how};unicode-range:{ranges(kept[name])}", data(name)))
    return "".join(rules)


def data(name: str) -> str:
    return f"url(data:font/woff2;base64,{b64encode((FONTS / f'{name}.woff2').read_bytes()).decode()})"


def face(family: str, how: str, source: str) -> str:
    return f'@font-face{{font-family:"{family}";{how};src:{source} format("woff2")}}\n'


def ranges(codes: list[int]) -> str:
    """Sorted characters as CSS writes them: ``U+20-7E,U+A0``."""
    runs: list[list[int]] = []
    for code in codes:
        if runs and runs[-1][1] == code - 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return ",".join(f"U+{a:X}-{b:X}" if a < b else f"U+{a:X}" for a, b in runs)


def katex_rules() -> str:
    """KaTeX's sheet without its faces, and without larger type, which no formula of the book may use."""
    sheet = (KATEX / "katex.min.css").read_text("utf8")
    rules = re.findall(r"[^{}]+\{[^}]*\}", re.sub(r"@font-face\{[^}]*\}", "", sheet))
    kept = []
    for selectors, body in (rule.split("{") for rule in rules):
        names = [name for name in selectors.split(",") if not formulas.LARGE.search(name)]
        kept += [f"{','.join(names)}{{{body}"] if names else []
    return "".join(kept) + "\n"


# --- Markup --------------------------------------------------------------------------

# The colours of code are three: words of the language, text, remarks.
COLOURS = {"k": "k", "ow": "k", "s": "s", "c": "c", "gp": "c", "go": "c", "gt": "c"}


def lighten(html: str) -> str:
    """Highlighted code without the spans that have no colour."""
    def span(found):
        name = next((colour for kind, colour in COLOURS.items() if found[1].startswith(kind)), None)
        return f'<span class="{name}">{found[2]}</span>' if name else found[2]

    html = re.sub(r'<span class="([\w -]+)">([^<]*)</span>', span, html.replace("<span></span>", ""))
    return re.sub(r'</span>(\s*)<span class="(\w)">', lambda f: f[0], html)


# A letter and its hyphen do not stand alone at the end of a line: p-value, k-means.
_LETTER = re.compile(r"(?<![\w&-])[^\W\d_]-\w+")


def unbroken(html: str) -> str:
    return _LETTER.sub(r'<span class="nb">\g<0></span>', html)


class Translator(HTML5Translator):
    """Plainer than Sphinx's: what the style sheet does not name is not written."""

    def visit_Text(self, node):
        super().visit_Text(node)
        self.body[-1] = unbroken(self.body[-1])

    def visit_literal_block(self, node):
        language = node.get("language", self.config.highlight_language)
        if "text_plain" in node["classes"] or "stream" in node["classes"] or node.rawsource != node.astext():
            language = "text" if "output" in node["classes"] else language
        options = self.config.highlight_options.get(language, {})
        html = self.highlighter.highlight_block(node.astext(), language, opts=options, location=node)
        text = re.search(r"<pre>(.*)</pre>", html, re.DOTALL)[1].strip("\n")
        kind = "output" if "output" in node["classes"] else "code"
        self.body.append(f'<div class="{kind}"><pre>{lighten(text)}</pre></div>\n')
        raise nodes.SkipNode

    def visit_doctest_block(self, node):
        node["language"] = "pycon3"
        self.visit_literal_block(node)

    def visit_literal(self, node):
        ids = "".join(f' id="{ident}"' for ident in node["ids"])
        self.body.append(f"<code{ids}>{escape(node.astext())}</code>")
        raise nodes.SkipNode

    def visit_label(self, node):
        if isinstance(node.parent, nodes.citation):
            raise nodes.SkipNode  # its text names author and year, by which the list is sorted
        super().visit_label(node)

    def visit_table(self, node):
        self.body.append('<div class="scroll">')
        super().visit_table(node)

    def depart_table(self, node):
        super().depart_table(node)
        self.body.append("</div>\n")

    def visit_tgroup(self, node):
        """Where the first column has no heading, it holds the headings of the rows."""
        head, *names = [row.children[0].astext().strip() for row in node.findall(nodes.row)]
        if not head and all(names):
            next(iter(node.findall(nodes.colspec)))["stub"] = 1
        super().visit_tgroup(node)

    def visit_entry(self, node):
        head, group = isinstance(node.parent.parent, nodes.thead), node.parent.parent.parent
        if head and not node.astext().strip():
            node.parent.column += 1
            self.body.append("<td>")
            self.context.append("</td>\n")
        else:
            super().visit_entry(node)
        if head and "benchmark" in group.parent["classes"]:
            # rows that come later make no column wider
            column = node.parent.index(node)
            _, *rows = group.findall(nodes.row)
            longest = max((row[column].astext() for row in rows), key=len)
            self.body.append(f'<span class="longest" data-cell="{escape(longest)}"></span>')

    def visit_thead(self, node):
        if not node.astext().strip():
            raise nodes.SkipNode
        super().visit_thead(node)

    def add_permalink_ref(self, node, title):
        if node["ids"] and self.config.html_permalinks:
            self.body.append(f'<a class="anchor" href="#{node["ids"][0]}" aria-label="{title}">§</a>')


# --- The frame of a page -------------------------------------------------------------


def frame(app, pagename, templatename, context, doctree):
    """What the layout is told."""
    env, base = app.env, app.config.html_baseurl.rstrip("/")
    repository = app.config.softmaxnotes_repository.rstrip("/")
    source = f"{pagename}.md" if (settings.ROOT / f"{pagename}.md").exists() else None
    told = chapters.front(pagename) if source else chapters.Front()
    address = f"{base}/{pagename}.html" if base else ""
    is_chapter = bool(env.proofread["entries"].get(pagename))
    day = env.softmaxnotes.get("days", {}).get(pagename if pagename in env.found_docs else "")
    context.update(
        contents=contents(app, pagename),
        version=app.config.softmaxnotes_sheet,
        book_author=app.config.author,
        is_chapter=is_chapter,
        released=citation.told(),
        licences=citation.LICENCES,
        cite=citation.chapter(app, pagename) if is_chapter else "",
        metadata=json.dumps(citation.metadata(app, pagename, address, day)) if is_chapter else "",
        last_updated=date.fromisoformat(day) if day else None,
        is_home=pagename == env.config.root_doc,
        description=told.description or describe(doctree),
        keywords=", ".join(told.keywords),
        address=address,
        card=f"{base}/_static/card.png",
        repository=repository,
        report=report.address(app, pagename),
        hosted=hosted(repository, pagename),
        collapse_index=False,  # of Sphinx's script
        source_path=source if repository else None,
        digest=lambda script: "sha256-" + b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )
    if "body" in context:
        context["body"], context["formula_styles"] = name_styles(tidy(context["body"]))


def hosted(repository: str, pagename: str) -> dict[str, str]:
    """Where a chapter runs without being installed: in the notebooks that ``.ci/notebooks`` publishes."""
    owner, name = repository.removeprefix(GITHUB), pagename.removeprefix("book/")
    if not repository.startswith(GITHUB):
        return {}
    return {"Colab": f"https://colab.research.google.com/github/{owner}/blob/notebooks/{name}.ipynb",
            "Binder": f"https://mybinder.org/v2/gh/{owner}/notebooks?urlpath=lab/tree/{name}.ipynb"}


def settle(app, config):
    """A repository's site is where GitHub publishes it, unless it is said to be elsewhere."""
    repository = config.softmaxnotes_repository.rstrip("/")
    if not repository.startswith(GITHUB):
        return
    owner, _, name = repository.removeprefix(GITHUB).partition("/")
    if not (owner and name) or "/" in name:
        raise ConfigError(f"softmaxnotes_repository: expected {GITHUB}OWNER/NAME, got {repository}")
    config.html_baseurl = config.html_baseurl or f"https://{owner.lower()}.github.io/{name}"


DROPPED = {"reference", "internal", "external", "docutils", "container", "simple", "std", "std-ref",
           "std-numref", "align-default"}


def _own_words(found) -> str:
    words = [word for word in found[1].split() if word not in DROPPED]
    return f' class="{" ".join(words)}"' if words else ""


def tidy(body: str) -> str:
    """What Sphinx and the extensions write and nobody names."""
    # the references are announced as a list whose children are no list items
    body = body.replace('<div role="list" class="citation-list">', '<div class="citation-list">')
    body = body.replace('role="heading"', 'role="heading" aria-level="2"')  # captions of lists of pages
    body = re.sub(r' class="([^"]*\b(?:reference|docutils|simple)\b[^"]*)"', _own_words, body)
    body = re.sub(r'<span class="(?:std std-\w+|xref [\w -]+)">(.*?)</span>', r"\1", body)
    body = re.sub(r' class="row-(?:odd|even)"', "", body)
    return re.sub(r'(?<= d=")M[^"]+', _thousandths, body)


def _thousandths(path) -> str:
    """A path of a picture in thousandths of a point: as finely as the browser writes what it moves."""
    return re.sub(r"\d+\.\d{4,}", lambda number: f"{float(number[0]):.3f}".rstrip("0").rstrip("."), path[0])


_STYLED = re.compile(
    r'<span(?: class="([^"]*)")? style="((?:height|top|margin|vertical|width|min-width)[^"]*);"')


def name_styles(body: str) -> tuple[str, str]:
    """KaTeX repeats the same styles thousands of times: the frequent ones become classes, and their rules.

    The names follow from the styles, so that a formula may be shown on another page.
    """
    counts = Counter(style for _, style in _STYLED.findall(body))
    names = {style: f"k{crc32(style.encode()):x}"[:6] for style, times in counts.items() if times > 3}
    if len(set(names.values())) < len(names):
        return body, ""

    def rename(found):
        old, style = found.groups()
        if style not in names:
            return found[0]
        return f'<span class="{f"{old} " if old else ""}{names[style]}"'

    rules = "".join(f".{name}{{{style}}}" for style, name in names.items())
    return _STYLED.sub(rename, body), f".katex{{{rules}}}" if rules else ""


def describe(doctree) -> str:
    """The first sentences of a page."""
    text = ""
    for paragraph in doctree.findall(nodes.paragraph) if doctree is not None else ():
        told = paragraph.astext().strip()
        whole = told.endswith((".", ":", ";")) and not any(True for _ in paragraph.findall(nodes.math))
        if whole and not head.silent(paragraph):
            text = " ".join(f"{text} {told}".split())
        if len(text) > 80:
            break
    return text if len(text) <= 200 else text[:200].rsplit(" ", 1)[0] + " …"


def contents(app, pagename):
    """The parts with their pages, and of the present page the sections: title, number, address."""
    env, groups = app.env, []
    for tree in env.tocs[env.config.root_doc].findall(addnodes.toctree):
        items = []
        for given, name in tree["entries"]:
            if name not in env.titles:
                continue
            inside = {name, *descendants(env, name)}
            items.append({
                "title": given or text_of(app, env.titles[name]), "number": number(env, name),
                "href": app.builder.get_relative_uri(pagename, name), "here": name == pagename,
                "within": pagename in inside,
                "sections": sections(app, pagename) if name == pagename else subpages(app, name, pagename)
                if pagename in inside else [],
            })
        groups.append((tree["caption"], items))
    return groups


def descendants(env, name):
    for child in env.toctree_includes.get(name, ()):
        yield child
        yield from descendants(env, child)


def subpages(app, name, pagename):
    """The pages below a page; of "Ledger: Softmax" the second word."""
    return [{"title": text_of(app, app.env.titles[child]).split(": ")[-1], "number": "",
             "href": app.builder.get_relative_uri(pagename, child), "here": child == pagename}
            for child in app.env.toctree_includes.get(name, ())]


def number(env, docname, anchor="") -> str:
    return ".".join(map(str, env.toc_secnumbers.get(docname, {}).get(anchor, ())[-1:]))


def sections(app, pagename):
    """The sections of a page, one level deep; of the library and the ledger their parts."""
    top = next(iter(app.env.tocs[pagename].children), None)
    found = []
    for item in top.children[1].children if top is not None and len(top.children) > 1 else ():
        if not isinstance(item, nodes.list_item):
            continue
        link = next(iter(item.findall(nodes.reference)))
        place = link["anchorname"]  # begins with a hash
        found.append({"title": text_of(app, link), "number": number(app.env, pagename, place), "href": place})
    return found or subpages(app, pagename, pagename)


def text_of(app, title) -> str:
    """A title as HTML; rendered only if it holds more than text."""
    if all(isinstance(node, nodes.Text) for node in title.children):
        return unbroken(escape(title.astext()))
    paragraph = nodes.inline("", "", *(child.deepcopy() for child in title.children))
    return app.builder.render_partial(paragraph)["fragment"]


# --- Search ----------------------------------------------------------------------------

# What repeats chapters is not searched, nor what nobody looks for by a word of it.
REPEATS = (ledger.LEDGER, f"{ledger.ERRATA}/", ledger.SOURCES, "book/back/notation", "book/back/references",
           "book/back/changes", "book/back/experiments", "book/back/theorems", "book/back/status",
           "book/back/api/proofread", "book/back/api/rooms")


def index_page(app, pagename, templatename, context, doctree):
    """Keep the words of each section of a page, for the search, which is made of all pages at the end."""
    if doctree is not None:
        kept = words_path(app, pagename)
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(words(doctree), ensure_ascii=False), "utf8")


def words_path(app, pagename) -> Path:
    return Path(app.doctreedir) / "words" / f"{pagename}.json"


def words(doctree) -> list[tuple[str, str, str, str]]:
    """Of each section anchor, title, sentences, and the words of its tables; of formulas only short ones."""
    found = []
    for section in doctree.findall(nodes.section):
        own = [child for child in section.children if not isinstance(child, nodes.section)]
        head = own[0].astext() if own and isinstance(own[0], nodes.title) else ""
        said = " ".join(" ".join(spoken(child) for child in own[1:]).split())
        tables = re.findall(r"[^\W\d_][\w-]+", " ".join(map(tabled, own[1:])))
        found.append((section["ids"][0] if found else "", head, said, " ".join(dict.fromkeys(tables))))
    return found


GREEK = """alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho varsigma
sigma tau upsilon varphi chi psi omega""".split()
SIGNS = {name: chr(0x3B1 + place) for place, name in enumerate(GREEK)} | {
    "Gamma": "Γ", "Delta": "Δ", "Sigma": "Σ", "varepsilon": "ε", "infty": "∞", "ge": "≥", "le": "≤",
    "in": "∈", "to": "→", "dots": "…", "mid": "|", "cdot": "·", "partial": "∂"}


UNREAD = {"how", "code", "tally", "told", "report", "declared", "cited", "conditions", "solution"}
UNSPOKEN = (nodes.math_block, nodes.literal_block, nodes.raw, nodes.doctest_block, nodes.comment, nodes.table)


def spoken(node) -> str:
    """The text of a node as one would look for it."""
    if isinstance(node, nodes.math):
        text = re.sub(r"\\([A-Za-z]+)", lambda found: SIGNS.get(found[1], "…" * 12), node.astext())
        text = re.sub(r"[{}\\$]|\s+", "", text)
        return text if len(text) < 12 else "…"
    if isinstance(node, nodes.Text):
        return node.astext()
    if isinstance(node, addnodes.desc_signature):
        return " ".join(name.astext() for name in node.findall(addnodes.desc_name))
    if isinstance(node, (*UNSPOKEN, ledger.row_reference)) or UNREAD & set(node["classes"]):
        return " "
    described = isinstance(node, addnodes.desc_content)  # of which the first paragraph says what it is for
    told = [child for place, child in enumerate(node.children)
            if not described or place == 0 or isinstance(child, addnodes.desc)]
    inner = "".join(map(spoken, told))
    return inner if isinstance(node, nodes.Inline) else f" {inner} "


def tabled(node) -> str:
    """The words of the tables in a node."""
    if isinstance(node, (nodes.Text, nodes.section)) or UNREAD & set(node["classes"]):
        return ""
    if isinstance(node, nodes.table):
        cells = [cell.astext() for cell in node.findall(nodes.entry)]
        return " ".join(cell for cell in cells if re.search("[A-Za-z]", cell))
    return " ".join(map(tabled, node.children))


def search_index(app) -> str:
    """A script, since browsers refuse to fetch data for a page that is opened from disk; it is packed."""
    pages = []
    for name in chapters.pages():
        kept = words_path(app, name)
        if name in app.env.titles and kept.exists() and not name.startswith(REPEATS):
            number = ".".join(map(str, app.env.toc_secnumbers.get(name, {}).get("", ())))
            title = f"{number} {app.env.titles[name].astext()}".strip()
            sections = json.loads(kept.read_text("utf8"))
            for section in sections:
                anchor, head, *_ = section
                if anchor == re.sub("[^a-z0-9]+", "-", head.lower()).strip("-"):
                    section[0] = None  # the script makes it again from the head
            pages.append([f"{name}.html", title, chapters.front(name).keywords, sections])
    packed = compress(json.dumps(pages, ensure_ascii=False, separators=(",", ":")).encode(), 9)
    text = b85encode(packed, pad=True).decode()  # six per cent less than in base 64
    return f'const packedWords = ["{text}", {len(packed)}];\n{js_porter_stemmer}'


# --- Writing ---------------------------------------------------------------------------


def other_pages(app):
    yield "search", {"title": "Search"}, "search.html"


def write(app, error):
    """The style sheet, the scripts, the search index, and a map for search engines."""
    if error is not None:
        return
    static = Path(app.outdir) / "_static"
    static.mkdir(exist_ok=True)
    (static / "book.css").write_text(style_sheet(), "utf8")
    (static / "slides.css").write_text((THEME / "slides.css").read_text("utf8"), "utf8")
    for script in ("book.js", "download.js", "search.js", "slides.js", "checker.js", "offline.js"):
        text = (THEME / script).read_text("utf8")
        # a worker that keeps pages is in charge of the folder that it stands in
        place = Path(app.outdir) if script == "offline.js" else static
        (place / script).write_text(re.sub(r"^ *(//.*\n)?", "", text, flags=re.MULTILINE), "utf8")
    (static / "words.js").write_text(search_index(app), "utf8")
    if base := app.config.html_baseurl:
        names = [name for name in chapters.pages() if name in app.env.found_docs]
        places = "".join(f"<url><loc>{base.rstrip('/')}/{name}.html</loc></url>\n" for name in names)
        kind = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
        (Path(app.outdir) / "sitemap.xml").write_text(
            f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {kind}>\n{places}</urlset>\n', "utf8")


def own_search(app):
    app.builder.search = False  # Sphinx's would fetch whole pages to show where a word is


def setup(app):
    app.add_config_value("softmaxnotes_repository", "", "html", [str])
    sheet = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(THEME.rglob("*")) if path.is_file()))
    app.add_config_value("softmaxnotes_sheet", sheet.hexdigest()[:8], "html")
    app.set_translator("html", Translator)
    app.connect("config-inited", settle)
    app.connect("builder-inited", own_search)
    app.connect("html-collect-pages", other_pages)
    app.connect("html-page-context", index_page)
    app.connect("html-page-context", frame, priority=900)
    app.connect("build-finished", write)
