"""Known statements on sums, draws, bounds, paths and models: decided, and for which sizes."""

import pytest

from proofread import E as mean_under
from proofread import NormalLaw, bounds, decide
from proofread import sympy as sp
from proofread.any_size.substitution import substitution
from proofread.language.binders import DrawsMean
from proofread.language.typed import unfold

Sum, Product, Integral, Derivative, exp, log = (
    sp.Sum, sp.Product, sp.Integral, sp.Derivative, sp.exp, sp.log)
D, Max, Min, Abs, Eq, half = sp.KroneckerDelta, sp.Max, sp.Min, sp.Abs, sp.Eq, sp.Rational(1, 2)

b, h, i, j, k, l, m, n, t, A, K, T = sp.symbols(  # noqa: E741
    "b h i j k l m n t A K T", integer=True, positive=True)
c, x, theta, V = sp.symbols("c x theta V", real=True)
lam, rest, rho, tau = sp.symbols("lamda r rho tau", positive=True)
z, v, reward, weights = (sp.IndexedBase(name, real=True) for name in ("z", "v", "R", "W"))
p, q, w, P = (sp.IndexedBase(name, positive=True) for name in "pqwP")
s, a = (sp.IndexedBase(name, integer=True, positive=True) for name in "sa")
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
}
BOUNDS_WRONG = {
    "half of Jensen–Shannon": (0, jensen_shannon, {"by": [gibbs(p[k], middle, every).times(half)]}),
    "Fenchel–Young turned": (conjugate, 0, {"by": [gibbs(share(k), pi(k), every)]}),
    "a chord that goes on": (*chord, {"by": of_blend}),
    "a variance, not normalised": (over(p[k] * v[k])**2, over(p[k] * v[k]**2)),
    "twice Cauchy–Schwarz": (2 * over(z[k] * v[k])**2, over(z[k]**2) * over(v[k]**2)),
}

# --- densities --------------------------------------------------------------------------------------

moving = family(x, theta)
densities = [Eq(Integral(p_(x), line), 1), Eq(Integral(q_(x), line), 1)]
smooth_family = [Eq(Integral(moving, line), 1), Eq(Integral(Derivative(moving, theta), line), 0)]
score = Derivative(log(moving), theta)


def E(function):
    return Integral(p_(x) * function, line)


by_gibbs = [bounds.log_tangent(q_(x) / p_(x)).times(p_(x)).integral(*line).called("Gibbs' inequality")]
DENSITIES = {  # the variance of `test_densities` has integrals within integrals, of which numbers take long
    "a constant": (E(f(x) + c), E(f(x)) + c, {"given": densities[:1]}),
    "the score has mean zero": (Integral(moving * score, line), 0, {"given": smooth_family}),
    "baseline": (Integral(moving * (f(x) - c) * score, line), Integral(moving * f(x) * score, line),
                 {"given": smooth_family}),
}
DENSITIES_WRONG = {
    "a constant, twice": (E(f(x) + c), E(f(x)) + 2 * c, {"given": densities[:1]}),
    "a constant, not normalised": (E(f(x) + c), E(f(x)) + c),
    "the score of another family": (Integral(moving * f(x) * score, line), 0, {"given": smooth_family}),
}

# --- draws --------------------------------------------------------------------------------------------

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

# --- noise contrast, discriminators, calibration, attention ---------------------------------------------

ratio = lam * q[j]
odds = P[i, j] / (Sum(P[i, l], (l, 1, m)) * Sum(P[l, j], (l, 1, n)))
product = Sum(P[i, l], (l, 1, m)) * Sum(P[l, j], (l, 1, n))
objective = p[j] * log(sigmoid(x)) + ratio * log(1 - sigmoid(x))
pairwise = P[i, j] * log(sigmoid(x)) + lam * product * log(sigmoid(-x))
best = p[k] / (p[k] + q[k])
game = p[k] * log(rho) + q[k] * log(1 - rho)
best_game = p[k] * log(best) + q[k] * log(1 - best)
tilted = log(over(exp(c * z[k])))


def tilt(index):
    return exp(c * z[index]) / Sum(exp(c * z[l]), (l, 1, n))


