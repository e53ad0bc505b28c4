"""Run the statements of chapters that are given on the standard input; tell of their exercises and lines.

    python -m tools.checker.taken < asked.json > taken.jsonl

Each chapter has a process of its own, in which all that is imported here is there already.
"""

import io
import json
import os
import pickle
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import partial, wraps
from multiprocessing import get_context
from types import FunctionType

from proofread import Definition, Derivation, Equivalence
from proofread.any_size import bounds
from proofread.exercises.formula import Exercise
from proofread.language.defined import Defined
from proofread.language.typed import unfold
from proofread.latex.display import formula
from proofread.latex.printer import tex
from proofread.numeric import balls

from .judging import SOON, Page, packed
from .lines import Chain, Solved
from .typeable import typeable

EARLY = SOON // 2  #: steps in which a line is judged here: another version of Python makes other calls


def main() -> None:
    for asked in json.load(sys.stdin):
        if child := os.fork():
            os.waitpid(child, 0)
            continue
        try:
            told = _taken(asked)
        except SystemExit as error:
            told = {"trouble": str(error)}
        except Exception as error:  # whatever the code of a chapter does here
            told = {"trouble": f"{type(error).__name__}: {error}"}
        print(json.dumps([asked["docname"], told], ensure_ascii=False), flush=True)
        os._exit(0)


def _taken(asked):
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        exercises, chains, scope = _run(asked["code"])
    if missing := [label for label in asked["labels"] if label not in exercises]:
        raise SystemExit(f"{', '.join(missing)} is made in a way that cannot be followed")
    definitions = [thing.statement.left for thing in scope.values() if isinstance(thing, Definition)]
    data = packed(exercises.values(), [one for one in definitions if isinstance(one, Defined)],
                  map(_kept, chains.values()), asked["programs"])
    page, told, trials = Page(data), [], []
    answers = {label: tried(exercise) for label, exercise in exercises.items()}
    answers |= {label: tried_out(program) for label, program in asked["programs"].items()}
    for label, exercise in exercises.items():
        told.append({"label": label, "formulas": len(exercise.answer), "symbols": sorted(exercise._words)})
    told += [{name: program[name] for name in ("name", "stub", "needs")} | {"label": label}
             for label, program in asked["programs"].items()]
    for label, known in answers.items():
        for text, status, hint in known:
            said = page.judge(label, text)
            if (said["status"], hint in said["text"]) != (status, True):
                raise SystemExit(f"{label}: expected that `{text}` is {status}, got {said['status']}: "
                                 f"{said['text']}")
            trials.append([label, text, status, hint])
    rows = [f"{label}/{row}" for label, chain in chains.items() for row, line in enumerate(chain.lines(), 1)
            if line.reason or not line.iff]
    lines = asked["lines"] or _with_nothing_known(data, rows)
    return {"data": data, "exercises": told, "trials": trials, "lines": lines,
            "displayed": {label: formula(chain.lines()) for label, chain in chains.items()}}


def _run(code):
    """The exercises, and the derivations and equivalences, by their labels, and the names that are left."""
    made = {Exercise: {}, Derivation: {}, Equivalence: {}}

    def keeping(kind, make):
        def kept(self, *given, **told):
            make(self, *given, **told)
            made[kind][self.label] = self
        return kept

    _remember_bounds()
    scope, before = {"__name__": "__main__"}, {kind: kind.__init__ for kind in made}
    for kind, make in before.items():
        kind.__init__ = keeping(kind, make)
    exec(compile(code, "a chapter", "exec"), scope)  # the book's own code
    for kind, make in before.items():
        kind.__init__ = make
    return made[Exercise], made[Derivation] | made[Equivalence], scope


# --- Lines ------------------------------------------------------------------------------------------------


def _kept(chain):
    """What makes a `lines.Chain`; no line of it that is argued, or shown by what cannot be kept."""
    if isinstance(chain, Equivalence):
        return partial(Solved, chain.label, *chain.domain, chain.given,
                       [(line.left, line.right) for line in chain.lines()])
    steps = [(line.relation, line.right, found.over, found.attained, None if line.argued else found.by)
             for line, found in chain.steps]
    return partial(Chain, chain.label, chain.start, chain.given, [
        step if _can_be_kept(step) else (*step[:2], (), None, None) for step in steps])


