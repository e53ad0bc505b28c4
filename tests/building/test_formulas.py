"""How the lines of a displayed formula are divided into boxes, for which the style sheet finds room."""

import re
from types import SimpleNamespace

import pytest
from docutils import nodes

from tools import formulas


@pytest.fixture(scope="module", autouse=True)
def katex():
    yield
    with formulas._server():  # which ends it
        formulas._server.cache_clear()


def drawn(tex):
    translator = SimpleNamespace(body=[])
    with pytest.raises(nodes.SkipNode):
        formulas.visit_block(translator, nodes.math_block(tex, tex, number=None))
    return translator.body[0]


def aligned(*lines):
    return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"


LONG = r"\sum_{i=1}^n \log(x_i) + \sum_{j=1}^m \log(y_j) + \sum_{k=1}^l \log(z_k)"


@pytest.mark.parametrize(("tex", "kind"), [
    ("a = b", "single"),
    (LONG, "single"),
    (aligned("a &= b", "&= c"), "chain"),
    (aligned("a &= b", f"&= {LONG} + {LONG} + {LONG}"), "chain wide"),
    (aligned("a &= b", "c &= d"), "system"),
    (aligned("&= b", "&= c"), "system"),
])
def test_a_formula_is_of_a_kind(tex, kind):
    assert re.search(r'<div class="eq ([\w ]+)"', drawn(tex))[1] == kind


def test_each_reason_is_beside_its_step():
    html = drawn(aligned(r"a &= b &&\quad\small\text{by $x$}",
                         r"&= c &&\quad\small\textbf{argued: }\text{so}"))
    assert re.findall(r'<div class="(\w+)"(?: style="--r:(\d)")?>', html)[1:] == [
        ("left", "1"), ("steps", ""), ("right", "1"), ("reason", "1"), ("right", "2"), ("reason", "2")]
    assert "<strong>argued:</strong> so" in html
