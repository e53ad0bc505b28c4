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

What a colour or a mark means is the same everywhere: :func:`law`, :func:`item`, :func:`estimator`,
:func:`mark`.

On the site a figure may have knobs (:func:`interactive`). There is no second picture for that:
the reader's browser moves what was drawn here, so axes, labels and colours stay as they are.
"""

from softmaxnotes.figures.drawing import (
    arrows,
    band,
    bars,
    field,
    simplex_panel,
    thumbnail,
    tree_layout,
    tree_panel,
)
from softmaxnotes.figures.knobs import Choice, Slider, interactive
from softmaxnotes.figures.races import race_figure
from softmaxnotes.figures.shown import Figure, figure, heading
from softmaxnotes.figures.style import (
    BLUE,
    COLOURS,
    DASHES,
    GREEN,
    INK,
    LAVENDER,
    OCHRE,
    PINK,
    VERMILION,
    curve,
    estimator,
    guide,
    item,
    law,
    mark,
    on_simplex,
    panel,
)

__all__ = [
    "BLUE", "COLOURS", "DASHES", "GREEN", "INK", "LAVENDER", "OCHRE", "PINK", "VERMILION",
    "Choice", "Figure", "Slider", "arrows", "band", "bars", "curve", "estimator", "field", "figure", "guide",
    "heading", "interactive", "item", "law", "mark", "on_simplex", "panel", "race_figure", "simplex_panel",
    "thumbnail", "tree_layout", "tree_panel",
]
