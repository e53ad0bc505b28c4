"""Libraries that a page fetches where its owner allows it.  In place of NumPy and SciPy stand wheels of their
names, as those cannot be had on every machine: what is tested is how they come, and that no others come.
"""

import hashlib
import html
import json
import shutil
import zipfile
from contextlib import contextmanager
from pathlib import Path

import pytest
from fields import FILES, Field, offered  # noqa: F401 -- a fixture for all tests
from sphinx.errors import ConfigError
from visits import SITE, Quiet, served

from tools.checker import archive, fields, packages, trial
from tools.checker.judging import packed
from tools.checker.programs import programs
from tools.errors import ChapterError

MODULES = {  # NumPy imports more of Python's own library than the checker does
    "numpy": "import unittest\ndef mean(numbers): return sum(numbers) / len(numbers)\n",
    "scipy": "import numpy\ndef variance(numbers):\n"
             "    return numpy.mean([(one - numpy.mean(numbers)) ** 2 for one in numbers])\n",
}
CELLS = [
    "from proofread import ProgrammingExercise\nimport scipy as sp\n"
    "def judge(variance):\n    assert variance([1, 3]) == sp.variance([1, 3]), 'of 1 and 3 it is 1'",
    "own = ProgrammingExercise('ex-variance', judge, wrong={'none': lambda numbers: 0})",
    "def variance(numbers):\n    ...\n\nown.check(variance)",
    "import numpy as np\ndef variance(numbers):\n"
    "    return np.mean([one ** 2 for one in numbers]) - np.mean(numbers) ** 2\n\nown.solution(variance)",
]
PROGRAM = programs(CELLS)["ex-variance"]
DATA = packed([], [], programs={"ex-variance": PROGRAM})


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """The folder of the stand-ins, and what a list would say of them."""
    folder, listed = tmp_path_factory.mktemp("packages"), {}
    for name, one in packages.listed().items():
        with zipfile.ZipFile(folder / one["file_name"], "w") as wheel:
            wheel.writestr(f"{name}/__init__.py", MODULES[name])
            wheel.writestr(f"{name}-{one['version']}.dist-info/METADATA", f"Name: {name}\n")
        digest = hashlib.sha256((folder / one["file_name"]).read_bytes()).hexdigest()
        listed[name] = one | {"sha256": digest, "integrity": packages.integrity(digest)}
    return folder, listed


class Elsewhere(Quiet):
    """A host that lets the pages of others read what it has, as those of libraries do."""

    def end_headers(self):
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()


@pytest.fixture(scope="module")
def host(wheels):
    with served(wheels[0], Elsewhere) as address:
        yield f"{address}/"


@pytest.fixture
def stand_ins(wheels, monkeypatch, tmp_path):
    monkeypatch.setattr(packages, "listed", lambda: wheels[1])
    monkeypatch.setattr(archive, "folder", lambda: tmp_path)


# --- The build ----------------------------------------------------------------------------------------------


def test_what_an_exercise_needs_is_known():
    assert PROGRAM["needs"] == ["numpy", "scipy"]
    page = {"exercises": [{"label": "ex-variance", "needs": ["numpy"]}, {"label": "ex-sum", "needs": []},
                          {"label": "ex-one", "formulas": 1}]}
    assert len(packages.offered(page, "")) == 2 and len(packages.offered(page, "https://one.org/")) == 3


@pytest.mark.parametrize("address", ["example.org/", "https://example.org", "file:///tmp/", "https:///pyodide/",
                                     "https://example.org/?a/", "https://example.org/ script-src */"])
def test_an_address_is_one_of_a_folder(address):
    with pytest.raises(ConfigError, match="expected a folder"):
        packages.read_address(address)


