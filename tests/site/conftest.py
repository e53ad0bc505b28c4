"""The built site, for all tests of it."""

import pytest
from browser import unavailable
from visits import SITE, served

collect_ignore = ["figures"]  # each has the name of its figure, which may be that of a module of Python


@pytest.fixture(scope="session")
def address():
    if not (SITE / "index.html").exists():
        unavailable("no site in _build/html: make book")
    with served(SITE) as address:
        yield address
