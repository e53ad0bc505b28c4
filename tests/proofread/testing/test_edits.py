"""The tool that edits a page at random: what it finds, and what it runs."""

import random
import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from proofread.testing import Falsified, Page, edits, reach, slips
from proofread.testing.notebooks import Notebooks
from proofread.testing.trial import Trial

CELLS = [
    "from sympy import exp\nfrom proofread import Definition, Derivation, sympy as sp\n"
    "x, y = sp.symbols('x y', real=True)",
    "é = 2  # not ASCII\nf = Definition('f', (x,), 3 * exp(x), label='eq-f', title='f')",
    "slope = Derivation(sp.Derivative(f(x), x), label='eq-slope', title='slope', given=[x > 0])\n"
    "slope.step(f(x), 'as it is')",
    "spare = 5",
    "assert spare < 6 + é",
    "print('the end')",
]
FOUND = slips.groups(CELLS)


@pytest.mark.parametrize(("place", "line"), [
    ("definition", "f = Definition('f', (x,), 4 * exp(x), label='eq-f', title='f')"),
    ("definition", "f = Definition('f', (x,), 3 / exp(x), label='eq-f', title='f')"),
    ("definition", "f = Definition('f', (x,), 3 * log(x), label='eq-f', title='f')"),
    ("definition", "f = Definition('f', (x,), 3 * exp(y), label='eq-f', title='f')"),
    ("start", "slope = Derivation(sp.Derivative(x, f(x)), label='eq-slope', title='slope', given=[x > 0])"),
    ("option", "slope = Derivation(sp.Derivative(f(x), x), label='eq-slope', title='slope', given=[])"),
    ("option", "slope = Derivation(sp.Derivative(f(x), x), label='eq-slope', title='slope', given=[x < 0])"),
    ("whole", "f = Definition('f', (x,), -(3 * exp(x)), label='eq-f', title='f')"),
    ("whole", "f = Definition('f', (x,), 1 / (3 * exp(x)), label='eq-f', title='f')"),
    ("whole", "slope.step(2 * (f(x)), 'as it is')"),
    ("tighten", "assert spare < (6 + é) / 2"),
    ("line", "slope.step(f(y), 'as it is')"),
    ("assertion", "assert spare <= 6 + é"),
    ("assertion", "assert spare < 6 - é"),
    ("helper", "spare = 4"),
])
def test_slips_are_found_in_their_classes(place, line):
    made = [edit.applied(CELLS[edit.cell - 1]) for group in FOUND[place] for edit in group]
    assert any(line in cell.splitlines() for cell in made)


def test_each_edit_is_shown_by_the_line_that_it_changes():
    for group in (group for groups in FOUND.values() for group in groups):
        for edit in group:
            before, after = edit.shown(CELLS[edit.cell - 1]).split("\n    + ")
            assert before.startswith("    - ") and before[6:] != after


def test_as_many_are_drawn_from_each_class():
    chosen = edits.drawn(FOUND, CELLS, 6, random.Random(1), ("definition", "start", "assertion"))
    assert sorted(edit.place for edit in chosen) == ["assertion"] * 2 + ["definition"] * 2 + ["start"] * 2
    again = edits.drawn(slips.groups(CELLS), CELLS, 6, random.Random(1), ("definition", "start", "assertion"))
    assert chosen == again


@pytest.mark.parametrize(("number", "run"), [(2, [2, 3, 5, 6, 4]), (3, [3, 6]), (4, [4, 5, 6]), (5, [5, 6])])
def test_what_an_edit_reaches_is_run_and_what_that_needs(number, run):
    cells = reach.affected(CELLS, number, CELLS[number - 1])
    assert [place for place, cell in enumerate(cells, number) if cell] == sorted(run)


@pytest.fixture
def told(tmp_path):
    """What the command says of a page with these cells, whose test is in the folder where it is run."""
    def run(cells, *options, pages="PAGE = Page('week/notes.ipynb')"):
        (tmp_path / "week").mkdir(exist_ok=True)
        (tmp_path / "week/data.txt").write_text("7")
        notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
        nbformat.write(notebook, tmp_path / "week/notes.ipynb")
        (tmp_path / "test_notes.py").write_text(f"from proofread.testing import Page\n{pages}\n")
        command = [sys.executable, "-m", "proofread.testing.edits", "test_notes.py", *options]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        return done.stdout + done.stderr

    return run


def test_what_nobody_notices_is_told_to_a_stranger(told):
    cells = [*CELLS, "assert int(open('data.txt').read()) == 7"]
    said = told(cells, "--only", "assertion", "helper", "--count", "4")  # two of each
    tried, _, passed = said.partition("\nPassed:\n")
    assert "rejected: AssertionError | assertion | cell 7 | relation" in tried
    assert "cell 7" not in passed
    assert "helper, cell 2, number: nothing shown is different\n    - é = 2  # not ASCII\n" in passed, said


def test_nothing_is_rejected_for_cells_that_were_left_out(told):
    imports, defined, used, spare = CELLS[:4]
    cells = [imports + "\nfrom proofread import report", defined + "\nf", spare,
             used.replace(", given=[x > 0]", ""), "report()"]
    said = told(cells, "--quick", "--only", "helper", "--seed", "2")
    assert "PASSED | helper | cell 3 | number" in said, said


def test_an_exercise_to_program_is_asked_for_a_function(told):
    imports, *_, spare = CELLS[:4]
    own = """from proofread import ProgrammingExercise

def judge(twice):
    assert twice(spare) == 10, "twice five is ten"

own = ProgrammingExercise("ex-twice", judge, wrong={"once": lambda t: t})
own.solution(lambda t: 10)"""
    cells = [imports, spare, own]  # another number is noticed by nobody but the exercise, which has an answer
    said = told(cells, "--quick", "--only", "helper", "--seed", "2")
    assert "PASSED | helper | cell 2 | number" in said, said
    said = told([*cells[:2], own.replace("10)", "2 * t)")], "--quick", "--only", "helper", "--seed", "2")
    assert "rejected: " in said and "no attribute" not in said, said


def test_what_passes_is_put_to_the_page_s_test(tmp_path):
    cells = ["bound = 2", "assert 5 < 6 + bound"]
    nbformat.write(new_notebook(cells=[new_code_cell(cell) for cell in cells]), tmp_path / "notes.ipynb")
    page = Page("notes.ipynb", [Falsified("5 < 6", "5 < 2", AssertionError)])
    failures = {edit.new: edits.tested(Trial(page, Notebooks(tmp_path)), edit)
                for edit in slips.groups(cells)["helper"][0]}
    assert failures["3"] is failures["1"] is None
    assert "5 < 6 -> 5 < 2: nobody notices '5 < 2' in place of '5 < 6'" in failures["5"]["message"]


def test_a_page_that_itself_fails_is_told_with_the_cell(told):
    said = told(["two = 2", "assert two == 3, 'two is two'"])
    assert "week/notes.ipynb itself fails: two is two, in cell 2" in said


def test_a_file_of_tests_has_one_page(told):
    assert "test_notes.py has 0 pages, expected one" in told(CELLS, pages="")
