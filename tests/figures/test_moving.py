"""book/_assets/interactive.js: everything that can move does, and goes where it is told; in a browser."""

import re

import gallery
import numpy as np
import pytest

from softmaxnotes.figures import Slider, band, figure, interactive, mark, panel, thumbnail

NEXT = "() => new Promise(done => setTimeout(done))"


@pytest.fixture(scope="module")
def shown(browser, tmp_path_factory):
    file, troubles = tmp_path_factory.mktemp("gallery") / "page.html", []
    file.write_text(gallery.page(gallery.moving()), "utf8")
    page = browser.new_page(viewport={"width": 800, "height": 900})
    page.set_default_timeout(5000)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.goto(file.as_uri())
    yield page
    page.close()
    assert not troubles


@pytest.fixture
def page(shown):
    shown.get_by_role("button", name="Reset").click()
    shown.evaluate(NEXT)
    return shown


def turn(page, name, value):
    page.locator(f"input[name={name}]").evaluate("""(input, value) => {
      input.value = value;
      input.dispatchEvent(new Event('input', {bubbles: true}));
    }""", value)


def box(page, kind, name):
    """Left, top, right and bottom edge of what is seen of one of the figure's things, in points."""
    return np.array(page.evaluate("""([kind, name]) => {
      const group = document.getElementById(`moving-1-${name}`);
      const inner = group.querySelector(`.${kind}`) ?? group.nextElementSibling;
      const node = group.matches(`.${kind}`) ? group : inner;
      const shown = node.closest("svg");
      const {left, top, right, bottom} = node.getBoundingClientRect();
      const frame = shown.getBoundingClientRect();
      const scale = shown.viewBox.baseVal.width / frame.width;
      const edges = [left - frame.left, top - frame.top, right - frame.left, bottom - frame.top];
      return edges.map((x) => x * scale);
    }""", [kind, name]))


def place(page, x, y):
    scale = page.evaluate("JSON.parse(document.querySelector('figure').dataset.curves).line")
    return np.array([scale["x"][0] + scale["x"][1] * x, scale["y"][0] + scale["y"][1] * y])


def middle(page, name):
    left, top, right, bottom = box(page, "live", name)
    return np.array([left + right, top + bottom]) / 2


NAMES = ("line", "dots", "polygon", "band", "arrows", "picture", "text")


def test_at_the_start_each_stands_where_it_was_drawn(page):
    live = {name: box(page, "live", name) for name in NAMES}
    page.emulate_media(media="print")
    for name in NAMES:
        # a browser sets text in whole pixels, and those of paper are others
        assert np.abs(box(page, "still", name) - live[name]).max() < (1 if name == "text" else 0.01), name
    page.emulate_media(media="screen")


def test_each_goes_where_it_is_told(page):
    turn(page, "s", 0.5)
    assert np.allclose(box(page, "live", "line")[1], place(page, 1, 0.5)[1], atol=1e-2)
    assert np.allclose(box(page, "live", "polygon")[[0, 1]], place(page, 0, 0.5), atol=1e-2)
    left, top, right, bottom = box(page, "live", "band")
    assert np.allclose([left, top], place(page, 0, 0), atol=1e-2)
    assert np.allclose([right, bottom], place(page, 2, -1), atol=1e-2)
    assert np.allclose(middle(page, "picture"), place(page, 1.5, 0.75), atol=2e-2)
    # the arrows go from (0, 1) to (1, 1) and from (2, 1) to (1, 1.5); barbs stand out a little
    left, top, right, bottom = box(page, "live", "arrows")
    assert np.allclose([left, right], [place(page, x, 0)[0] for x in (0, 2)], atol=1e-2)
    assert 0 <= place(page, 0, 1.5)[1] - top < 5 and 0 <= bottom - place(page, 0, 1)[1] < 5
    start = box(page, "live", "text")[0]
    turn(page, "s", 1)
    scale = place(page, 1, 0) - place(page, 0, 0)
    assert np.allclose(box(page, "live", "text")[0] - start, 0.1 * scale[0], atol=1e-2)


def test_dots_come_and_go(page):
    def dots():
        return page.evaluate("""() => [...document.querySelectorAll("#moving-1-dots .live use")]
            .filter((dot) => dot.getBoundingClientRect().width > 0)
            .map((dot) => [+dot.getAttribute("x"), +dot.getAttribute("y")])""")

    assert np.allclose(dots(), [place(page, 0.5, 0.5), place(page, 1.5, 0.5)], atol=1e-3)
    turn(page, "s", 2)
    assert np.allclose(dots(), [place(page, 0.5, 0.5), place(page, 2.5, 2)], atol=1e-3)


def test_an_arrow_without_length_is_not_drawn(page):
    turn(page, "s", 0)
    path = page.locator("#moving-1-arrows path.live").get_attribute("d")
    assert len(re.findall("M", path)) == 2  # one arrow: shaft and head


def test_opacity(page):
    line = page.locator("#moving-1-line path.live")
    assert line.evaluate("path => getComputedStyle(path).opacity") == "1"
    turn(page, "s", 0.5)
    assert line.evaluate("path => getComputedStyle(path).opacity") == "0.5"
    still = page.locator("#moving-1-line path.still")
    assert still.evaluate("path => getComputedStyle(path).opacity") == "1"


def test_a_word_changes_and_is_printed_as_it_was(page):
    heading = page.locator(".heading")
    turn(page, "s", 0.5)
    assert heading.inner_text() == "s = 0.5"
    page.emulate_media(media="print")
    assert heading.inner_text() == "s = 1.0"
    page.emulate_media(media="screen")