@pytest.mark.usefixtures("stand_ins")
def test_files_are_fetched_once_and_are_those_of_the_list(host, wheels, monkeypatch):
    folder, listed = wheels
    given = packages.fetched(host)
    assert all(Path(path).read_bytes() == (folder / name).read_bytes() for name, path in given.items())
    assert {*given} == {one["file_name"] for one in listed.values()}
    assert packages.fetched("http://none.invalid/") == given  # they are here
    other = {"numpy": listed["numpy"] | {"file_name": listed["scipy"]["file_name"]}}
    monkeypatch.setattr(packages, "listed", lambda: other)
    (archive.folder() / "packages" / listed["scipy"]["file_name"]).unlink()
    with pytest.raises(ChapterError, match="its hash is another one"):
        packages.fetched(host)
    for address in (f"{host}lost/", "http://none.invalid/"):
        with pytest.raises(ChapterError, match="cannot be fetched"):
            packages.fetched(address)


def test_the_build_judges_with_them(wheels, monkeypatch):
    folder, listed = wheels
    monkeypatch.setattr(packages, "listed", lambda: listed)
    given = {path.name: str(path) for path in folder.iterdir()}
    answers = [("ex-variance", text) for text in (PROGRAM["solution"], "def variance(numbers): return 2")]
    pages = [(DATA, answers), (DATA, answers)]  # the second goes on from a memory of Python
    assert [said["status"] for said in trial.verdicts(archive.made(), pages, given)] == ["right", "wrong"] * 2


# --- The page -----------------------------------------------------------------------------------------------

LAYOUT = """<!doctype html><meta charset="utf-8"><title>Variance</title>
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; {policy}">
<script id="checker" type="application/json">{told}</script>
{form}<script src="_static/checker.js"></script>"""


@pytest.fixture
def opened(browser, tmp_path, wheels):
    """A page whose owner allows an address, as the site is with it."""
    static = tmp_path / "_static"
    (static / "checker").mkdir(parents=True)
    made = archive.made()
    for name in fields.loaded("https://"):
        shutil.copy(made / name, static / "checker" / name)
    shutil.copy(archive.HERE.parent / "theme/checker.js", static)

    @contextmanager
    def page(address, listed=wheels[1], allowed=None):
        versions = {name: archive.content(made / name) for name in fields.loaded("https://")}
        told = {"files": versions, "page": DATA, "packages": listed, "address": address}
        own = packages.origin(address) if allowed is None else allowed
        policy = f"connect-src 'self' {own}; worker-src blob:"
        form = fields.program("ex-variance", PROGRAM["name"], PROGRAM["stub"], PROGRAM["needs"])
        (tmp_path / "page.html").write_text(LAYOUT.format(
            policy=html.escape(policy), told=json.dumps(told), form=form), "utf8")
        context = browser.new_context()
        with served(tmp_path) as site:
            opened, asked = context.new_page(), []
            opened.on("request", lambda request: asked.append(request.url))
            opened.goto(f"{site}/page.html")
            yield Field(opened, "ex-variance"), asked
        context.close()

    return page


def test_a_page_fetches_them_when_they_are_needed_and_keeps_them(opened, host):
    with opened(host) as (field, asked):
        assert "in Python with NumPy and SciPy" in field.form.inner_text()
        field.input.fill("x = 1")
        assert not [url for url in asked if url.startswith(host)]
        assert field.says(PROGRAM["solution"])[0] == "right"
        assert len([url for url in asked if url.startswith(host)]) == 2
        assert field.says("def variance(numbers): return 2") == ("wrong", "Not yet: of 1 and 3 it is 1.")
        field.page.reload()
        assert field.says(PROGRAM["solution"])[0] == "right"
        assert len([url for url in asked if url.startswith(host)]) == 2


def test_another_file_is_none(opened, host, wheels):
    other = {name: one | {"integrity": packages.integrity("00" * 32)} for name, one in wheels[1].items()}
    with opened(host, other) as (field, _):
        status, text = field.says(PROGRAM["solution"])
        assert status == "undecided" and "or is another file" in text


def test_no_other_host_is_asked(opened, host):
    with opened(host, allowed="") as (field, asked):
        assert "did not come" in field.says(PROGRAM["solution"])[1]
    assert "connect-src 'self' ;" in (SITE / "book/intro.html").read_text("utf8")
