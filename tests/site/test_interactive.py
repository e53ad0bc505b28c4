"""Figures with knobs: what the browser computes is what Python computes, and every reader gets a figure.

On a sample the knobs are turned as a reader turns them, with the keyboard, the mouse or a finger.

What a figure must compute is said in figures/NAME.py, where NAME is that of its module, as in
book/_assets/figures/NAME.js:

- `PAGE` is the page that it is on.
- `expected(knobs, data)` gives by its name each value that the figure computes, as Python does, and a bound.
- `SETTINGS`, if there, lists settings of some knobs that are tried beside the usual ones.
- A function `check_…(live)` looks at a figure (`Live`) whose knobs are at the start.
"""

import json
import re
from functools import cache
from html import unescape
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest
from browser import unavailable
from visits import SITE, Visit, sample, served, until

FILES = {path.stem: path for path in sorted(Path(__file__).parent.glob("figures/*.py"))}
PAGES = {module: re.search(r'^PAGE = "(.*)"$', path.read_text("utf8"), re.MULTILINE)[1]
         for module, path in FILES.items()}


@cache
def reference(module):
    """What a figure must compute; executed only now, for it brings half of the package with it."""
    spec = spec_from_file_location(module, FILES[module])
    found = module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def kinds(module):
    """What a figure is made of: its classes, its kinds of knobs, and of what they move."""
    page = SITE / f"{PAGES[module]}.html"
    html = page.read_text("utf8") if page.exists() else ""
    figure = re.search(rf'<figure [^>]*data-module="{module}".*?</figure>', html, re.DOTALL)
    if figure is None:
        return set()
    told = {what: json.loads(unescape(text))
            for what, text in re.findall(r' data-(controls|curves)="([^"]*)"', figure[0])}
    return {
        f"{len(told['controls'])} controls",
        *re.search(r'class="([^"]*)"', figure[0])[1].split(),
        *("a choice" if "options" in control else f"logarithm: {control.get('log')}"
          for control in told["controls"]),
        *(re.search(rf'id="{re.escape(curve["id"])}"[^>]*>\s*<(\w+)', figure[0])[1]
          for curve in told["curves"].values()),
    }


# What the same code does for all figures is tried on a few.
SAMPLE = sample({module: kinds(module) for module in PAGES})
# Where something is in the picture, and how often the pen is set down or drawn: the path of a line, without
# the corners that a filling repeats; each dot; how far a picture or a text is moved.
WHERE = """(group, kind) => {
  const numbers = (text) => (text.match(/-?[\\d.]+(?:e-?\\d+)?/g) ?? []).map(Number);
  const inner = group.querySelector(`.${kind}`) ?? group.nextElementSibling;
  const node = group.matches(`.${kind}`) ? group : inner;
  if (node.tagName === "path") {
    const d = node.getAttribute("d");
    const closed = d.toLowerCase().includes("z");
    const corners = numbers(d).flatMap((x, i, all) => i % 2 ? [] : [[x, all[i + 1]]]);
    const kept = corners.filter(([x, y], i) => {
      const [u, v] = corners.at(i - 1);
      return !closed || Math.hypot(x - u, y - v) > 2e-3;
    });
    const before = ([x, y], [u, v]) => x < u - 2e-3 || (x < u + 2e-3 && y < v - 2e-3);
    const first = closed ? kept.reduce((a, b, i) => (before(b, kept[a]) ? i : a), 0) : 0;
    const pens = closed ? kept.length : d.replace(/[^ML]/g, "");
    return [pens, [...kept.slice(first), ...kept.slice(0, first)].flat()];
  }
  const uses = [...node.querySelectorAll(":scope > use")];
  const dots = uses.filter((dot) => dot.style.display !== "none");
  const at = (dot) => ["x", "y"].map((axis) => Number(dot.getAttribute(axis)));
  if (dots.length) return [dots.length, dots.flatMap(at)];
  return ["moved", numbers(node.getAttribute("transform") ?? "0 0")];
}"""
TURNED = """(knob, value) => {
  knob.value = value;
  for (const kind of ['input', 'change']) knob.dispatchEvent(new Event(kind, {bubbles: true}));
}"""
NEXT = "() => new Promise(done => setTimeout(done))"  # the figure queues a reset in the same way


