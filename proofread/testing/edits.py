"""Random wrong edits of a page's code: which of them does nobody notice?

    python -m proofread.testing.edits test_notes.py --count 60 --seed 1
    python -m proofread.testing.edits test_notes.py --only erratum exercise --count 20

is said where pytest is run, and names the file with the page's test.  An edit changes one thing in one code
cell: a number, a sign, an operator, a relation, a name for another one of its kind, a function, a bound, the
order of two arguments, a condition, a hint.  It is put in the class of what it lies in, and as many are drawn
from each class.
Each runs in a child of this process, which runs the page, from the state before its cell to the end of what
depends on it; an exercise is also put to the mistakes of the page's test, and an erratum to its quotations.
This is plain Python: a cell with a magic of IPython fails.  What a figure computes in a browser is not run.
What shows only how something looks, a seed, a caption or a reason is not edited.

An edit that passes need not be wrong: it may say the same in another way, or change a free choice.  Those
that passed are printed for a reader to judge, with a hint whether what the ledger says, or its formulas, are
as before.
"""

import argparse
import ast
import os
import random
import runpy
import sys
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from proofread.errors import Refuted

from . import rehearsal
from .notebooks import Notebooks
from .page import Page
from .trial import Trial, differing

CLASSES = ("start", "line", "definition", "law", "argued", "equivalence", "route", "erratum", "exercise",
           "figure", "assertion", "helper")
HEADS = {
    "Definition": "definition", "Derivation": "start", "Argued": "argued", "argue": "argued", "Law": "law",
    "NormalLaw": "law", "Distributed": "law", "Equivalence": "equivalence",
    "Erratum": "erratum", "Exercise": "exercise", "check": "exercise", "solution": "exercise",
    "figure": "figure", "interactive": "figure", "plot": "figure", "fill_between": "figure", "step": "line",
    **dict.fromkeys(("agree", "enumeration", "quadrature", "mean_agrees", "frequencies_agree", "cdf_agrees"),
                    "route"),
}
CHECKED = ("Definition", "Derivation", "Argued", "Equivalence", "Distributed")
NAMES_EQUATION = ("of", "correct", "uses")
FATES = ("rejected", "PASSED", "not finished")  #: what may become of an edit
SYMBOLS = ("Symbol", "symbols", "IndexedBase", "MatrixSymbol")
# what only shows, or is a free choice
FREE_KEYWORDS = {
    "alpha", "alt", "because", "caption", "capstyle", "color", "consequence", "fontsize", "gid",
    "handlelength", "height", "instead", "label", "linestyle", "linewidth", "loc", "marker", "markersize",
    "name", "rng", "rows", "says", "seed", "solid_capstyle", "title", "width", "xlabel", "xlim", "xticks",
    "ylabel", "ylim", "yticks", "zorder",
}
FREE_CALLS = {"Choice", "Function", "Markdown", "Slider", "annotate", "axhline", "axvline", "curve",
              "default_rng", "errstate", "guide", "legend", "panel", "report", "set", "text", *SYMBOLS}
EXCHANGED = [("exp", "log"), ("sin", "cos"), ("tan", "tanh"), ("Max", "Min"), ("max", "min"),
             ("Sum", "Product"), ("argmax", "argmin"), ("cdf", "sf"), ("sum", "prod"), ("all", "any"),
             ("maximum", "minimum"), ("log1p", "expm1"), ("E", "Var"), ("digamma", "gamma"),
             ("Trace", "Determinant")]
OTHER_FUNCTION = {**dict(EXCHANGED), **{b: a for a, b in EXCHANGED}, "sqrt": "exp", "mean": "max"}
OPERATORS = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/", "+"), ast.Div: ("/", "*"),
             ast.Pow: ("**", "*")}
RELATIONS = {ast.Lt: ("<", "<=", ">"), ast.LtE: ("<=", "<", ">="), ast.Gt: (">", ">=", "<"),
             ast.GtE: (">=", ">", "<="), ast.Eq: ("==", "!="), ast.NotEq: ("!=", "==")}
COMMUTE = {"And", "Eq", "KroneckerDelta", "Max", "Min", "Or", "allclose", "delta", "isclose", "logaddexp",
           "maximum", "minimum", "sum"}


# --- What can be edited -----------------------------------------------------------------


