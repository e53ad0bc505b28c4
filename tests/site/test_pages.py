"""Every page as a reader meets it: light and dark, on a desk and on a phone."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import Visit

from tools import execute

VISITS = [
    pytest.param((name, theme, width), id=f"{name}-{theme}-{width}", marks=pytest.mark.xdist_group(name))
    for name in [*execute.pages(), "search", "genindex"]
    for theme in ("light", "dark")
    for width in (1280, 390)
]

# What would be seen if MyST or KaTeX had left something as it was typed.
RAW = re.compile(
    r"\$\$|\\(frac|begin|end|sum|log|mathbb|operatorname|text)\b|"
    r"\{(eq|cite|prf|ref|numref|row|math)\b[^}]*\}")

# Text on the page, without code and without what is kept for screen readers.
VISIBLE_TEXT = """() => {
  const page = document.querySelector('.bd-article-container').cloneNode(true);
  page.querySelectorAll('pre, code, script, style, .katex').forEach(node => node.remove());
  return page.textContent;
}"""

WITHOUT_WORDS = """() => [...document.querySelectorAll('.bd-article img, .bd-article svg')]
  .filter(node => !node.closest('.katex, button, a.headerlink, .sd-octicon'))
  .filter(node => !(node.getAttribute('alt') || node.closest('[aria-label]')))
  .map(node => node.outerHTML.slice(0, 200))"""

CUT_FORMULAS = """() => [...document.querySelectorAll('.formula')]
  .filter(box => box.scrollWidth > box.clientWidth).map(box => box.textContent.slice(-80))"""

CUT_REASONS = """() => [...document.querySelectorAll('.formula .reason')]
  .filter(node => node.getBoundingClientRect().right > node.parentElement.getBoundingClientRect().right + 1)
  .map(node => node.textContent)"""


@pytest.fixture(scope="module", params=VISITS)
def visit(request, browser, address):
    name, theme, width = request.param
    visit = Visit(browser, address, name, theme=theme, width=width)
    yield visit
    visit.close()


def test_nothing_goes_wrong_and_nothing_comes_from_elsewhere(visit):
    elsewhere = [url for url in visit.requests if not url.startswith((visit.address, "data:", "blob:"))]
    assert not elsewhere
    assert not visit.troubles


def test_no_markup_is_left_in_the_text(visit):
    text = visit.page.evaluate(VISIBLE_TEXT)
    assert not [text[max(m.start() - 40, 0) : m.end() + 40] for m in RAW.finditer(text)]


def test_the_page_does_not_scroll_sideways(visit):
    assert visit.page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0


def test_no_formula_is_cut_on_a_desk_and_no_reason_on_a_phone(visit):
    visit.page.evaluate("document.fonts.ready")
    if visit.width == 1280:
        assert not visit.page.evaluate(CUT_FORMULAS)
    assert not visit.page.evaluate(CUT_REASONS)


def test_pictures_have_words(visit):
    assert not visit.page.evaluate(WITHOUT_WORDS)


def test_accessibility(visit):
    # What KaTeX draws is hidden from screen readers, which are given MathML; auditing its
    # thousands of boxes, all in the colour of the text around them, takes most of the time.
    found = Axe().run(visit.page, context={"exclude": [[".katex-html"]]}).response["violations"]
    serious = [
        (rule["id"], node["target"], node["failureSummary"])
        for rule in found
        if rule["impact"] in {"serious", "critical"}
        for node in rule["nodes"]
    ]
    assert not serious
