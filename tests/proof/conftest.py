"""A notebook has one book of entries: each test starts with an empty one."""

import pytest

from softmaxnotes import entries


@pytest.fixture(autouse=True)
def _empty_book(monkeypatch):
    monkeypatch.setattr(entries, "_current", entries.Ledger())