def _remember_bounds():
    """Bounds hold functions, which cannot be kept: how they were made is kept instead."""
    for owner in (bounds, bounds.Bound):
        for name, make in list(vars(owner).items()):
            if isinstance(make, FunctionType) and make.__module__ == bounds.__name__ and name != "__init__":
                setattr(owner, name, _remembered(make))
    bounds.Bound.__reduce__ = lambda bound: bound.made


def _remembered(make):
    @wraps(make)
    def made(*given, **options):
        bound = make(*given, **options)
        if isinstance(bound, bounds.Bound):
            bound.made = (partial(made, **options) if options else made), given
        return bound
    return made


def _can_be_kept(thing):
    try:
        pickle.dumps(thing, protocol=4)
        return True
    except (pickle.PicklingError, AttributeError, TypeError):
        return False


def _line(page, label):
    """A line: its label, the text with which it opens, and a changed one with what is to be said of it.

    A line that cannot be typed, or is not judged `EARLY` as in the book, says why instead.
    """
    line = page.asked.get(label)
    if line is None:
        return {"label": label, "why": "not computed, or not kept"}
    sides = [typeable(side, line.vocabulary) for side in line.typed]
    text = " = ".join(sides)
    if not all(sides):
        return {"label": label, "why": "cannot be typed"}
    if (said := page.judge_soon(label, text, EARLY))["status"] != "proved":
        return {"label": label, "why": said["text"]}
    for wrong in changes(text):
        said = page.judge_soon(label, wrong, EARLY)
        if said["status"] in ("refuted", "undecided"):
            return {"label": label, "text": text, "wrong": wrong, "status": said["status"]}
    return {"label": label, "why": "no wrong version of it is seen"}


def _with_nothing_known(data, rows):
    """Each line in a process of its own, as if it were the first that a page is asked.

    Steps are counted there as in the browser: of what was found out before, in this chapter or by an earlier
    build, nothing is left, and no library is there that the browser lacks.
    """
    os.environ.pop("PROOFREAD_VERDICTS", None)
    context = get_context("forkserver")
    context.set_forkserver_preload([__spec__.name])
    with context.Pool(1, _as_in_the_browser, maxtasksperchild=1) as pool:
        return pool.starmap(_first_line, [(data, row) for row in rows], chunksize=1)


def _as_in_the_browser():
    balls.flint = None


def _first_line(data, row):
    return _line(Page(data), row)


def changes(text):
    """Changed versions of a text, as a reader would make them: a sign flipped, a one added.

    Examples
    --------
    >>> list(changes("a - b*(c + d)"))
    ['a + b*(c + d)', 'a - b*(c - d)', '-(a - b*(c + d))', 'a - b*(c + d) + 1', 'a - b*(c + d) - 1']
    """
    for found in re.finditer(r"(?<=\S) [+-] (?=\S)", text):
        sign = {"+": "-", "-": "+"}[found[0][1]]
        yield f"{text[:found.start()]} {sign} {text[found.end():]}"
    yield f"-({text})"
    yield from (f"{text} + 1", f"{text} - 1")


# --- Exercises --------------------------------------------------------------------------------------------


def tried(exercise):
    """Answers with what has to be said of them: status, and a hint."""
    for parts, status, hint in [(exercise.answer, "right", ""),
                                *((wrong, "known", hint) for wrong, hint in exercise.hints)]:
        yield ", ".join(str(unfold(part)) for part in parts), status, hint
        yield ", ".join(map(tex, parts)), status, hint
    plain = [unfold(part) for part in exercise.answer]
    yield ", ".join(str(part + 17) for part in plain), "wrong", ""


def tried_out(program):
    """The same of a function that is asked for."""
    name = program["name"]
    yield program["solution"], "right", "passes the test"
    yield program["stub"], "no answer", f"what `{name}` does"
    yield f"def {name}(*given):\n    return given", "wrong", "Not yet"
    yield f"def {name}(", "unreadable", "line 1"


if __name__ == "__main__":
    main()
