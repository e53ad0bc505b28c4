"""softmaxnotes.vocabulary: each chapter takes from it what it has, and displays a definition once."""

import ast
import re
from functools import cache

import pytest
from test_sources import cells

from proofread import Definition
from softmaxnotes import vocabulary
from tools import chapters

DEFINITIONS = {name: thing for name, thing in vars(vocabulary).items() if isinstance(thing, Definition)}


@cache
def names(chapter):
    """The names that a chapter takes from the vocabulary, and those that it uses."""
    nodes = [node for cell in cells(chapter) for node in ast.walk(ast.parse(cell))]
    taken = {alias.name for node in nodes for alias in getattr(node, "names", [])
             if isinstance(node, ast.ImportFrom) and node.module == "softmaxnotes.vocabulary"}
    return taken, {node.id for node in nodes if isinstance(node, ast.Name)}


def imported(chapter):
    return names(chapter)[0]


def test_all_names_are_explained():
    table = vocabulary.__doc__.split("====\n")[1]
    named = re.findall(r"``(.+?)``  ", table) + ["n"]
    assert set(", ".join(named).split(", ")) == set(vocabulary.__all__)


@pytest.mark.parametrize("name", sorted(DEFINITIONS))
def test_a_definition_is_displayed_by_one_chapter(name):
    label = DEFINITIONS[name].label
    assert not [chapter for chapter in chapters.chapters() if f'label="{label}"' in "".join(cells(chapter))]
    shown = [chapter for chapter in chapters.chapters()
             if name in imported(chapter) and any(cell.splitlines()[-1] == name for cell in cells(chapter))]
    assert len(shown) == 1


@pytest.mark.parametrize("chapter", chapters.chapters())
def test_a_chapter_takes_names_that_it_uses(chapter):
    taken, used = names(chapter)
    text = chapters.source(chapter).read_text("utf8")
    # a definition may be taken for what a sentence says with it
    used |= {name for name in taken & set(DEFINITIONS)
             if re.search(r"\$[^$]*" + re.escape(re.split("[_#(]", DEFINITIONS[name].head)[0]), text)}
    assert taken <= used & set(vocabulary.__all__)


@pytest.mark.parametrize("chapter", chapters.chapters())
def test_a_chapter_that_uses_a_definition_refers_to_it(chapter):
    text = chapters.source(chapter).read_text("utf8")
    for name in imported(chapter) & set(DEFINITIONS):
        label = DEFINITIONS[name].label
        assert f"(#{label})" in text or f"{{eq}}`{label}`" in text or f"\n{name}\n```" in text