class Live:
    """The figure of a module on its page."""

    def __init__(self, module, page):
        self.module, self.page = module, page
        self.figure = page.locator(f'figure.interactive[data-module="{module}"]')
        self.controls = {control["name"]: control for control in self.told("controls")}
        self.data = self.told("data")

    def told(self, what):
        return json.loads(self.figure.get_attribute(f"data-{what}"))

    def knob(self, name):
        return self.figure.locator(f'[name="{name}"]')

    def turn(self, name, value):
        """Turn a knob, on the sample with the keyboard, from the nearer end."""
        control, knob = self.controls[name], self.knob(name)
        if self.module not in SAMPLE:
            knob.evaluate(TURNED, str(value))
            assert self.knobs()[name] == (10**value if control.get("log") else value)
            return
        if "options" in control:
            options = list(control["options"])
            keys = ["ArrowUp"] * len(options) + ["ArrowDown"] * options.index(value)
        else:
            up, down = (round(abs(value - control[end]) / control["step"]) for end in ("low", "high"))
            keys = ["Home", *["ArrowRight"] * up] if up <= down else ["End", *["ArrowLeft"] * down]
        knob.focus()
        for key in keys:
            self.page.keyboard.press(key)
        assert self.knobs()[name] == (10**value if control.get("log") else value)

    def knobs(self):
        found = {}
        for name, control in self.controls.items():
            value = self.knob(name).input_value()
            found[name] = value if "options" in control else float(value)
            if control.get("log"):
                found[name] = 10 ** found[name]
        return found

    def values(self):
        return self.figure.evaluate("figure => figure.values")

    def canvas(self, name):
        """Width and height of the picture that a curve is in."""
        size = "group => [group.ownerSVGElement.viewBox.baseVal].map(box => [box.width, box.height])[0]"
        return np.array(self.figure.locator(f"[id='{self.told('curves')[name]['id']}']").evaluate(size))

    def paths(self, kind):
        """The points of each curve, in the coordinates of the picture."""
        found = {}
        for name, curve in self.told("curves").items():
            pen, points = self.figure.locator(f"[id='{curve['id']}']").evaluate(WHERE, kind)
            found[name] = pen, np.array(points, float)
        return found

    def status(self):
        return self.figure.locator("p[role=status]")


@pytest.fixture(scope="session")
def alone(tmp_path_factory):
    """A folder with each figure on a page that holds nothing else, which takes a tenth of the time to load;
    that a page with all its figures has no errors is seen where pages are visited."""
    if not SITE.exists():
        unavailable("no site in _build/html: make book")
    folder = tmp_path_factory.mktemp("alone")
    (folder / "_static").symlink_to(SITE / "_static")
    for module, name in PAGES.items():
        html = (SITE / f"{name}.html").read_text("utf8")
        figure = re.search(rf'<figure [^>]*data-module="{module}".*?</figure>', html, re.DOTALL)
        if figure is None:
            continue  # a preview has only some
        page = (folder / name).with_name(f"{module}.html")
        page.parent.mkdir(parents=True, exist_ok=True)
        before, after = html.split("<article>")[0], html.split("</article>")[1]
        page.write_text(f"{before}<article><section>{figure[0]}</section></article>{after}", "utf8")
    return folder


@pytest.fixture(scope="session")
def figures(alone):
    """The address of that folder."""
    with served(alone) as address:
        yield address


def place(module):
    return f"{PAGES[module].rpartition('/')[0]}/{module}"


def each(modules):
    return [pytest.param(module, marks=pytest.mark.xdist_group(module)) for module in modules]


@pytest.fixture(scope="module", params=each(PAGES))
def visited(request, browser, figures):
    visit = Visit(browser, figures, place(request.param))
    yield request.param, visit
    troubles = visit.troubles
    visit.close()
    assert not troubles


on_a_sample = pytest.mark.parametrize("visited", each(SAMPLE), indirect=True)


@pytest.fixture
def live(visited):
    module, visit = visited
    live = Live(module, visit.page)
    live.figure.evaluate("figure => figure.querySelector('form').reset()")
    visit.page.evaluate(NEXT)
    return live


# --- What the browser computes -------------------------------------------------------


def check_values(module, live):
    compare(module, live.knobs(), live.data, live.values())


def check_values_of_each_choice(module, live):
    check_values(module, live)
    for choice in (control for control in live.controls.values() if "options" in control):
        for value in choice["options"]:
            live.turn(choice["name"], value)
            check_values(module, live)


def compare(module, knobs, data, values):
    expected = reference(module).expected(knobs, data)
    assert values.keys() == expected.keys()
    for name, (value, bound) in expected.items():
        assert np.shape(values[name]) == np.shape(value), name
        assert np.abs(np.array(values[name]) - value).max() <= bound, (name, knobs)