@dataclass(frozen=True)
class Edit:
    """One edit: the bytes from ``start`` to ``end`` of a cell, and what they become."""

    cell: int
    place: str
    what: str
    start: int
    end: int
    new: str

    def applied(self, source):
        data = source.encode()
        return (data[:self.start] + self.new.encode() + data[self.end:]).decode()

    def shown(self, source):
        """The changed lines, before and after."""
        before, after = source.splitlines(), self.applied(source).splitlines()
        first = next((n for n, (a, b) in enumerate(zip(before, after)) if a != b), 0)
        last = next((n for n, (a, b) in enumerate(zip(before[::-1], after[::-1])) if a != b), 0)
        return "\n".join([*(f"    - {a}" for a in before[first:len(before) - last]),
                          *(f"    + {a}" for a in after[first:len(after) - last])])


class Kinds:
    """What kind of thing each name of a page is, as the expression tells that it is first bound to."""

    def __init__(self, trees, first=1):
        self.first, self.kinds, self.equivalences = {}, {}, set()
        for number, tree in enumerate(trees, first):
            for node in tree.body:
                if isinstance(node, ast.FunctionDef):
                    self._bind(node.name, number, (f"function of {len(node.args.args)}",))
                elif isinstance(node, ast.Assign):
                    for target in node.targets:
                        self._assign(target, node.value, number)

    def _assign(self, target, value, number):
        if isinstance(target, ast.Name):
            self._bind(target.id, number, _kinds_of(value))
            if isinstance(value, ast.Call) and _head(value) == "Equivalence":
                self.equivalences.add(target.id)
        elif isinstance(target, ast.Tuple):
            parts = value.elts if isinstance(value, ast.Tuple) else [value] * len(target.elts)
            if len(parts) == len(target.elts):
                for one, part in zip(target.elts, parts):
                    self._assign(one, part, number)

    def _bind(self, name, number, kinds):
        self.first.setdefault(name, number)
        self.kinds.setdefault(name, kinds)

    def others(self, name, number, kind=None):
        """Other names of its kind, or of a kind that is given, known in a cell with this number."""
        wanted = {kind} if kind else set(self.kinds.get(name, ()))
        return [other for other, kinds in self.kinds.items()
                if other != name and self.first[other] <= number and wanted & set(kinds)]


def _kinds_of(value):
    if isinstance(value, ast.Constant):
        return (type(value.value).__name__,)
    if not isinstance(value, ast.Call):
        return (type(value).__name__,)
    head = _head(value)
    if head in SYMBOLS:
        return (f"{head.lower().rstrip('s')} {sorted(map(ast.unparse, value.keywords))}",)
    if head in ("Definition", "Argued"):
        return ("equation", f"applied to {len(getattr(value.args[1], 'elts', ()))}")
    return ("equation",) if head in CHECKED else (head,)


def _is_text(node):
    return isinstance(node, ast.JoinedStr) or isinstance(node, ast.Constant) and isinstance(node.value, str)


def _head(call):
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


