"""Falsifications, tried on a made-up page: which are noticed, and what is said of the others."""

import os

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from proofread.errors import Misprinted, Refuted
from proofread.latex import relations
from proofread.testing import Falsified, Page
from proofread.testing.notebooks import Notebooks
from proofread.testing.trial import Trial, asserted, differing

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
def page(tmp_path):
    """A page of these cells, some of them replaced."""

    def write(*falsified, cells=CELLS, tagged=(), **asked):
        made = [new_code_cell(cell, metadata={"tags": [tag for number, tag in tagged if number == place]})
                for place, cell in enumerate(cells, 1)]
        nbformat.write(new_notebook(cells=made), tmp_path / "page.ipynb")
        return Trial(Page("page.ipynb", falsified, **asked), Notebooks(tmp_path))

    return write


def again(trial, **asked):
    """A page that has run, of which other things are asked, on which a run does not depend."""
    trial.asked |= asked
    return trial


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
    with pytest.raises(Complaint, match=r"not finished after 1 s(?s:.*)<page.ipynb cell 5>"):
        page(endless, seconds=1).fails(endless)


def test_the_traceback_shows_the_cell_and_nothing_of_ours(page):
    falsified = Falsified("two = 2", "two = 3", ValueError)
    with pytest.raises(Complaint) as complaint:
        page(falsified).fails(falsified)
    told = str(complaint.value)
    assert 'File "<page.ipynb cell 3>", line 3, in <module>\n    assert two + 1 == three' in told
    assert "rehearsal" not in told


@pytest.mark.parametrize("control", [
    "three = 4", "three = 3\nshared.append(1)", "three = drei", "os.kill(os.getpid(), 9)",
])
def test_a_page_that_fails_by_itself(page, control):
    """What fails in any case notices nothing."""
    falsified = [Falsified("two = 2", "two = 3", AssertionError), Falsified("spare = 5", "", NameError)]
    cells = [cell.replace("three = 3", control) for cell in CELLS]
    book = page(*falsified, cells=cells)
    for one in falsified:
        with pytest.raises(Complaint, match="page.ipynb itself fails"):
            book.fails(one)
    with pytest.raises(Complaint, match="page.ipynb itself fails"):
        book.asks()


def test_a_child_spoils_nothing_for_another_one(page):
    """If they saw what the first has done, the second would not fail, and neither would the third."""
    spoilt = Falsified("two = 2", "shared.append(1); two = 3", AssertionError, says="two is")
    seen = Falsified("len(shared) == 1", "len(shared) > 1", AssertionError, says="^there are 1$")
    later = Falsified("Shown(two == 2)", "Shown(len(shared) > 1)", ValueError)
    book = page(spoilt, seen, later)
    for one in (later, spoilt, seen):
        book.fails(one)


def test_a_page_runs_once_and_nothing_of_it_is_seen(page, tmp_path):
    """Of a cell, too, each statement."""
    run = f"with open({str(tmp_path / 'runs')!r}, 'a') as file: print('run', file=file)"
    cells = [f"{run}\n{cell}" for cell in CELLS]
    falsified = [Falsified("two = 2", f"two = {number}", AssertionError) for number in (3, 4, 5)]
    book = page(*falsified, cells=cells)
    for one in falsified:
        book.fails(one)
    assert (tmp_path / "runs").read_text() == "run\n" * len(cells)
    assert "LEAKED" not in os.environ


def test_a_cell_that_may_fail_notices_nothing(page):
    """Its failure is part of the page, whatever was made wrong before it."""
    cells = [*CELLS, "raise ValueError('as the page wants it')"]
    spare = Falsified("spare = 5", "spare = 6", ValueError)
    book = page(spare, Falsified("two = 2", "two = 3", AssertionError), cells=cells,
                tagged=[(6, "raises-exception")])
    book.fails(book.page.falsified[1])
    with pytest.raises(Complaint, match="nobody notices"):
        book.fails(spare)


def test_a_cell_that_is_not_run_notices_nothing(page):
    spare, skipped = Falsified("spare = 5", "spare = 6", AssertionError), Falsified("== 5", "== 6", Exception)
    book = page(spare, skipped, cells=[*CELLS, "assert spare == 5", " "], tagged=[(6, "skip-execution")])
    with pytest.raises(Complaint, match="nobody notices"):
        book.fails(spare)
    with pytest.raises(Complaint, match="says it 0 times"):
        book.fails(skipped)


