"""What a reader takes along: figures as files, and a line to cite."""

import json
import re
from functools import cache
from xml.etree import ElementTree

import pytest
from PIL import Image
from visits import SITE, Visit

from tools import chapters, history, settings

committed = cache(lambda: history.days(settings.ROOT))
PAGE = "book/gumbel/gumbel_max"
SVG = "{http://www.w3.org/2000/svg}"


def taken(visit, figure, kind, folder):
    """The file that a figure is saved as."""
    box = visit.page.locator(f"#{figure}")
    box.hover()
    with visit.page.expect_download() as download:
        box.get_by_role("button", name=f"This figure as {kind}").click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_a_figure_is_saved_as_it_stands(browser, address, tmp_path):
    visit = Visit(browser, address, PAGE)
    before = ElementTree.parse(taken(visit, "fig-race", "SVG", tmp_path)).getroot()
    assert before.tag == f"{SVG}svg" and len(before.findall(f"{SVG}svg")) == 1
    line = before.find(f"{SVG}title").text
    assert re.fullmatch(r"Figure [\d.]+ of Softmax and what grew from it, by .+; CC BY 4.0", line)
    style = before.find(f"{SVG}style").text
    assert style.count("@font-face") >= 1 and "data:font/woff2" in style  # read also where the page is not
    shown = "".join(ElementTree.tostring(svg, "unicode") for svg in before.findall(f"{SVG}svg"))
    assert "var(--paper" in shown and "--paper:" in shown  # and so are its colours
    # a turned knob is seen in the file
    slider = visit.page.locator("#fig-race input[type=range]")
    slider.focus()
    slider.press("End")
    after = ElementTree.parse(taken(visit, "fig-race", "SVG", tmp_path)).getroot()
    assert ElementTree.tostring(after) != ElementTree.tostring(before)
    visit.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_picture_is_what_one_sees(browser, address, tmp_path, theme):
    visit = Visit(browser, address, PAGE, theme=theme)
    picture = Image.open(taken(visit, "fig-area", "PNG", tmp_path)).convert("L")
    box = "svg => [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height]"
    width, height = visit.page.locator("#fig-area svg").first.evaluate(box)
    assert picture.size[0] == int(3 * width) and picture.size[1] >= int(3 * height)
    counts = picture.histogram()
    ground = picture.getpixel((0, 0))
    assert (ground > 200) == (theme == "light") and 0.3 < counts[ground] / sum(counts) < 0.99
    ink = [level for level, count in enumerate(counts) if count and abs(level - ground) > 150]
    assert ink  # the axes have the colour of the text
    visit.close()


def test_a_chapter_says_how_it_is_cited():
    html = (SITE / f"{PAGE}.html").read_text("utf8")
    entry = re.search(r'<details class="cite">.*?<pre>(.*?)</pre>', html, re.DOTALL)[1]
    assert entry.startswith("@incollection{softmaxnotes:gumbel_max,") and entry.endswith("\n}")
    assert re.search(r"chapter\s+= \{\d+\}", entry) and "title     = {The Gumbel-max trick}" in entry
    facts = json.loads(re.search(r'<script type="application/ld\+json">(.*?)</script>', html)[1])
    assert facts["@type"] == "Chapter" and facts["name"] == "The Gumbel-max trick" and facts["description"]


@pytest.mark.parametrize("name", chapters.pages())
def test_every_page_tells_its_licence_and_version(name):
    foot = (SITE / f"{name}.html").read_text("utf8").rpartition("<footer>")[2]
    assert 'rel="license">CC BY 4.0</a>' in foot and re.search(r"version \d+\.\d+\.\d+\.", foot)
    assert "Report an error" in foot


@pytest.mark.parametrize("name", chapters.pages())
def test_every_page_tells_when_it_was_last_changed(name):
    foot = (SITE / f"{name}.html").read_text("utf8").rpartition("<footer>")[2]
    told = re.search(r'last changed on <time datetime="([\d-]+)">\d+ \w+ \d{4}</time>', foot)
    day = committed().get(f"{name}.md")
    assert bool(told) == bool(day)  # a source archive has no history
    if name in chapters.chapters() and "{benchmark}" not in chapters.source(name).read_text("utf8") and day:
        assert told[1] == day
