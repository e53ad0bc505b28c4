r"""Calculus of variations: the functional derivative.

A functional takes a function to a number. Ours are integrals,

.. math:: J[f] = \int_a^b F(x, f(x), f'(x), f''(x), \dots)\, dx,

and everything here is computed from the integrand :math:`F` as an expression of
SymPy, in which ``f`` is an applied undefined function::

    x, f = sympy.Symbol("x"), sympy.Function("f")(sympy.Symbol("x"))

`functional_derivative` and `euler_lagrange` tell where :math:`J` is stationary; what it
is on a grid, and where it is least there, `softmaxnotes.tools.discretised` tells.
"""

import sympy as sp
from sympy.core.function import AppliedUndef

__all__ = ["euler_lagrange", "functional_derivative"]


def functional_derivative(integrand, f, x):
    r"""Functional derivative of an integral with respect to a function.

    .. math:: \frac{\delta J}{\delta f}
              = \sum_k (-1)^k \frac{d^k}{dx^k} \frac{\partial F}{\partial f^{(k)}},
              \qquad J[f] = \int F(x, f, f', f'', \dots)\, dx

    It is what the change of :math:`J` in a direction :math:`\eta` is integrated
    against, where :math:`\eta` vanishes near the ends:
    :math:`\frac{d}{d\varepsilon} J[f + \varepsilon\eta]\big|_0
    = \int \frac{\delta J}{\delta f}\, \eta\, dx`.

    Parameters
    ----------
    integrand : sympy.Expr
        :math:`F`, with derivatives of `f` of any order. It may hold parameters
        and other functions, which are kept fixed.
    f : applied undefined function
        The argument of the functional, ``f(x)``.
    x : sympy.Symbol
        The variable of integration.

    Returns
    -------
    sympy.Expr
        Not simplified. Without derivatives of `f` in the integrand it is the
        algebraic :math:`\partial F / \partial f`; without `f` it is 0.

    Raises
    ------
    TypeError
        `integrand` isn't an expression; `x` isn't a symbol.
    ValueError
        `f` isn't an undefined function of `x` alone; the integrand has `f` at
        another place than `x`, under an operator that binds `x` (an integral, as
        when :math:`J` is given for :math:`F`), or a derivative of symbolic order.

    Notes
    -----
    Derivatives are SymPy's. In particular ``abs`` has the derivative ``sign`` only
    for a real function: ``Function("f", real=True)``.

    Implements: eq-functional-derivative

    References
    ----------
    I. M. Gelfand and S. V. Fomin, "Calculus of Variations", Prentice-Hall (1963),
    sections 4 and 11.

    Examples
    --------
    >>> x = sp.Symbol("x")
    >>> f = sp.Function("f")(x)
    >>> functional_derivative(f.diff(x) ** 2 / 2 + x * f, f, x)
    x - Derivative(f(x), (x, 2))
    >>> functional_derivative(f * sp.log(f), f, x)
    log(f(x)) + 1
    """
    integrand, jet = jet_of(integrand, f, x)
    order = len(jet) - 1
    jet += sp.symbols(f"f:{order}", cls=sp.Dummy)

    def total_derivative(g):
        return g.diff(x) + sum(up * g.diff(u) for u, up in zip(jet, jet[1:]))

    result = sp.S.Zero
    for k in reversed(range(order + 1)):  # Horner's rule in -d/dx
        result = integrand.diff(jet[k]) - total_derivative(result)
    return result.subs([(u, f.diff((x, k))) for k, u in enumerate(jet)])


def euler_lagrange(integrand, f, x):
    r"""Euler-Lagrange equation of a functional.

    .. math:: \frac{\partial F}{\partial f} - \frac{d}{dx} \frac{\partial F}{\partial f'}
              + \frac{d^2}{dx^2} \frac{\partial F}{\partial f''} - \dots = 0

    Every minimiser among the functions with given values at the ends (and given
    derivatives there, up to one order less than those in :math:`F`) satisfies it,
    if it is smooth enough.

    Parameters
    ----------
    integrand, f, x
        As for `functional_derivative`, which raises the same errors.

    Returns
    -------
    sympy.Eq
        Always an equation, with the functional derivative on the left. It isn't
        evaluated: where every function is stationary it reads ``Eq(0, 0)``, and
        where none is, say ``Eq(1, 0)``. ``doit()`` makes these true and false.

    Notes
    -----
    Implements: eq-euler-lagrange

    Examples
    --------
    >>> x = sp.Symbol("x")
    >>> f = sp.Function("f")(x)
    >>> equation = euler_lagrange(f.diff(x) ** 2 + f**2, f, x)
    >>> equation
    Eq(2*f(x) - 2*Derivative(f(x), (x, 2)), 0)
    >>> sp.dsolve(equation, f)
    Eq(f(x), C1*exp(-x) + C2*exp(x))
    >>> euler_lagrange(f * f.diff(x), f, x)
    Eq(0, 0)
    """
    return sp.Eq(functional_derivative(integrand, f, x), 0, evaluate=False)


def jet_of(integrand, f, x, *, real=None):
    """The integrand with symbols for f, f', f'', … (two at least), and these symbols."""
    try:
        integrand = sp.sympify(integrand, strict=True)
    except sp.SympifyError:
        pass
    if not isinstance(integrand, sp.Expr) or integrand.is_Matrix:
        raise TypeError(f"expected an expression of SymPy, got {integrand!r}")
    if not isinstance(x, sp.Symbol):
        raise TypeError(f"expected a symbol x, got {x!r}")
    if not isinstance(f, AppliedUndef) or f.args != (x,):
        raise ValueError(f"expected an undefined function of {x} alone, as f({x}), got {f!r}")

    def to_expand(part):
        return isinstance(part, sp.Derivative) and part.has(f.func) and part.expr != f

    integrand = integrand.replace(to_expand, lambda part: part.doit(deep=False))
    order = 1
    for part in sp.preorder_traversal(integrand):
        if isinstance(part, sp.Derivative) and part.expr == f:
            if not sp.sympify(part.derivative_count).is_Integer:
                raise ValueError(f"expected derivatives of a known order, got {part}")
            order = max(order, int(part.derivative_count))
        elif isinstance(part, AppliedUndef) and part.func == f.func and part != f:
            raise ValueError(f"expected {f} at {x} only, got {part}")
        elif part.has(f) and _binds(part, x):
            raise ValueError(f"expected an integrand, with {f} under nothing that binds {x}, got {part}")
    real = real or f.is_real or None
    jet = [sp.Dummy(f"{f.name}{k}", real=real) for k in range(order + 1)]
    return integrand.xreplace({f.diff((x, k)): u for k, u in enumerate(jet)}), jet


def _binds(part, x):
    if isinstance(part, sp.Derivative):
        return x in [variable for variable, _ in part.variable_count]
    return x in getattr(part, "variables", ()) or x not in part.free_symbols
