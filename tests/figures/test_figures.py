"""softmaxnotes.figures: what is drawn is what it is said to be, and what a figure with knobs tells the
browser.

The rest is tests/site/test_interactive.py.
"""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from proofread import sympy as sp
from proofread.numeric.arrays import values
from softmaxnotes.figures import Choice, Slider, figure, guide, interactive, panel

SLIDER = Slider("slope", "slope", -3, 3, step=0.5, value=2)


def drawn(gids=("line",), *, panels=1, scale="linear", x=(0, 1, np.nan, 2), y=(0, 2, np.nan, 4), **style):
    figures = []
    for _ in range(panels):
        fig, ax = panel()
        for gid in gids:
            ax.plot(x, y, gid=gid, **style)
        ax.set_xscale(scale)
        figures.append(fig)
    curves = [np.array(y, float)] * (panels * len(gids))
    return figure(*figures, name="slope-2", curves=curves, caption="A <b>line</b>.", alt='A "line" & more.',
                  rows=["S0-001"])


def live(still=None, *, module="slope", controls=(SLIDER,), data=None):
    return interactive(still or drawn(), module=module, controls=controls, data=data)


def bundle(shown):
    data, metadata = shown._repr_mimebundle_()
    return data["text/html"], data["text/plain"], metadata


def attributes(shown):
    """Of the figure, as a browser reads them."""
    found = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: found.append(dict(attrs)) if tag == "figure" else None
    parser.feed(bundle(shown)[0])
    (one,) = found
    return one


def test_a_minus_in_a_caption_is_no_hyphen():
    shown = figure(panel()[0], name="cold", caption="From -3 to <i>x</i>-1, <b>-.5</b>.",
                   alt="It is at -1e-3.")
    page, plain, _ = bundle(shown)
    assert "From −3 to <i>x</i>−1, <b>−.5</b>." in page
    assert plain == "It is at −1e-3."


# -- what is drawn ---------------------------------------------------------------------------------------

X = np.linspace(0.1, 2, 9)


def two_lines(*curves, guides=0):
    """The squares in one panel, the roots in another."""
    figures = []
    for y in (X**2, np.sqrt(X)):
        fig, ax = panel()
        for _ in range(guides):
            ax.axhline(0, **guide())
        ax.plot(X, y, label="a line")
        figures.append(fig)
    return figure(*figures, name="two-lines", curves=curves, caption="Two lines.", alt="Two lines.")


def test_a_line_is_compared_with_a_formula_a_function_or_an_array():
    x, c = sp.symbols("x c", positive=True)
    for square in (values(x**2, x), values(x**c, x, c=2), np.square, lambda x: x * x, X**2, list(X**2)):
        two_lines(square, np.sqrt, guides=1)


@pytest.mark.parametrize(("curves", "message"), [
    ((), "2 lines are drawn, and curves says what 0 are"),
    ((np.square,), "2 lines are drawn, and curves says what 1 are"),
    ((np.square, np.sqrt, np.sqrt), "2 lines are drawn, and curves says what 3 are"),
    ((np.sqrt, np.square),
     "the line 'a line' is drawn at 0.01 for the abscissa 0.1, where 0.316228 was expected"),
    ((lambda x: x**4, np.sqrt), "where 0.0001 was expected"),
    ((np.square, lambda x: np.sqrt(x) + 1e-5), "was expected"),
    ((np.square, lambda x: np.where(x > 1.9, np.nan, np.sqrt(x))), "where nan was expected"),
    ((X[:-1] ** 2, np.sqrt), "has 9 points, its counterpart 8"),
])
def test_a_line_that_is_not_what_it_is_said_to_be(curves, message):
    with pytest.raises(ValueError, match=f"figure 'two-lines': .*{message}"):
        two_lines(*curves)


def test_a_line_that_is_not_seen():
    for x in ([0.5], [0.5, 0.5], [0.5, np.nan]):
        fig, ax = panel()
        ax.plot(x, np.square(x))
        with pytest.raises(ValueError, match="it is not seen"):
            figure(fig, name="point", curves=[np.square], caption="A point.", alt="A point.")
        ax.lines[0].set_marker("o")
        assert figure(fig, name="point", curves=[np.square], caption="A point.", alt="A point.")


def test_a_gap_in_a_line_is_a_gap_in_its_counterpart():
    fig, ax = panel()
    ax.plot(X, np.where(X < 1, np.nan, X))
    for y, fits in ((np.where(X < 1, np.nan, X), True), (X, False)):
        if fits:
            figure(fig, name="gap", curves=[y], caption="A gap.", alt="A gap.")
        else:
            with pytest.raises(ValueError, match="is drawn at nan"):
                figure(fig, name="gap", curves=[y], caption="A gap.", alt="A gap.")


def test_a_value_that_a_formula_needs_is_asked_for():
    x, c = sp.symbols("x c", positive=True)
    with pytest.raises(ValueError, match="needs a value for c"):
        values(x**c, x)


def test_a_guide_has_no_knob_and_no_counterpart():
    fig, ax = panel()
    ax.axvline(1, **guide())
    ax.plot(X, X, gid="line")
    shown = live(figure(fig, name="guided", curves=[X], caption="A line.", alt="A line."))
    assert list(json.loads(attributes(shown)["data-curves"])) == ["line"]


# -- what the browser is told ----------------------------------------------------------------------------


def test_the_still_picture_is_unchanged():
    still = drawn()
    before = bundle(still)
    (html, text, metadata), (live_html, *rest) = before, bundle(live(still))
    assert re.sub("<figure .*?>", "", live_html, count=1) == re.sub("<figure .*?>", "", html, count=1)
    assert rest == [text, metadata]
    assert bundle(still) == before
    assert attributes(still) == {"id": "fig-slope-2", "class": "softmaxnotes"}


