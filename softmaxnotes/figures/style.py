"""The vocabulary: what a colour, a mark and a dash mean is the same in every figure of the book.

A figure colours laws or items, never both: blue is the model in one and the first item in the other.
"""

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure as Panel

#: Data colours after Okabe and Ito (2008), moved to a middle lightness:
#: each has a contrast of 3:1 or more on white as well as on near-black.
COLOURS = ("#0f7fc4", "#d2571a", "#0b8f6a", "#b8649a", "#a37500", "#7a77c9")
BLUE, VERMILION, GREEN, PINK, OCHRE, LAVENDER = COLOURS

#: Becomes the colour of the text around the figure.
INK = "#000000"

#: Becomes the ground of the page.
GROUND = "#fffffe"

#: Dash patterns in the order of the colours, so that no curve is told by its colour alone.
DASHES = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (9, 2)), (0, (3, 1, 1, 1, 1, 1)))

_MARKERS = ("o", "^", "s", "v", "P", "D")

_LAWS = {
    "truth": (INK, "-"),
    "model": (BLUE, "-"),
    "noise": (OCHRE, DASHES[3]),
    "wrong": (VERMILION, DASHES[1]),
}

_ESTIMATORS = {
    "exact": (INK, "-"),
    "score": (PINK, "-"),
    "leave-one-out": (PINK, DASHES[1]),
    "pathwise": (GREEN, "-"),
    "relaxation": (GREEN, DASHES[2]),
    "swap": (LAVENDER, "-"),
}

STYLE = {
    "axes.labelsize": 10,
    "axes.linewidth": 0.8,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 10,
    "figure.constrained_layout.use": True,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "font.size": 10,
    "hatch.linewidth": 0.8,
    "legend.frameon": False,
    "mathtext.fontset": "cm",
    "svg.fonttype": "path",  # of what svg.py does not write as text
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "axes.prop_cycle": mpl.cycler(color=COLOURS, linestyle=DASHES),
}


def panel(width: float = 3.4, height: float = 2.6):
    """An empty panel in house style.

    Parameters
    ----------
    width, height : float
        Size in inches; two panels of 3.4 inches stand side by side, and one below the other on a telephone.

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
    with mpl.rc_context(STYLE):
        fig = Panel(figsize=(width, height))
        return fig, fig.subplots()


def curve(k: int) -> dict:
    """Colour and dashes of the k-th curve, where it is neither a law nor an item nor an estimator.

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


def law(name: str) -> dict:
    """Colour and dashes of the curve of a law.

    Parameters
    ----------
    name : str
        ``"truth"`` (also a target, or an exact value) is ink, ``"model"`` blue, ``"noise"`` (also a base or
        a proposal) ochre, ``"wrong"`` (also what a source prints) vermilion, and always dashed.

    Raises
    ------
    ValueError
        If the name is none of these.

    Examples
    --------
    >>> law("wrong")
    {'color': '#d2571a', 'linestyle': (0, (5, 2))}
    >>> law("target")
    Traceback (most recent call last):
        ...
    ValueError: law: expected one of truth, model, noise, wrong; got 'target'
    """
    return _look("law", _LAWS, name)


def estimator(name: str) -> dict:
    """Colour and dashes of the curve of an estimator of a gradient.

    Parameters
    ----------
    name : str
        ``"exact"``, ``"score"``, ``"leave-one-out"``, ``"pathwise"``, ``"relaxation"`` or ``"swap"``.

    Raises
    ------
    ValueError
        If the name is none of these.

    Examples
    --------
    >>> estimator("pathwise")
    {'color': '#0b8f6a', 'linestyle': '-'}
    """
    return _look("estimator", _ESTIMATORS, name)


def _look(what, table, name):
    if name not in table:
        raise ValueError(f"{what}: expected one of {', '.join(table)}; got {name!r}")
    colour, dashes = table[name]
    return {"color": colour, "linestyle": dashes}


def item(k: int) -> dict:
    """Colour and marker of item or class k, counted from 1 as on the page.

    1 is a blue circle, 2 a vermilion triangle, 3 a green square.

    Examples
    --------
    >>> item(2)
    {'color': '#d2571a', 'marker': '^'}
    >>> item(0)
    Traceback (most recent call last):
        ...
    ValueError: item: expected a number from 1 to 6, got 0
    """
    if k not in range(1, len(_MARKERS) + 1):
        raise ValueError(f"item: expected a number from 1 to {len(_MARKERS)}, got {k!r}")
    return {"color": COLOURS[k - 1], "marker": _MARKERS[k - 1]}


def mark(kind: str, *, color: str = INK, marker: str = "o", size: float = 5, linestyle=None) -> dict:
    """How points are marked, for ``ax.plot``; of a law, an item or an estimator by ``**law("model")``.

    Parameters
    ----------
    kind : str
        ``"sampled"`` and ``"after"`` are filled, ``"exact"`` and ``"before"`` open; ``"mean"`` is a cross,
        for an estimated mean; ``"chosen"`` is a ring around another mark; ``"tick"`` an upright stroke.
    color, marker, size : optional
        The marker is that of the item; cross, ring and tick have their own.
    linestyle : ignored
        Points are not joined.

    Raises
    ------
    ValueError
        If the kind is none of these.

    Examples
    --------
    >>> fig, ax = panel()
    >>> (dots,) = ax.plot([1, 2], [3, 4], **mark("sampled", **item(3)))
    >>> dots.get_marker(), dots.get_linestyle()
    ('s', 'None')
    """
    look = {"color": color, "linestyle": "none", "marker": marker, "markersize": size}
    opened = {"markerfacecolor": "none", "markeredgewidth": 1.4}
    kinds = {
        "sampled": {"markeredgewidth": 0},
        "after": {"markeredgewidth": 0, "markersize": size + 1},
        "exact": opened | {"markersize": size + 1},
        "before": opened,
        "mean": {"marker": "X", "markersize": size + 4, "markeredgewidth": 0},
        "chosen": opened | {"marker": "o", "markersize": size + 7},
        "tick": {"marker": "|", "markersize": size + 6, "markeredgewidth": 1.6},
    }
    if kind not in kinds:
        raise ValueError(f"mark: expected one of {', '.join(kinds)}; got {kind!r}")
    return look | kinds[kind]


def on_simplex(laws):
    """Where laws on three items stand in the plane: 1 is the left corner, 2 the right, 3 the top.

    :math:`(x, y) = (p_2 + p_3/2, p_3\\sqrt3/2)`; the sides are of length 1.

    Parameters
    ----------
    laws : array_like, shape (..., 3)
        Each adds up to 1.  Beyond the triangle, where a number is negative, the map goes on.

    Returns
    -------
    x, y : numpy.ndarray, shape (...)
        NaN for a law with NaN.

    Raises
    ------
    ValueError
        If there are not three items, or the numbers of a law do not add up to 1.

    Examples
    --------
    >>> x, y = on_simplex([[1, 0, 0], [1 / 3, 1 / 3, 1 / 3]])
    >>> x, y.round(4)
    (array([0. , 0.5]), array([0.    , 0.2887]))
    """
    laws = np.asarray(laws, float)
    if laws.ndim == 0 or laws.shape[-1] != 3:
        raise ValueError(f"on_simplex: expected laws on 3 items, got shape {laws.shape}")
    sums = laws.sum(axis=-1)
    wrong = abs(sums - 1) > 1e-6
    if np.any(wrong):
        raise ValueError(f"on_simplex: a law adds up to 1, got a sum of {sums[wrong].flat[0]:.6g}")
    return laws[..., 1] + laws[..., 2] / 2, laws[..., 2] * np.sqrt(0.75)
