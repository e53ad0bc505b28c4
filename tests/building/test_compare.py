"""nbval over the notebooks that the site offers: what it refuses, and what need not run again."""

import re
import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools import compare, settings


def cell(code, data=None):
    """A cell that shows something."""
    outputs = [new_output("execute_result", data, execution_count=1)] if data else []
    return new_code_cell(code, outputs=outputs, execution_count=1)


def notebook(*cells):
    kernel = {"name": "python3", "display_name": "Python 3"}
    return new_notebook(metadata={"kernelspec": kernel}, cells=[new_markdown_cell("# Title"), *cells])


@pytest.fixture
def compared(tree, there):
    """Notebooks put to `make notebooks`: whether all passed, what was said, and which have a stamp now."""
    def run(**notebooks):
        paths = [tree / f"{name}.ipynb" for name in notebooks]
        for path, written in zip(paths, notebooks.values()):
            nbformat.write(written, path)
        program = f"{there}from tools import compare; raise SystemExit(compare.main({[*map(str, paths)]}))"
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, cwd=tree, capture_output=True, text=True, timeout=300)
        told = re.sub(r"\x1b\[[\d;]*m", "", done.stdout + done.stderr)
        passed = [path.stem for path in paths if compare.stamp(path).exists()]
        return done.returncode == 0, told, passed

    return run


def test_what_fails_is_told_by_its_cell_and_what_passes_leaves_a_stamp(compared):
    """What changes between two executions without being shown is no difference."""
    text = "see (/tmp/ipykernel_{0}/{0}.py:3), an object at 0x{0}"
    one, other = (repr(text.format(number)) for number in (12, 345))
    same = notebook(cell(one, {"text/plain": other}))
    right = notebook(cell("1 + 1", {"text/plain": "2"}), cell("3 + 3;"))  # a semicolon keeps the value back
    wrong = notebook(cell("1 + 1", {"text/plain": "2"}), cell("2 + 2", {"text/plain": "4 (tampered)"}))
    raising = notebook(cell("1 + 1", {"text/plain": "2"}), cell("3 + 3;"), cell("raise ValueError('here')"))
    warning = notebook(cell("import sys; sys.stderr.write('no more space'); 2", {"text/plain": "2"}))
    passes, told, stamped = compared(right=right, same=same, wrong=wrong, raising=raising, warning=warning)
    assert not passes and stamped == ["right", "same"], told
    assert "3 failed, 6 passed" in told and "tampered" in told and "ValueError: here" in told
    assert re.search(r"^-+ Captured stderr call -+\nno more space$", told, re.M)
    assert "wrong.ipynb::Cell 1 - " in told and "raising.ipynb::Cell 2 - " in told


def test_a_stamp_is_of_what_is_executed_and_shown(tmp_path):
    def stamp(*cells):
        nbformat.write(notebook(*cells), tmp_path / "page.ipynb")
        return compare.stamp(tmp_path / "page.ipynb")

    one = stamp(cell("1 + 1", {"text/plain": "2"}))
    assert one == stamp(new_markdown_cell("More words."), cell("1 + 1", {"text/plain": "2"}))
    others = {stamp(cell("2 + 0", {"text/plain": "2"})), stamp(cell("1 + 1", {"text/plain": "3"})),
              stamp(cell("from proofread import sympy", {"text/plain": "2"}))}
    assert one not in others and len(others) == 3


NUMBERS = 'from softmaxnotes.notebook import number\n\nnumber({"eq-it": "(1.2)"})'
SHOWN = {"text/plain": "y", "text/markdown": "$$\nx = y\n$$ (eq-it)"}
NUMBERED = {"text/plain": "y", "text/markdown": '<a id="eq-it"></a>\n\n$$\nx = y \\tag{1.2}\n$$'}


@pytest.fixture
def offered(tree):
    """The notebook that is offered of a page, which shows `SHOWN` in its second cell."""
    page, path = settings.STORE / "book/page.ipynb", tree / compare.OFFERED / "book/page.ipynb"
    for file in (page, path):
        file.parent.mkdir(parents=True)
    nbformat.write(notebook(cell("y = 1"), cell("it", SHOWN)), page)

    def offer(*cells):
        nbformat.write(notebook(*cells), path)
        return path

    return offer


def test_a_notebook_has_the_cells_of_its_page_with_its_numbers(offered):
    compare.refuse_another(offered(cell(NUMBERS), cell("y = 1"), cell("it", NUMBERED)))


@pytest.mark.parametrize(("cells", "told"), [
    ((cell(NUMBERS), cell("it", NUMBERED)), "has 2 code cells, expected 3"),
    ((cell(NUMBERS), cell("y = 2"), cell("it", NUMBERED)), "Cell 1 is not the cell of the page"),
    ((cell(NUMBERS), cell("y = 1"), cell("it", SHOWN)), "Cell 2 does not show what the page shows"),
    ((cell(NUMBERS), cell("y = 1"), cell("it", NUMBERED | {"text/plain": "z"})), "Cell 2 does not show"),
    ((cell(NUMBERS.replace("1.2", "1.3")), cell("y = 1"), cell("it", NUMBERED)), "Cell 2 does not show"),
    ((cell(NUMBERS), cell("y = 1", SHOWN), cell("it", NUMBERED)), "Cell 1 does not show"),
])
def test_a_notebook_that_is_not_that_of_its_page_is_refused(cells, told, offered, capsys):
    offered(*cells)
    assert compare.main([]) == 1 and told in capsys.readouterr().err


def test_what_has_passed_does_not_run_again(offered, capsys):
    stamp = compare.stamp(offered(cell(NUMBERS), cell("y = 1"), cell("it", NUMBERED)))
    stamp.parent.mkdir(parents=True)
    stamp.touch()
    assert compare.main([]) == 0 and "all notebooks have passed as they stand" in capsys.readouterr().out


def test_a_notebook_that_is_not_there_is_told(tree, capsys):
    assert compare.main(["nowhere.ipynb"]) == 1
    assert "there is no notebook nowhere.ipynb" in capsys.readouterr().err
