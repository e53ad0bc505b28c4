"""Chapters as their tests run them: what they print is kept, and what is asked of each."""

import pytest

from proofread.testing import Falsified, Page
from proofread.testing.trial import Trial
from tools import chapters, settings, store
from tools.testing import FRONT_MATTER, Chapters

CELLS = ["two = 2\nprint(two)", "spare = 5\nspare"]
Complaint = pytest.fail.Exception


@pytest.fixture
def chapter(tmp_path, monkeypatch):
    """A chapter of these cells."""
    monkeypatch.setattr(settings, "STORE", tmp_path / "executed")

    def write(*falsified, cells=CELLS, **asked):
        path = tmp_path / "page.md"
        body = "".join(f"\n```{{code-cell}} ipython3\n{cell}\n```\n" for cell in cells)
        path.write_text(f"{FRONT_MATTER}{body}", "utf8")
        monkeypatch.setattr(chapters, "source", lambda name: path)
        return Trial(Page("page", falsified, **asked), Chapters())

    return write


def test_a_chapter_prints_the_same_whatever_is_tried_beside_it(chapter):
    def printed():
        return [cell.outputs for cell in chapters.code_cells(store.stored("page"))]

    store.again(chapter().page.name)
    alone = printed()
    (settings.STORE / "page.ipynb").unlink()
    loud = "print('wrong'); display('wrong'); import matplotlib.pyplot as plt; plt.plot([1]); plt.show()"
    longer = Falsified("spare = 5\nspare", "spare = 5\nspare\nfife", NameError)  # after the last statement
    book = chapter(Falsified("spare = 5", loud, NameError), longer)
    book.control()
    assert printed() == alone
    book.fails(longer)


def test_a_chapter_that_fails_by_itself(chapter):
    with pytest.raises(Complaint, match=r"page itself fails\npage.md:\d+: code cell 2 failed: spare = fife"):
        chapter(cells=[CELLS[0], "spare = fife"]).control()


def test_all_that_a_chapter_owes_is_asked(chapter):
    """Where its test says nothing of it."""
    book = chapter()
    assert book.asked == {
        "exercises": 3, "mistakes": (), "quotations": {}, "argued": {}, "undetermined": {},
        "formulas": True, "unchecked": (), "published": True}
    with pytest.raises(Complaint, match=r"page has the exercises \[\], expected 3"):
        book.asks()
    book.quotes()
    book.says()
    exercise = ("import sympy as sp\nfrom proofread import Exercise\nt = sp.Symbol('t', real=True)\n"
                "asked = Exercise('ex-asked', answer=t**2)")
    with pytest.raises(Complaint, match="ex-asked: AssertionError: no exercise of the page has its label"):
        chapter(cells=[exercise]).asks()


def test_a_chapter_owes_what_its_test_says_instead(chapter):
    text = "%\n```\n\nThere are $n - 1$ of them.\n\n```{code-cell} ipython3\nspare = 6"
    told = chapter(cells=[text.replace("%", CELLS[0])], exercises=0, unchecked=["n - 1"])
    told.asks()
    told.says()
    with pytest.raises(Complaint, match=r"nothing on page bears out \$n - 1\$"):
        chapter(cells=[text.replace("%", CELLS[0])]).says()


def test_tests_of_chapters_are_collected(pytestconfig):
    assert isinstance(pytestconfig.hook.pytest_proofread_notebooks(config=pytestconfig), Chapters)
