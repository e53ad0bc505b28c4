"""The chapter book/softmax/fitting_choices: what must not pass on it, and its exercises."""

from proofread.errors import Refuted
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-rw-known-rate", "T*x/((1 + exp(beta*x))*(1 + exp(-beta*x)))", "In which unit"),
    ("ex-rw-known-rate", "T*x**2/(1 + exp(-beta*x))", "certain tells nothing"),
    ("ex-rw-lapse", "1/2 - P", "derivative of the probability"),
    ("ex-rw-lapse", "1/(2*(g/2 + P - P*g))", "without a lapse"),
    ("ex-rw-attenuation", "d", "before the shrinkage"),
    ("ex-rw-attenuation", "d*s**2/(rho**2 + s**2)", "very exact estimate"),
    ("ex-rw-attenuation", "d*rho/sqrt(rho**2 + s**2)", "a correlation suffers"),
    ("ex-rw-attenuation", "d*(rho**2 + s**2)/rho**2", "make a slope larger"),
]

UNCHECKED = ["24", "95", "(0.3, 2)", r"\lambda^2", r"\sigma(\beta\,x)"]

PAGE = Page("book/softmax/fitting_choices", [
    # the two tests
    Falsified("in_alpha += residual * beta * grows", "in_alpha += residual * grows", AssertionError),
    Falsified("D[c] = r - V[c] + (1 - alpha) * D[c]", "D[c] = r - V[c]", AssertionError),
    Falsified("zip(*volunteer)) if t % 9]", "zip(*volunteer)) if t % 8]", AssertionError),
    Falsified("payoffs[sequences, np.arange(8)]", "payoffs[0, sequences]", AssertionError),
    Falsified("own, scored=scored)", "own, scored='before')", AssertionError),
    Falsified("order.step(2 * sigma(alpha * beta * h),", "order.step(sigma(2 * alpha * beta * h),", Refuted),
    Falsified("order = Derivation(2 * sigma(beta * (v + alpha * (v + h - v) - v)),",
              "order = Derivation(2 * sigma(beta * (v + alpha * (v + h) - v)),", Refuted),
    Falsified("        D[1 - c_] = 0.0\n", "", AssertionError),
    # the fit
    Falsified("outside = (ends[:, 0] < 0) | (ends[:, 0] > 1)",
              "outside = (ends[:, 0] < 0) & (ends[:, 0] > 1)", AssertionError),
    Falsified("choices, rewards)[0].argmax()", "choices, rewards)[0].argmin()", AssertionError),
    Falsified("bounds=[(0, 1), (0, beta_max)]).x", "bounds=[(0, 0.5), (0, beta_max)]).x", AssertionError),
    Falsified("beta_bounds=(0, 1000))", "beta_bounds=(0, 25))", AssertionError),
    # standard errors
    Falsified("np.log(0.75 / 0.25), np.log(3)", "np.log(0.75 / 0.25), np.log(4)", AssertionError),
    Falsified("np.array(hessian) / (2 * step)", "np.array(hessian) / step", AssertionError),
    Falsified("curves += [ellipse.T, [[0.2, 3.0]]]", "curves += [[[0.2, 3.0]], ellipse.T]", ValueError),
    Falsified("    shapes.append((low, high))\n    curves", "    shapes.append((high, low))\n    curves",
              ValueError),
    # recovery
    Falsified('{50: found["50"], 200: found["200"]}', '{200: found["50"], 50: found["200"]}', AssertionError),
    Falsified("reversal_task(source, 50, period)", "reversal_task(source, 50)", AssertionError),
    Falsified("np.median(missed_a), np.median(missed_b)", "np.median(missed_b), np.median(missed_a)",
              AssertionError),
    Falsified("for sharp in (1.5, 5.0):", "for sharp in (5.0, 1.5):", AssertionError),
    Falsified("return np.array([fit(*play(a, b, task(rng), rng))",
              "return np.array([fit(*play(b / 8, b, task(rng), rng))", AssertionError),
    Falsified('name="recovery", curves=drawn,', 'name="recovery", curves=drawn[::-1],', ValueError),
    # shrinkage
    Falsified("shrunken.step((s**2 + rho**2) * (lam - rho**2", "shrunken.step((s**2 + rho**2) * (lam - s**2",
              Refuted),
    Falsified("keep = 0.5**2 / (1 + 0.5**2)", "keep = 1 / (1 + 0.5**2)", AssertionError),
    Falsified("variance = (posterior @ (points - mean) ** 2).mean(axis=0)",
              "variance = (posterior @ points).var(axis=0)", AssertionError),
    Falsified("rest=1e-6, rounds=20_000", "rest=1e-4, rounds=20_000", AssertionError),
    Falsified('name="shrinkage", curves=drawn,', 'name="shrinkage", curves=drawn[::-1],', ValueError),
    Falsified('pooling.undecided("earlier study", "empirical prior")',
              'pooling.undecided("one for all", "empirical prior")', Refuted, says="is seen"),
    Falsified('members.less("empirical prior", "one for all")',
              'members.less("one for all", "empirical prior")', Refuted, says="is not less than"),
    Falsified("at_truth > top.log_likelihood - 1.92", "at_truth > top.log_likelihood - 0.5", AssertionError),
    Falsified("has = ~top.at_bound.any(axis=1)", "has = top.at_bound.any(axis=1)", AssertionError),
    Falsified('pooling.more("empirical prior", "each alone")',
              'pooling.more("each alone", "empirical prior")', Refuted, says="is not more than"),
    Falsified('pooling.more("empirical prior", "one for all")',
              'pooling.more("one for all", "empirical prior")', Refuted, says="is not more than"),
    Falsified('pooling.more("empirical prior", "fixed prior")',
              'pooling.more("fixed prior", "empirical prior")', Refuted, says="is not more than"),
    Falsified('name="pooling", curves=curves,', 'name="pooling", curves=curves[::-1],', ValueError),
    Falsified('kept.recorded(POOLING_25), nothing="guessing",', 'kept.recorded(POOLING_25), nothing="none",',
              ValueError),
    # comparison of models
    Falsified("price = Derivation(BIC(k + 1, ell + sp.log(T) / 2)",
              "price = Derivation(BIC(k + 1, ell + sp.log(T))", Refuted),
    Falsified("return k * np.log(len(table)) - 2", "return k * np.log(len(table)) + 2", AssertionError),
    Falsified("table[fold != f].sum(axis=0).argmax()", "table[fold != f].sum(axis=0).argmin()",
              AssertionError),
    Falsified("q = np.where(record[1][:-1, None] > 0, win, lose)",
              "q = np.where(record[1][1:, None] > 0, win, lose)", AssertionError),
    Falsified("logs.append(-np.logaddexp(0, -beta * (V[c]", "logs.append(-np.logaddexp(0, beta * (V[c]",
              AssertionError),
    Falsified("shapes=[confused[n][0][::-1] for", "shapes=[confused[n][0] for", ValueError),
    Falsified("as_simple = int(long_counts[2, 0, 2])", "as_simple = int(long_counts[0, 0, 2])",
              AssertionError),
    # replays
    Falsified("curves=[curve_A, normal,", "curves=[1 - curve_A, normal,", ValueError,
              says="is drawn at"),
    Falsified("return stay[won].mean(), stay[~won].mean()", "return stay[won].mean(), stay[won].mean()",
              AssertionError),
    Falsified("simulate(found.alpha, found.beta, shared,", "simulate(found.alpha, 0.0, shared,",
              AssertionError),
    Falsified("int(blocks_outside(curve_A, curves_A))", "int(blocks_outside(curves_A[0], curves_A))",
              AssertionError),
    # exercises and symbols
    Falsified("informed.solution(sp.Sum(x**2 * sigma", "informed.solution(sp.Sum(x * sigma", Refuted),
    Falsified("lapse.solution(sp.Derivative(sp.log(g / 2 + (1 - g) * P), g))",
              "lapse.solution(sp.Derivative(sp.log(g / 2 + (1 - g) * P), P))", Refuted),
    Falsified("attenuated.solution((1 - s**2 / (s", "attenuated.solution((1 - rho**2 / (s",
              Refuted),
    Falsified("for many in (m, n - m) if many)", "for many in (m,) if many)", Refuted),
    Falsified('h: "a prediction error", lam:', "lam:", ValueError, says="h is not declared"),
], unchecked=UNCHECKED, mistakes=MISTAKES, exercises=4)
