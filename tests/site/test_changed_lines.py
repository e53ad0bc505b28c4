"""*Change it*: a line of a derivation opens as text, and what a reader makes of it is judged on the page."""

import json
import re

import pytest
from fields import FILES, FIRST, Field, kept_for_offline, offered  # noqa: F401 -- a fixture for all tests
from looks import audit
from visits import SITE, Visit, served

from tools import chapters
from tools.checker import archive, export, trial

NAME, LINE = "book/softmax/numerics", "eq-lse-hessian/2"
HOME, SLOPE = "book/intro", "eq-slope/1"
AS_IN_THE_BOOK = "pi_j*(delta_jk - pi_k)"
SAID = [
    (AS_IN_THE_BOOK, "proved", "✓ Proved for every"),
    ("delta_jk pi_k − pi_j pi_k", "proved", "✓ Proved for every"),
    (r"= \pi_k(\delta_{jk} - \pi_j)", "proved", "✓ Proved for every"),
    ("pi_j*(delta_jk + pi_k)", "refuted", "✗ Refuted: at n = 2"),
    ("pi_j*(delta_jk - pi_j)", "refuted", "✗ Refuted: at n = "),
    ("2 pi_j*(delta_jk - pi_k)", "refuted", "left "),
    ("pi_j*(delta_jk - foo)", "unreadable", "Your line uses foo"),
    ("pi_j*(delta_jk - pi_k", "unreadable", "a bracket is not closed"),
    ("pi_j, pi_k", "unreadable", "One formula is asked for"),
    (r"\le \pi_j", "unreadable", "<= cannot stand here"),
    ("__import__('os')", "unreadable", "has no meaning here"),
    ("<img src=x onerror=alert(1)>", "unreadable", "cannot stand here"),
    ("", "no answer", "type a formula"),
]


def change(page, line=LINE):
    """The button that opens a line."""
    return page.locator(f'button.change[data-asked="{line}"]')


def opened(page, line=LINE):
    """The field of a line, which a click opens."""
    field = Field(page, line)
    if not field.form.count():
        change(page, line).click()
    return field


@pytest.fixture(scope="module")
def visited(browser, address):
    """A page on which Python runs already, for all that only asks."""
    visit = Visit(browser, address, NAME)
    opened(visit.page).says("1")
    yield visit
    visit.close()


def test_a_line_opens_at_once_as_text_and_nothing_is_loaded_before_it_is_changed(browser, address):
    context = browser.new_context()
    page, loaded = context.new_page(), []
    context.on("request", lambda request: loaded.append(request.url))
    page.goto(f"{address}/{NAME}.html")
    field = opened(page)
    assert field.input.input_value() == AS_IN_THE_BOOK
    assert field.input.evaluate("node => node.selectionStart") == 0  # a long one shows how it begins
    page.wait_for_timeout(300)
    assert not [url for url in loaded if "/checker/" in url]
    with page.expect_request("**/checker/**", timeout=FIRST):
        field.input.press("Space")
    assert not [url for url in loaded if not url.startswith((address, "data:", "blob:"))]
    context.close()


@pytest.mark.parametrize(("text", "status", "said"), SAID)
def test_a_line_is_judged(visited, text, status, said):
    found, words = opened(visited.page).says(text)
    assert found == status and said in words
    assert not visited.troubles


def test_what_was_read_is_shown_with_the_other_side(visited):
    field = opened(visited.page)
    field.says("pi_j")
    shown = field.form.locator(".reading math").text_content()
    assert "∂" in shown and "=" in shown


def test_an_inequality_and_a_definition_with_a_bound_variable(visited):
    field = opened(visited.page, "eq-lse-bounds-upper/1")
    assert field.says(field.input.input_value())[0] == "proved"
    assert "by " in field.verdict()[1]
    assert field.says(r"\log(e^{\max_i z_i})")[0] == "refuted"
    field = opened(visited.page, "eq-lse-gradient/2")
    assert field.says("exp(z_j)/Sum(exp(z_m), (m, 1, n))")[0] == "proved"


def test_the_keyboard_does(visited):
    page = visited.page
    button = change(page, "eq-log-odds/1")
    button.focus()
    page.keyboard.press("Enter")
    field = Field(page, "eq-log-odds/1")
    assert field.input.evaluate("node => node === document.activeElement")
    assert button.get_attribute("aria-expanded") == "true"
    page.keyboard.press("Control+A")
    page.keyboard.type("z_k - z_j")
    page.keyboard.press("Enter")
    assert field.verdict()[0] == "refuted"
    page.keyboard.press("Escape")
    assert field.form.count() == 0 and button.get_attribute("aria-expanded") == "false"
    assert button.evaluate("node => node === document.activeElement")
    page.keyboard.press("Enter")
    assert field.input.input_value() == "z_j - z_k"  # again as in the book
    page.keyboard.press("Escape")


def test_one_line_of_a_derivation_is_open_at_a_time(visited):
    one, other = "eq-lse-hessian/1", LINE
    opened(visited.page, one)
    assert opened(visited.page, other).form.count() == 1
    assert Field(visited.page, one).form.count() == 0
    change(visited.page, other).click()
    assert Field(visited.page, other).form.count() == 0


def test_what_takes_too_long_is_stopped_and_the_page_goes_on(visited):
    field = opened(visited.page)
    status, words = field.says(r"9^{9^{9^{9}}}")
    assert status == "undecided" and "longer than 10 seconds" in words
    assert field.says(AS_IN_THE_BOOK)[0] == "proved"


