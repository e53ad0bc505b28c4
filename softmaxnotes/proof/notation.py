"""Notation that prints as the field writes it and unfolds to what it means.

A `Notation` is a SymPy expression with two faces: its TeX, and `unfold`, the plain expression that it
stands for.  Checks always look at the second; readers see the first.
"""

import sympy as sp
from sympy.printing.latex import LatexPrinter


class Notation(sp.Expr):
    """An expression that stands for another one: subclasses say how it prints and what it means."""

    is_commutative = True

    def unfold(self):
        raise NotImplementedError(type(self).__name__)

    @property
    def free_symbols(self):
        # without this, SymPy differentiates notation to zero
        return self.unfold().free_symbols

    def doit(self, **hints):
        return self.unfold().doit(**hints)

    def _eval_derivative(self, symbol):
        return self.unfold().diff(symbol)

    def _eval_subs(self, old, new):
        # what is replaced may be hidden in what the notation stands for
        return self.unfold()._subs(old, new)


def unfold(expr):
    """``expr`` with every `Notation` in it replaced by what it stands for."""
    expr = sp.sympify(expr)
    if isinstance(expr, Notation):
        return unfold(expr.unfold())
    arguments = [unfold(a) for a in expr.args]
    return expr if all(a is b for a, b in zip(arguments, expr.args)) else expr.func(*arguments)


class MaxOver(sp.Expr):
    r"""The maximum of ``function`` over an index range, printed :math:`\max_i`; made like ``Sum``.

    Examples
    --------
    >>> import sympy as sp
    >>> z, i, n = sp.IndexedBase("z", real=True), sp.Symbol("i", integer=True), sp.Symbol("n", integer=True)
    >>> print(tex(MaxOver(z[i], (i, 1, n))))
    \max_{i} z_{i}
    """

    def __new__(cls, function, *limits):
        return sp.Expr.__new__(cls, sp.sympify(function), *(sp.Tuple(*limit) for limit in limits))

    function = property(lambda self: self.args[0])
    limits = property(lambda self: self.args[1:])
    bound_symbols = property(lambda self: [limit[0] for limit in self.limits])
    is_commutative = True
    is_real = property(lambda self: self.function.is_real)

    @property
    def free_symbols(self):
        bounds = set().union(*(b.free_symbols for limit in self.limits for b in limit[1:]))
        return (self.function.free_symbols - set(self.bound_symbols)) | bounds

    def _latex(self, printer):
        inner = printer._print(self.function)
        if self.function.is_Add:
            inner = rf"\left({inner}\right)"
        return rf"\max_{{{', '.join(printer._print(s) for s in self.bound_symbols)}}} {inner}"


class Law:
    r"""A probability law for `E`, `Var` and `KL`: a variable, its mass or density, and its range.

    Parameters
    ----------
    name : str
        TeX of the law, as in :math:`\mathbb E_{k\sim\pi}`.
    variable : sympy.Symbol
        An integer symbol makes a mass function that is summed, any other a density that is integrated.
    weight : sympy.Expr
        The mass or density as a function of ``variable``.
    low, high : sympy.Expr
        The range, ends included.
    """

    def __init__(self, name, variable, weight, low, high):
        self.name, self.variable, self.weight = name, variable, sp.sympify(weight)
        self.low, self.high = sp.sympify(low), sp.sympify(high)

    def total(self, function):
        """The sum or integral of ``function`` over the range."""
        kind = sp.Sum if self.variable.is_integer else sp.Integral
        return kind(function, (self.variable, self.low, self.high))


class _OverLaw(Notation):
    """Notation that reads its laws from non-symbolic attributes; equality goes by what it unfolds to."""

    def __new__(cls, function, *laws):
        function = sp.sympify(function)
        self = sp.Expr.__new__(cls, function, *(law.total(law.weight) for law in laws),
                               *(sp.Symbol(law.name) for law in laws))
        self.function, self.laws = function, laws
        return self