@pytest.mark.parametrize("ends", ["start", "low", "high", "middle"])
def test_the_browser_computes_what_python_computes(visited, live, ends):
    """With every choice; each slider at its start, at its ends, and a little right of its middle."""
    module, _ = visited
    for slider in (control for control in live.controls.values() if "options" not in control):
        steps = round(0.6 * (slider["high"] - slider["low"]) / slider["step"])
        middle = slider["low"] + slider["step"] * steps
        live.turn(slider["name"], {**slider, "start": slider["value"], "middle": round(middle, 9)}[ends])
    check_values_of_each_choice(module, live)


@pytest.mark.parametrize(("one", "other"), [("low", "high"), ("high", "low")])
def test_opposite_ends(visited, live, one, other):
    module, _ = visited
    sliders = [control for control in live.controls.values() if "options" not in control]
    for slider, end in zip(sliders, [one, other]):
        live.turn(slider["name"], slider[end])
    check_values_of_each_choice(module, live)


def test_further_settings(visited, live):
    module, _ = visited
    for setting in getattr(reference(module), "SETTINGS", []):
        for name, value in setting.items():
            live.turn(name, value)
        check_values(module, live)


def test_further_checks(visited, live):
    module, _ = visited
    for name, check in vars(reference(module)).items():
        if name.startswith("check_"):
            check(live)


def test_another_value_than_that_of_python_is_seen(visited, live):
    module, _ = visited
    for name, (value, bound) in reference(module).expected(live.knobs(), live.data).items():
        values = live.values()
        values[name] = (np.array(values[name]) + 2 * bound + 1e-9).tolist()
        with pytest.raises(AssertionError, match=name):
            compare(module, live.knobs(), live.data, values)


# --- What the reader sees ------------------------------------------------------------


def test_at_the_start_the_curves_are_those_that_python_drew(live):
    """Both have three decimals, which may be rounded to either side; the coordinates are points."""
    still, moved = live.paths("still"), live.paths("live")
    assert still.keys() == moved.keys()
    for name, (pen, points) in still.items():
        live_pen, live_points = moved[name]
        if live_pen != pen or not close(points, live_points):
            # Matplotlib ends lines at the edge of the picture, and leaves out dots beyond it.
            size = live.canvas(name)
            points, live_points = inside(points, size), inside(live_points, size)
            assert len(points) > 2 and close(points, live_points), name


def close(points, others):
    return np.shape(points) == np.shape(others) and np.abs(points - others).max() <= 1e-3 + 1e-5


def inside(points, size):
    """The corners of a curve that lie in the picture."""
    points = points.reshape(-1, 2)
    new = np.r_[True, (np.diff(points, axis=0) != 0).any(axis=1)]
    return points[new & ((points > 1.5) & (points < size - 1.5)).all(axis=1)]


def test_a_knob_moves_a_curve_and_only_the_live_one(live):
    before = live.paths("live"), live.paths("still"), live.status().inner_text()
    slider = next(control for control in live.controls.values() if "options" not in control)
    live.knob(slider["name"]).press("End" if slider["value"] < slider["high"] else "Home")
    after = live.paths("live"), live.paths("still"), live.status().inner_text()
    assert any(not np.array_equal(before[0][name][1], after[0][name][1]) for name in before[0])
    assert all(np.array_equal(before[1][name][1], after[1][name][1]) for name in before[1])
    assert before[2] != after[2]


def test_reset_puts_everything_back(live):
    picture = live.figure.locator(".panels")
    before = live.knobs(), live.values(), picture.get_attribute("aria-label"), live.figure.inner_text()
    for control in live.controls.values():
        ends = [*control["options"]] if "options" in control else [control["high"], control["low"]]
        live.turn(control["name"], ends[-1] if ends[-1] != control["value"] else ends[0])
    assert picture.get_attribute("aria-label") == live.status().inner_text() != before[2]
    live.figure.get_by_role("button", name="Reset").press("Enter")
    live.page.evaluate(NEXT)
    after = live.knobs(), live.values(), picture.get_attribute("aria-label"), live.figure.inner_text()
    assert after == before


@on_a_sample
def test_the_value_of_a_slider_is_shown(live):
    for control in live.controls.values():
        if "options" not in control:
            live.knob(control["name"]).press("Home")
            identifier = live.knob(control["name"]).get_attribute("id")
            shown = live.figure.locator(f"output[for='{identifier}']").inner_text()
            low = 10 ** control["low"] if control.get("log") else control["low"]
            assert float(shown.replace("−", "-")) == float(f"{low:.3g}" if control.get("log") else low)


