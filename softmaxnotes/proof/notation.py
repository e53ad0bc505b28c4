"""Notation that prints as the field writes it and unfolds to what it means.

A `Notation` is a SymPy expression with two faces: its TeX, and `unfold`, the plain expression that it
stands for.  Checks always look at the second; readers see the first.
"""

import re

import sympy as sp
from sympy.core.function import AppliedUndef
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
    if isinstance(expr, (Notation, MatrixE)):
        return unfold(expr.unfold())
    arguments = [unfold(a) for a in expr.args]
    return expr if all(a is b for a, b in zip(arguments, expr.args)) else expr.func(*arguments)


class _Ranged(sp.Expr):
    """A node that binds a variable, made like ``Sum``: the function and its limits."""

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


class MaxOver(_Ranged):
    r"""The maximum of ``function`` over an index range, printed :math:`\max_i`; made like ``Sum``.

    Examples
    --------
    >>> import sympy as sp
    >>> z, i, n = sp.IndexedBase("z", real=True), sp.Symbol("i", integer=True), sp.Symbol("n", integer=True)
    >>> print(tex(MaxOver(z[i], (i, 1, n))))
    \max_{i} z_{i}
    """

    def _latex(self, printer):
        inner = printer._print(self.function)
        if self.function.is_Add:
            inner = rf"\left({inner}\right)"
        return rf"\max_{{{', '.join(printer._print(s) for s in self.bound_symbols)}}} {inner}"


class Bracket(_Ranged):
    r"""What a function gains between two ends, printed :math:`[F(x)]_{a}^{b}`; at an infinite end, its limit.

    Examples
    --------
    >>> import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> rise = Bracket(sp.exp(-x), (x, 0, sp.oo))
    >>> print(tex(rise), "is", rise.doit())
    \left[e^{- x}\right]_{x=0}^{\infty} is -1
    """

    def doit(self, **hints):
        (variable, low, high), = self.limits

        def at(end, direction):
            if end.is_infinite:
                return sp.limit(self.function.doit(**hints), variable, end, direction)
            return self.function.subs(variable, end).doit(**hints)

        return at(high, "-") - at(low, "+")

    def _eval_derivative(self, symbol):
        return self.doit().diff(symbol)

    def _latex(self, printer):
        (variable, low, high), = self.limits
        return (rf"\left[{printer._print(self.function)}\right]"
                rf"_{{{printer._print(variable)}={printer._print(low)}}}^{{{printer._print(high)}}}")


class Partial(Notation):
    r"""The derivative of an undefined function by one of its arguments, printed :math:`\partial F/\partial f'`.

    Parameters
    ----------
    application : sympy.Expr
        The function at its arguments, such as ``F(x, f(x), f(x).diff(x))``.
    argument : sympy.Expr
        The argument by which it is differentiated, while the others stay.

    Examples
    --------
    >>> import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> f, F = sp.Function("f", real=True), sp.Function("F", real=True)
    >>> print(tex(Partial(F(x, f(x), f(x).diff(x)), f(x).diff(x))))
    \frac{\partial F}{\partial f'}
    >>> Partial(x * f(x) ** 2, f(x)).unfold()
    2*x*f(x)
    """

    def __new__(cls, application, argument):
        application, argument = sp.sympify(application), sp.sympify(argument)
        if isinstance(application, AppliedUndef) and argument not in application.args:
            raise ValueError(f"{argument} is not an argument of {application}")
        return sp.Expr.__new__(cls, application, argument)

    def unfold(self):
        application, argument = (unfold(a) for a in self.args)
        slot = sp.Dummy(real=True)
        if isinstance(application, AppliedUndef):
            position = self.args[0].args.index(self.args[1])
            arguments = list(application.args)
            arguments[position] = slot
            return sp.Subs(sp.Derivative(application.func(*arguments), slot), slot, argument)
        return application.xreplace({argument: slot}).diff(slot).xreplace({slot: argument})

    def _latex(self, printer):
        # as everybody writes it: the names, without their arguments
        name, by = (re.sub(r"\{?(\\left)?\(.*\)\}?$", "", printer._print(a)) for a in self.args)
        if not isinstance(self.args[0], AppliedUndef):
            return rf"\frac{{\partial}}{{\partial {by}}} \left[{printer._print(self.args[0])}\right]"
        return rf"\frac{{\partial {name}}}{{\partial {by}}}"


