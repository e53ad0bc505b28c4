"""When pages were last changed: by the commits that changed them, the same for each build of a commit."""

import os
import subprocess
from collections import defaultdict
from types import SimpleNamespace

import pytest

from tools import chapters, history, settings


def git(folder, *command, day="2026-01-01"):
    stamp = f"{day}T23:30:00 -0500"  # in Greenwich it is the next day
    told = {f"GIT_{who}_{what}": "somebody" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    told |= {"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": "2026-12-31T00:00:00 +0000"}
    subprocess.run(["git", *command], cwd=folder, check=True, capture_output=True, env={**os.environ, **told})


def commit(folder, day, **files):
    for name, text in files.items():
        (folder / f"{name}.md").write_text(text)
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "A change", day=day)


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "book"
    folder.mkdir()
    git(folder, "init", "--quiet")
    commit(folder, "2026-01-05", one="a", two="a", größe="a")
    commit(folder, "2026-02-07", one="b")
    commit(folder, "2026-02-03", one="c")  # written before what it was put upon
    return folder


def test_a_file_was_changed_on_the_day_of_its_last_commit(repository, monkeypatch):
    (repository / "one.md").write_text("not yet committed")
    (repository / "three.md").write_text("not yet committed")
    for zone in ("UTC", "Asia/Tokyo"):
        monkeypatch.setenv("TZ", zone)
        days = history.days(repository)
        assert days == {"one.md": "2026-02-07", "two.md": "2026-01-05", "größe.md": "2026-01-05"}


def test_without_a_history_nothing_is_said(repository, tmp_path, monkeypatch):
    git(tmp_path, "clone", "--quiet", "--depth", "1", repository.as_uri(), "cut")
    (tmp_path / "archive").mkdir()
    assert history.days(tmp_path / "cut") == history.days(tmp_path / "archive") == {}
    monkeypatch.setenv("PATH", "")  # no git either
    assert history.days(repository) == {}


def env(**dependencies):
    needed = defaultdict(set, {name: set(files) for name, files in dependencies.items()})
    return SimpleNamespace(found_docs={"one", "two", "three", "ledger"}, dependencies=needed,
                           srcdir=str(settings.ROOT), softmaxnotes={"readers": {"two", "ledger"}})


DAYS = {"one.md": "2026-01-01", "two.md": "2026-01-02", "ledger.md": "2025-01-01",
        "changes.md": "2026-03-03", "works.bib": "2026-04-04"}


def test_a_page_is_as_new_as_its_parts_and_what_gathers_as_new_as_the_book(monkeypatch):
    monkeypatch.setattr(chapters, "chapters", lambda: ["one", "two"])
    days = history.of_pages(env(one=["works.bib", "/elsewhere/python.py"], ledger=["works.bib"]),
                            {**DAYS, "works.bib": "2026-01-03"})
    assert days == {"one": "2026-01-01", "two": "2026-01-02", "ledger": "2026-01-03", "": "2026-01-03"}
    assert history.of_pages(env(two=["changes.md"]), DAYS)["two"] == "2026-03-03"
    assert history.of_pages(env(), {}) == {}


def test_a_page_is_written_again_when_it_is_committed(monkeypatch):
    monkeypatch.setattr(chapters, "chapters", lambda: ["one", "two"])
    monkeypatch.setattr(history, "days", lambda folder: days)
    days, there = DAYS, env()
    assert sorted(history.rewrite(None, there)) == ["ledger", "one", "two"]
    assert history.rewrite(None, there) == []
    days = {**DAYS, "one.md": "2026-02-02"}
    assert sorted(history.rewrite(None, there)) == ["ledger", "one"]
