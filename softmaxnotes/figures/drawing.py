"""What the book draws more than once: bands, arrows, fields, pictures; panels with a simplex or a tree."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, IdentityTransform

from softmaxnotes.figures.style import BLUE, GROUND, INK, VERMILION, guide, on_simplex, panel

# -- Bands, bars, arrows, fields ---------------------------------------------------------------------------


def band(ax, x, low, high, *, color=INK, hatch=None, gid=None, label=None, linestyle=None):
    """A light filling between two curves, by default the central 80 % over runs; the caption says of what.

    In ``shapes`` of :func:`softmaxnotes.figures.figure` its counterpart is the pair of lower and upper curve,
    each a function, an array or a number.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    x : array_like, shape (n,)
    low, high : array_like, shape (n,) or ()
    color, hatch, gid, label : optional
        ``**law("wrong")`` gives the colour; a wrong law is hatched (``hatch="///"``), too.
    linestyle : ignored

    Returns
    -------
    matplotlib.collections.FillBetweenPolyCollection

    Examples
    --------
    >>> from softmaxnotes.figures import figure
    >>> fig, ax = panel()
    >>> filled = band(ax, [0, 1, 2], 0, [0, 1, 4])
    >>> shown = figure(fig, name="band", shapes=[(0, np.square)], caption="Below $x^2$.", alt="A band.")
    """
    look = {"facecolor": "none" if hatch else color, "edgecolor": color if hatch else "none"}
    filled = ax.fill_between(x, low, high, linewidth=0, hatch=hatch, gid=gid, label=label,
                             alpha=0.9 if hatch else 0.22, **look)
    filled.spread = "band"
    return filled


def bars(ax, x, mean, error, *, color=INK, gid=None, label=None, linestyle=None, marker=None):
    """Upright bars from ``mean - error`` to ``mean + error``, an error being one standard error.

    In ``shapes`` the counterpart is the pair of lower and upper ends, as for a band.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    x, mean, error : array_like, shape (n,)
    color, gid, label : optional
    linestyle, marker : ignored

    Returns
    -------
    matplotlib.collections.LineCollection

    Examples
    --------
    >>> from softmaxnotes.figures import figure
    >>> fig, ax = panel()
    >>> drawn = bars(ax, [1, 2], [5, 6], [1, 0.5])
    >>> shown = figure(fig, name="bars", shapes=[([4, 5.5], [6, 6.5])], caption="Bars.", alt="Two bars.")
    """
    mean, error = np.asarray(mean, float), np.asarray(error, float)
    drawn = ax.vlines(x, mean - error, mean + error, color=color, linewidth=1.4, linestyle="-",
                      gid=gid, label=label)
    drawn.spread = "bars"
    return drawn


class Arrows(Artist):
    """Arrows from points to points; made by :func:`arrows`."""

    HEAD = 5.0, 0.45  # in points, and half the angle

    def __init__(self, starts, ends, color, width):
        super().__init__()
        self.starts, self.ends, self.color, self.width = starts, ends, color, width

    def draw(self, renderer):
        starts, ends = (self.axes.transData.transform(where) for where in (self.starts, self.ends))
        gc = renderer.new_gc()
        gc.set_foreground(self.color)
        gc.set_linewidth(renderer.points_to_pixels(self.width))
        gc.set_capstyle("round")
        gc.set_joinstyle("round")
        renderer.open_group("arrows", self.get_gid())
        path = Path(*self.corners(starts, ends, renderer.points_to_pixels(1)))
        renderer.draw_path(gc, path, IdentityTransform())
        renderer.close_group("arrows")
        gc.restore()

    @classmethod
    def corners(cls, starts, ends, point):
        """Shaft and head of each arrow, as ``interactive.js`` makes them; of one without length nothing."""
        size, half = cls.HEAD
        corners, codes = [], []
        for start, end in zip(starts, ends):
            length = np.hypot(*(end - start))
            if length > 0:
                back = np.arctan2(*(start - end)[::-1])
                barb = min(size * point, length / 2)
                left, right = (end + barb * np.array([np.cos(back + turn), np.sin(back + turn)])
                               for turn in (half, -half))
                corners += [start, end, left, end, right]
                codes += [Path.MOVETO, Path.LINETO, Path.MOVETO, Path.LINETO, Path.LINETO]
        return np.reshape(corners, (-1, 2)), codes or None

    def get_tightbbox(self, renderer=None):
        return None


def arrows(ax, starts, ends, *, color=INK, width=1.5, gid=None, label=None, zorder=3,
           linestyle=None, marker=None):
    """Arrows from points to points, of which the lengths are true.

    In ``shapes`` the counterpart is the pair ``(starts, ends)``.  With a ``gid`` they can be moved.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    starts, ends : array_like, shape (n, 2), or (n, 3) on a simplex
    color, gid, label, zorder : optional
    width : float
        Of the strokes, in points.
    linestyle, marker : ignored

    Returns
    -------
    Arrows

    Examples
    --------
    >>> from softmaxnotes.figures import figure
    >>> fig, ax = panel()
    >>> _ = arrows(ax, [[0, 0]], [[1, 2]])
    >>> shown = figure(fig, name="arrow", shapes=[([[0, 0]], [[1, 2]])], caption="Up.", alt="An arrow.")
    """
    drawn = Arrows(points(ax, starts), points(ax, ends), color, width)
    drawn.set(gid=gid, label=label, zorder=zorder)
    ax.add_artist(drawn)
    ax.update_datalim(np.concatenate([drawn.starts, drawn.ends]))
    ax.autoscale_view()
    return drawn


def field(ax, values, *, extent, color=BLUE, negative=VERMILION, top=None):
    """A function of two variables as one hue by opacity, transparent at zero; two hues if it has two signs.

    In ``shapes`` the counterpart is the array of values.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    values : array_like, shape (rows, columns)
        The first row is the lowest.
    extent : tuple of float
        Left, right, bottom and top edge.
    color, negative : str
        Of values above and below zero.
    top : float, optional
        The size of a value that is drawn opaque: the largest by default; panels that are compared share it.

    Returns
    -------
    matplotlib.image.AxesImage

    Raises
    ------
    ValueError
        If a value is larger than ``top``.

    Examples
    --------
    >>> fig, ax = panel()
    >>> image = field(ax, [[0, 1], [-2, 0]], extent=(0, 1, 0, 1))
    >>> image.get_array()[1, 0].round(2).tolist()
    [0.82, 0.34, 0.1, 1.0]
    """
    values = np.asarray(values, float)
    top = abs(values).max() if top is None else top
    if abs(values).max() > top:
        raise ValueError(f"field: a value of size {abs(values).max():.6g} is larger than top = {top:.6g}")
    picture = np.empty((*values.shape, 4))
    picture[..., :3] = np.where(values[..., None] < 0, to_rgb(negative), to_rgb(color))
    picture[..., 3] = abs(values) / (top or 1)
    image = ax.imshow(picture, extent=extent, origin="lower", aspect="auto", interpolation="nearest")
    image.values = values
    return image


class Thumbnail(Artist):
    """A small picture at a point; made by :func:`thumbnail`."""

    def __init__(self, at, values, size, color, dashes):
        super().__init__()
        self.at, self.values, self.size, self.frame = at, values, size, Rectangle((0, 0), 1, 1)
        self.frame.set(edgecolor=color, facecolor=GROUND, linewidth=1, linestyle=dashes)
        rgba = np.empty((*values.shape, 4))
        rgba[..., :3] = to_rgb(color)
        rgba[..., 3] = values
        self.rgba = np.round(255 * rgba[::-1]).astype(np.uint8)  # the renderer counts rows from below

    def draw(self, renderer):
        side = renderer.points_to_pixels(self.size)
        x, y = self.axes.transData.transform(self.at) - side / 2
        renderer.open_group("thumbnail", self.get_gid())
        self.frame.set_transform(Affine2D().scale(side, side).translate(x, y))
        if self.frame.get_figure() is None:
            self.frame.set_figure(self.axes.get_figure())
        self.frame.draw(renderer)
        gc = renderer.new_gc()
        renderer.draw_image(gc, x, y, self.rgba, Affine2D().scale(side, side))
        gc.restore()
        renderer.close_group("thumbnail")

    def get_tightbbox(self, renderer=None):
        return None


def thumbnail(ax, at, values, *, size=18, color=INK, dashes="-", gid=None, zorder=4):
    """A small picture in one colour, in a frame on the ground of the page, its middle at a point.

    In ``shapes`` the counterpart is the point, or the law on a simplex.  With a ``gid`` it can be moved.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    at : array_like, shape (2,), or (3,) on a simplex
    values : array_like, shape (rows, columns)
        From 0, transparent, to 1, opaque; the first row is the upper one.
    size : float
        Side of the frame in points.
    color, dashes, gid, zorder : optional

    Raises
    ------
    ValueError
        If a value is outside of 0 to 1.

    Examples
    --------
    >>> from softmaxnotes.figures import figure
    >>> fig, ax = panel()
    >>> _ = thumbnail(ax, (0.5, 0.5), [[0, 1], [1, 0]])
    >>> shown = figure(fig, name="flag", shapes=[(0.5, 0.5)], caption="A flag.", alt="Four squares.")
    """
    values = np.asarray(values, float)
    if values.ndim != 2 or not ((0 <= values) & (values <= 1)).all():
        raise ValueError("thumbnail: expected a matrix of numbers from 0 to 1")
    drawn = Thumbnail(points(ax, [at])[0], values, size, color, dashes)
    drawn.set_gid(gid)
    drawn.set_zorder(zorder)
    ax.add_artist(drawn)
    return drawn


def points(ax, where):
    """Points of the plane, shape (n, 2); on a simplex laws of shape (n, 3) are points as well."""
    where = np.asarray(where, float)
    if where.ndim != 2 or where.shape[1] not in ((2, 3) if is_simplex(ax) else (2,)):
        raise ValueError(f"expected points of shape (n, 2){' or laws (n, 3)' if is_simplex(ax) else ''}, "
                         f"got shape {where.shape}")
    return where if where.shape[1] == 2 else np.stack(on_simplex(where), axis=-1)


# -- The simplex -------------------------------------------------------------------------------------------


def is_simplex(ax):
    """Whether the axes were made by `simplex_panel`."""
    return getattr(ax, "is_simplex", False)


def simplex_panel(width: float = 3.4, *, corners=("1", "2", "3"), colors=None, thirds=True):
    """A panel with the triangle of all laws on three items, 1 left, 2 right, 3 at the top.

    Draw with :func:`on_simplex`: ``ax.plot(*on_simplex(laws), **law("model"))``.  What is drawn is compared
    with laws of shape (n, 3), which are given in ``curves`` or ``shapes`` as they are.

    Parameters
    ----------
    width : float
        In inches; the triangle has equal sides, and the panel the height that it needs.
    corners : sequence of str
        What stands at the corners.
    colors : sequence of str, optional
        Of these texts, where items are coloured.
    thirds : bool
        Whether dashed lines part the thirds in which an item is the most probable.

    Returns
    -------
    fig : matplotlib.figure.Figure
    ax : matplotlib.axes.Axes
        Without a box; a unit is the side of the triangle.

    Examples
    --------
    >>> from softmaxnotes.figures import figure, law
    >>> fig, ax = simplex_panel()
    >>> laws = [[1, 0, 0], [0.2, 0.3, 0.5]]
    >>> _ = ax.plot(*on_simplex(laws), **law("model"))
    >>> shown = figure(fig, name="a-way", curves=[laws], caption="A way.", alt="A line from corner 1.")

    A law that is drawn elsewhere is refused:

    >>> figure(fig, name="a-way", curves=[[[1, 0, 0], [0.3, 0.2, 0.5]]], caption="A way.", alt="A line.")
    Traceback (most recent call last):
        ...
    ValueError: figure 'a-way': line 1 is drawn at (0.55, 0.433013), where (0.45, 0.433013) was expected
    """
    height = np.sqrt(0.75)
    beside, above = 0.06, 0.09  # room for the corners
    fig, ax = panel(width, width * (height + 2 * above) / (1 + 2 * beside))
    fig.set_layout_engine("none")
    ax.set_position((0, 0, 1, 1))
    ax.set(xlim=(-beside, 1 + beside), ylim=(-above, height + above), aspect="equal")
    ax.set_axis_off()
    ax.is_simplex = True
    thin = guide() | {"color": INK, "zorder": 1}
    if thirds:
        for k in range(3):
            middle = np.full(3, 0.5)
            middle[k] = 0
            dashed = thin | {"linestyle": (0, (4, 3)), "linewidth": 0.7}
            ax.plot(*on_simplex([np.full(3, 1 / 3), middle]), **dashed)
    edge = on_simplex(np.eye(3)[[0, 1, 2, 0]])
    ax.plot(*edge, **thin | {"linewidth": 1, "solid_joinstyle": "miter"})
    places = [(0, -0.02), (1, -0.02), (0.5, height + 0.02)]
    sides = [("center", "top"), ("center", "top"), ("center", "bottom")]
    for at, (across, up), text, color in zip(places, sides, corners, colors or (INK,) * 3):
        look = {"fontweight": "bold", "fontsize": 12} if colors else {}
        ax.text(*at, text, ha=across, va=up, color=color, **look)
    return fig, ax


# -- Trees -------------------------------------------------------------------------------------------------


def _depths(parents):
    depths = []
    for node, parent in enumerate(parents):
        if parent is not None and not 0 <= parent < node:
            raise ValueError(f"a tree: the parent of node {node} must come before it, got {parent}")
        depths.append(0 if parent is None else depths[parent] + 1)
    return np.array(depths)


def tree_layout(parents, weights):
    """Where the nodes of a tree begin and end if a child takes its share of its parent's width.

    Parameters
    ----------
    parents : sequence of int or None
        For each node the number of its parent, which comes before it; None for the root.
    weights : array_like, shape (n,)
        Children must add up to their parent.

    Returns
    -------
    starts, ends : numpy.ndarray, shape (n,)
    depths : numpy.ndarray of int, shape (n,)

    Raises
    ------
    ValueError
        If a parent does not come before its child, or children do not add up to their parent.

    Examples
    --------
    >>> tree_layout([None, 0, 0, 1, 1], [1, 0.6, 0.4, 0.5, 0.1])[0].tolist()
    [0.0, 0.0, 0.6, 0.0, 0.5]
    """
    weights, depths = np.asarray(weights, float), _depths(parents)
    starts, filled = np.zeros(len(weights)), np.zeros(len(weights))
    roots = 0.0
    for node, parent in enumerate(parents):
        if parent is None:
            starts[node], roots = roots, roots + weights[node]
        else:
            starts[node] = starts[parent] + filled[parent]
            filled[parent] += weights[node]
    for node in {parent for parent in parents if parent is not None}:
        if abs(filled[node] - weights[node]) > 1e-9 * max(1, abs(weights[node])):
            raise ValueError(f"a tree: the children of node {node} add up to {filled[node]:.6g}, "
                             f"it has {weights[node]:.6g}")
    return starts, starts + weights, depths


def tree_panel(parents, *, keys=None, weights=None, chosen=(), labels=None, width=3.4, height=3.0,
               color=BLUE):
    """A panel with a tree, its root at the top: nodes over their keys, or boxes as wide as their weights.

    What is drawn is one shape; in ``shapes`` its counterpart is the array of keys, or of weights.

    Parameters
    ----------
    parents : sequence of int or None
        For each node the number of its parent, which comes before it; None for the root.
    keys : array_like, shape (n,)
        Abscissas of the nodes, which lines join.
    weights : array_like, shape (n,)
        In place of keys: a box for each node, above those of its children, which add up to it.
    chosen : iterable of int
        The nodes that are filled with the colour; others are open, or grey boxes.
    labels : sequence of str, optional
        A text in each node; a box that is too narrow stays empty.
    width, height : float
        Of the panel, in inches.
    color : str

    Returns
    -------
    fig : matplotlib.figure.Figure
    ax : matplotlib.axes.Axes
        The ordinate of a node is its depth, downwards.

    Raises
    ------
    ValueError
        Unless there is one of keys and weights, for each node; and as :func:`tree_layout`.

    Examples
    --------
    >>> from softmaxnotes.figures import figure
    >>> fig, ax = tree_panel([None, 0, 0], weights=[1, 0.6, 0.4], chosen=[0, 1], labels="1ab")
    >>> shown = figure(fig, name="tree", shapes=[[1, 0.6, 0.4]], caption="Shares.", alt="Three boxes.")
    >>> figure(fig, name="tree", shapes=[[1, 0.5, 0.5]], caption="Shares.", alt="Three boxes.")
    Traceback (most recent call last):
        ...
    ValueError: figure 'tree': the tree is drawn at 0.6 for the node 1, where 0.5 was expected
    """
    drawn = keys if weights is None else weights
    if (keys is None) == (weights is None) or len(drawn) != len(parents):
        raise ValueError("a tree: expected keys or weights, one for each node")
    drawn, depths, chosen = np.asarray(drawn, float), _depths(parents), set(chosen)
    texts = [""] * len(drawn) if labels is None else list(labels)
    fig, ax = panel(width, height)
    ax.spines["left"].set_visible(False)
    ax.set(yticks=[], ylim=(depths.max() + 0.5, -0.5))
    if weights is not None:
        ax.spines["bottom"].set_visible(False)
        starts, ends, _ = tree_layout(parents, drawn)
        ax.set(xticks=[], xlim=(0, ends.max()))
        inches = width / ends.max()
        for node, depth in enumerate(depths):
            full = node in chosen
            look = {"facecolor": color if full else "0.6", "linewidth": 0, "gid": "guide"}
            ax.add_patch(Rectangle((starts[node], depth - 0.33), drawn[node], 0.66, **look,
                                   alpha=0.85 if full else 0.4))
            if parents[node] is not None:  # what it takes of its parent
                ax.add_patch(Rectangle((starts[node], depth - 0.67), drawn[node], 0.34, **look,
                                       alpha=0.25 if full else 0.1))
                ax.plot([starts[node]] * 2, [depth - 0.67, depth + 0.33], **guide() | {"alpha": 0.5})
            if drawn[node] * inches > 0.12 * max(1, len(texts[node])):
                ax.text(starts[node] + drawn[node] / 2, depth, texts[node], ha="center", va="center_baseline",
                        color="white" if full else INK)
    else:
        joins = [node for node, parent in enumerate(parents) if parent is not None]
        for full in (False, True):
            segments = [[(drawn[parents[node]], depths[parents[node]]), (drawn[node], depths[node])]
                        for node in joins if (node in chosen) is full]
            look = {"color": color, "linewidth": 2} if full else {"color": "0.5", "linewidth": 0.9}
            ax.add_collection(LineCollection(segments, gid="guide", zorder=1 + full, **look))
            nodes = [node for node in range(len(drawn)) if (node in chosen) is full]
            ax.plot(drawn[nodes], depths[nodes], linestyle="none", marker="o", gid="guide", zorder=4,
                    markersize=15 if full and labels is not None else 6, color=color if full else "0.5",
                    markerfacecolor=color if full else "none")
        for node in range(len(drawn)):
            if labels is not None and node in chosen:
                ax.text(drawn[node], depths[node], texts[node], ha="center", va="center_baseline",
                        color="white", zorder=5)
        ax.autoscale_view()
        ax.margins(x=0.08)
    ax.tree = drawn
    return fig, ax


__all__ = ["Arrows", "Thumbnail", "arrows", "band", "bars", "field", "is_simplex", "points", "simplex_panel",
           "thumbnail", "tree_layout", "tree_panel"]
