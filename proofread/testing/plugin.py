"""The plugin of pytest: of a `Page` in a module of tests it makes tests.

Each falsification is one, and so are the page's exercises, and its errata, its arguments, its definitions,
its formulas and its sentences where they are asked for.  A falsification is tried if its test is run.  With
``--accept-formulas`` formulas and assertions are kept, and nothing is tested.  This file is imported whenever
pytest runs where the package is installed, so it imports little.
"""

from collections import defaultdict
from functools import partial

import pytest

from .notebooks import Notebooks
from .page import Page


class Hooks:
    """What a ``conftest.py`` may say."""

    @pytest.hookspec(firstresult=True)
    def pytest_proofread_notebooks(self, config):
        """The `Notebooks` whose pages are tested here."""


def pytest_addoption(parser):
    parser.addoption("--accept-formulas", action="store_true",
                     help="keep the formulas and assertions of pages, in place of those that are kept")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: many seconds, and a faster one takes the same way")


def pytest_addhooks(pluginmanager):
    pluginmanager.add_hookspecs(Hooks)


@pytest.hookimpl(trylast=True)
def pytest_proofread_notebooks(config):
    return Notebooks(config.rootpath)


def pytest_pycollect_makeitem(collector, name, obj):
    if isinstance(obj, Page):
        return PageTests.from_parent(collector, name=name, page=obj)
    return None


def pytest_collection_finish(session):
    tried = defaultdict(list)
    for item in session.items:
        if isinstance(item, PageTest):
            left_out = item.falsified is None or item.get_closest_marker("skip")
            tried[item.trial] += [] if left_out else [item.falsified]
    for trial, falsified in tried.items():
        trial.tried = falsified


class PageTests(pytest.Collector):
    """The tests of a page."""

    def __init__(self, *, page, **kwargs):
        super().__init__(**kwargs)
        self.page = page

    def collect(self):
        from .trial import Trial

        notebooks = self.ihook.pytest_proofread_notebooks(config=self.config)
        if self.config.getoption("accept_formulas"):  # and nothing is tested
            trial = Trial(Page(self.page.name, **self.page.asked), notebooks)
            if trial.asked.get("formulas"):
                yield PageTest.from_parent(self, name="formulas", trial=trial, task=trial.keeps)
            return
        trial = Trial(self.page, notebooks)
        for one in self.page.falsified:
            test = PageTest.from_parent(self, name=str(one), trial=trial, task=partial(trial.fails, one),
                                        falsified=one)
            if one.slow:
                test.add_marker("slow")
            yield test
        for name, task in trial.others():
            yield PageTest.from_parent(self, name=name, trial=trial, task=task)


class PageTest(pytest.Item):
    """One of them."""

    def __init__(self, *, trial, task, falsified=None, **kwargs):
        super().__init__(**kwargs)
        self.trial, self.task, self.falsified = trial, task, falsified

    def runtest(self):
        self.task()

    def reportinfo(self):
        return self.path, 0, self.name  # where a skipped test is told, a line is asked for