class Unless(sp.Expr):
    """``function``, but ``neutral`` where ``index`` is ``left_out``: what a term of `Without` means.

    No ``Piecewise``, for SymPy folds one that holds the variable of an integral (or of an outer sum) out of the
    range inside that binds ``index``; and no factor ``1 - KroneckerDelta``, for ``function`` need not have a value
    where it is left out.
    """

    is_commutative = True
    is_real = property(lambda self: self.args[0].is_real)

    def __new__(cls, function, neutral, index, left_out):
        function, neutral, index, left_out = map(sp.sympify, (function, neutral, index, left_out))
        same = (index - left_out).is_zero
        if same is not None:
            return neutral if same else function
        return sp.Expr.__new__(cls, function, neutral, index, left_out)

    def _eval_derivative(self, symbol):
        function, _, index, left_out = self.args
        return Unless(function.diff(symbol), 0, index, left_out)


class Without(Notation):
    r"""A sum or product that leaves one index out, printed :math:`\prod_{i\ne k}`.

    Examples
    --------
    >>> import sympy as sp
    >>> z, n, i, k = sp.IndexedBase("z"), *sp.symbols("n i k", integer=True, positive=True)
    >>> print(tex(Without(sp.Sum(z[i], (i, 1, n)), k)))
    \sum_{i\neq k} z_{i}
    """

    def __new__(cls, ranged, index):
        return sp.Expr.__new__(cls, ranged, sp.sympify(index))

    def unfold(self):
        ranged, left_out = self.args
        neutral = 1 if isinstance(ranged, sp.Product) else 0
        (index, low, high), = ranged.limits
        return ranged.func(Unless(ranged.function, neutral, index, left_out), (index, low, high))

    def _latex(self, printer):
        ranged, left_out = self.args
        inner = printer._print(ranged.function)
        if ranged.function.is_Add:
            inner = rf"\left({inner}\right)"
        sign = r"\prod" if isinstance(ranged, sp.Product) else r"\sum"
        return rf"{sign}_{{{printer._print(ranged.limits[0][0])}\neq {printer._print(left_out)}}} {inner}"


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

    def expect(self, function):
        """The expectation of ``function``, written out."""
        return self.total(self.weight * function)


class NormalMean(sp.Expr):
    r"""The mean of a scalar function of a normal random vector: function, vector, mean, covariance.

    The function must be a polynomial of degree 3 at most in the entries of the vector.
    """

    is_commutative = True
    is_real = True
    bound_symbols = property(lambda self: [self.args[1]])

    @property
    def free_symbols(self):
        return set().union(*(a.free_symbols for a in (self.args[0], *self.args[2:]))) - {self.args[1]}

    def doit(self, **hints):
        return self


class NormalMatrixMean(sp.MatrixExpr):
    """The same for a matrix, entry by entry."""

    shape = property(lambda self: self.args[0].shape)
    bound_symbols = NormalMean.bound_symbols
    free_symbols = NormalMean.free_symbols

    def doit(self, **hints):
        return self


class MatrixE(sp.MatrixExpr):
    r"""The expectation of a matrix, entry by entry."""

    def __new__(cls, function, law):
        self = sp.MatrixExpr.__new__(cls, function, sp.Symbol(law.name), law.mean, law.covariance)
        self.law = law
        return self

    @property
    def func(self):
        return lambda function, *_: MatrixE(function, self.law)

    shape = property(lambda self: self.args[0].shape)

    def unfold(self):
        return self.law.expect(self.args[0])

    def _latex(self, printer):
        return E._latex(self, printer)

    function = property(lambda self: self.args[0])
    laws = property(lambda self: (self.law,))


