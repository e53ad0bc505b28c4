"""softmaxnotes.figures: whatever shows data is compared, and what is drawn elsewhere is refused."""

import re

import gallery
import numpy as np
import pytest

from softmaxnotes.figures import (
    arrows,
    band,
    bars,
    field,
    figure,
    guide,
    mark,
    on_simplex,
    panel,
    simplex_panel,
    thumbnail,
    tree_layout,
    tree_panel,
)

X = np.linspace(0, 2, 21)
LAWS = np.array([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1], [0, 1, 0]])
PARENTS, WEIGHTS = [None, 0, 0, 1, 1], [1, 0.6, 0.4, 0.5, 0.1]


def shown(fig, *, curves=(), shapes=()):
    return figure(fig, name="test", curves=curves, shapes=shapes, caption="A test.", alt="A test.")


@pytest.mark.parametrize("make", gallery.ALL, ids=lambda make: make.__name__)
def test_the_gallery(make):
    once, again = (make()._repr_mimebundle_()[0]["text/html"] for _ in range(2))
    assert once == again
    ids = re.findall(r'\bid="([^"]*)"', once)
    assert len(ids) == len(set(ids))


# Each: what is drawn, its counterpart, and wrong ones with the message that they must get.

DRAWN = {
    "band": (lambda ax: band(ax, X, np.sin(X), X**2 + 1),
             (np.sin, lambda x: x**2 + 1), {
                 "drawn at 1 for the abscissa 0, where 2 was expected": (np.sin, lambda x: x**2 + 2),
                 "drawn at 0 for the abscissa 0, where 1": (np.cos, lambda x: x**2 + 1),
                 "its counterpart is a pair": np.sin,
                 "has 21 points, its counterpart 20": (np.sin(X)[1:], X**2 + 1)}),
    "band of arrays": (lambda ax: band(ax, X, 0, X), (0, X), {
        "was expected": (0, X + 1e-3), "at 0 ": (1, X)}),
    "filling in two pieces": (
        lambda ax: ax.fill_between(X, 0, X, where=(X < 0.5) | (X > 1)),
        (0, np.where((X < 0.5) | (X > 1), X, np.nan)), {
            "its counterpart": (0, np.where((X < 0.7) | (X > 1), X, np.nan)),
            "was expected": (0, np.where((X < 0.5) | (X > 1), 2 * X, np.nan))}),
    "filling, upright": (lambda ax: ax.fill_betweenx(X, 0, X**2), (0, np.square), {"expected": (0, np.sin)}),
    "strokes": (lambda ax: bars(ax, [1, 2], [3, 4], [1, 0.5]), ([2, 3.5], [4, 4.5]), {
        "drawn at 4.5 for the abscissa 2, where 5": ([2, 3.5], [4, 5]), "at 3.5": ([2, 3], [4, 4.5])}),
    "bars": (lambda ax: ax.bar([1, 2], [3, 4]), [3, 4], {
        "the bar at 2, where 5 was": [3, 5], "the foot at 1, where 1 was": ([1, 0], [3, 4]),
        "has 2 points, its counterpart 3": [3, 4, 5]}),
    "bars on bars": (lambda ax: ax.barh([1, 2], [3, 4], left=[1, 2]), ([1, 2], [4, 6]), {
        "foot": [4, 6], "bar": ([1, 2], [4, 5])}),
    "dots": (lambda ax: ax.scatter([1, 2], [3, 4]), [[1, 3], [2, 4]], {
        r"\(2, 4\), where \(2, 5\) was expected": [[1, 3], [2, 5]],
        r"\(2, 4\), where \(2.1, 4\)": [[1, 3], [2.1, 4]],
        "drawn at 3 for the abscissa 1, where 4": [4, 4], "got shape": [[1, 2, 3]]}),
    "dots on a curve": (lambda ax: ax.scatter(X, X**2), np.square, {"was expected": np.sin}),
    "polygon": (lambda ax: ax.fill([0, 1, 1], [0, 0, 1]), [[0, 0], [1, 0], [1, 1]], {
        r"\(1, 1\), where \(1, 2\)": [[0, 0], [1, 0], [1, 2]], "has 3 points": [[0, 0], [1, 0]]}),
    "arrows": (lambda ax: arrows(ax, [[0, 0]], [[1, 2]]), ([[0, 0]], [[1, 2]]), {
        r"\(1, 2\), where \(2, 1\)": ([[0, 0]], [[2, 1]]), r"\(0, 0\), where": ([[1, 0]], [[1, 2]])}),
    "picture": (lambda ax: thumbnail(ax, (0.5, 1), np.eye(3)), (0.5, 1), {"where": (0.5, 2)}),
    "field": (lambda ax: field(ax, np.outer(X, X), extent=(0, 1, 0, 1)), np.outer(X, X), {
        "the field is not its counterpart": np.outer(X, X).T + 1e-3}),
    "image": (lambda ax: ax.imshow(np.outer(X, X)), np.outer(X, X), {
        "not its counterpart": np.outer(X, X[:-1])}),
    "contours": (
        lambda ax: ax.contour(X, X, np.add.outer(X**2, X), levels=[1, 2]), lambda x, y: x + y**2, {
        "the level 1 is drawn at": lambda x, y: x**2 + y, "function of two variables": np.ones(3)}),
    "steps": (lambda ax: ax.stairs([1, 2], [0, 1, 2], fill=True), [1, 2], {"where 3": [1, 3]}),
    "a simplex": (lambda ax: ax.scatter(*on_simplex(LAWS)), LAWS, {
        "is drawn at": LAWS[:, [1, 0, 2]], "is on a simplex": np.square, "adds up to 1": LAWS + 0.01,
        "has 3 points, its counterpart 2": LAWS[:2]}),
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_shape_and_wrong_ones(name):
    draw, right, wrong = DRAWN[name]
    fig, ax = (simplex_panel if name == "a simplex" else panel)()
    draw(ax)
    shown(fig, shapes=[right])
    with pytest.raises(ValueError, match=r"1 shapes are drawn: .*shapes says what 0 are"):
        shown(fig)
    with pytest.raises(ValueError, match=r"1 shapes are drawn: .*shapes says what 2 are"):
        shown(fig, shapes=[right, right])
    for message, other in wrong.items():
        with pytest.raises(ValueError, match=message):
            shown(fig, shapes=[other])


def test_lines_are_points_or_laws_as_well():
    fig, ax = panel()
    circle = np.stack([np.cos(X), np.sin(X)], axis=-1)
    ax.plot(*circle.T)
    shown(fig, curves=[circle])
    shown(fig, curves=[circle[:, 1]])
    with pytest.raises(ValueError, match=r"line 1 is drawn at \(1, 0\), where \(0, 1\) was expected"):
        shown(fig, curves=[circle[:, ::-1]])
    fig, ax = simplex_panel()
    ax.plot(*on_simplex(LAWS))
    ax.plot(*on_simplex(LAWS), label="dots", **mark("exact"))
    shown(fig, curves=[LAWS, LAWS])
    with pytest.raises(ValueError, match="the line 'dots' is drawn at"):
        shown(fig, curves=[LAWS, LAWS[::-1]])


def test_what_is_drawn_in_an_inset_or_beside_is_compared():
    fig, ax = panel()
    ax.inset_axes([0.5, 0.5, 0.4, 0.4]).plot(X, X)
    ax.twinx().bar([1, 2], [3, 4])
    shown(fig, curves=[X], shapes=[[3, 4]])
    with pytest.raises(ValueError, match="1 lines are drawn"):
        shown(fig, shapes=[[3, 4]])


def test_guides_and_words_are_left_out():
    fig, ax = panel()
    ax.axhline(0, **guide())
    ax.axvspan(0, 1, gid="guide")
    ax.text(0, 0, "word")
    ax.annotate("here", (0, 0), (1, 1), arrowprops={"arrowstyle": "-"})
    ax.plot(X, X, label="line")
    ax.legend()
    shown(fig, curves=[X])


def test_what_cannot_be_compared_is_refused():
    from matplotlib.patches import Ellipse, FancyArrowPatch

    for patch, message in ((Ellipse((0, 0), 1, 2), "draw it with ax.fill"),
                           (FancyArrowPatch((0, 0), (1, 1)), r"draw it with arrows\(ax")):
        fig, ax = panel()
        ax.add_patch(patch)
        with pytest.raises(ValueError, match=f"cannot be compared: {message}"):
            shown(fig, shapes=[None])
        patch.set_gid("guide")
        shown(fig)


def test_a_panel_has_a_band_or_bars():
    fig, ax = panel()
    band(ax, X, 0, 1)
    bars(ax, [1], [1], [1])
    with pytest.raises(ValueError, match="a band or bars of errors, never both"):
        shown(fig, shapes=[(0, 1), ([0], [2])])


def test_trees():
    for what in ({"weights": WEIGHTS}, {"keys": WEIGHTS}):
        fig, _ = tree_panel(PARENTS, **what)
        shown(fig, shapes=[WEIGHTS])
        with pytest.raises(ValueError, match="the tree is drawn at 0.1 for the node 4, where 0.2"):
            shown(fig, shapes=[[*WEIGHTS[:4], 0.2]])
    with pytest.raises(ValueError, match="the children of node 1 add up to 0.7, it has 0.6"):
        tree_panel(PARENTS, weights=[1, 0.6, 0.4, 0.5, 0.2])
    with pytest.raises(ValueError, match="the parent of node 1 must come before it, got 2"):
        tree_layout([None, 2, 0], [1, 0.5, 0.5])
    for wrong in ({}, {"keys": WEIGHTS, "weights": WEIGHTS}, {"keys": WEIGHTS[1:]}):
        with pytest.raises(ValueError, match="keys or weights, one for each node"):
            tree_panel(PARENTS, **wrong)
    starts, ends, depths = tree_layout(PARENTS, WEIGHTS)
    assert np.allclose(starts, [0, 0, 0.6, 0, 0.5]) and np.allclose(ends, [1, 0.6, 1, 0.5, 0.6])
    assert depths.tolist() == [0, 1, 1, 2, 2]


def test_boxes_of_a_tree_are_where_the_layout_says():
    fig, ax = tree_panel(PARENTS, weights=WEIGHTS)
    boxes = [patch for patch in ax.patches if np.isclose(patch.get_height(), 0.66)]
    assert np.allclose([(box.get_x(), box.get_width()) for box in boxes],
                       np.stack([tree_layout(PARENTS, WEIGHTS)[0], WEIGHTS], axis=-1))


def test_the_simplex():
    x, y = on_simplex(np.eye(3))
    assert np.allclose(x, [0, 1, 0.5]) and np.allclose(y, [0, 0, np.sqrt(0.75)])
    rng = np.random.default_rng(1)
    laws = rng.dirichlet(np.ones(3), 50)
    plane = np.stack(on_simplex(laws), axis=-1)
    # squared distances are half of those between the laws, whatever the corners
    for one, other in zip(laws, laws[1:]):
        here, there = np.stack(on_simplex([one, other]), axis=-1)
        assert np.isclose(np.sum((here - there) ** 2), np.sum((one - other) ** 2) / 2)
    corners = np.array([[0, 0], [1, 0], [0.5, np.sqrt(0.75)]])
    assert np.allclose(plane, laws @ corners)
    wrongs = {"shape .2,": [0.5, 0.5], "a sum of 1.5": [0.5, 0.5, 0.5], r"shape \(\)": 1}
    for message, wrong in wrongs.items():
        with pytest.raises(ValueError, match=message):
            on_simplex(wrong)


def test_pictures_and_fields():
    fig, ax = panel()
    for wrong in (np.eye(2) * 2, -np.eye(2), np.ones(3), [[np.nan]]):
        with pytest.raises(ValueError, match="a matrix of numbers from 0 to 1"):
            thumbnail(ax, (0, 0), wrong)
    with pytest.raises(ValueError, match="larger than top = 1"):
        field(ax, [[2]], extent=(0, 1, 0, 1), top=1)
    image = field(ax, [[1, -1, 0]], extent=(0, 1, 0, 1), top=2)
    assert np.allclose(image.get_array()[0, :, 3], [0.5, 0.5, 0])


@pytest.mark.parametrize(("name", "message"), [("model ", "truth, model, noise, wrong"), ("", "got ''")])
def test_words_that_are_not_in_the_vocabulary(name, message):
    from softmaxnotes.figures import estimator, law

    with pytest.raises(ValueError, match=message):
        law(name)
    with pytest.raises(ValueError, match="exact, score"):
        estimator(name)
    with pytest.raises(ValueError, match="sampled, after"):
        mark(name)
