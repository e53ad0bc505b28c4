"""A visit of a page of the built site, served on this machine, in Chromium."""

import os
import threading
from contextlib import contextmanager, suppress
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / os.environ.get("SOFTMAXNOTES_SITE", "_build/html")
PUBLISHED = ROOT / "_build" / "jupyter_execute"


def sample(kinds):
    """A few of the things on which every kind occurs that occurs on any, the richest first.

    Examples
    --------
    >>> sample({"one": {"slider"}, "two": {"slider", "choice"}, "three": {"logarithm"}})
    ['two', 'three']
    """
    chosen, missing = [], set().union(*kinds.values())
    while missing:
        chosen.append(max(kinds, key=lambda name: len(kinds[name] & missing)))
        missing -= kinds[chosen[-1]]
    return chosen


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def copyfile(self, *args):
        with suppress(BrokenPipeError):  # the browser has left the page
            super().copyfile(*args)


@contextmanager
def served(folder, handler=Quiet):
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@cache
def window(browser, theme, width):
    """One for all visits of a width and a theme: what pages share is fetched once."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)
    context.add_init_script(SHIFT)
    return context


# How far the page moves while it loads, as browsers sum it up; but to them the size of a new window is an
# input, after which they excuse what moves for half a second.
SHIFT = """window.shift = 0;
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) window.shift += entry.value;
}).observe({type: 'layout-shift', buffered: true});"""


def until(page, told, given=None):
    """Wait until the page evaluates something to true, by asking: its policy lets nobody wait in it."""
    for _ in range(300):
        if page.evaluate(told, given):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"not within half a minute: {told}")


class Visit:
    """A page in the browser, and all that went wrong while it was loaded."""

    def __init__(self, browser, address, name, *, theme="light", width=1280):
        self.address, self.width, self.troubles, self.requests = address, width, [], []
        page = self.page = window(browser, theme, width).new_page()
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("requestfailed", lambda request: self.troubles.append(f"failed: {request.url}"))
        page.on("pageerror", lambda error: self.troubles.append(f"error: {error}"))
        page.on("response", lambda r: r.status >= 400 and self.troubles.append(f"{r.status}: {r.url}"))
        page.on("console", lambda m: (
            m.type in {"error", "warning"} and self.troubles.append(f"console: {m.text}")))
        page.goto(f"{address}/{name}.html")  # returns when all is loaded

    def turn(self, *, width, theme=None, media="screen"):
        """As a reader who makes the window wider, chooses dark or light, or prints: what moves then is no
        fault."""
        before = self.page.evaluate("window.shift")
        self.page.emulate_media(media=media, color_scheme=theme)
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        self.page.evaluate("before => { window.shift = before; }", before)
        self.width = width

    def close(self):
        self.page.close()
