r"""Functionals on a grid: their values, gradients and Hessians, and their minimisers.

`discretise` makes a functional, as in `softmaxnotes.tools.variations`, a function of finitely many
numbers, with its exact gradient and Hessian, and `discretised_minimiser` descends.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy.linalg
import sympy as sp
from sympy.core.function import AppliedUndef

from ..arguments import as_real, check_finite, read_count, read_number
from .variations import jet_of

__all__ = ["DiscretisedFunctional", "Minimiser", "discretise", "discretised_minimiser"]


@dataclass(frozen=True, eq=False)
class DiscretisedFunctional:
    r"""A functional of the polygons on a grid; made by `discretise`.

    In the methods, `y` holds the values on the grid, real, of shape (..., n + 1);
    leading axes are a batch. Other shapes are a `ValueError`, other types a
    `TypeError`. All is computed and returned in ``float64``.

    Where :math:`F` is undefined the methods return what NumPy does, NaN or an
    infinity, without a warning. If NumPy and SciPy have no such function (the
    second derivative of ``abs``), or the result isn't real: `ValueError`.

    Attributes
    ----------
    grid : ndarray, shape (n + 1,)
        The points :math:`x_0 < \dots < x_n`; read-only.
    density : sympy.Expr
        The integrand in `variables`.
    variables : tuple of sympy.Symbol
        Real symbols for :math:`x`, :math:`f` and :math:`f'`.
    """

    grid: np.ndarray
    density: sp.Expr
    variables: tuple[sp.Symbol, sp.Symbol, sp.Symbol]

    def value(self, y):
        """Discretised functional, shape (...)."""
        h, y = self._lengths, self._values(y)
        with np.errstate(all="ignore"):
            (F,) = self._on_cells(self._functions[0], y)
            return np.sum(h * F, axis=-1)

    def gradient(self, y):
        r"""Derivatives :math:`\partial J / \partial y_i`, shape (..., n + 1).

        Divided by the mean length of the two cells at an inner point, it is the
        functional derivative there, up to the order of :math:`h^2` if the cells are
        of one length :math:`h` and the values are those of a smooth function.
        """
        h, y = self._lengths, self._values(y)
        with np.errstate(all="ignore"):
            F_u, F_v = self._on_cells(self._functions[1], y)
            out = np.zeros_like(y)
            out[..., :-1] = h * F_u / 2 - F_v
            out[..., 1:] += h * F_u / 2 + F_v
            return out

    def hessian(self, y):
        r"""Second derivatives, shape (..., 2, n + 1): a symmetric tridiagonal matrix.

        ``[0, i]`` is :math:`\partial^2 J / \partial y_i^2`, and ``[1, i]`` is
        :math:`\partial^2 J / \partial y_{i+1} \partial y_i`, with 0 at the end: the
        lower form of `scipy.linalg.solveh_banded`. ``[:, 1:-1]`` has that form
        too, for the inner points only.
        """
        h, y = self._lengths, self._values(y)
        with np.errstate(all="ignore"):
            F_uu, F_uv, F_vv = self._on_cells(self._functions[2], y)
            mean, slope = h * F_uu / 4, F_vv / h
            out = np.zeros((*y.shape[:-1], 2, y.shape[-1]))
            out[..., 0, :-1] = mean - F_uv + slope
            out[..., 0, 1:] += mean + F_uv + slope
            out[..., 1, :-1] = mean - slope
            return out

    @cached_property
    def _lengths(self):
        return np.diff(self.grid)

    @cached_property
    def _middles(self):
        return (self.grid[:-1] + self.grid[1:]) / 2

    @cached_property
    def _functions(self):
        """The integrand, its first and its second derivatives, for NumPy."""
        _, u, v = self.variables
        F = self.density
        orders = [F], [F.diff(u), F.diff(v)], [F.diff(u, 2), F.diff(u, v), F.diff(v, 2)]
        return [sp.lambdify(self.variables, order, ["scipy", "numpy"], cse=True) for order in orders]

    def _on_cells(self, function, y):
        left, right = y[..., :-1], y[..., 1:]
        mean, slope = (left + right) / 2, (right - left) / self._lengths
        try:
            results = function(self._middles, mean, slope)
        except NameError as error:
            raise ValueError(f"expected functions of NumPy and SciPy, got {error.name}") from None
        if any(map(np.iscomplexobj, results)):
            raise ValueError(f"expected a real integrand, got {self.density}")
        return [np.broadcast_to(result, mean.shape) for result in results]

    def _values(self, y):
        y = _float64("y", y)
        if y.shape[-1:] != self.grid.shape:
            raise ValueError(f"expected y of shape (..., {self.grid.size}), got {y.shape}")
        return y


def discretise(integrand, f, x, grid):
    r"""Discretise a functional: restrict it to polygons, integrate by midpoints.

    A cell from :math:`x_i` to :math:`x_{i+1} = x_i + h_i` adds :math:`h_i F(\bar x, \bar y, s)`
    with the means :math:`\bar x, \bar y` of its ends and the slope
    :math:`s = (y_{i+1} - y_i)/h_i`.

    Parameters
    ----------
    integrand : sympy.Expr
        :math:`F`, with first derivatives of `f` at most, and numbers for everything
        but `x` and `f`.
    f, x
        As for `functional_derivative`.
    grid : array_like, shape (n + 1,)
        The points :math:`x_i`, at least two, finite and increasing.

    Returns
    -------
    DiscretisedFunctional
        With the methods ``value(y)``, ``gradient(y)`` and ``hessian(y)``.

    Raises
    ------
    TypeError, ValueError
        As for `functional_derivative`; the integrand has higher derivatives, other
        symbols or other functions; `grid` isn't such a sequence.

    Notes
    -----
    The error is of the order :math:`h^2`, of a smooth function and where the integrand
    is smooth up to the ends. The mean of two neighbours doesn't see a
    zigzag :math:`\pm c`; only the slope does. So where :math:`F` has no
    :math:`f'`, and the fixed ends aren't on the stationary function, the minimiser
    zigzags about it.

    References
    ----------
    J. E. Marsden and M. West, "Discrete mechanics and variational integrators",
    Acta Numerica 10 (2001) 357-514, section 2.1: the midpoint rule.

    Examples
    --------
    >>> x = sp.Symbol("x")
    >>> f = sp.Function("f")(x)
    >>> length = discretise(sp.sqrt(1 + f.diff(x) ** 2), f, x, [0, 3, 6])
    >>> float(length.value([0, 4, 0]))
    10.0
    >>> length.gradient([0, 4, 0])
    array([-0.8,  1.6, -0.8])
    """
    grid = _float64("grid", grid)
    if grid.ndim != 1 or grid.size < 2:
        raise ValueError(f"expected a grid of shape (n + 1,) with n > 0, got {grid.shape}")
    with np.errstate(all="ignore"):
        lengths = np.diff(grid)
    if not (valid := np.isfinite(lengths) & (lengths > 0)).all():
        place = int(np.argmin(valid))
        raise ValueError("expected a grid of finite, increasing points, "
                         f"got {grid[place]} and {grid[place + 1]} in grid[{place}] and grid[{place + 1}]")
    grid.flags.writeable = False
    density, jet = jet_of(integrand, f, x, real=True)
    if len(jet) > 2:
        raise ValueError(f"expected first derivatives at most, got one of order {len(jet) - 1}")
    others = density.free_symbols.difference([x, *jet]) | density.atoms(AppliedUndef)
    if others:
        names = ", ".join(sorted(map(str, others)))
        raise ValueError(f"expected numbers for all but {x} and {f}, got {names}")
    real_x = sp.Dummy(x.name, real=True)
    return DiscretisedFunctional(grid, density.xreplace({x: real_x}), (real_x, *jet))


class Minimiser(NamedTuple):
    """Result of `discretised_minimiser`.

    Attributes
    ----------
    x, y : ndarray, shape (n + 1,)
        The polygon.
    value : float
        The discretised functional.
    gradient_norm : float
        Its largest derivative by an inner ordinate, in absolute value.
    iterations : int
        Steps that were tried.
    """

    x: np.ndarray
    y: np.ndarray
    value: float
    gradient_norm: float
    iterations: int


@np.errstate(all="ignore")  # whatever isn't finite is turned down
def discretised_minimiser(
    integrand, f, x, start, end, *, n_cells=64, initial=None, tolerance=1e-8, max_iterations=1000
):
    r"""Minimise a discretised functional among the polygons with given ends.

    Parameters
    ----------
    integrand, f, x
        As for `discretise`.
    start, end : pair of float
        The fixed ends :math:`(a, f(a))` and :math:`(b, f(b))`, with :math:`a < b`.
    n_cells : int
        Number of cells, at least 2, all of one length.
    initial : array_like, shape (n_cells + 1,), optional
        Where to start, with the given ends. The straight line if it is `None`.
    tolerance : float
        At the minimum, Newton's step is at most this large, relative to the largest
        ordinate met so far. Full steps go on as long as each halves the gradient at
        least, so that usually nothing but rounding errors is left.
    max_iterations : int
        Steps to try at most.

    Returns
    -------
    Minimiser
        A strict local minimum, with a Hessian that is positive definite.

    Raises
    ------
    TypeError, ValueError
        As for `discretise`; an argument isn't as described; the functional, its
        gradient or its Hessian isn't finite at `initial`.
    RuntimeError
        It hasn't converged (as where the functional isn't bounded below), or came to
        rest where the Hessian isn't positive definite: no strict minimum.

    Notes
    -----
    Newton's method in a trust region. Where the Hessian isn't positive definite, or
    the step leaves the region, a multiple of the identity is added to the Hessian
    (Levenberg and Marquardt). A step is taken if the functional falls by some of what
    its quadratic model predicts, or if it is a full one from where the Hessian is
    positive definite and at least halves the gradient: near the minimum, the fall is
    lost in rounding. The cost of an iteration is of the order of `n_cells`. The method
    ``"trust-exact"`` of `scipy.optimize.minimize`, whose Hessians are dense, took 0.3 to
    1.6 times as long on six problems with 64 cells and 34 to 590 times with 1000; in
    three of the twelve it gave up at a gradient of 1e-10 or more.

    A functional that isn't bounded below can still have a local minimum, as
    :math:`\int f \sqrt{1 + f'^2}\, dx`; keep `initial` near it. Where the
    Hessian is singular at the minimum, as for :math:`f'^4` between equal heights,
    convergence is linear, and starting at the minimum itself is an error.

    References
    ----------
    J. Nocedal and S. J. Wright, "Numerical Optimization", 2nd edition, Springer
    (2006), sections 4.1 and 10.3.

    Examples
    --------
    >>> x = sp.Symbol("x")
    >>> f = sp.Function("f")(x)
    >>> catenary = f * sp.sqrt(1 + f.diff(x) ** 2)
    >>> found = discretised_minimiser(catenary, f, x, (0, 1), (1, np.cosh(1)))
    >>> bool(np.abs(found.y - np.cosh(found.x)).max() < 1e-4)
    True
    """
    (a, f_a), (b, f_b) = _end("start", start), _end("end", end)
    n_cells = read_count("n_cells", n_cells, least=2)
    max_iterations = read_count("max_iterations", max_iterations)
    tolerance = read_number("tolerance", tolerance, positive=True)
    if not a < b:
        raise ValueError(f"expected a start to the left of the end, got {a} and {b}")
    y = np.linspace(f_a, f_b, n_cells + 1) if initial is None else _float64("initial", initial)
    if y.shape != (n_cells + 1,):
        raise ValueError(f"expected initial of shape {(n_cells + 1,)}, got {y.shape}")
    check_finite(initial=y)
    if y[0] != f_a or y[-1] != f_b:
        raise ValueError(f"expected initial values from {f_a} to {f_b}, got {y[0]} to {y[-1]}")

    functional = discretise(integrand, f, x, np.linspace(a, b, n_cells + 1))
    point, radius, scale = _Point.at(functional, y), np.inf, 0.0
    if not point.finite:
        raise ValueError("expected a functional that is finite with its derivatives at the initial values, "
                         f"got {point.value} with {point.gradient_norm} and {np.abs(point.hessian).max()}")
    for iteration in range(1, max_iterations + 1):
        step, damping = _damped_step(point, radius)
        length, scale = np.abs(step).max(), max(scale, np.abs(point.y).max())
        if damping and radius == np.inf:
            radius = length
        trial = _Point.at(functional, point.moved(step))
        if not damping and trial.finite and trial.gradient_norm < point.gradient_norm / 2:
            point = trial  # near the minimum, where the fall is lost in rounding
        elif length > tolerance * scale:
            predicted = (damping * step @ step - point.gradient @ step) / 2
            ratio = (point.value - trial.value) / predicted if trial.finite else -np.inf
            if ratio > 1e-4:
                point = trial
            if ratio < 1 / 4:
                radius = length / 4
            elif ratio > 3 / 4:
                radius *= 2
        elif not damping:
            value, norm = float(point.value), float(point.gradient_norm)
            return Minimiser(functional.grid, point.y, value, norm, iteration)
        else:
            raise RuntimeError(
                f"came to rest where the functional is {point.value:.6g}, but that isn't a strict "
                "minimum: the Hessian isn't positive definite, or the integrand isn't smooth"
            )
    raise RuntimeError(
        f"not converged in {max_iterations} iterations: the functional is {point.value:.6g}, its "
        f"gradient {point.gradient_norm:.3g}; either it needs more of them, or it has no minimum"
    )


class _Point(NamedTuple):
    """A polygon, and the functional there; the derivatives by its inner ordinates."""

    y: np.ndarray
    value: float
    gradient: np.ndarray
    hessian: np.ndarray

    @classmethod
    def at(cls, functional, y):
        derivatives = functional.gradient(y)[1:-1], functional.hessian(y)[:, 1:-1]
        return cls(y, functional.value(y), *derivatives)

    @property
    def finite(self):
        return all(np.isfinite(part).all() for part in self)

    @property
    def gradient_norm(self):
        return np.abs(self.gradient).max()

    def moved(self, step):
        y = self.y.copy()
        y[1:-1] += step
        return y


def _damped_step(point, radius):
    """Newton's step, damped until it descends and stays within the radius; and the damping."""
    size = max(np.abs(point.hessian).max(), 2.0**-900)  # such that no damping underflows
    damping = 0.0
    while damping < np.inf:
        try:
            factor = scipy.linalg.cholesky_banded(point.hessian + [[damping], [0.0]], lower=True)
            step = -scipy.linalg.cho_solve_banded((factor, True), point.gradient)
            if np.abs(step).max() <= radius:
                return step, damping
        except np.linalg.LinAlgError:
            if radius == np.inf:  # nothing is known yet: as far as steepest descent would go
                radius = point.gradient_norm / size
        damping = 4 * damping or size * 2.0**-26
    return np.zeros_like(point.gradient), damping


def _end(name, point):
    point = _float64(name, point)
    if point.shape != (2,) or not np.isfinite(point).all():
        raise ValueError(f"expected {name} to be a pair of finite numbers, got {point}")
    return point.tolist()


def _float64(name, values):
    return as_real(values, name)[0].astype(np.float64)
