"""One figure of each kind that the machinery knows, and one in which all that can move moves.

``python tests/figures/gallery.py FILE.html`` writes them for the eye.
"""

import sys
from pathlib import Path

import numpy as np

from softmaxnotes.figures import (
    GREEN,
    Slider,
    arrows,
    band,
    bars,
    estimator,
    field,
    figure,
    guide,
    heading,
    interactive,
    item,
    law,
    mark,
    on_simplex,
    panel,
    simplex_panel,
    thumbnail,
    tree_panel,
)
from softmaxnotes.softmax import softmax

ASSETS = Path(__file__).resolve().parents[2] / "book" / "_assets"
X = np.linspace(-2, 2, 41)
FLAG = np.eye(4)


def laws_and_estimators():
    left, ax = panel()
    for number, name in enumerate(("truth", "model", "noise", "wrong")):
        ax.plot(X, np.exp(-((X - number / 3) ** 2)), label=name, **law(name))
    band(ax, X, np.exp(-((X - 1) ** 2)), np.exp(-((X - 1.4) ** 2)), hatch="////", **law("wrong"))
    ax.legend()
    right, ax = panel()
    names = ("exact", "score", "leave-one-out", "pathwise", "relaxation", "swap")
    for number, name in enumerate(names):
        ax.plot(X, X + number, label=name, **estimator(name))
    ax.set(xlabel=r"parameter $\theta_k$", ylabel=r"$f(z)\,\partial_\mu\log p(z)$", title="slopes")
    ax.legend(ncols=2)
    curves = [np.exp(-((X - number / 3) ** 2)) for number in range(4)] + [X + number for number in range(6)]
    return figure(left, right, name="laws", curves=curves,
                  shapes=[(np.exp(-((X - 1) ** 2)), np.exp(-((X - 1.4) ** 2)))],
                  caption="Laws and estimators.", alt="Many lines.")


def marks_and_bands():
    left, ax = panel()
    kinds = ("sampled", "exact", "mean", "before", "after", "chosen", "tick")
    for number, kind in enumerate(kinds):
        for k in (1, 2, 3):
            ax.plot(number, k, **mark(kind, **item(k)))
    ax.set(xticks=range(7), xticklabels=kinds, yticks=[1, 2, 3])
    ax.tick_params(axis="x", rotation=30)
    curves = [[k] for number in range(7) for k in (1, 2, 3)]
    middle, ax = panel()
    band(ax, X, -(X**2), X**2, **law("model"))
    ax.plot(X, 0 * X, **law("truth"))
    right, ax = panel()
    bars(ax, [1, 2, 3], [1, 2, 1.5], [0.2, 0.3, 0.1])
    ax.plot([1, 2, 3], [1, 2, 1.5], **mark("mean"))
    image, ax = panel()
    z = np.outer(X, X)
    field(ax, z, extent=(-2, 2, -2, 2))
    contours = ax.contour(X, X, z, levels=[-2, -1, 1, 2], colors="0.5", linewidths=0.8, linestyles="-")
    ax.clabel(contours)
    return figure(left, middle, right, image, name="marks", curves=[*curves, 0 * X, [1, 2, 1.5]],
                  shapes=[(lambda x: -(x**2), np.square), ([0.8, 1.7, 1.4], [1.2, 2.3, 1.6]), z,
                          lambda x, y: x * y],
                  caption="Marks, a band, bars, a field.", alt="Four panels.")


def simplices():
    laws = np.array([softmax(np.array([2.0, 1, -0.5]) / T) for T in np.geomspace(0.1, 50, 60)])
    left, ax = simplex_panel()
    ax.plot(*on_simplex(laws), **law("model"))
    ax.plot(*on_simplex(laws[30:31]), **mark("chosen"))
    ax.fill(*on_simplex([[0.5, 0.3, 0.2], [0, 1, 0], [0, 0, 1]]), color=item(1)["color"], alpha=0.15)
    arrows(ax, [[0.5, 0.3, 0.2]] * 2, [[0.2, 0.6, 0.2], [0.3, 0.2, 0.5]], **law("wrong"))
    right, ax = simplex_panel(corners="385", colors=[item(k)["color"] for k in (1, 2, 3)])
    for k, where in enumerate(np.eye(3) * 0.4 + 0.2, start=1):
        thumbnail(ax, where, FLAG, color=item(k)["color"])
    return figure(left, right, name="simplices", curves=[laws, laws[30:31]],
                  shapes=[[[0.5, 0.3, 0.2], [0, 1, 0], [0, 0, 1]],
                          ([[0.5, 0.3, 0.2]] * 2, [[0.2, 0.6, 0.2], [0.3, 0.2, 0.5]]),
                          *(np.eye(3) * 0.4 + 0.2)],
                  caption="Simplices.", alt="Two triangles.")


