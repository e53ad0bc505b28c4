"""Notation that SymPy lacks: expectations, divergences, sums that leave an index out, partial derivatives."""

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from .binders import Bracket, MaxOver, Unless  # noqa: F401 -- the reader finds all notation here
from .distributions import Draws, Law, NormalLaw
from .typed import Claim, Formula, refuse_capture, unfold


class Partial(Formula):
    r"""An undefined function's derivative by one of its arguments, printed :math:`\partial F/\partial f'`.

    Parameters
    ----------
    application : expression
        The function at its arguments, such as ``F(x, f(x), f(x).diff(x))``.
    argument : expression
        The argument by which it is differentiated, while the others stay.

    Examples
    --------
    >>> from proofread import sympy as sp
    >>> from proofread.latex import tex
    >>> x = sp.Symbol("x", real=True)
    >>> f, F = sp.Function("f", real=True), sp.Function("F", real=True)
    >>> slope = sp.Derivative(f(x), x)
    >>> print(tex(Partial(F(x, f(x), slope), slope)))
    \frac{\partial F}{\partial f'}
    >>> Partial(x * f(x) ** 2, f(x)).unfold()
    2*x*f(x)
    """

    def __new__(cls, application, argument):
        application, argument = sp.sympify(application), sp.sympify(argument)
        plain = unfold(application)
        if isinstance(plain, AppliedUndef) and unfold(argument) not in plain.args:
            raise ValueError(f"{argument} is not an argument of {application}")
        return sp.Expr.__new__(cls, application, argument)

    def unfold(self):
        application, argument = (unfold(a) for a in self.args)
        slot = sp.Dummy(real=True)
        if isinstance(application, AppliedUndef):
            # of two arguments that are equal, the one that is typed as the argument is
            position = self._position(application, argument)
            arguments = list(application.args)
            arguments[position] = slot
            return sp.Subs(sp.Derivative(application.func(*arguments), slot), slot, argument)
        return application.xreplace({argument: slot}).diff(slot).xreplace({slot: argument})

    def _position(self, application, argument):
        typed = self.args[0].args[-len(application.args):]
        return typed.index(self.args[1]) if self.args[1] in typed else application.args.index(argument)


class Without(Formula):
    r"""A sum or product that leaves one index out, printed :math:`\prod_{i\ne k}`.

    Examples
    --------
    >>> from proofread import sympy as sp
    >>> from proofread.latex import tex
    >>> z, n, i, k = sp.IndexedBase("z"), *sp.symbols("n i k", integer=True, positive=True)
    >>> print(tex(Without(sp.Sum(z[i], (i, 1, n)), k)))
    \sum_{i\neq k} z_{i}
    """

    def __new__(cls, ranged, index):
        return sp.Expr.__new__(cls, sp.sympify(ranged), sp.sympify(index))

    def unfold(self):
        ranged, left_out = (unfold(a) for a in self.args)
        neutral = 1 if isinstance(ranged, sp.Product) else 0
        # SymPy makes one sum of two; the last range is the outer one
        *inner, (index, low, high) = ranged.limits
        function = ranged.func(ranged.function, *inner) if inner else ranged.function
        return ranged.func(Unless(function, neutral, index, left_out), (index, low, high))


class Scalar(Formula):
    """The single entry of a matrix with one row and one column, such as ``v.T * A * v``."""

    def __new__(cls, matrix):
        matrix = sp.sympify(matrix)
        if getattr(unfold(matrix), "shape", None) != (1, 1):
            shape = getattr(matrix, "shape", ())
            raise ValueError(f"expected one row and one column; {matrix} has shape {shape}")
        return sp.Expr.__new__(cls, matrix)

    def unfold(self):
        return sp.Trace(unfold(self.args[0]))  # the entry itself SymPy would write out as a sum


class E(Formula):
    r"""The expectation of ``function`` under ``law``, printed :math:`\mathbb{E}_{z\sim q}[f(z)]`.

    Examples
    --------
    >>> from proofread import Law, sympy as sp
    >>> from proofread.latex import tex
    >>> k, n = sp.symbols("k n", integer=True, positive=True)
    >>> uniform = Law("u", k, 1 / n, 1, n)
    >>> print(tex(E(k, uniform)))
    \mathbb{E}_{k\sim u}[k]
    >>> print(E(k, uniform).doit().factor())
    (n + 1)/2
    """

    def __new__(cls, function, law):
        if not isinstance(law, (Law, Draws, NormalLaw)):
            raise TypeError(f"the second argument is a Law, Draws or a NormalLaw; got {law!r}")
        return sp.Expr.__new__(cls, sp.sympify(function), law)

    function = property(lambda self: self.args[0])
    law = property(lambda self: self.args[1])
    laws = property(lambda self: (self.args[1],))

    def unfold(self):
        refuse_capture(self.function, unfold(self.law.variable).free_symbols)
        return self._unfolded()

    def _unfolded(self):
        return self.law.expect(self.function)


class Var(E):
    r"""The variance of ``function`` under ``law``, printed :math:`\operatorname{Var}_{z\sim q}[f(z)]`."""

    def _unfolded(self):
        function = unfold(self.function)
        return self.law.expect(function**2) - self.law.expect(function) ** 2


class KL(Formula):
    r"""The Kullback–Leibler divergence of two laws, printed :math:`\mathrm{KL}(p\,\|\,q)`."""

    def __new__(cls, p, q):
        for law in (p, q):
            if not isinstance(law, (Law, Draws)):
                kind = type(law).__name__
                raise TypeError(f"{getattr(law, 'name', law)} is a {kind}, which has means and no density: "
                                "write the divergence as E(log p - log q)")
        return sp.Expr.__new__(cls, p, q)

    laws = property(lambda self: self.args)

    def unfold(self):
        p, q = self.args
        return p.divergence(q)


class HasLaw(Claim):
    """A variable, or a function of one, and its law; or several of them, as a tuple."""

    def __new__(cls, value, law):
        return Boolean.__new__(cls, sp.sympify(value), law)

    value = property(lambda self: self.args[0])
    law = property(lambda self: self.args[1])

    def unfold(self):
        named = sp.Symbol(f"distributed as {self.law.name}")
        if isinstance(self.value, sp.Tuple):
            places = sp.IndexedBase(named)
            return sp.And(*(sp.Eq(unfold(v), places[k]) for k, v in enumerate(self.value, 1)))
        return sp.Eq(unfold(self.value), named)
