"""When a page was last changed, by the history of the repository; where there is none, no page says it.

sphinx-last-updated-by-git asks when it reads a page.  A commit changes no text, so that a build that reads
only what has changed would go on to show the day of the commit before.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from sphinx.util import logging

from tools import chapters, settings

log = logging.getLogger(__name__)


def days(folder: Path) -> dict[str, str]:
    """Of each file below a folder the day of its last change, such as 2026-11-27, in its author's time zone.

    Nothing, where git knows no history, or a cut one, whose oldest commit seems to have changed every file.
    """
    try:
        if _git(folder, "rev-parse", "--is-shallow-repository").strip() == "true":
            log.info("no page says when it was last changed: the history of the clone is cut")
            return {}
        told = _git(folder, "log", "--format=%x00%as", "--name-only", "--relative", "--no-show-signature")
    except (OSError, subprocess.CalledProcessError) as error:
        why = (getattr(error, "stderr", "") or str(error)).strip()
        log.info("no page says when it was last changed: %s", why)
        return {}
    found: dict[str, str] = {}
    for commit in told.split("\0")[1:]:
        day, *names = filter(None, commit.splitlines())
        for name in names:
            found[name] = max(day, found.get(name, ""))
    return found


def _git(folder: Path, *command: str) -> str:
    return subprocess.run(["git", "-c", "core.quotePath=false", *command], cwd=folder, check=True,
                          capture_output=True, encoding="utf8").stdout


def of_pages(env, days: dict[str, str]) -> dict[str, str]:
    """The day of each page: of its text, and of what it includes or describes.

    What gathers from the chapters is as new as the newest page: such is also the page without a name.
    """
    own = {name: day for name in env.found_docs if (day := max(_days(env, name, days), default=""))}
    newest = max(own.values(), default="")
    book = set(chapters.chapters())
    gathered = {name: newest for name in env.softmaxnotes["readers"] - book if name in own}
    return {**own, **gathered, "": newest} if newest else {}


def _days(env, docname: str, days: dict[str, str]):
    cites = docname in chapters.chapters()  # of all works of the book a few: the file is no part of its text
    for path in (chapters.source(docname), *(Path(env.srcdir, name) for name in env.dependencies[docname])):
        if path.is_relative_to(settings.ROOT) and not (cites and path.suffix == ".bib"):
            if day := days.get(path.relative_to(settings.ROOT).as_posix()):
                yield day


def rewrite(app, env) -> list[str]:
    """The pages that were committed since they were written."""
    before = env.softmaxnotes.get("days", {})
    now = env.softmaxnotes["days"] = of_pages(env, days(settings.ROOT))
    return [name for name in env.found_docs if now.get(name) != before.get(name)]


def setup(app):
    app.connect("env-get-updated", rewrite, priority=900)
