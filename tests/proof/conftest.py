"""The ledger of a notebook is a module variable: each test starts with an empty one."""

import pytest

from softmaxnotes.proof import ledger


@pytest.fixture(autouse=True)
def _empty_ledger(monkeypatch):
    monkeypatch.setattr(ledger, "_entries", {})
    monkeypatch.setattr(ledger, "_unused", {})
    monkeypatch.setattr(ledger, "_checked", set())
