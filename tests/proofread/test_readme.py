"""The notebook in the README runs as it stands."""

import ast
import doctest
import re
from pathlib import Path

README = (Path(__file__).resolve().parents[2] / "proofread/README.md").read_text("utf8")


def blocks(text):
    """The Python in a text of Markdown: programs, and sessions with prompts."""
    found = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [code for code in found if not code.startswith(">>>")], [
        code for code in found if code.startswith(">>>")]


def run(cell, names):
    """Execute a cell as a notebook does; what it shows, in Markdown."""
    *body, last = ast.parse(cell).body
    if not isinstance(last, ast.Expr):
        body, last = [*body, last], None
    exec(compile(ast.Module(body, []), "README", "exec"), names)
    value = last and eval(compile(ast.Expression(last.value), "README", "eval"), names)
    if hasattr(value, "_repr_mimebundle_"):
        return value._repr_mimebundle_()[0]["text/markdown"]
    return value._repr_markdown_() if value is not None else ""


def test_the_notebook_runs():
    (notebook,), (session,) = blocks(README)
    names = {}
    *_, table = (run(cell, names) for cell in re.split(r"\n\n(?=\S)", notebook))
    assert "**proved**" in table and "`n np.var` agrees with the formula" in table
    test = doctest.DocTestParser().get_doctest(session, names, "README", "README", 0)
    told = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    assert runner.run(test, out=told.append).failed == 0, "".join(told)
