"""What can be slipped in the code of a page: a number, a sign, a name, an operator, a bound, a condition.

Each place has a group of edits, and is in the class of what it lies in: a line, a definition, an assertion.
Three classes are of their own: ``whole`` is one side of an equation as a whole, ``option`` is what narrows a
claim or a check, such as ``given=`` or ``at=``, and ``tighten`` asks more of a check than the page does.
What shows only how something looks, a seed, a caption or a reason is not edited.
"""

import ast
from dataclasses import dataclass

from .reach import imports

CLASSES = ("start", "line", "whole", "definition", "law", "argued", "equivalence", "route", "option",
           "erratum", "exercise", "figure", "assertion", "tighten", "helper")
ROUTES = ("agree", "enumeration", "quadrature", "mean_agrees", "frequencies_agree", "cdf_agrees")
HEADS = {
    "Definition": "definition", "Derivation": "start", "Argued": "argued", "argue": "argued", "Law": "law",
    "NormalLaw": "law", "Distributed": "law", "Equivalence": "equivalence",
    "Erratum": "erratum", "Exercise": "exercise", "check": "exercise", "solution": "exercise",
    "figure": "figure", "interactive": "figure", "plot": "figure", "fill_between": "figure", "step": "line",
    **dict.fromkeys(ROUTES, "route"),
}
CHECKED = ("Definition", "Derivation", "Argued", "Equivalence", "Distributed")
WHOLE = {"Definition": 2, "Argued": 2, "Derivation": 0, "step": 0, "argue": 0}  #: which argument is a side
# what narrows a claim or a check, and how closely a check looks
OPTIONS = {"at", "attained", "bound", "bounds", "domain", "effect", "given", "over", "relation", "where"}
TOLERANCES = {"atol", "bound", "effect", "rtol", "within"}
NAMES_EQUATION = ("of", "correct", "uses")
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
            if isinstance(value, ast.Call) and head(value) == "Equivalence":
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
    name = head(value)
    if name in SYMBOLS:
        return (f"{name.lower().rstrip('s')} {sorted(map(ast.unparse, value.keywords))}",)
    if name in ("Definition", "Argued"):
        return ("equation", f"applied to {len(getattr(value.args[1], 'elts', ()))}")
    return ("equation",) if name in CHECKED else (name,)


def _is_text(node):
    return isinstance(node, ast.JoinedStr) or isinstance(node, ast.Constant) and isinstance(node.value, str)


def head(call):
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
        self.is_figure = any(head(call) in ("figure", "panel") for call in calls)
        self.visit(tree)

    # -- where

    def span(self, node):
        return (self.lines[node.lineno - 1] + node.col_offset,
                self.lines[node.end_lineno - 1] + node.end_col_offset)

    def text(self, node):
        start, end = self.span(node)
        return self.source[start:end].decode()

    def place(self):
        option = False
        for node in reversed(self.stack):
            if isinstance(node, ast.Assert):
                return "assertion"
            option = option or isinstance(node, ast.keyword) and node.arg in OPTIONS
            if isinstance(node, ast.Call) and (place := HEADS.get(head(node))):
                receiver = getattr(getattr(node.func, "value", None), "id", None)
                chain = receiver in self.kinds.equivalences
                return "option" if option else "equivalence" if place == "line" and chain else place
        return "figure" if self.is_figure else "helper"

    def add(self, what, *changes, place=None):
        """A group: for each change the bytes from, the bytes to, and the new text."""
        if group := [Edit(self.number, place or self.place(), what, *change) for change in changes]:
            self.groups.append(group)

    def replace(self, what, node, *texts, place=None):
        self.add(what, *((*self.span(node), text) for text in texts), place=place)

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
        if isinstance(node, ast.keyword) and node.arg in TOLERANCES:
            self.replace("asks for more", node.value, f"({self.text(node.value)}) / 2", place="tighten")
        if isinstance(node, ast.Call) and head(node) in FREE_CALLS:
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
            if any(isinstance(n, ast.Assert) for n in self.stack):
                self._tighten(relation, right)
            left = right
        self.generic_visit(node)

    def _tighten(self, relation, bound):
        negative = isinstance(bound, ast.UnaryOp) and isinstance(bound.op, ast.USub)
        if isinstance(relation, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
            less = isinstance(relation, (ast.Lt, ast.LtE)) != negative
            closer = f"({self.text(bound)}) {'/' if less else '*'} 2"
            self.replace("asks for more", bound, closer, place="tighten")

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
        if head(node) not in COMMUTE and head(node) not in HEADS:
            for one, other in zip(positional, positional[1:]):
                if not any(isinstance(a, ast.Constant) and isinstance(a.value, str) for a in (one, other)):
                    self.exchange("arguments", one, other)
        if head(node) == "Exercise":
            self._answers(node)
        if not self.is_figure and (number := WHOLE.get(head(node), len(node.args))) < len(node.args):
            if not isinstance(side := node.args[number], ast.Tuple):
                wrong = (before + f"({self.text(side)})" for before in ("-", "2 * ", "1 / "))
                self.replace("side", side, *wrong, place="whole")
        for keyword in node.keywords:
            if keyword.arg == "given" and isinstance(keyword.value, ast.List):
                for dropped in keyword.value.elts:
                    rest = [self.text(e) for e in keyword.value.elts if e is not dropped]
                    self.replace("condition dropped", keyword.value, f"[{', '.join(rest)}]", place="option")
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
    known = set().union(*map(imports, trees))
    for name in [name for name, first in kinds.first.items() if first == 0 and name not in known]:
        del kinds.first[name], kinds.kinds[name]
    found = {place: [] for place in CLASSES}
    for number, (source, tree) in enumerate(zip(sources, trees), 1):
        for group in Finder(number, source, tree, kinds).groups:
            found[group[0].place].append(group)
    return found
