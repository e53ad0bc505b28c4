"""The key of a chapter: what makes it stale, and what does not."""

import pytest
from example_pages import CHAPTER, CLAIMS, SAYS

from tools import chapters, digest, settings
from tools.settings import ROOT


def key():
    return digest.key(chapters.read("page"))


@pytest.mark.parametrize("name", [
    "demo/deep.py", "demo/part/inner.py", "demo/part/__init__.py", "demo/__init__.py",
])
def test_a_module_in_use_makes_a_chapter_stale(tree, name):
    before = key()
    (tree / name).write_text((tree / name).read_text() + "\n# changed")
    assert key() != before


@pytest.mark.parametrize("asked, stale", [("f", True), ("g", False)])
def test_a_module_that_is_imported_on_demand_makes_stale_who_asks_for_it(tree, asked, stale):
    package = '_ON_DEMAND = {"inner": ["f"], "late": ["g"]}'
    (tree / "demo/part/__init__.py").write_text(package)
    (tree / "demo/part/late.py").write_text("")
    (tree / "page.md").write_text(CHAPTER.replace("import f", f"import {asked}"))
    before = key()
    (tree / "demo/part/inner.py").write_text("def f():\n    return 4")
    assert (key() != before) == stale


def test_a_chapter_depends_on_what_a_public_name_brings_and_on_no_test():
    rooms = {str(path.relative_to(ROOT)) for path in digest.modules("from proofread import Derivation")}
    assert {"proofread/claims/derivation.py", "proofread/any_size/rules/sums.py"} <= rooms
    assert not [name for name in rooms if name.startswith("proofread/testing")]


def test_a_line_for_ipython_hides_no_module(tree):
    before = digest.modules("from demo.part import f")
    assert digest.modules("%matplotlib inline\nfrom demo.part import f") == before != set()
    assert digest.modules("from demo.part import f\n1 +") == set()


def test_code_and_requirements_make_a_chapter_stale(tree):
    before = key()
    (tree / "page.md").write_text(CHAPTER.replace("== 3", "== 4"))
    changed = key()
    (tree / "requirements.txt").write_text("numpy")
    assert len({before, changed, key()}) == 3


def test_another_expression_makes_a_chapter_stale(tree):
    before = key()
    (tree / "page.md").write_text(SAYS)
    assert len({before, key()}) == 2


@pytest.mark.parametrize("old, new, stale", [
    ("x - 1$", "x - 2$", True), ("ends with", "ended with", False), ("number $x$", "number $y$", False)])
def test_another_relation_makes_a_chapter_stale(tree, old, new, stale):
    (tree / "page.md").write_text(CLAIMS)
    before = key()
    (tree / "page.md").write_text(CLAIMS.replace(old, new))
    assert (key() != before) == stale


def test_what_judges_sentences_makes_a_chapter_with_relations_stale(tree, monkeypatch):
    monkeypatch.setattr(settings, "PACKAGES", ["proofread"])
    judge = tree / "proofread/claims/sentences.py"
    judge.parent.mkdir(parents=True)
    outcomes = []
    for text in (CLAIMS, CHAPTER):
        (tree / "page.md").write_text(text)
        judge.write_text("")
        before = key()
        judge.write_text("# changed")
        outcomes.append(key() != before)
    assert outcomes == [True, False]


def test_text_and_other_modules_do_not(tree):
    before = key()
    (tree / "page.md").write_text(CHAPTER.replace("Text.", "Another text."))
    (tree / "demo/other.py").write_text("value = 4")
    assert key() == before
