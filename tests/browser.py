"""A browser for all tests that need one."""

import os

import pytest

from tools.errors import Unknown
from tools.pdf import chromium


def unavailable(reason):
    """On a reader's machine a missing browser is no fault; in CI it is."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)


@pytest.fixture(scope="module")  # while it is open, no other test of the process can run a kernel
def browser():
    try:
        with chromium.opened() as browser:
            yield browser
    except Unknown as error:
        unavailable(str(error))
