"""What is seen of TeX before it is read: which formulas stand in a text, and which relations they state."""

from proofread.latex.relations import formulas, relations, split

TEXT = "`$a < 0$` and {eval}`f'${b}$'`, $c$,\n```\n$d < 1$\n```\n\\$5, $$e < 2$$ and\n$f\n< g$, $h = 3$"


def test_code_in_a_text_is_no_formula():
    assert formulas(TEXT) == [(0, "c"), (5, "f\n< g"), (6, "h = 3")]


def test_a_relation_has_a_sign():
    assert relations(TEXT) == [(5, "f\n< g"), (6, "h = 3")]


def test_brackets_hide_relations():
    assert split(r"\left|\{i : z_i = 1\}\right| = m") == ([r"\left|\{i : z_i = 1\}\right|", "m"], ["="])