class E(_OverLaw):
    r"""The expectation of ``function`` under ``law``, printed :math:`\mathbb{E}_{z\sim q}[f(z)]`.

    Examples
    --------
    >>> import sympy as sp
    >>> k, n = sp.symbols("k n", integer=True, positive=True)
    >>> uniform = Law("u", k, 1 / n, 1, n)
    >>> print(tex(E(k, uniform)))
    \mathbb{E}_{k\sim u}\left[k\right]
    >>> print(E(k, uniform).doit().factor())
    (n + 1)/2
    """

    def unfold(self):
        law = self.laws[0]
        return law.total(law.weight * self.function)

    def _latex(self, printer):
        law = self.laws[0]
        return (rf"\mathbb{{E}}_{{{printer._print(law.variable)}\sim {law.name}}}"
                rf"\left[{printer._print(self.function)}\right]")


class Var(E):
    r"""The variance of ``function`` under ``law``, printed :math:`\operatorname{Var}_{z\sim q}[f(z)]`."""

    def unfold(self):
        law = self.laws[0]
        mean = law.total(law.weight * self.function)
        return law.total(law.weight * self.function**2) - mean**2

    def _latex(self, printer):
        return super()._latex(printer).replace(r"\mathbb{E}", r"\operatorname{Var}", 1)


class _KL(_OverLaw):
    def unfold(self):
        p, q = self.laws
        return p.total(p.weight * (sp.log(p.weight) - sp.log(q.weight.subs(q.variable, p.variable))))

    def _latex(self, printer):
        p, q = self.laws
        return rf"\mathrm{{KL}}\left({p.name}\,\middle\|\,{q.name}\right)"


def KL(p, q):
    r"""The Kullback–Leibler divergence of two laws, printed :math:`\mathrm{KL}(p\,\|\,q)`."""
    return _KL(0, p, q)


def fraction(numerator, denominator):
    """A fraction that prints as it is given: SymPy does not cancel or reorder it.

    Examples
    --------
    >>> import sympy as sp
    >>> x, c = sp.symbols("x c")
    >>> print(tex(fraction(c * x, c)))
    \\frac{c x}{c}
    """
    return sp.Mul(numerator, sp.Pow(denominator, -1, evaluate=False), evaluate=False)


class _Printer(LatexPrinter):
    """LaTeX as this book writes it: ``z_{i}`` for entries, and sums in the order in which they were typed."""

    def _print_Indexed(self, expr):
        indices = ",".join(self._print(i) for i in expr.indices)
        return f"{self._print(expr.base)}_{{{indices}}}"

    def _as_ordered_terms(self, expr, order=None):
        if sp.Add(*expr.args).args != expr.args:  # built with evaluate=False: keep the typed order
            return list(expr.args)
        terms = super()._as_ordered_terms(expr, order)
        polynomial = not expr.has(sp.Function, sp.Sum, sp.Pow(sp.E, sp.Wild("w")))
        # z - c, not -c + z; 1 + sum and z + log(...), not the other way round
        return sorted(terms, key=lambda t: (t.could_extract_minus_sign(), not polynomial and not t.is_number,
                                            not polynomial and t.has(sp.Function, sp.Sum)))

    def _print_Mul(self, expr):
        typed = sp.Mul(*expr.args).args != expr.args
        if typed and len(expr.args) == 2 and isinstance(expr.args[1], sp.Pow) and expr.args[1].exp == -1:  # `fraction`
            return rf"\frac{{{self._print(expr.args[0])}}}{{{self._print(expr.args[1].base)}}}"
        return super()._print_Mul(expr)

    def _print_log(self, expr, exp=None):
        power = "" if exp is None else f"^{{{exp}}}"
        return rf"\log{power}\left({self._print(expr.args[0])}\right)"


def tex(expr):
    """The TeX of an expression in the book's style.

    Examples
    --------
    >>> import sympy as sp
    >>> print(tex(sp.log(sp.IndexedBase("z")[1])))
    \\log\\left(z_{1}\\right)
    """
    return _Printer().doprint(expr).replace(r" \right", r"\right")
