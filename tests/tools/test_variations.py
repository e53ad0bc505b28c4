"""softmaxnotes.tools.variations against SymPy, quadrature, exact polygons and known curves.

Where a polygon is compared with another one, the bound is that of rounding: a computed slope has
an error of about u max|y| n, a derivative F_v of the integrand that times F_vv, and a few u |F_v|;
the gradient is a difference of two, and the inverse of the Hessian F_vv tridiag(-1, 2, -1)/h has
row sums of at most n / (8 F_vv), for b - a = 1. Together, at most eps n^2 (max|y| + max|F_v| / F_vv).
Where a polygon is compared with a curve, the error is c h^2 + O(h^4) and the ratios of the errors
on finer and finer grids are 4 (1 + O(h^2)): their distance to 4 falls by about 4, too.
"""

from functools import partial

import mpmath as mp
import numpy as np
import pytest
import scipy.optimize
import scipy.special
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy.calculus.euler import euler_equations

from softmaxnotes.experiments.tools.variations import fastest_wire
from softmaxnotes.tools import discretise, discretised_minimiser, euler_lagrange, functional_derivative

x, t, m = sp.symbols("x t m")
f, g, k = sp.Function("f")(x), sp.Function("g")(x), sp.Function("k")
f1, f2, f3 = (f.diff(x, order) for order in (1, 2, 3))
real_f = sp.Function("f", real=True)(x)
length, soap = sp.sqrt(1 + f1**2), f * sp.sqrt(1 + f1**2)
EPS = np.finfo(float).eps
repeated = settings(max_examples=25, derandomize=True)


def crooked(a, b, cells, scale, seed=0):
    y = np.linspace(a, b, cells + 1)
    y[1:-1] += scale * np.random.default_rng(seed).normal(size=cells - 1)
    return y


# --- The functional derivative --------------------------------------------------


@pytest.mark.parametrize(
    "integrand, want",
    [
        (f**2, 2 * f),
        (x**2 * sp.log(f) - m * f, x**2 / f - m),
        (f1**2 / 2, -f2),
        (x * f1, -1),
        (sp.sin(x) * f1**2, -2 * sp.cos(x) * f1 - 2 * sp.sin(x) * f2),
        (f2**2, 2 * f.diff(x, 4)),
        (x * f3, 0),
        (x**3 * f3, -6),
        (f * f1, 0),
        (f * f2, 2 * f2),
        (f1**2 / 2 - m * f**2 / 2 + g * f, -f2 - m * f + g),
        (f1 * g.diff(x), -g.diff(x, 2)),
        (sp.Derivative(f**2, x), 0),
        (sp.Derivative(x * f * f1, x), 0),
        (sp.Derivative(sp.Integral(f, x), x), 1),
        (sp.Integral(sp.exp(x * t) * f**2, (t, 0, 1)), 2 * sp.Integral(sp.exp(x * t), (t, 0, 1)) * f),
        (length, -f2 / (1 + f1**2) ** sp.Rational(3, 2)),
        (g**2 + x, 0),
        (3, 0),
    ],
)
def test_known_functional_derivatives(integrand, want):
    assert sp.simplify((functional_derivative(integrand, f, x) - want).doit()) == 0


def test_without_derivatives_it_is_algebraic():
    got = functional_derivative(sp.exp(x) * sp.log(f) + g * f, f, x)
    assert got == sp.exp(x) / f + g and not got.has(sp.Derivative)


def test_other_integrals_are_left_as_they_are():
    constant = sp.Integral(sp.exp(-t), (t, 0, 1))
    assert functional_derivative(sp.Derivative(constant * f, x) * f1, f, x) == -2 * constant * f2


def test_modulus_of_a_real_function():
    assert functional_derivative(sp.Abs(real_f), real_f, x) == sp.sign(real_f)
    want = -2 * sp.DiracDelta(real_f.diff(x)) * real_f.diff(x, 2)
    assert functional_derivative(sp.Abs(real_f.diff(x)), real_f, x) == want


def test_each_of_several_functions_on_its_own():
    lagrangian = f1**2 / 2 + g.diff(x) ** 2 / 2 - m * f * g
    assert functional_derivative(lagrangian, f, x) == -f2 - m * g
    assert functional_derivative(lagrangian, g, x) == -g.diff(x, 2) - m * f