def test_there_is_no_script_in_a_notebook():
    assert "<script" not in bundle(live())[0]
    assert "<input" not in bundle(live())[0]


def test_the_same_bytes_in_every_run():
    assert bundle(live()) == bundle(live())


def test_attributes_survive_quotes_and_markup():
    words = {"a": '<b>"x" & \'y\'</b>', "b": "KL(p‖q)"}
    shown = live(controls=[Choice("which", 'a "label" <i>', words, value="b")],
                 data={"words": list(words.values())})
    found = attributes(shown)
    assert json.loads(found["data-controls"]) == [
        {"name": "which", "label": 'a "label" <i>', "options": words, "value": "b"}
    ]
    assert json.loads(found["data-data"]) == {"words": list(words.values())}
    assert found["data-module"] == "slope"


def test_arrays_arrive_as_lists_without_loss():
    data = {"x": np.array([0.1, 1 / 3]), "n": np.int64(3), "f": np.float64(0.1), "flag": np.bool_(True)}
    found = json.loads(attributes(live(data=data))["data-data"])
    assert found == {"x": [0.1, 1 / 3], "n": 3, "f": 0.1, "flag": True}
    assert json.loads(attributes(live())["data-data"]) == {}


@pytest.mark.parametrize("adjust", [{}, {"aspect": "equal"}, {"xlim": (3, -1), "ylim": (-20, 5)}])
def test_the_browser_finds_the_points_where_matplotlib_drew_them(adjust):
    """The path in the SVG has six decimals; six more are lost in the two coefficients."""
    x, y = np.array([0, 1, 2]), np.array([0.5, 2, -1])
    fig, ax = panel()
    ax.plot(x, y, gid="line")
    ax.set(**adjust)
    shown = live(figure(panel()[0], fig, name="two", curves=[y], caption="Two panels.", alt="Two panels."))
    curve = json.loads(attributes(shown)["data-curves"])["line"]
    assert curve["id"] == "two-2-line"
    path = re.search(rf'<g id="{curve["id"]}">\s*<path d="([^"]*)"', bundle(shown)[0])[1]
    points = np.array(re.findall(r"[ML] (\S+) (\S+)", path), float)
    here = np.stack([curve["x"][0] + curve["x"][1] * x, curve["y"][0] + curve["y"][1] * y], axis=1)
    assert np.abs(points - here).max() <= 0.5e-6 * (1 + 1 + 2)


WRONG_SLIDERS = {
    "low must be below high": {"low": 3},
    "low must be finite": {"low": -np.inf},
    "high must be finite": {"high": np.nan},
    "step must be positive": {"step": 0},
    "step must be finite": {"step": np.inf},
    "value must be finite": {"value": np.nan},
    "value must be low": {"value": 2.25},
    "value must be low .*got 3.5": {"value": 3.5},
    "value must be low .*got -3.5": {"value": -3.5},
    "high must be low": {"high": 3.25},
}


@pytest.mark.parametrize(("message", "change"), WRONG_SLIDERS.items())
def test_sliders_that_a_browser_would_move(message, change):
    with pytest.raises(ValueError, match=f"slider 's': {message}"):
        Slider("s", "label", **{"low": -3, "high": 3, "step": 0.5, "value": 2} | change)


@pytest.mark.parametrize("value", [0.05, 0.1, 0.15, 0.35, 0.7, 0.95])
def test_steps_that_are_no_binary_fractions(value):
    assert Slider("s", "label", 0.05, 0.95, step=0.05, value=value).value == value


def test_numbers_of_any_type():
    slider = Slider("s", "label", np.int64(0), np.float32(4), step=1, value=np.int8(2))
    assert json.loads(attributes(live(controls=[slider]))["data-controls"])[0]["value"] == 2
    with pytest.raises(TypeError):
        Slider("s", "label", "0", 4, step=1, value=2)


def test_a_choice_of_nothing():
    with pytest.raises(ValueError, match=r"choice 'c': value must be one of \[\], got 'x'"):
        Choice("c", "label", {}, value="x")


WRONG = {
    "a module of lower-case letters": {"module": "../slope"},
    r"controls of different names, got \[\]": {"controls": []},
    r"controls of different names, got \['slope', 'slope'\]": {"controls": [SLIDER, SLIDER]},
    r"one or more lines with a gid, got \[\]": {"still": {"gids": [None]}},
    "lines of different gid, got 'line'": {"still": {"gids": ["line", "line"]}},
    "lines of different gid, got 'line' ": {"still": {"panels": 2}},
    "points without markers on the line 'line'": {"still": {"marker": "o"}},
    "something that is seen in 'line'": {"still": {"marker": "o", "linestyle": "", "x": [], "y": []}},
    "points without markers on the line 'line'  ": {"still": {"x": [], "y": []}},
    r"linear axes for the line 'line', got \('log', 'linear'\)": {"still": {"scale": "log"}},
}


@pytest.mark.parametrize(("message", "change"), WRONG.items())
def test_figures_that_no_script_could_move(message, change):
    if "still" in change:
        change = {**change, "still": drawn(**change["still"])}
    with pytest.raises(ValueError, match=f"figure 'slope-2': expected .*{message.strip()}"):
        live(**change)


@pytest.mark.parametrize("value", [np.nan, [np.inf], np.array([1, np.nan])])
def test_data_that_json_cannot_say(value):
    with pytest.raises(ValueError, match="not JSON compliant"):
        live(data={"x": value})


@pytest.mark.parametrize("value", [{1, 2}, 1j, object()])
def test_data_of_other_types(value):
    with pytest.raises(TypeError, match="data must be numbers, strings, lists, dicts and arrays, got"):
        live(data={"x": value})