tilted_variance = over(tilt(k) * z[k]**2) - over(tilt(k) * z[k])**2
likelihood = over(pi(k) * w[k])
hard_gap = log(likelihood) - over(pi(k) * log(w[k]))
attended = pi(k) * w[k] / Sum(pi(m) * w[m], (m, 1, n))
of_row = Sum(P[i, l], (l, 1, m))
row_mean = Sum(P[i, l] * weights[i, l], (l, 1, m)) / of_row
row_square = Sum(P[i, l] * weights[i, l]**2, (l, 1, m)) / of_row
whole_mean = Sum(P[i, l] * weights[i, l], (l, 1, m), (i, 1, n))
MODELS = {
    "Fisher information of a logit": (over(pi(k) * (D(j, k) - pi(j))**2), pi(j) * (1 - pi(j))),
    "a baseline has a best value": (Derivative(over(pi(k) * (v[k] - c)**2 * (D(j, k) - pi(j))**2), c),
                                    -2 * over(pi(k) * (v[k] - c) * (D(j, k) - pi(j))**2)),
    "rewards against their mean": (
        reward[i] - Sum(reward[k], (k, 1, K)) / K,
        (K - 1) / K * (reward[i] - (Sum(reward[k], (k, 1, K)) - reward[i]) / (K - 1)), {"given": [K >= 2]}),
    "evidence": (log(over(w[k])), over(q[k] * log(w[k] / q[k])) + over(
        q[k] * log(q[k] * Sum(w[l], (l, 1, n)) / w[k])), {"given": normalised[1:]}),
    "noise contrast, slope": (Derivative(objective, x), p[j] - (p[j] + ratio) * sigmoid(x)),
    "noise contrast, optimum": (p[j] - (p[j] + ratio) * sigmoid(log(p[j] / ratio)), 0),
    "noise contrast with much noise": (
        sp.Limit((p[j] - exp(z[j])) * lam * q[j] / (exp(z[j]) + lam * q[j]), lam, sp.oo), p[j] - exp(z[j])),
    "shifted mutual information": (log(odds) - log(lam), log(P[i, j]) - log(product) - log(lam)),
    "its slope": (Derivative(pairwise, x), P[i, j] * sigmoid(-x) - lam * product * sigmoid(x)),
    "its optimum": (P[i, j] * sigmoid(log(lam) - log(odds)), lam * product * sigmoid(log(odds) - log(lam))),
    "a discriminator's slope": (Derivative(game, rho), p[k] / rho - q[k] / (1 - rho), {"given": [rho < 1]}),
    "a discriminator's value": (over(best_game), -2 * log(2) + 2 * jensen_shannon, {"given": normalised}),
    "calibration, stationary": (Derivative(c * x - tilted, c), x - over(tilt(k) * z[k])),
    "calibration, curvature": (Derivative(tilted, c, c), tilted_variance),
    "hard attention": (Derivative(over(pi(k) * log(w[k])), z[j]),
                       pi(j) * (log(w[j]) - over(pi(k) * log(w[k])))),
    "soft attention": (Derivative(log(likelihood), z[j]), pi(j) * w[j] / likelihood - pi(j)),
    "their gap": (hard_gap, over(pi(k) * log(pi(k) / attended))),
    "swapped pairs": (Sum((v[m] - over(v[k]) / n) * (1 - n * D(j, m)), (m, 1, n)), over(v[k]) - n * v[j]),
    "a race": (Integral(w[j] * exp(-tau * Sum(w[l], (l, 1, n))), (tau, 0, sp.oo)), share(j)),
    "a race with its time": (Integral((1 - n * tau) * w[j] * exp(-tau * over(w[k])), (tau, 0, sp.oo)),
                             share(j) - n * share(j) / Sum(w[l], (l, 1, n))),
    "sparse attention, stationary": (
        Derivative(over(p[k] * z[k] - (p[k]**rho - p[k]) / (rho * (rho - 1))) - c * (over(p[k]) - 1), p[j]),
        z[j] - p[j] ** (rho - 1) / (rho - 1) + 1 / (rho * (rho - 1)) - c, {"given": [rho > 1]}),
    "a loss of scores": (Derivative(log(over(exp(z[k]))) - over(q[k] * z[k]) + over(q[k] * log(q[k])), z[j]),
                         pi(j) - q[j]),
    "Bayes": (Sum(p[i] * P[i, j] / Sum(p[l] * P[l, j], (l, 1, n)), (i, 1, n)), 1),
    "tower": (Sum(of_row * row_mean, (i, 1, n)), whole_mean),
    "total variance": (
        Sum(P[i, l] * weights[i, l]**2, (l, 1, m), (i, 1, n)) - whole_mean**2,
        Sum(of_row * (row_square - row_mean**2), (i, 1, n)) + Sum(of_row * row_mean**2, (i, 1, n))
        - Sum(of_row * row_mean, (i, 1, n))**2),
}
MODELS_WRONG = {
    "noise contrast, sign": (Derivative(objective, x), p[j] - (p[j] - ratio) * sigmoid(x)),
    "noise contrast with little noise": (
        sp.Limit((p[j] - exp(z[j])) * lam * q[j] / (exp(z[j]) + lam * q[j]), lam, 0), p[j] - exp(z[j])),
    "shift turned": (P[i, j] * sigmoid(log(lam) - log(odds)), lam * product * sigmoid(log(odds) + log(lam))),
    "one logarithm of 2": (over(best_game), -log(2) + 2 * jensen_shannon, {"given": normalised}),
    "calibration, a sum of squares": (Derivative(tilted, c, c), over(tilt(k) * z[k]**2)),
    "hard attention for soft": (Derivative(log(likelihood), z[j]),
                                pi(j) * (log(w[j]) - over(pi(k) * log(w[k])))),
    "swapped pairs, not centred": (Sum(v[m] * (1 - n * D(j, m)), (m, 1, n)), over(v[k]) - v[j]),
    "total variance, twice": (Sum(P[i, l] * weights[i, l]**2, (l, 1, m), (i, 1, n)) - whole_mean**2,
                              Sum(of_row * (row_square - row_mean**2), (i, 1, n))),
}

