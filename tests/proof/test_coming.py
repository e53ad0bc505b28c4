"""What chapters to come say of sums, draws, recursions, bounds and paths: decided, and for which sizes."""

import pytest

from softmaxnotes.proof import bounds, decide
from softmaxnotes.proof import sympy as sp
from softmaxnotes.proof.classes import Concave, Convex, Decreasing, Increasing
from softmaxnotes.proof.nodes import DrawsMean, Iterated, OverOrders, OverSubsets
from softmaxnotes.proof.written import unfold

Sum, Product, Integral, Derivative, exp, log = (
    sp.Sum, sp.Product, sp.Integral, sp.Derivative, sp.exp, sp.log)
D, Max, Min, Abs, Eq, half = sp.KroneckerDelta, sp.Max, sp.Min, sp.Abs, sp.Eq, sp.Rational(1, 2)

b, h, i, j, k, l, m, n, t, A, K, T = sp.symbols(  # noqa: E741
    "b h i j k l m n t A K T", integer=True, positive=True)
time, step = sp.symbols("time step", integer=True, nonnegative=True)
c, x, theta, V = sp.symbols("c x theta V", real=True)
lam, rest, rho, tau = sp.symbols("lamda r rho tau", positive=True)
z, v, reward, weights = (sp.IndexedBase(name, real=True) for name in ("z", "v", "R", "W"))
p, q, w, P = (sp.IndexedBase(name, positive=True) for name in "pqwP")
s, a = (sp.IndexedBase(name, integer=True, positive=True) for name in "sa")
chosen = sp.IndexedBase("chosen", integer=True, nonnegative=True)
f = sp.Function("f", real=True)
p_, q_, family = (sp.Function(name, positive=True) for name in ("p_x", "q_x", "p_t"))

every = k, 1, n
line = x, -sp.oo, sp.oo
normalised = [Eq(Sum(p[k], every), 1), Eq(Sum(q[k], every), 1)]


def over(function):
    return Sum(function, every)


def pi(index):
    return exp(z[index]) / Sum(exp(z[l]), (l, 1, n))


def share(index):
    return w[index] / Sum(w[l], (l, 1, n))


def sigmoid(u):
    return 1 / (1 + exp(-u))


mean = over(pi(k) * v[k])
variance = over(pi(k) * v[k]**2) - mean**2
slope = pi(j) * (v[j] - mean)


# --- paths ----------------------------------------------------------------------------------------

def policy(state, action):
    return exp(weights[state, action]) / Sum(exp(weights[state, b]), (b, 1, A))


path = Product(P[s[t], a[t], s[t + 1]] * policy(s[t], a[t]), (t, 1, T))
score_of_path = Sum(D(s[t], i) * (D(a[t], j) - policy(i, j)), (t, 1, T))
PATHS = {
    "log-probability": (log(path), Sum(log(P[s[t], a[t], s[t + 1]]) + log(policy(s[t], a[t])), (t, 1, T))),
    "score of a path": (Derivative(log(path), weights[i, j]), score_of_path),
    "score with a reward": (reward[1] * Derivative(log(path), weights[i, j]), reward[1] * score_of_path),
}
PATHS_WRONG = {
    "state and action exchanged": (Derivative(log(path), weights[i, j]),
                                   Sum(D(s[t], i) * (D(a[t], j) - policy(j, i)), (t, 1, T))),
    "other states too": (Derivative(log(path), weights[i, j]),
                         Sum(D(a[t], j) - D(s[t], i) * policy(i, j), (t, 1, T))),
    "the next state": (Derivative(log(path), weights[i, j]),
                       Sum(D(s[t + 1], i) * (D(a[t], j) - policy(i, j)), (t, 1, T))),
}

# --- sums -----------------------------------------------------------------------------------------