PARENTS = [None, 0, 0, 0, 1, 1, 2, 2, 2]
WEIGHTS = [1, 0.57, 0.29, 0.14, 0.27, 0.3, 0.1, 0.12, 0.07]
KEYS = [2.0, -0.1, 2.0, -1.3, -0.1, -1.9, 2.0, 0.7, -2.2]


def trees():
    left, _ = tree_panel(PARENTS, weights=WEIGHTS, chosen=[0, 1, 2, 4, 6, 7], labels="1abcabab ")
    right, ax = tree_panel(PARENTS, keys=KEYS, chosen=[0, 1, 2, 4, 6, 7], labels=[*" abcabab", ""])
    ax.set_xlabel("key")
    return figure(left, right, name="trees", shapes=[WEIGHTS, KEYS], caption="Trees.", alt="Two trees.")


def moving():
    """Each kind once, at its place for s = 1; see MODULE."""
    fig, ax = panel()
    ax.plot([0, 1, 2], [0, 1, 0], gid="line", **law("truth"))
    ax.plot([0.5, 1.5], [0.5, 0.5], gid="dots", **mark("sampled", **item(2)))
    ax.fill([0, 1, 1], [0, 0, 1], gid="polygon", color=GREEN, alpha=0.3)
    band(ax, [0, 1, 2], [-1, -0.5, -1], [0, 0, 0], gid="band", **law("model"))
    arrows(ax, [[0, 1], [2, 1]], [[1, 2], [1, 1.5]], gid="arrows")
    thumbnail(ax, (1.5, 1.5), FLAG, gid="picture", color=item(1)["color"])
    ax.text(0.2, 1.6, "a text", gid="text")
    ax.axhline(0, **guide())
    ax.set(xlim=(-0.5, 3), ylim=(-1.2, 2.4))
    heading(fig, 's = <span data-label="s">1.0</span>')
    still = figure(
        fig, name="moving", curves=[[0, 1, 0], [[0.5, 0.5], [1.5, 0.5]]],
        shapes=[[[0, 0], [1, 0], [1, 1]], ([-1, -0.5, -1], 0), ([[0, 1], [2, 1]], [[1, 2], [1, 1.5]]),
                (1.5, 1.5)],
        caption="All that moves.", alt="One of each.")
    controls = [Slider("s", "how far", 0, 2, step=0.1, value=1),
                Slider("T", "temperature", -1, 1, step=0.5, value=0, log=True)]
    return interactive(still, module="moving", controls=controls, data={"extra": 3})


MODULE = """
softmaxFigures.moving = {
  compute: ({ s, T }) => ({ s, T }),
  draw: ({ s, T }) => ({
    line: [[0, 1, 2], [0, s, 0], { opacity: s === 1 ? 1 : 0.5 }],
    dots: s > 1.5 ? [[0.5, NaN, 2.5], [0.5, 0.5, s]] : [[0.5, 1.5], [0.5 * s, 0.5]],
    polygon: [[0, 1, 1], [0, 0, s], { opacity: 1 }],
    band: [[0, 1, 2], [-1, -0.5 * s, -1], [0, 0, 0]],
    arrows: [[[0, 1], [2, 1]], [[1, 2 * s], [s === 0 ? 2 : 1, s === 0 ? 1 : 1.5]]],
    picture: [[1.5], [1.5 * s]],
    text: [[0.2 * s], [1.6]],
    s: s.toFixed(1),
  }),
  describe: ({ s }) => `s is ${s}`,
};
"""


def page(*figures, ground="#fff", ink="#111"):
    """The figures on a page by themselves, with their scripts."""
    html = "\n".join(shown._repr_mimebundle_()[0]["text/html"] for shown in figures)
    script = (ASSETS / "interactive.js").read_text()
    style = (ASSETS.parents[1] / "tools/theme/book.css").read_text()
    return f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Figures</title>
<meta name="viewport" content="width=device-width"><style>{style}
html {{ --pst-color-text-base: {ink};
  --paper: {ground}; --pst-color-background: {ground}; --pst-color-text-muted: #888; }}
body {{ background: {ground}; color: {ink}; font: 16px/1.5 sans-serif; max-width: 60rem; margin: 1rem auto; }}
</style><main class="bd-content">{html}</main><script>{script}</script><script>{MODULE}</script></html>"""


ALL = (laws_and_estimators, marks_and_bands, simplices, trees, moving)

if __name__ == "__main__":
    for name, colours in (("light", {}), ("dark", {"ground": "#121212", "ink": "#ddd"})):
        target = Path(sys.argv[1]).with_suffix(f".{name}.html")
        target.write_text(page(*(make() for make in ALL), **colours), "utf8")