around = (D(j, k) - pi(j))**2
best_baseline = over(pi(k) * v[k] * around) / over(pi(k) * around)
best_guess = [bounds.log_tangent(rho / best).times(p[k]),
              bounds.log_tangent((1 - rho) / (1 - best)).times(q[k])]
MODEL_BOUNDS = {
    "evidence": (over(q[k] * log(w[k] / q[k])), log(over(w[k])),
                 {"given": normalised[1:], "by": [gibbs(q[k], share(k), every)]}),
    "best baseline": (over(pi(k) * (v[k] - best_baseline)**2 * around), over(pi(k) * (v[k] - c)**2 * around),
                      {"given": [n >= 2], "by": [bounds.square(c - best_baseline).times(
                          over(pi(k) * around))]}),
    "noise contrast is concave": (Derivative(objective, x, x), 0),
    "best discriminator": (game, best_game, {"given": [rho < 1], "by": best_guess}),
    "calibration is convex": (0, Derivative(tilted, c, c)),
    "hard attention is below": (0, hard_gap, {"by": [bounds.jensen(lambda u: -log(u), w[k], exp(z[k]), every,
                                                                   positive=True)]}),
    "a loss of scores": (0, log(over(exp(z[k]))) - over(q[k] * z[k]) + over(q[k] * log(q[k])),
                         {"given": normalised[1:], "by": [gibbs(q[k], pi(k), every)]}),
    "Jensen, logarithm": (over(share(k) * log(q[k])), log(over(share(k) * q[k])),
                          {"by": [bounds.jensen(lambda u: -log(u), q[k], w[k], every, positive=True)]}),
    "Jensen, square": (over(share(k) * z[k])**2, over(share(k) * z[k]**2)),
    "learning slows down": (Derivative(c - (c - x) * exp(-rho * tau), tau, tau), 0, {"given": [c > x]}),
}
MODEL_BOUNDS_WRONG = {
    "best discriminator, not confined": (game, best_game, {"by": best_guess}),
    "calibration is concave": (Derivative(tilted, c, c), 0),
    "learning from above slows down": (Derivative(c - (c - x) * exp(-rho * tau), tau, tau), 0),
    "another baseline": (over(pi(k) * (v[k] - c)**2 * around), over(pi(k) * v[k]**2 * around)),
}

