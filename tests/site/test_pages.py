"""Every page as a reader meets it: on a desk, on a telephone, between and beyond, without scripts, on paper.

All that is wrong with a page is told together.
"""

import re
import time
from functools import cache

import pytest
from looks import SHIFT, audit, faults, on_paper
from visits import SHIFT as MEASURE
from visits import SITE, Quiet, Visit, sample, served, until

from tools import chapters

CHAPTERS = chapters.chapters()
PAGES = [*chapters.pages(), "search", "genindex"]
LOOKS = ("light", 1280), ("dark", 390)
WIDTHS = (390, 800, 1280, 1600)


@cache
def html(name):
    path = SITE / f"{name}.html"
    return path.read_text("utf8") if path.exists() else ""


@cache
def kinds(name):
    """What a page is made of: its tags and their classes, but for spans, which are letters of formulas
    and of code."""
    tags = re.findall(r'<(?!span\b)(\w+) (?:[^<>]*? )?class="([^"]*)"', html(name))
    return {(tag, word) for tag, words in tags for word in words.split()}


# Of pages that have as much the smallest is audited.
SMALL = sorted(PAGES, key=lambda name: len(html(name)))
AUDITED = sample({name: kinds(name) for name in SMALL})
EVERYWHERE = next(name for name in SMALL if name in CHAPTERS[1:])  # is loaded at every width


@pytest.mark.parametrize("name", PAGES)
def test_page(browser, address, name):
    """A chapter on a telephone, then made as wide as a desk, then printed, one loaded at every width;
    another page on a telephone, where it is most likely to be too wide. Some are audited as well."""
    found = []
    for width in WIDTHS if name == EVERYWHERE else (390,):
        visit = Visit(browser, address, name, theme="dark" if width == 390 else "light", width=width)
        found += [f"{width} px: {fault}" for fault in faults(visit, chapter=name in CHAPTERS)]
        if name in CHAPTERS and name != EVERYWHERE:
            visit.turn(width=1280)
            found += [f"1280 px: {fault}" for fault in faults(visit, chapter=True)]
        if name in CHAPTERS:
            found += on_paper(visit)
        if name in AUDITED and width == 390:
            found += audits(visit)
        visit.close()
    assert not found, "\n".join(found)


def audits(visit):
    """Of a light page on a desk, and of a dark one on a telephone."""
    found = []
    for theme, width in LOOKS:
        visit.turn(theme=theme, width=width)
        found += [f"{theme}: {fault}" for fault in audit(visit)]
    return found


@pytest.mark.parametrize("words", ["softmax", "nowhere-to-be-found"])
def test_what_is_found_moves_nothing(browser, address, words):
    """Also where the index is late."""
    context = browser.new_context(viewport={"width": 390, "height": 900})
    context.add_init_script(MEASURE)
    page = context.new_page()
    page.route("**/words.js", lambda route: (time.sleep(1), route.continue_()))
    page.goto(f"{address}/search.html?q={words}")
    page.locator("#found:not(:empty)").wait_for()
    page.wait_for_timeout(100)
    assert page.evaluate("shift") <= SHIFT
    context.close()


class Slow(Quiet):
    """Sends the bar of a page and its tables piece by piece."""

    def copyfile(self, source, outputfile):
        for piece in re.split(rb"(?=<tr>|<button type=\"button\" id=|<a href=\"\?slides)", source.read()):
            outputfile.write(piece)
            time.sleep(0.05)


@pytest.mark.parametrize("name", ["book/back/measurements", EVERYWHERE])
@pytest.mark.parametrize("width", (390, 1280))
def test_what_comes_late_moves_nothing_that_came_before(browser, name, width):
    context = browser.new_context(viewport={"width": width, "height": 900})
    context.add_init_script(MEASURE)
    page = context.new_page()
    with served(SITE, Slow) as address:
        page.goto(f"{address}/{name}.html")
    assert page.evaluate("shift") == 0
    context.close()


