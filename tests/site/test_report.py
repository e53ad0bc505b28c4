"""A report of an error begins with what is known of the place where it was found."""

import re
from urllib.parse import parse_qs, urlparse

from visits import Visit

from tools import citation

PAGE, TITLE = "book/gumbel/gumbel_max", "The Gumbel-max trick"


def test_beside_an_equation_it_has_page_number_and_version(browser, address):
    visit = Visit(browser, address, PAGE)
    box = visit.page.locator(".eqbox:has(> .how)").nth(2)
    number = box.locator(".num").first.inner_text()
    box.locator(".how > summary").click()
    box.get_by_role("link", name=f"Report an error in {number}").click()
    visit.page.wait_for_url("**/contributing.html?*#report-an-error")
    text = visit.page.locator("#report-an-error div.code pre").text_content()
    version = citation.told()["version"]
    assert re.fullmatch(r"\([\d.]+\)", number)
    assert text.startswith(f"Page: {TITLE}\nVersion: {version}\nEquation or section: {number}\nIt says: …\n")
    visit.close()


def test_at_the_foot_of_a_page_it_has_page_and_version(browser, address):
    visit = Visit(browser, address, "genindex")
    link = visit.page.locator("footer").get_by_role("link", name="Report an error")
    known = {"page": ["genindex"], "version": [citation.told()["version"]]}
    assert parse_qs(urlparse(link.get_attribute("href")).query) == known
    link.click()
    text = visit.page.locator("#report-an-error div.code pre").text_content()
    assert text.startswith("Page: genindex\n") and "\nEquation or section: …\n" in text
    visit.page.goto(f"{address}/book/back/contributing.html")  # without a page that led to it
    text = visit.page.locator("#report-an-error div.code pre").text_content()
    assert text.startswith("Page: …\nVersion: …")
    visit.close()