@pytest.mark.parametrize("arguments", [(x, f), (x, f1), (x, f, f1), (f, f1), (x, f1, f2)])
def test_unknown_integrands_can_be_filled_in_before_or_after(arguments):
    def fill(expression):
        return expression.replace(k, lambda *a: sp.sin(a[0] * a[-1]) * sp.exp(a[1]) + a[0] ** 2).doit()

    def at_a_point(expression):
        return sp.N(fill(expression).subs(f, sp.cos(x) + x**3).doit().subs(x, sp.Rational(7, 10)), 30)

    before, after = (at_a_point(functional_derivative(h(k(*arguments)), f, x)) for h in (fill, lambda e: e))
    assert abs(before - after) <= 1e-25 * abs(before)


atoms = st.sampled_from([x, f, f1, f2, sp.Integer(2), sp.sin(f), sp.exp(f1), sp.exp(-x)])
integrands = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] * pair[1]),
        inner.map(lambda e: sp.sqrt(1 + e**2)),
        inner.map(sp.cos),
    ),
    max_leaves=3,
)


@repeated
@given(integrands)
def test_agrees_with_sympy(integrand):
    """SymPy leaves an equation out if it is always or never true; then it is compared with a number."""
    ours, equations = functional_derivative(integrand, f, x), euler_equations(integrand, f, x)
    theirs = equations[0].lhs if equations else sum(
        (-1) ** order * integrand.diff(f.diff((x, order))).diff((x, order)) for order in range(3)
    )
    curve = sp.sin(x) / 2 + x**2 / 5
    a, b = (sp.N(e.subs(f, curve).doit().subs(x, sp.Rational(-7, 5)), 40) for e in (ours, theirs))
    assert abs(a - b) <= sp.Float("1e-25") * (1 + abs(b))


@pytest.mark.parametrize(
    "integrand",
    [f**2 * sp.exp(-x), sp.sqrt(1 + f1**2), x * f * f1**2, f2**2 + sp.cos(f * f1), f * f3],
)
@pytest.mark.parametrize("seed", [0, 1])
def test_is_what_the_change_is_integrated_against(integrand, seed):
    """Central differences: the error is of the order of the square of the step, 1e-30."""
    a, b, c, d = np.random.default_rng(seed).integers(-3, 4, size=4).tolist()
    curve, eta = sp.exp(x / 2) + (a + b * x) * x / 4, x**3 * (1 - x) ** 3 * (2 + c * x + d * x**2)
    e = sp.Symbol("e")
    bent = sp.lambdify((x, e), integrand.subs(f, curve + e * eta).doit(), "mpmath")
    density = functional_derivative(integrand, f, x).subs(f, curve).doit() * eta
    with mp.workdps(50):
        step = mp.mpf("1e-15")
        up, down = (mp.quad(lambda s: bent(s, sign * step), [0, 0.5, 1]) for sign in (1, -1))
        want = mp.quad(sp.lambdify(x, density, "mpmath"), [0, 0.5, 1])
        assert abs((up - down) / (2 * step) - want) <= mp.mpf("1e-20") * (1 + abs(want))


# --- The Euler-Lagrange equation --------------------------------------------------


def test_the_shortest_path_is_a_line():
    solution = sp.dsolve(sp.simplify(euler_lagrange(length, f, x).lhs), f)
    assert sp.simplify(solution.rhs.diff(x, 2)) == 0
    assert euler_lagrange(length, f, x).subs(f, 3 * x - 1).doit() == sp.true


def test_it_is_an_equation_even_where_it_is_trivial():
    for integrand, lhs, truth in [(f * f1, 0, True), (x**2, 0, True), (2 * f, 2, False)]:
        equation = euler_lagrange(integrand, f, x)
        assert isinstance(equation, sp.Eq) and equation.args == (lhs, 0)
        assert bool(equation.doit()) is truth


# --- The discretised functional -----------------------------------------------------


