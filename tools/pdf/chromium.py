"""The browser that prints."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from tools.errors import Unknown

# The first is Chromium without a window of its own, which costs more than the loading of a chapter: the popup
# of the address bar alone is a page of four hundred scripts.
NAMES = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"

# Hinted letters would stand as far apart as on a coarse screen.
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
           "--font-render-hinting=none"]


def path() -> str | None:
    """Where the machine has one."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def opened() -> Iterator:
    """A Chromium.

    Raises
    ------
    errors.Unknown
        If the machine has none.
    """
    from playwright.sync_api import sync_playwright

    if path() is None:
        raise Unknown(f"no Chromium on this machine, which prints: expected one of {', '.join(NAMES)}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path(), args=OPTIONS)
        yield browser
        browser.close()