@pytest.mark.parametrize("how", ["without scripts", "on paper"])
@pytest.mark.parametrize("name", [NAME, HOME])
def test_nothing_can_be_changed_without_scripts_or_on_paper(browser, address, name, how):
    context = browser.new_context(java_script_enabled=how == "on paper")
    page = context.new_page()
    page.goto(f"{address}/{name}.html")
    if how == "on paper":
        page.emulate_media(media="print")
    assert page.locator("button.change, form.field").count()
    assert not page.locator("button.change:visible, form.field:visible").count()
    context.close()


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
def test_a_changed_line_fits_and_can_be_read(browser, address, theme, width):
    visit = Visit(browser, address, NAME, theme=theme, width=width)
    for line, text in ((LINE, "pi_j*(delta_jk + pi_k)"), ("eq-two-class-log/2", "Min(t, 0)")):
        assert opened(visit.page, line).says(text)[0] == "refuted"
    assert visit.page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    heights = visit.page.evaluate("""() => [...document.querySelectorAll('.change')]
        .map(node => node.getBoundingClientRect().height)""")
    assert min(heights) >= 24  # what WCAG asks for
    assert not audit(visit)
    visit.close()


def test_a_changed_line_is_there_when_the_page_comes_back(visited):
    page = visited.page
    field = opened(page)
    field.says("pi_j*(delta_jk + pi_k)")
    page.reload()
    assert field.input.input_value() == "pi_j*(delta_jk + pi_k)"
    assert change(page).get_attribute("aria-expanded") == "true"
    assert page.evaluate("document.activeElement === document.body")  # nobody asked for the focus
    change(page).click()  # closed is forgotten
    page.reload()
    assert not field.form.count()
    assert opened(page).input.input_value() == AS_IN_THE_BOOK


def test_lines_with_the_server_off_after_the_first_verdict(browser):
    context = browser.new_context()
    page = context.new_page()
    with served(SITE) as own:
        page.goto(f"{own}/{NAME}.html")
        assert opened(page).says("pi_j")[0] == "refuted"
        kept_for_offline(page)
    page.reload()
    assert opened(page).says(AS_IN_THE_BOOK)[0] == "proved"
    assert opened(page, "eq-log-odds/1").says("z_k - z_j")[0] == "refuted"
    context.close()


def test_an_equation_is_changed_on_both_sides(browser, address):
    visit = Visit(browser, address, "book/softmax/logits")
    field = opened(visit.page, "eq-logit-inverse/2")
    assert field.input.input_value() == "s/(1 - s) = exp(t)"
    assert field.says("s = (1 - s) e^t")[0] == "proved"
    assert field.says("s = (1 + s) e^t")[0] == "refuted"
    assert field.says("e^t")[0] == "unreadable"
    visit.close()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_sides_of_an_equivalence_stand_beside_each_other(browser, address, width):
    visit = Visit(browser, address, "book/softmax/logits", width=width)
    box = visit.page.locator("[id='equation-eq-logit-inverse'] .system")
    lefts, rights = (box.locator(side).evaluate_all("all => all.map(one => one.getBoundingClientRect())")
                     for side in (".left", ".right"))
    assert len(lefts) == len(rights) == 5
    for left, right in zip(lefts, rights):
        assert left["right"] <= right["left"]
        assert left["top"] < right["bottom"] and right["top"] < left["bottom"]
    visit.close()


@pytest.mark.parametrize("where", ["address", "disk"])
def test_on_the_home_page_any_formula_may_be_tried(browser, address, where):
    context = browser.new_context()
    page, asked = context.new_page(), []
    context.on("request", lambda request: asked.append(request.url))
    page.goto(f"{address if where == 'address' else f'file://{SITE}'}/{HOME}.html")
    field = Field(page, SLOPE)
    assert field.input.input_value() == "pi_k*(delta_jk - pi_j)"
    assert field.says(field.input.input_value())[0] == "proved"
    for text, status in (("pi_k*(delta_jk - pi_k)", "refuted"), ("-pi_j*pi_k", "refuted"),
                         ("pi_k delta_jk - pi_j pi_k", "proved"), ("exp(z_k)", "refuted"),
                         (r"\pi_k(1-\pi_k)\delta_{jk} - \pi_k\pi_j(1-\delta_{jk})", "proved")):
        assert field.says(text)[0] == status, text
    assert not [url for url in asked if not url.startswith((address, "file:", "data:", "blob:"))]
    context.close()


def test_each_line_that_can_be_changed_has_its_button_in_a_page_that_was_tried():
    files = archive.folder() / archive.digest()
    passed, all_lines, offered_lines = json.loads((files / "passed.json").read_text("utf8")), 0, 0
    for name in chapters.chapters():
        page = export.exercises(name)
        lines = trial.changeable(page)
        assert not page.get("data") or passed[name] == page["key"]
        html = (SITE / f"{name}.html").read_text("utf8")
        found = re.findall(r'class="(?:change|field)" data-asked="(eq-[^"]*)"', html)
        displayed = {label for label in lines if f'id="equation-{label.split("/")[0]}"' in html}
        assert displayed <= set(found) <= set(lines), name
        all_lines += len(page.get("lines", ()))
        offered_lines += len(found)
    assert (FILES / "worker.bin").exists() and all_lines > offered_lines > 500