# --- densities that are known, changes of variables, temperatures ----------------------------------------

u, g, T_ = sp.symbols("u g L", real=True)
unit = sp.Symbol("y", positive=True)


def log_normal(place, centre, scale):
    return -(place - centre)**2 / (2 * scale**2) - log(scale) - log(2 * sp.pi) / 2


def normal(place, centre=0, scale=1):
    return exp(log_normal(place, centre, scale))


def gumbel(place, centre):
    return exp(centre - place - exp(centre - place))


encoder = NormalLaw("q", x, theta, tau**2)
evidence = Integral(p_(u), (u, -sp.oo, sp.oo))
bound = Integral(q_(x) * log(p_(x) / q_(x)), line)
centre = (p_(x) + q_(x)) / 2
shannon = Integral(p_(x) * log(p_(x) / centre), line) + Integral(q_(x) * log(q_(x) / centre), line)
chance = p_(x) / (p_(x) + q_(x))
density_bounds = [bounds.log_tangent(centre / d(x)).times(d(x)).integral(*line) for d in (p_, q_)]
second = exp(z[2] - g - exp(z[2] - g) - exp(z[3] - g))
rate = exp(z[2]) + exp(z[3])
after = substitution(lambda _: exp(z[2]) / rate, exp(-exp(-g) * rate), (g, -sp.oo, u))
logit = log(unit) - log(1 - unit)
concrete = (tau * rho * unit ** (-tau - 1) * (1 - unit) ** (-tau - 1)
            / (rho * unit**-tau + (1 - unit)**-tau)**2)
