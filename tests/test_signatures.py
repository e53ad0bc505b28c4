"""All public functions speak one language: the words of the table in CONTRIBUTING, and what each implies.

Public is what a module lists in `__all__`; what figures are drawn with is not the library's.
"""

import ast
import importlib
import inspect
import pkgutil
import re

import pytest

import softmaxnotes
from proofread.experiments import Experiment
from softmaxnotes.training import Trained
from tools.settings import ROOT

#: What another name of the same thing is called.
WORDS = {
    "labels": ("y", "targets"),
    "lr": ("rate", "learning_rate", "step_size"),
    "steps": ("n_steps", "n_updates", "iterations", "updates"),
    "max_iterations": ("maxiter", "max_iter", "max_steps"),
    "n_samples": ("draws", "samples", "n_draws"),
    "n_conditional": ("inner",),
    "n_rollouts": ("rollouts",),
    "n_nodes": ("nodes",),
    "size": ("count",),
    "rng or generator": ("seed", "random_state"),
}
#: An argument that changes what is returned is a function of its own.
SWITCHES = re.compile(r"return_\w+|hessian|derivatives|with_\w+")
#: Told by name, for among other numbers nobody would know which is which.
BY_NAME = {"rng", "generator", "temperature", "lr", "n_samples", "n_conditional", "n_rollouts", "n_bins",
           "n_nodes", "max_iterations", "checkpoint", "title", "method"}
#: And what it is if it isn't told.
DEFAULTS = {"rng": None, "generator": None, "axis": -1, "size": None, "checkpoint": None, "title": None}
#: `load` splits the digits by a seed that the book quotes; `y` are the ordinates of a curve over `x`.
NAMED_OTHERWISE = {("softmaxnotes.digits.load", "seed"),
                   ("softmaxnotes.experiments.softmax.square_loss.gradient", "targets"), *(  # one-hot
    (f"softmaxnotes.tools.discretised.DiscretisedFunctional.{method}", "y")
    for method in ("value", "gradient", "hessian"))}


def modules():
    for found in pkgutil.walk_packages(softmaxnotes.__path__, "softmaxnotes."):
        if not found.name.startswith("softmaxnotes.figures") and not found.ispkg:
            yield found.name


def functions(module):
    """Public functions and methods of a module, by their full names; a class stands for its constructor."""
    source = importlib.import_module(module)
    for name in getattr(source, "__all__", ()):
        thing = getattr(source, name)
        if not callable(thing) or any(isinstance(one, Experiment) and one.run is thing
                                      for one in vars(source).values()):
            continue  # what an experiment runs is called as experiments call it
        yield f"{module}.{name}", thing
        if inspect.isclass(thing):
            for method, function in vars(thing).items():
                if not method.startswith("_") and inspect.isfunction(function):
                    yield f"{module}.{name}.{method}", function


def complaints(name, function):
    """What in a signature is not as the table says."""
    if inspect.isclass(function) and issubclass(function, tuple):
        return  # what is returned; its fields are no arguments
    for word, argument in inspect.signature(function).parameters.items():
        for right, wrong in WORDS.items():
            if word in wrong and (name, word) not in NAMED_OTHERWISE:
                yield f"{name}: {word} is called {right}"
        if SWITCHES.fullmatch(word):
            yield f"{name}: {word} changes what is returned; make two functions of it"
        if word in BY_NAME and argument.kind is not argument.KEYWORD_ONLY:
            yield f"{name}: {word} is told by name"
        default = argument.default
        if word in DEFAULTS and default is not argument.empty and default != DEFAULTS[word]:
            yield f"{name}: {word} is {DEFAULTS[word]} if it isn't told, not {default!r}"


@pytest.mark.parametrize("module", list(modules()))
def test_one_signature_one_word(module):
    assert [line for name, thing in functions(module) for line in complaints(name, thing)] == []


def test_a_signature_with_other_words_is_refused():
    def fit_something(data, y, temperature=1.0, *, learning_rate=0.1, return_gap=False, seed=0, axis=0): ...

    assert [line.split(": ")[1] for line in complaints("f", fit_something)] == [
        "y is called labels", "temperature is told by name", "learning_rate is called lr",
        "return_gap changes what is returned; make two functions of it", "seed is called rng or generator",
        "axis is -1 if it isn't told, not 0"]


def test_the_table_is_that_of_contributing():
    contributing = (ROOT / "CONTRIBUTING.md").read_text("utf8")
    table = contributing.split("## What an argument is called")[1].split("\n## ")[0]
    told = set(re.findall(r"^\| `(\w+)`", table, re.M))
    expected = {word for right in WORDS for word in right.split(" or ")} | BY_NAME | DEFAULTS.keys()
    assert told == expected


def test_what_is_trained_comes_with_its_record():
    """Each trainer, `fit_…` with steps, says that it returns one kind of object."""
    found = 0
    for module in modules():
        for name, function in functions(module):
            short = name.rsplit(".", 1)[1]
            if short.startswith(("fit_", "learn_")) and "lr" in inspect.signature(function).parameters:
                found += 1
                assert inspect.signature(function).return_annotation is Trained, name
    assert found >= 8


def messages(path):
    """What is said where an argument is refused: line, and the text with … for what is put in."""
    for node in ast.walk(ast.parse(path.read_text("utf8"))):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) \
                and getattr(node.exc.func, "id", "") in ("TypeError", "ValueError"):
            texts = [part.value if isinstance(part, ast.Constant) else "…"
                     for part in ast.walk(node.exc.args[0])
                     if isinstance(part, (ast.Constant, ast.FormattedValue))]
            yield node.lineno, "".join(map(str, texts))


def test_what_is_refused_is_told_with_what_was_expected():
    """Or with what there isn't: "no distribution: every logit of slice (2,) is -inf"."""
    found = {f"{path.relative_to(ROOT)}:{line}: {text}" for path in (ROOT / "softmaxnotes").rglob("*.py")
             if "figures" not in path.parts for line, text in messages(path)
             if not re.match(r".*expected .*got |no ", text, re.S)}
    assert found == set()
