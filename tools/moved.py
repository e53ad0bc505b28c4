"""Pages that have moved: their old addresses, which other sites know, lead to the new ones."""

from __future__ import annotations

from html import escape
from pathlib import Path
from posixpath import relpath

from sphinx.errors import ExtensionError

from tools import chapters

PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>{title}</title>
<meta name="robots" content="noindex">
<link rel="canonical" href="{place}">
<script>location.replace("{place}" + location.hash)</script>
<meta http-equiv="refresh" content="1; url={place}">
<p>This page has moved: <a href="{place}">{title}</a>.</p>
</html>
"""


def write(app, error):
    """A small page at each address that the front matter of a page gives as ``was``."""
    if error is not None:
        return
    known = chapters.pages()
    for name in known:
        if name not in app.env.found_docs:
            continue
        for old in chapters.front(name).was:
            if old in known:
                raise ExtensionError(f"{name} was {old}: expected an address that no page has")
            path = Path(app.outdir) / f"{old}.html"
            path.parent.mkdir(parents=True, exist_ok=True)
            place = relpath(f"{name}.html", Path(old).parent.as_posix())
            title = escape(app.env.titles[name].astext())
            path.write_text(PAGE.format(title=title, place=place), "utf8")


def setup(app):
    app.connect("build-finished", write)
