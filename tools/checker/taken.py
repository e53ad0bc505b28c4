"""Run the statements of a chapter that are given on the standard input, and tell of its exercises.

    python -m tools.checker.taken < asked.json > taken.json
"""

import json
import sys
from contextlib import redirect_stdout

from proofread import Definition
from proofread.exercises.formula import Exercise
from proofread.language.defined import Defined
from proofread.language.typed import unfold
from proofread.latex.printer import tex

from .judging import Page, packed


def main() -> None:
    asked = json.load(sys.stdin)
    with redirect_stdout(sys.stderr):
        made, scope = _run(asked["code"])
    if missing := [label for label in asked["labels"] if label not in made]:
        raise SystemExit(f"{', '.join(missing)} is made in a way that cannot be followed")
    definitions = [thing.statement.left for thing in scope.values() if isinstance(thing, Definition)]
    data = packed(made.values(), [one for one in definitions if isinstance(one, Defined)])
    page, told, trials = Page(data), [], []
    for label, exercise in made.items():
        told.append({"label": label, "formulas": len(exercise.answer), "symbols": sorted(exercise._words)})
        for text, status, hint in tried(exercise):
            said = page.judge(label, text)
            if (said["status"], hint in said["text"]) != (status, True):
                raise SystemExit(f"{label}: expected that `{text}` is {status}, got {said['status']}: "
                                 f"{said['text']}")
            trials.append([label, text, status, hint])
    print(json.dumps({"data": data, "exercises": told, "trials": trials}))


def _run(code):
    """The exercises that are made, by their labels, and the names that are left."""
    made, make = {}, Exercise.__init__

    def kept(self, label, **told):
        make(self, label, **told)
        made[label] = self

    Exercise.__init__, scope = kept, {"__name__": "__main__"}
    exec(compile(code, "a chapter", "exec"), scope)  # the book's own code
    Exercise.__init__ = make
    return made, scope


def tried(exercise):
    """Answers with what has to be said of them: status, and a hint."""
    for parts, status, hint in [(exercise.answer, "right", ""),
                                *((wrong, "known", hint) for wrong, hint in exercise.hints)]:
        yield ", ".join(str(unfold(part)) for part in parts), status, hint
        yield ", ".join(map(tex, parts)), status, hint
    plain = [unfold(part) for part in exercise.answer]
    yield ", ".join(str(part + 17) for part in plain), "wrong", ""


if __name__ == "__main__":
    main()
