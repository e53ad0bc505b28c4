"""Definitions: a name, its arguments and what it stands for, printed from the object that the checks unfold."""

import re

import sympy as sp
from sympy.logic.boolalg import Boolean

from . import ledger
from .notation import MatrixE, Notation, tex, unfold


class Definition(ledger.Checked):
    r"""A symbol of the page, displayed as a numbered definition and used like a SymPy function.

    Parameters
    ----------
    head : str
        TeX of the symbol.  ``#1``, ``#2``, … are replaced by the arguments, as in ``r"\pi_{#1}"``; without
        them the arguments follow in parentheses.
    parameters : tuple of sympy.Symbol or sympy.MatrixSymbol
        An argument for a matrix has its shape.
    body : sympy.Expr or sympy relation
        A relation defines a property, with :math:`:\iff` for :math:`:=`.
    label, title : str
    rows : iterable of str
        Rows of the source inventory that the definition treats.

    Examples
    --------
    >>> import sympy as sp
    >>> t, x = sp.symbols("t x", real=True)
    >>> sigma = Definition(r"\sigma", (t,), 1 / (1 + sp.exp(-t)), label="eq-sigma", title="sigmoid")
    >>> print(tex(1 - sigma(x)))
    1 - \sigma\left(x\right)
    >>> sigma(x).unfold()
    1/(1 + exp(-x))
    """

    def __init__(self, head, parameters, body, *, label, title, rows=()):
        self.head, self.parameters, self._stated = head, tuple(parameters), sp.sympify(body)
        self.label, self.title, self.rows = label, title, list(rows)
        self.used = False
        self._body = _with_own_names(unfold(self._stated))
        extra = {s for s in self.parameters if s not in self._stated.free_symbols}
        if extra:
            raise ValueError(f"{head}: the body does not depend on {extra}")
        if clash := {b.label for b in self._stated.atoms(sp.IndexedBase)} & set(self.parameters):
            raise ValueError(f"{head}: {clash} are parameters, and vectors in the body have the same names")

    def __call__(self, *arguments):
        if len(arguments) != len(self.parameters):
            raise TypeError(f"{self.head} takes {len(self.parameters)} arguments; got {len(arguments)}")
        arguments = [sp.sympify(a) for a in arguments]
        for parameter, argument in zip(self.parameters, arguments):
            if _shape(argument) != _shape(parameter):
                raise TypeError(f"{self.head}: {argument} has not the shape of {parameter}")
        self._use()
        return _Application(self, *arguments)

    @property
    def body(self):
        """What the symbol stands for."""
        self._use()
        mark(_Application(self, *self.parameters))  # no check can see where it goes from here
        return self._stated

    def _use(self):
        self.used = True
        ledger._unused.pop(self.label, None)

    def _entry(self):
        return ledger.Entry("definition", "definition", "definition", self.label, title=self.title,
                            tex=self._statement(), how=["definition"], rows=self.rows)

    def _statement(self):
        sign = r":\iff" if isinstance(self._stated, Boolean) else ":="
        return rf"{tex(_Application(self, *self.parameters))} {sign} {tex(self._stated)}"

    def _markdown(self):
        if not self.used:
            ledger._unused[self.label] = self
        return f"$$\n{self._statement()}\n$$ ({self.label})"


def _with_own_names(expr):
    """``expr`` with a variable of its own for each bound one, so that no argument is captured."""
    if not expr.args:
        return expr
    expr = expr.func(*(_with_own_names(a) for a in expr.args))
    bound = expr.args[1:2] if isinstance(expr, sp.Limit) else getattr(expr, "bound_symbols", ())
    return expr.xreplace({s: s.as_dummy() if s.is_Symbol else _aside(s) for s in bound})


def mark(*exprs):
    """Remember that a check rests on the definitions in some expressions, and on those in their bodies."""
    for expr in exprs:
        if isinstance(expr, _Application):
            ledger._checked.add(expr.definition.label)
            mark(expr.definition._stated)
        elif isinstance(expr, (Notation, MatrixE)):
            mark(expr.unfold())
        mark(*expr.args)


def _shape(expr):
    return expr.shape if expr.is_Matrix else ()


def _aside(matrix):
    """A matrix of the same shape with a name of its own."""
    return sp.MatrixSymbol(sp.Dummy().name, *matrix.shape)


class _Application(Notation):
    """A defined symbol with its arguments."""

    def __new__(cls, definition, *arguments):
        self = sp.Expr.__new__(cls, sp.Symbol(definition.label), *arguments)
        self.definition = definition
        return self

    @property
    def func(self):
        # so that SymPy's traversals, which rebuild nodes as func(*args), keep the definition
        return lambda _, *arguments: _Application(self.definition, *arguments)

    def unfold(self):
        values = dict(zip(self.definition.parameters, self.args[1:]))
        # SymPy has no simultaneous substitution for matrices: they are put aside under names of their own
        aside = {m: _aside(m) for m in values if isinstance(m, sp.MatrixSymbol)}
        scalars = {s: value for s, value in values.items() if s not in aside}
        body = self.definition._body.xreplace(aside).subs(scalars, simultaneous=True)
        return body.xreplace({own: values[m] for m, own in aside.items()})

    def _eval_subs(self, old, new):
        hidden = self.definition._stated.free_symbols - set(self.definition.parameters)
        return self.unfold()._subs(old, new) if old.free_symbols & hidden else None

    def _latex(self, printer, exp=None):
        arguments = [printer._print(a) for a in self.args[1:]]
        head = self.definition.head
        if "#" in head:
            text = re.sub(r"#(\d)", lambda m: arguments[int(m[1]) - 1], head)
        else:
            text = head + (rf"\left({', '.join(arguments)}\right)" if arguments else "")
        return text if exp is None else rf"{{{text}}}^{{{exp}}}"