noise = K * q[i]
SUMS = {
    "score function": (Derivative(mean, z[j]), over(pi(k) * v[k] * Derivative(log(pi(k)), z[j]))),
    "the score has mean zero": (over(pi(k) * Derivative(log(pi(k)), z[j])), 0),
    "baseline": (Derivative(mean, z[j]), over(pi(k) * (v[k] - c) * (D(j, k) - pi(j)))),
    "pairs": (variance, Sum(pi(j) * pi(m) * (v[j] - v[m])**2, (j, 1, n), (m, 1, n)) / 2),
    "ARSM: all gradients": (Sum(slope, (j, 1, n)), 0),
    "noise contrast": (p[i] / (p[i] + noise), sigmoid(log(p[i]) - log(noise))),
    "its gradient": (Derivative(Sum(p[i] * log(exp(z[i]) / (exp(z[i]) + noise)) + noise * log(
        noise / (exp(z[i]) + noise)), (i, 1, n)), z[j]),
        (p[j] - exp(z[j])) * K * q[j] / (exp(z[j]) + K * q[j])),
    "calibration": (Derivative(log(over(exp(z[k] / tau))), tau),
                    -over(z[k] * exp(z[k] / tau)) / (tau**2 * over(exp(z[k] / tau)))),
    "variance": (over(p[k] * (v[k] - Sum(p[l] * v[l], (l, 1, n)))**2), over(p[k] * v[k]**2)
                 - over(p[k] * v[k])**2, {"given": normalised[:1]}),
    "Plackett–Luce": (log(Product(w[i] / Sum(w[l], (l, i, n)), (i, 1, n))),
                      Sum(log(w[i]) - log(Sum(w[l], (l, i, n))), (i, 1, n))),
}
SUMS_WRONG = {
    "baseline": (Derivative(mean, z[j]), over(pi(k) * (v[k] - c) * (D(j, k) + pi(j)))),
    "pairs": (variance, Sum(pi(j) * pi(m) * (v[j] - v[m])**2, (j, 1, n), (m, 1, n))),
    "not normalised": (over(p[k] * (v[k] - Sum(p[l] * v[l], (l, 1, n)))**2),
                       over(p[k] * v[k]**2) - over(p[k] * v[k])**2),
    "a total that is not 1": (over(p[k]), 1, {"given": [Eq(over(p[k]), 2)]}),
}

# --- speculative decoding, indicators ---------------------------------------------------------------

apart = over(Abs(p[k] - q[k])) / 2


def accepted(index):
    return q[index] * Min(1, p[index] / q[index])


def law_of_output(residual):
    return accepted(j) + (1 - over(accepted(k))) * residual(j) / over(residual(k))


def when(value, condition):
    return sp.Piecewise((unfold(value), unfold(condition)), (0, True))


both = {"given": normalised}
PIECES = {
    "acceptance": (over(Min(p[k], q[k])), 1 - apart, both),
    "rejection": (over(Max(p[k] - q[k], 0)), apart, both),
    "the target law": (law_of_output(lambda y: Max(p[y] - q[y], 0)), p[j], {"given": [*normalised, n >= 2]}),
    "relu": (Max(z[k], 0), (z[k] + Abs(z[k])) / 2),
    "relu and its scale": (Max(w[k] * z[k], 0), w[k] * Max(z[k], 0)),
    "another index": (over(when(v[k], sp.Ne(k, j))), over(v[k]) - v[j]),
    "an indicator comes out": (over(when(w[k], z[j] > c)), when(1, z[j] > c) * over(w[k])),
    "above and not above": (over(when(v[k], z[k] > c)) + over(when(v[k], z[k] <= c)), over(v[k])),
    "steps": (over(sp.Heaviside(z[k] - c) + sp.Heaviside(c - z[k])), n),
    "an indicator's variance": (
        over(share(k) * when(1, z[k] > c)) * (1 - over(share(k) * when(1, z[k] > c))),
        over(share(k) * when(1, z[k] > c)**2) - over(share(k) * when(1, z[k] > c))**2),
}
PIECES_WRONG = {
    "acceptance": (over(Min(p[k], q[k])), 1 - 2 * apart, both),
    "acceptance, not normalised": (over(Min(p[k], q[k])), 1 - apart),
    "the residual turned": (law_of_output(lambda y: Max(q[y] - p[y], 0)), p[j],
                            {"given": [*normalised, n >= 2]}),
    "relu of any scale": (Max(v[k] * z[k], 0), v[k] * Max(z[k], 0)),
    "the place that is left": (over(when(v[k], z[k] > c)) + over(when(v[k], z[k] < c)), over(v[k])),
    "another threshold": (over(sp.Heaviside(z[k] - c)), over(sp.Heaviside(z[k]))),
}

# --- inequalities -----------------------------------------------------------------------------------

middle = (p[k] + q[k]) / 2
jensen_shannon = over(p[k] * log(p[k] / middle)) / 2 + over(q[k] * log(q[k] / middle)) / 2
gibbs = bounds.gibbs
conjugate = log(over(exp(z[k]))) + over(share(k) * log(share(k))) - over(share(k) * z[k])
blend = exp(lam * z[k] + (1 - lam) * v[k])
blended = blend / Sum(exp(lam * z[l] + (1 - lam) * v[l]), (l, 1, n))
of_blend = [gibbs(blended, pi(k), every).times(lam),
            gibbs(blended, exp(v[k]) / Sum(exp(v[l]), (l, 1, n)), every).times(1 - lam)]
