"""The built site and a browser, for all tests of the site."""

import shutil

import pytest
from playwright.sync_api import sync_playwright
from visits import SITE, served, unavailable


@pytest.fixture(scope="session")
def address():
    if not (SITE / "index.html").exists():
        unavailable("no site in _build/html: make book")
    with served(SITE) as address:
        yield address


@pytest.fixture(scope="session")
def browser():
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        unavailable("no Chromium on this machine")
    options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking",
               "--disable-component-update"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=options)
        yield browser
        browser.close()