# --- Without scripts --------------------------------------------------------

# Text that a reader sees, or can unfold.
READ = """() => {
  const unseen = node => !node.checkVisibility({visibilityProperty: true});
  const folded = node => node.closest('details:not([open]) > :not(summary)');
  const read = 'h1, h2, h3, p, li, dt, dd, td, th, pre, summary, .eq, .num, svg';
  return [...document.querySelectorAll(`main :is(${read})`)]
    .filter(node => !node.closest('noscript, form, [role=status], .katex'))
    .filter(node => unseen(node) && !folded(node)).map(node => node.outerHTML.slice(0, 120));
}"""


@pytest.mark.parametrize("name", sample({name: kinds(name) for name in SMALL if name in CHAPTERS}))
def test_without_scripts_nothing_is_lost(browser, address, name):
    context = browser.new_context(java_script_enabled=False, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(f"{address}/{name}.html")
    unseen = page.evaluate(READ)
    assert page.locator("details > summary").count() == page.locator("details").count()
    context.close()
    assert not unseen, "\n".join(unseen)


# --- What the script adds ------------------------------------------------------------------


def test_code_is_folded_or_open_and_what_is_read_stays(browser, address):
    visit = Visit(browser, address, CHAPTERS[1])
    page = visit.page
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight / 2)")
    where = """() => {
      const line = [...document.querySelectorAll('main p')]
        .find(p => p.checkVisibility() && p.getBoundingClientRect().top > 50);
      line.id ||= 'line';
      return [line.id, line.getBoundingClientRect().top];
    }"""
    ident, before = page.evaluate(where)
    page.locator("#code").evaluate("button => button.click()")  # a mouse that is driven would scroll first
    assert page.locator("article details.code:not([open])").count() == 0
    after = page.evaluate("id => document.getElementById(id).getBoundingClientRect().top", ident)
    assert abs(after - before) < 2
    page.reload()
    assert page.locator("#code").get_attribute("aria-pressed") == "true"  # it is remembered
    page.locator("#code").click()
    assert page.locator("details.code[open]").count() == 0
    visit.close()


@pytest.mark.parametrize(("allowed", "said"), [(True, "Copied"), (False, "Selected")])
def test_code_is_copied_or_selected(browser, address, allowed, said):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"] if allowed else [])
    page = context.new_page()
    if not allowed:
        page.add_init_script("navigator.clipboard.writeText = () => Promise.reject()")
    page.goto(f"{address}/{CHAPTERS[1]}.html")
    box = page.locator("div.code:visible").first
    button, text = box.locator(".copy"), box.locator("pre").text_content()
    assert button.evaluate("node => getComputedStyle(node).opacity") == "0"
    box.hover()
    assert button.evaluate("node => getComputedStyle(node).opacity") == "1"
    button.click()
    button.filter(has_text=said).wait_for()
    taken = "navigator.clipboard.readText()" if allowed else "getSelection().toString()"
    assert page.evaluate(taken).strip() == text.strip()
    button.filter(has_text="Copy").wait_for()
    context.close()


def test_of_a_session_what_was_typed_is_copied(browser, address):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{address}/book/back/api/softmax.html")
    box = page.locator("div.code", has_text=">>> ").first
    shown = box.locator("pre").text_content()
    box.hover()
    box.locator(".copy").click()
    box.locator(".copy").filter(has_text="Copied").wait_for()
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert lines == [line[4:] for line in shown.splitlines() if line.startswith((">>> ", "... "))]
    assert len(lines) < len(shown.splitlines())  # something was answered
    context.close()


