"""What is drawn is compared with what it is said to be: lines, fillings, dots, arrows, fields, pictures."""

from __future__ import annotations

import numpy as np
from matplotlib.collections import FillBetweenPolyCollection, LineCollection, PathCollection, QuadMesh
from matplotlib.container import BarContainer
from matplotlib.contour import ContourSet
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Patch, Polygon, Rectangle, StepPatch
from matplotlib.spines import Spine

from softmaxnotes.figures.drawing import Arrows, Thumbnail, is_simplex, points


def compare(name, panels, curves, shapes):
    """Refuse a line or a shape that is not what it is said to be."""
    lines, others = [], []
    for ax in (ax for fig in panels for ax in all_axes(fig.axes)):
        drawn = [artist for artist in _data(ax) if artist.get_gid() != "guide"]
        lines += [(ax, artist) for artist in drawn if isinstance(artist, Line2D)]
        others += [(ax, shape) for shape in _shapes(ax, drawn)]
        if {"band", "bars"} <= {getattr(artist, "spread", "") for artist in drawn}:
            raise ValueError(f"figure {name!r}: a panel has a band or bars of errors, never both")
    if len(lines) != len(curves):
        raise ValueError(f"figure {name!r}: {len(lines)} lines are drawn, "
                         f"and curves says what {len(curves)} are")
    if len(others) != len(shapes):
        kinds = ", ".join(_kind(shape) for _, shape in others)
        raise ValueError(f"figure {name!r}: {len(others)} shapes are drawn{': ' * bool(kinds)}{kinds}; "
                         f"and shapes says what {len(shapes)} are")
    for number, ((ax, line), said) in enumerate(zip(lines, curves), start=1):
        label = line.get_label()
        which = f"line {number}" if label.startswith("_") else f"the line {label!r}"
        _line(f"figure {name!r}: {which}", ax, line, said)
    for (ax, shape), said in zip(others, shapes):
        _shape(name, ax, shape, said)


def all_axes(found):
    """The axes, and those that stand in them."""
    for ax in found:
        yield ax
        yield from all_axes(ax.child_axes)


def _data(ax):
    """What was drawn on the axes, in order, without what belongs to the axes."""
    for artist in ax.get_children():
        own = isinstance(artist, Spine) or artist is ax.patch
        if isinstance(artist, Line2D | Patch | AxesImage | Thumbnail | Arrows) and not own:
            yield artist
        elif hasattr(artist, "get_paths"):  # a collection
            yield artist


def _shapes(ax, drawn):
    """What is no line; the bars of one call are one shape, and so is a tree."""
    owner = {id(patch): bars for bars in ax.containers if isinstance(bars, BarContainer) for patch in bars}
    seen = []
    for artist in drawn:
        shape = owner.get(id(artist), artist)
        if not isinstance(shape, Line2D) and not any(shape is other for other in seen):
            seen.append(shape)
    return seen + ([_Tree(ax.tree)] if hasattr(ax, "tree") else [])


class _Tree:
    def __init__(self, values):
        self.values = values


_KINDS = {
    _Tree: "tree", BarContainer: "bars", FillBetweenPolyCollection: "filling", ContourSet: "contours",
    Arrows: "arrows", Thumbnail: "picture", PathCollection: "dots", LineCollection: "strokes",
    QuadMesh: "field", AxesImage: "field", StepPatch: "steps", Polygon: "polygon", Rectangle: "rectangle",
}


def _kind(shape):
    return next((word for kind, word in _KINDS.items() if isinstance(shape, kind)), type(shape).__name__)


def _close(drawn, expected):
    return np.isclose(drawn, expected, rtol=1e-6, atol=1e-9, equal_nan=True)


def _values(what, at, drawn, said, place="the abscissa"):
    """Numbers, each at its place, against a function of the place, an array, or one number for all."""
    expected = np.asarray(said(at) if callable(said) else said, float)
    if expected.ndim == 0:
        expected = np.full(drawn.shape, float(expected))
    if expected.shape != drawn.shape:
        raise ValueError(f"{what} has {drawn.size} points, its counterpart {expected.size}")
    wrong = ~_close(drawn, expected)
    if wrong.any():
        first = int(np.argmax(wrong))
        raise ValueError(f"{what} is drawn at {drawn[first]:.6g} for {place} {at[first]:.6g}, "
                         f"where {expected[first]:.6g} was expected")


def _places(what, ax, drawn, said):
    """Points against points, or against laws on a simplex."""
    expected = np.asarray(said, float)
    try:
        expected = points(ax, expected)
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None
    if expected.shape != drawn.shape:
        raise ValueError(f"{what} has {len(drawn)} points, its counterpart {len(expected)}")
    wrong = ~_close(drawn, expected).all(axis=-1)
    if wrong.any():
        (x, y), (here, there) = drawn[np.argmax(wrong)], expected[np.argmax(wrong)]
        raise ValueError(f"{what} is drawn at ({x:.6g}, {y:.6g}), "
                         f"where ({here:.6g}, {there:.6g}) was expected")


def _either(what, ax, drawn, said):
    """Points against points, or their ordinates against a function or an array."""
    if callable(said) or np.ndim(said) < 2:
        if is_simplex(ax):
            raise ValueError(f"{what} is on a simplex: its counterpart is laws (n, 3), or points (n, 2)")
        if np.ndim(said) == 0 and not callable(said):
            raise ValueError(f"{what}: its counterpart is a function or an array, got {said!r}")
        _values(what, drawn[:, 0], drawn[:, 1], said)
    else:
        _places(what, ax, drawn, said)