chord = log(over(blend)), lam * log(over(exp(z[k]))) + (1 - lam) * log(over(exp(v[k])))
of_mean, mean_of = f(over(share(k) * z[k])), over(share(k) * f(z[k]))
by_jensen = [bounds.jensen(f, z[k], w[k], every)]
rising = bounds.log_tangent(p[k]).between(p[k] - 1, log(p[k]))
BOUNDS = {  # smaller, larger
    "Jensen–Shannon": (0, jensen_shannon, {"by": [gibbs(p[k], middle, every).times(half),
                                                  gibbs(q[k], middle, every).times(half)]}),
    "KL from uniform": (0, over(log(1 / (n * share(k))) / n), {"by": [gibbs(1 / n, share(k), every)]}),
    "KL to uniform": (0, over(share(k) * log(n * share(k))), {"by": [gibbs(share(k), 1 / n, every)]}),
    "Fenchel–Young": (0, conjugate, {"by": [gibbs(share(k), pi(k), every)]}),
    "log-sum-exp is convex": (*chord, {"given": [lam < 1], "by": of_blend}),
    "a variance": (0, variance),
    "a variance under p": (over(p[k] * v[k])**2, over(p[k] * v[k]**2), {"given": normalised[:1]}),
    "Cauchy–Schwarz": (over(z[k] * v[k])**2, over(z[k]**2) * over(v[k]**2)),
    "square of a sum": (over(z[k])**2, n * over(z[k]**2)),
    "Jensen": (of_mean, mean_of, {"given": [Convex(f)], "by": by_jensen}),
    "tangent": (f(c) + Derivative(f(c), c) * (x - c), f(x),
                {"given": [Convex(f)], "by": [bounds.tangent(f, x, c)]}),
    "increasing": (f(log(p[k])), f(p[k] - 1), {"given": [Increasing(f)], "by": [rising.through(f)]}),
    "decreasing": (f(p[k] - 1), f(log(p[k])),
                   {"given": [Decreasing(f)], "by": [rising.through(f, decreasing=True)]}),
}
BOUNDS_WRONG = {
    "half of Jensen–Shannon": (0, jensen_shannon, {"by": [gibbs(p[k], middle, every).times(half)]}),
    "Fenchel–Young turned": (conjugate, 0, {"by": [gibbs(share(k), pi(k), every)]}),
    "a chord that goes on": (*chord, {"by": of_blend}),
    "a variance, not normalised": (over(p[k] * v[k])**2, over(p[k] * v[k]**2)),
    "twice Cauchy–Schwarz": (2 * over(z[k] * v[k])**2, over(z[k]**2) * over(v[k]**2)),
    "Jensen, of any function": (of_mean, mean_of, {"by": by_jensen}),
    "Jensen, of an increasing function": (of_mean, mean_of, {"given": [Increasing(f)], "by": by_jensen}),
    "Jensen, of a concave function": (of_mean, mean_of, {"given": [Concave(f)], "by": by_jensen}),
    "Jensen turned": (mean_of, of_mean, {"given": [Convex(f)], "by": by_jensen}),
    "decreasing, not increasing": (f(log(p[k])), f(p[k] - 1),
                                   {"given": [Decreasing(f)], "by": [rising.through(f)]}),
}

# --- densities --------------------------------------------------------------------------------------

moving = family(x, theta)
densities = [Eq(Integral(p_(x), line), 1), Eq(Integral(q_(x), line), 1)]
smooth_family = [Eq(Integral(moving, line), 1), Eq(Integral(Derivative(moving, theta), line), 0)]
score = Derivative(log(moving), theta)


def E(function):
    return Integral(p_(x) * function, line)


by_gibbs = [bounds.log_tangent(q_(x) / p_(x)).times(p_(x)).integral(*line).called("Gibbs' inequality")]
DENSITIES = {
    "variance": (E((f(x) - E(f(x)))**2), E(f(x)**2) - E(f(x))**2, {"given": densities[:1]}),
    "the score has mean zero": (Integral(moving * score, line), 0, {"given": smooth_family}),
    "baseline": (Integral(moving * (f(x) - c) * score, line), Integral(moving * f(x) * score, line),
                 {"given": smooth_family}),
}
DENSITIES_WRONG = {
    "variance": (E((f(x) - E(f(x)))**2), E(f(x)**2) + E(f(x))**2, {"given": densities[:1]}),
    "variance, not normalised": (E((f(x) - E(f(x)))**2), E(f(x)**2) - E(f(x))**2),
    "the score of another family": (Integral(moving * f(x) * score, line), 0, {"given": smooth_family}),
}