def test_magics_of_a_notebook_are_run(page):
    cells = ["%matplotlib inline\ntwo = 2", "three = !echo 3", "assert int(three[0]) == two + 1"]
    changes = [("two = 2", "two = 3"), ("echo 3", "echo 4")]
    book = page(*(Falsified(right, wrong, AssertionError) for right, wrong in changes), cells=cells)
    for one in book.page.falsified:
        book.fails(one)


EXERCISE = ("import sympy as sp\nfrom proofread import Exercise\nt = sp.Symbol('t', real=True)\n"
            "asked = Exercise('ex-asked', answer=t**2, hints={2 * t: 'That is its slope.'})")


def test_exercises_are_counted_where_a_number_is_expected(page):
    one = page(cells=[EXERCISE])
    one.asks()
    again(one, exercises=1).asks()
    with pytest.raises(Complaint, match=r"has the exercises \['ex-asked'\], expected 0"):
        again(one, exercises=0).asks()
    none = page(exercises=0)
    none.asks()
    with pytest.raises(Complaint, match=r"has the exercises \[\], expected 3"):
        again(none, exercises=3).asks()


def test_hints_are_reached_where_mistakes_are_known(page):
    page(cells=[EXERCISE], mistakes=[("ex-asked", "2*t", "slope")]).asks()
    with pytest.raises(Complaint, match="no mistake of the page's test leads to the hint: That is"):
        page(cells=[EXERCISE], mistakes=[]).asks()


def test_an_exercise_is_laid_out_for_a_site_where_it_is_published(page):
    with pytest.raises(Complaint, match="ex-asked: AssertionError: no exercise of the page has its label"):
        page(cells=[EXERCISE], published=True).asks()


def test_an_exercise_that_judges_nothing(page):
    broken = EXERCISE + "\nasked._compare = None"
    with pytest.raises(Complaint, match="ex-asked: TypeError"):
        page(cells=[broken]).asks()


STATED = [
    "from proofread import Definition, said, symbols_mean, sympy as sp\n"
    "x = sp.Symbol('x', real=True)\nsquare = Definition('S', (x,), x**2, label='eq-square', title='square')\n"
    "square",
    "symbols_mean({x: 'a number'})",
    "square(x)\nsaid({'x > 7': 'condition'})",
]
TEXT = r"If $x > 7$, then all the same $S(x) \ge 2x - 1$, and $S(2) = 4$."


class Deciding(Notebooks):
    """Notebooks whose sentences are decided when they have run."""

    def sentences(self, notebook):
        return [tex for cell in notebook.cells if cell.cell_type == "markdown"
                for _, tex in relations.relations(cell.source)]


@pytest.fixture
def telling(tmp_path):
    """A page with sentences."""
    def write(*falsified, text=TEXT):
        cells = [*map(new_code_cell, STATED), new_markdown_cell(text)]
        nbformat.write(new_notebook(cells=cells), tmp_path / "page.ipynb")
        return Trial(Page("page.ipynb", falsified), Deciding(tmp_path))

    return write


def test_a_sentence_made_wrong(telling):
    falsified = [
        Falsified(r"S(x) \ge 2x - 1", r"S(x) \ge 2x + 1", Refuted, "is false: at x = ", sentence=True),
        Falsified("S(2) = 4", "S(2) = 5", Refuted, "left 4.0, right 5.0", sentence=True),
        Falsified("S(2) = 4", "S(y) = 4", Misprinted, "no meaning is known for y", sentence=True),
        Falsified("x > 7", "x > 6", Refuted, "x > 6 is false", sentence=True),  # `said` lists another one
        Falsified("'x > 7'", "'x > 6'", Refuted, "x > 7 is false"),
    ]
    same = Falsified("S(2) = 4", "S(2) = 2^2", Refuted, sentence=True)
    page = telling(*falsified, same)
    for one in falsified:
        page.fails(one)
    with pytest.raises(Complaint, match=r"nobody notices 'S\(2\) = 2\^2'"):
        page.fails(same)
    with pytest.raises(Complaint, match=r"says it 2 times, in cells \[4, 4\]"):
        page.fails(Falsified("S(", "T(", Refuted, sentence=True))
    with pytest.raises(Complaint, match=r"says it 0 times"):
        page.fails(Falsified("S(2) = 4", "S(2) = 5", Refuted))


