"""The chapter book/gumbel/gumbel_max: what must not pass on it, and its exercises."""

from proofread.errors import ProofError, Refuted, Vacuous
from proofread.testing import Falsified, Page

MISTAKES = [
    ("ex-first-bell", "Sum(1/exp(mu[i]), (i, 1, n))", "one after the other"),
    ("ex-first-bell", "Sum(exp(mu[i]), (i, 1, n))", "wait shorter"),
    ("ex-clear-win", "exp(mu[k])/exp(g)/Sum(exp(mu[i]), (i, 1, n))", "below the fraction bar"),
    ("ex-clear-win", "exp(g)*exp(mu[k])/(exp(mu[k])*(exp(g) - 1) + Sum(exp(mu[i]), (i, 1, n)))",
     "rarer than a win"),
    ("ex-gumbel-maximum", "log(Sum(exp(mu[i]), (i, 1, n)))", "the location of the maximum"),
    ("ex-gumbel-maximum", "log(Sum(exp(mu[i]), (i, 1, n)) / exp(EulerGamma))", "above or below"),
]

QUOTATIONS = {
    "Xu (2019), Gumbel-max trick and softmax (1)":
        r"p(\max_{i\neq k} Z_i = z) = \prod_{i\neq k} \exp(-e^{-(z - \mu_{i})})",
}

UNCHECKED = [
    r"(1 - a/N)^N \to e^{-a}", r"-\log T", r"1/\tau", r"C e^{-x} = e^{-(x - \log C)}", r"F(x - \mu_i)",
    r"F\bigl((x-m)/\beta\bigr)", "T_k = s", "Z_k = z", r"\Gamma'(1) = -\gamma", r"\lambda_k/\sum_i\lambda_i",
    r"\log N", r"\log\pi_i + G_i", r"\mu + \sigma\varepsilon", r"\tau \to 0",
    r"\Gamma''(1) = \gamma^2 + \zeta(2)", "c e^{-cs}", "e^{-Ce^{-z}}", "e^{-z-Ce^{-z}}",
    r"f\bigl((x-m)/\beta\bigr)/\beta", "75", "i = k", r"w_i/\pi_i", r"w_k/\pi_k", r"x + \log N",
]
ARGUED = {
    "eq-rival-density": r"p(\max_{i\neq k} Z_i = z) = "
                        r"\frac{\partial}{\partial z} \Pr(\max_{i\neq k} Z_i < z)",
}

