"""The first page: the figure with its slider on the first screen, ways into the book, its map."""

import re

import pytest
from visits import SITE, Visit

from tools import chapters
from tools.home import below

HOME = chapters.pages()[0]


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844)])
def test_the_slider_is_on_the_first_screen(browser, address, width, height):
    page = browser.new_page(viewport={"width": width, "height": height})
    page.goto(f"{address}/{HOME}.html")
    for part in (page.locator("figure svg").first, page.locator("input[type=range]").first):
        place = part.bounding_box()
        assert place["y"] >= 0 and place["y"] + place["height"] <= height
    page.close()


def test_a_way_says_how_long_it_takes():
    html = (SITE / f"{HOME}.html").read_text("utf8")
    ways = re.search(r'<div class="routes[ "].*?</div>', html, re.DOTALL)[0]
    told = r'<a\b[^>]*? href="([^"]*)"[^>]*>.*?</a> <small class="minutes">(\d+) min'
    found = re.findall(told, ways, re.DOTALL)
    assert len(found) == ways.count("<a ") >= 20
    for place, minutes in found:
        assert f"About {minutes} minutes" in (SITE / HOME).parent.joinpath(place).read_text("utf8")


def test_a_picture_leads_to_its_figure():
    html = (SITE / f"{HOME}.html").read_text("utf8")
    places = re.findall(r'<a href="([^"#]*)#([^"]*)" aria-label="[^"]+"><svg', html)
    assert len(places) == 4
    for place, figure in places:
        assert f'<figure id="{figure}"' in (SITE / HOME).parent.joinpath(place).read_text("utf8")


def test_pointing_at_a_chapter_shows_what_it_rests_on(browser, address):
    visit = Visit(browser, address, HOME)
    pages = [name for _, part in chapters.parts() for name in part]
    graph = {name: {*chapters.front(name).needs} for name in pages}
    name = "book/rewards/discrete_latents"
    visit.page.locator(".map a[href$='rewards/discrete_latents.html']").hover()
    lit = """links => {
      const color = (link) => getComputedStyle(link).color;
      const pointed = color(document.querySelector(".map a:hover"));
      return links.filter((link) => color(link) === pointed).map(({ href }) => href);
    }"""
    found = visit.page.locator(".map li a").evaluate_all(lit)
    assert {re.search(r"/(book/.*)\.html", link)[1] for link in found} == {name, *below(graph)[name]}
    visit.close()