class Finder(ast.NodeVisitor):
    """The edits of a cell, in groups: one for each place in the code, of which one edit at most is drawn."""

    def __init__(self, number, source, tree, kinds):
        self.number, self.source, self.kinds = number, source.encode(), kinds
        self.lines = [0]
        for line in self.source.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))
        self.groups, self.stack, self.local = [], [], []
        calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
        self.is_figure = any(_head(call) in ("figure", "panel") for call in calls)
        self.visit(tree)

    # -- where

    def span(self, node):
        return (self.lines[node.lineno - 1] + node.col_offset,
                self.lines[node.end_lineno - 1] + node.end_col_offset)

    def text(self, node):
        start, end = self.span(node)
        return self.source[start:end].decode()

    def place(self):
        for node in reversed(self.stack):
            if isinstance(node, ast.Assert):
                return "assertion"
            if isinstance(node, ast.Call) and (place := HEADS.get(_head(node))):
                receiver = getattr(getattr(node.func, "value", None), "id", None)
                chain = receiver in self.kinds.equivalences
                return "equivalence" if place == "line" and chain else place
        return "figure" if self.is_figure else "helper"

    def add(self, what, *changes):
        """A group: for each change the bytes from, the bytes to, and the new text."""
        if group := [Edit(self.number, self.place(), what, *change) for change in changes]:
            self.groups.append(group)

    def replace(self, what, node, *texts):
        self.add(what, *((*self.span(node), text) for text in texts))

    def exchange(self, what, one, other):
        (start, middle), (later, end) = self.span(one), self.span(other)
        between = self.source[middle:later].decode()
        mine, its = (f"({self.text(n)})" if isinstance(n, (ast.BinOp, ast.UnaryOp)) else self.text(n)
                     for n in (one, other))
        self.add(what, (start, end, its + between + mine))

    # -- what

    def visit(self, node):
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.JoinedStr)):
            return
        if isinstance(node, ast.keyword) and node.arg in FREE_KEYWORDS:
            return
        if isinstance(node, ast.Call) and _head(node) in FREE_CALLS:
            return
        self.stack.append(node)
        super().visit(node)
        self.stack.pop()

    def visit_FunctionDef(self, node):
        self.local.append([argument.arg for argument in node.args.args])
        self.generic_visit(node)
        self.local.pop()

    def visit_Constant(self, node):
        value = node.value
        if isinstance(value, bool):
            self.replace("truth", node, str(not value))
        elif isinstance(value, int):
            lower = [value - 1] if value else []
            self.replace("number", node, *map(str, [value + 1, 2 * value + 1, *lower]))
        elif isinstance(value, float):
            self.replace("number", node, repr(value * 1.5), repr(value / 2))
        elif value in ("<=", ">=", "="):
            self.replace("relation", node, *(f'"{r}"' for r in ("<=", ">=", "=") if r != value))

    def visit_UnaryOp(self, node):
        if isinstance(node.op, ast.USub):
            self.replace("sign", node, f"({self.text(node.operand)})")
        self.generic_visit(node)

    def visit_BinOp(self, node):
        if (signs := OPERATORS.get(type(node.op))) and not _is_text(node.left):
            self._sign_between("operator", node.left, node.right, signs)
            for operand in (node.left, node.right):
                if not isinstance(operand, (ast.Constant, ast.List)):
                    self.replace("sign", operand, f"(-({self.text(operand)}))")
            if isinstance(node.op, (ast.Sub, ast.Div, ast.Pow)):
                self.exchange("operands", node.left, node.right)
        self.generic_visit(node)

    def visit_Compare(self, node):
        left = node.left
        for relation, right in zip(node.ops, node.comparators):
            if signs := RELATIONS.get(type(relation)):
                self._sign_between("relation", left, right, signs)
            left = right
        self.generic_visit(node)

    def _sign_between(self, what, left, right, signs):
        (_, start), (end, _) = self.span(left), self.span(right)
        at = self.source.find(signs[0].encode(), start, end)
        if at >= 0:
            self.add(what, *((at, at + len(signs[0]), other) for other in signs[1:]))

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Store):
            return
        others = self.kinds.others(node.id, self.number)
        call = self.stack[-2] if len(self.stack) > 1 else None
        if isinstance(call, ast.Attribute):
            return  # another chain, or a module
        if isinstance(call, ast.Call) and call.func is node:
            others = [k for kind in self.kinds.kinds.get(node.id, ()) if kind.startswith("applied")
                      for k in self.kinds.others(node.id, self.number, kind)]
        elif any(isinstance(n, ast.keyword) and n.arg in NAMES_EQUATION for n in self.stack):
            others = self.kinds.others(node.id, self.number, "equation")
        for names in self.local:
            if node.id in names:
                others = [name for name in names if name != node.id]
        if other := OTHER_FUNCTION.get(node.id):
            others = [other] if node.id not in self.kinds.kinds else others
        self.replace("name", node, *others)

    def visit_Attribute(self, node):
        if other := OTHER_FUNCTION.get(node.attr):
            _, end = self.span(node)
            self.add("function", (end - len(node.attr.encode()), end, other))
        self.generic_visit(node)

    def visit_Call(self, node):
        positional = [a for a in node.args if not isinstance(a, (ast.Starred, ast.GeneratorExp))]
        if _head(node) not in COMMUTE and _head(node) not in HEADS:
            for one, other in zip(positional, positional[1:]):
                if not any(isinstance(a, ast.Constant) and isinstance(a.value, str) for a in (one, other)):
                    self.exchange("arguments", one, other)
        if _head(node) == "Exercise":
            self._answers(node)
        for keyword in node.keywords:
            if keyword.arg == "given" and isinstance(keyword.value, ast.List):
                for dropped in keyword.value.elts:
                    rest = [self.text(e) for e in keyword.value.elts if e is not dropped]
                    self.replace("condition dropped", keyword.value, f"[{', '.join(rest)}]")
        self.generic_visit(node)

    def _answers(self, node):
        known = {keyword.arg: keyword.value for keyword in node.keywords}
        if isinstance(hints := known.get("hints"), ast.Dict):
            for one, other in zip(hints.values, hints.values[1:]):
                self.exchange("hints", one, other)
            if hints.keys and self.span(known["answer"]) < self.span(hints):
                self.exchange("answer and wrong answer", known["answer"], hints.keys[0])

    def visit_Tuple(self, node):
        if isinstance(node.ctx, ast.Load) and len(node.elts) == 2:
            self.exchange("parts", *node.elts)
        if len(node.elts) == 3 and isinstance(node.ctx, ast.Load):  # the range of a sum
            _, low, high = node.elts
            self.exchange("ends", low, high)
            self.replace("bound", high, f"({self.text(high)} - 1)", f"({self.text(high)} + 1)")
        self.generic_visit(node)