PAGE = Page("book/gumbel/gumbel_max", [
    # two items with normal noise; the lines to type, and what the library draws
    Falsified('"small": 2.0, "large": 6.0', '"small": 3.5, "large": 6.0', AssertionError),
    Falsified("np.array([0.0] * 10 + [-gaps", "np.array([0.0] * 2 + [-gaps", AssertionError),
    Falsified("Categorical(logits=scores.expand(", "Categorical(logits=2 * scores.expand(", AssertionError),
    Falsified("draws = (scores + noise).argmax(-1)", "draws = (scores - noise).argmax(-1)", AssertionError),
    Falsified("exponential_().log()\ndraws", "exponential_()\ndraws", AssertionError),
    Falsified("slope.step(pi(j) * (pay[j] - E(pay[k], draw)),",
              "slope.step(pi(j) * (pay[j] + E(pay[k], draw)),", Refuted),
    Falsified("extreme.step(F(x),", "extreme.step(1 - F(x),", Refuted),
    Falsified("Without(sp.Product(F(z - mu[i]), (i, 1, n)), k), label=",
              "sp.Product(F(z - mu[i]), (i, 1, n)), label=", ValueError, says="does not depend on k"),
    Falsified("Without(sp.Product(F(z - mu[i]),", "Without(sp.Product(F(z + mu[i]),", ValueError,
              says="no side in common with eq-rivals"),
    Falsified("sp.Derivative(others(k, z), z), label=", "others(k, z), label=", ValueError,
              says="is not refuted"),
    Falsified("sp.Integral(f(z - mu[k]) *", "sp.Integral(f(z - mu[j]) *", Refuted),
    Falsified("sp.Integral(f(z - mu[k]) * others(k, z),",
              "sp.Integral(f(z - mu[k]) * (1 - others(k, z)),", Refuted),
    Falsified('integrand.step(sp.exp(-z + mu[k] - each), "the own',
              'integrand.step(sp.exp(-z - mu[k] - each), "the own', Refuted),
    Falsified("one_hot = Derivation(sp.Sum(pay[i] * delta(i, k), (i, 1, n)),",
              "one_hot = Derivation(sp.Sum(pay[i] * (1 - delta(i, k)), (i, 1, n)),", Refuted),
    Falsified("trick.step(sp.exp(mu[k]) * Bracket(sp.exp(-C() * sp.exp(-z)) / C(),",
              "trick.step(sp.exp(mu[k]) * Bracket(sp.exp(-C() * sp.exp(-z)),", Refuted),
    Falsified("sp.exp(mu[k]) * (1 / C() - 0)", "sp.exp(mu[k]) * (0 - 1 / C())", Refuted),
    Falsified("sp.exp(-rate * t), label=\"eq-waiting-time\"",
              "sp.exp(rate * t), label=\"eq-waiting-time\"", Refuted),
    Falsified("silent(t + s) / silent(t),", "silent(s) / silent(t),", Refuted),
    Falsified("ageless.step(silent(s),", "ageless.step(silent(t),", Refuted),
    Falsified("clock = Distributed(sp.exp(-X),", "clock = Distributed(sp.exp(X),", Refuted),
    Falsified("sp.Integral(lam(k) * sp.exp(-lam(k) * s) * rest,",
              "sp.Integral(sp.exp(-lam(k) * s) * rest,", Refuted),
    Falsified("race.step(lam(k) * sp.Integral(", "race.step(C() * sp.Integral(", Refuted),
    Falsified("race.step(lam(k) / C() * sp.exp(-C() * t),", "race.step(lam(k) * sp.exp(-C() * t),", Refuted),
    Falsified("sp.Product(F(x - mu[i]), (i, 1, n)), label=",
              "sp.Product(F(x + mu[i]), (i, 1, n)), label=", Refuted),
    Falsified("largest.step(F(x - sp.log(C())),", "largest.step(F(x + sp.log(C())),", Refuted),
    Falsified("gumbel_cdf(v, loc=logsumexp(logits))", "gumbel_cdf(v, loc=logits.max())", ValueError,
              says="no side of eq-max-gumbel"),
    Falsified("perturbed.argmax(axis=1) == 1].max(axis=1)",
              "perturbed.argmax(axis=1) == 1].mean(axis=1)", Refuted),
    Falsified("mean.step(m + beta * sp.EulerGamma,", "mean.step(m - beta * sp.EulerGamma,", Refuted),
    Falsified("maximum.solution(sp.EulerGamma + sp.log(C()))", "maximum.solution(sp.log(C()))", Refuted),
    Falsified("race = Derivation(joint(k, t),", "race = Derivation(joint(j, t),", ProofError),
    Falsified("largest = Derivation(highest(x),", "largest = Derivation(1 - highest(x),", Refuted),
    Falsified("sp.exp(m) * sp.exp(-sp.exp(m) * T)", "sp.exp(-sp.exp(m) * T)", Refuted, says="total weight"),
    Falsified("        (density(k, z),", "        (others(k, z),", ValueError, says="is not refuted"),
    Falsified("effect=0.02, of=largest,", "effect=0.02, of=F,", ValueError,
              says="eq-gumbel-cdf does not depend on it"),
    Falsified("at={mu: logits + nudge, k: 3}", "at={mu: logits, k: 3}", ValueError,
              says="no side of eq-gumbel-max"),
    # the gradient with respect to a parameter
    Falsified("sp.Sum(pi_theta(k, theta) * (pay[k] - earned)", "sp.Sum(pi_theta(k, theta) * pay[k]", Refuted),
    Falsified("* (pay[k] - earned) * y[k],", "* (pay[k] - earned),", Refuted),
    Falsified("mean.step(m - beta * sp.Integral(sp.log(T) * sp.exp(-T),",
              "mean.step(m - beta * sp.Integral(sp.log(T) * sp.exp(-2 * T),", Refuted),
    Falsified("variance.step(beta**2 * sp.zeta(2),", "variance.step(beta**2 * sp.zeta(3),", Refuted),
    # the triangle
    Falsified("S**2 * sp.exp(-S),", "S * sp.exp(-S),", Refuted),
    Falsified("pieces[range(3), range(3)] = p ", "pieces[range(3), range(3)] = p[::-1] ", AssertionError),
    Falsified("first = (w_drawn / p).argmin(axis=1)", "first = (w_drawn * p).argmin(axis=1)", AssertionError),
    Falsified("ax.plot(*on_simplex(won[number]),", "ax.plot(*on_simplex(w_drawn),", ValueError,
              says="is drawn at"),
    # the race
    Falsified("ax.plot(shown, row,", "ax.plot(keys[0], row,", ValueError, says="is drawn at"),
    Falsified("for u in (0.1, 0.5, 0.9)", "for u in (0.1, 0.4, 0.9)", ValueError, says="is drawn at"),
    Falsified("corner.step(pi(j) * (w[j] / pi(j) - w[k] / pi(k)),",
              "corner.step(pi(j) * (w[j] / pi(k) - w[k] / pi(j)),", Refuted),
    Falsified("(w2, 0, 1 - w1),", "(w2, 0, 1),", ProofError),
    # the first table, and the exercises
    Falsified("sp.Sum(sp.exp(mu[i] + g - mu[k])", "sp.Sum(sp.exp(mu[i] - g - mu[k])", Refuted),
    Falsified("(1 + Without(sp.Sum(sp.exp(mu[i] + g - mu[k]), (i, 1, n)), k))",
              "(1 + sp.Sum(sp.exp(mu[i] + g - mu[k]), (i, 1, n)))", Refuted),
    Falsified('"normal noise": stats.norm(scale=like.std())', '"normal noise": stats.norm(scale=3)',
              AssertionError),
    Falsified("sp.exp(-C() * t), (t, 0, sp.oo)))", "sp.exp(-t), (t, 0, sp.oo)))", Refuted),
    # in use: the same noise; and a vocabulary in parts
    Falsified("times = torch.empty(logits.shape).exponential_(generator=key)",
              "times = torch.empty(logits.shape).exponential_()", AssertionError),
    Falsified('"coarse": (2 * model).round() / 2}', '"coarse": model.round()}', AssertionError),
    Falsified("held = torch.Generator().manual_seed(7)", "held = torch.Generator().manual_seed(8)",
              AssertionError),
    Falsified("    p = truth.double().softmax(-1)", "    p = model.double().softmax(-1)", AssertionError),
    Falsified("gumbel_agreement(np.log(p), np.log(q)).mean()", "(1 - abs(p - q).sum(1) / 2).mean()",
              AssertionError),
    Falsified("        top.append(keys.max(axis=1))", "        top.append(part.max(axis=1))", Refuted,
              says="drawn"),
    Falsified("        index.append(start + keys.argmax(axis=1))",
              "        index.append(keys.argmax(axis=1))", Refuted, says="drawn"),
    Falsified("keys = part / temperature + rng.gumbel(size=part.shape)\n        index",
              "keys = part / temperature + rng.gumbel(size=part.shape[1])\n        index", Refuted,
              says="drawn"),
    Falsified('"a second race of the winners": second_race,',
              '"a second race of the winners": lambda *each: pick(*winners(*each)[:2]),', Vacuous),
    # the sentences
    Falsified(r"e^{r\log T} = T^r", r"e^{-r\log T} = T^r", Refuted, sentence=True),
    Falsified(r"\frac{f(x)}{F(x)} = e^{-x}", r"\frac{f(x)}{F(x)} = e^{x}", Refuted, sentence=True),
    Falsified(r"\gamma \approx 0.577", r"\gamma \approx 0.576", Refuted, sentence=True),
    Falsified('pay: "payoffs", theta: "a parameter",', 'pay: "payoffs",', ValueError,
              says="theta is not declared"),
], exercises=4, argued=ARGUED, unchecked=UNCHECKED, mistakes=MISTAKES, quotations=QUOTATIONS)
