"""The chapter book/softmax/fitting_choices: what must not pass on it, and its exercises."""

from proofread.errors import ProofError, Refuted
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-rw-known-rate", "T*x/((1 + exp(beta*x))*(1 + exp(-beta*x)))", "In which unit"),
    ("ex-rw-known-rate", "T*x**2/(1 + exp(-beta*x))", "certain tells nothing"),
    ("ex-rw-lapse", "1/2 - P", "slope of the probability"),
    ("ex-rw-lapse", "1/(2*(g/2 + P - P*g))", "did look"),
    ("ex-rw-efficiency", "4", "is the noise not less"),
    ("ex-rw-efficiency", "1", "not used at all"),
]

UNCHECKED = [
    "10^9", "2T", "80", "95", r"\log\sigma(u) = -\log(1 + e^{-u})", r"\sum_t w_t d_t v_t",
    r"\sum_t w_t^2 v_t",
]

PAGE = Page("book/softmax/fitting_choices", [
    # the order of choice and outcome
    Falsified("                                     scored=scored)",
              "                                     scored='before')", AssertionError),
    Falsified("return [weights.sum(), np.abs(weights @ gradient).max()]",
              "return [weights.mean(), np.abs(weights @ gradient).max()]", AssertionError),
    Falsified("order.step(2 * sigma(alpha * beta * h),",
              "order.step(sigma(2 * alpha * beta * h),", Refuted),
    Falsified("order = Derivation(2 * sigma(beta * (c + alpha * (c + h - c) - c)),",
              "order = Derivation(2 * sigma(beta * (c + alpha * (c + h) - c)),", Refuted),
    # the curve
    Falsified("+ Partial(f(alpha, b(alpha)), b(alpha)) * sp.Derivative(b(alpha), alpha),",
              "+ Partial(f(alpha, b(alpha)), b(alpha)),", Refuted),
    Falsified("(np.abs([found.alpha - 0.2, found.beta - 3])",
              "(np.abs([found.alpha - 0.4, found.beta - 3])",
              AssertionError),
    Falsified("assert np.allclose(slopes, -information, rtol=1e-6)",
              "assert np.allclose(slopes, information, rtol=1e-6)", AssertionError),
    # the ridge
    Falsified("value < best.log_likelihood - limit",
              "value < best.log_likelihood - 2 * limit", AssertionError),
    Falsified('curves=[last["ridge"], last["edge"].T, ellipse.T,',
              'curves=[last["ridge"], ellipse.T, last["edge"].T,', ValueError, says="is drawn at"),
    Falsified("assert (np.diff(ridge[9:]) < 0).all()", "assert (np.diff(ridge) < 0).all()", AssertionError),
    # recovery
    Falsified("predicted = np.nanmean(again.standard_errors, axis=0)",
              "predicted = np.nanmean(again.standard_errors, axis=0)**2", AssertionError),
    Falsified("covers = np.abs(estimates - truth) <= 2 *", "covers = np.abs(estimates - truth) <= 0.5 *",
              AssertionError),
    Falsified("players = simulate(*truth, games, rng=2)", "players = simulate(0.3, 3.0, games, rng=2)",
              AssertionError),
    # forgetful slopes
    Falsified("rules[rule](*records[length])", "rules['forgetful slope'](*records[length])", AssertionError),
    Falsified("farther = int((np.abs(vague - truth[0]) > np", "farther = int((np.abs(vague - truth[0]) < np",
              AssertionError),
    Falsified("abs(summary[name][0] - truth[0]) < 4", "abs(summary[name][0] - 1.2 * truth[0]) < 4",
              AssertionError),
    Falsified("mean_zero.step(-(1 - P) * u * P +", "mean_zero.step((1 - P) * u * P +", Refuted),
    Falsified("chance = P**k * (1 - P)**(1 - k)", "chance = P**(1 - k) * (1 - P)**k", Refuted),
    Falsified("variance.step((1 - P) * u**2 * P**2 + P * u**2 * (1 - P)**2,",
              "variance.step((1 - P) * u**2 * P**2 - P * u**2 * (1 - P)**2,", Refuted),
    Falsified("variance.step(u**2 * P * (1 - P),", "variance.step(u**2 * P * (1 + P),", Refuted),
    Falsified("moves.step(beta * sp.Derivative(a(alpha), alpha) *",
              "moves.step(sp.Derivative(a(alpha), alpha) *", Refuted),
    Falsified('"Cauchy and Schwarz", relation="<=",', '"Cauchy and Schwarz", relation=">=",', Refuted),
    Falsified("lambda k: d[k]}", "lambda k: 3 + d[k]}", ProofError),
    Falsified("by=bounds.cauchy_schwarz(w[t] * sp.sqrt(v[t]), d[t] * sp.sqrt(v[t]), (t, 1, T)))",
              "by=bounds.cauchy_schwarz(w[t], d[t], (t, 1, T)))", ProofError),
    Falsified("D[1 - chosen, row] = 0  # as the notes have it", "pass", AssertionError),
    Falsified("D[chosen, row] = surprise + (1 - alpha)", "D[chosen, row] = surprise + alpha", AssertionError),
    Falsified("return beta * ((sequences == 0) -", "return beta * ((sequences == 1) -", AssertionError),
    Falsified("np.abs(mixed - hessian[:, 0, 1])", "np.abs(mixed - mixed)", AssertionError),
    Falsified("@ noise @", "@", AssertionError),
    Falsified("for forgets in (False, True)]\nobserved", "for forgets in (True, False)]\nobserved",
              AssertionError),
    Falsified("shapes=[(starts, end) for end in ends],",
              "shapes=[(end, starts) for end in ends],", ValueError),
    Falsified("gradient[0] = forgetful_slope(data, point[:1], point[1:])[0]", "pass",
              AssertionError),
    Falsified("assert held == np.isnan", "assert held > np.isnan", AssertionError),
    # scored late
    Falsified("assert np.abs(excess_of).max() <= 2 ", "assert np.abs(excess_of).max() <= 0.2 ",
              AssertionError),
    Falsified("- sp.log(sp.exp(-beta * n) + sp.exp(-beta * c)),",
              "- sp.log(sp.exp(-beta * n) - sp.exp(-beta * c)),", Refuted),
    Falsified("late.step(sp.log(1 + sp.exp(-beta * (m - c)))",
              "late.step(sp.log(1 + sp.exp(-beta * (c - m)))", Refuted),
    Falsified("ends_only.step(q[1] - q[T + 1],", "ends_only.step(q[1] - q[T],", Refuted),
    Falsified("logsumexp(-2 * first) - logsumexp(-2 * last_)", "logsumexp(2 * first) - logsumexp(2 * last_)",
              AssertionError),
    Falsified('after, before = fit(*even, scored="after"), fit(*even)',
              'before, after = fit(*even, scored="after"), fit(*even)', AssertionError),
    Falsified("simulate(*truth, evens, feedback=feedback, rng=4)", "simulate(*truth, evens, rng=4)",
              AssertionError),
    # the check of the model
    Falsified('curves=list(seen.values()),',
              'curves=list(seen.values())[::-1],', ValueError, says="is drawn at"),
    Falsified("lost, same = rewards[..., :-1] == 0,",
              "lost, same = rewards[..., :-1] >= 2,", AssertionError),
    # exercises and symbols
    Falsified("informed.solution(sp.Sum(x**2 * sigma", "informed.solution(sp.Sum(x * sigma", Refuted),
    Falsified("lapse.solution(sp.Derivative(sp.log(g / 2 + (1 - g) * P), g))",
              "lapse.solution(sp.Derivative(sp.log(g / 2 + (1 - g) * P), P))", Refuted),
    Falsified("wasted.solution((T / T**2) / (2 * T / (2 * T)**2))",
              "wasted.solution((T / T**2) / (T / (2 * T)**2))", Refuted),
    Falsified('w: "weights", d:', "d:", ValueError, says="w is not declared"),
], unchecked=UNCHECKED, mistakes=MISTAKES)
