"""The notebooks that the site offers: they show what the page shows, in plain Markdown, and run anywhere."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from functools import cache
from pathlib import Path

import nbformat
import pytest
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from visits import ROOT, SITE

from tools import chapters, compare, settings, site, store

CHAPTERS = chapters.chapters()
DOWNLOADS = SITE / "_sources"
QUICK = [name for name in CHAPTERS if name in ("book/softmax/numerics", "book/tools/which_noise")]


def download(name):
    return nbformat.read(DOWNLOADS / f"{name}.ipynb", as_version=4)


@pytest.mark.parametrize("name", CHAPTERS)
def test_how_to_install_it_stands_before_the_first_code(name):
    cells = download(name).cells
    code = next(number for number, cell in enumerate(cells) if cell.cell_type == "code")
    assert re.search(r"version \d\S+\. The cells run where the package is installed.*`pip install ",
                     cells[code - 1].source)


# --- What they show ---------------------------------------------------------------------------


SHOWN = ("text/markdown", "text/html")


def said(notebook):
    """All Markdown of a notebook, and the HTML of its figures."""
    for cell in notebook.cells:
        texts = [cell.source] if cell.cell_type == "markdown" else []
        for output in cell.get("outputs", []):
            texts += [text for kind, text in output.get("data", {}).items() if kind in SHOWN]
        yield from (re.sub('base64,[^"]*', "", text) for text in texts)


@cache
def formulas():
    """Of each equation of the book what it states, by its label."""
    entries = [entry for name in CHAPTERS for entry in store.entries(store.stored(name))]
    return {entry.label: entry.tex for entry in entries}


def theorems(source):
    """Of each theorem its label and the labels of the equations that it states."""
    for body in re.findall(r"^:::\{prf:(?!proof)\w+\}(.*?)^:::$", source, re.DOTALL | re.MULTILINE):
        yield re.search(r":label: (\S+)", body)[1], re.findall(r"\{statement\} (\S+)", body)


def faults(notebook, name):
    """What a notebook shows in another way than its page."""
    page, source = (SITE / f"{name}.html").read_text("utf8"), chapters.source(name).read_text("utf8")
    stored = store.stored(name)
    every, found = "\n\n".join(said(notebook)), []

    bare = re.sub(r"^```.*?^```$|`[^`]*`|\$\$.*?\$\$|\$[^$]+\$", "", every, flags=re.DOTALL | re.MULTILINE)
    found += re.findall(r"\{[\w:]+\}`?|^ *:::.*|^```\{.*|\S+\.md\b|^\([\w-]+\)=|<svg", bare, re.MULTILINE)
    found += re.findall(r"^```\{.*|\{(?:cite|eq|eval|prf|py|row)\b[\w:]*\}`.*", every, re.MULTILINE)
    anchors = set(re.findall(r' id="([\w-]+)"', every))
    found += [f"nothing to link to: {label}" for label in re.findall(r"\]\(#([\w-]+)\)", every)
              if label not in anchors]

    numbers = dict(re.findall(r'href="#equation-(eq-[\w-]+)" aria-label="Equation \(([\d.]+)\)', page))
    shown = dict(re.findall(r'<a id="(eq-[\w-]+)"></a>\n\n\$\$\n(?:(?!\n\$\$).)*? \\tag\{([^}]*)\}\n\$\$',
                            every, re.DOTALL))
    found += [f"equation {label}" for label in numbers if numbers[label] != shown.get(label)]
    tex = formulas()
    for label, stated in theorems(source):
        number = re.search(rf'id="{label}">.*?<strong>([\w .]+)</strong>', page, re.DOTALL)[1]
        box = re.search(rf'^> <a id="{label}"></a>\*\*{number}\*\*.*(?:\n>.*)*', every, re.MULTILINE)
        found += [] if box else [f"theorem {label}"]
        found += [f"statement {one}" for one in stated if box
                  and f"$${tex[one]} \\tag{{{numbers[one]}}}$$" not in box[0]]
    caption = r'<figure id="(fig-[\w-]+)".*?<figcaption>(.*?)</figcaption>'
    for label, html in re.findall(caption, page, re.DOTALL):
        figure = re.search(rf'<figure id="{label}">(.*?)<figcaption>(.*?)</figcaption>', every, re.DOTALL)
        here = html.partition("</b>")[0] if html.startswith("<b>Figure") else ""
        if not figure or not figure[2].startswith(here) or not re.search(r'<img [^>]*alt="[^"]', figure[1]):
            found.append(f"figure {label}")
        elif f'id="{label}" class="softmaxnotes interactive' in page.replace("wide ", ""):
            found += [] if "On the site this figure has knobs" in figure[2] else [f"knobs of {label}"]
    for key in re.findall(r"\{cite:\w+\}`([^`]+)`", source):
        found += [f"citation {one}" for one in key.split(",")
                  if f"(#ref-{one.strip()})" not in every or f"ref-{one.strip()}" not in anchors]
    headings = re.findall(r'<h([1-6])><span class="section-number">([\d.]+) </span>', page)
    found += [f"section {number}" for level, number in headings
              if not re.search(rf"^#{{{level}}} {re.escape(number)} \S", every, re.MULTILINE)]
    values = stored.metadata[settings.PACKAGE]["values"]
    plain = {expression: value["data"]["text/plain"] for expression, value in values.items()
             if set(value["data"]) == {"text/plain"}}
    found += [f"value of {name}" for name, text in plain.items() if chapters.shown(text) not in every]
    found += [f"exercise {label}" for label in re.findall(r"\{solution-start\} (\S+)", source)
              if not re.search(rf'<a id="{label}"></a>\*\*Exercise [\d.]+\*\*', every)]
    if every.count("<details>\n<summary>Solution") != source.count("{solution-start}"):
        found.append("solutions that are not folded")
    for cell in chapters.code_cells(stored):
        for output in cell.outputs:
            if output.get("metadata", {}).get(settings.PACKAGE, {}).get("erratum"):
                found += [] if output.data["text/markdown"].partition("Right is")[0] in every else ["erratum"]
    return found


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_notebook_shows_what_its_page_shows(name, address):
    notebook = download(name)
    nbformat.validate(notebook)
    assert not faults(notebook, name)
    assert notebook.metadata.kernelspec.name == "python3"


WRONG = [
    ("a role", r" \[\[\d{4}\]\(#ref-\w+\)\]", " {cite:p}`xu2019`"),
    ("a directive", r"^(> <a id=\"thm-)", r"```{statement} eq-softmax\n```\n\1"),
    ("no statement", r"^> \$\$.*\$\$$", "> So it is."),
    ("a wrong statement", r"^(> \$\$.*?) = ", r"\1 = 1 + "),
    ("a wrong number", r"\\tag\{\d+\.\d+\}\n", "\\\\tag{1.99}\n"),
    ("no number", r" \\tag\{\d+\.\d+\}\n", "\n"),
    ("a reference to nowhere", r"\]\(#eq-", "](#eq-no-"),
    ("no figure number", r"<figcaption><b>[^<]*</b>", "<figcaption>"),
    ("a theorem of another number", r"\*\*Theorem (\d+)\.", r"**Theorem 1\1."),
    ("an unfolded solution", r"<details>\n<summary>Solution[^<]*</summary>", "**Solution**"),
    ("a section without its number", r"^## [\d.]+ ", "## "),
    ("no list of references", r"^- <a id=\"ref-\w+\"></a>", "- "),
    ("a drawing that viewers drop", r"<img [^>]*>", "<svg></svg>"),
    ("a link to a source", r"\]\(#eq-[\w-]+\)", "](numerics.md)"),
]


@pytest.mark.parametrize("pattern, wrong", [pair[1:] for pair in WRONG], ids=[pair[0] for pair in WRONG])
def test_a_wrong_notebook_is_seen(pattern, wrong, address):
    notebook = download("book/softmax/square_loss")
    changed = 0
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source, count = re.subn(pattern, wrong, cell.source, count=1, flags=re.MULTILINE)
            changed += count
        for output in cell.get("outputs", []):
            for kind in set(SHOWN) & set(output.get("data", {})):
                text = output.data[kind]
                output.data[kind], count = re.subn(pattern, wrong, text, count=1, flags=re.MULTILINE)
                changed += count
    assert changed and faults(notebook, "book/softmax/square_loss")


def test_all_notebooks_in_one_file(address):
    with zipfile.ZipFile(DOWNLOADS / "softmaxnotes.zip") as file:
        held = {f"book/{Path(name).relative_to('softmaxnotes').as_posix()}": file.read(name)
                for name in file.namelist()}
    assert held == {f"{name}.ipynb": (DOWNLOADS / f"{name}.ipynb").read_bytes() for name in CHAPTERS}
    page = (SITE / f"{CHAPTERS[1]}.html").read_text("utf8")
    assert '../../_sources/softmaxnotes.zip" download' in page


# --- As other programs show them ---------------------------------------------------------------------

# What VS Code and Colab would show as it is typed; for them no formula begins after a letter or a digit.
TYPED = re.compile(r":::|^\+\+\+|^%|^\([\w-]+\)=|\{[\w:.#-]+\}|\[\^|\$|\\[a-z]+", re.MULTILINE)


def left_as_typed(text):
    reader = MarkdownIt("commonmark").enable("table").use(dollarmath_plugin, allow_digits=False)
    for token in reader.parse(text):
        if token.type == "fence" and token.info.startswith("{"):
            yield token.info
        for part in token.children or ():
            if part.type == "text" and TYPED.search(part.content):
                yield part.content


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_plain_reader_of_markdown_shows_nothing_as_it_is_typed(name, address):
    for text in said(download(name)):
        assert not [*left_as_typed(text)]


@pytest.mark.parametrize("text", [
    "```{note}\nA note.\n```", ":::{note}\nA note.\n:::", "See {eq}`eq-a`.", "(a-label)=", "A note[^1].",
    "% gone", "[words]{.nb}", "It is 0.85$/\\beta$.", "So $1 + \\log 2.", "+++",
    "Thus \\begin{align} 1 \\end{align}"])
def test_what_is_left_as_it_is_typed_is_seen(text):
    assert [*left_as_typed(text)]


# --- For a class -----------------------------------------------------------------------------


@pytest.fixture(scope="session")
def class_folder(tmp_path_factory, address):
    folder = tmp_path_factory.mktemp("class")
    with zipfile.ZipFile(DOWNLOADS / "softmaxnotes-class.zip") as file:
        file.extractall(folder)
    return folder / "softmaxnotes"


def test_a_class_is_given_the_exercises_and_no_solution(class_folder):
    names = {f"book/{path.relative_to(class_folder).with_suffix('').as_posix()}"
             for path in class_folder.rglob("*.ipynb")}
    assert names == {*CHAPTERS}
    for name in CHAPTERS:
        whole, given = download(name), nbformat.read(class_folder / f"{name[5:]}.ipynb", as_version=4)
        source = chapters.source(name).read_text("utf8")
        code = "\n".join(cell.source for cell in chapters.code_cells(given))
        assert "Solution of exercise" not in "".join(said(given)), name
        assert not re.search(r"\w\.solution\(", code), name
        assert len(re.findall(r"^\w+\.check\(", code, re.MULTILINE)) == len(
            re.findall(r"^\w+\.check\(", source, re.MULTILINE)), name
        all_of_it, every = ("\n\n".join(said(notebook)) for notebook in (whole, given))
        before, after = (re.findall(r"^## .*", text, re.MULTILINE) for text in (all_of_it, every))
        assert after == [head for head in before if not head.endswith("What was checked on this page")], name
        anchors = set(re.findall(r' id="([\w-]+)"', every))
        assert {*re.findall(r"\]\(#([\w-]+)\)", every)} <= anchors, name


def test_nothing_for_a_class_rests_on_a_solution(class_folder):
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--select", "F821"]
    run = subprocess.run([*ruff, class_folder], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize("name", QUICK)
def test_a_notebook_for_a_class_runs(name, class_folder):
    environment = {**os.environ, **settings.KERNEL_ENV, "PROOFREAD_VERDICTS": str(ROOT / "_build/verdicts")}
    command = [sys.executable, "-m", "pytest", *compare.OPTIONS, str(class_folder / f"{name[5:]}.ipynb")]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=900)
    assert run.returncode == 0, run.stdout[-5000:]


def test_the_published_branch_holds_what_colab_and_binder_open(address, tmp_path):
    remote, repository = tmp_path / "remote.git", "https://github.com/somebody/book"
    git = ["git", "-C", str(remote)]
    for command in (["git", "init", "--quiet", "--bare", str(remote)],
                    [ROOT / ".ci/notebooks", DOWNLOADS / "softmaxnotes.zip", remote, repository]):
        subprocess.run(command, check=True, capture_output=True, text=True)
    held = subprocess.check_output([*git, "ls-tree", "-r", "--name-only", "notebooks"], text=True).split()
    for name in CHAPTERS:
        for link in site.hosted(repository, name).values():
            assert re.split("/blob/notebooks/|=lab/tree/", link)[1] in held
    assert repository in subprocess.check_output([*git, "show", "notebooks:binder/postBuild"], text=True)


# --- Where nothing but the package is installed -----------------------------------------------------


# run when Python starts: of an editable installation, and of the clone, nothing is left
ALONE = """import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in getattr(finder, "__module__", "")]
sys.path[:] = [place for place in sys.path if "editable" not in place and place != {root!r}]
sys.path_importer_cache.clear()
"""
# run as the last cell: the packages are the installed ones, and the clone is not found
ELSEWHERE = """import sys
from importlib.util import find_spec
places = [module.__file__ for name, module in sys.modules.items()
          if name.split(".")[0] in ("softmaxnotes", "proofread")]