def test_a_letter_does_not_stand_alone_at_the_end_of_a_line(browser, address):
    visit = Visit(browser, address, "book/language/watermarks", width=390)
    parts = """() => [...document.querySelectorAll('h2, .contents a')].map(head => {
      const walker = document.createTreeWalker(head, NodeFilter.SHOW_TEXT), lines = [];
      for (let node; (node = walker.nextNode());) {
        const found = node.data.match(/^p-value$|\\bp-value\\b/);
        if (!found) continue;
        const range = document.createRange();
        range.setStart(node, found.index);
        range.setEnd(node, found.index + 7);
        lines.push(new Set([...range.getClientRects()].map(({ top }) => top)).size);
      }
      return lines;
    }).flat()"""
    for width in range(200, 420, 20):
        visit.turn(width=width)
        lines = visit.page.evaluate(parts)
        assert len(lines) >= 2 and set(lines) == {1}, width
    visit.close()


def test_light_and_dark_are_remembered(browser, address):
    context = browser.new_context(color_scheme="light")
    page = context.new_page()
    page.goto(f"{address}/search.html")
    ground = "() => getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.locator("#theme").click()
    page.locator("#theme").click()
    dark = page.evaluate(ground)
    page.goto(f"{address}/genindex.html")
    assert page.evaluate(ground) == dark != light
    page.locator("#theme").click()
    assert page.evaluate(ground) == light  # as the system says
    context.close()


@pytest.mark.parametrize("way", ["mouse", "keyboard"])
def test_a_reference_shows_its_equation(browser, address, way):
    here, elsewhere = '<p>[^<]*<a href="#equation-', '<p>[^<]*<a href="[^"#]+#equation-'
    name = next(name for name in CHAPTERS if all(re.search(kind, html(name)) for kind in (here, elsewhere)))
    visit = Visit(browser, address, name)
    for kind in ("^='#equation-'", "*='.html#equation-'"):  # on this page, on another one
        link = visit.page.locator(f"p > a[href{kind}]:visible").first
        visit.page.mouse.move(640, 450)  # where it rests when the keyboard scrolls
        link.hover() if way == "mouse" else link.focus()
        preview = visit.page.locator(".preview .katex")
        preview.first.wait_for()
        visit.page.wait_for_timeout(200)  # what scrolled tells so in a later frame
        assert preview.count() > 0
        visit.page.keyboard.press("Escape")
        assert preview.count() == 0
        visit.page.mouse.move(0, 0)
    assert not visit.troubles
    visit.close()


def test_numbers_of_equations_are_links_for_the_keyboard(browser, address):
    visit = Visit(browser, address, CHAPTERS[1])
    number = visit.page.locator(".eqbox[id] .num").first
    number.focus()
    visit.page.keyboard.press("Enter")
    visit.page.wait_for_url("**#equation-*")
    visit.close()


# --- That the faults of a page are seen --------------------------------------------

