"""A digest of code changes with what a function rests on, and with nothing else."""

import importlib
import sys

import pytest

from proofread.experiments.digest import code, digest

MADE_UP = (lambda: 0)
FILES = {
    "__init__": "",
    "run": (
        '"""An experiment."""\n'
        "import math\n"
        "from digested import tables as t\n"
        "from digested.parts import Climber, step as take\n"
        "from . import parts\n\n\n"
        "RATE = 3\n\n\n"
        "def run(seed):\n"
        '    """Run it."""\n'
        "    from digested.late import last\n"
        "    return Climber(RATE).climb(take(seed)) + t.TABLE[seed] + parts.plus() + last(math.pi)\n\n\n"
        "def beside():\n"
        "    return 1\n"),
    "parts": (
        "from .tables import WIDTH\n\n\n"
        "def twice(f):\n"
        "    return lambda x: 2 * f(x)\n\n\n"
        "@twice\n"
        "def step(x):\n"
        "    return x + WIDTH  # wide\n\n\n"
        "class Base:\n"
        "    scale = 1\n\n\n"
        "class Climber(Base):\n"
        "    def __init__(self, rate):\n"
        "        self.rate = rate\n\n"
        "    def climb(self, x):\n"
        "        return self.rate * x * self.scale\n\n\n"
        "def plus():\n"
        "    return 5\n\n\n"
        "def unused():\n"
        "    return step(1)\n"),
    "tables": "WIDTH = 4\nTABLE = [WIDTH, 5]\nTABLE.append(6)\nOTHER = 8\n",
    "late": "def last(x):\n    return 7 * x\n\n\ndef first():\n    return 0\n",
}


def forget():
    for name in [name for name in sys.modules if name.split(".")[0] == "digested"]:
        del sys.modules[name]
    importlib.invalidate_caches()


@pytest.fixture
def package(tmp_path, monkeypatch):
    """The digest of `run` in a package with these files, some of them changed."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (tmp_path / "digested").mkdir()

    def found(**changed):
        forget()
        for path in (tmp_path / "digested").iterdir():
            path.unlink()
        for name, text in (FILES | changed).items():
            (tmp_path / "digested" / f"{name}.py").write_text(text, "utf8")
        return digest(importlib.import_module("digested.run").run)

    yield found
    forget()


def changed(name, old, new):
    assert old in FILES[name]
    return {name: FILES[name].replace(old, new)}


@pytest.mark.parametrize(("name", "old", "new"), [
    ("run", "RATE = 3", "RATE = 4"),
    ("run", "take(seed)) +", "take(seed)) -"),
    ("parts", "2 * f(x)", "3 * f(x)"),  # what decorates
    ("parts", "@twice\n", ""),
    ("parts", "x + WIDTH", "x - WIDTH"),
    ("parts", "scale = 1", "scale = 2"),  # of a class above
    ("parts", "self.rate * x", "self.rate + x"),
    ("parts", "return 5", "return 6"),  # by the name of its module
    ("tables", "WIDTH = 4", "WIDTH = 5"),
    ("tables", "5]", "7]"),
    ("tables", "append(6)", "append(9)"),  # what is done to a name afterwards
    ("late", "7 * x", "8 * x"),  # imported where it is needed
])
def test_what_a_function_rests_on_counts(package, name, old, new):
    assert package() != package(**changed(name, old, new))


@pytest.mark.parametrize(("name", "old", "new"), [
    ("run", "return 1", "return 2"),
    ("run", '"""Run it."""', '"""Run it, far."""'),
    ("run", "import math\n", "import math\nimport os\n"),
    ("parts", "return step(1)", "return step(2)"),
    ("parts", "  # wide", ""),
    ("parts", "\n\n\nclass Base", "\n\n\n\n\nclass Base"),
    ("tables", "OTHER = 8", "OTHER = 9"),
    ("late", "return 0", "return 1"),
])
def test_what_stands_beside_it_does_not(package, name, old, new):
    assert package() == package(**changed(name, old, new))


def test_code_may_move(package):
    start, end = FILES["parts"].index("def plus"), FILES["parts"].index("def unused")
    plus = FILES["parts"][start:end]
    parts = FILES["parts"].replace(plus, "").replace("WIDTH\n", "WIDTH\nfrom .new import plus\n", 1)
    moved = {"parts": parts, "new": plus}
    assert package() == package(**moved) != package(**moved | {"new": plus.replace("5", "6")})


def test_a_package_may_hand_names_out_when_they_are_asked_for(package):
    hands = ("def __getattr__(name):\n    if name == 'plus':\n        from digested import parts\n"
             "        return parts.plus\n    raise AttributeError(name)\n")
    asks = changed("run", "parts.plus()", "plus()")["run"]
    asks = asks.replace("from . import", "from digested import plus,")
    lazy = {"__init__": hands, "run": asks}
    assert package(**lazy) != package(**lazy, **changed("parts", "return 5", "return 6"))
    assert package(**lazy) == package(**lazy, **changed("parts", "return step(1)", "return step(2)"))


def test_a_function_that_is_made_up_is_refused():
    with pytest.raises(ValueError, match="at the top of a module with a file, got <lambda> of "):
        digest(MADE_UP)


def test_code_is_what_runs():
    assert code('def f():\n    """It.\n\n    Is."""\n    return "# no comment"  # a comment\n') == \
        'def f():\n    return "# no comment"'
    assert code("x = 1\n") != code("x = 2\n")
