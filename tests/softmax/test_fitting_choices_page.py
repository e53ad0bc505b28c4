"""The chapter book/softmax/fitting_choices: what must not pass on it, and its exercises."""

from proofread.errors import ProofError, Refuted
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-rw-known-rate", "T*x/((1 + exp(beta*x))*(1 + exp(-beta*x)))", "In which unit"),
    ("ex-rw-known-rate", "T*x**2/(1 + exp(-beta*x))", "certain tells nothing"),
    ("ex-rw-lapse", "1/2 - P", "derivative of the probability"),
    ("ex-rw-lapse", "1/(2*(g/2 + P - P*g))", "did look"),
    ("ex-rw-efficiency", "4", "is the noise not less"),
    ("ex-rw-efficiency", "1", "not used at all"),
]

UNCHECKED = [
    "2T", "95", r"\alpha(1 - \alpha)", r"\lambda^2", r"\rho^2/(s^2 + \rho^2)", r"\sigma(\beta\,x)",
    r"\sum_t d_t^2 v_t", r"\sum_t w_t d_t v_t", r"\sum_t w_t^2 v_t",
]

PAGE = Page("book/softmax/fitting_choices", [
    # the fit
    Falsified("in_alpha += surprise * beta * grows", "in_alpha += surprise * grows", AssertionError),
    Falsified("D[c] = r - V[c] + (1 - alpha) * D[c]", "D[c] = r - V[c]", AssertionError),
    Falsified("gradient * [alpha * (1 - alpha), beta]\n\n", "gradient * [-alpha * (1 - alpha), beta]\n\n",
              AssertionError),
    Falsified("return np.array([expit(a), np.exp(b)])", "return np.array([expit(a), b])", AssertionError),
    Falsified("outside = (ends[:, 0] < 0) | (ends[:, 0] > 1)",
              "outside = (ends[:, 0] < 0) & (ends[:, 0] > 1)",
              IndexError),
    # standard errors
    Falsified("assert np.isclose(logit(0.75), np.log(3))", "assert np.isclose(logit(0.75), np.log(4))",
              AssertionError),
    Falsified("information = -np.array(hessian) / (2 * step)", "information = -np.array(hessian) / step",
              AssertionError),
    Falsified("value < best.log_likelihood - limit", "value < best.log_likelihood - 2 * limit",
              AssertionError),
    Falsified('curves=[last["ridge"], last["edge"].T, ellipse.T,',
              'curves=[last["ridge"], ellipse.T, last["edge"].T,', ValueError, says="is drawn at"),
    Falsified("assert (np.diff(ridge[9:]) < 0).all()", "assert (np.diff(ridge) < 0).all()", AssertionError),
    # recovery
    Falsified("many = fit(*hundred)", "many = found", AssertionError),
    Falsified("for sharp in (1.5, 5.0):", "for sharp in (5.0, 1.5):", AssertionError),
    Falsified("<= 2 * many.standard_errors[:, 0])", "<= 0.5 * many.standard_errors[:, 0])", AssertionError),
    Falsified('name="recovery", curves=drawn,', 'name="recovery", curves=drawn[::-1],', ValueError),
    # shrinkage
    Falsified("shrunken.step((s**2 + rho**2) * (lam - rho**2", "shrunken.step((s**2 + rho**2) * (lam - s**2",
              Refuted),
    Falsified("keep = 0.5**2 / (1 + 0.5**2)", "keep = 1 / (1 + 0.5**2)", AssertionError),
    Falsified("around = (theta - mean) ** 2 + squared_errors", "around = (theta - mean) ** 2",
              AssertionError),
    Falsified("alone = fit(*players, beta_bounds=(0, 20))", "alone = fit(*group_of(800, rng=3)[2])",
              AssertionError),
    Falsified("shapes=[(truth, end) for end in ends],", "shapes=[(end, truth) for end in ends],", ValueError),
    Falsified('pooling.more("empirical prior", "each alone")',
              'pooling.more("each alone", "empirical prior")', Refuted, says="is not more than"),
    Falsified('pooling.more("empirical prior", "one for all")',
              'pooling.more("one for all", "empirical prior")', Refuted, says="is not more than"),
    Falsified('pooling.more("empirical prior", "fixed prior")',
              'pooling.more("fixed prior", "empirical prior")', Refuted, says="is not more than"),
    Falsified('name="pooling", curves=curves,', 'name="pooling", curves=curves[::-1],', ValueError),
    Falsified('nothing="guessing",', 'nothing="none",', ValueError),
    # comparison of models
    Falsified("price = Derivation(BIC(k + 1, ell + sp.log(T) / 2)",
              "price = Derivation(BIC(k + 1, ell + sp.log(T))",
              Refuted),
    Falsified("n * np.log(length) - 2 * score", "n * np.log(length) + 2 * score", AssertionError),
    Falsified("np.bincount(np.argmax(late, axis=0)", "np.bincount(np.argmin(late, axis=0)", AssertionError),
    Falsified("stay = rng.random(n) < np.where(won, after_win, after_loss)",
              "stay = rng.random(n) < np.where(won, after_loss, after_win)", AssertionError),
    Falsified("shapes=[each[::-1] for each in long],", "shapes=[each for each in long],", ValueError),
    # replays
    Falsified("curves=list(seen.values()),",
              "curves=list(seen.values())[::-1],", ValueError, says="is drawn at"),
    Falsified("lost, same = rewards[..., :-1] == 0,", "lost, same = rewards[..., :-1] >= 2,", AssertionError),
    Falsified("simulate(model.alpha, model.beta, shared, rng=seed)",
              "simulate(model.alpha, 0.0, shared, rng=seed)",
              AssertionError),
    # forgetful derivatives
    Falsified("log_lik(rate, sharp, *record_, forgets)", "log_lik(rate, sharp, *record_, False)",
              AssertionError),
    Falsified("log_lik(rate, sharp, *record_, forgets)", "log_lik(rate, sharp, *record_, True)",
              AssertionError),
    Falsified("shapes=[(starts, stop) for stop in paths],", "shapes=[(stop, starts) for stop in paths],",
              ValueError),
    Falsified("mean_zero.step(-(1 - P) * u * P +", "mean_zero.step((1 - P) * u * P +", Refuted),
    Falsified("chance = P**y * (1 - P)**(1 - y)", "chance = P**(1 - y) * (1 - P)**y", Refuted),
    Falsified('"Cauchy and Schwarz", relation="<=",', '"Cauchy and Schwarz", relation=">=",', Refuted),
    Falsified("lambda k: d[k]}", "lambda k: 3 + d[k]}", ProofError),
    Falsified("by=bounds.cauchy_schwarz(w[t] * sp.sqrt(v[t]), d[t] * sp.sqrt(v[t]), (t, 1, T)))",
              "by=bounds.cauchy_schwarz(w[t], d[t], (t, 1, T)))", ProofError),
    Falsified("            D[1 - chosen, row] = 0", "            pass", AssertionError),
    Falsified("D[chosen, row] = surprise + (1 - rate)", "D[chosen, row] = surprise + rate", AssertionError),
    Falsified("np.sqrt(products[0]) / (3.0", "products[0] / (3.0", AssertionError),
    # the order of choice and outcome
    Falsified("                                     scored=scored)",
              "                                     scored='before')", AssertionError),
    Falsified("assert abs(np.exp(value) @ forgetful) < 1e-12", "assert abs(value @ forgetful) < 1e-12",
              AssertionError),
    Falsified("order.step(2 * sigma(alpha * beta * h),", "order.step(sigma(2 * alpha * beta * h),", Refuted),
    Falsified("order = Derivation(2 * sigma(beta * (c + alpha * (c + h - c) - c)),",
              "order = Derivation(2 * sigma(beta * (c + alpha * (c + h) - c)),", Refuted),
    # exercises and symbols
    Falsified("informed.solution(sp.Sum(x**2 * sigma", "informed.solution(sp.Sum(x * sigma", Refuted),
    Falsified("lapse.solution(sp.Derivative(sp.log(g / 2 + (1 - g) * P), g))",
              "lapse.solution(sp.Derivative(sp.log(g / 2 + (1 - g) * P), P))", Refuted),
    Falsified("wasted.solution((T / T**2) / (2 * T / (2 * T)**2))",
              "wasted.solution((T / T**2) / (T / (2 * T)**2))", Refuted),
    Falsified("xlogy(m, m / n) + xlogy(n - m, (n - m) / n)", "xlogy(m, m / n)", Refuted),
    Falsified('w: "weights", d:', "d:", ValueError, says="w is not declared"),
], unchecked=UNCHECKED, mistakes=MISTAKES, exercises=4)