def test_a_logarithmic_slider(page):
    slider = page.locator("input[name=T]")
    for exponent, text, value in ((-1, "0.1", 0.1), (0.5, "3.16", 10**0.5), (1, "10", 10)):
        turn(page, "T", exponent)
        assert page.locator("output[for$='-T']").inner_text() == text
        assert slider.get_attribute("aria-valuetext") == text
        assert np.isclose(page.evaluate("document.querySelector('figure').values.T"), value, rtol=1e-15)


def test_no_id_is_doubled(page):
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((node) => node.id)")
    assert len(ids) == len(set(ids))


def test_softmax_and_simplex(page):
    found = page.evaluate("softmaxTools.softmax([1000, 999, 0], 2)")
    weights = np.exp([0, -0.5, -500])
    assert np.allclose(found, weights / weights.sum(), atol=1e-15)
    from softmaxnotes.figures import on_simplex

    laws = np.random.default_rng(0).dirichlet(np.ones(3), 20)
    assert np.allclose(page.evaluate("laws => softmaxTools.simplex(laws)", laws.tolist()), on_simplex(laws),
                       atol=1e-15)


# -- What no script could move -----------------------------------------------------------------------------

X = np.linspace(0, 1, 5)


@pytest.mark.parametrize(("draw", "said", "message"), [
    (lambda ax: ax.fill_between(X, 0, X, where=X != 0.5, gid="it"), (0, np.where(X == 0.5, np.nan, X)),
     "one piece in the filling 'it'"),
    (lambda ax: ax.scatter(X, X, gid="it"), X, "a line, dots, a filling, arrows, a picture or a text"),
    (lambda ax: ax.bar([1], [1], gid="it"), [1], "a line, dots, a filling, arrows, a picture or a text"),
    (lambda ax: [band(ax, X, 0, X, gid="it"), ax.set_yscale("symlog")], (0, X),
     "linear axes for the fill 'it'"),
])
def test_shapes_that_no_script_could_move(draw, said, message):
    fig, ax = panel()
    draw(ax)
    still = figure(fig, name="test", shapes=[said], caption="A test.", alt="A test.")
    with pytest.raises(ValueError, match=message):
        interactive(still, module="test", controls=[Slider("s", "s", 0, 1, step=0.1, value=0)])


def test_a_label_has_a_name_of_its_own():
    fig, ax = panel()
    ax.plot([0, 1], [0, 1], **mark("sampled"), gid="T")
    caption = 'T is <span data-label="T">1</span>.'
    still = figure(fig, name="test", curves=[[0, 1]], caption=caption, alt="A test.")
    with pytest.raises(ValueError, match="labels of names that nothing else has"):
        interactive(still, module="test", controls=[Slider("s", "s", 0, 1, step=0.1, value=0)])


def test_the_picture_of_a_thumbnail_is_what_it_shows():
    """The PNG in the page: the colour of the item, and the values as opacity, the first row above."""
    import base64
    import io

    from matplotlib.image import imread

    values = np.array([[0, 0.2, 1], [0.4, 0, 0.6]])
    fig, ax = panel()
    thumbnail(ax, (0, 0), values, color="#0b8f6a", gid="it")
    ax.set(xlim=(-1, 1), ylim=(-1, 1))
    shown = figure(fig, name="test", shapes=[(0, 0)], caption="A test.", alt="A test.")
    html = shown._repr_mimebundle_()[0]["text/html"]
    data = re.search(r'xlink:href="data:image/png;base64,\s*([^"]*)"[^>]*transform="([^"]*)"', html)
    picture = imread(io.BytesIO(base64.b64decode(data[1])))
    assert float(re.findall(r"[-.e\d]+", data[2])[3]) < 0  # the picture stands on its head
    assert np.abs(picture[::-1, :, 3] - values).max() < 1 / 255
    assert np.abs(picture[::-1, :, :3] - np.array([0x0B, 0x8F, 0x6A]) / 255)[values > 0].max() < 1 / 255


def test_a_picture_that_is_drawn_twice_has_two_names():
    fig, ax = panel()
    for x in range(3):
        thumbnail(ax, (x, 0), np.eye(2))
    ax.set(xlim=(-1, 3), ylim=(-1, 1))
    shown = figure(fig, name="test", shapes=[(x, 0) for x in range(3)], caption="A test.", alt="A test.")
    html = shown._repr_mimebundle_()[0]["text/html"]
    names = re.findall(r'<image[^>]*? id="([^"]*)"', html)
    assert len({*names}) == len(names) == 3


@pytest.mark.parametrize("color, filters", [("#000000", 1), ("#0b8f6a", 0)])
def test_a_picture_in_ink_takes_the_ink_of_the_page(color, filters):
    fig, ax = panel()
    for x in range(2):
        thumbnail(ax, (x, 0), np.eye(2), color=color)
    ax.set(xlim=(-1, 2), ylim=(-1, 1))
    shown = figure(fig, name="test", shapes=[(0, 0), (1, 0)], caption="A test.", alt="A test.")
    html = shown._repr_mimebundle_()[0]["text/html"]
    assert len(re.findall(r'<filter id="[^"]*ink"', html)) == filters
    assert html.count('flood-color="currentColor"') == filters
    assert len(re.findall(r'<g filter="url\(#[^)]*ink\)">\s*<image', html)) == 2 * filters