class NormalLaw:
    r"""The law of a normal random vector, for `E`.

    Parameters
    ----------
    name : str
        TeX of the law.
    variable, mean, covariance : sympy.MatrixExpr
        The vector (a ``MatrixSymbol`` of one column), its mean and its covariance matrix.
    """

    def __init__(self, name, variable, mean, covariance):
        self.name, self.variable, self.mean, self.covariance = name, variable, mean, covariance

    def expect(self, function):
        """The mean of a scalar or a matrix whose entries are polynomials in the vector."""
        kind = NormalMatrixMean if isinstance(function, sp.MatrixExpr) else NormalMean
        return kind(function, self.variable, self.mean, self.covariance)

    def total(self, function):
        return self.expect(function)

    weight = sp.S.One


class Scalar(Notation):
    """The single entry of a matrix with one row and one column, such as ``v.T * A * v``."""

    def __new__(cls, matrix):
        if matrix.shape != (1, 1):
            raise ValueError(f"expected one row and one column; {matrix} has shape {matrix.shape}")
        return sp.Expr.__new__(cls, matrix)

    def unfold(self):
        return sp.Trace(self.args[0])  # the entry itself SymPy would write out as a sum

    def _latex(self, printer):
        return printer._print(self.args[0])


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
        return self.laws[0].expect(self.function)

    def _latex(self, printer):
        law = self.laws[0]
        return (rf"\mathbb{{E}}_{{{printer._print(law.variable)}\sim {law.name}}}"
                rf"\left[{printer._print(self.function)}\right]")


class Var(E):
    r"""The variance of ``function`` under ``law``, printed :math:`\operatorname{Var}_{z\sim q}[f(z)]`."""

    def unfold(self):
        law = self.laws[0]
        return law.expect(self.function**2) - law.expect(self.function) ** 2

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
    for law in (p, q):
        if isinstance(law, NormalLaw):
            raise TypeError(f"{law.name} is a NormalLaw, which has means and no density: write the divergence as E(log p - log q)")
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

    def _print_Symbol(self, expr, **options):
        return r"\varepsilon" if expr.name == "epsilon" else super()._print_Symbol(expr, **options)

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

    def _print_Derivative(self, expr):
        (variable, order), *more = expr.variable_count
        of_one = isinstance(expr.expr, AppliedUndef) and expr.expr.args == (variable,)
        named = hasattr(expr.expr, "definition") and expr.expr.args[-1] == variable
        if (of_one or named) and not more and order in (1, 2):
            if parts := re.fullmatch(r"(.*?)(\{?\\left\(|\()(.*)", self._print(expr.expr)):
                name, bracket, arguments = parts.groups()
                return name + int(order) * "'" + bracket + arguments  # f'(x)
        return super()._print_Derivative(expr)

    def _print_Transpose(self, expr):
        return f"{self.parenthesize(expr.arg, 100)}^{{\\top}}"

    def _print_MatAdd(self, expr):
        terms = sorted(expr.args, key=lambda t: t.could_extract_minus_sign())  # x - m, not -m + x
        return "".join(f" {self._print(t)}" if i == 0 or self._print(t).lstrip().startswith("-") else
                       f" + {self._print(t)}" for i, t in enumerate(terms)).strip()

    def _print_MatMul(self, expr):
        # SymPy transposes a sum term by term; (x - m)^T is how it is read
        sums = [a for a in expr.args if isinstance(a, sp.MatAdd) and all(t.has(sp.Transpose) for t in a.args)]
        names = {a: sp.MatrixSymbol(rf"{{\left({self._print(a.T.doit())}\right)^{{\top}}}}", *a.shape) for a in sums}
        return super()._print_MatMul(expr.xreplace(names)) if names else super()._print_MatMul(expr)

    def _print_Identity(self, expr):
        return rf"I_{{{self._print(expr.shape[0])}}}"

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
