"""For every test: a notebook has one book of entries, and each test starts with an empty one.

Tests that take many seconds run on demand, ``pytest --slow``, as do two of three falsifications of a page.
"""

import gc
import os
from hashlib import sha256

from tools.settings import GARBAGE, PROCESS_ENV, ROOT

os.environ.update(PROCESS_ENV)  # before NumPy and SymPy are imported

import pytest
from hypothesis import HealthCheck, settings

from proofread import ledger
from tools.testing import Chapters

pytest_plugins = ["browser", "locks"]

gc.set_threshold(GARBAGE)

# how long an example takes says how busy the machine is
settings.register_profile("book", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("book")


@pytest.fixture(autouse=True)
def _empty_book(monkeypatch):
    monkeypatch.setattr(ledger, "_current", ledger.Ledger())


def pytest_addoption(parser):
    parser.addoption("--slow", action="store_true", help="also the tests that are marked as slow")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: many seconds, and a faster one takes the same way; see --slow")


def pytest_collection_modifyitems(config, items):
    if not config.option.keyword:  # who names one wants it
        for item in items:
            if not _in_the_sample(item):
                item.add_marker("slow")
    if not config.getoption("--slow"):
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("slow")])
        items[:] = [item for item in items if not item.get_closest_marker("slow")]


def _in_the_sample(item):
    """Whether it is among the third of a page's falsifications that is tried: with the page, others are."""
    if getattr(item, "falsified", None) is None:
        return True
    page = (ROOT / f"{item.trial.page.name}.md").read_bytes()
    return sha256(page + item.name.encode()).digest()[0] % 3 == 0


def pytest_proofread_notebooks(config):
    """The pages are chapters: what is executed for their tests is kept for the site."""
    return Chapters()