def test_exact_in_dyadic_numbers():
    """Polynomials of small dyadic numbers have no rounding errors at all."""
    n, integrand = 5, 3 * x * f**3 - f**2 * f1 + 2 * f * f1**3 + x**2 * f1**2 + 5 * f - 7 * f1 + x
    grid, y = np.array([-1, 0, 0.5, 1, 3, 3.5]), np.array([0.5, -1.25, 2, 3, -2, 1.5])
    s, p, q = [sp.Rational(v) for v in grid], [sp.Rational(v) for v in y], sp.symbols(f"y:{n + 1}")
    total = 0
    for i in range(n):
        h = s[i + 1] - s[i]
        slope, mean, middle = (q[i + 1] - q[i]) / h, (q[i + 1] + q[i]) / 2, (s[i + 1] + s[i]) / 2
        total += h * integrand.subs(f1, slope).subs(f, mean).subs(x, middle)
    at = dict(zip(q, p))
    hessian = sp.hessian(total, q).subs(at)
    functional = discretise(integrand, f, x, grid)
    assert functional.value(y) == float(total.subs(at))
    assert functional.gradient(y).tolist() == [float(total.diff(v).subs(at)) for v in q]
    bands = functional.hessian(y)
    assert bands[0].tolist() == [float(hessian[i, i]) for i in range(n + 1)]
    assert bands[1].tolist() == [float(hessian[i + 1, i]) for i in range(n)] + [0]
    assert all(hessian[i, j] == 0 for i in range(n + 1) for j in range(n + 1) if abs(i - j) > 1)


def test_the_length_of_a_polygon():
    polygon = discretise(length, f, x, [0, 3, 6, 11])
    assert polygon.value([0, 4, 0, 12]) == 5 + 5 + 13
    np.testing.assert_allclose(
        polygon.gradient([0, 4, 0, 12]), [-0.8, 1.6, -0.8 - 12 / 13, 12 / 13], rtol=4 * EPS
    )


@pytest.mark.parametrize(
    "integrand", [length, soap, f * sp.log(f) + x * f1**2, sp.exp(f) * x, sp.Integer(1), x]
)
def test_batches_are_rows(integrand):
    rng = np.random.default_rng(1)
    functional = discretise(integrand, f, x, np.cumsum(rng.random(9)))
    y = 1 + rng.random((2, 3, 9))
    value, gradient, hessian = functional.value(y), functional.gradient(y), functional.hessian(y)
    assert value.shape == (2, 3) and gradient.shape == (2, 3, 9) and hessian.shape == (2, 3, 2, 9)
    for index in np.ndindex(2, 3):
        assert value[index] == functional.value(y[index])
        np.testing.assert_array_equal(gradient[index], functional.gradient(y[index]))
        np.testing.assert_array_equal(hessian[index], functional.hessian(y[index]))
    assert functional.value(np.zeros((0, 9))).shape == (0,)


def test_the_gradient_tends_to_the_functional_derivative():
    integrand, curve = sp.exp(x) * f1**2 + sp.sin(f * f1) + x * f**3, sp.cos(2 * x) + x
    exact = sp.lambdify(x, functional_derivative(integrand, f, x).subs(f, curve).doit())
    errors = []
    for n in (64, 128, 256):
        grid = np.linspace(0, 1, n + 1)
        gradient = discretise(integrand, f, x, grid).gradient(sp.lambdify(x, curve)(grid))
        errors.append((n * gradient - exact(grid))[n // 4 :: n // 4][:3])
    coarse, fine = errors[0] / errors[1], errors[1] / errors[2]
    assert (np.abs(fine - 4) <= np.abs(coarse - 4) / 2).all() and (np.abs(coarse - 4) < 0.1).all()


def test_gradient_descent_shortens_a_polygon_to_the_line():
    """F_vv <= 1, so the Hessian is at most 4/h, and with the rate h/4 every step shortens."""
    n = 8
    polygon, y = discretise(length, f, x, np.linspace(0, 1, n + 1)), crooked(0, 1, n, 0.3)
    lengths = []
    for _ in range(2000):
        lengths.append(polygon.value(y))
        y[1:-1] -= polygon.gradient(y)[1:-1] / (4 * n)
    assert (np.diff(lengths) <= n * EPS * lengths[0]).all()
    assert lengths[-1] == pytest.approx(np.sqrt(2), rel=n * EPS)


def test_types():
    functional = discretise(f**2 + f1, f, x, [0, 1, 2])
    want = functional.value([1.0, 2.0, 3.0])
    for dtype in (np.int8, np.uint64, np.float16, np.float32, np.longdouble):
        got = functional.value(np.array([1, 2, 3], dtype))
        assert got == want and got.dtype == np.float64
    assert functional.gradient(np.array([1, 2, 3], np.float32)).dtype == np.float64


def test_input_is_left_alone_and_the_grid_is_the_functionals_own():
    grid, y = np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 5.0])
    functional = discretise(f**2 + f1**2, f, x, grid)
    value = functional.value(y)
    functional.gradient(y), functional.hessian(y)
    grid[1] = 1.5
    assert y.tolist() == [1, 2, 5] and functional.value(y) == value
    with pytest.raises(ValueError, match="read-only"):
        functional.grid[0] = 3
    with pytest.raises(AttributeError):
        functional.grid = grid