def _line(what, ax, line, said):
    xy = np.stack([np.asarray(data, float) for data in line.get_data(orig=True)], axis=-1)
    seen = {tuple(point) for point in xy if np.isfinite(point).all()}
    if len(seen) == 1 and line.get_marker() in (None, "", " ", "None", "none"):
        raise ValueError(f"{what} is one point without a marker: it is not seen")
    _either(what, ax, xy, said)


def _pair(what, said):
    if not isinstance(said, tuple | list) or len(said) != 2:
        raise ValueError(f"{what}: its counterpart is a pair, got {type(said).__name__}")
    return said


def _shape(name, ax, shape, said):
    label = shape.get_label() if hasattr(shape, "get_label") else ""
    what = f"figure {name!r}: the {_kind(shape)}" + (f" {label!r}" if label and label[0] != "_" else "")
    if isinstance(shape, _Tree):
        _values(what, np.arange(len(shape.values)), shape.values, said, "the node")
    elif isinstance(shape, Thumbnail):
        _places(what, ax, shape.at[None], np.asarray(said, float)[None])
    elif isinstance(shape, BarContainer):
        _bars(what, shape, said)
    elif isinstance(shape, FillBetweenPolyCollection):
        _filling(what, shape, said)
    elif isinstance(shape, Arrows):
        starts, ends = _pair(what, said)
        _places(what, ax, shape.starts, starts)
        _places(what, ax, shape.ends, ends)
    elif isinstance(shape, ContourSet):
        _contours(what, shape, said)
    elif isinstance(shape, PathCollection):
        _either(what, ax, np.ma.filled(np.ma.asarray(shape.get_offsets(), float), np.nan), said)
    elif isinstance(shape, LineCollection):
        _strokes(what, shape, said)
    elif isinstance(shape, AxesImage | QuadMesh):
        drawn = np.ma.filled(np.ma.asarray(getattr(shape, "values", shape.get_array()), float), np.nan)
        expected = np.asarray(said, float)
        if expected.shape != drawn.shape or not _close(drawn, expected).all():
            raise ValueError(f"{what} is not its counterpart")
    elif isinstance(shape, StepPatch):
        heights, edges, _ = shape.get_data()
        _values(what, (edges[1:] + edges[:-1]) / 2, np.asarray(heights, float), said)
    elif isinstance(shape, Polygon):
        _places(what, ax, shape.get_xy()[:-1] if shape.get_closed() else shape.get_xy(), said)
    elif isinstance(shape, Rectangle):
        _places(what, ax, shape.get_corners(), said)
    else:
        instead = "arrows(ax, …)" if isinstance(shape, FancyArrowPatch) else "ax.fill, or an array of points"
        raise ValueError(f"{what} cannot be compared: draw it with {instead}, "
                         'or with gid="guide" if it is no data')


def _bars(what, shape, said):
    across = shape.orientation == "horizontal"
    boxes = [bar.get_bbox() for bar in shape]
    ends = np.array([box.intervalx if across else box.intervaly for box in boxes], float)
    at = np.array([sum(box.intervaly if across else box.intervalx) / 2 for box in boxes])
    low, high = (0, said) if callable(said) or not isinstance(said, tuple) else _pair(what, said)
    _values(what, at, ends[:, 0], low, "the foot at")
    _values(what, at, ends[:, 1], high, "the bar at")


def _filling(what, shape, said):
    low, high = _pair(what, said)
    pieces = []
    for path in shape.get_paths():
        corners = path.vertices[:-1]  # the last closes it
        half = len(corners) // 2 - 1  # start, n points there, end, n points back
        pieces.append((corners[1 : half + 1], corners[half + 2 : 2 * half + 2][::-1]))
    if not pieces:
        raise ValueError(f"{what} is empty")
    for edge, expected in zip(map(np.concatenate, zip(*pieces)), (low, high)):
        x, y = edge.T if shape.t_direction == "x" else edge[:, ::-1].T
        if not callable(expected) and np.ndim(expected):  # what was left out is NaN in the array
            expected = np.asarray(expected, float)
            expected = expected if len(expected) == len(y) else expected[~np.isnan(expected)]
        _values(what, x, y, expected)


def _contours(what, shape, said):
    """Their points are interpolated on the grid: they may miss by a twentieth of the step between levels."""
    if not callable(said):
        raise ValueError(f"{what}: their counterpart is a function of two variables")
    levels = np.asarray(shape.levels, float)
    slack = np.diff(levels).min() / 20 if len(levels) > 1 else (shape.zmax - shape.zmin) / 200
    if shape.filled:
        raise ValueError(f"{what} are filled: draw a field and its contour lines")
    for level, path in zip(levels, shape.get_paths()):
        if len(path.vertices):
            found = np.asarray(said(*path.vertices.T), float)
            worst = np.argmax(abs(found - level))
            if not abs(found - level).max() <= slack:
                x, y = path.vertices[worst]
                raise ValueError(f"{what}: the level {level:.6g} is drawn at ({x:.6g}, {y:.6g}), "
                                 f"where {found[worst]:.6g} was expected")


def _strokes(what, shape, said):
    segments = shape.get_segments()
    upright = all(len(s) == 2 and s[0][0] == s[1][0] for s in segments)
    if upright and isinstance(said, tuple):
        low, high = _pair(what, said)
        x, ends = np.array([s[0][0] for s in segments]), np.array([s[:, 1] for s in segments])
        _values(what, x, ends[:, 0], low)
        _values(what, x, ends[:, 1], high)
    else:
        drawn = np.array([point for segment in segments for point in segment])
        expected = np.array([point for segment in said for point in segment], float)
        if drawn.shape != expected.shape or not _close(drawn, expected).all():
            raise ValueError(f"{what} are not their counterpart")
