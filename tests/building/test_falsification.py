"""Falsifications, tried on a made-up chapter; and every chapter of the book has its own."""

import os

import pytest
from chapters.falsification import FRONT_MATTER, Falsified, Page, PageTests, misquoted

from tools import execute

CELLS = [
    "import os\nclass Shown:\n    def __init__(self, fine): self.fine = fine\n"
    "    def __repr__(self): return 'shown'\n"
    "    def _repr_markdown_(self):\n        if not self.fine: raise ValueError('shown: wrong')",
    "shared = [1]\nthree = 3",
    "assert len(shared) == 1, f'there are {len(shared)}'\ntwo = 2\nassert two + 1 == three, 'two is two'",
    "os.environ['LEAKED'] = 'yes'\nprint('printed')\nShown(two == 2)",
    "spare = 5\nspare",
]
Complaint = pytest.fail.Exception


@pytest.fixture
def page(tmp_path, monkeypatch):
    """A chapter of these cells, some of them replaced."""
    monkeypatch.setattr(execute, "STORE", tmp_path / "executed")

    def write(*falsified, cells=CELLS, seconds=120):
        path = tmp_path / "page.md"
        body = "".join(f"\n```{{code-cell}} ipython3\n{cell}\n```\n" for cell in cells)
        path.write_text(FRONT_MATTER + body, "utf8")
        monkeypatch.setattr(execute, "source", lambda name: path)
        return Page("page", falsified, seconds=seconds)

    return write


NOTICED = [
    Falsified("two = 2", "two = 3", AssertionError, says="two is"),
    Falsified("three = 3", "three = 4", AssertionError),  # a later cell notices
    Falsified("Shown(two == 2)", "Shown(two == 3)", ValueError, says="^shown"),  # what is shown notices
    Falsified("two = 2", "two = 1 / 0", ArithmeticError),  # a class above the one that is raised
    Falsified("spare = 5", "spare = fife", NameError),  # asked for by name
    Falsified("spare = 5", "raise SystemExit(2)", SystemExit),
    Falsified("spare = 5", "raise ValueError('é' * 10**6)", ValueError, says="^é"),  # more than a pipe holds
]
NOT_NOTICED = [
    (Falsified("spare = 5", "spare = 6", AssertionError), "nobody notices 'spare = 6' .*cell 5"),
    (Falsified("two = 2", "two = 3", ValueError), "AssertionError was raised, expected .*Value.*in cell 3"),
    (Falsified("two = 2", "two = 3", AssertionError, says="three"), "does not say 'three'(?s:.*)two is two"),
    (Falsified("two = 2", "two = tow", Exception), "NameError says that the falsification is broken"),
    (Falsified("two = 2", "two = (2", Exception), "SyntaxError says"),
    (Falsified("two = 2", "two = 2 + None", Exception), "TypeError says"),
    (Falsified("spare = 5", "os._exit(1)", Exception), "not seen to fail"),
    (Falsified("spare = 5", "os._exit(0)", Exception), "not seen to fail"),
    (Falsified("spare = 5", "os.kill(os.getpid(), 9)", Exception), "signal 9"),
    (Falsified("two", "zwei", Exception), r"says it 5 times, in cells \[3, 3, 3, 3, 4\]"),
    (Falsified("shared", "divided", Exception), r"says it 3 times, in cells \[2, 3, 3\]"),
    (Falsified("nowhere", "", Exception), "says it 0 times"),
]


def test_falsifications_that_are_noticed(page):
    book = page(*NOTICED)
    for falsified in NOTICED:
        book.fails(falsified)


def test_falsifications_that_are_not(page):
    book = page(*(falsified for falsified, _ in NOT_NOTICED))
    for falsified, complaint in NOT_NOTICED:
        with pytest.raises(Complaint, match=complaint):
            book.fails(falsified)


def test_a_falsification_without_end(page):
    endless = Falsified("spare = 5", "while True: pass", Exception)
    with pytest.raises(Complaint, match=r"not finished after 1 s(?s:.*)<page cell 5>"):
        page(endless, seconds=1).fails(endless)


def test_the_traceback_shows_the_cell_and_nothing_of_ours(page):
    falsified = Falsified("two = 2", "two = 3", ValueError)
    with pytest.raises(Complaint) as complaint:
        page(falsified).fails(falsified)
    assert 'File "<page cell 3>", line 3, in <module>\n    assert two + 1 == three' in str(complaint.value)
    assert "rehearsal" not in str(complaint.value)