def test_a_cell_made_wrong_so_that_a_sentence_is(telling):
    """What no cell notices, a sentence does."""
    wrong = Falsified("x**2,", "x**3,", Refuted, says=r"S\(x\) \\ge 2x - 1 is false: at x = ")
    telling(wrong).fails(wrong)
    with pytest.raises(Complaint, match="nobody notices"):
        telling(wrong, text=TEXT.replace("S(x)", "x^2").replace("S(2)", "2^2")).fails(wrong)


def test_quotations_are_compared_without_spaces_and_sizes():
    shown = {"a book": r"\log\mathopen{}\left(1 + x\right) \to 0"}
    assert differing(shown, {"a book": r"\log(1+x) \to 0"}) is None
    for typed in ({}, {"a book": r"\log(1-x) \to 0"}, {**shown, "a talk": "x"}, {"a talk": shown["a book"]}):
        assert "the test has" in differing(shown, typed)


def test_what_errata_print_is_quoted_by_the_tests(page):
    erratum = (
        "from proofread import Definition, Erratum, sympy as sp\nx = sp.Symbol('x', real=True)\n"
        "double = Definition('D', (x,), 2 * x, label='eq-double', title='twice')\n"
        "Erratum('a book', (double(x), 3 * x), correct=double, consequence='Too much.')"
    )
    quoting = page(cells=[erratum], quotations={"a book": r"D(x) = 3 x"})
    quoting.quotes()
    with pytest.raises(Complaint, match=r"page.ipynb misquotes a book: .*3x', the test has None"):
        again(quoting, quotations={}).quotes()


HEAVY = r"""from proofread import Argued, Derivation, sympy as sp
t, r = sp.symbols("t r", positive=True)
silent = Argued(r"\Pr(T > #1)", (t,), sp.exp(-r * t), label="eq-silent", title="no event",
                because="$T$ is exponential with rate $r$")"""
SUPPORT = r"""
loud = Derivation(1 - silent(t), label="eq-loud", title="an event")
loud.step(1 - sp.exp(-r * t), "no event")"""


def test_what_is_argued_and_has_no_other_support_is_typed_by_the_tests(page):
    tex = r"\Pr(T > t) = e^{- r t}"
    alone = page(cells=[HEAVY + "\nsilent"], argued={"eq-silent": tex})
    alone.argues()
    for typed in ({}, {"eq-silent": r"\Pr(T > t) = e^{- t}"}):
        with pytest.raises(Complaint, match=r"eq-silent: .*, the test has "):
            again(alone, argued=typed).argues()
    supported = page(cells=[HEAVY + "\nsilent", SUPPORT + "\nloud"], argued={})
    supported.argues()
    with pytest.raises(Complaint, match="eq-silent: None, the test has"):
        again(supported, argued={"eq-silent": tex}).argues()


def test_a_definition_that_no_line_determines_is_typed_by_the_tests(page):
    defined = ("from proofread import Definition, Derivation, report, sympy as sp\n"
               "x, y = sp.symbols('x y', real=True)\n"
               "line = Definition('L', (x,), x + 1, label='eq-line', title='a line')\nline")
    slope = ("slope = Derivation(line(x) - line(y), label='eq-slope', title='slope')\n"
             "slope.step(x - y, 'subtract')")
    start = "zero = Derivation(line(0), label='eq-start', title='start').step(1, 'at 0')\nzero"
    loose = page(cells=[defined, slope, "report()"], undetermined={"eq-line": "L(x) := x + 1"})
    loose.defines()
    for typed in ({}, {"eq-line": "L(x) := x + 2"}):
        with pytest.raises(Complaint, match=r"wrong versions pass, or no .*: eq-line: .*the test has "):
            again(loose, undetermined=typed).defines()
    determined = page(cells=[defined, slope, start, "report()"], undetermined={})
    determined.defines()
    with pytest.raises(Complaint, match="eq-line: None, the test has"):
        again(determined, undetermined={"eq-line": "L(x) := x + 1"}).defines()