def groups(sources, shared=""):
    """All edits of a page, by class; in each class lists, of which one edit at most is drawn.

    Names that pages share, and take from a module with this code, have a kind as well.
    """
    trees = [ast.parse(source) for source in sources]
    kinds = Kinds([ast.parse(shared), *trees], first=0)  # of the cells the first has the number 1
    found = {place: [] for place in CLASSES}
    for number, (source, tree) in enumerate(zip(sources, trees), 1):
        for group in Finder(number, source, tree, kinds).groups:
            found[group[0].place].append(group)
    return found


def drawn(found, sources, count, rng, only):
    """As many edits from each class, as far as there are."""
    pools = {place: rng.sample(found[place], len(found[place])) for place in only if found[place]}
    chosen = []
    while len(chosen) < count and pools:
        for place in list(pools):
            if not pools[place]:
                del pools[place]
            elif len(chosen) < count:
                edit = rng.choice(pools[place].pop())
                if says_something_else(edit, sources[edit.cell - 1]):
                    chosen.append(edit)
    return sorted(chosen, key=lambda edit: edit.cell)


def says_something_else(edit, source):
    """Whether the edited cell is code, and not the same code."""
    try:
        return ast.dump(ast.parse(edit.applied(source))) != ast.dump(ast.parse(source))
    except SyntaxError:
        return False


# --- What depends on an edit ---------------------------------------------------------------


def touched(tree):
    """The names that a cell binds, or whose objects it may change: those with a method called for itself."""
    names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    names |= {n.name for n in tree.body if isinstance(n, ast.FunctionDef)}
    calls = [n.value for n in ast.walk(tree) if isinstance(n, ast.Expr) and isinstance(n.value, ast.Call)]
    receivers = [call.func for call in calls if isinstance(call.func, ast.Attribute)]
    return names | {n.id for receiver in receivers for n in ast.walk(receiver) if isinstance(n, ast.Name)}


def read(tree):
    """The names that a cell uses, those of its modules, and the labels of equations in it."""
    names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    texts = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    return names | {text for text in texts if text.startswith("eq-")}


def imports(tree):
    return {alias.asname or alias.name for n in ast.walk(tree) if isinstance(n, (ast.Import, ast.ImportFrom))
            for alias in n.names}


def affected(sources, number, wrong):
    """The cells from an edited one on; those are empty that it does not reach and that no other needs."""
    cells = [wrong, *sources[number:]]
    trees = [ast.parse(cell) for cell in cells]
    modules = set().union(*map(imports, [ast.parse(source) for source in sources]))
    labels = [{text for text in read(tree) if text.startswith("eq-")} for tree in trees]
    chosen, reached = {0, len(cells) - 1}, set()
    for place, tree in enumerate(trees):
        if place in chosen or read(tree) & reached:
            chosen.add(place)
            reached |= (touched(tree) | labels[place]) - modules
    needed = set()
    for place in reversed(range(len(cells))):
        if place in chosen or (touched(trees[place]) | imports(trees[place])) & needed:
            chosen.add(place)
            needed |= read(trees[place])
    return [cell if place in chosen else "" for place, cell in enumerate(cells)]


# --- Running -----------------------------------------------------------------------------


def attempt(trial, cells, number, names):
    """In a child: run the cells, then what the page's test asks; how it failed, or what it shows."""
    failure = rehearsal.first_failure(trial.page.name, cells, number, names)
    if failure is None:  # cells that are not affected were left out, so that not every name has a meaning
        failure = rehearsal.wrong_sentence(trial.sentences, names, Refuted)
    if failure is None:
        bound = set().union(*(touched(ast.parse(source)) for source in cells))
        try:
            examine({name: names[name] for name in bound & set(names)}, trial.asked)
        except Exception as error:
            failure = {"kinds": ["the page's test"], "message": str(error)}
    return {"failure": failure, **(shown() if failure is None else {})}