assert places and all(place.startswith({installed!r}) for place in places), places
assert not any(map(find_spec, ("tools", "benchmarks")))"""


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """The wheel, in a folder of its own: the path to put first."""
    folder, clone = tmp_path_factory.mktemp("wheel"), tmp_path_factory.mktemp("clone")
    # a copy, for building leaves its traces
    unneeded = shutil.ignore_patterns("__pycache__")
    for package in settings.PACKAGES:
        shutil.copytree(ROOT / package, clone / package, ignore=unneeded)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, clone)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"]
    build = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", str(folder), "."]
    subprocess.run(build, cwd=clone, check=True, capture_output=True, text=True, timeout=300)
    (wheel,) = folder.glob("softmaxnotes-*.whl")
    target = folder / "installed"
    install = [*pip, "install", "--no-deps", "--no-index", "--target", str(target), str(wheel)]
    subprocess.run(install, cwd=folder, check=True, capture_output=True, text=True, timeout=300)
    (target / "sitecustomize.py").write_text(ALONE.format(root=str(ROOT)))
    return target


@pytest.mark.xdist_group("installed")  # once
@pytest.mark.parametrize("name", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in CHAPTERS
                                            if name not in QUICK)])
def test_a_notebook_runs_where_only_the_package_is(name, installed, tmp_path, address):
    """It prints there what it shows: with the numbers of the site, and without any file of the clone."""
    notebook = download(name)
    notebook.cells.append(nbformat.v4.new_code_cell(ELSEWHERE.format(installed=str(installed))))
    nbformat.write(notebook, tmp_path / "alone.ipynb")
    environment = {**os.environ, **settings.KERNEL_ENV, "PYTHONPATH": str(installed),
                   "PROOFREAD_VERDICTS": str(ROOT / "_build/verdicts")}
    command = [sys.executable, "-m", "pytest", *compare.OPTIONS, str(tmp_path / "alone.ipynb")]
    # pytest itself finds the clone in the folder where it is started
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=900)
    assert run.returncode == 0, run.stdout[-5000:]
    assert f"{len(chapters.code_cells(notebook))} passed" in run.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["alone.ipynb"]
