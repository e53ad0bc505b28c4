"""SymPy's names, for formulas that stay as they are typed.

A chapter writes ``from proofread.language import sympy as sp`` and goes on as if that were SymPy:
``sp.Symbol``, ``sp.exp``, ``sp.Sum``.  What it builds prints in the order and form in which it was typed.
What computes, ``sp.solve``, ``sp.integrate`` or ``sp.simplify``, is SymPy's own, and gives plain expressions.

Examples
--------
>>> from proofread import sympy as sp
>>> from proofread.latex import tex
>>> x, c = sp.symbols("x c", real=True)
>>> print(tex(sp.exp(x) * sp.exp(-c)))
e^{x} e^{-c}
>>> sp.integrate(x + x, (x, 0, 1))
1
"""

from functools import wraps

import sympy as _sp

from . import binders as _nodes
from .typed import (  # noqa: F401  names of SymPy, for chapters
    Abs,
    Applied,
    AtLeast,
    AtMost,
    Formula,
    Function,
    Greater,
    Inverse,
    Less,
    Name,
    Related,
    Transpose,
    unfold,
    written,
)

_FUNCTIONS = ("exp", "log", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan",
              "sign", "floor", "ceiling", "gamma", "loggamma", "digamma", "beta", "binomial", "factorial",
              "erf", "erfc", "Max", "Min", "Heaviside", "KroneckerDelta", "Sum", "Product", "Integral",
              "Derivative", "Limit", "Subs", "Trace", "Determinant", "Identity", "ZeroMatrix", "DiagMatrix",
              "LambertW", "zeta", "Piecewise")
_RELATIONS = {"Eq": _sp.Equality, "Ne": _sp.Unequality, "And": _sp.And, "Or": _sp.Or, "Not": _sp.Not,
              "Implies": _sp.Implies}

for _name in _FUNCTIONS:
    globals()[_name] = written(getattr(_sp, _name), name=_name)
    globals()[_name].__module__ = __name__
for _name, _head in _RELATIONS.items():
    globals()[_name] = written(_head, base=Related, name=_name)
    globals()[_name].__module__ = __name__
Lt, Gt, Le, Ge = Less, Greater, AtMost, AtLeast
MaxOver = written(_nodes.MaxOver)
MaxOver.__module__ = __name__
Bracket = written(_nodes.Bracket)
Bracket.__module__ = __name__

pi, E, EulerGamma, I = (Name(constant) for constant in (_sp.pi, _sp.E, _sp.EulerGamma, _sp.I))
oo, S, Rational, Integer, Float, Tuple = _sp.oo, _sp.S, _sp.Rational, _sp.Integer, _sp.Float, _sp.Tuple


def Symbol(name, **assumptions):
    """A symbol, as in SymPy."""
    return Name(_sp.Symbol(name, **assumptions))


def symbols(names, **assumptions):
    """Several symbols, as in SymPy."""
    made = _sp.symbols(names, **assumptions)
    return type(made)(map(Name, made)) if isinstance(made, (tuple, list)) else Name(made)


def IndexedBase(name, **assumptions):
    """A vector of which the entries are written ``z[k]``, as in SymPy."""
    return Name(_sp.IndexedBase(name, **assumptions))


def MatrixSymbol(name, rows, columns):
    """A matrix, as in SymPy."""
    return Name(_sp.MatrixSymbol(name, unfold(rows), unfold(columns)))


def Lambda(variables, expr):
    """SymPy's ``Lambda`` of plain expressions."""
    return _sp.Lambda(unfold(variables), unfold(expr))


class _Predicates:
    """What is known of a matrix, as in SymPy: ``Q.positive_definite(A)``."""

    def __getattr__(self, name):
        return lambda *arguments: getattr(_sp.Q, name)(*map(unfold, arguments))


Q = _Predicates()


def _plain(value):
    if isinstance(value, dict):
        return {_plain(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, set)) and not isinstance(value, _sp.Basic):
        return type(value)(map(_plain, value))
    return unfold(value) if isinstance(value, _sp.Basic) else value


def __getattr__(name):
    """All other names are SymPy's; its functions are given plain expressions."""
    found = getattr(_sp, name)
    if isinstance(found, type) or not callable(found):
        return found

    @wraps(found)
    def computed(*arguments, **options):
        return found(*_plain(arguments), **{k: _plain(v) for k, v in options.items()})

    return computed
