"""The house style of the book's figures.

A figure is one or more panels (Matplotlib figures) in a row that wraps on a narrow screen.
It is vector graphics inside the page, and running it again gives the same bytes.
Black is the ink: it becomes the colour of the text around the figure, so that axes and labels
read in light and in dark themes.

    >>> fig, ax = panel()
    >>> _ = ax.plot([0, 1], [0, 1], label="identity", **curve(0))
    >>> shown = figure(fig, name="identity", caption="A line.", alt="A rising line.")
    >>> sorted(shown._repr_mimebundle_()[0])
    ['text/html', 'text/plain']
"""

from __future__ import annotations

import io
import re
from html import escape

import matplotlib as mpl
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure as Panel

__all__ = ["COLOURS", "DASHES", "Figure", "curve", "figure", "panel"]

#: Data colours after Okabe and Ito (2008), moved to a middle lightness:
#: each has a contrast of 3:1 or more on white as well as on near-black.
COLOURS = ("#0f7fc4", "#d2571a", "#0b8f6a", "#b8649a", "#a37500", "#7a77c9")

#: Dash patterns in the same order, so that no curve is told by its colour alone.
DASHES = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (9, 2)), (0, (3, 1, 1, 1, 1, 1)))

_STYLE = {
    "axes.labelsize": 10,
    "axes.linewidth": 0.8,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 10,
    "figure.constrained_layout.use": True,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "font.size": 10,
    "mathtext.fontset": "cm",
    "svg.fonttype": "path",
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "axes.prop_cycle": mpl.cycler(color=COLOURS, linestyle=DASHES),
}


def panel(width: float = 3.4, height: float = 2.6):
    """An empty panel in house style.

    Parameters
    ----------
    width, height : float
        Size in inches; 3.4 inches keep 10-point text readable on a phone.

    Returns
    -------
    fig : matplotlib.figure.Figure
        Not registered with pyplot, so there is nothing to close.
    ax : matplotlib.axes.Axes

    Examples
    --------
    >>> fig, ax = panel(width=3)
    >>> float(fig.get_figwidth())
    3.0
    """
    with mpl.rc_context(_STYLE):
        fig = Panel(figsize=(width, height))
        return fig, fig.subplots()


def curve(k: int) -> dict:
    """Colour and dashes of the k-th curve, for use where Matplotlib's own cycle does not reach.

    Examples
    --------
    >>> curve(1)["color"]
    '#d2571a'
    """
    return {"color": COLOURS[k % len(COLOURS)], "linestyle": DASHES[k % len(DASHES)]}


def figure(*panels: Panel, name: str, caption: str, alt: str, rows: tuple = ()) -> Figure:
    """A figure of the book: panels, a caption that says what to see, and a text that replaces it.

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
    rows : iterable of str
        Rows of the source inventory that the figure treats.

    Raises
    ------
    ValueError
        If there is no panel, or ``alt`` or ``caption`` is blank, or ``name`` is no name.

    Examples
    --------
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
    return Figure(panels, name, caption, alt, list(rows))


class Figure:
    """What :func:`figure` returns; Jupyter shows it as SVG."""

    def __init__(self, panels, name, caption, alt, rows):
        self.name, self.caption, self.alt, self.rows = name, caption, alt, rows
        self._svgs = [_svg(fig, f"{name}-{number}") for number, fig in enumerate(panels, start=1)]

    def __repr__(self):
        return f"Figure: {self.alt}"

    def _repr_mimebundle_(self, include=None, exclude=None):
        # One image to a screen reader, however many panels it has.
        html = (
            f'<figure id="fig-{self.name}" class="softmaxnotes">\n'
            f'<div class="panels" role="img" aria-label="{escape(self.alt)}" '
            'style="display: flex; flex-wrap: wrap; gap: 1rem; justify-content: center">\n'
            + "\n".join(self._svgs)
            + f"\n</div>\n<figcaption>{self.caption}</figcaption>\n</figure>"
        )
        entry = {"kind": "figure", "label": None, "title": self.name, "rows": self.rows}
        return {"text/html": html, "text/plain": self.alt}, {"softmaxnotes": entry}


def _svg(fig: Panel, ident: str) -> str:
    """The panel as an ``<svg>`` that is the same in every run and takes the ink of its page."""
    buffer = io.StringIO()
    with mpl.rc_context({**_STYLE, "svg.hashsalt": ident, "svg.id": None}):
        for legend in filter(None, (ax.get_legend() for ax in fig.axes)):
            legend.set_frame_on(False)  # a white box on a dark page
        FigureCanvasSVG(fig).print_svg(buffer, metadata={"Date": None})
    width = fig.get_figwidth()
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"\s*<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = svg.replace("#000000", "currentColor")
    # Ids are unique in the page: those that Matplotlib numbers carry the name of the panel.
    svg = re.sub(r'(\bid="|xlink:href="#|url\(#)', rf"\g<1>{ident}-", svg)
    # Text of 10 points is read at 1 inch = 6 rem; narrower screens shrink the panel.
    size = f"width: {6 * width:.1f}rem; max-width: 100%; height: auto"
    return re.sub(r'<svg [^>]*?viewBox="([^"]*)"[^>]*>', _tag(size), svg, count=1, flags=re.DOTALL).strip()


def _tag(style: str) -> str:
    return (
        r'<svg viewBox="\1" xmlns="http://www.w3.org/2000/svg" '
        rf'xmlns:xlink="http://www.w3.org/1999/xlink" aria-hidden="true" fill="currentColor" style="{style}">'
    )