# --- draws, recursions, arrangements ------------------------------------------------------------------

draw = sp.IndexedBase("x", integer=True, positive=True)


def draws(function):
    return DrawsMean(unfold(function), unfold(draw), unfold(pi(m)), unfold((k, 1, K)), unfold((m, 1, n)))


of_draws = Sum(v[draw[k]], (k, 1, K))
others = (of_draws - v[draw[k]]) / (K - 1)
DRAWS = {
    "leave-one-out": (draws(Sum((v[draw[k]] - others) * (D(j, draw[k]) - pi(j)), (k, 1, K)) / K), slope,
                      {"given": [K >= 2]}),
    "the mean as a baseline": (
        draws(Sum((v[draw[k]] - of_draws / K) * (D(j, draw[k]) - pi(j)), (k, 1, K)) / K),
        slope * (K - 1) / K),
}
DRAWS_WRONG = {
    "the mean as a baseline": (
        draws(Sum((v[draw[k]] - of_draws / K) * (D(j, draw[k]) - pi(j)), (k, 1, K)) / K), slope),
}
learnt = Iterated(*map(unfold, (V + (1 - rho) * (reward[step + 1] - V), V, step, c, time)))
closed = rho**time * c + (1 - rho) * Sum(rho ** (time - k) * reward[k], (k, 1, time))
RECURSIONS = {"Rescorla–Wagner": (learnt, closed, {"by": "induction"})}
RECURSIONS_WRONG = {"Rescorla–Wagner": (learnt, closed + rho**time, {"by": "induction"})}


def orders(function, size):
    return OverOrders(*map(unfold, (function, s, size)))


def subsets(function, size):
    return OverSubsets(*map(unfold, (function, chosen, size)))


def first(size):
    """The probability that some things are drawn before the others, whose weight is ``rest``."""
    return orders(Product(w[s[i]] / (rest + Sum(w[s[l]], (l, i, size))), (i, 1, size)), size)


def by_exclusion(size):
    total = rest + Sum(chosen[i] * w[i], (i, 1, size))
    return rest * subsets((-1)**Sum(chosen[i], (i, 1, size)) / total, size)


SMALL = {
    "all orders": (orders(Product(w[s[i]] / Sum(w[s[l]], (l, i, n)), (i, 1, n)), n), 1),
    "all subsets": (subsets(Product(w[i] ** chosen[i], (i, 1, n)), n), Product(1 + w[i], (i, 1, n))),
}
ONE_SIZE = {"a set of three": (first(3), by_exclusion(3))}
ARRANGED_WRONG = {
    "all orders": (orders(Product(w[s[i]] / Sum(w[s[l]], (l, 1, i)), (i, 1, n)), n), 2),
    "a set of three": (first(3), by_exclusion(3) / rest),
}

PROVED = [("=", rows, scope) for rows, scope in (
    (PATHS, ""), (SUMS, ""), (PIECES, ""), (DENSITIES, ""), (DRAWS, ""), (RECURSIONS, ""), (ONE_SIZE, ""),
    (SMALL, "n = 1…4"))]
PROVED += [("<=", BOUNDS, ""), (">=", {"KL of densities": (E(log(p_(x) / q_(x))), 0,
                                                          {"given": densities, "by": by_gibbs})}, "")]
WRONG = [("=", rows) for rows in (PATHS_WRONG, SUMS_WRONG, PIECES_WRONG, DENSITIES_WRONG, DRAWS_WRONG,
                                  RECURSIONS_WRONG, ARRANGED_WRONG)] + [("<=", BOUNDS_WRONG)]


def _verdict(left, right, relation, options=None):
    return decide(left, right, relation, **options or {})


@pytest.mark.parametrize("relation, row, scope", [
    pytest.param(relation, row, scope, id=name)
    for relation, rows, scope in PROVED for name, row in rows.items()])
def test_proved(relation, row, scope):
    left, right, *options = row
    verdict = _verdict(left, right, relation, *options)
    assert (verdict.status, verdict.scope) == ("proved", scope), verdict.how


@pytest.mark.parametrize("relation, row", [
    pytest.param(relation, row, id=name) for relation, rows in WRONG for name, row in rows.items()])
def test_wrong_versions_are_not_proved(relation, row):
    left, right, *options = row
    assert _verdict(left, right, relation, *options).status != "proved"
