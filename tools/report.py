"""Where an error is reported, with what is known of its place: page, version, number of the equation.

That is the form of the repository, `.github/ISSUE_TEMPLATE/error.yml`, or, as long as none is named, the page
*Report an error*, where ``theme/book.js`` fills in the same.
"""

from __future__ import annotations

from urllib.parse import quote, urlencode

from tools import citation

PAGE, SECTION = "book/back/contributing", "report-an-error"


def address(app, docname: str, equation: str = "") -> str:
    """Where a page leads, or one of its equations if that is named; nowhere in a book without such a page."""
    env = app.env
    known = {"page": env.titles[docname].astext() if docname in env.titles else docname,
             "equation": equation, "version": citation.told()["version"]}
    given = urlencode({name: text for name, text in known.items() if text}, quote_via=quote)
    if repository := app.config.softmaxnotes_repository.rstrip("/"):
        return f"{repository}/issues/new?template=error.yml&{given}"
    if PAGE in env.found_docs:
        return f"{app.builder.get_relative_uri(docname, PAGE)}?{given}#{SECTION}"
    return ""