def examine(names, asked):
    """Put exercises, errata and what is argued to the page's test: of these, those that were made by now."""
    from . import exercises  # only now, for it imports SymPy

    for exercise in exercises.found([names]):
        exercises.attempts(exercise)
        if "mistakes" in asked:
            exercises.hinted(exercise, [m[1:] for m in asked["mistakes"] if m[0] == exercise.label])
    if "quotations" in asked:
        quoted = rehearsal.quoted()
        typed = {source: tex for source, tex in asked["quotations"].items() if source in quoted}
        if wrong := differing(quoted, typed):
            raise ValueError(f"misquotes {wrong}")
    for what, found in (("argued", rehearsal.only_argued()), ("undetermined", rehearsal.undetermined())):
        # cells that support it may have been left out
        typed = {label: tex for label, tex in asked.get(what, {}).items() if label in found}
        if wrong := differing({label: found[label] for label in typed}, typed):
            raise ValueError(f"{what}: {wrong}")


def shown():
    """What the ledger says by now, and the formulas of what was displayed."""
    from proofread import ledger
    from proofread.language.typed import unfold

    book = ledger.current()
    said = {str(key): repr({**entry.as_dict(), "seconds": 0}) for key, entry in book.entries.items()}
    formulas = {label: repr([[str(unfold(side)) for side in (line.left, line.right) if side is not None]
                             for line in checked.lines()]) for label, checked in book.statements.items()}
    return {"said": said, "formulas": formulas}


def page_of(test):
    """The page of a file with tests."""
    pages = [value for value in runpy.run_path(test).values() if isinstance(value, Page)]
    if len(pages) != 1:
        sys.exit(f"{test} has {len(pages)} pages, expected one")
    return pages[0]


def run(trial, edits, sources, seconds):
    """Run the page and, before each cell, its edits one after the other; gives their outcomes."""
    names, outcomes = {"__name__": "__main__", "display": rehearsal.show}, {}
    for number, source in enumerate(sources, 1):
        for edit in edits:
            if edit.cell == number:
                cells = affected(sources, number, edit.applied(sources[number - 1]))
                child = rehearsal.Children(seconds)
                child.begin(edit, partial(attempt, trial, cells, number, names))
                outcomes.update(child.end())
                tell(edit, outcomes[edit], sources)
        if failure := rehearsal.first_failure(trial.page.name, [source], number, names):
            sys.exit(f"{trial.page.name} itself fails: {failure['message']}, in cell {number}")
    return outcomes, shown()


def fate(outcome):
    """One of `FATES`: a child that ran out of time has told nothing."""
    if "failure" in outcome:
        return "PASSED" if outcome["failure"] is None else "rejected"
    return "not finished" if outcome["late"] else "rejected"


def verdict(outcome):
    """What became of an edit, and by what it was rejected."""
    if (word := fate(outcome)) != "rejected":
        return outcome.get("message", word)
    why = outcome["failure"]["kinds"][0].rpartition(".")[2] if "failure" in outcome else outcome["message"]
    return f"rejected: {why}"


def tell(edit, outcome, sources):
    print(f"{verdict(outcome)} | {edit.place} | cell {edit.cell} | {edit.what}\n"
          f"{edit.shown(sources[edit.cell - 1])}", flush=True)


def hint(outcome, control):
    """What is the same as before, of an edit that passed."""
    for part, words in (("said", "nothing shown is different"), ("formulas", "the formulas are the same")):
        if all(control[part].get(key) == value for key, value in outcome[part].items()):
            return words
    return "what is shown is different"


def table(outcomes):
    """Edits by class: how many, and what became of them."""
    counts = Counter((edit.place, fate(outcome)) for edit, outcome in outcomes.items())
    rows = [(place, [counts[place, word] for word in FATES]) for place in CLASSES]
    return "\n".join(["class | edits | rejected | passed | not finished", *(
        " | ".join(map(str, [place, sum(row), *row])) for place, row in rows if sum(row))])


def main(arguments=None, *, notebooks=None, shared=""):
    """What the command does, with `Notebooks` of one's own, and code whose names pages share."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("test", help="the file with the test of the page, such as test_notes.py")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=CLASSES, default=CLASSES, help="classes of edits")
    parser.add_argument("--seconds", type=int, default=120, help="that an edit has")
    options = parser.parse_args(arguments)
    trial = Trial(page_of(options.test), notebooks or Notebooks(Path.cwd()))
    sources = [cell.source for cell in trial.cells]
    edits = drawn(groups(sources, shared), sources, options.count, random.Random(options.seed), options.only)
    os.chdir(trial.notebooks.path(trial.page.name).parent)
    outcomes, control = run(trial, edits, sources, options.seconds)
    print(f"\n{table(outcomes)}\n\nPassed:")
    for edit, outcome in outcomes.items():
        if fate(outcome) == "PASSED":
            print(f"\n{edit.place}, cell {edit.cell}, {edit.what}: {hint(outcome, control)}\n"
                  f"{edit.shown(sources[edit.cell - 1])}")


if __name__ == "__main__":
    main()
