"""The built site, for all tests of it."""

import pytest
from browser import unavailable
from visits import SITE, served


@pytest.fixture(scope="session")
def address():
    if not (SITE / "index.html").exists():
        unavailable("no site in _build/html: make book")
    with served(SITE) as address:
        yield address
