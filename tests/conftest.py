"""Tests that take many seconds run on demand: ``pytest --slow``."""

import pytest


def pytest_addoption(parser):
    parser.addoption("--slow", action="store_true", help="also the tests that are marked as slow")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: many seconds, and a faster one takes the same way; see --slow")


def pytest_collection_modifyitems(config, items):
    if not config.getoption("--slow"):
        for item in items:
            if item.get_closest_marker("slow"):
                item.add_marker(pytest.mark.skip(reason="slow: --slow"))