def test_every_control_has_its_label_and_room_for_a_finger(live):
    for control in live.controls.values():
        knob = live.figure.get_by_label(control["label"], exact=True)
        assert knob.get_attribute("name") == control["name"]
    for box in live.figure.locator("input, select, button").all():
        assert box.bounding_box()["height"] >= 44


@pytest.mark.parametrize("module", SAMPLE)
def test_a_finger_moves_a_slider(browser, figures, module):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{figures}/{place(module)}.html")
    live = Live(module, page)
    slider = next(control for control in live.controls.values() if "options" not in control)
    before, knob = live.values(), live.knob(slider["name"])
    knob.scroll_into_view_if_needed()
    box = knob.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] * 0.75, box["y"] + box["height"] / 2)
    until(page, "([figure, before]) => JSON.stringify(figure.values) !== before",
          [live.figure.element_handle(), json.dumps(before, separators=(",", ":"))])
    moved = float(knob.input_value())
    assert moved > slider["low"] + 0.5 * (slider["high"] - slider["low"])
    context.close()


@on_a_sample
def test_a_mouse_that_drags_is_followed_and_not_talked_to(live):
    slider = next(control for control in live.controls.values() if "options" not in control)
    knob, mouse = live.knob(slider["name"]), live.page.mouse
    knob.scroll_into_view_if_needed()
    box = knob.bounding_box()
    middle = box["y"] + box["height"] / 2
    mouse.move(box["x"] + box["width"] * 0.3, middle)
    mouse.down()
    before = live.values()
    mouse.move(box["x"] + box["width"] * 0.6, middle)
    assert live.values() != before
    assert live.status().get_attribute("aria-busy") == "true"
    mouse.up()
    assert live.status().get_attribute("aria-busy") == "false"


@pytest.mark.parametrize("module", SAMPLE)
def test_opened_from_disk(browser, alone, module):
    """Many readers have the site in a folder, where a browser imports no modules."""
    troubles, page = [], browser.new_page()
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda m: m.type in {"error", "warning"} and troubles.append(m.text))
    page.goto((alone / f"{place(module)}.html").as_uri())
    live = Live(module, page)
    assert live.values() and live.knob(next(iter(live.controls))).is_visible()
    page.close()
    assert not troubles


def visible(page, module):
    """The curves and controls of a figure that are seen."""
    figure = page.locator(f'figure.interactive[data-module="{module}"]')
    kinds = {kind: figure.locator(f".{kind}") for kind in ("still", "live")} | {
        "controls": figure.locator("form, [role=status]")
    }
    return {name for name, found in kinds.items() if any(node.is_visible() for node in found.all())}


@on_a_sample
def test_print_shows_the_still_picture(visited, live):
    module, visit = visited
    assert visible(visit.page, module) == {"live", "controls"}
    visit.page.emulate_media(media="print")
    assert visible(visit.page, module) == {"still"}
    visit.page.emulate_media(media="screen")


# Of which curves nothing is drawn; a level line has no height, for which Playwright would call it hidden.
UNDRAWN = """(figure, curves) => curves.filter(id => {
  const mark = document.getElementById(id).querySelector(':is(path:not(defs *), use, image, text)');
  const {width, height} = mark.getBoundingClientRect();
  return !mark.checkVisibility({visibilityProperty: true}) || width + height === 0;
})"""


@pytest.fixture(scope="module")
def scriptless(browser):
    context = browser.new_context(java_script_enabled=False)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("module", PAGES)
def test_without_javascript_the_still_picture_is_there(scriptless, figures, module):
    page = scriptless
    page.goto(f"{figures}/{place(module)}.html")
    figure = page.locator(f'figure.interactive[data-module="{module}"]')
    curves = json.loads(figure.get_attribute("data-curves"))
    assert curves and figure.evaluate(UNDRAWN, [curve["id"] for curve in curves.values()]) == []
    assert figure.locator("input, select, button, output").count() == 0


def test_each_figure_is_expected_and_other_pages_load_nothing(address):
    found = []
    for path in SITE.rglob("*.html"):
        text, page = path.read_text("utf8"), path.relative_to(SITE).with_suffix("").as_posix()
        figures = re.findall(r'<figure [^>]*class="[^"]*softmaxnotes interactive"[^>]*>', text)
        found += [(re.search(r'data-module="(\w+)"', figure)[1], page) for figure in figures]
        assert ("_static/interactive.js" in text) == bool(figures), path
    assert sorted(found) == sorted(PAGES.items())
