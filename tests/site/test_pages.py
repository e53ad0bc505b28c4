"""Every page as a reader meets it: light on a desk, dark on a phone; and every kind of page the other ways.

A page is loaded once for each width and theme, and all that is wrong with it is told together.
"""

import re
from functools import cache

import pytest
from conftest import SITE, Visit, served
from looks import faults

from tools import execute

PAGES = [*execute.pages(), "search", "genindex"]


@cache
def kinds(name):
    """What a page is made of: its tags and their classes, but for spans, which are letters of formulas
    and of code."""
    path = SITE / f"{name}.html"
    page = path.read_text("utf8") if path.exists() else ""
    tags = re.findall(r'<(?!span\b)(\w+) (?:[^<>]*? )?class="([^"]*)"', page)
    return {(tag, word) for tag, words in tags for word in words.split()}


def sample():
    """A few pages on which everything occurs that occurs on any."""
    chosen, missing = [], set().union(*map(kinds, PAGES))
    while missing:
        chosen.append(max(PAGES, key=lambda name: len(kinds(name) & missing)))
        missing -= kinds(chosen[-1])
    return chosen


SAMPLE = sample()
DESK, PHONE = ("light", 1280), ("dark", 390)
VISITS = [
    (name, theme, width)
    for name in PAGES
    for theme, width in [DESK, PHONE, ("dark", 1280), ("light", 390)]
    if name in SAMPLE or (theme, width) in {DESK, PHONE}
]


@pytest.mark.parametrize(("name", "theme", "width"), VISITS)
def test_page(browser, address, name, theme, width):
    """Contrast is audited at every visit; the rest of accessibility on the desk, of the sample on the
    phone too: each theme and each width."""
    visit = Visit(browser, address, name, theme=theme, width=width)
    found = faults(visit, everything=(theme, width) in ({DESK, PHONE} if name in SAMPLE else {DESK}))
    visit.close()
    assert not found, "\n".join(found)


# --- That the faults of a page are seen --------------------------------------------

FAULTY = """
<p>Left: \\frac{1}{2} and {eq}`eq-a`.</p>
<p><img src="../_static/favicon.svg" width="9"></p>
<p style="color: #888; background: #999">Hardly to be read.</p>
<details open><summary>A slider</summary><input type="range" name="unnamed"></details>
<div class="formula" style="width: 99px; overflow: hidden"><div style="width: 300px">a cut formula</div>
<div style="width: 50px; white-space: nowrap"><span class="reason">a reason that is far too long</span></div>
</div>
<div style="width: 3000px">A wide one.</div>
<script>console.error("said in the console"); setTimeout(() => { throw new Error("thrown") })</script>
<img src="http://localhost:9/elsewhere.png" alt="From elsewhere.">
<script src="../_static/missing.js"></script>
"""
TOLD = [
    "left as typed: .*\\\\frac", "left as typed: .*{eq}", "picture without words: <img src=.*favicon",
    "accessibility: color-contrast: .*", "accessibility: label: ", "reason cut: a reason",
    "scrolls sideways: ", "trouble: console: said in the console", "trouble: error: .*thrown",
    "from elsewhere: http://localhost:9", "trouble: failed: http://localhost:9", "trouble: 404: .*missing.js",
]  # fmt: skip


@pytest.mark.parametrize(("theme", "width"), [DESK, PHONE])
def test_faults_are_seen(browser, address, tmp_path, theme, width):
    (tmp_path / "_static").symlink_to(SITE / "_static")
    (tmp_path / "book").mkdir()
    page = (SITE / "book/intro.html").read_text("utf8")
    (tmp_path / "book/faulty.html").write_text(page.replace("</article>", FAULTY + "</article>"), "utf8")
    with served(tmp_path) as address:
        visit = Visit(browser, address, "book/faulty", theme=theme, width=width)
        found = faults(visit)
        visit.close()
    told = [*TOLD, "formula cut: .*"] if width == 1280 else TOLD
    missed = [what for what in told if not any(re.match(what, fault, re.DOTALL) for fault in found)]
    assert not missed, "\n".join(found)
