"""softmaxnotes.figures.svg: text stays text, in the type of the page, and formulas in that of formulas."""

import re

import pytest

from softmaxnotes.figures import figure, law, panel
from softmaxnotes.figures.svg import svg


def texts(label, **style):
    """What stands in the SVG of a panel with a text: the text elements with the words, and all."""
    fig, ax = panel()
    ax.set_axis_off()
    ax.text(0.5, 0.5, label, **style)
    written = svg(fig, "it")
    return re.findall(r"<text ([^>]*)>(.*?)</text>", written), written


def plain(markup):
    return re.sub(r"<[^>]*>", "", markup)


@pytest.mark.parametrize(("label", "words"), [
    ("three words & <more>", "three words &amp; &lt;more&gt;"),
    ("time $T_i$ of the bell", "time Ti of the bell"),
    (r"$f(z)\,\partial_\mu\log p(z)$", "f(z)∂μlogp(z)"),
    (r"$\mathdefault{10^{-1}}$", "10−1"),
    (r"KL($p\|q$), $\Sigma\,\pi\ell\tau\leq\infty$", "KL(p∥q), Σπℓτ≤∞"),
    (r"$\theta = -0.5$", "θ=−0.5"),
])
def test_text_stays_text(label, words):
    (found,), written = texts(label)
    assert plain(found[1]) == words
    assert "<use" not in written and not re.search(r"@\d", written)


def test_letters_of_formulas_are_italic_and_the_rest_is_not():
    (found,), _ = texts(r"$f(\mu)$ here")
    types = re.findall(r"<tspan([^>]*)>([^<]*)", found[1])
    italic = "".join(text for style, text in types if "KaTeX_Math" in style and "italic" in style)
    roman = "".join(text for style, text in types if "KaTeX_Main" in style)
    assert (italic, roman) == ("fμ", "()")
    assert found[1].endswith(" here") or "KaTeX" not in types[-1][0]


def test_indices_go_down_and_come_back():
    (found,), _ = texts("$x_i^{}y$")
    steps = [float(step) for step in re.findall(r'dy="([^"]*)"', found[1])]
    assert steps[-2] > 0 and abs(sum(steps[-2:])) < 0.02


@pytest.mark.parametrize("label", [r"$\frac{1}{2}$", r"$\sqrt{x}$", r"$\hat y$", r"$\sum_k x_k$", "$x_i^2$"])
def test_what_stands_above_one_another_is_drawn(label):
    found, written = texts(label)
    assert not found and "<use" in written


@pytest.mark.parametrize(("ha", "anchor"), [("left", None), ("center", "middle"), ("right", "end")])
def test_text_keeps_its_side_though_its_type_has_other_widths(ha, anchor):
    places = set()
    for label in ("word", "a longer word"):
        (found,), _ = texts(label, ha=ha)
        assert (f"text-anchor:{anchor}" in found[0]) if anchor else ("text-anchor" not in found[0])
        places.add(re.search(r' ?x="([^"]*)"', found[0])[1])
    assert len(places) == 1


def test_turned_and_coloured_text():
    (found,), _ = texts("word", rotation=90, color="#0f7fc4", fontweight="bold", alpha=0.5)
    assert "rotate(-90)" in found[0] and "fill:#0f7fc4" in found[0] and "font-weight:700" in found[0]
    assert "opacity:0.5" in found[0]
    (found,), _ = texts("word", **{"color": law("truth")["color"]})
    assert "fill" not in found[0]  # the ink of the page


def test_titles_have_the_size_of_labels():
    fig, ax = panel()
    ax.set_title("a title")
    assert re.search(r'font-size:10px[^"]*">a title', svg(fig, "it"))


def test_the_page_may_say_how_large_an_inch_is():
    assert "width: calc(2.5 * var(--figure-inch, 6rem)); max-width: 100%" in svg(panel(2.5)[0], "it")


def test_a_panel_is_not_changed_by_being_drawn():
    fig, ax = panel()
    ax.set_title("a title")
    dpi = fig.dpi
    assert svg(fig, "it") == svg(fig, "it") and fig.dpi == dpi
    assert figure(fig, name="it", caption="It.", alt="It.")._svgs == [svg(fig, "it-1")]