def test_the_formulas_that_are_shown_are_kept(page, tmp_path):
    kept, shown = tmp_path / "page.tex", [HEAVY + "\nsilent", SUPPORT + "\nloud"]
    whole = page(cells=shown, formulas=True)
    with pytest.raises(Complaint, match=r"other formulas or assertions than page(?s:.*)\n\+% eq-silent\n"):
        whole.shows()
    whole.keeps()
    assert kept.read_text("utf8") == (
        "% eq-silent\n\\Pr(T > t) = e^{-r t}\n% for $r, t > 0$\n\n"
        "% eq-loud\n1 - \\Pr(T > t) = 1 - e^{-r t}\n% for $r, t > 0$\n")
    whole.shows()
    reworded = [shown[0], shown[1].replace("no event", "nothing")]
    page(cells=reworded, formulas=True).shows()
    for right, wrong, told in [("(-r * t)", "(r * t)", r"\n\+\\Pr\(T > t\) = e\^\{r t\}"),
                               ("positive", "real", r"\n-% for \$r, t > 0\$"),
                               ('$")\nsilent', '$")', r"\n-% eq-silent")]:
        with pytest.raises(Complaint, match=told):
            page(cells=[cell.replace(right, wrong) for cell in shown], formulas=True).shows()
    nothing = page(cells=["two = 2"], formulas=True)
    nothing.keeps()
    nothing.shows()
    kept.unlink()
    nothing.shows()  # what shows nothing needs no file


def test_what_a_page_asserts_is_kept_without_messages(page, tmp_path):
    cells = ["found = [3, 1]\nassert found[-1] < 2, 'small'",
             "def agree(found, **options): pass\nagree(found,\n      of=found, bound=3, seed=4)",
             "assert (found[0]\n        > 2)\nassert found"]
    page(cells=cells, formulas=True).keeps()
    assert (tmp_path / "page.tex").read_text("utf8") == (
        "% asserted\n% found[-1] < 2\n% agree(of=found, bound=3)\n% found[0] > 2\n% found\n")
    assert asserted([cell.replace("small", "it is small") for cell in cells]) == asserted(cells)
    for right, weaker in [("[-1]", "[1]"), ("bound=3", "bound=7"), (")\nassert found", ")")]:
        assert asserted([cell.replace(right, weaker) for cell in cells]) != asserted(cells)
    with pytest.raises(Complaint, match=r"other formulas or assertions than page(?s:.*)\n-% found"):
        page(cells=[cell.replace("< 2", "< 4") for cell in cells], formulas=True).shows()


def test_what_is_shown_and_read_by_no_check_is_kept(tmp_path):
    class Telling(Notebooks):
        def expressions(self, notebook):
            return ["f'{mean:.1f}'", "len(rows)", "2 + 2"]

    def trial(*cells):
        nbformat.write(new_notebook(cells=[new_code_cell(cell) for cell in cells]), tmp_path / "page.ipynb")
        return Trial(Page("page.ipynb", formulas=True), Telling(tmp_path))

    cells = ["rows, spare = [1, 3], 5\nassert rows", "mean = sum(rows) / 2\nmedian = 2",
             "def table(*data): pass\ntable(rows,\n      ['n'])",
             "slip = 3\nassert 'refuted' in \"refuted\" and slip"]
    trial(*cells).keeps()
    kept = ("% asserted\n% rows\n% table(rows, ['n'])\n% 'refuted' in \"refuted\" and slip\n"
            "% mean = sum(rows) / 2\n% slip = 3\n")
    assert (tmp_path / "page.tex").read_text("utf8") == kept
    trial(*cells, "spare = 6").shows()
    shown = Telling(tmp_path).expressions(None)
    for right, wrong in [("rows) / 2", "rows) / 3"), ("['n']", "['m']"), ("slip = 3", "slip = 4")]:
        assert asserted([cell.replace(right, wrong) for cell in cells], shown) not in ("", kept)


def test_sentences_are_left_to_notebooks_that_can_tell(page, tmp_path):
    class Telling(Notebooks):
        def unchecked(self, name):
            return ["n - 1", "x^2"]

    with pytest.raises(NotImplementedError, match="which of their formulas nothing bears out"):
        page(unchecked=[]).says()
    for unchecked, complaint in [(["n - 1"], r"nothing on page.ipynb bears out \$x\^2\$"),
                                 (["n - 1", "x^2", "y"], r"\$y\$ is not on page.ipynb")]:
        with pytest.raises(Complaint, match=complaint):
            Trial(Page("page.ipynb", unchecked=unchecked), Telling(tmp_path)).says()
    Trial(Page("page.ipynb", unchecked=["x^2", "n - 1"]), Telling(tmp_path)).says()
