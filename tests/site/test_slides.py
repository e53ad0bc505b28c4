"""A chapter as a deck: what is on the slides, that all of it can be seen, keys, notes, print."""

import re
from io import BytesIO

import pypdfium2
import pytest
from looks import audit
from visits import Visit

from tools import chapters

LISTED = [name for name in chapters.chapters() if chapters.front(name).slides]
USUAL = "book/rewards/groups"  # it lists nothing
FIGURE = "book/gumbel/gumbel_max"

# What does not fit on its slide, or is set so small that the last row cannot read it.
CUT = """() => [...document.querySelectorAll('.slide')].flatMap((slide, i) => {
  if (slide.dataset.zoom < 0.7) return [`${i + 1} is set at ${slide.dataset.zoom}`];
  if (!slide.matches('.now')) return [];
  const {right, bottom} = slide.getBoundingClientRect();
  return [...slide.querySelectorAll('.on :is(p, li, .left, .right, .reason, .num, svg, pre)')]
    .filter(node => node.checkVisibility()).map(node => [node.getBoundingClientRect(), node])
    .filter(([box]) => box.right > right + 1 || box.bottom > bottom + 1)
    .map(([, node]) => `${i + 1} cuts ${node.textContent.slice(0, 40)}`);
})"""


def deck(browser, address, name, **options):
    visit = Visit(browser, address, name, **options)
    visit.page.goto(f"{address}/{name}.html?slides")
    visit.page.locator(".deck[data-ready]").wait_for()
    return visit


def now(page):
    """Number of the slide, and how many of its lines are shown."""
    steps = "nodes => nodes.map(node => node.dataset.step)"
    shown = page.locator(".slide.now .step.shown").evaluate_all(steps)
    return int(page.locator("nav > span").inner_text().split()[0]), len(set(shown))


@pytest.mark.parametrize("name", [*LISTED, USUAL])
def test_what_a_deck_shows_can_be_seen(browser, address, name):
    visit = deck(browser, address, name)
    page, found = visit.page, []
    for _ in range(page.locator(".slide").count() - 1):
        found += page.evaluate(CUT)
        number = now(page)[0]
        while now(page)[0] == number:
            page.keyboard.press("ArrowRight")
    found += page.evaluate(CUT)
    assert not found and not visit.troubles, found + visit.troubles
    assert not [url for url in visit.requests if not url.startswith((address, "data:", "blob:"))]
    ids = [ident.removeprefix("equation-")
           for ident in page.locator(".on [id]").evaluate_all("nodes => nodes.map(node => node.id)")]
    labels = [label for label in chapters.front(name).slides if re.match("(eq|thm|fig|ex)-", label)]
    assert [label for label in ids if label in labels] == labels  # in the author's order
    visit.close()


def test_a_chapter_without_a_list_shows_statements_figures_and_exercises(browser, address):
    visit = deck(browser, address, USUAL)
    kinds = ".statement", "figure", ".exercise"
    shown = {kind: visit.page.locator(f".deck {kind}").count() for kind in kinds}
    assert visit.page.locator(".slide.title").count() == 1
    visit.close()
    chapter = Visit(browser, address, USUAL)
    there = {kind: chapter.page.locator(f"article {kind}").count() for kind in shown}
    chapter.close()
    assert shown == there and all(there.values())


def test_keys_go_on_and_back_line_by_line_and_the_address_says_where(browser, address):
    visit = deck(browser, address, FIGURE)
    page = visit.page
    assert now(page) == (1, 0)
    steps = []
    for key in ["ArrowRight", " ", "ArrowRight", "PageDown", "ArrowLeft", "ArrowLeft", "ArrowLeft"]:
        page.keyboard.press(key)
        steps.append(now(page))
    assert steps == [(2, 0), (3, 0), (3, 1), (4, 0), (3, 1), (3, 0), (2, 0)]  # the third has a second line
    page.keyboard.press("End")
    assert now(page)[0] == page.locator(".slide").count()
    page.reload()
    page.locator(".deck[data-ready]").wait_for()
    assert now(page)[0] == page.locator(".slide").count()
    page.keyboard.press("Home")
    page.keyboard.press("o")
    assert page.locator(".slide:visible").count() == page.locator(".slide").count()
    page.locator(".slide").nth(4).click()
    assert now(page) == (5, 0) and page.locator(".slide:visible").count() == 1
    page.keyboard.press("Escape")
    page.locator("article").wait_for()
    assert page.url == f"{address}/{FIGURE}.html"
    visit.close()


