"""Functions that are asked for, judged on a page: what is taken from a chapter, what is said of code."""

import pytest

from tools.checker.judging import Page, packed
from tools.checker.programs import programs

TEST = """from proofread import ProgrammingExercise, report
import math
import torch

def close(a, b):
    return math.isclose(a, b)

def judge(mean):
    assert close(mean([1, 2, 6]), 3), "the mean of 1, 2 and 6 is 3\""""
MADE = 'own = ProgrammingExercise("ex-mean", judge, wrong={"the sum": sum})'
STUB = "def mean(numbers):\n    ..."
SOLVED = "def mean(numbers):\n    return sum(numbers) / len(numbers)"
CELLS = [TEST, "x = torch.ones(3)", MADE, f"{STUB}\n\nown.check(mean)", f"{SOLVED}\n\nown.solution(mean)"]


@pytest.fixture(scope="module")
def page():
    return Page(packed([], [], programs=programs(CELLS)))


def test_what_a_page_needs_is_taken_and_nothing_else():
    made = programs(CELLS)["ex-mean"]
    assert (made["name"], made["stub"], made["solution"]) == ("mean", STUB, SOLVED)
    assert "import math" in made["code"] and "torch" not in made["code"] and "proofread" not in made["code"]
    two = [*CELLS, *(cell.replace("own", "other").replace("ex-mean", "ex-more") for cell in CELLS[2:])]
    assert programs(two)["ex-mean"] == made


@pytest.mark.parametrize(("old", "new", "needs"), [
    ("import math\n", "import numpy as math\n", ["numpy"]),  # the test
    ("import math\n", "import jax as math\n", None),
    ("import torch\n", "import torch\nimport numpy as np\n", []),  # nothing
    ("    return sum(numbers)", "    from scipy import stats\n    return stats.tmean(numbers)", ["scipy"]),
    ("    return sum(numbers)", "    return torch.mean(numbers)", None),  # the solution, by the page
])
def test_the_libraries_that_it_needs_are_told_and_others_leave_it_to_the_notebook(old, new, needs):
    cells = [cell.replace(old, new) for cell in CELLS]
    assert cells != CELLS and programs(cells).get("ex-mean", {"needs": None})["needs"] == needs


@pytest.mark.parametrize(("text", "status", "said"), [
    (SOLVED, "right", "✓ Right: it passes the test, which refuses 1 wrong solution."),
    (STUB, "no answer", "write what `mean` does"),
    ("", "no answer", "No answer yet"),
    ("def mean(numbers):\n    return 1", "wrong", "Not yet: the mean of 1, 2 and 6 is 3."),
    ("def mean(numbers):\n    return 1 / 0", "wrong", "ZeroDivisionError"),
    ("def mean(numbers):\n  return (", "unreadable", "Python cannot read line 2"),
    ("1 / 0", "unreadable", "Your code stops: `ZeroDivisionError: division by zero`."),
    ("average = sum", "unreadable", "Define a function `mean`."),
    ("mean = 3", "unreadable", "A function is asked for"),
    (f"import math\n{SOLVED}", "right", ""),
    ("def close(*_):\n    return True\ndef mean(numbers):\n    return 7", "wrong", "is 3"),  # it has its own
    ("ProgrammingExercise = own = judge = None\n" + SOLVED, "right", ""),
])
def test_code_is_judged(page, text, status, said):
    found = page.judge("ex-mean", text)
    assert (found["status"], said in found["text"]) == (status, True), found


def test_one_answer_leaves_nothing_to_the_next(page):
    assert page.judge("ex-mean", SOLVED)["status"] == "right"
    assert page.judge("ex-mean", "x = 1")["text"] == "Define a function `mean`."


def test_what_is_printed_is_shown(page):
    said = page.judge("ex-mean", "def mean(numbers):\n    print(numbers)\n    return 0")
    assert said["printed"] == "[1, 2, 6]\n"
    assert len(page.judge("ex-mean", "print('a' * 10**5)")["printed"]) == 2000