def test_outside_the_domain_numpy_decides_without_a_warning():
    with np.errstate(all="raise"):
        functional = discretise(f * sp.log(f), f, x, [0, 1, 2])
        assert np.isnan(functional.value([-1, -1, 2]))
        assert np.isnan(functional.gradient([-1, -1, 2])).tolist() == [True, True, False]
        assert np.isnan(functional.value([np.nan, 1, 1]))
        assert discretise(1 / f, f, x, [0, 1]).value([0, 0]) == np.inf
        assert discretise(f**2, f, x, [0, 1]).value([1e200, 1e200]) == np.inf
        assert discretise(sp.exp(f1), f, x, [0, 1]).value([0, np.inf]) == np.inf


def test_functions_that_numpy_lacks():
    functional = discretise(sp.Abs(f1), f, x, [0, 1, 2])
    assert functional.value([0, 2, -1]) == 5
    assert functional.gradient([0, 2, -1]).tolist() == [-1, 2, -1]
    assert discretise(sp.Abs(x - f), f, x, [0, 2]).gradient([5, 6]).tolist() == [1, 1]
    want = pytest.approx(float(sp.erf(0.5)), rel=4 * EPS)
    assert discretise(sp.erf(f), f, x, [0, 1]).value([0.5, 0.5]) == want


# --- Minimisers ---------------------------------------------------------------------


@pytest.mark.parametrize("cells", [2, 3, 64])
@pytest.mark.parametrize("scale", [0, 0.1, 1, 10])
def test_the_shortest_polygon_is_a_line_to_rounding(cells, scale):
    initial = crooked(0, 2, cells, scale)
    found = discretised_minimiser(length, f, x, (0, 0), (1, 2), n_cells=cells, initial=initial)
    slope, curvature = 2 / np.sqrt(5), 5**-1.5
    np.testing.assert_allclose(found.y, 2 * found.x, rtol=0, atol=EPS * cells**2 * (2 + slope / curvature))
    assert found.value == pytest.approx(np.sqrt(5), rel=(cells + 4) * EPS)
    assert found.y[0] == 0 and found.y[-1] == 2


@pytest.mark.parametrize("cells", [2, 10, 1000])
@pytest.mark.parametrize("scale", [0, 5])
def test_the_polygon_between_hyperbolic_functions_is_known(cells, scale):
    """The equations are (y_+ - 2y + y_-) / h^2 = (y_+ + 2y + y_-) / 4: sinh(c x), tanh(c h / 2) = h / 2."""
    found = discretised_minimiser(
        f1**2 + f**2, f, x, (0, 0), (1, 3), n_cells=cells, initial=crooked(0, 3, cells, scale)
    )
    c = 2 * cells * np.arctanh(1 / (2 * cells))
    want = 3 * np.sinh(c * found.x) / np.sinh(c)
    np.testing.assert_allclose(found.y, want, rtol=0, atol=EPS * cells**2 * (3 + 3 / np.tanh(1)))


def cycloid(start, end):
    """y = R (1 - cos p), x = R (p - sin p) + x0 through two points: p as a function of x."""

    def angle(radius, y):
        return np.arccos(1 - y / radius)

    def miss(radius):
        p, q = angle(radius, start[1]), angle(radius, end[1])
        return radius * (q - np.sin(q) - p + np.sin(p)) - (end[0] - start[0])

    radius = scipy.optimize.brentq(miss, end[1] / 2 * (1 + 1e-12), 100, xtol=1e-14)
    p = angle(radius, start[1])
    x0 = start[0] - radius * (p - np.sin(p))

    def height(s):
        at = scipy.optimize.brentq(lambda q: radius * (q - np.sin(q)) + x0 - s, 0, np.pi, xtol=1e-14)
        return radius * (1 - np.cos(at))

    return np.vectorize(height)