one_place, together = w[k] * q[k] ** (-tau - 1), Sum(w[k] * q[k]**-tau, (k, 1, K))
truncated = c - log(exp(c - T_) - log(unit))
KNOWN = {
    "evidence": (log(evidence), bound + Integral(q_(x) * log(q_(x) * evidence / p_(x)), line),
                 {"given": densities[1:]}),
    "evidence of a normal model": (
        mean_under(log_normal(u, x, 1) + log_normal(x, 0, 1) - log_normal(x, theta, tau), encoder)
        + mean_under(log_normal(x, theta, tau) - log_normal(x, u / 2, 1 / sp.sqrt(2)), encoder),
        log_normal(u, 0, sp.sqrt(2))),
    "a discriminator of densities": (Integral(p_(x) * log(chance) + q_(x) * log(1 - chance), line),
                                     shannon - 2 * log(2), {"given": densities}),
    "a second moment": (Integral((c + rho * x)**2 * normal(x), line), c**2 + rho**2),
    "logistic variables": (Integral(p_(sigmoid(x)) * sigmoid(x) * (1 - sigmoid(x)), line),
                           Integral(p_(u), (u, 0, 1)), {"by": [substitution(p_, sigmoid(x), line)]}),
    "hyperbolic tangent": (Integral(p_(sp.tanh(x)) * (1 - sp.tanh(x)**2), line), Integral(p_(u), (u, -1, 1)),
                           {"by": [substitution(p_, sp.tanh(x), line)]}),
    "the second largest": (Integral(second, (g, -sp.oo, u)), exp(z[2]) / rate * exp(-exp(-u) * rate),
                           {"by": [after]}),
    "the largest and which": (Integral(exp(z[j] - x - exp(-x) * over(exp(z[k]))), (x, -sp.oo, c)),
                              pi(j) * exp(-exp(-c) * over(exp(z[k])))),
    "Concrete, logit": (tau * rho * exp(-tau * x) / (1 + rho * exp(-tau * x))**2,
                        tau * exp(log(rho) - tau * x) / (1 + exp(log(rho) - tau * x))**2),
    "Concrete on (0, 1)": (Derivative(1 / (1 + rho * exp(-tau * logit)), unit), concrete,
                           {"given": [unit < 1]}),
    "Concrete of any size": (
        Integral(lam ** (K - 1) * Product(one_place * exp(-lam * w[k] * q[k]**-tau), (k, 1, K)),
                 (lam, 0, sp.oo)),
        sp.gamma(K) * Product(one_place, (k, 1, K)) / together**K),
    "Concrete, hot": (sp.Limit(w[k] ** (1 / tau) / Sum(w[l] ** (1 / tau), (l, 1, n)), tau, sp.oo), 1 / n),
    "Concrete, cold": (sp.Limit(sigmoid(x / tau), tau, 0),
                       sp.Piecewise((1, unfold(x > 0)), (half, unfold(Eq(x, 0))), (0, True))),
    "truncated": (exp(-exp(c - truncated)) / exp(-exp(c - T_)), unit, {"given": [unit < 1]}),
    "truncated, shifted": (truncated, T_ - log(1 - exp(T_ - c) * log(unit)), {"given": [unit < 1]}),
    "truncated, distribution function": (
        exp(exp(c - T_) - exp(c - Min(x, T_))),
        sp.Piecewise((unfold(exp(exp(c - T_) - exp(c - x))), unfold(x < T_)), (1, True))),
    "two antithetic draws": (Integral(v[1] * (1 - 2 * unit), (unit, 0, rho))
                             + Integral(v[2] * (1 - 2 * unit), (unit, rho, 1)),
                             (v[1] - v[2]) * rho * (1 - rho), {"given": [rho < 1]}),
    "on a triangle": (Integral(2 * unit * lam, (lam, 0, 1 - unit), (unit, 0, 1)), sp.Rational(1, 12)),
    "a sparse choice of two": (Max(0, Min(1, (x + 1) / 2)), (Abs(x + 1) - Abs(x - 1) + 2) / 4),
    "a sparse choice": (Max(z[k] - c, 0) * (Max(z[k] - c, 0) - z[k] + c), 0),
}
KNOWN_WRONG = {
    "evidence, not normalised": KNOWN["evidence"][:2],
    "another Jacobian": (Integral(p_(sigmoid(x)) * sigmoid(x), line), Integral(p_(u), (u, 0, 1)),
                         {"by": [substitution(p_, sigmoid(x), line)]}),
    "the first for the second": (Integral(second, (g, -sp.oo, u)), exp(z[3]) / rate * exp(-exp(-u) * rate),
                                 {"by": [after]}),
    "Concrete, cold, at 0": (sp.Limit(sigmoid(x / tau), tau, 0), sp.Heaviside(x, 1)),
    "Concrete, cold": (sp.Limit(sigmoid(x / tau), tau, 0), 1),
    "truncated above": (exp(-exp(c - truncated)) / exp(-exp(c - T_)), 1 - unit, {"given": [unit < 1]}),
    "Concrete, a power": (Derivative(1 / (1 + rho * exp(-tau * logit)), unit),
                          concrete * unit * (1 - unit), {"given": [unit < 1]}),
}
DENSITY_BOUNDS = {
    "evidence": (bound, log(evidence), {"given": densities[1:], "by": [
        bounds.log_tangent(p_(x) / evidence / q_(x)).times(q_(x)).integral(*line)]}),
    "Jensen–Shannon": (0, shannon, {"given": densities, "by": density_bounds}),
}
UNPROVED = {  # the numbers agree, and no rule is known
    "the smaller of two powers": (exp(exp(c - T_) - exp(c - Min(x, T_))),
                                  Min(1, exp(exp(c - T_) - exp(c - x)))),
}

PROVED = [("=", rows, scope) for rows, scope in (
    (PATHS, ""), (SUMS, ""), (MODELS, ""), (KNOWN, ""), (PIECES, ""), (DENSITIES, ""), (DRAWS, ""))]
PROVED += [("<=", rows, "") for rows in (BOUNDS, MODEL_BOUNDS, DENSITY_BOUNDS)]
PROVED += [(">=", {"KL of densities": (E(log(p_(x) / q_(x))), 0,
                                                          {"given": densities, "by": by_gibbs})}, "")]
WRONG = [("=", rows) for rows in (PATHS_WRONG, SUMS_WRONG, PIECES_WRONG, DENSITIES_WRONG, DRAWS_WRONG,
                                  MODELS_WRONG, KNOWN_WRONG)]
WRONG += [("<=", BOUNDS_WRONG), ("<=", MODEL_BOUNDS_WRONG)]


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


@pytest.mark.parametrize("name", UNPROVED)
def test_what_no_rule_proves(name):
    left, right, *options = UNPROVED[name]
    assert _verdict(left, right, "=", *options).status == "agrees"
