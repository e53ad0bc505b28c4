"""A field with the checker behind it, as who types into it sees it."""

import pytest
from browser import unavailable
from visits import SITE, until

FILES = SITE / "_static" / "checker"
FIRST = 120_000  # milliseconds that a first verdict may take on a machine that does much else


@pytest.fixture(autouse=True)
def offered():
    if not FILES.exists():
        unavailable("the site has no fields: Python for the browser could not be fetched when it was built")


def kept_for_offline(page):
    """Wait until all that a page needs without a network is kept, which is from the first verdict on."""
    until(page, "() => Boolean(navigator.serviceWorker.controller)")
    until(page, """async () => (await Promise.all([location, ...document.querySelectorAll(
        'link[rel=stylesheet], script[src]')].map(one => caches.match(one.src ?? one.href))))
        .every(Boolean)""")


class Field:
    """The field for an exercise, ``ex-label``, or for a line, ``eq-label/2``."""

    def __init__(self, page, asked):
        self.page, self.form = page, page.locator(f'form[data-asked="{asked}"]')
        self.input, self.output = self.form.locator("[name=answer]"), self.form.locator("output")

    def submit(self, text):
        self.input.fill(text)
        self.form.locator("button").click()

    def verdict(self):
        self.form.and_(self.page.locator("[data-status]:not([data-status=busy], [data-status=''])")).wait_for(
            timeout=FIRST)
        return self.form.get_attribute("data-status"), self.output.inner_text()

    def says(self, text):
        self.submit(text)
        return self.verdict()
