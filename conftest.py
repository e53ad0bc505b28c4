"""For every test: a notebook has one book of entries, and each test starts with an empty one.

Tests that take many seconds run on demand: ``pytest --slow``.
"""

import gc
import os

from tools.settings import GARBAGE, PROCESS_ENV

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
    if not config.getoption("--slow"):
        for item in items:
            if item.get_closest_marker("slow"):
                item.add_marker(pytest.mark.skip(reason="slow: --slow"))


def pytest_proofread_notebooks(config):
    """The pages are chapters: what is executed for their tests is kept for the site."""
    return Chapters()