FAULTY = """
<p>Left: \\frac{1}{2} and {eq}`eq-a`.</p>
<p><img src="../_static/favicon.svg" width="9"></p>
<p style="color: #888; background: #999">Hardly to be read.</p>
<p id="pale" style="color: #eee">On a dark page only.</p><p id="dark" style="color: #222">On a light one.</p>
<p>A link all but as <a href="#pale" style="color: #444; text-decoration: none">the text around it</a>.</p>
<details open><summary>A slider</summary><input type="range" name="unnamed"></details>
<div class="formula" style="width: 99px; overflow: hidden">
<div style="min-width: 300px">a cut formula</div></div>
<p id="twice">One</p><p id="twice">Two, <a href="#nothing">nowhere</a></p>
<div style="width: 3000px">A wide one, <span class="num" style="margin-left: 2500px">(9)</span></div>
<details style="display: block !important"><summary>Folded</summary><p>for the desk</p></details>
<p class="answer" style="display: block !important">For the screen</p>
<figure class="interactive"><figcaption>A caption. Turn it; try another.</figcaption></figure>
<style>@media print { body { background: #eee !important } .torn { break-inside: auto !important } }</style>
<table class="torn"><tr><td>A table</td></tr></table>
<div class="listing">Code</div><div class="eqbox" id="below"><div class="eq chain" style="width: 99px">
<div class="formula" style="overflow: visible; white-space: nowrap">
<div class="left"><span>∫ so very long it is</span></div></div><span class="num">(7)</span></div></div>
<section><div class="eqbox"><div class="eq"><div class="formula">1 = 1</div>
<span class="num" style="position: relative; right: 9px">(6)</span></div></div></section>
<div class="code" style="height: 20000px">Code</div>
<p><span class="katex"><span class="mord">♠</span></span></p>
<figure aria-label="A figure"><svg viewBox="0 0 720 90" width="200">
<text y="9" style="font-size: 9px">tiny</text></svg></figure>
<table><thead><tr><th></th><th>a column</th></tr></thead></table>
<div class="eqbox"><div class="eq"><div class="formula">1 = 1</div><span class="num">(8)</span></div>
<p>Between them.</p><details class="how"><summary>proved</summary></details></div>
<script>console.error("in the page")</script>
<script src="faulty.js"></script>
<img src="http://localhost:9/elsewhere.png" alt="From elsewhere.">
<script src="../_static/missing.js"></script>
"""
FAULTY_SCRIPT = """console.error("said in the console"); setTimeout(() => { throw new Error("thrown") });
// What was painted once is moved; before that nobody sees it move.
const move = () => { document.querySelector("h1").style.paddingTop = "600px"; };
addEventListener("load", () => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(move))));
"""
TOLD = [
    "left as typed: .*\\\\frac", "left as typed: .*{eq}", "picture without words: <img src=.*favicon",
    "light: accessibility: color-contrast: #pale", "dark: accessibility: color-contrast: #dark",
    "light: accessibility: link-in-text-block: ", "dark: accessibility: label: ",
    "outside: \\(9\\)", "id twice: twice", "leads nowhere: nothing", "scrolls sideways: ",
    "moves while it loads: ", "trouble: console: said in the console", "trouble: error: .*thrown",
    "a whole face: .*KaTeX_Main-Regular.woff2", "small label: 2.5 px: tiny", "heading of nothing: a column",
    "from elsewhere: http://localhost:9", "outside on paper: .*\\(9\\)", "cut on paper: .*formula",
    "folded on paper: .*for the desk", "for the screen on paper: .*answer",
    "asks for a knob on paper: .*Turn it", "not white on paper: ", "breaks on paper: .*torn",
    "trouble: console: Executing inline script violates", "trouble: failed: http://localhost:9",
    "trouble: 404: .*missing.js",
]  # fmt: skip
ON_A_DESK = [
    "formula cut: .*", "formula over its number: .*∫", "number off the edge: \\(6\\)", "code takes: ",
    "code above a derivation: below", "a line has: ",
]  # fmt: skip


@pytest.mark.parametrize(("theme", "width"), LOOKS)
def test_faults_are_seen(browser, address, tmp_path, theme, width):
    (tmp_path / "_static").symlink_to(SITE / "_static")
    (tmp_path / "book").mkdir()
    page = (SITE / "book/back/sources.html").read_text("utf8")
    wide = "<style>article section > p { width: 60rem; max-width: none }</style>"
    wide += "<section><p>" + "Words without an end. " * 40 + "</p></section>"
    page = page.replace("</article>", FAULTY + wide + "</article>").replace("../../_static", "../_static")
    (tmp_path / "book/faulty.html").write_text(page, "utf8")
    (tmp_path / "book/faulty.js").write_text(FAULTY_SCRIPT, "utf8")
    with served(tmp_path) as address:
        visit = Visit(browser, address, "book/faulty", theme=theme, width=width)
        until(visit.page, f"() => window.shift > {SHIFT}")
        found = faults(visit, chapter=True) + on_paper(visit) + audits(visit)
        visit.close()
    told = [*TOLD, *ON_A_DESK] if width == 1280 else TOLD
    told += ["mark off its number: \\(8\\)"] * (width == 390)
    missed = [what for what in told if not any(re.match(what, fault, re.DOTALL) for fault in found)]
    assert not missed, "\n".join(["missed:", *missed, "found:", *found])
