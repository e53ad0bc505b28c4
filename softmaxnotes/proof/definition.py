"""Definitions: a name, its arguments and what it stands for, printed from the object that the checks unfold."""

import re

import sympy as sp

from . import ledger
from .notation import Notation, tex


class Definition(ledger.Checked):
    r"""A symbol of the page, displayed as a numbered definition and used like a SymPy function.

    Parameters
    ----------
    head : str
        TeX of the symbol.  ``#1``, ``#2``, … are replaced by the arguments, as in ``r"\pi_{#1}"``; without
        them the arguments follow in parentheses.
    parameters : tuple of sympy.Symbol
    body : sympy.Expr
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
        self.head, self.parameters, self.body = head, tuple(parameters), sp.sympify(body)
        self.label, self.title, self.rows = label, title, list(rows)
        extra = {s for s in self.parameters if s not in self.body.free_symbols}
        if extra:
            raise ValueError(f"{head}: the body does not depend on {extra}")

    def __call__(self, *arguments):
        if len(arguments) != len(self.parameters):
            raise TypeError(f"{self.head} takes {len(self.parameters)} arguments; got {len(arguments)}")
        ledger._unused.pop(self.label, None)
        return _Application(self, *map(sp.sympify, arguments))

    def _entry(self):
        return ledger.Entry("definition", "definition", "definition", self.label, title=self.title,
                            tex=self._statement(), how=["definition"], rows=self.rows)

    def _statement(self):
        return rf"{tex(_Application(self, *self.parameters))} := {tex(self.body)}"

    def _markdown(self):
        ledger._unused[self.label] = self
        return f"$$\n{self._statement()}\n$$ ({self.label})"


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
        # bound variables get names of their own, so that no argument is captured
        body = self.definition.body.as_dummy()
        return body.subs(dict(zip(self.definition.parameters, self.args[1:])), simultaneous=True)

    def _latex(self, printer, exp=None):
        arguments = [printer._print(a) for a in self.args[1:]]
        head = self.definition.head
        if "#" in head:
            text = re.sub(r"#(\d)", lambda m: arguments[int(m[1]) - 1], head)
        else:
            text = head + (rf"\left({', '.join(arguments)}\right)" if arguments else "")
        return text if exp is None else rf"{{{text}}}^{{{exp}}}"
