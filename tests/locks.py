"""While chapters are tested, nobody builds; while the site is, it does not change under the tests.

Of the processes of pytest-xdist the one that hands out the tests holds the lock.
"""

import pytest

from tools.errors import ChapterError
from tools.lock import locked


def hold(config, tests):
    """Take the lock that these tests need, until the end."""
    executing = any("::PAGE::" in test.partition("[")[0] for test in tests)
    reading = any(test.startswith("tests/site/") for test in tests)
    if config.option.collectonly or not (executing or reading):
        return
    lock = locked(reading=not executing)
    try:
        lock.__enter__()
    except ChapterError as error:
        pytest.exit(str(error), returncode=1)
    config.add_cleanup(lambda: lock.__exit__(None, None, None))


def pytest_collection_finish(session):
    if not hasattr(session.config, "workerinput"):
        hold(session.config, [item.nodeid for item in session.items])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node, ids):
    hold(node.config, ids)
