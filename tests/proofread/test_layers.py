"""Rooms of the checker import from rooms below them only, and no files import each other in a circle."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = "proofread", "softmaxnotes", "tools"
MOST_FILES = 12  #: in a folder of proofread

#: from top to bottom; rooms of one layer do not know each other
LAYERS = (
    {"sphinx", "testing"},
    {"evidence", "exercises", "experiments"},
    {"claims"},
    {"latex", "mutation"},
    {"decision"},
    {"any_size"},
    {"numeric", "fixed_size"},
    {"language"},
    {"ledger"},
    {"budget"},
    {"errors", "settings"},
)
DOORS = {"__init__", "public"}  #: they hand names out, and no room imports them
LAYER = {room: number for number, rooms in enumerate(LAYERS) for room in rooms}


def files(root, *packages):
    """The files of some packages by the names of their modules."""
    found = {}
    for package in packages:
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(modules):
    """For each module those that it imports, at its top or inside a function."""
    return {name: set(_imported(name, path, modules)) - {name} for name, path in modules.items()}


def _imported(name, path, modules):
    package = name.split(".") if path.stem == "__init__" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text("utf8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom):
            base = package[:len(package) - node.level + 1] if node.level else []
            base = ".".join([*base, *filter(None, [node.module])])
            for alias in node.names:
                whole = f"{base}.{alias.name}"
                yield from [whole] if whole in modules else [base] if base in modules else []


def upward(graph):
    """The imports of one room from another that does not lie below it."""
    for name, targets in sorted(graph.items()):
        for target in sorted(targets):
            above, below = _room(name), _room(target)
            if above not in DOORS and above != below and (
                    below in DOORS or LAYER[above] >= LAYER[below]):
                yield f"{name} imports {target}"


def _room(module):
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def circles(graph):
    """The modules from which imports lead back to them."""
    reached = {name: set(targets) for name, targets in graph.items()}
    for through in graph:
        for name in graph:
            if through in reached[name]:
                reached[name] |= reached[through]
    return sorted(name for name in graph if name in reached[name])


@pytest.fixture(scope="module")
def graph():
    return imports(files(ROOT, "proofread"))


def test_every_room_has_a_layer(graph):
    assert {_room(name) for name in graph} <= {*LAYER, *DOORS}


def test_rooms_import_from_below_only(graph):
    assert not list(upward(graph))


def test_no_files_import_each_other():
    assert not circles(imports(files(ROOT, *PACKAGES)))


def test_no_folder_is_full():
    folders = {path.parent for path in files(ROOT, "proofread").values()}
    counts = {folder.name: len([*folder.glob("*.py")]) for folder in folders}
    assert max(counts.values()) <= MOST_FILES, counts


@pytest.mark.parametrize(("line", "caught"), [
    ("from proofread.claims.report import report", "proofread.language.one imports proofread.claims.report"),
    ("from proofread import decision", "proofread.language.one imports proofread.decision"),
    ("def late():\n    import proofread.numeric.points", "proofread.language.one imports "
                                                        "proofread.numeric.points"),
    ("from ..latex import printer", "proofread.language.one imports proofread.latex.printer"),
    ("from proofread import Derivation", "proofread.language.one imports proofread"),
])
def test_an_import_upwards_is_seen(tmp_path, line, caught):
    for name in ("__init__", "claims/report", "decision/__init__", "numeric/points", "latex/printer"):
        write(tmp_path, name, "")
    write(tmp_path, "language/one", line)
    assert list(upward(imports(files(tmp_path, "proofread")))) == [caught]


def test_rooms_of_one_layer_do_not_know_each_other(tmp_path):
    write(tmp_path, "fixed_size/one", "from proofread.numeric import two")
    write(tmp_path, "numeric/two", "")
    assert list(upward(imports(files(tmp_path, "proofread"))))


def test_a_circle_is_seen(tmp_path):
    write(tmp_path, "language/a", "from .b import x")
    write(tmp_path, "language/b", "def f():\n    from . import c")
    write(tmp_path, "language/c", "from proofread.language.a import y")
    write(tmp_path, "language/d", "from .a import x")
    names = [f"proofread.language.{name}" for name in "abc"]
    assert circles(imports(files(tmp_path, "proofread"))) == names


def write(root, name, text):
    path = root / "proofread" / f"{name}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf8")
