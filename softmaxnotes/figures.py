"""The house style of the book's figures.

A figure is one or more panels (Matplotlib figures) in a row that wraps on a narrow screen.
It is vector graphics inside the page, and running it again gives the same bytes.
Black is the ink: it becomes the colour of the text around the figure, so that axes and labels
read in light and in dark themes.

    >>> fig, ax = panel()
    >>> _ = ax.plot([0, 1], [0, 1], label="identity", **curve(0))
    >>> shown = figure(fig, name="identity", curves=[lambda x: x], caption="A line.", alt="A rising line.")
    >>> sorted(shown._repr_mimebundle_()[0])
    ['text/html', 'text/plain']

On the site a figure may have knobs (:func:`interactive`). There is no second picture for that:
the reader's browser moves the curves of this one, so axes, labels and colours stay as drawn here.
"""

from __future__ import annotations

import io
import json
import math
import re
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import KW_ONLY, asdict, dataclass
from html import escape

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure as Panel

from softmaxnotes.entries import Entry, current

__all__ = [
    "COLOURS", "DASHES", "Choice", "Figure", "Slider", "curve", "figure", "guide", "interactive", "panel"
]

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


def guide() -> dict:
    """The look of a line that only guides the eye, such as an axis at zero.

    It shows no data, and is not compared.

    Examples
    --------
    >>> sorted(guide())
    ['color', 'gid', 'linestyle', 'linewidth']
    """
    return {"color": "0.5", "linewidth": 0.8, "linestyle": "-", "gid": "guide"}