CURVES = {
    "catenary": (soap, (-0.5, np.cosh(0.5)), (1.0, np.cosh(1.0)), np.cosh),
    "half-plane geodesic": (length / f, (0.0, 1.0), (1.0, 1.0), lambda s: np.sqrt(1.25 - (s - 0.5) ** 2)),
    "sphere geodesic": (
        sp.sqrt(1 + sp.sin(x) ** 2 * f1**2),
        (0.6, float(np.arccos(0.3 / np.tan(0.6)))),
        (1.5, float(np.arccos(0.3 / np.tan(1.5)))),
        lambda s: np.arccos(0.3 / np.tan(s)),
    ),
    "brachistochrone": (sp.sqrt((1 + f1**2) / f), (0.0, 0.2), (1.0, 1.0), cycloid((0.0, 0.2), (1.0, 1.0))),
    "hyperbolic": (f1**2 + f**2, (0.0, 1.0), (1.0, np.cosh(1.0)), np.cosh),
}


@pytest.mark.parametrize("name", CURVES)
def test_second_order_convergence_to_known_curves(name):
    integrand, start, end, curve = CURVES[name]
    errors = []
    for cells in (32, 64, 128):
        found = discretised_minimiser(integrand, f, x, start, end, n_cells=cells)
        errors.append((found.y - curve(found.x))[cells // 2])
    coarse, fine = errors[0] / errors[1], errors[1] / errors[2]
    assert abs(errors[0]) < 1e-3 and abs(coarse - 4) < 0.1
    # rounding: errors of about 1e-6 are known to about 1e-12
    assert abs(fine - 4) <= abs(coarse - 4) / 2 + 1e-5


@pytest.mark.parametrize("name", CURVES)
def test_nearby_polygons_are_not_lower(name):
    integrand, start, end, _ = CURVES[name]
    found = discretised_minimiser(integrand, f, x, start, end, n_cells=16)
    functional, rng = discretise(integrand, f, x, found.x), np.random.default_rng(0)
    bends = rng.normal(size=(200, 15)) * 10.0 ** rng.uniform(-4, -2, size=(200, 1))
    assert (functional.value(found.y + np.pad(bends, ((0, 0), (1, 1)))) > found.value).all()
    assert found.value == functional.value(found.y)
    assert found.gradient_norm == np.abs(functional.gradient(found.y)[1:-1]).max()


@pytest.mark.parametrize("name", ["catenary", "half-plane geodesic"])
@pytest.mark.parametrize("scale", [0.05, 0.2])
@pytest.mark.parametrize("seed", range(4))
def test_crooked_starts_lead_to_the_same_minimum(name, scale, seed):
    """The Hessian isn't positive definite there, and beyond f = 0 the functional isn't bounded below."""
    integrand, start, end, _ = CURVES[name]
    want = discretised_minimiser(integrand, f, x, start, end)
    initial = crooked(start[1], end[1], 64, scale, seed)
    found = discretised_minimiser(integrand, f, x, start, end, initial=initial)
    # each has the bound of rounding, and max|y| + max|F_v| / F_vv is less than 10
    np.testing.assert_allclose(found.y, want.y, rtol=0, atol=2 * EPS * 64**2 * 10)


def test_an_integrand_without_derivatives():
    """The means match sin to h^2/8 up to a zigzag residual; their alternating sums are at most four times
    that.
    """
    found = discretised_minimiser((f - sp.sin(x)) ** 2, f, x, (0, 0), (1, np.sin(1)), n_cells=50)
    assert np.abs(found.y - np.sin(found.x)).max() <= np.sin(1) / (2 * 50**2)
    zigzag = discretised_minimiser(f**2, f, x, (0, 1), (1, 0), n_cells=50)
    want = (-1.0) ** np.arange(51) * np.linspace(1, 0, 51)  # the documented flaw of the midpoint rule
    np.testing.assert_allclose(zigzag.y, want, rtol=0, atol=EPS * 50**2 * 2)


def test_scales_do_not_matter():
    start, end, initial = (0, 0), (1, 2), crooked(0, 2, 20, 1)
    for factor in (sp.Integer(10) ** 200, sp.Integer(10) ** -200):
        found = discretised_minimiser(factor * length, f, x, start, end, n_cells=20, initial=initial)
        np.testing.assert_allclose(found.y, 2 * found.x, rtol=0, atol=EPS * 400 * 8)
    for factor in (1e-150, 1e150):
        found = discretised_minimiser(
            f1**2, f, x, start, (1, 2 * factor), n_cells=20, initial=initial[:-1].tolist() + [2 * factor]
        )
        np.testing.assert_allclose(found.y, 2 * factor * found.x, rtol=0, atol=EPS * 400 * 4 * factor)
    found = discretised_minimiser(10**8 + length, f, x, start, end, n_cells=20, initial=initial)
    np.testing.assert_allclose(found.y, 2 * found.x, rtol=0, atol=EPS * 400 * 8)


def test_a_saddle_is_left_unless_one_starts_on_it():
    double_well = f1**2 / 100 + (f**2 - 1) ** 2
    with pytest.raises(RuntimeError, match="Hessian isn't positive definite"):
        discretised_minimiser(double_well, f, x, (0, 0), (1, 0))
    found = discretised_minimiser(double_well, f, x, (0, 0), (1, 0), initial=crooked(0, 0, 64, 0.01))
    assert found.value < 0.3 < 1 == discretise(double_well, f, x, found.x).value(0 * found.x)


def test_a_start_next_to_the_saddle_takes_strides_that_grow():
    double_well = f1**2 / 100 + (f**2 - 1) ** 2
    for scale in (1e-3, 1e-6):
        found = discretised_minimiser(double_well, f, x, (0, 0), (1, 0), initial=crooked(0, 0, 64, scale))
        assert found.value < 0.3 and found.iterations <= 100


def test_a_rise_to_a_flat_place_is_not_taken():
    """One ordinate, y = 2 u: the first step, a third, leads to the top of a higher hill, with slope 0."""
    hill = -f - f**2 / 2 + 138 * f**3 - sp.Rational(603, 2) * f**4
    found = discretised_minimiser(hill, f, x, (0, 0), (1, 0), n_cells=2)
    u = found.y[1] / 2
    assert hill.subs(f, sp.Rational(1, 3)) == 1 and hill.diff(f).subs(f, sp.Rational(1, 3)) == 0
    assert 0 < u < 0.1 and found.value < 0 and found.gradient_norm <= 8 * EPS


@pytest.mark.parametrize("initial", [None, crooked(0, 0, 64, 0.1)])
@pytest.mark.parametrize("end, stable", [(3, True), (3.3, False)])
def test_the_oscillator_is_stable_up_to_half_a_period(initial, end, stable):
    """Jacobi: the action f'^2 - f^2 has a minimum only on intervals shorter than pi."""
    minimise = partial(discretised_minimiser, f1**2 - f**2, f, x, (0, 0), (end, 0), initial=initial)
    if stable:
        assert np.abs(minimise().y).max() <= 0.1 * EPS * 64**2 * 3
    else:
        with pytest.raises(RuntimeError):
            minimise()


@pytest.mark.parametrize(
    "integrand, start, end",
    [
        (f, (0, 0), (1, 1)),
        (-(f1**2), (0, 0), (1, 1)),
        (f1**2 - f**2, (0, 0), (4, 1)),
        (f * f1, (0, 0), (1, 1)),
        (sp.Integer(1), (0, 0), (1, 1)),
        (x * f1, (0, 0), (1, 1)),
        (soap, (-1, 0.5), (1, 0.5)),
        (sp.log(f), (0, 1), (1, 3)),
        (f1**3, (0, 0), (1, 0)),
        (sp.exp(-(f1**2)), (0, 0), (1, 0)),
    ],
)
def test_no_strict_minimum_is_an_error(integrand, start, end):
    for initial in (None, crooked(start[1], end[1], 16, 0.1)):
        with pytest.raises(RuntimeError, match="not converged|isn't a strict minimum"):
            discretised_minimiser(
                integrand, f, x, start, end, n_cells=16, initial=initial, max_iterations=100
            )


def test_a_functional_that_falls_until_its_numbers_underflow():
    zigzag = np.array([0, 27.2, 0, 27.2, 0]) / 4
    with pytest.raises(RuntimeError, match="isn't a strict minimum"):
        discretised_minimiser(sp.exp(-(f1**2)), f, x, (0, 0), (1, 0), n_cells=4, initial=zigzag)


def test_a_degenerate_minimum_is_met_slowly_and_is_no_start():
    found = discretised_minimiser(f1**4, f, x, (0, 0), (1, 0), initial=crooked(0, 0, 64, 0.1))
    assert np.abs(found.y).max() <= 1e-8 and found.iterations > 20
    with pytest.raises(RuntimeError, match="isn't a strict minimum"):
        discretised_minimiser(f1**4, f, x, (0, 0), (1, 0))


def test_a_minimum_in_too_few_iterations_is_an_error():
    with pytest.raises(RuntimeError, match="not converged in 3 iterations"):
        discretised_minimiser(soap, f, x, (0, 1), (1, np.cosh(1)), max_iterations=3)
    rough = discretised_minimiser(soap, f, x, (0, 1), (1, np.cosh(1)), tolerance=0.1)
    fine = discretised_minimiser(soap, f, x, (0, 1), (1, np.cosh(1)))
    assert np.abs(rough.y - fine.y).max() <= 0.1 * np.cosh(1) and rough.iterations <= fine.iterations


def test_steps_that_leave_the_domain_are_turned_down():
    """Newton's step from 10 goes to about -80, where the logarithm isn't real, or to an infinity."""
    for barrier in (-sp.log(f), sp.Piecewise((-sp.oo, f < 0), (-sp.log(f), True))):
        integrand = f + barrier + f1**2 / 10**4
        initial = np.pad(np.full(63, 10.0), 1, constant_values=1)
        found = discretised_minimiser(integrand, f, x, (0, 1), (1, 1), initial=initial)
        # the Hessian is at least h (the zigzag has 8e-4 / h), the error of the gradient a few h eps
        np.testing.assert_allclose(found.y, 1, rtol=0, atol=8 * EPS * np.sqrt(64))


def test_a_singular_end_is_not_touched():
    found = discretised_minimiser(sp.sqrt((1 + f1**2) / f), f, x, (0, 0), (1, 1))
    assert np.isfinite(found.value) and (np.diff(found.y) > 0).all()


def test_types_of_arguments():
    minimise = partial(discretised_minimiser, length, f, x, (0, 0), (1, 1))
    minimise(n_cells=np.int64(2), initial=np.array([0, 1, 1], np.float32))


def test_unspecified_integrand():
    """Ours is the equation of Euler and Lagrange; SymPy's has a term too many for an undefined F."""
    F, by_value, by_slope = sp.Function("F"), *sp.symbols("u v")
    here = F(x, f, f1)
    found = functional_derivative(here, f, x).doit()

    def along(*by):
        return sp.Subs(F(t, by_value, by_slope).diff(*by), (t, by_value, by_slope), (x, f, f1))

    expected = (along(by_value) - along(t, by_slope) - along(by_value, by_slope) * f1
                - along(by_slope, by_slope) * f2)
    G = sp.Lambda((t, by_value, by_slope), by_value**2 * by_slope**3 + t * by_slope**2 * sp.exp(by_value))

    def concrete(expr):
        return sp.expand(expr.subs(F, G).doit())

    assert concrete(found) == concrete(expected) == sp.expand(
        functional_derivative(G(x, f, f1), f, x).doit())


@pytest.mark.parametrize("across, down", [(1, 1), (0.01, 1), (5, 0.1), (3, 2)])
def test_fastest_wire(across, down):
    """It ends where it shall, at its own time; and its speed is the root of the drop on the way."""
    wire = fastest_wire(across, down)
    np.testing.assert_allclose(wire.at(wire.time), [across, down], rtol=1e-12)
    np.testing.assert_allclose(wire.at(2 * wire.time), [across, down], rtol=1e-12)
    time, step = np.linspace(0.1, 0.9, 9) * wire.time, 1e-5 * wire.time
    velocity = (wire.at(time + step) - wire.at(time - step)) / (2 * step)
    np.testing.assert_allclose(np.hypot(*velocity) ** 2, wire.at(time)[1], rtol=1e-7)


def test_fastest_wire_is_faster_than_others():
    """Than straight wires, and than a quarter of a circle, where the time is an elliptic integral."""
    assert fastest_wire(3, 2).time < 2 * np.sqrt(13 / 2)
    assert fastest_wire(1, 1).time < scipy.special.ellipk(0.5) * 2**0.5 < np.sqrt(8)
