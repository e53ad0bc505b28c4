"""A browser for all tests that need one."""

import os
import shutil

import pytest

# The first is Chromium without a window of its own, which costs more than the loading of a chapter: the popup
# of the address bar alone is a page of four hundred scripts.
NAMES = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"


def unavailable(reason):
    """On a reader's machine a missing browser is no fault; in CI it is."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)


@pytest.fixture(scope="module")  # while it is open, no other test of the process can run a kernel
def browser():
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        unavailable(f"no Chromium on this machine: none of {', '.join(NAMES)}")
    options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking",
               "--disable-component-update", "--font-render-hinting=none"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=options)
        yield browser
        browser.close()
