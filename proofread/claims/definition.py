"""Definitions: a name, its arguments and what it stands for, printed from what the checks unfold."""

import sympy as sp

from proofread.language.defined import Defined, DefinedClaim, Signature
from proofread.language.statement import Line, Statement
from proofread.language.typed import is_claim, unfold
from proofread.latex.printer import tex

from .base import Checked


class Definition(Checked):
    r"""A symbol of the page, displayed as a numbered definition and used like a function.

    Parameters
    ----------
    head : str
        TeX of the symbol.  ``#1``, ``#2``, … are replaced by the arguments, as in ``r"\pi_{#1}"``; without
        them the arguments follow in parentheses.  Each argument has to occur.
    parameters : tuple of symbols
        An argument for a matrix has its shape.
    body : expression or relation
        A relation defines a property, with :math:`:\iff` for :math:`:=`.
    label, title : str
    given : iterable of relations
        Conditions on the symbols, shown with the definition.
    rows : iterable of str
        Rows of the source inventory that the definition treats.

    Examples
    --------
    >>> from proofread import sympy as sp
    >>> from proofread.latex import tex
    >>> t, x = sp.symbols("t x", real=True)
    >>> sigma = Definition(r"\sigma", (t,), 1 / (1 + sp.exp(-t)), label="eq-sigma", title="sigmoid")
    >>> print(tex(1 - sigma(x)))
    1 - \sigma(x)
    >>> sigma(x).unfold()
    1/(1 + exp(-x))
    """

    def __init__(self, head, parameters, body, *, label, title, given=(), rows=()):
        plain, body = tuple(map(unfold, parameters)), sp.sympify(body)
        self.label, self.title, self.rows, self.given = label, title, tuple(rows), tuple(given)
        self.signature = Signature(head, plain, body, label)
        self.used = False
        shown = unfold(body)
        if missing := [p for p in plain if p not in shown.free_symbols]:
            raise ValueError(f"{head}: the body does not depend on {', '.join(map(str, missing))}")
        if clash := {b.label for b in shown.atoms(sp.IndexedBase)} & set(plain):
            raise ValueError(f"{head}: {clash} are parameters, and vectors in the body have the same names")
        if "#" in head and (lost := [n for n in range(1, len(plain) + 1) if f"#{n}" not in head]):
            raise ValueError(f"{head}: the arguments {lost} are not shown")
        self._shape = DefinedClaim if is_claim(shown) else Defined

    head = property(lambda self: self.signature.head)

    def __call__(self, *arguments):
        if len(arguments) != len(self.signature.parameters):
            count = len(self.signature.parameters)
            raise TypeError(f"{self.head} takes {count} arguments; got {len(arguments)}")
        arguments = [sp.sympify(a) for a in arguments]
        for parameter, argument in zip(self.signature.parameters, arguments):
            if _shape(unfold(argument)) != _shape(parameter):
                raise TypeError(f"{self.head}: {argument} has not the shape of {parameter}")
        self.used = True
        return self._shape(self.signature, *arguments)

    @property
    def body(self):
        """What the symbol stands for."""
        self.used = True
        return self.signature.body

    @property
    def statement(self):
        """The displayed line: head and body."""
        applied = self._shape(self.signature, *self.signature.parameters)
        relation = ":iff" if self._shape is DefinedClaim else ":="
        return Statement(applied, relation, self.signature.body, self.given)

    def lines(self):
        statement = self.statement
        return [Line(statement.left, statement.relation, statement.right)]

    def evidence(self):
        symbols = {tex(self.statement.left): self.title}
        return {"kind": "definition", "status": "definition", "symbols": symbols}


class Argued(Definition):
    r"""A claim that no computer algebra can check: displayed, argued, and then used.

    It is about a quantity that SymPy does not know, such as a probability.
    What is on the left is a name from here on, and what rests on it inherits that it was argued.

    Parameters
    ----------
    head, parameters, body, label, title, given, rows, uses
        As in `Definition` and `Derivation`.
    because : str
        The argument, with its hypothesis.

    Examples
    --------
    >>> from proofread import sympy as sp
    >>> t, r = sp.symbols("t r", positive=True)
    >>> silent = Argued(r"\Pr(T > #1)", (t,), sp.exp(-r * t), label="eq-silent", title="no event",
    ...                 because="$T$ is exponential with rate $r$")
    >>> silent.entry().status
    'argued'
    """

    def __init__(self, head, parameters, body, *, because, label, title, given=(), rows=(), uses=()):
        super().__init__(head, parameters, body, label=label, title=title, given=given, rows=rows)
        self.used = True  # it is a result in its own right
        self.uses = results(label, uses)
        if not because.strip():
            raise ValueError(f"{label}: an argued claim states its argument and hypothesis")
        self.because = because

    @property
    def statement(self):
        definition = super().statement
        return Statement(definition.left, "=", definition.right, self.given)

    def lines(self):
        statement = self.statement
        return [Line(statement.left, statement.relation, statement.right, self.because, argued=True)]

    def evidence(self):
        return {"kind": "argued", "status": "argued", "argued": 1, "findings": [f"argued: {self.because}"]}


def results(label, uses):
    """The labels of the results that the reasons of an equation make use of.

    A result of the same page is an object; one of another chapter is its label.
    """
    labels = []
    for other in uses:
        if isinstance(other, str):
            if not other.startswith("eq-"):
                raise ValueError(f"{label}: {other!r} is no label of an equation")
            labels.append(other)
            continue
        if isinstance(other, Definition) and not isinstance(other, Argued):
            raise ValueError(f"{label}: uses=[…] names results, and {other.label} is a definition; "
                             "what the formulas use of definitions is found in them")
        labels.append(other.label)
    return tuple(labels)


def _shape(expr):
    return expr.shape if expr.is_Matrix else ()
