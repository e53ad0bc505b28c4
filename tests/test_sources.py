"""What the sources of the chapters look like."""

import ast
import re
from functools import cache

import pytest
from pybtex.database import parse_file

from tools import chapters, digest, settings
from tools.checker import export, kept
from tools.checker.slices import CLAIMS, calls
from tools.testing import FRONT_MATTER

CHAPTERS = chapters.chapters()


@cache
def cells(name):
    """The code of each of its cells."""
    return [cell.source for cell in chapters.code_cells(chapters.read(name))]


each_chapter = pytest.mark.parametrize("name", CHAPTERS)


def test_a_definition_is_the_same_wherever_it_is_repeated():
    """A chapter may define a symbol again without showing it; both must then say the same."""
    bodies = {}
    for name in CHAPTERS:
        for cell in cells(name):
            for call in ast.walk(ast.parse(cell)):
                if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Definition":
                    label = next(ast.unparse(k.value) for k in call.keywords if k.arg == "label")
                    bodies.setdefault(label, set()).add(ast.dump(ast.Tuple(call.args)))
    assert bodies
    assert {label for label, seen in bodies.items() if len(seen) > 1} == set()


def prose(text):
    """Numbered lines outside of front matter, code, and lists of options."""
    fence = None
    first = text.splitlines().index("---", 1) + 1
    for number, line in enumerate(text.splitlines()[first:], first + 1):
        opening = re.match(r"\s*(`{3,}|~{3,})(\{?)([\w:-]*)", line)
        if opening and fence is None and (not opening[2] or opening[3] == "code-cell"):
            fence = opening[1]
        elif fence and line.strip() == fence:
            fence = None
        elif fence is None and not line.startswith((":", "`", "#", "|", "---")):
            yield number, line


@each_chapter
def test_front_matter_and_title(name):
    usual = re.escape(FRONT_MATTER.removesuffix("---\n"))
    assert re.match(usual + r"(needs: .*\n(?:.+\n)*)?---\n\n# \S", chapters.source(name).read_text("utf8"))


@pytest.mark.parametrize("name", [name for name in CHAPTERS if name != "book/intro"])
def test_a_chapter_says_what_it_is_for(name):
    """To search engines, which show some 160 characters, and to those who search."""
    front = chapters.front(name)
    assert 40 < len(front.description) <= 160 and front.description.endswith(".")
    assert len(front.keywords) > 2 and len(set(front.keywords)) == len(front.keywords)


@each_chapter
def test_cells_are_short_and_narrow(name):
    lines = [cell.splitlines() for cell in cells(name)]
    assert not [cell for cell in lines if len(cell) > 32]
    assert not [line for cell in lines for line in cell if len(line) > 100]


@each_chapter
def test_no_displayed_formula_is_typed(name):
    text = chapters.source(name).read_text("utf8")
    assert not [(number, line) for number, line in prose(text) if "$$" in line or r"\begin{" in line]
    assert not re.findall(r"^\s*(?:`{3,}|:{3,})\{math\}", text, re.MULTILINE)


@each_chapter
def test_one_sentence_per_line(name):
    """A sentence ends in a full stop, and the next begins with a capital, on a line of its own."""
    abbreviation = r"(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)(?<!\beq)(?<!\bsec)(?<!\bal)(?<!\b[A-Z])(?<!\bp)(?<!\bpp)"
    border = re.compile(abbreviation + r"[.!?][)*_”\"]*\s+(?=[A-Z“$])")
    text = chapters.source(name).read_text("utf8")
    headed = re.compile(r"^- \*+[^*]+\*+ ")  # an item that begins with what it is about
    lines = [(number, line) for number, line in prose(text)
             if border.search(re.sub(r"`[^`]*`", "x", headed.sub("", line)))]
    assert not lines


@each_chapter
def test_ends_with_the_report(name):
    """After the exercises, a chapter says what was checked on it; the home page shows no equation."""
    if name == chapters.pages()[0]:
        return
    assert cells(name)[-1].strip().endswith("report()")


@each_chapter
def test_a_chapter_depends_on_its_modules(name):
    taken = digest.modules("\n".join(cells(name)))
    chapter = name.removeprefix("book/")
    for module in (f"{chapter}.py", f"experiments/{chapter}.py", f"experiments/{chapter}/__init__.py"):
        path = settings.ROOT / "softmaxnotes" / module
        assert not path.exists() or path in taken


def test_the_library_takes_nothing_from_the_experiments_which_belong_to_a_chapter_each():
    package = settings.ROOT / "softmaxnotes"
    experiments = package / "experiments"
    names = {path.relative_to(experiments).with_suffix("") for path in experiments.glob("*/*")
             if "__pycache__" not in path.parts and path.stem != "__init__" and path.suffix != ".jsonl"}
    assert names
    for name in names:  # of a chapter, or for one module of its part alone
        users = [path for path in (experiments / name.parent).rglob("*.py")
                 if f".experiments.{'.'.join(name.parts)} import" in path.read_text("utf8")]
        assert f"book/{name.as_posix()}" in CHAPTERS or len(users) == 1, name
    library = {path for path in package.rglob("*.py") if experiments not in path.parents}
    assert not [path for path in library if "softmaxnotes.experiments" in path.read_text("utf8")]


@each_chapter
def test_every_chapter_of_the_book_is_falsified(name):
    _, *part, chapter = name.split("/")
    tests = settings.ROOT.joinpath("tests", *part, f"test_{chapter}_page.py").read_text("utf8")
    assert re.search(rf'^PAGE = Page\("{name}", \[\n( +#.*\n)* +Falsified\(', tests, re.MULTILINE)


@each_chapter
def test_the_lines_that_its_page_offers_are_kept(name):
    notebook = chapters.read(name)
    statements = export.statements(notebook)
    if CLAIMS & calls(ast.parse(statements)):
        again = f"make formulas NAME={name.removeprefix('book/')}"
        assert kept.lines(name, statements), f"what is kept of its lines is of other statements: {again}"


def test_what_a_chapter_uses_of_another_is_an_equation_there():
    pages = {path: path.read_text() for path in sorted((settings.ROOT / "book").glob("*/*.md"))}
    used = {(path, label) for path, text in pages.items()
            for names in re.findall(r"uses=\[([^]]*)\]", text) for label in re.findall('"(eq-[^"]+)"', names)}
    assert used
    lost = [(path.stem, label) for path, label in used
            if not any(f'label="{label}"' in text for other, text in pages.items() if other != path)]
    assert not lost


def test_the_references_can_be_read():
    """Each has all its braces, and a key of its own: else the site is not built."""
    assert len(parse_file(settings.ROOT / "book/references.bib").entries) > 100
