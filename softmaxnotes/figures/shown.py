"""A figure as it stands on the page: panels, a caption, a text that replaces it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from matplotlib.figure import Figure as Panel

from proofread.ledger import METADATA, Entry, current
from softmaxnotes.figures.compare import compare
from softmaxnotes.figures.svg import svg


def figure(
    *panels: Panel, name: str, caption: str, alt: str, curves: Sequence = (), shapes: Sequence = (),
    rows: tuple = (),
) -> Figure:
    """A figure of the book: panels, a caption that says what to see, and a text that replaces it.

    What is drawn is compared with what it is said to be: each line of the panels, in the order in which they
    were drawn, has its counterpart in ``curves``, and whatever else shows data in ``shapes``.

    Parameters
    ----------
    *panels : matplotlib.figure.Figure
        From left to right, as made by :func:`panel`.
    name : str
        Letters, digits and hyphens; the anchor of the figure is ``fig-<name>``.
    caption : str
        Simple HTML.
    alt : str
        What is seen, for those who cannot see it.
    curves : sequence
        For each line a function of its abscissas, such as a checked formula (`proofread.values`) or
        a function of the package, or the array of ordinates that was asserted; or the array of points, of
        shape (n, 2), or of laws, (n, 3), on a simplex.  Lines drawn with ``guide()`` are left out.
    shapes : sequence
        For each shape the numbers that it shows:

        - a filling between two curves (`band`, ``ax.fill_between``), or strokes (`bars`, ``ax.vlines``): the
          pair of lower and upper, each a function, an array or a number;
        - bars: their ends, or the pair of beginnings and ends;
        - dots (``ax.scatter``): as for a line;
        - a polygon (``ax.fill``): its corners; a picture (`thumbnail`): its point;
        - `arrows`: the pair of starts and ends;
        - a `field` or an image: its array; contour lines: the function of two variables;
        - a tree (`tree_panel`): keys or weights.

        What is drawn with ``gid="guide"`` is left out.
    rows : iterable of str
        Rows of the source inventory that the figure treats.

    Raises
    ------
    ValueError
        If there is no panel, or ``alt`` or ``caption`` is blank, or ``name`` is no name; if a line or a shape
        has no counterpart, or departs from it; if a line is not seen because it is one point; if a panel
        has both a band and bars of errors.

    Examples
    --------
    >>> from softmaxnotes.figures import panel
    >>> figure(panel()[0], name="empty", caption="Nothing.", alt=" ")
    Traceback (most recent call last):
        ...
    ValueError: figure 'empty': alt must say what is seen, got ' '
    """
    if not re.fullmatch(r"[a-z0-9-]+", name):
        raise ValueError(f"the name of a figure is lower-case letters, digits and hyphens, got {name!r}")
    if not panels:
        raise ValueError(f"figure {name!r}: expected one or more panels, got none")
    for what, text in (("alt must say what is seen", alt), ("caption must say what to see", caption)):
        if not text.strip():
            raise ValueError(f"figure {name!r}: {what}, got {text!r}")
    compare(name, panels, list(curves), list(shapes))
    return Figure(panels, name, caption, alt, tuple(rows))


def heading(fig: Panel, html: str) -> None:
    """Put a line of text above a panel: HTML, so that it is as large as the text around it.

    What stands in ``<span data-label="T">3</span>`` may change with a knob; so it may in a caption.

    Examples
    --------
    >>> from softmaxnotes.figures import panel
    >>> fig, ax = panel()
    >>> heading(fig, "temperature <i>T</i> = <span data-label='T'>3</span>")
    """
    fig.heading = html


class Figure:
    """What :func:`figure` and :func:`interactive` return; Jupyter shows it as SVG."""

    def __init__(self, panels, name, caption, alt, rows):
        # a minus is no hyphen, also where a caption was put together with numbers of Python
        caption, alt = (re.sub(r"(?<![\w-])-(?=[\d.])", "−", text) for text in (caption, alt))
        self.name, self.caption, self.alt, self.rows = name, caption, alt, rows
        self._attributes = {"class": "softmaxnotes"}
        self._panels = panels
        self._svgs = [_headed(fig, svg(fig, f"{name}-{number}")) for number, fig in enumerate(panels, 1)]

    def __repr__(self):
        return f"Figure: {self.alt}"

    def _repr_mimebundle_(self, include=None, exclude=None):
        # One image to a screen reader, however many panels it has.
        attributes = " ".join(f'{key}="{escape(value)}"' for key, value in self._attributes.items())
        html = (
            f'<figure id="fig-{self.name}" {attributes}>\n'
            f'<div class="panels" role="img" aria-label="{escape(self.alt)}" '
            'style="display: flex; flex-wrap: wrap; gap: 1rem; justify-content: center">\n'
            + "\n".join(self._svgs)
            + f"\n</div>\n<figcaption>{self.caption}</figcaption>\n</figure>"
        )
        entry = Entry("figure", "measured", title=self.name, rows=self.rows)
        current().add(entry)
        return {"text/html": html, "text/plain": self.alt}, {METADATA: entry.as_dict()}


def _headed(fig: Panel, picture: str) -> str:
    html = getattr(fig, "heading", None)
    return picture if html is None else f'<div class="panel"><p class="heading">{html}</p>\n{picture}</div>'