def figure(
    *panels: Panel, name: str, caption: str, alt: str, curves: Sequence = (), rows: tuple = ()
) -> Figure:
    """A figure of the book: panels, a caption that says what to see, and a text that replaces it.

    What is drawn is compared with what it is said to be: each line of the panels, in the order in which they
    were drawn, has its counterpart in ``curves``.

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
        For each line a function of its abscissas, such as a checked formula (`softmaxnotes.proof.values`) or
        a function of the package, or the array of ordinates that was asserted.  Lines drawn with ``guide()``
        are left out.
    rows : iterable of str
        Rows of the source inventory that the figure treats.

    Raises
    ------
    ValueError
        If there is no panel, or ``alt`` or ``caption`` is blank, or ``name`` is no name; if a line has no
        counterpart in ``curves``, or departs from it, or is not seen because it is one point.

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
    _compare(name, panels, list(curves))
    return Figure(panels, name, caption, alt, tuple(rows))


def _compare(name, panels, curves):
    """Refuse a line that is not what it is said to be."""
    lines = [line for fig in panels for ax in fig.axes for line in ax.lines if line.get_gid() != "guide"]
    if len(lines) != len(curves):
        raise ValueError(f"figure {name!r}: {len(lines)} lines are drawn, "
                         f"and curves says what {len(curves)} are")
    for line, curve_ in zip(lines, curves):
        x, y = (np.asarray(data, float) for data in line.get_data(orig=True))
        if _is_unseen(line, x, y):
            raise ValueError(f"figure {name!r}: the line {line.get_label()!r} is one point without a marker: "
                             "it is not seen")
        expected = np.asarray(curve_(x) if callable(curve_) else curve_, float)
        if expected.shape != y.shape:
            raise ValueError(f"figure {name!r}: the line {line.get_label()!r} has {y.size} points, "
                             f"its counterpart {expected.size}")
        wrong = ~np.isclose(y, expected, rtol=1e-6, atol=1e-9, equal_nan=True)
        if wrong.any():
            place = int(np.argmax(wrong))
            raise ValueError(f"figure {name!r}: the line {line.get_label()!r} is drawn at {y[place]:.6g} "
                             f"for the abscissa {x[place]:.6g}, where {expected[place]:.6g} was expected")


def _is_unseen(line, x, y):
    """Whether a line is one point and has no marker."""
    points = {point for point in zip(x, y) if np.isfinite(point).all()}
    return len(points) == 1 and line.get_marker() in (None, "", " ", "None", "none")


@dataclass(frozen=True)
class Slider:
    """A knob that is a number.

    Parameters
    ----------
    name : str
        What the figure's module calls it.
    label : str
        What the reader is told.
    low, high : float
        Both can be reached.
    step : float
    value : float
        At the start, as in the still picture.

    Raises
    ------
    ValueError
        If a number is not finite, ``low`` is not below ``high``, or ``high`` or ``value`` is not a
        whole number of steps above ``low``: a browser would move it there without a word.

    Examples
    --------
    >>> Slider("scale", "scale of the noise", 0.25, 4, step=0.25, value=1.1)
    Traceback (most recent call last):
        ...
    ValueError: slider 'scale': value must be low + a whole number of steps, at most high, got 1.1
    """

    name: str
    label: str
    low: float
    high: float
    _: KW_ONLY
    step: float
    value: float

    def __post_init__(self):
        def check(holds, what, got):
            if not holds:
                raise ValueError(f"slider {self.name!r}: {what}, got {got!r}")

        for field in ("low", "high", "step", "value"):
            check(math.isfinite(getattr(self, field)), f"{field} must be finite", getattr(self, field))
            object.__setattr__(self, field, float(getattr(self, field)))
        check(self.low < self.high, "low must be below high", (self.low, self.high))
        check(self.step > 0, "step must be positive", self.step)
        for field in ("high", "value"):
            steps = (getattr(self, field) - self.low) / self.step
            whole = math.isclose(steps, round(steps), rel_tol=1e-9, abs_tol=1e-9)
            inside = self.low <= getattr(self, field) <= self.high
            what = f"{field} must be low + a whole number of steps, at most high"
            check(whole and inside, what, getattr(self, field))


@dataclass(frozen=True)
class Choice:
    """A knob that is one of several words.

    Parameters
    ----------
    name : str
        What the figure's module calls it.
    label : str
        What the reader is told.
    options : mapping of str to str
        From the value, for the module, to the text, for the reader.
    value : str
        At the start, as in the still picture.

    Raises
    ------
    ValueError
        If ``value`` is not one of the options.

    Examples
    --------
    >>> Choice("noise", "noise", {"normal": "normal", "uniform": "uniform"}, value="Gumbel")
    Traceback (most recent call last):
        ...
    ValueError: choice 'noise': value must be one of ['normal', 'uniform'], got 'Gumbel'
    """

    name: str
    label: str
    options: Mapping[str, str]
    _: KW_ONLY
    value: str

    def __post_init__(self):
        if self.value not in self.options:
            raise ValueError(f"choice {self.name!r}: value must be one of {list(self.options)}, "
                             f"got {self.value!r}")


def interactive(
    still: Figure, *, module: str, controls: Sequence[Slider | Choice], data: Mapping | None = None
) -> Figure:
    """A figure whose curves the reader moves, on the site, with knobs below the picture.

    The curves that move are the lines with a ``gid``: ``ax.plot(x, y, gid="path")``.
    They should be drawn as the knobs stand at the start. Without JavaScript, in print and in
    a notebook the still picture is all there is. What the knobs do is written in
    ``book/_assets/figures/<module>.js``; ``interactive.js`` beside it says how.

    Parameters
    ----------
    still : Figure
        As made by :func:`figure`. Caption, text and number stay its own.
    module : str
        Lower-case letters, digits and underscores.
    controls : sequence of Slider or Choice
        From left to right.
    data : mapping, optional
        What the module needs to know, of finite numbers, strings, lists, dicts and NumPy arrays.

    Raises
    ------
    ValueError
        If ``module`` is no name; if there is no control, or two have the same name; if no line has
        a ``gid``, or two have the same; if such a line has markers, or no point, or an axis
        that is not linear; if ``data`` holds NaN or an infinity.
    TypeError
        If ``data`` holds something else than said above.

    Examples
    --------
    >>> fig, ax = panel()
    >>> _ = ax.plot([0, 1], [0, 2], gid="line")
    >>> still = figure(fig, name="slope", curves=[lambda x: 2 * x], caption="A line.",
    ...                alt="A line of slope 2.")
    >>> slope = Slider("slope", "slope", -3, 3, step=0.5, value=2)
    >>> live = interactive(still, module="slope", controls=[slope])
    >>> 'data-module="slope"' in live._repr_mimebundle_()[0]["text/html"]
    True
    """

    def check(holds, what, got):
        if not holds:
            raise ValueError(f"figure {still.name!r}: expected {what}, got {got!r}")

    fits = re.fullmatch(r"[a-z0-9_]+", module)
    check(fits, "a module of lower-case letters, digits and underscores", module)
    names = [control.name for control in controls]
    check(names and len(set(names)) == len(names), "one or more controls of different names", names)
    curves = {}
    for number, (fig, svg) in enumerate(zip(still._panels, still._svgs), start=1):
        named = ((ax, line) for ax in fig.axes for line in ax.lines if line.get_gid() not in (None, "guide"))
        for ax, line in named:
            name, ident = line.get_gid(), f"{still.name}-{number}-{line.get_gid()}"
            check(name not in curves, "lines of different gid", name)
            plain = re.search(rf'<g id="{re.escape(ident)}">\s*<path [^>]*>\s*</g>', svg)
            check(plain, f"points without markers on the line {name!r}", line)
            scales = (ax.get_xscale(), ax.get_yscale())
            check(scales == ("linear", "linear"), f"linear axes for the line {name!r}", scales)
            # In the picture a point is at x[0] + x[1] * abscissa, and so with y, which points down.
            (x0, y0), (x1, y1) = ax.transData.transform([(0, 0), (1, 1)]) * 72 / fig.dpi
            x, y = (x0, x1 - x0), (72 * fig.get_figheight() - y0, y0 - y1)
            curves[name] = {"id": ident, "x": [round(c, 6) for c in x], "y": [round(c, 6) for c in y]}
    check(curves, "one or more lines with a gid", [])
    live = copy(still)
    live._attributes = {
        "class": "softmaxnotes interactive",
        "data-module": module,
        "data-controls": _json([asdict(control) for control in controls]),
        "data-curves": _json(curves),
        "data-data": _json(data or {}),
    }
    return live


def _json(data) -> str:
    def plain(other):
        if isinstance(other, np.ndarray | np.generic):
            return other.tolist()
        raise TypeError(f"data must be numbers, strings, lists, dicts and arrays, got {other!r}")

    return json.dumps(data, default=plain, allow_nan=False, ensure_ascii=False, separators=(",", ":"))


class Figure:
    """What :func:`figure` and :func:`interactive` return; Jupyter shows it as SVG."""

    def __init__(self, panels, name, caption, alt, rows):
        self.name, self.caption, self.alt, self.rows = name, caption, alt, rows
        self._attributes = {"class": "softmaxnotes"}
        self._panels = panels
        self._svgs = [_svg(fig, f"{name}-{number}") for number, fig in enumerate(panels, start=1)]

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
        return {"text/html": html, "text/plain": self.alt}, {"softmaxnotes": entry.as_dict()}


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
