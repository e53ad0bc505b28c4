"""The plugin of pytest: of a `Page` in a module of tests it makes tests.

Each falsification is one, and so are the page's exercises, and its errata, its arguments and its sentences
where they are asked for.  This file is imported whenever pytest runs where the package is installed, so it
imports little.
"""

from functools import partial

import pytest

from .notebooks import Notebooks
from .page import Page


class Hooks:
    """What a ``conftest.py`` may say."""

    @pytest.hookspec(firstresult=True)
    def pytest_proofread_notebooks(self, config):
        """The `Notebooks` whose pages are tested here."""


def pytest_addhooks(pluginmanager):
    pluginmanager.add_hookspecs(Hooks)


@pytest.hookimpl(trylast=True)
def pytest_proofread_notebooks(config):
    return Notebooks(config.rootpath)


def pytest_pycollect_makeitem(collector, name, obj):
    if isinstance(obj, Page):
        return PageTests.from_parent(collector, name=name, page=obj)
    return None


class PageTests(pytest.Collector):
    """The tests of a page."""

    def __init__(self, *, page, **kwargs):
        super().__init__(**kwargs)
        self.page = page

    def collect(self):
        from .trial import Trial

        trial = Trial(self.page, self.ihook.pytest_proofread_notebooks(config=self.config))
        tasks = [(str(one), partial(trial.fails, one)) for one in self.page.falsified]
        tasks.append(("exercises", trial.asks))
        if "quotations" in trial.asked:
            tasks.append(("errata", trial.quotes))
        if "argued" in trial.asked:
            tasks.append(("argued", trial.argues))
        if "unchecked" in trial.asked:
            tasks.append(("sentences", trial.says))
        for name, task in tasks:
            yield PageTest.from_parent(self, name=name, task=task)


class PageTest(pytest.Item):
    """One of them."""

    def __init__(self, *, task, **kwargs):
        super().__init__(**kwargs)
        self.task = task

    def runtest(self):
        self.task()

    def reportinfo(self):
        return self.path, None, self.name
