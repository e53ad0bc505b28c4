"""Figures with knobs: what the reader's browser is told, so that it moves what was drawn here."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import KW_ONLY, asdict, dataclass

import numpy as np
from matplotlib.collections import FillBetweenPolyCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from matplotlib.text import Text

from softmaxnotes.figures.compare import all_axes
from softmaxnotes.figures.drawing import Arrows, Thumbnail
from softmaxnotes.figures.shown import Figure


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
    log : bool
        Whether the numbers are exponents of ten: of ``Slider("T", "temperature", -1, 1, step=0.1, value=0,
        log=True)`` the module gets T from 0.1 to 10, and the reader sees three digits of it.

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
    log: bool = False

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
    """A figure of which the reader moves curves, dots, fillings, with knobs below the picture, on the site.

    What moves is what has a ``gid``: ``ax.plot(x, y, gid="path")``.  It may be a line, or marks that no line
    joins; a filling (`band`, ``ax.fill``), `arrows`, a `thumbnail`, a text (``ax.text``).  Words that change
    stand in ``<span data-label="T">`` in the caption or a `heading`.
    All should be drawn as the knobs stand at the start. Without JavaScript, in print and in
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
        If ``module`` is no name; if there is no control, or two have the same name; if nothing has
        a ``gid``, or two have the same; if a line has one and markers, too, or no point; if a filling is in
        several pieces; if an axis is not linear; if ``data`` holds NaN or an infinity.
    TypeError
        If ``data`` holds something else than said above.

    Examples
    --------
    >>> from softmaxnotes.figures import figure, panel
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
    curves, labels = {}, re.findall(r'data-label=["\']([^"\']*)', "".join(still._svgs) + still.caption)
    for number, (fig, svg) in enumerate(zip(still._panels, still._svgs), start=1):
        for ax in all_axes(fig.axes):
            named = (artist for artist in ax.get_children() if artist.get_gid() not in (None, "guide"))
            for artist in named:
                name, ident = artist.get_gid(), f"{still.name}-{number}-{artist.get_gid()}"
                check(name not in curves, "lines of different gid", name)
                kind = _kind(artist)
                check(kind, "a line, dots, a filling, arrows, a picture or a text", artist)
                start = rf'<g id="{re.escape(ident)}">\s*(?:<!--.*?-->\s*)?'
                fits = re.search(start + _MOVES[kind], svg, re.DOTALL)
                check(fits, _WANTED.get(kind, "something that is seen in") + f" {name!r}", artist)
                scales = (ax.get_xscale(), ax.get_yscale())
                check(scales == ("linear", "linear"), f"linear axes for the {kind} {name!r}", scales)
                # In the picture a point is at x[0] + x[1] * abscissa, and so with y, which points down.
                (x0, y0), (x1, y1) = ax.transData.transform([(0, 0), (1, 1)]) * 72 / fig.dpi
                x, y = (x0, x1 - x0), (72 * fig.get_figheight() - y0, y0 - y1)
                curves[name] = {"id": ident, "x": [round(c, 6) for c in x], "y": [round(c, 6) for c in y]}
                if kind != "line":
                    curves[name]["kind"] = kind
                if kind == "group":
                    where = artist.get_position() if isinstance(artist, Text) else artist.at
                    curves[name]["at"] = [round(float(c), 9) for c in where]
    check(curves, "one or more lines with a gid", [])
    twice = [name for name in labels if name in curves or labels.count(name) > 1]
    check(not twice, "labels of names that nothing else has", twice)
    live = copy(still)
    live._attributes = {
        "class": "softmaxnotes interactive",
        "data-module": module,
        "data-controls": _json([asdict(control) for control in controls]),
        "data-curves": _json(curves),
        "data-data": _json(data or {}),
    }
    return live


# What moves stands in the SVG so; the scripts rely on it.
_MOVES = {
    "line": r"<path [^>]*>\s*</g>",
    "dots": r"<defs>\s*<path [^>]*>\s*</defs>\s*<g[^>]*>\s*<use ",
    "fill": r"<path [^>]*>\s*</g>",
    "arrows": r"<path [^>]*>\s*</g>",
    "group": r"<",
}
_WANTED = {"line": "points without markers on the line", "fill": "one piece in the filling"}


def _kind(artist):
    """How the browser moves it; None if it cannot."""
    if isinstance(artist, Line2D):
        joined = artist.get_linestyle() not in ("None", "none", "", " ")
        return "line" if joined or artist.get_marker() in ("None", "none", "", " ", None) else "dots"
    if isinstance(artist, Polygon | FillBetweenPolyCollection):
        return "fill"
    if isinstance(artist, Arrows):
        return "arrows"
    return "group" if isinstance(artist, Thumbnail | Text) else None


def _json(data) -> str:
    def plain(other):
        if isinstance(other, np.ndarray | np.generic):
            return other.tolist()
        raise TypeError(f"data must be numbers, strings, lists, dicts and arrays, got {other!r}")

    return json.dumps(data, default=plain, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