def test_a_list_of_the_keys_opens_and_closes_and_turns_nothing(browser, address):
    visit = deck(browser, address, FIGURE)
    page = visit.page
    page.keyboard.press("ArrowRight")
    for way in ("?", "button"):
        page.keyboard.press("?") if way == "?" else page.get_by_role("button", name="Keys").click()
        keys = page.get_by_role("dialog", name="Keys")
        keys.wait_for()
        told = keys.locator("dt").all_inner_texts()
        assert {"Home", "End", "o", "n", "p", "f", "?", "Esc"} < set(told)
        page.keyboard.press("ArrowRight")
        assert now(page)[0] == 2
        found = audit(visit) if way == "button" else []
        page.keyboard.press("Escape")
        assert keys.count() == 0 or not keys.is_visible()
        assert now(page)[0] == 2 and "?slides=2" in page.url  # it has left the list and not the deck
        assert not found, "\n".join(found)
    visit.close()


# A finger that is drawn from one place to another, as a browser tells it.
DRAWN = """(target, [way, down]) => {
  const at = (x, y) => new Touch({identifier: 1, target, clientX: 200 + x, clientY: 200 + y});
  const told = (kind, touch, touches) => target.dispatchEvent(
    new TouchEvent(kind, {touches, changedTouches: [touch], bubbles: true}));
  told('touchstart', at(0, 0), [at(0, 0)]);
  told('touchend', at(way, down), []);
}"""


def test_a_finger_turns_a_slide_but_not_from_a_slider(browser, address):
    visit = deck(browser, address, FIGURE, width=390)
    page, places = visit.page, []
    edges = page.locator("body > nav > *").evaluate_all(
        "nodes => nodes.map(node => node.getBoundingClientRect()).flatMap(({left, right}) => [left, right])")
    assert 0 <= min(edges) and max(edges) <= 390
    for way, down in [(-80, 10), (-80, 10), (80, 0), (-80, 90), (-20, 0)]:  # the last two turn nothing
        page.locator(".slide.now h2").evaluate(DRAWN, [way, down])
        places.append(now(page)[0])
    assert places == [2, 3, 2, 2, 2]
    while not page.locator(".slide.now input").count():
        page.keyboard.press("ArrowRight")
    number = now(page)
    page.locator(".slide.now input").first.evaluate(DRAWN, [-80, 0])
    assert now(page) == number
    visit.close()


def test_a_knob_turns_on_a_slide_and_its_keys_are_its_own(browser, address):
    visit = deck(browser, address, FIGURE)
    page = visit.page
    while not page.locator(".slide.now input").count():
        page.keyboard.press("ArrowRight")
    before, slider = now(page), page.locator(".slide.now input").first
    said = page.locator(".slide.now [role=status]").inner_text()
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".slide.now [role=status]").inner_text() != said and now(page) == before
    visit.close()


def test_the_speaker_reads_the_prose(browser, address):
    visit = deck(browser, address, FIGURE)
    page = visit.page
    page.keyboard.press("ArrowRight")
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    notes = opened.value
    notes.get_by_text("A class is worth raising").wait_for()
    page.keyboard.press("ArrowRight")
    notes.get_by_text("A model draws one of").wait_for()
    assert notes.get_by_text("A class is worth raising").count() == 0
    visit.close()


def test_a_deck_is_printed_with_all_its_lines(browser, address):
    visit = deck(browser, address, FIGURE)
    printed = visit.page.pdf(prefer_css_page_size=True, print_background=True)
    pages = [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(BytesIO(printed))]
    assert len(pages) == visit.page.locator(".slide").count()
    assert "definition of" in pages[5] and "Reset" not in "".join(pages)
    assert "Summed over" in "".join(pages)  # a solution
    assert "share of the area: 0.497" in " ".join("".join(pages).split())  # of the still picture
    visit.close()


def test_a_handout_is_upright_with_what_is_said(browser, address):
    visit = deck(browser, address, FIGURE)
    visit.page.evaluate("window.print = () => {}")
    visit.page.keyboard.press("p")
    document = pypdfium2.PdfDocument(BytesIO(visit.page.pdf(prefer_css_page_size=True)))
    text = " ".join("".join(page.get_textpage().get_text_bounded() for page in document).split())
    width, height = document[0].get_size()
    assert (round(width), round(height)) == (595, 842)
    assert 3 < len(document) < visit.page.locator(".slide").count()
    assert "A class is worth raising" in text and "Summed over" in text  # a note, a solution
    visit.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not visit.page.locator("html.handout").count()
    visit.close()


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
def test_a_deck_is_accessible(browser, address, theme, width):
    visit = deck(browser, address, FIGURE, theme=theme, width=width)
    visit.page.keyboard.press("ArrowRight")
    found = audit(visit)
    visit.close()
    assert not found, "\n".join(found)
