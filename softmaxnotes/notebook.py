r"""A chapter as a notebook outside the book: what its cells print is plain Markdown, numbered as on the site.

In the book a cell prints MyST, which the site reads and few other programs do.  A notebook that is downloaded
begins with a call of :func:`number`, written when the site was built; from there on equations carry the
numbers of the site, and figures are pictures that every viewer shows.

>>> numbers = Numbers({"eq-shift": "(1.2)"}, elsewhere={"eq-lse": "(1.7)"})
>>> print(numbers.markdown("$$\nx = y\n$$ (eq-shift)\n\nby [](#eq-lse)"))
<a id="eq-shift"></a>
<BLANKLINE>
$$
x = y \tag{1.2}
$$
<BLANKLINE>
by (1.7)
"""

import re
from base64 import b64encode
from html import escape, unescape

from IPython import get_ipython

__all__ = ["Numbers", "number"]

_EQUATION = re.compile(r"^\$\$\n(.*?)\n\$\$ \(([\w-]+)\)", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\[([^\[\]]*)\]\(#([\w-]+)\)")
_FIGURE = re.compile(r'<figure id="(fig-[\w-]+)"([^>]*)>(.*?)<figcaption>(.*?)</figcaption>', re.DOTALL)
_ALT = re.compile(r'<div class="panels" role="img" aria-label="([^"]*)"')
_SVG = re.compile(r'<svg viewBox="([^"]*)"([^>]*?) style="[^"]*">(.*?)</svg>', re.DOTALL)
_CHAIN = re.compile(r"\\begin\{aligned\}\n(.*)\n\\end\{aligned\}", re.DOTALL)
_REASON = re.compile(r"(?P<formula>.*?)(?: (?:&&)?\\quad\\small(?P<reason>(?:\\textbf\{argued: \})?"
                     r"\\text\{.*\}))?", re.DOTALL)
WIDE = 75  # letters, of which a line of JupyterLab holds as many beside a number
_PIXELS = 96 / 72  # of the site, for a point of a figure


class Numbers:
    """The numbers of a chapter, and how outputs are written with them.

    Parameters
    ----------
    here : dict
        Maps the labels of the notebook to what the site calls them, such as ``{"eq-shift": "(1.2)"}``.
    elsewhere : dict
        The same for labels of other chapters.
    page : str
        Address of the chapter on the site, if it has one.
    links : dict
        Addresses of what is elsewhere.
    """

    def __init__(self, here, *, elsewhere=None, page="", links=None):
        self.here, self.elsewhere = dict(here), dict(elsewhere or {})
        self.page, self.links = page, dict(links or {})

    def rewrite(self, data):
        """The representations of an output, with numbers, and such as every viewer can show."""
        changed = {"text/markdown": self.markdown, "text/html": self.html}
        return {kind: changed[kind](text) if kind in changed else text for kind, text in data.items()}

    def markdown(self, text):
        """Numbers beside equations and in references."""
        return _LINK.sub(self._reference, _EQUATION.sub(self._equation, text))

    def _equation(self, found):
        body, label = found.groups()
        number = self.here.get(label, label).strip("()")
        return f'<a id="{label}"></a>\n\n$$\n{narrow(body)} \\tag{{{number}}}\n$$'

    def _reference(self, found):
        words, label = found.groups()
        return self.link(words or self.name(label), label)

    def name(self, label):
        """What a label is called; a label that the site does not know stands for itself."""
        return self.here.get(label) or self.elsewhere.get(label) or label

    def link(self, words, label):
        """The words as a link to a label, if there is a place to link to."""
        address = f"#{label}" if label in self.here else self.links.get(label)
        return f"[{words}]({address})" if address else words

    def html(self, text):
        """Figures as pictures with numbers."""
        return _FIGURE.sub(self._figure, text)

    def _figure(self, found):
        name, attributes, body, caption = found.groups()
        alts = [unescape(_ALT.search(body)[1])]
        body = _ALT.sub('<div', body, count=1)
        body = _SVG.sub(lambda svg: picture(svg[0], alts.pop() if alts else ""), body)
        number = self.here.get(name)
        head = f"<b>{number}</b> " if number else ""
        live = ""
        if "data-module" in attributes:
            words = "On the site this figure has knobs"
            live = f' <a href="{self.page}#{name}">{words}.</a>' if self.page else f" {words}."
        return f'<figure id="{name}">{body}<figcaption>{head}{caption}{live}</figcaption>'


def narrow(tex):
    """A formula with its reasons below its lines, if beside them they would not be seen."""
    chain = _CHAIN.fullmatch(tex)
    lines = [_REASON.fullmatch(line) for line in (chain[1].split(" \\\\\n") if chain else [tex])]
    widths = [(letters(line["formula"]), letters(line["reason"] or "")) for line in lines]
    if all(sum(pair) <= WIDE for pair in widths) or not any(line["reason"] for line in lines):
        return tex
    rows = []
    for line in lines:
        formula = line["formula"] if chain else "&" + line["formula"]
        rows.append(formula)
        if line["reason"]:
            rows.append("&" * _columns(formula) + r"\qquad\small" + line["reason"])
    return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"


def _columns(row):
    """How many columns of a table end in a row; those of a matrix are not counted."""
    depth = count = 0
    for found in re.finditer(r"\\begin\b|\\end\b|(?<!\\)&", row):
        if found[0] == "&":
            count += not depth
        else:
            depth += 1 if found[0] == r"\begin" else -1
    return count


def letters(tex):
    r"""About how many letters wide a formula is, or the text of a reason, whose letters are smaller.

    >>> letters(r"\frac{a + b}{2} = \pi_k")
    6
    """
    if text := re.fullmatch(r"(?:\\textbf\{(.*?)\})?\\text\{(.*)\}", tex):
        return 0.75 * len(re.sub(r"\\[A-Za-z]+|[{}$^_]", "", "".join(filter(None, text.groups()))))
    tex = re.sub(r"\\[td]?frac\{([^{}]*)\}\{([^{}]*)\}", lambda found: max(found.groups(), key=len), tex)
    tex = re.sub(r"\\(?:mathrm|mathcal|mathbb|operatorname|mathopen|left|right|[bB]igg?[lr]?)\b", "", tex)
    return len(re.sub(r"[{}^_&\s]", "", re.sub(r"\\[A-Za-z]+|\\.", "x", tex)))


def picture(svg, alt):
    """An ``<svg>`` of the book as an ``<img>``: the former is dropped from a notebook that is not trusted.

    It stands on white, for it can't know the colour of the page.
    """
    box, attributes, body = _SVG.fullmatch(svg).groups()
    width, height = (float(size) for size in box.split()[2:])
    while "var(--" in body:  # one may hold another as what stands in for it
        body = re.sub(r"var\(--[^()]*\)", "#fff", body)
    drawn = (f'<svg viewBox="{box}" width="{width:g}" height="{height:g}"{attributes} '
             f'font-family="Source Serif 4, Georgia, serif">{body}</svg>')
    data = b64encode(drawn.encode()).decode()
    return (f'<img src="data:image/svg+xml;base64,{data}" alt="{escape(alt)}" '
            f'width="{width * _PIXELS:.0f}" style="background: white; max-width: 100%">')


def number(here, *, elsewhere=None, page="", links=None):
    """From here on, what the cells of this notebook print has these numbers; see `Numbers`.

    Outside of a notebook it does nothing.
    """
    numbers = Numbers(here, elsewhere=elsewhere, page=page, links=links)
    shell = get_ipython()
    if shell is None:
        return
    formatter = shell.display_formatter
    plain = type(formatter).format

    def format(obj, include=None, exclude=None):
        data, metadata = plain(formatter, obj, include, exclude)
        return numbers.rewrite(data), metadata

    formatter.format = format