@pytest.mark.parametrize("control", [
    "three = 4", "three = 3\nshared.append(1)", "three = drei", "os.kill(os.getpid(), 9)",
])
def test_a_chapter_that_fails_by_itself(page, control):
    """What fails in any case notices nothing."""
    falsified = [Falsified("two = 2", "two = 3", AssertionError), Falsified("spare = 5", "", NameError)]
    cells = [cell.replace("three = 3", control) for cell in CELLS]
    book = page(*falsified, cells=cells)
    for one in falsified:
        with pytest.raises(Complaint, match="page itself fails"):
            book.fails(one)
    with pytest.raises(Complaint, match="page itself fails"):
        book.asks()


def test_a_child_spoils_nothing_for_another_one(page):
    """If they saw what the first has done, the second would not fail, and neither would the third."""
    spoilt = Falsified("two = 2", "shared.append(1); two = 3", AssertionError, says="two is")
    seen = Falsified("len(shared) == 1", "len(shared) > 1", AssertionError, says="^there are 1$")
    later = Falsified("Shown(two == 2)", "Shown(len(shared) > 1)", ValueError)
    book = page(spoilt, seen, later)
    for one in (later, spoilt, seen):
        book.fails(one)


def test_a_chapter_runs_once_and_nothing_of_it_is_seen(page, tmp_path):
    """Of a cell, too, each statement."""
    run = f"with open({str(tmp_path / 'runs')!r}, 'a') as file: print('run', file=file)"
    cells = [f"{run}\n{cell}" for cell in CELLS]
    falsified = [Falsified("two = 2", f"two = {number}", AssertionError) for number in (3, 4, 5)]
    book = page(*falsified, cells=cells)
    for one in falsified:
        book.fails(one)
    assert (tmp_path / "runs").read_text() == "run\n" * len(cells)
    assert "LEAKED" not in os.environ


def test_the_chapter_prints_the_same_whatever_is_tried_beside_it(page):
    execute.again(page().chapter)
    loud = "print('wrong'); display('wrong'); import matplotlib.pyplot as plt; plt.plot([1]); plt.show()"
    longer = Falsified("spare = 5\nspare", "spare = 5\nspare\nfife", NameError)  # after the last statement
    book = page(Falsified("spare = 5", loud, NameError), longer)
    book.control()  # compares with what is kept
    book.fails(longer)


def test_what_is_kept_is_printed_again(page):
    cells = [*CELLS, "import uuid\nprint(uuid.uuid4())"]
    page(cells=cells).control()
    with pytest.raises(Complaint, match="code cell 6 does not print again what is published: import uuid"):
        page(cells=cells).control()


def test_exercises_are_asked_for(page):
    with pytest.raises(Complaint, match=r"has the exercises \[\], expected 3"):
        page().asks()
    exercise = (
        "import sympy as sp\nfrom proofread import Exercise\nt = sp.Symbol('t', real=True)\n"
        "asked = Exercise('ex-asked', answer=t**2)"
    )
    with pytest.raises(Complaint, match="ex-asked: AssertionError: no exercise of the page has its label"):
        page(cells=[exercise]).asks()


def test_quotations_are_compared_without_spaces_and_sizes():
    shown = {"a book": r"\log\mathopen{}\left(1 + x\right) \to 0"}
    assert misquoted(shown, {"a book": r"\log(1+x) \to 0"}) is None
    for typed in ({}, {"a book": r"\log(1-x) \to 0"}, {**shown, "a talk": "x"}, {"a talk": shown["a book"]}):
        assert "the test has" in misquoted(shown, typed)


def test_what_errata_print_is_quoted_by_the_tests(page):
    erratum = (
        "from proofread import Definition, Erratum, sympy as sp\nx = sp.Symbol('x', real=True)\n"
        "double = Definition('D', (x,), 2 * x, label='eq-double', title='twice')\n"
        "Erratum('a book', (double(x), 3 * x), correct=double, consequence='Too much.')"
    )
    written = page(cells=[erratum])
    with pytest.raises(Complaint, match=r"page misquotes a book: .*3x', the test has None"):
        written.quotes()
    written.quotations = {"a book": r"D(x) = 3 x"}
    written.quotes()


def test_all_that_is_said_of_a_page_is_tested(page, request):
    right, wrong = NOTICED[0], NOT_NOTICED[0][0]
    tests = list(PageTests.from_parent(request.session, name="PAGE", page=page(right, wrong)).collect())
    assert [test.name for test in tests] == [str(right), str(wrong), "exercises", "errata", "sentences"]
    tests[0].runtest()
    tests[3].runtest()
    with pytest.raises(Complaint, match="nobody notices"):
        tests[1].runtest()
    with pytest.raises(Complaint, match="expected 3"):
        tests[2].runtest()
